"""Entity ranking: the entities that an utterance is likely about, for homes too large for a prompt."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from homeassistant.components.cover import DOMAIN as COVER

from ..home.exposed import Exposed
from ..names.matching import words
from .entity_linking import EntityLinker
from .gazetteer import ONLY_READ, EntityWords, gazetteer_of
from .utterance import Utterance

MOST: Final = 20
"""Devices that a model is told of with a sentence."""
_LONGEST: Final = 100
"""Words of a text that are looked at: each may be compared with all of the home's."""
_PARTS: Final = 4
"""Parts of a sentence that are looked at by themselves."""


@dataclass(frozen=True, slots=True)
class RankedEntities:
    """Devices that may be meant, the most certain first, and how many more there are of them."""

    entities: Sequence[Exposed]
    others: int


def rank_entities(utterance: Utterance) -> RankedEntities:
    """Return the devices that a sentence is about, as far as its words tell.

    Where it says nothing of any, it is about those of the sentence before, else about what is where
    the speaker is. Where nobody spoke, it is about those of an AI task's instructions.
    """
    found = _of_sentence(utterance) if utterance.text else _of(utterance, utterance.mentions.text)
    for text in reversed(utterance.earlier):
        if found:
            break
        found = _of(utterance, text)
    if not found:
        everything = utterance.mentions.home.entities
        found = [
            each for each in everything if utterance.area_id and each.area == utterance.area_id
        ]
        found.sort(key=lambda each: each.domain in ONLY_READ)
    return RankedEntities(found[:MOST], max(0, len(found) - MOST))


def _of_sentence(utterance: Utterance) -> list[Exposed]:
    """Return what a sentence is about by its parts as well: a place is said once for all, or for one."""
    whole = _of(utterance, utterance.text)
    clauses = utterance.parsed.clauses[:_PARTS] if len(utterance.parsed.clauses) > 1 else ()
    parts = [each for clause in clauses for each in _of(utterance, clause.text)]
    both = filter(set(whole).__contains__, parts)
    return list(dict.fromkeys((*both, *parts, *whole)))


def _of(utterance: Utterance, text: str) -> list[Exposed]:
    """Return the devices that a text is about, the most certain first.

    A device is left out where all that the sentence says of it, it says of another one, and more: of
    "the kitchen light", all other lights, and what else is in the kitchen.
    """
    meant = utterance.link(utterance.text.alike(" ".join(text.split()[:_LONGEST])))
    areas = {area_id: _place(meant, area_id) for area_id in meant.areas}
    spoken = meant.corrected_words.union(*(kind.synonyms for kind in meant.categories))
    domains = meant.sense_domains.union(*(kind.domains for kind in meant.categories))
    possible = gazetteer_of(meant.home, meant.text.code).described_by(spoken, domains, areas)
    abouts = [_About.of(meant, each, areas) for each in possible]
    said = {each.said for each in abouts if each}
    most = {each for each in said if not any(each < other for other in said)}

    def certain(about: _About) -> tuple[bool | int, ...]:
        entity = about.entity
        return (
            -len(about.said),
            entity.area != utterance.area_id,
            about.unsaid > 0,
            -about.literally,
            about.unsaid,
            entity.domain in ONLY_READ,
        )

    likeliest = sorted((each for each in abouts if each and each.said in most), key=certain)
    return [each.entity for each in likeliest]


@dataclass(frozen=True, slots=True)
class _About:
    """What a sentence says of a device."""

    entity: Exposed
    said: frozenset[str]
    """The words of its names and its place, and what stands for those of its kind."""
    literally: int
    """How many words of its names the sentence says as they are, those for its kind too."""
    unsaid: int
    """How many words the sentence does not say of the name that it says most of."""

    @classmethod
    def of(
        cls, meant: EntityLinker, known: EntityWords, areas: Mapping[str, frozenset[str]]
    ) -> _About | None:
        """Return what a sentence says of a device, None where it says nothing.

        A word for a kind is one of each device of this kind, whatever it is called by. What is not in
        the place that was said is not about it because its own name has a word of that place.

        Args:
            meant: the sentence.
            known: the device, and its words.
            areas: the words that were said of each area, by its id.
        """
        entity, own = known.entity, known.all
        said = areas.get(entity.area, frozenset()).union(_kinds(meant, entity, own))
        if not said and own.isdisjoint(meant.corrected_words):
            return None
        said_words = meant.corrected_words | meant.category_words
        unsaid = min(len(name - said_words) for name in known.names)
        telling = own & meant.corrected_words - meant.category_words
        if areas and entity.area not in areas and unsaid:
            telling -= meant.place_words
        if not (said := said | telling):
            return None
        return cls(entity, said, len(own & meant.corrected_words), unsaid)


def _kinds(meant: EntityLinker, entity: Exposed, own: frozenset[str]) -> Iterator[str]:
    """Yield what stands for each kind that a sentence speaks of and of which a device is one.

    What is called a lamp is one. But no blind is one of the garage doors because both are covers.
    """
    for kind in meant.categories:
        is_called = COVER not in kind.domains and not own.isdisjoint(kind.synonyms)
        if entity.domain in kind.domains or is_called:
            yield f"kind {kind.words}"
    if entity.domain in meant.sense_domains:
        yield f"doer {entity.domain}"


def _place(meant: EntityLinker, area_id: str) -> frozenset[str]:
    """Return the words by which an area was said, and its floor."""
    area = meant.home.areas[area_id]
    texts = {area.name, *area.aliases}
    if floor := meant.home.floors.get(area.floor_id or ""):
        texts |= {floor.name, *floor.aliases}
    return meant.place_words.intersection(word for text in texts for word in words(text))
