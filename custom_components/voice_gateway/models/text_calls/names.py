"""Resolve the written names of tools."""

from collections.abc import Callable, Iterable
import re

from ..text.marks import CALLS, is_technical, words_of

type NameOf = Callable[[str], str | None]
"""Returns the offered tool's name that a written name refers to; None if there is none."""

# Prefixes that models write before a tool's name, from other tools' namespaces.
_NAMESPACES = ("functions.", "function.", "default_api.", "tools.", "tool.", "api.", "call:")
# Kimi counts its calls: functions.NAME:0. Llama calls a method: NAME.call.
_NUMBER = re.compile(r":(?:call_)?\d+$|\.call$")
# In `assistant<|channel|>commentary to=functions.NAME` and `NAME<|channel|>commentary json`.
_WITHIN = re.compile(r"(?:.*\bto=|^\W*)([A-Za-z_][\w.:/-]*)(?=[\s<|｜\[{(]|$)")
_TAG = re.compile(r"<[^<>]*>|\[/?[A-Z_]+\]")
_IDENTIFIER = re.compile(r"[A-Za-z_][\w.:/-]*")
# Maximum length of a name with its prefixes: providers accept names of 128 characters.
LONGEST_NAME = 200
# Words that announce a call.
_LABELS = CALLS | {
    *("code", "step", "calling", "called", "using", "use", "invoking", "executing", "running"),
    *("const", "let", "var", "name"),
}


class Names:
    """The names of the offered tools."""

    def __init__(self, name_of: NameOf, offered: Iterable[str]) -> None:
        """Take the function that resolves a name, and the tools' names."""
        self._name_of = name_of
        # The last three precede a name, or stand in place of one.
        names = (*offered, "print", "await", "functools")
        spellings = {*names, *(name.partition("__")[2] for name in names)}
        self._spellings = spellings | {name.lower() for name in spellings}

    def resolve(self, written: str) -> str | None:
        """Return the tool's name that a written name refers to, with or without a namespace."""
        return self._name_of(written) or self._name_of(bare(written))

    def begins_call(self, word: str) -> bool:
        """Return True if a whole word may name a tool, or precede its name; else it is spoken."""
        if len(word) > LONGEST_NAME:
            return False
        plain = word.rstrip(".:")
        return is_technical(bare(word)) or plain in self._spellings or self.is_label(plain)

    def is_label(self, word: str) -> bool:
        """Return True if a word announces a call, as in "Tool call: …", and is no tool's name."""
        words = words_of(word)
        return words not in ({"name"}, set()) and words <= _LABELS and self.resolve(word) is None


def bare(written: str) -> str:
    """Return a name without a template's additions: a namespace, a channel, a number, marks."""
    # Some models escape it for Markdown.
    written = written.replace("\\_", "_")
    plain = _TAG.sub(" ", written).strip() or written
    technical = (word for word in _IDENTIFIER.findall(plain) if is_technical(word))
    found = _WITHIN.search(plain)
    name = next(technical, found[1] if found else plain.strip())
    space = next((space for space in _NAMESPACES if name.startswith(space)), "")
    return _NUMBER.sub("", name.removeprefix(space))


def is_name(text: str) -> bool:
    """Return True if a text is a possible tool name."""
    return bool(_IDENTIFIER.fullmatch(text))
