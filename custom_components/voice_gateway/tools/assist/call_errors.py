"""Why a call was not made: what it could mean instead, in words for the model."""

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby

from homeassistant.exceptions import HomeAssistantError

from ...home.exposed import Exposed, Home
from ..journal import DirectReply
from .locations import LocationConstraint
from .target import Target

_SOME = 6  # names that an error lists


class Refusal(HomeAssistantError):
    """The call means nothing certain, or may not be made; the text tells the model why."""

    def __init__(
        self,
        text: str,
        which: Sequence[Exposed] = (),
        *,
        instead: DirectReply | None = None,
        about: Sequence[str] = (),
        is_any: bool = False,
    ) -> None:
        """Take what the model is told, and the devices of which one may be meant, if that is why.

        `is_any`: any of these would do, whatever was said. `instead` is what the user is told where
        nothing is left to do for the model, and `about` what that names.
        """
        super().__init__(text)
        self.which = which
        self.instead = instead
        self.about = about
        self.is_any = is_any


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


class Refusals:
    """The refusals of calls in one home."""

    def __init__(self, home: Home) -> None:
        """Take the home."""
        self._home = home

    def ambiguous(self, name: str, found: Sequence[Exposed]) -> Refusal:
        """Several devices may be meant."""
        return Refusal(f"{name} could be: {self._choices(found)}. Ask the user which one.", found)

    def not_said(self, entity: Exposed, kin: Sequence[Exposed]) -> Refusal:
        """The user spoke of no such device; `kin` are those of its domain that may be meant."""
        return Refusal(
            f"The user did not say {entity.names[0]}. There are: {_names(kin)}. "
            "Ask the user which one.",
            kin,
        )

    def other_kind(self, entity: Exposed, meant: Sequence[Exposed]) -> Refusal:
        """The user spoke of devices of another kind."""
        return Refusal(
            f"The user did not say {entity.names[0]}. Maybe meant: {self._choices(meant)}", meant
        )

    def not_there(self, entity: Exposed, place: LocationConstraint) -> Refusal:
        """The device is in another place."""
        where = self._area_name(entity)
        return Refusal(f"{entity.names[0]} is in {where}, not in {place.said}.")

    def no_place(self, place: LocationConstraint) -> Refusal:
        """There is no such place, or it is not on the floor."""
        if place.areas is not None:
            return Refusal(f"{place.said} is not on that floor. Leave the floor out.")
        areas = ", ".join(area.name for area in self._home.areas.values())
        floors = ", ".join(floor.name for floor in self._home.floors.values())
        return Refusal(
            f"There is no area {place.said}. Areas: {areas or 'none'}"
            + (f". Floors: {floors}" if floors else "")
        )

    def not_meant(self, place: LocationConstraint) -> Refusal:
        """The user spoke of another place."""
        return Refusal(f"The user may not mean {place.said}. Ask the user what is meant.")

    def no_device(
        self,
        name: str,
        place: LocationConstraint,
        here: Sequence[Exposed],
        similar: Iterable[Exposed],
        possible: Sequence[Exposed],
    ) -> Refusal:
        """There is no device of this name; `here` are those of the place, if one was named.

        `possible` are all that the tool is for.
        """
        if here:
            told = f"There is no device {name} in {place.said}. There are: {_names(here)}"
            return Refusal(told, here)
        return Refusal(f"There is no device {name}. Similar: {_names(similar)}", possible)

    def nothing(self, said: Target, place: LocationConstraint) -> Refusal:
        """There is nothing of this kind in the place."""
        kind = " ".join((*said.device_classes, *said.domains)) or "device for this tool"
        here = [each for each in self._home.entities if place.holds(each)]
        where = f" in {place.said}" if place.areas is not None else ""
        there = "; ".join(
            f"{domain} {_names(members)}"
            for domain, members in groupby(here, lambda each: each.domain)
        )
        return Refusal(f"There is no {kind}{where}. There are: {there or 'no devices'}")

    def which(self, found: Sequence[Exposed]) -> Refusal:
        """The call names none of several devices."""
        return Refusal(f"Say which one is meant, by name or area: {_names(found)}", found)

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
