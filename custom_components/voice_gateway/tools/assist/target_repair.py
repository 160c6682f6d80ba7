"""Repair of the targets of Home Assistant's tools, against the home.

Small models have the right intention and fill a slot too many: a floor with the area's name, a
device class that lights do not have, a domain that does not exist. Home Assistant then finds
nothing and does nothing. Such a call is parsed again against the exposed entities, after Home
Assistant refused it.

- A call that Home Assistant can execute is executed as it is: nothing is corrected beforehand but
  the arguments' types (`tools/arguments.py`).
- Wrong slots are corrected or dropped; the targets never grow: a named device stays that device, a
  room stays that room.
- A correction uses devices that the user mentioned: a device that the model made up stays
  unchanged.
- If two readings remain, nothing is done: the error lists the choices for the model.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import groupby

from homeassistant.components.button import ButtonDeviceClass
from homeassistant.components.cover import CoverDeviceClass
from homeassistant.components.media_player import MediaPlayerDeviceClass
from homeassistant.components.switch import SwitchDeviceClass
from homeassistant.components.valve import ValveDeviceClass
from homeassistant.core import HomeAssistant

from ...home.exposed import Exposed
from ...home.lookup import find_entities, is_full_name, nearest_entities
from ...names.matching import words
from ...nlu.clause import join_commands
from ...nlu.disambiguation import locks_to_lock_up, may_satisfy
from ...nlu.utterance import Utterance
from .call_errors import Refusal, WrongDomain
from .locations import LocationConstraint, Locations
from .target import LISTS, Target

# The domains for which a tool takes a device class.
DEVICE_CLASSES: Mapping[str, type[StrEnum]] = {
    "button": ButtonDeviceClass,
    "cover": CoverDeviceClass,
    "media_player": MediaPlayerDeviceClass,
    "switch": SwitchDeviceClass,
    "valve": ValveDeviceClass,
}

_SOME = 6  # names that an error lists
_ALL = "all"
"""Home Assistant's value of the name slot for all entities."""


