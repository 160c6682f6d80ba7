"""Targets of Home Assistant's tools, corrected against the home.

Small models have the right intention and fill a slot too many: a floor with the area's name, a device
class that lights do not have, a domain that does not exist. Home Assistant then finds nothing and does
nothing. Here such a call is read again against what is exposed, after Home Assistant refused it.

- What Home Assistant can do as it was called is done so: nothing is corrected beforehand but the
  arguments' types (`tools/arguments.py`).
- What is certainly wrong is corrected or left out; what is acted upon never grows: a named device
  stays that device, a room stays that room.
- A correction acts on what the user spoke of: a device that the model made up stays as it was.
- Where two readings remain, nothing is done: the model is told what there is to choose from.
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
from homeassistant.exceptions import HomeAssistantError

from ...heard.mentioned import Spoken, is_called, is_guarded
from ...heard.places import Place, Places
from ...home.exposed import Exposed, Home
from ...names.matching import find, nearest
from .target import Target

# The domains of which a tool can be told a device class.
DEVICE_CLASSES: Mapping[str, type[StrEnum]] = {
    "button": ButtonDeviceClass,
    "cover": CoverDeviceClass,
    "media_player": MediaPlayerDeviceClass,
    "switch": SwitchDeviceClass,
    "valve": ValveDeviceClass,
}
_SOME = 6  # names that an error lists


class Refusal(HomeAssistantError):
    """The call means nothing certain; the text tells the model what it could mean."""


class WrongTool(Refusal):
    """The call certainly means a device of a domain, which the tool can do nothing with."""

    def __init__(self, text: str, domain: str) -> None:
        """Take what the model is told, and the device's domain."""
        super().__init__(text)
        self.domain = domain


class WrongDomain(WrongTool):
    """The call certainly means a device of another domain than the tool's."""

    def __init__(self, entity: Exposed, domains: Collection[str]) -> None:
        """Take the device and the tool's domains."""
        for_these = ", ".join(sorted(domains))
        super().__init__(
            f"{entity.names[0]} is a {entity.domain}; this tool is for: {for_these}.",
            entity.domain,
        )
        self.entity = entity


