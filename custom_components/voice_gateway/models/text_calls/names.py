"""Which written names mean a tool."""

from collections.abc import Callable, Iterable
from functools import lru_cache
import re

type NameOf = Callable[[str], str | None]
"""Gives the name of the offered tool that a written name means; None where it means none."""

# What models write before a tool's name, as other tools' namespaces are called.
_NAMESPACES = ("functions.", "function.", "default_api.", "tools.", "tool.", "api.", "call:")
# Kimi counts its calls: functions.NAME:0. Llama calls a method: NAME.call.
_NUMBER = re.compile(r":\d+$|\.call$")
# In `assistant<|channel|>commentary to=functions.NAME` and `NAME<|channel|>commentary json`.
_WITHIN = re.compile(r"(?:.*\bto=|^\W*)([A-Za-z_][\w.:/-]*)(?=[\s<|｜\[{(]|$)")
_IDENTIFIER = re.compile(r"[A-Za-z_][\w.:/-]*")
# Words that no sentence has: with an underscore or a dot in them, or a capital after a small letter.
_TECHNICAL = re.compile(r"\w*(?:_|\w\.\w|[a-z0-9][A-Z])[\w.:-]*")
# No offered tool has a longer name, with what stands before it: providers take 128 characters.
_LONGEST = 200
# What stands before a name, or for one.
_BEFORE = ("print", "await", "call", "tool_code", "functools", *_NAMESPACES)


class Names:
    """The names of the tools that were offered."""

    def __init__(self, name_of: NameOf, offered: Iterable[str]) -> None:
        """Take what resolves a name, and the tools' names."""
        self._name_of = name_of
        self._begins = _beginnings((*offered, *_BEFORE))
        self._begun = ""
        """The last word that may become a name: more of it is read from its end on."""

    def resolve(self, written: str) -> str | None:
        """Return the name of the tool that is meant, with or without a namespace before it."""
        return self._name_of(written) or self._name_of(bare(written))

    def may_begin(self, word: str) -> bool:
        """Return True if a word, of which more may come, may become a name; else it is spoken.

        This is decided at every letter, so that the pieces in which a word comes make no difference.
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
    """Return what a name begins with, in the ways in which it may be written."""
    spellings = {*names, *(name.partition("__")[2] for name in names)}
    # Not in capitals where the name has none: "I" must not wait for an "intent__…".
    written = spellings | {name.lower() for name in spellings}
    return frozenset(name[:length] for name in written for length in range(1, len(name) + 1))


def bare(written: str) -> str:
    """Return a name without what templates put around it: a namespace, a channel, a number, marks."""
    # Some write it as Markdown.
    written = written.replace("\\_", "_")
    found = _WITHIN.search(written)
    name = found[1] if found else written.strip()
    space = next((space for space in _NAMESPACES if name.startswith(space)), "")
    return _NUMBER.sub("", name.removeprefix(space))


def is_name(text: str) -> bool:
    """Return True if a text could name a tool at all."""
    return bool(_IDENTIFIER.fullmatch(text))


def is_technical(word: str) -> bool:
    """Return True if a word looks like a name in a program, and not like one of a sentence."""
    return bool(_TECHNICAL.fullmatch(word))
