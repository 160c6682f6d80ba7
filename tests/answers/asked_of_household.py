"""A household in seven languages, what is asked there, and the words that the answer has; None: a model's.

The questions were written before it was looked at which of them are understood.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..tables import table
from .homes import BATTERY, CARBON, HUMIDITY, POWER, TEMPERATURE, Furniture

_NAMES: Final[Mapping[str, Sequence[str]]] = table(__file__, "_NAMES")


def _household(names: Sequence[str]) -> Furniture:
    (
        kitchen, living, bedroom, office, bathroom, hall, garage,
        ceiling, floor_lamp, bedroom_lamp, office_lamp, coffee, fan,
        bedroom_window, kitchen_window, living_window, door, lock, gate, blinds,
        warmth, outdoor, damp, washer, phone, heating, speaker, vacuum,
        anna, work, family, dentist, shopping, milk, bread,
    ) = names  # fmt: skip

    def of(device_class: str, **others: Any) -> Mapping[str, Any]:
        return {"device_class": device_class, **others}

    heats = {"current_temperature": 21.5, "temperature": 21, "hvac_action": "heating"}
    song = {"media_title": "Blue in Green", "media_artist": "Miles Davis", "volume_level": 0.3}
    return Furniture(
        calendars={family: [(dentist, "2025-04-03 10:00", "2025-04-03 11:00", "")]},
        lists={shopping: ([milk, bread], [])},
        days=[("sunny", 2, 9, 0), ("rainy", 3, 9, 90)],
        states={
            "light.ceiling": (ceiling, kitchen, "on", {"brightness": 128}),
            "light.floor": (floor_lamp, living, "off", {}),
            "light.bedroom": (bedroom_lamp, bedroom, "off", {}),
            "light.office": (office_lamp, office, "on", {"brightness": 255}),
            "switch.coffee": (coffee, kitchen, "on", {}),
            "fan.fan": (fan, bedroom, "on", {"percentage": 66}),
            "binary_sensor.bedroom_window": (bedroom_window, bedroom, "on", of("window")),
            "binary_sensor.kitchen_window": (kitchen_window, kitchen, "off", of("window")),
            "binary_sensor.living_window": (living_window, living, "off", of("window")),
            "binary_sensor.door": (door, hall, "off", of("door")),
            "lock.door": (lock, hall, "locked", {}),
            "cover.gate": (gate, garage, "closed", of("garage")),
            "cover.blinds": (blinds, living, "open", of("blind", current_position=40)),
            "sensor.living_t": (f"{living} {warmth}", living, "21.5", TEMPERATURE),
            "sensor.bedroom_t": (f"{bedroom} {warmth}", bedroom, "18.2", TEMPERATURE),
            "sensor.outdoor_t": (outdoor, "", "4", TEMPERATURE),
            "sensor.bath_h": (f"{bathroom} {damp}", bathroom, "63", HUMIDITY),
            "sensor.office_c": (f"{office} CO2", office, "850", CARBON),
            "sensor.washer": (washer, bathroom, "450", POWER),
            "sensor.phone": (phone, "", "35", BATTERY),
            "sensor.door_b": (door, hall, "12", BATTERY),
            "climate.living": (heating, living, "heat", heats),
            "media_player.speaker": (speaker, kitchen, "playing", song),
            "media_player.tv": ("TV", living, "off", {}),
            "vacuum.robot": (vacuum, hall, "docked", {}),
            "person.anna": (anna, "", "home", {}),
            "person.ben": ("Ben", "", work, {}),
        },
    )


HOUSEHOLDS: Final = {language: _household(names) for language, names in _NAMES.items()}
ASKED: Mapping[str, Sequence[tuple[str, Sequence[str] | None]]] = table(__file__, "ASKED")
OTHER_WORDS: Final[Mapping[str, Sequence[tuple[str, str]]]] = table(__file__, "OTHER_WORDS")
"""The same asked in other words, and the whole answer."""
OF_THE_WORLD: Final[Mapping[str, Sequence[str]]] = table(__file__, "OF_THE_WORLD")
"""What no home can know: events of others, what comes by mail, who else comes, the weather elsewhere."""
