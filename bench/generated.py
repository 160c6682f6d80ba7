"""Houses of any size, always the same ones."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, count, islice
from typing import Any

from bench.home import Home, HomeArea, HomeDevice, HomeEntity

_FLOORS = ("Ground Floor", "First Floor", "Attic")
_ROOMS = (
    "Kitchen",
    "Living Room",
    "Bedroom",
    "Bathroom",
    "Hallway",
    "Office",
    "Dining Room",
    "Guest Room",
    "Laundry",
    "Garage",
    "Nursery",
    "Workshop",
    "Pantry",
    "Library",
    "Conservatory",
    "Gym",
)
_OTHER_FLOOR = "Annex"
_MOST_ROOMS = 60

type _Thing = tuple[str, str, Any, dict[str, Any]]
"""Domain, name, state and attributes."""

_ON_OFF: dict[str, Any] = {"supported_color_modes": ["onoff"], "color_mode": "onoff"}
_DIMMABLE: dict[str, Any] = {"supported_color_modes": ["brightness"], "color_mode": "brightness"}
_SENSOR = {"state_class": "measurement"}
# What rooms have, in the order in which it is bought.
_THINGS: tuple[_Thing, ...] = (
    ("light", "Ceiling Light", "off", _ON_OFF),
    ("sensor", "Temperature", 21, {**_SENSOR, "device_class": "temperature"}),
    ("switch", "Socket", "off", {"device_class": "outlet"}),
    ("light", "Floor Lamp", "off", _DIMMABLE),
    ("binary_sensor", "Motion", "off", {"device_class": "motion"}),
    (
        "cover",
        "Blinds",
        "closed",
        {
            "device_class": "blind",
            "supported_features": [
                "cover.CoverEntityFeature.OPEN",
                "cover.CoverEntityFeature.CLOSE",
                "cover.CoverEntityFeature.SET_POSITION",
            ],
        },
    ),
    ("sensor", "Humidity", 45, {**_SENSOR, "device_class": "humidity"}),
    (
        "climate",
        "Thermostat",
        "heat",
        {
            "native_temperature_unit": "°C",
            "hvac_modes": ["off", "heat"],
            "supported_features": ["climate.ClimateEntityFeature.TARGET_TEMPERATURE"],
            "target_temperature": 20,
            "current_temperature": 21,
        },
    ),
    (
        "media_player",
        "Speaker",
        "playing",
        {
            "device_class": "speaker",
            "supported_features": [
                "media_player.MediaPlayerEntityFeature.PLAY",
                "media_player.MediaPlayerEntityFeature.PAUSE",
                "media_player.MediaPlayerEntityFeature.NEXT_TRACK",
                "media_player.MediaPlayerEntityFeature.VOLUME_SET",
            ],
        },
    ),
    ("binary_sensor", "Window", "off", {"device_class": "window"}),
    ("light", "Wall Light", "off", _DIMMABLE),
    (
        "fan",
        "Fan",
        "off",
        {"supported_features": ["fan.FanEntityFeature.SET_SPEED"]},
    ),
    ("sensor", "Battery", 90, {**_SENSOR, "device_class": "battery"}),
    ("lock", "Lock", "locked", {}),
    ("switch", "Heater", "off", {}),
    ("sensor", "Illuminance", 300, {**_SENSOR, "device_class": "illuminance"}),
)
_ONE_OF_A_KIND: tuple[_Thing, ...] = (
    (
        "todo",
        "Shopping List",
        None,
        {"supported_features": ["todo.TodoListEntityFeature.CREATE_TODO_ITEM"], "todo_items": []},
    ),
    (
        "vacuum",
        "Robot",
        "docked",
        {
            "supported_features": [
                "vacuum.VacuumEntityFeature.START",
                "vacuum.VacuumEntityFeature.STATE",
                "vacuum.VacuumEntityFeature.RETURN_HOME",
            ]
        },
    ),
)


def generated(size: int) -> Home:
    """Return a house of `size` entities; a larger one has more rooms, 60 at most, and more in each."""
    rooms = list(islice(_numbered(_ROOMS), min(_MOST_ROOMS, max(3, size // 8))))
    areas = [
        HomeArea(_id(room), room, _FLOORS[number * len(_FLOORS) // len(rooms)])
        for number, room in enumerate(rooms)
    ]
    first = (_entity(rooms[0], *thing) for thing in _ONE_OF_A_KIND if size > len(rooms))
    entities = list(islice(chain(first, _things(rooms, _THINGS)), size))
    return Home(f"{size} entities", areas, _devices(entities), entities)


def filled(home: Home, size: int, spared: Collection[str]) -> Home:
    """Return a house with as many more entities as make it one of `size`, in up to 60 rooms.

    They are in rooms of their own, on no floor of the house, whose names have no word of its areas'
    and floors', and of no domain in `spared`: so that what was said of the house means the same.
    """
    names = " ".join(f"{area.name} {area.floor or ''}" for area in home.areas)
    taken = frozenset(names.casefold().split())
    free = [room for room in _ROOMS if taken.isdisjoint(room.casefold().split())]
    rooms = list(islice(_numbered(free), _MOST_ROOMS - len(home.areas)))
    things = [thing for thing in _THINGS if thing[0] not in spared]
    floor = _OTHER_FLOOR if any(area.floor for area in home.areas) else None
    more = list(islice(_things(rooms, things), max(0, size - len(home.entities))))
    return Home(
        home.name,
        [*home.areas, *(HomeArea(_id(room), room, floor) for room in rooms)],
        [*home.devices, *_devices(more)],
        [*home.entities, *more],
    )


def _numbered(names: Sequence[str]) -> Iterator[str]:
    """Yield names again and again, from the second time on with a number."""
    for number in count(1):
        for name in names:
            yield name if number == 1 else f"{name} {number}"


def _things(rooms: Sequence[str], things: Sequence[_Thing]) -> Iterator[HomeEntity]:
    """Yield things room by room, what every room has first."""
    for number in count(1):
        for domain, name, state, attributes in things:
            full = name if number == 1 else f"{name} {number}"
            yield from (_entity(room, domain, full, state, attributes) for room in rooms)


def _devices(entities: Iterable[HomeEntity]) -> list[HomeDevice]:
    return [HomeDevice(each.entity_id, each.name, each.area) for each in entities]


def _entity(
    room: str, domain: str, name: str, state: Any, attributes: dict[str, Any]
) -> HomeEntity:
    full = f"{room} {name}"
    entity_id = f"{domain}.{_id(full)}"
    return HomeEntity(entity_id, full, _id(room), entity_id, state, attributes)


def _id(name: str) -> str:
    return name.lower().replace(" ", "_")
