"""Locations: the areas and floors in the arguments of a call."""

from collections.abc import Sequence
from dataclasses import dataclass

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, floor_registry as fr, intent

from ...home.exposed import Exposed
from ...names.matching import matcher


@dataclass(frozen=True, slots=True)
class LocationConstraint:
    """The areas of a call's targets: `areas` are ids, and None stands for the whole home.

    A place is sound when all of its names match each other.
    """

    said: str = ""
    areas: frozenset[str] | None = None
    area: str = ""
    floor: str = ""
    sound: bool = True

    def holds(self, entity: Exposed) -> bool:
        """Return True if an entity is in one of the areas."""
        return self.areas is None or entity.area in self.areas


@dataclass(frozen=True, slots=True)
class AreaName:
    """An area, with the names that people use for it."""

    name: str
    area: ar.AreaEntry
    location: str
    hints: str = ""


class Locations:
    """The areas and floors of a home."""

    def __init__(self, hass: HomeAssistant, language: str | None) -> None:
        """Take the registries, and the language of the names."""
        self._areas = ar.async_get(hass)
        self._floors = fr.async_get(hass)
        self._matcher = matcher(language)

    @property
    def area_names(self) -> Sequence[AreaName]:
        """All areas, also those without a device, each on its floor."""
        floors = {each.floor_id: each.name for each in self._floors.async_list_floors()}
        areas = self._areas.async_list_areas()
        return [AreaName(each.name, each, floors.get(each.floor_id or "", "")) for each in areas]

    def constrain(self, area: str, floor: str) -> LocationConstraint:
        """Return the location for an area and a floor together."""
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

    def _reading(self, text: str, *, floors_first: bool = False) -> LocationConstraint:
        """Return the location for the name of an area or a floor."""
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
    """Return the intersection of two locations: of the area's slot and of the floor's."""
    if one.areas is None or other.areas is None:
        # One of them is unknown: the area's slot decides.
        return one
    if common := one.areas & other.areas:
        narrow = one if one.area else other
        return LocationConstraint(narrow.said, common, area=narrow.area, floor=narrow.floor)
    return LocationConstraint(one.said, one.areas, area=one.area, sound=False)
