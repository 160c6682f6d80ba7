"""Resolve the written names of tools."""

from collections.abc import Callable, Iterable
from functools import lru_cache
import re

type NameOf = Callable[[str], str | None]
"""Returns the offered tool's name that a written name refers to; None if there is none."""

# Prefixes that models write before a tool's name, from other tools' namespaces.
_NAMESPACES = ("functions.", "function.", "default_api.", "tools.", "tool.", "api.", "call:")
# Kimi counts its calls: functions.NAME:0. Llama calls a method: NAME.call.
_NUMBER = re.compile(r":\d+$|\.call$")
# In `assistant<|channel|>commentary to=functions.NAME` and `NAME<|channel|>commentary json`.
_WITHIN = re.compile(r"(?:.*\bto=|^\W*)([A-Za-z_][\w.:/-]*)(?=[\s<|｜\[{(]|$)")
_IDENTIFIER = re.compile(r"[A-Za-z_][\w.:/-]*")
# Words that do not occur in sentences: with an underscore, an inner dot, or an inner capital.
_TECHNICAL = re.compile(r"\w*(?:_|\w\.\w|[a-z0-9][A-Z])[\w.:-]*")
# Maximum length of a name with its prefixes: providers accept names of 128 characters.
_LONGEST = 200
# Words before a name, or in place of one.
_BEFORE = ("print", "await", "call", "tool_code", "functools", *_NAMESPACES)


class Names:
    """The names of the offered tools."""

    def __init__(self, name_of: NameOf, offered: Iterable[str]) -> None:
        """Take the function that resolves a name, and the tools' names."""
        self._name_of = name_of
        self._begins = _beginnings((*offered, *_BEFORE))
        self._begun = ""
        """The last word that may become a name; a longer one is checked from its end on."""

    def resolve(self, written: str) -> str | None:
        """Return the tool's name that a written name refers to, with or without a namespace."""
        return self._name_of(written) or self._name_of(bare(written))

    def may_begin(self, word: str) -> bool:
        """Return True if a word that may continue may become a name; else it is spoken.

        This is decided at each character, so that the result does not depend on the pieces.
        """
        if len(word) > _LONGEST:
            return False
        read = len(self._begun) if word.startswith(self._begun) else 0
        for begun in (word[:end] for end in range(read + 1, len(word) + 1)):
            name = bare(begun)
            if name and self._begins.isdisjoint((begun, name)) and not is_technical(begun):
                return False
        self._begun = word
        return True


@lru_cache(8)
def _beginnings(names: tuple[str, ...]) -> frozenset[str]:
    """Return the prefixes of a name in all of its spellings."""
    spellings = {*names, *(name.partition("__")[2] for name in names)}
    # Not in upper case if the name has none: "I" must not wait for an "intent__…".
    written = spellings | {name.lower() for name in spellings}
    return frozenset(name[:length] for name in written for length in range(1, len(name) + 1))


def bare(written: str) -> str:
    """Return a name without a template's additions: a namespace, a channel, a number, marks."""
    # Some models escape it for Markdown.
    written = written.replace("\\_", "_")
    found = _WITHIN.search(written)
    name = found[1] if found else written.strip()
    space = next((space for space in _NAMESPACES if name.startswith(space)), "")
    return _NUMBER.sub("", name.removeprefix(space))


def is_name(text: str) -> bool:
    """Return True if a text is a possible tool name."""
    return bool(_IDENTIFIER.fullmatch(text))


def is_technical(word: str) -> bool:
    """Return True if a word looks like an identifier, and not like a word of a sentence."""
    return bool(_TECHNICAL.fullmatch(word))
