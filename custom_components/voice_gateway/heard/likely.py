"""The devices that a sentence is likely about, of a home that is too large to be told as a whole."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ..home.exposed import Exposed
from ..names.matching import words
from .heard import Heard
from .kinds import Kind, kinds
from .meant import ONLY_READ
from .mentioned import About

MOST: Final = 20
"""Devices that a model is told of with a sentence."""
_LONGEST: Final = 200
"""Words of an AI task's instructions that are looked at: each is compared with all of the home's."""


@dataclass(frozen=True, slots=True)
class Likely:
    """Devices that may be meant, the most certain first, and how many more there are of them."""

    entities: Sequence[Exposed]
    others: int


def likely(heard: Heard) -> Likely:
    """Return the devices that a sentence is about, as far as its words tell.

    Where it says nothing of any, it is about those of the sentence before, else about what is where
    the speaker is. Where nobody spoke, it is about those of an AI task's instructions.
    """
    mentioned = heard.mentioned
    said = [*heard.earlier, heard.text] if heard.text else [" ".join(mentioned.sentences)]
    for sentence in reversed(said):
        if found := list(_of(heard, sentence)):
            break
    else:
        found = [
            each for each in mentioned.home.entities if heard.area_id and each.area == heard.area_id
        ]
        found.sort(key=lambda each: each.domain in ONLY_READ)
    return Likely(found[:MOST], max(0, len(found) - MOST))


def _of(heard: Heard, sentence: str) -> Iterator[Exposed]:
    """Yield the devices that a sentence is about, the most certain first.

    A device is left out where all that the sentence says of it, it says of another one, and more: of
    "the kitchen light", all other lights, and what else is in the kitchen.
    """
    text = " ".join(sentence.split()[:_LONGEST])
    spoken = kinds(text, heard.language)
    abouts = [(about, _said_of(about, spoken)) for about in heard.mentioned.about(text)]
    said = {each for _, each in abouts if each}
    most = {each for each in said if not any(each < other for other in said)}

    def certain(found: tuple[About, frozenset[str]]) -> tuple[bool | int, ...]:
        about, explained = found
        entity = about.entity
        return (
            bool(about.unsaid),
            -len(explained),
            entity.area != heard.area_id,
            about.unsaid,
            entity.domain in ONLY_READ,
        )

    likeliest = sorted((found for found in abouts if found[1] in most), key=certain)
    yield from dict.fromkeys(about.entity for about, _ in likeliest)


def _said_of(about: About, spoken: Collection[Kind]) -> frozenset[str]:
    """Return all that a sentence says of a device, with the language's words for its kind."""
    entity = about.entity
    said = about.name | about.other
    for kind in spoken:
        if entity.domain in kind.domains or any(
            not kind.alike.isdisjoint(words(name)) for name in entity.names
        ):
            said |= frozenset(kind.words)
    return said
