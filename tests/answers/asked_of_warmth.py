"""How warm rooms are: a fridge in the kitchen is not how warm the kitchen is."""

from ..tables import table
from .homes import TEMPERATURE, Furniture


def _home(kitchen: str, bedroom: str, warm: str, fridge: str, sauna: str) -> Furniture:
    return Furniture(
        calendars={},
        lists={},
        days=[("sunny", 3, 14, None)],
        states={
            "sensor.kitchen": (warm, kitchen, "22", TEMPERATURE),
            "sensor.fridge": (fridge, kitchen, "5", TEMPERATURE),
            "sensor.bedroom": (f"{bedroom} T", bedroom, "18", TEMPERATURE),
            "sensor.sauna": (f"{sauna} T", sauna, "71", TEMPERATURE),
        },
    )


HOMES = {
    "en": _home("Kitchen", "Bedroom", "Kitchen T", "Refrigerator Temperature", "Sauna"),
    "de": _home("Küche", "Schlafzimmer", "Küche T", "Kühlschranktemperatur", "Sauna"),
    "es": _home("Cocina", "Dormitorio", "Cocina T", "Temperatura de la nevera", "Sauna"),
    "fr": _home("Cuisine", "Chambre", "Cuisine T", "Température du frigo", "Sauna"),
    "it": _home("Cucina", "Camera", "Cucina T", "Temperatura del frigo", "Sauna"),
    "nl": _home("Keuken", "Slaapkamer", "Keuken T", "Koelkast temperatuur", "Sauna"),
    "pl": _home("Kuchnia", "Sypialnia", "Kuchnia T", "Temperatura lodówki", "Sauna"),
}
ASKED = table(__file__, "ASKED")
BARE = Furniture(
    calendars={},
    lists={},
    days=[("sunny", 3, 14, None)],
    states={
        "light.hall": ("Hall Lamp", "Hall", "on", {}),
        "light.garden": ("Garden Lamp", "Garden", "on", {}),
        "sensor.study": ("Study T", "Study", "21", TEMPERATURE),
        "sensor.freezer": ("Freezer T", "Pantry", "-18", TEMPERATURE),
    },
)
OF_BARE = table(__file__, "OF_BARE")
