"""What somebody may have forgotten to do, and how it is now; None: a model's."""

from ..tables import table
from .homes import Furniture

WINDOW = {"device_class": "window"}
GARAGE = {"device_class": "garage"}


def _home(hall: str, door: str, window: str, iron: str, garage: str) -> Furniture:
    return Furniture(
        calendars={},
        lists={},
        days=[("sunny", 3, 14, None)],
        states={
            "lock.door": (door, hall, "locked", {}),
            "binary_sensor.window": (window, hall, "on", WINDOW),
            "switch.iron": (iron, hall, "on", {}),
            "cover.garage": (garage, "", "open", GARAGE),
        },
    )


HOMES = {
    "en": _home("Hall", "Patio Gate", "Pantry Window", "Iron", "Garage Door"),
    "de": _home("Flur", "Gartentor", "Dachfenster", "Bügeleisen", "Garagentor"),
    "es": _home("Entrada", "Puerta del patio", "Ventana del desván", "Plancha", "Portón"),
    "fr": _home("Entrée", "Porte de la cave", "Fenêtre du grenier", "Bouilloire", "Portail"),
    "it": _home(
        "Ingresso", "Porta del cortile", "Finestra della soffitta", "Bollitore", "Cancello"
    ),
    "nl": _home("Gang", "Achterdeur", "Zolderraam", "Strijkijzer", "Garagedeur"),
    "pl": _home("Korytarz", "Furtka", "Okno na strychu", "Żelazko", "Brama"),
}
ASKED = table(__file__, "ASKED")
