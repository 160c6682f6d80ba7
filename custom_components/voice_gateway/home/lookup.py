"""Lookup of entities by a name that a model wrote, in the language of the conversation."""

from collections.abc import Iterable
from dataclasses import dataclass

from ..names.matching import matcher
from .exposed import Exposed, Home


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity under one of its names, as a thing to match."""

    entity: Exposed
    name: str
    location: str

    @property
    def hints(self) -> str:
        """Other words for it: its domain and device class."""
        return f"{self.entity.domain.replace('_', ' ')} {self.entity.device_class or ''}"


def find_entities(
    name: str, among: Iterable[Exposed], home: Home, language: str | None
) -> list[Exposed]:
    """Return the entities that match a name best: one if certain, several if they fit equally."""
    found = matcher(language).find(name, _named(among, home))
    return list(dict.fromkeys(thing.entity for thing in found))


def nearest_entities(
    name: str, among: Iterable[Exposed], home: Home, language: str | None
) -> list[Exposed]:
    """Return the entities with the most similar names, best first."""
    return [thing.entity for thing in matcher(language).nearest(name, _named(among, home))]


def is_full_name(name: str, entity: Exposed, language: str | None) -> bool:
    """Return True if a name has all words of an entity's name, or only words of its type."""
    tokens = matcher(language).tokens
    said = frozenset(tokens(name))
    hints = NamedEntity(entity, name, "").hints
    return said.issubset(tokens(hints)) or any(said.issuperset(tokens(own)) for own in entity.names)


def _named(entities: Iterable[Exposed], home: Home) -> list[NamedEntity]:
    return [
        NamedEntity(each, name, _location(each, home)) for each in entities for name in each.names
    ]


def _location(entity: Exposed, home: Home) -> str:
    if (area := home.areas.get(entity.area)) is None:
        return ""
    floor = home.floors.get(area.floor_id or "")
    return " ".join((area.name, *sorted(area.aliases), floor.name if floor else ""))
