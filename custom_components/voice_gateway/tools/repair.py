"""Targets of Home Assistant's tools, corrected against the home.

Small models have the right intention and fill a slot too many: a floor with the area's name, a device
class that lights do not have, a domain that does not exist. Home Assistant then finds nothing and does
nothing. Here such a call is read again against what is exposed, after Home Assistant refused it.

- What Home Assistant can do as it was called is done so: nothing is corrected beforehand.
- What is certainly wrong is corrected or left out; what is acted upon never grows: a named device
  stays that device, a room stays that room.
- A correction acts on what the user spoke of: a device that the model made up stays as it was.
- Where two readings remain, nothing is done: the model is told what there is to choose from.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, pairwise
from typing import Any

from homeassistant.components.button import ButtonDeviceClass
from homeassistant.components.cover import CoverDeviceClass
from homeassistant.components.media_player import MediaPlayerDeviceClass
from homeassistant.components.switch import SwitchDeviceClass
from homeassistant.components.valve import ValveDeviceClass
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import area_registry as ar, floor_registry as fr, intent

from ..home import Exposed, Home
from ..zwave_mcp.names import Named, find, mended, nearest, tokens, words

TARGET = ("name", "area", "floor", "domain", "device_class")
_CLASSES: Mapping[str, type[StrEnum]] = {
    "button": ButtonDeviceClass,
    "cover": CoverDeviceClass,
    "media_player": MediaPlayerDeviceClass,
    "switch": SwitchDeviceClass,
    "valve": ValveDeviceClass,
}
_GUARDS = frozenset(("alarm_control_panel", "door", "garage", "gate", "lock"))
_LONG_ENOUGH = 4  # letters of a word that is one within another, too
_SOME = 6  # names that an error lists


class Refusal(HomeAssistantError):
    """The call means nothing certain; the text tells the model what it could mean."""


class WrongDomain(Refusal):
    """The call certainly means a device that the tool cannot act upon."""

    def __init__(self, entity: Exposed, domains: Collection[str]) -> None:
        """Take the device and the tool's domains."""
        super().__init__(
            f"{entity.names[0]} is a {entity.domain}; this tool is for:"
            f" {', '.join(sorted(domains))}. Use another tool."
        )
        self.entity = entity


