"""The description of the home and of the user's place for a model."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, floor_registry as fr

from .exposed import Exposed, Home, area_of_device, one_line

NOTHING_EXPOSED = (
    "No devices are exposed. If the user wants to control one, tell them to expose it to their"
    " voice assistant in Home Assistant."
)

SPEAKERS_AREA = (
    "A line like [Kitchen] before the user's words tells where the user is: a command that names no"
    " place means that area."
)

MOST_LISTED: Final = 150
"""The most devices that are all listed; a model would take too long to read more."""

_FEW: Final = 3
"""Devices of a domain that are listed in any home: users often do not name rare devices."""

NOT_LISTED = (
    "There are too many devices to list. Those that the user may mean are listed in brackets before"
    " the user's words; call homeassistant__GetLiveContext to find others."
)


def speakers_area(hass: HomeAssistant, device_id: str | None) -> str | None:
    """Return a line with the area of the device that heard the user; None if unknown.

    It follows all text that is the same for every speaker, so that this can be cached.
    """
    area_id = area_of_device(hass, device_id)
    if area_id is None or (area := ar.async_get(hass).async_get_area(area_id)) is None:
        return None
    floor = fr.async_get(hass).async_get_floor(area.floor_id) if area.floor_id else None
    name = one_line(area.name)
    return f"[{name}, {one_line(floor.name)}]" if floor else f"[{name}]"


def overview(home: Home) -> str:
    """Return a short description of the home: its areas, and their devices by domain.

    The text depends on the home alone: not on states, the speaker or the time. For a large home it
    has the areas by floor, the domains, and the devices of small domains.
    """
    if not home.entities:
        return NOTHING_EXPOSED
    if not is_listed(home):
        return "\n".join((NOT_LISTED, *_places(home), f"Domains: {'; '.join(_of_few(home))}"))
    lines = [
        f"{_area(home, area_id)}: {'; '.join(_domains(entities))}"
        for area_id, entities in groupby(home.entities, lambda entity: entity.area)
    ]
    return "\n".join(("Devices by area and domain:", *lines))


def is_listed(home: Home) -> bool:
    """Return True if a model receives all devices of a home, else only likely ones."""
    return len(home.entities) <= MOST_LISTED


def listed(home: Home, entities: Sequence[Exposed], others: int) -> str:
    """Return the description of some devices of a large home, in their order.

    `others` is the number of further devices that are as likely. It follows all text that is the
    same for every sentence.
    """
    by_area: dict[str, dict[str, list[Exposed]]] = {}
    for each in entities:
        by_area.setdefault(each.area, {}).setdefault(each.domain, []).append(each)
    lines = [
        f"{_area(home, area_id)}: {'; '.join(_domains(chain(*of_area.values())))}"
        for area_id, of_area in by_area.items()
    ]
    if others:
        lines.append(f"and {others} more")
    return f"[Devices that may be meant:\n{'\n'.join(lines)}]"


def _places(home: Home) -> Iterator[str]:
    """Yield a line for each floor with its areas, and one for those on none."""
    floors: dict[str, list[str]] = {}
    for area in home.areas.values():
        floors.setdefault(area.floor_id or "", []).append(_area_name(area))
    for floor_id, areas in floors.items():
        floor = home.floors.get(floor_id)
        where = f"Areas of {one_line(floor.name)}" if floor else "Areas"
        yield f"{where}: {', '.join(areas)}"


def _of_few(home: Home) -> Iterator[str]:
    """Yield the domains, with the devices of small ones."""
    by_domain: dict[str, list[Exposed]] = {}
    for each in home.entities:
        by_domain.setdefault(each.domain, []).append(each)
    for domain, members in sorted(by_domain.items()):
        yield from _domains(members) if len(members) <= _FEW else (domain,)


def _area(home: Home, area_id: str) -> str:
    if (area := home.areas.get(area_id)) is None:
        return "No area"
    name = _area_name(area)
    floor = home.floors.get(area.floor_id or "")
    return f"{name}, {one_line(floor.name)}" if floor else name


def _area_name(area: ar.AreaEntry) -> str:
    return _with_aliases(one_line(area.name), [one_line(each) for each in sorted(area.aliases)])


def _domains(entities: Iterable[Exposed]) -> Iterator[str]:
    for domain, members in groupby(entities, lambda entity: entity.domain):
        names = (_with_aliases(member.names[0], member.names[1:]) for member in members)
        yield f"{domain} {', '.join(names)}"


def _with_aliases(name: str, aliases: Sequence[str]) -> str:
    return f"{name} ({', '.join(aliases)})" if aliases else name
