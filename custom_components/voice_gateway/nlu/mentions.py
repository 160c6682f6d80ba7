"""Mentions: whether an entity or a place was spoken of by the user."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, floor_registry as fr, intent

from ..home.exposed import ACCESS, Exposed, Home
from ..languages import language_of
from ..names.matching import NamedThing, correct_spelling, matcher, words
from .gazetteer import NamedEntity, NameWords, gazetteer_of, named_entities


@dataclass(frozen=True, slots=True)
class LocationConstraint:
    """Where something is to be done: `areas` are ids, and None stands for the whole home.

    A place is sound when everything that was said of it is true.
    """

    said: str = ""
    areas: frozenset[str] | None = None
    area: str = ""
    floor: str = ""
    sound: bool = True

    def holds(self, entity: Exposed) -> bool:
        """Return True if an entity is there."""
        return self.areas is None or entity.area in self.areas


@dataclass(frozen=True, slots=True)
class AreaName:
    """An area, as people speak of it."""

    name: str
    area: ar.AreaEntry
    location: str
    hints: str = ""


class Locations:
    """The areas and floors of a home."""

    def __init__(self, hass: HomeAssistant, language: str | None) -> None:
        """Take where the registries are, and the language in which places are named."""
        self._areas = ar.async_get(hass)
        self._floors = fr.async_get(hass)
        self._matcher = matcher(language)

    @property
    def area_names(self) -> Sequence[AreaName]:
        """All areas, also those without a device, each on its floor."""
        return [
            AreaName(area.name, area, self._floor(area)) for area in self._areas.async_list_areas()
        ]

    def constrain(self, area: str, floor: str) -> LocationConstraint:
        """Return the place that an area and a floor mean together."""
        if not area and not floor:
            return LocationConstraint()
        said = area or floor
        in_area = self._reading(area) if area else None
        on_floor = self._reading(floor, floors_first=True) if floor else None
        match in_area, on_floor:
            case (LocationConstraint() as one, None) | (None, LocationConstraint() as one):
                return one
            case LocationConstraint() as one, LocationConstraint() as other:
                return _both(one, other)
            case _:
                return LocationConstraint(said, sound=False)

    def _floor(self, area: ar.AreaEntry) -> str:
        floor = self._floors.async_get_floor(area.floor_id) if area.floor_id else None
        return floor.name if floor else ""

    def _reading(self, text: str, *, floors_first: bool = False) -> LocationConstraint:
        """Return the area or the floor that a text means."""
        areas = [*intent.find_areas(text, self._areas)]
        floors = [*intent.find_floors(text, self._floors)]
        if not areas and not floors:
            match self._matcher.find(text, self.area_names):
                case [only]:
                    areas = [only.area]
        if areas and not (floors and floors_first):
            return LocationConstraint(text, frozenset(a.id for a in areas), area=areas[0].name)
        if floors:
            ids = {each.floor_id for each in floors}
            inside = frozenset(a.id for a in self._areas.async_list_areas() if a.floor_id in ids)
            return LocationConstraint(text, inside, floor=floors[0].name)
        return LocationConstraint(text, sound=False)


def _both(one: LocationConstraint, other: LocationConstraint) -> LocationConstraint:
    """Return the place that two say together: the area's slot and the floor's."""
    if one.areas is None or other.areas is None:
        # Neither is one, or the floor is none and the room says it all.
        return one
    if common := one.areas & other.areas:
        narrow = one if one.area else other
        return LocationConstraint(narrow.said, common, area=narrow.area, floor=narrow.floor)
    return LocationConstraint(one.said, one.areas, area=one.area, sound=False)


# A word of a name tells more than one of a place or of a kind.
_NAME = 3
_LONG_ENOUGH = 4  # letters of a word that may begin a compound


class MentionIndex:
    """The devices and places of a home that the user spoke of."""

    def __init__(
        self,
        home: Home,
        places: Locations,
        utterance: str,
        speaker_area: str | None,
        language: str | None,
    ) -> None:
        """Take what was said, a line for each sentence, where (an area's id), and the language."""
        self.home = home
        self.places = places
        self._heard = utterance
        self._speaker_area = speaker_area
        known = language_of(language)
        self._code = known.code
        self._others = frozenset(words(" ".join(known.alternatives)))
        self._matcher = matcher(known.code)
        self._tokens = self._matcher.tokens

    def refers_to(self, entity: Exposed, place: LocationConstraint) -> bool:
        """Return True if the user's words mean this device rather than another one of its kind."""
        rivals = [e for e in self.home.entities if e.domain == entity.domain and e != entity]
        if place.areas and self.mentions_location(place):
            return True
        things = self.named_entities((entity, *rivals))
        said = self._said(self._heard, things)
        names = {
            each: [
                own
                for thing in things
                if thing.entity == each and (own := self._own_words(thing)[0])
            ]
            for each in (entity, *rivals)
        }
        entirely = [own for own in names[entity] if own <= said]
        fit: dict[Exposed, int] = {}
        for thing in things:
            explained = len(
                said & frozenset((*self._tokens(thing.name), *self._tokens(thing.location)))
            )
            fit[thing.entity] = max(explained, fit.get(thing.entity, 0))
        if (
            rivals
            and is_access_entity(entity)
            and not any(
                own and own <= said
                for thing in things
                if thing.entity == entity
                for own in self._own_words(thing)
            )
        ):
            return False
        if self._is_other(entity, things):
            return True
        if entirely:
            # "The kitchen light and the desk light" means both: a rival's name has this one in it.
            rivals = [
                rival
                for rival in rivals
                if any(own <= said and mine <= own for own in names[rival] for mine in entirely)
            ]
        rivals = [rival for rival in rivals if fit[rival] >= fit[entity]]
        if entity.area == self._speaker_area:
            rivals = [e for e in rivals if e.area == entity.area or fit[e] > fit[entity]]
        return not rivals

    def of_other_category(self, entity: Exposed, among: Iterable[Exposed]) -> list[Exposed]:
        """Return devices that the last sentence spoke of, where none of its words is about this one.

        What it says of a place, it says of all that is there.
        """
        mine = self.named_entities((entity,))
        others = self.named_entities(each for each in among if each.domain != entity.domain)
        things = (*mine, *others)
        if any(self._said(self._heard, things) & self._words_about(thing) for thing in mine):
            return []
        said = self._said(self._heard.rpartition("\n")[2], things)
        said -= frozenset(word for thing in things for word in self._tokens(thing.location))
        meant = (thing.entity for thing in others if said & self._words_about(thing))
        return list(dict.fromkeys(meant))

    def has_full_name(self, entity: Exposed) -> bool:
        """Return True if the user said every word of a device's name."""
        things = self.named_entities((entity,))
        said = self._said(self._heard, things)
        return any(said.issuperset(self._tokens(thing.name)) for thing in things)

    def is_full_name(self, name: str, entity: Exposed) -> bool:
        """Return True if a name has every word of a device's own, or says only what kind it is."""
        said = frozenset(self._tokens(name))
        things = self.named_entities((entity,))
        return any(
            said.issuperset(self._tokens(thing.name)) or said.issubset(self._tokens(thing.hints))
            for thing in things
        )

    def mentions_place(self, name: str) -> bool:
        """Return True if the user said a word of a place's name."""
        return not self._said(self._heard, self.places.area_names).isdisjoint(self._tokens(name))

    def mentions(self, entity: Exposed, *, shortest: int = 1) -> bool:
        """Return True if the user said a word of a device's name, of so many letters."""
        things = self.named_entities((entity,))
        own = {word for each in things for word in self._tokens(each.name) if len(word) >= shortest}
        return not own.isdisjoint(self._said(self._heard, things))

    def says(self, word: str | None) -> bool:
        """Return True if the user said a word."""
        return word in words(self._heard)

    def named(self, possible: Collection[Exposed]) -> list[Exposed]:
        """Return the devices whose names the user said, but for words that tell their kind."""
        return self._named(self._heard, self.named_entities(possible))

    def named_in(self, text: str) -> list[Exposed]:
        """Return the devices whose names a part of the sentence says, but for words of their kind."""
        return self._named(text, self.named_entities(self.home.entities))

    def _is_other(self, entity: Exposed, things: Sequence[NamedEntity]) -> bool:
        """Return True if it is "the other one" of its kind, in the room of one that was named before."""
        *before, last = self._heard.splitlines() or [""]
        if self._others.isdisjoint(words(last)) or self._named(last, things):
            return False
        named = self._named(" ".join(before), things)
        return entity not in named and any(each.area == entity.area for each in named)

    def mentions_location(
        self, place: LocationConstraint, acted_upon: Iterable[Exposed] = ()
    ) -> bool:
        """Return True if the user spoke of a place, or in it.

        "The bedroom lights upstairs" are those of a floor, where all of its lights are in bedrooms.
        """
        if self._speaker_area and place.areas == frozenset((self._speaker_area,)):
            return True
        rooms = self.places.area_names
        said = self._said(self._heard, rooms)
        words_of = frozenset(self._tokens(place.area or place.floor))
        others = {
            room.area.id: len(said & words)
            for room in rooms
            if room.name != place.area
            and not (words := frozenset(self._tokens(room.name))) <= words_of
        }
        mine = len(said & words_of)
        best = max(others.values(), default=0)
        if not mine or mine > best:
            return bool(mine)
        areas = {entity.area for entity in acted_upon}
        return bool(place.floor and areas) and all(others.get(area) == best for area in areas)

    def find(self, name: str, among: Iterable[Exposed]) -> list[Exposed]:
        """Return the devices that somebody who says this name means."""
        found = self._matcher.find(name, self.named_entities(among))
        return list(dict.fromkeys(thing.entity for thing in found))

    def nearest(self, name: str, among: Iterable[Exposed]) -> list[Exposed]:
        """Return the devices whose names come nearest, best first."""
        return [thing.entity for thing in self._matcher.nearest(name, self.named_entities(among))]

    def score_mentions(self, text: str, entities: Iterable[Exposed]) -> Mapping[Exposed, int]:
        """Return how much a part of the sentence is about each device: by its name above all."""
        things = self.named_entities(entities)
        said = self._said(text, things)
        about: dict[Exposed, int] = {}
        for thing in things:
            name = said.intersection(self._tokens(thing.name))
            other = said.intersection((*self._tokens(thing.hints), *self._tokens(thing.location)))
            much = _NAME * len(name) + len(other - name)
            about[thing.entity] = max(about.get(thing.entity, 0), much)
        return about

    @property
    def text(self) -> str:
        """What was said, a line for each sentence."""
        return self._heard

    def is_about(self, text: str) -> bool:
        """Return True if a part of the sentence has a word of a device's name, place or kind."""
        return any(self.score_mentions(text, self.home.entities).values())

    def named_entities(self, entities: Iterable[Exposed]) -> Sequence[NamedEntity]:
        """Return entities as people speak of them, under each of their names."""
        if entities is self.home.entities:
            return gazetteer_of(self.home, self._code).things
        return named_entities(entities, self.home.areas, self.home.floors)

    def _named(self, sentence: str, things: Sequence[NamedEntity]) -> list[Exposed]:
        """Return the things whose names a sentence says, but for words that tell their kind."""
        said = self._said(sentence, things)
        every = gazetteer_of(self.home, self._code)
        if things is every.things:
            places = {at for word in said for at in every.things_by_word.get(word, ())}
            things = [every.things[at] for at in sorted(places)]
        named = (
            thing.entity
            for thing in things
            # Of most, no word was said.
            if not said.isdisjoint(self._tokens(thing.name))
            and (own := self._own_words(thing)[0])
            and own <= said
        )
        return list(dict.fromkeys(named))

    def _said[T: NamedThing](self, sentence: str, things: Sequence[T]) -> frozenset[str]:
        """Return the words of a sentence, and those of the things that begin its compounds.

        "Küchenlicht" speaks of the Küche, "bed room" of the bedroom. But a bedroom is no living room:
        what ends a compound only says what kind of thing it is.
        """
        every = gazetteer_of(self.home, self._code)
        words_of = every.thing_words if things is every.things else NameWords.of(things, self._code)
        known = words_of.telling
        utterance = list(self._tokens(sentence))
        for index, (first, second) in enumerate(pairwise(self._tokens(sentence))):
            if first + second in known:
                utterance[index : index + 2] = [first + second, ""]
        spoken = correct_spelling(filter(None, utterance), known | words_of.kinds)
        unknown = [word for word in spoken if word not in known]
        begun = (
            word
            for word in known
            if len(word) >= _LONG_ENOUGH and any(compound.startswith(word) for compound in unknown)
        )
        # "Activate Licht an, please": a name may end in what says nothing within a sentence.
        fillers = self._matcher.function_words.intersection(words(sentence))
        return fillers.union(spoken, begun)

    def _words_about(self, thing: NamedEntity) -> frozenset[str]:
        """Return the words of a thing's name, and of its kind."""
        return frozenset((*self._tokens(thing.name), *self._tokens(thing.hints)))

    def _own_words(self, thing: NamedEntity) -> tuple[frozenset[str], ...]:
        """Return the words of a thing's name and of its place that do not say what kind it is."""
        kind = frozenset(self._tokens(thing.hints))
        return frozenset(self._tokens(thing.name)) - kind, frozenset(
            self._tokens(thing.location)
        ) - kind


def is_access_entity(entity: Exposed) -> bool:
    """Return True if to act on the wrong one would let somebody in: then half a name is not enough."""
    return entity.domain in ACCESS or entity.device_class in ACCESS
