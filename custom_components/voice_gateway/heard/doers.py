"""Whose work a command asks for by its verb alone: "clean the kitchen" is for a vacuum."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
import re
from typing import Final
import unicodedata

from homeassistant.components.valve import DOMAIN as VALVE, ValveDeviceClass

from ..home.exposed import Exposed, Home
from ..names.matching import words
from .line import Line, plain, tokens_of
from .templates import templates

_INSIDE: Final = "any"
_LEAST: Final = 4
"""Letters of a part of a compound."""
_SWITCHES: Final = frozenset(("input_boolean", "switch"))


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


def those_who_do(
    domain: str, home: Home, code: str, *, certainly: bool = False
) -> Sequence[Exposed]:
    """Return the devices of a home that do the work of a domain: those of it, else switches called so.

    No gas is for a garden. `certainly`: of valves only those that are called by that work, or by what
    it is done to, or are in such a place: another may shut off the whole house.
    """
    own = [
        each
        for each in home.entities
        if each.domain == domain and each.device_class != ValveDeviceClass.GAS
    ]
    if not own:
        switches = (each for each in home.entities if each.domain in _SWITCHES)
        return [each for each in switches if _is_called_by(domain, each.names, code)]
    if not certainly or domain != VALVE:
        return own
    return [
        each for each in own if _is_called_by(domain, (*each.names, *_places(each, home)), code)
    ]


def is_only_one(entity: Exposed, domains: Collection[str], home: Home, code: str) -> bool:
    """Tell whether a device is the only one of a home that does the work of one of some domains."""
    return any([*those_who_do(each, home, code)] == [entity] for each in domains)


def _places(entity: Exposed, home: Home) -> Sequence[str]:
    area = home.areas.get(entity.area)
    return (area.name, *area.aliases) if area else ()


def _is_called_by(domain: str, names: Sequence[str], code: str) -> bool:
    """Tell whether a name has a word of some work, be it within a compound: "Gartenbewässerung"."""
    known = templates(code)
    patterns = (*known.done_with.get(domain, ()), *known.done_to.get(domain, ()))
    spoken = [
        each.text for name in names for each in tokens_of(plain(unicodedata.normalize("NFC", name)))
    ]
    return any(
        pattern.search(f" {word[begin:]} ")
        for word in spoken
        for begin in (0, *range(_LEAST, len(word) - _LEAST))
        for pattern in patterns
    )


def _said(line: Line, pattern: re.Pattern[str]) -> Iterator[int]:
    """Yield the tokens of a pattern but those that are any words between its own."""
    inside: set[int] = set()
    if _INSIDE in pattern.groupindex:
        inside.update(index for span in line.find(pattern, _INSIDE) for index in range(*span))
    for first, end in line.find(pattern):
        yield from (index for index in range(first, end) if index not in inside)


def _words(line: Line, indexes: set[int]) -> frozenset[str]:
    return frozenset(word for index in indexes for word in words(line.tokens[index].text))
