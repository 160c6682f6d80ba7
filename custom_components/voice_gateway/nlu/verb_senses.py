"""Whose work a command asks for by its verb alone: "clean the kitchen" is for a vacuum."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
import unicodedata

from homeassistant.components.valve import DOMAIN as VALVE, ValveDeviceClass

from ..home.exposed import Exposed, Home
from ..names.matching import words
from .phrase_pattern import PhrasePattern
from .phrase_patterns import patterns_of
from .tokenizer import Text, TokenSequence, fold_punctuation, tokenize

_INSIDE: Final = "any"
_LEAST: Final = 4
"""Letters of a part of a compound."""
_SWITCHES: Final = frozenset(("input_boolean", "switch"))


@dataclass(frozen=True, slots=True)
class VerbSense:
    """What a command says is to be done, as far as only devices of some kinds do it."""

    domains: frozenset[str]
    """Of those devices; empty where others do it, too."""
    agent_words: frozenset[str]
    """The words that say so."""
    rest: frozenset[str]
    """Its other words, but for those that say to what it is done, if that is no room."""


def find_verb_sense(text: Text) -> VerbSense:
    """Return what a command says by its verb.

    Args:
        text: a command, or a part of one.
        code: the language's code as `languages` has it; of a language without such verbs it says
            nothing.
    """
    known = patterns_of(text.code)
    line = TokenSequence.of(text)
    found = {
        domain: {index for each in patterns for own in own_tokens(line, each) for index in own}
        for domain, patterns in known.agent_verbs.items()
    }
    domains = frozenset(domain for domain, indexes in found.items() if indexes)
    said = {index for indexes in found.values() for index in indexes}
    done_to = {
        index
        for domain in domains
        for pattern in known.agent_objects.get(domain, ())
        for own in own_tokens(line, pattern)
        for index in own
    }
    rest = set(range(len(line.tokens))) - said - done_to
    return VerbSense(domains, _words(line, said), _words(line, rest))


def entities_for_sense(
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


def sole_entities_for_sense(domains: Collection[str], home: Home, code: str) -> frozenset[Exposed]:
    """Return the devices of a home that alone do the work of one of some domains."""
    doers = (entities_for_sense(each, home, code) for each in domains)
    return frozenset(each for [each] in (found for found in doers if len(found) == 1))


def _places(entity: Exposed, home: Home) -> Sequence[str]:
    area = home.areas.get(entity.area)
    return (area.name, *area.aliases) if area else ()


def _is_called_by(domain: str, names: Sequence[str], code: str) -> bool:
    """Return True if a name has a word of some work, be it within a compound: "Gartenbewässerung"."""
    texts = (fold_punctuation(unicodedata.normalize("NFC", name)) for name in names)
    return any(_is_of_work(token.text, domain, code) for text in texts for token in tokenize(text))


@lru_cache(1024)  # a home's names are of few words
def _is_of_work(word: str, domain: str, code: str) -> bool:
    known = patterns_of(code)
    patterns = (*known.agent_names.get(domain, ()), *known.agent_objects.get(domain, ()))
    parts = [f" {word[begin:]} " for begin in (0, *range(_LEAST, len(word) - _LEAST))]
    return any(pattern.search(part) for part in parts for pattern in patterns)


def own_tokens(line: TokenSequence, pattern: PhrasePattern) -> Iterator[frozenset[int]]:
    """Yield a pattern's tokens for each place where it is, but those that are any words between its own."""
    inside: set[int] = set()
    if pattern.has_group(_INSIDE):
        inside.update(index for span in line.find(pattern, _INSIDE) for index in range(*span))
    for first, end in line.find(pattern):
        yield frozenset(range(first, end)) - inside


def _words(line: TokenSequence, indexes: set[int]) -> frozenset[str]:
    return frozenset(word for index in indexes for word in words(line.tokens[index].text))
