"""How a model is told of the home, and of where the user is."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, device_registry as dr, floor_registry as fr

from .exposed import Exposed, Home, one_line

NOTHING_EXPOSED = (
    "No devices are exposed. If the user wants to control one, tell them to expose it to their"
    " voice assistant in Home Assistant."
)

SPEAKERS_AREA = (
    "A line like [Kitchen] before the user's words tells where the user is: a command that names no"
    " place means that area."
)


def speakers_area(hass: HomeAssistant, device_id: str | None) -> str | None:
    """Return in a line where the device is that was spoken to; None where that is not known.

    It stands after all that is the same for everyone who speaks.
    """
    if device_id is None or (device := dr.async_get(hass).async_get(device_id)) is None:
        return None
    area_id = dr.async_get_effective_area_id(hass, device)
    if area_id is None or (area := ar.async_get(hass).async_get_area(area_id)) is None:
        return None
    floor = fr.async_get(hass).async_get_floor(area.floor_id) if area.floor_id else None
    name = one_line(area.name)
    return f"[{name}, {one_line(floor.name)}]" if floor else f"[{name}]"


def overview(home: Home) -> str:
    """Return the home in a few words: its areas, and what is in them by domain.

    The text depends on the home alone: not on states, on who speaks, or on the time.
    """
    if not home.entities:
        return NOTHING_EXPOSED
    lines = [
        f"{_area(home, area_id)}: {'; '.join(_domains(entities))}"
        for area_id, entities in groupby(home.entities, lambda entity: entity.area)
    ]
    return "\n".join(("Devices by area and domain:", *lines))


def _area(home: Home, area_id: str) -> str:
    if (area := home.areas.get(area_id)) is None:
        return "No area"
    name = _with_aliases(one_line(area.name), [one_line(each) for each in sorted(area.aliases)])
    floor = home.floors.get(area.floor_id or "")
    return f"{name}, {one_line(floor.name)}" if floor else name


def _domains(entities: Iterable[Exposed]) -> Iterator[str]:
    for domain, members in groupby(entities, lambda entity: entity.domain):
        names = (_with_aliases(member.names[0], member.names[1:]) for member in members)
        yield f"{domain} {', '.join(names)}"


def _with_aliases(name: str, aliases: Sequence[str]) -> str:
    return f"{name} ({', '.join(aliases)})" if aliases else name