class Repair:
    """One tool's targets in one home."""

    def __init__(
        self,
        hass: HomeAssistant,
        home: Home,
        domains: Collection[str],
        heard: str,
        speaker_area: str | None = None,
        *,
        all_domains: Collection[str] = (),
    ) -> None:
        """Take the domains that the tool works with, what was said, and where (an area's id).

        `all_domains` are those that any tool works with.
        """
        self._places = Places(hass)
        self._spoken = Spoken(home, self._places, heard, speaker_area)
        self._home = home
        self._speaker_area = speaker_area
        self._tool_domains = frozenset(domains)
        self._possible = [e for e in home.entities if e.domain in self._tool_domains]
        self._all_domains = self._tool_domains.union(all_domains)

    def target(self, said: Target) -> Target:
        """Return the target that certainly is meant. Raises Refusal."""
        place = self._place(said)
        kinds = self._kinds(said)
        if not said.name:
            if only := self._only_possible(place, kinds if said.domains else None):
                return self._only(only)
            try:
                return self._everything(said, place, kinds)
            except Refusal:
                if len(self._tool_domains) > 1:
                    # "The bedroom light" is no speaker that is called "Bedroom".
                    raise
                # The call names no device. The user may have.
                possible = [e for e in self._possible if not kinds or e.domain in kinds]
                match self._spoken.named(possible):
                    case [only]:
                        return self._only(only)
                raise
        try:
            entity = self._named(said.name, place, kinds)
        except WrongDomain as err:
            self._check_kind(err.entity, place)
            if not self._spoken.of_device(err.entity, place):
                raise Refusal(self._not_said(err.entity)) from err
            raise
        self._check_class(entity, said)
        self._check_domain(entity, place, kinds)
        self._check_kind(entity, place)
        if not self._spoken.of_device(entity, place):
            raise Refusal(self._not_said(entity))
        return self._only(entity)

    def _place(self, said: Target) -> Place:
        """Return where something is to be done: where the user said, if not on the call's floor."""
        place = self._places.place(said.area, said.floor)
        if (
            not place.sound
            and place.areas
            and self._spoken.of_place(place)
            and not self._spoken.mentions_place(said.floor)
        ):
            return replace(place, sound=True)
        return place

    def _only_possible(self, place: Place, kinds: Collection[str] | None) -> Exposed | None:
        """Return the device to which alone the tool can be applied, if the call may mean it.

        A place where the user did not say to be is then no reason to ask.
        """
        match self._possible:
            case [only] if (
                (kinds is None or only.domain in kinds)
                and place.holds(only)
                and (place.sound or self._spoken.mentions(only))
                and not is_guarded(only)
            ):
                return only
        return None

    # Named devices

    def _named(self, name: str, place: Place, domains: Collection[str]) -> Exposed:
        """Return the one device that a name means."""
        here = [entity for entity in self._possible if place.holds(entity)]
        if place.sound and (
            found := self._find(name, [e for e in here if not domains or e.domain in domains])
        ):
            return self._choose(name, found)
        # Something else of the call is wrong: then the name has to be right, word by word.
        exact = [entity for entity in self._possible if is_called(entity, name)]
        if found := [e for e in exact if e in here] or [e for e in exact if not e.area]:
            return self._choose(name, found)
        if (
            len(exact) == 1
            and self._spoken.names(exact[0])
            and not self._spoken.mentions_place(place.said)
        ):
            return exact[0]
        if exact:
            raise Refusal(
                f"{exact[0].names[0]} is in {self._area_name(exact[0])}, not in {place.said}."
            )
        if other := self._of_other_domain(name):
            raise WrongDomain(other, self._tool_domains)
        if place.areas is None and not place.sound:
            # "area: Desk, name: Lamp" for the desk lamp.
            whole = f"{place.said} {name}"
            if found := [entity for entity in self._possible if is_called(entity, whole)]:
                return self._choose(whole, found)
            raise Refusal(self._no_such_place(place))
        raise Refusal(self._no_such_device(name, here if place.areas else (), place))

    def _of_other_domain(self, name: str) -> Exposed | None:
        """Return a device that this tool is not for: by its name and what it is, or by that alone."""
        others = [e for e in self._home.entities if e.domain not in self._tool_domains]
        if exact := next((each for each in others if is_called(each, name)), None):
            return exact
        match self._find(name, [each for each in others if each.domain in self._all_domains]):
            case [only] if self._spoken.is_whole(name, only):
                return only
        return None

    def _check_class(self, entity: Exposed, said: Target) -> None:
        """Refuse a device whose device class is another one's: a namesake's, or one spoken of."""
        meant = [
            each
            for each in self._possible
            if each.device_class in said.device_classes and self._spoken.says(each.device_class)
        ]
        if meant and entity not in meant:
            # "Turn on the water": the call has the word that was spoken, and another device's name.
            raise Refusal(self._ambiguous(entity.names[0], [entity, *meant]))
        domains = {
            domain
            for domain, known in DEVICE_CLASSES.items()
            if any(each in known for each in said.device_classes)
        }
        namesakes = [e for e in self._possible if is_called(e, entity.names[0])]
        if entity.domain not in domains and any(e.domain in domains for e in namesakes):
            raise Refusal(self._ambiguous(entity.names[0], namesakes))

    def _check_domain(self, entity: Exposed, place: Place, kinds: Collection[str]) -> None:
        """Refuse a device of another domain than the call's, where there are others of that one.

        Unless the user named it: then the domain is what is wrong.
        """
        others = [e for e in self._possible if e.domain in kinds and place.holds(e)]
        if others and entity not in others and not self._spoken.names(entity):
            raise Refusal(self._ambiguous(entity.names[0], [entity, *others]))

    def _check_kind(self, entity: Exposed, place: Place) -> None:
        """Refuse a device where the user spoke of one of another kind: "the vacuum", and a speaker."""
        kinds = [each.domain for each in self._home.entities]
        near = [
            each
            for each in self._home.entities
            if each.domain in self._all_domains
            and (place.holds(each) or not each.area or kinds.count(each.domain) == 1)
        ]
        if meant := self._spoken.of_other_kind(entity, near):
            raise Refusal(
                f"The user did not say {entity.names[0]}. Maybe meant: {self._choices(meant)}"
            )

    def _find(self, name: str, among: Iterable[Exposed]) -> list[Exposed]:
        """Return the devices that somebody who says this name means."""
        found = find(name, self._spoken.things(among))
        return list(dict.fromkeys(thing.entity for thing in found))

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
        if sum(is_called(other, name) for other in self._home.entities) > 1:
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
        if not self._spoken.of_place(place, here):
            raise Refusal(f"The user may not mean {place.said}. Ask the user what is meant.")
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
        """Return the domains that are meant, as far as there are any of them.

        Where the call's domains are none, the device classes may say it: of "smart_lock" and "lock".
        """
        if named := self._possible_kinds(said.domains):
            return named
        kinds = self._known_kinds(said.device_classes)
        if said.domains or self._tool_domains.issuperset(kinds):
            return self._possible_kinds(said.device_classes)
        return ()

    def _possible_kinds(self, said: Iterable[str]) -> tuple[str, ...]:
        """Return the domains that words mean, of those that the tool works with."""
        kinds = dict.fromkeys(self._known_kinds(said))
        return tuple(kind for kind in kinds if kind in self._tool_domains)

    def _known_kinds(self, said: Iterable[str]) -> list[str]:
        """Return the domains of this home that words mean: their own, or that of a device class."""
        kinds: list[str] = []
        for text in said:
            word = text.casefold().replace(" ", "_")
            of_class = [domain for domain, known in DEVICE_CLASSES.items() if word in known]
            readings = (word, word.removesuffix("s"), *(of_class if len(of_class) == 1 else ()))
            kinds += [domain for domain in readings if domain in self._home.domains][:1]
        return kinds

    # What the model is told

    def _ambiguous(self, name: str, found: Sequence[Exposed]) -> str:
        return f"{name} could be: {self._choices(found)}. Ask the user which one."

    def _choices(self, found: Sequence[Exposed]) -> str:
        return ", ".join(
            f"{e.names[0]} ({', '.join(filter(None, (e.domain, self._area_name(e))))})"
            for e in found[:_SOME]
        )

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
        similar = nearest(name, self._spoken.things(self._possible))
        return f"There is no device {name}. Similar: {_names(thing.entity for thing in similar)}"

    def _nothing_there(self, said: Target, place: Place) -> str:
        kind = " ".join((*said.device_classes, *said.domains)) or "device for this tool"
        here = [e for e in self._home.entities if place.holds(e)]
        where = f" in {place.said}" if place.areas is not None else ""
        there = "; ".join(
            f"{domain} {_names(members)}" for domain, members in groupby(here, lambda e: e.domain)
        )
        return f"There is no {kind}{where}. There are: {there or 'no devices'}"

    def _area_name(self, entity: Exposed) -> str:
        area = self._home.areas.get(entity.area)
        return area.name if area else ""


def _names(entities: Iterable[Exposed]) -> str:
    names = [entity.names[0] for entity in entities]
    return ", ".join(names[:_SOME]) + (", …" if len(names) > _SOME else "")
