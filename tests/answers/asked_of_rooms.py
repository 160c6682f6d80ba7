"""What is asked of rooms and of what is noticed there, and the answer; None: a model's."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..tables import table
from .homes import HUMIDITY, TEMPERATURE, Furniture

_NAMES = {
    "en": ("Kitchen", "Bedroom", "Garden", "Lamp", "Shutter", "Window", "Motion", "Person", "Thermostat", "Fan", "Dentist"),
    "de": ("Küche", "Schlafzimmer", "Garten", "Lampe", "Rollladen", "Fenster", "Bewegung", "Person", "Thermostat", "Ventilator", "Zahnarzt"),
    "es": ("Cocina", "Dormitorio", "Jardín", "Lámpara", "Persiana", "Ventana", "Movimiento", "Persona", "Termostato", "Ventilador", "Dentista"),
    "fr": ("Cuisine", "Chambre", "Jardin", "Lampe", "Volet", "Fenêtre", "Mouvement", "Personne", "Thermostat", "Ventilateur", "Dentiste"),
    "it": ("Cucina", "Camera", "Giardino", "Lampada", "Tapparella", "Finestra", "Movimento", "Persona", "Termostato", "Ventilatore", "Dentista"),
    "nl": ("Keuken", "Slaapkamer", "Tuin", "Lamp", "Rolluik", "Raam", "Beweging", "Persoon", "Thermostaat", "Ventilator", "Tandarts"),
    "pl": ("Kuchnia", "Sypialnia", "Ogród", "Lampa", "Roleta", "Okno", "Ruch", "Osoba", "Termostat", "Wentylator", "Dentysta"),
}  # fmt: skip


def _of(device_class: str, **attributes: Any) -> dict[str, Any]:
    return {"device_class": device_class, **attributes}


def _home(language: str) -> Furniture:
    kitchen, bedroom, garden, lamp, shutter, window, motion, person, thermostat, fan, dentist = (
        _NAMES[language]
    )
    heats = {"current_temperature": 19, "temperature": 21, "hvac_action": "heating"}
    return Furniture(
        calendars={dentist: [(dentist, "2025-04-02 14:00", "2025-04-02 15:00", "")]},
        lists={},
        days=[("sunny", 3, 14, None)],
        states={
            "light.k": (f"{kitchen} {lamp}", kitchen, "on", {"brightness": 204}),
            "light.b": (f"{bedroom} {lamp}", bedroom, "on", {"brightness": 26}),
            "light.g": (f"{garden} {lamp}", garden, "off", {}),
            "cover.k": (f"{kitchen} {shutter}", kitchen, "open", _of("shutter", current_position=70)),
            "cover.b": (f"{bedroom} {shutter}", bedroom, "open", _of("shutter", current_position=10)),
            "binary_sensor.w": (f"{bedroom} {window}", bedroom, "on", _of("window")),
            "binary_sensor.v": (f"{kitchen} {window}", kitchen, "off", _of("window")),
            "binary_sensor.gp": (f"{garden} {person}", garden, "on", _of("occupancy")),
            "binary_sensor.km": (f"{kitchen} {motion}", kitchen, "off", _of("motion")),
            "binary_sensor.bm": (f"{bedroom} {motion}", bedroom, "on", _of("motion")),
            "binary_sensor.bp": (f"{bedroom} {person}", bedroom, "off", _of("occupancy")),
            "binary_sensor.leak": (f"{kitchen} Leak", kitchen, "off", _of("moisture")),
            "binary_sensor.smoke": (f"{kitchen} Smoke", kitchen, "on", _of("smoke")),
            "climate.b": (f"{bedroom} {thermostat}", bedroom, "heat", heats),
            "sensor.k": (f"{kitchen} T", kitchen, "23", TEMPERATURE),
            "sensor.g": (f"{garden} T", garden, "7", TEMPERATURE),
            "sensor.h": (f"{bedroom} H", bedroom, "61", HUMIDITY),
            "fan.b": (fan, bedroom, "on", {"percentage": 40}),
        },
    )  # fmt: skip


ROOMS: Mapping[str, Furniture] = {language: _home(language) for language in _NAMES}
OF_ROOMS: Mapping[str, Sequence[tuple[str, str | None]]] = table(__file__, "OF_ROOMS")