@dataclass(frozen=True, slots=True)
class Target:
    """What a call is to act upon, as Home Assistant's intents take it; empty where it says nothing."""

    name: str = ""
    area: str = ""
    floor: str = ""
    domains: tuple[str, ...] = ()
    device_classes: tuple[str, ...] = ()

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> Target:
        """Read a call's arguments, which may hold text for a list and blanks for nothing."""
        return cls(
            name=_text(arguments.get("name")),
            area=_text(arguments.get("area")),
            floor=_text(arguments.get("floor")),
            domains=_texts(arguments.get("domain")),
            device_classes=_texts(arguments.get("device_class")),
        )

    def in_place_of(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return a call's arguments with this target."""
        target = {
            "name": self.name,
            "area": self.area,
            "floor": self.floor,
            "domain": list(self.domains),
            "device_class": list(self.device_classes),
        }
        rest = {key: value for key, value in arguments.items() if key not in TARGET}
        return {key: value for key, value in target.items() if value} | rest


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is to be done: `areas` are ids, and None stands for the whole home.

    A place is sound when everything that was said of it is true.
    """

    said: str = ""
    areas: frozenset[str] | None = None
    area: str = ""
    floor: str = ""
    sound: bool = True

    def holds(self, entity: Exposed) -> bool:
        """Tell whether an entity is there."""
        return self.areas is None or entity.area in self.areas


class Repair:
    """One tool's targets in one home."""

    def __init__(
        self,
        hass: HomeAssistant,
        home: Home,
        domains: Collection[str],
        heard: str,
        speaker_area: str | None = None,
    ) -> None:
        """Take the domains that the tool works with, what was said, and where (an area's id)."""
        self._areas = ar.async_get(hass)
        self._floors = fr.async_get(hass)
        self._home = home
        self._heard = heard
        self._speaker_area = speaker_area
        self._tool_domains = frozenset(domains)
        self._possible = [e for e in home.entities if e.domain in self._tool_domains]

    def target(self, said: Target) -> Target:
        """Return the target that certainly is meant. Raises Refusal."""
        place = self._place(said.area, said.floor)
        kinds = self._kinds(said)
        if not said.name:
            try:
                return self._everything(said, place, kinds)
            except Refusal:
                # The call names no device. The user may have.
                match self._named_by_user(kinds):
                    case [only]:
                        return self._only(only)
                raise
        try:
            entity = self._named(said.name, place, kinds)
        except WrongDomain as err:
            if not self._is_spoken_of(err.entity, place):
                raise Refusal(self._not_said(err.entity)) from err
            raise
        self._check_class(entity, said)
        if not self._is_spoken_of(entity, place):
            raise Refusal(self._not_said(entity))
        return self._only(entity)

    # Named devices

    def _named(self, name: str, place: Place, domains: Collection[str]) -> Exposed:
        """Return the one device that a name means."""
        here = [entity for entity in self._possible if place.holds(entity)]
        if place.sound and (
            found := self._find(name, [e for e in here if not domains or e.domain in domains])
        ):
            return self._choose(name, found)
        # Something else of the call is wrong: then the name has to be right, word by word.
        exact = [entity for entity in self._possible if _is_called(entity, name)]
        if found := [e for e in exact if e in here] or [e for e in exact if not e.area]:
            return self._choose(name, found)
        if exact:
            raise Refusal(
                f"{exact[0].names[0]} is in {self._area_name(exact[0])}, not in {place.said}."
            )
        if other := next((e for e in self._home.entities if _is_called(e, name)), None):
            raise WrongDomain(other, self._tool_domains)
        if place.areas is None and not place.sound:
            # "area: Desk, name: Lamp" for the desk lamp.
            whole = f"{place.said} {name}"
            if found := [entity for entity in self._possible if _is_called(entity, whole)]:
                return self._choose(whole, found)
            raise Refusal(self._no_such_place(place))
        raise Refusal(self._no_such_device(name, here if place.areas else (), place))

    def _check_class(self, entity: Exposed, said: Target) -> None:
        """Refuse a device whose device class its namesake in another domain may have."""
        domains = {
            domain
            for domain, known in _CLASSES.items()
            if any(each in known for each in said.device_classes)
        }
        namesakes = [e for e in self._possible if _is_called(e, entity.names[0])]
        if entity.domain not in domains and any(e.domain in domains for e in namesakes):
            raise Refusal(self._ambiguous(entity.names[0], namesakes))

    def _is_spoken_of(self, entity: Exposed, place: Place) -> bool:
        """Tell whether the user's words mean this device rather than another one of its kind."""
        rivals = [e for e in self._home.entities if e.domain == entity.domain and e != entity]
        if place.areas and self._is_place_spoken_of(place):
            return True
        things = [self._thing(each, called) for each in (entity, *rivals) for called in each.names]
        said = _said(self._heard, things)
        fit: dict[Exposed, int] = {}
        for thing in things:
            explained = len(said & frozenset((*tokens(thing.name), *tokens(thing.location))))
            fit[thing.entity] = max(explained, fit.get(thing.entity, 0))
        if (
            rivals
            and _is_guarded(entity)
            and not any(
                entirely and entirely <= said
                for thing in things
                if thing.entity == entity
                for entirely in _own_words(thing)
            )
        ):
            return False
        rivals = [rival for rival in rivals if fit[rival] >= fit[entity]]
        if entity.area == self._speaker_area:
            rivals = [e for e in rivals if e.area == entity.area or fit[e] > fit[entity]]
        return not rivals

    def _named_by_user(self, domains: Collection[str]) -> list[Exposed]:
        """Return the devices whose names the user said, but for words that tell their kind."""
        possible = [e for e in self._possible if not domains or e.domain in domains]
        things = [self._thing(each, called) for each in possible for called in each.names]
        said = _said(self._heard, things)
        named = (thing.entity for thing in things if (own := _own_words(thing)[0]) and own <= said)
        return list(dict.fromkeys(named))

    def _is_place_spoken_of(self, place: Place) -> bool:
        """Tell whether the user spoke of a place, or in it."""
        if self._speaker_area and place.areas == frozenset((self._speaker_area,)):
            return True
        rooms = [_Room(each.name, each) for each in self._areas.async_list_areas()]
        said = _said(self._heard, rooms)
        words_of = frozenset(tokens(place.area or place.floor))
        others = [frozenset(tokens(room.name)) for room in rooms if room.name != place.area]
        mine = len(said & words_of)
        return bool(mine) and not any(
            len(said & other) >= mine and not other <= words_of for other in others
        )

    def _find(self, name: str, among: Iterable[Exposed]) -> list[Exposed]:
        """Return the devices that somebody who says this name means."""
        things = [self._thing(each, called) for each in among for called in each.names]
        return list(dict.fromkeys(thing.entity for thing in find(name, things)))

    def _choose(self, name: str, found: Sequence[Exposed]) -> Exposed:
        """Return the only one, or the only one where the speaker is."""
        if len(found) > 1 and self._speaker_area:
            found = [e for e in found if e.area == self._speaker_area] or found
        if len(found) == 1:
            return found[0]
        raise Refusal(self._ambiguous(name, found))

    def _only(self, entity: Exposed) -> Target:
        """Return the target that is this entity and no other."""
        name = entity.names[0]
        if sum(_is_called(other, name) for other in self._home.entities) > 1:
            name = entity.entity_id
        return Target(name=name, domains=(entity.domain,))

    # Everything of a kind in a place

    def _everything(self, said: Target, place: Place, domains: Collection[str]) -> Target:
        """Return the target that is everything of a kind in a place."""
        if not place.sound:
            raise Refusal(self._no_such_place(place))
        if said.domains and not domains:
            raise Refusal(self._nothing_there(said, place))
        of_kind = [e for e in self._possible if not domains or e.domain in domains]
        there = {entity.device_class for entity in of_kind}
        classes = tuple(each for each in said.device_classes if each in there)
        here = [
            entity
            for entity in of_kind
            if place.holds(entity) and (not classes or entity.device_class in classes)
        ]
        # "device_class: light" says of lights what they are anyway.
        idle = {*domains, *(self._tool_domains if not domains else ())}
        if not here or not (classes or idle.issuperset(said.device_classes)):
            if len(of_kind) == 1 and here == of_kind:
                return self._only(of_kind[0])
            raise Refusal(self._nothing_there(said, place))
        if place.areas is None:
            return self._anywhere(here)
        if not self._is_place_spoken_of(place):
            raise Refusal(
                f"The user did not speak of {place.said}. Ask the user which one is meant."
            )
        return Target(
            area=place.area, floor=place.floor, domains=tuple(domains), device_classes=classes
        )

    def _anywhere(self, found: Sequence[Exposed]) -> Target:
        """Return the only device that fits, or those where the speaker is: not the whole home."""
        if len(found) == 1:
            return self._only(found[0])
        near = [entity for entity in found if entity.area == self._speaker_area]
        if len(near) == 1:
            return self._only(near[0])
        raise Refusal(f"Say which one is meant, by name or area: {_names(found)}")

    def _kinds(self, said: Target) -> tuple[str, ...]:
        """Return the domains that are meant, as far as there are any of them."""
        kinds: list[str] = []
        for text in said.domains or said.device_classes:
            word = text.casefold().replace(" ", "_")
            of_class = [domain for domain, known in _CLASSES.items() if word in known]
            readings = (word, word.removesuffix("s"), *(of_class if len(of_class) == 1 else ()))
            kinds += [domain for domain in readings if domain in self._home.domains][:1]
        if said.domains or set(kinds) <= self._tool_domains:
            return tuple(dict.fromkeys(kind for kind in kinds if kind in self._tool_domains))
        return ()

    # Places

    def _place(self, area: str, floor: str) -> Place:
        """Return the place that an area and a floor mean together."""
        if not area and not floor:
            return Place()
        said = area or floor
        in_area = self._reading(area) if area else None
        on_floor = self._reading(floor, floors_first=True) if floor else None
        match in_area, on_floor:
            case (Place() as one, None) | (None, Place() as one):
                return one
            case Place() as one, Place() as other:
                return _both(one, other)
            case _:
                return Place(said, sound=False)

    def _reading(self, text: str, *, floors_first: bool = False) -> Place:
        """Return the area or the floor that a text means."""
        areas = [*intent.find_areas(text, self._areas)]
        floors = [*intent.find_floors(text, self._floors)]
        if not areas and not floors:
            rooms = [_Room(each.name, each) for each in self._areas.async_list_areas()]
            match find(text, rooms):
                case [only]:
                    areas = [only.area]
        if areas and not (floors and floors_first):
            return Place(text, frozenset(a.id for a in areas), area=areas[0].name)
        if floors:
            ids = {each.floor_id for each in floors}
            inside = frozenset(a.id for a in self._areas.async_list_areas() if a.floor_id in ids)
            return Place(text, inside, floor=floors[0].name)
        return Place(text, sound=False)

    # What the model is told

    def _ambiguous(self, name: str, found: Sequence[Exposed]) -> str:
        choices = ", ".join(
            f"{e.names[0]} ({', '.join(filter(None, (e.domain, self._area_name(e))))})"
            for e in found[:_SOME]
        )
        return f"{name} could be: {choices}. Ask the user which one."

    def _not_said(self, entity: Exposed) -> str:
        kin = [each for each in self._home.entities if each.domain == entity.domain]
        return f"The user did not say {entity.names[0]}. There are: {_names(kin)}. Ask the user which one."

    def _no_such_place(self, place: Place) -> str:
        if place.areas is not None:
            return f"{place.said} is not on that floor. Leave the floor out."
        areas = ", ".join(area.name for area in self._home.areas.values())
        floors = ", ".join(floor.name for floor in self._home.floors.values())
        return f"There is no area {place.said}. Areas: {areas or 'none'}" + (
            f". Floors: {floors}" if floors else ""
        )

    def _no_such_device(self, name: str, here: Sequence[Exposed], place: Place) -> str:
        if here:
            return f"There is no device {name} in {place.said}. There are: {_names(here)}"
        things = [self._thing(each, each.names[0]) for each in self._possible]
        return (
            f"There is no device {name}. Similar: {_names(t.entity for t in nearest(name, things))}"
        )

    def _nothing_there(self, said: Target, place: Place) -> str:
        kind = " ".join((*said.device_classes, *said.domains)) or "device for this tool"
        here = [e for e in self._home.entities if place.holds(e)]
        where = f" in {place.said}" if place.areas is not None else ""
        there = "; ".join(
            f"{domain} {_names(members)}" for domain, members in groupby(here, lambda e: e.domain)
        )
        return f"There is no {kind}{where}. There are: {there or 'no devices'}"

    def _thing(self, entity: Exposed, called: str) -> _Thing:
        area = self._home.areas.get(entity.area)
        floor = self._home.floors.get(area.floor_id or "") if area else None
        aliases = area.aliases if area else ()
        where = (self._area_name(entity), *sorted(aliases), floor.name if floor else "")
        return _Thing(entity, called, " ".join(where))

    def _area_name(self, entity: Exposed) -> str:
        area = self._home.areas.get(entity.area)
        return area.name if area else ""


@dataclass(frozen=True, slots=True)
class _Thing:
    """An entity under one of its names, as people speak of it."""

    entity: Exposed
    name: str
    location: str

    @property
    def hints(self) -> str:
        return f"{self.entity.domain.replace('_', ' ')} {self.entity.device_class or ''}"


@dataclass(frozen=True, slots=True)
class _Room:
    """An area, as people speak of it."""

    name: str
    area: ar.AreaEntry
    location: str = ""
    hints: str = ""


def _both(one: Place, other: Place) -> Place:
    """Return the place that two say together: the area's slot and the floor's."""
    if one.areas is None or other.areas is None:
        # Neither is one, or the floor is none and the room says it all.
        return one
    if common := one.areas & other.areas:
        narrow = one if one.area else other
        return Place(narrow.said, common, area=narrow.area, floor=narrow.floor)
    return Place(one.said, one.areas, area=one.area, sound=False)


def _said[T: Named](sentence: str, things: Sequence[T]) -> frozenset[str]:
    """Return the words of a sentence, and those of the things that it holds within others.

    "Küchenlicht" speaks of the Küche, "bed room" of the bedroom.
    """
    known = {word for thing in things for word in tokens(f"{thing.name} {thing.location}")}
    heard = list(tokens(sentence))
    for index, (first, second) in enumerate(pairwise(tokens(sentence))):
        if first + second in known:
            heard[index : index + 2] = [first + second, ""]
    spoken = mended(tuple(filter(None, heard)), things)
    unknown = [word for word in spoken if word not in known]
    within = (
        word
        for word in known
        if len(word) >= _LONG_ENOUGH and any(word in compound for compound in unknown)
    )
    return frozenset(spoken).union(within)


def _is_guarded(entity: Exposed) -> bool:
    """Tell whether to act on the wrong one would let somebody in: then half a name is not enough."""
    return entity.domain in _GUARDS or entity.device_class in _GUARDS


def _own_words(thing: _Thing) -> tuple[frozenset[str], ...]:
    """Return the words of a thing's name and of its place that do not say what kind it is."""
    kind = frozenset(tokens(thing.hints))
    return frozenset(tokens(thing.name)) - kind, frozenset(tokens(thing.location)) - kind


def _is_called(entity: Exposed, name: str) -> bool:
    wanted = words(name)
    return entity.entity_id == name or any(words(own) == wanted for own in entity.names)


def _areas(entities: Iterable[Exposed]) -> frozenset[str]:
    return frozenset(entity.area for entity in entities if entity.area)


def _names(entities: Iterable[Exposed]) -> str:
    names = [entity.names[0] for entity in entities]
    return ", ".join(names[:_SOME]) + (", …" if len(names) > _SOME else "")


def _text(value: Any) -> str:
    return value.strip() if isinstance(value, str) else ""


def _texts(value: Any) -> tuple[str, ...]:
    match value:
        case str():
            return tuple(filter(None, (value.strip(),)))
        case list():
            return tuple(each.strip() for each in value if isinstance(each, str) and each.strip())
        case _:
            return ()
