"""Whose work a command asks for by its verb alone: "clean the kitchen" is for a vacuum."""

from collections.abc import Iterator
from dataclasses import dataclass
import re
import unicodedata

from ..names.matching import words
from .line import Line, plain, tokens_of
from .templates import templates

_INSIDE = "any"


@dataclass(frozen=True, slots=True)
class Work:
    """What a command says is to be done, as far as only devices of some kinds do it."""

    domains: frozenset[str]
    """Of those devices; empty where others do it, too."""
    words: frozenset[str]
    """The words that say so."""
    rest: frozenset[str]
    """Its other words, but for those that say to what it is done, if that is no room."""


def work(text: str, code: str) -> Work:
    """Return what a command says by its verb.

    Args:
        text: a command, or a part of one.
        code: the language's code as `languages` has it; of a language without such verbs it says
            nothing.
    """
    known = templates(code)
    text = unicodedata.normalize("NFC", text)
    line = Line(text, tokens_of(plain(text)))
    found = {
        domain: {index for pattern in patterns for index in _said(line, pattern)}
        for domain, patterns in known.done_by.items()
    }
    domains = frozenset(domain for domain, indexes in found.items() if indexes)
    said = {index for indexes in found.values() for index in indexes}
    done_to = {
        index
        for domain in domains
        for pattern in known.done_to.get(domain, ())
        for index in _said(line, pattern)
    }
    rest = set(range(len(line.tokens))) - said - done_to
    return Work(domains, _words(line, said), _words(line, rest))


def _said(line: Line, pattern: re.Pattern[str]) -> Iterator[int]:
    """Yield the tokens of a pattern but those that are any words between its own."""
    inside: set[int] = set()
    if _INSIDE in pattern.groupindex:
        inside.update(index for span in line.find(pattern, _INSIDE) for index in range(*span))
    for first, end in line.find(pattern):
        yield from (index for index in range(first, end) if index not in inside)


def _words(line: Line, indexes: set[int]) -> frozenset[str]:
    return frozenset(word for index in indexes for word in words(line.tokens[index].text))
