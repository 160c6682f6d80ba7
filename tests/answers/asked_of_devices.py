"""What is asked of devices and how they are set, and the answer; None: a model's."""

from collections.abc import Mapping, Sequence

from ..tables import table
from .homes import BATTERY, HUMIDITY, TEMPERATURE, Furniture

_ROOMS = table(__file__, "_ROOMS")


def _home(language: str) -> Furniture:
    kitchen, bedroom, lamp, speaker, thermostat, blind, fan, garage = _ROOMS[language]
    playing = {"volume_level": 0.4, "media_title": "Yellow", "media_artist": "Coldplay"}
    heating = {"current_temperature": 19, "temperature": 21.5}
    return Furniture(
        calendars={},
        lists={},
        days=[("sunny", 3, 14, None)],
        states={
            "light.lamp": (f"{bedroom} {lamp}", bedroom, "on", {"brightness": 128}),
            "light.kitchen": (f"{kitchen} {lamp}", kitchen, "off", {}),
            "media_player.speaker": (speaker, kitchen, "playing", playing),
            "climate.thermostat": (thermostat, bedroom, "heat", heating),
            "sensor.kitchen_t": (f"{kitchen} T", kitchen, "23", TEMPERATURE),
            "sensor.kitchen_h": (f"{kitchen} H", kitchen, "48", HUMIDITY),
            "sensor.door_b": (f"{garage} B", "", "9", BATTERY),
            "cover.blind": (
                blind,
                bedroom,
                "open",
                {"current_position": 30, "device_class": "blind"},
            ),
            "fan.fan": (fan, kitchen, "on", {"percentage": 66}),
            "cover.garage": (garage, "", "open", {"device_class": "garage"}),
        },
    )


HOMES: Mapping[str, Furniture] = {language: _home(language) for language in _ROOMS}
OF_DEVICES: Mapping[str, Sequence[tuple[str, str | None]]] = table(__file__, "OF_DEVICES")