class Repair:
    """Repairs one tool's targets in one home."""

    def __init__(
        self,
        hass: HomeAssistant,
        utterance: Utterance,
        domains: Collection[str],
        *,
        all_domains: Collection[str] = (),
    ) -> None:
        """Take the utterance, and the tool's domains.

        `all_domains` are those of all tools.
        """
        self._places = Locations(hass, utterance.language)
        self._language = utterance.language
        self._utterance = utterance
        self._dialogue = utterance.dialogue
        self._last = utterance.link(utterance.text)
        self._said = utterance.link(join_commands(utterance.parsed.clauses))
        self._home = utterance.home
        self._speaker_area = utterance.area_id
        self._tool_domains = frozenset(domains)
        self._possible = [e for e in self._home.entities if e.domain in self._tool_domains]
        self._all_domains = self._tool_domains.union(all_domains)

    def target(self, said: Target) -> Target:
        """Return the corrected target. Raises Refusal."""
        place = self._place(said)
        kinds = self._kinds(said)
        is_all = said.name.casefold() == _ALL and not self._home.called(said.name)
        if not said.name or is_all:
            if only := self._only_possible(place, kinds if said.domains else None):
                return self._only(only)
            try:
                return self._everything(said, place, kinds)
            except Refusal:
                if len(self._tool_domains) > 1:
                    # "The bedroom light" is no speaker with the name "Bedroom".
                    raise
                # The call names no device. The user may have.
                match [*filter(self._dialogue.says_name_of, self._possible)]:
                    case [only]:
                        return self._only(only)
                raise
        try:
            entity = self._named(said.name, place, kinds)
        except WrongDomain as err:
            self._check_kind(err.entity, place)
            if not self._is_meant(err.entity, place):
                raise self._not_said(err.entity) from err
            raise
        self._check_class(entity, said)
        self._check_domain(entity, place, kinds)
        self._check_kind(entity, place)
        is_meant = self._is_meant(entity, place) or self._said.may_translate(entity)
        if not (is_meant or may_satisfy(self._said, entity) or self._is_any_list(entity)):
            raise self._not_said(entity)
        return self._only(entity)

    def _is_any_list(self, entity: Exposed) -> bool:
        """Return True if any list may be meant because none is named: "take the matches off"."""
        lists = [each for each in self._home.entities if each.domain in LISTS]
        return entity in lists and not any(map(self._dialogue.says_word_of, lists))

    def _not_said(self, entity: Exposed) -> Refusal:
        alike = [each for each in self._home.entities if each.domain == entity.domain]
        kin = self._possibly(alike)
        told = f"The user did not say {entity.names[0]}. There are: {_names(kin)}. "
        return Refusal(f"{told}Ask the user which one.", kin)

    def _possibly(self, devices: Sequence[Exposed]) -> Sequence[Exposed]:
        """Return the devices that the utterance can refer to, as the policy reads it; else all.

        An error that refuses one device must not suggest another that is refused next.
        """
        return [each for each in devices if self._said.is_candidate(each)] or devices

    def _is_meant(self, entity: Exposed, place: LocationConstraint) -> bool:
        """Return True if the utterance refers to a device, by name or as the only one of a kind."""
        said = self._said
        is_one_of_several = said.refers_to_each(entity) and not entity.is_access
        return (
            is_one_of_several
            or said.surely_refers_to(entity)
            or (bool(place.areas) and self._is_said(place))
            or self._utterance.is_alternative(entity)
            or self._dialogue.prefers(entity)
        )

    def _place(self, said: Target) -> LocationConstraint:
        """Return the call's location: the user's, if it is not on the call's floor."""
        place = self._places.constrain(said.area, said.floor)
        if (
            not place.sound
            and self._is_said(place)
            and self._dialogue.place_words.isdisjoint(words(said.floor))
        ):
            return replace(place, sound=True)
        return place

    def _is_said(self, place: LocationConstraint, devices: Iterable[Exposed] = ()) -> bool:
        return self._dialogue.mentions_area(place.areas or (), place.floor, devices)

    def _only_possible(
        self, place: LocationConstraint, kinds: Collection[str] | None
    ) -> Exposed | None:
        """Return the tool's only possible device, if the call may mean it.

        A place that the user did not say is then no reason to ask.
        """
        match self._possible:
            case [only] if (
                (kinds is None or only.domain in kinds)
                and place.holds(only)
                and (place.sound or self._dialogue.says_word_of(only))
                and not only.is_access
            ):
                return only
        return None

    # Named devices

    def _named(self, name: str, place: LocationConstraint, domains: Collection[str]) -> Exposed:
        """Return the one device with a name."""
        here = [entity for entity in self._possible if place.holds(entity)]
        if place.sound and (
            found := self._find(name, [e for e in here if not domains or e.domain in domains])
        ):
            return self._choose(name, found)
        # Another part of the call is wrong: then the name has to match word by word.
        exact = self._called(name)
        if found := [e for e in exact if e in here] or [e for e in exact if not e.area]:
            return self._choose(name, found)
        if (
            len(exact) == 1
            and self._dialogue.says_name_of(exact[0])
            and self._dialogue.place_words.isdisjoint(words(place.said))
        ):
            return exact[0]
        if exact:
            where = self._area_name(exact[0])
            raise Refusal(f"{exact[0].names[0]} is in {where}, not in {place.said}.")
        if other := self._of_other_domain(name):
            raise WrongDomain(other, self._tool_domains)
        if place.areas is None and not place.sound:
            # "area: Desk, name: Lamp" for the desk lamp.
            whole = f"{place.said} {name}"
            if found := self._called(whole):
                return self._choose(whole, found)
            raise self._no_place(place)
        similar = nearest_entities(name, self._possible, self._home, self._language)
        if here and place.areas:
            told = f"There is no device {name} in {place.said}. There are: {_names(here)}"
            raise Refusal(told, here)
        raise Refusal(f"There is no device {name}. Similar: {_names(similar)}", self._possible)

    def _find(self, name: str, among: Iterable[Exposed]) -> list[Exposed]:
        return find_entities(name, among, self._home, self._language)

    def _called(self, name: str) -> list[Exposed]:
        return [each for each in self._home.called(name) if each.domain in self._tool_domains]

    def _of_other_domain(self, name: str) -> Exposed | None:
        """Return a device of another domain than the tool's: by name and kind, or by name alone."""
        others = [e for e in self._home.entities if e.domain not in self._tool_domains]
        if exact := next((each for each in self._home.called(name) if each in others), None):
            return exact
        match self._find(name, [each for each in others if each.domain in self._all_domains]):
            case [only] if is_full_name(name, only, self._language):
                return only
        return None

    def _check_class(self, entity: Exposed, said: Target) -> None:
        """Refuse a device whose class is that of a namesake, or of a device in the utterance."""
        meant = [
            each
            for each in self._possible
            if each.device_class in said.device_classes
            and each.device_class in self._dialogue.text.words
        ]
        if meant and entity not in meant:
            # "Turn on the water": the call has the user's word, and another device's name.
            raise self._ambiguous(entity.names[0], [entity, *meant])
        domains = {
            domain
            for domain, known in DEVICE_CLASSES.items()
            if any(each in known for each in said.device_classes)
        }
        namesakes = self._called(entity.names[0])
        if entity.domain not in domains and any(e.domain in domains for e in namesakes):
            raise self._ambiguous(entity.names[0], namesakes)

    def _check_domain(
        self, entity: Exposed, place: LocationConstraint, kinds: Collection[str]
    ) -> None:
        """Refuse a device of another domain than the call's, if others of that domain exist.

        Unless the user named it: then the domain is wrong.
        """
        others = [e for e in self._possible if e.domain in kinds and place.holds(e)]
        if others and entity not in others and not self._dialogue.says_name_of(entity):
            raise self._ambiguous(entity.names[0], [entity, *others])

    def _check_kind(self, entity: Exposed, place: LocationConstraint) -> None:
        """Refuse a device if the user mentioned another kind: "the vacuum", and a speaker."""
        kinds = [each.domain for each in self._home.entities]
        near = [
            each
            for each in self._home.entities
            if each.domain in self._all_domains
            and (place.holds(each) or not each.area or kinds.count(each.domain) == 1)
        ]
        if self._said.mentions_category_of(entity):
            # "Water the garden" is for a valve, though "garden" is a word of a light's name.
            return
        if self._dialogue.describes(entity):
            return
        meant = [
            each for each in near if each.domain != entity.domain and self._last.describes(each)
        ]
        if self._said.categories or self._said.sense_domains:
            meant = [each for each in meant if self._said.mentions_category_of(each)]
        if meant:
            possible = self._possibly(meant)
            choices = self._choices(possible)
            told = f"The user did not say {entity.names[0]}. Maybe meant: {choices}"
            raise Refusal(told, possible)

    def _choose(self, name: str, found: Sequence[Exposed]) -> Exposed:
        """Return the only device, or the only one in the speaker's area."""
        found = [e for e in found if e.area == self._speaker_area] or found
        if len(found) == 1:
            return found[0]
        raise self._ambiguous(name, found)

    def _only(self, entity: Exposed) -> Target:
        """Return the target that is this entity and no other."""
        name = entity.names[0]
        if len(self._home.called(name)) > 1:
            name = entity.entity_id
        return Target(name=name, domains=(entity.domain,))

    # All devices of a kind in a place

    def _everything(
        self, said: Target, place: LocationConstraint, domains: Collection[str]
    ) -> Target:
        """Return the target for all devices of a kind in a place."""
        if not place.sound:
            raise self._no_place(place)
        if said.domains and not domains:
            raise self._nothing(said, place)
        of_kind = [e for e in self._possible if not domains or e.domain in domains]
        there = {entity.device_class for entity in of_kind}
        classes = tuple(each for each in said.device_classes if each in there)
        here = [
            entity
            for entity in of_kind
            if place.holds(entity) and (not classes or entity.device_class in classes)
        ]
        # "device_class: light" is redundant for lights.
        if not here or not (classes or {*domains}.issuperset(said.device_classes)):
            if len(of_kind) == 1 and here == of_kind:
                return self._only(of_kind[0])
            raise self._nothing(said, place)
        if place.areas is None:
            return self._anywhere(here, classes)
        # "The nursery to 19 and the den to 21": both were said, and neither replaces the other.
        if not (place.areas <= self._said.areas or self._is_said(place, here)):
            raise Refusal(f"The user may not mean {place.said}. Ask the user what is meant.")
        return Target(
            area=place.area, floor=place.floor, domains=tuple(domains), device_classes=classes
        )

    def _anywhere(self, found: Sequence[Exposed], classes: tuple[str, ...]) -> Target:
        """Return the only device that matches, or those in the speaker's area: not the whole home.

        Unless the user said all of them: "lock all doors", "lock up".
        """
        if len(found) == 1:
            return self._only(found[0])
        if all(map(self._said.refers_to_all_with, found)) or {*found} <= {
            *locks_to_lock_up(self._said)
        }:
            domains = dict.fromkeys(each.domain for each in found)
            return Target(domains=tuple(domains), device_classes=classes)
        near = [entity for entity in found if entity.area == self._speaker_area]
        if len(near) == 1:
            return self._only(near[0])
        raise Refusal(f"Say which one is meant, by name or area: {_names(found)}", found)

    def _kinds(self, said: Target) -> tuple[str, ...]:
        """Return the domains in the call, as far as the home has devices of them.

        If the call's domains do not exist, the device classes may contain them: "smart_lock" and
        "lock".
        """
        if named := self._possible_kinds(said.domains):
            return named
        kinds = self._known_kinds(said.device_classes)
        if said.domains or self._tool_domains.issuperset(kinds):
            return self._possible_kinds(said.device_classes)
        return ()

    def _possible_kinds(self, said: Iterable[str]) -> tuple[str, ...]:
        """Return the domains that words mean, as far as the tool supports them."""
        kinds = dict.fromkeys(self._known_kinds(said))
        return tuple(kind for kind in kinds if kind in self._tool_domains)

    def _known_kinds(self, said: Iterable[str]) -> list[str]:
        """Return the domains of this home that words mean: by their names, or by a device class."""
        kinds: list[str] = []
        for text in said:
            word = text.casefold().replace(" ", "_")
            of_class = [domain for domain, known in DEVICE_CLASSES.items() if word in known]
            readings = (word, word.removesuffix("s"), *(of_class if len(of_class) == 1 else ()))
            kinds += [domain for domain in readings if domain in self._home.domains][:1]
        return kinds

    # Errors

    def _ambiguous(self, name: str, found: Sequence[Exposed]) -> Refusal:
        return Refusal(f"{name} could be: {self._choices(found)}. Ask the user which one.", found)

    def _no_place(self, place: LocationConstraint) -> Refusal:
        """Return the error for a place that does not exist, or is not on the floor."""
        if place.areas is not None:
            return Refusal(f"{place.said} is not on that floor. Leave the floor out.")
        areas = ", ".join(area.name for area in self._home.areas.values())
        floors = ", ".join(floor.name for floor in self._home.floors.values())
        told = f"There is no area {place.said}. Areas: {areas or 'none'}"
        return Refusal(f"{told}. Floors: {floors}" if floors else told)

    def _nothing(self, said: Target, place: LocationConstraint) -> Refusal:
        """Return the error for a place without devices of this kind."""
        kind = " ".join((*said.device_classes, *said.domains)) or "device for this tool"
        here = [each for each in self._home.entities if place.holds(each)]
        where = f" in {place.said}" if place.areas is not None else ""
        there = "; ".join(
            f"{domain} {_names(members)}"
            for domain, members in groupby(here, lambda each: each.domain)
        )
        return Refusal(f"There is no {kind}{where}. There are: {there or 'no devices'}")

    def _choices(self, found: Sequence[Exposed]) -> str:
        return ", ".join(
            f"{each.names[0]} ({', '.join(filter(None, (each.domain, self._area_name(each))))})"
            for each in found[:_SOME]
        )

    def _area_name(self, entity: Exposed) -> str:
        area = self._home.areas.get(entity.area)
        return area.name if area else ""


def _names(entities: Iterable[Exposed]) -> str:
    names = [entity.names[0] for entity in entities]
    return ", ".join(names[:_SOME]) + (", …" if len(names) > _SOME else "")
