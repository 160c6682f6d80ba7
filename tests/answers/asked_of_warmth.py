"""How warm rooms are: a fridge in the kitchen is not how warm the kitchen is."""

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
ASKED = {
    "en": (
        ("How warm is it in the kitchen?", "Kitchen: 22 °C"),
        ("Is it colder in the bedroom than in the kitchen?", "Yes, Bedroom: 18 °C; Kitchen: 22 °C"),
        ("How cold is the refrigerator?", "Refrigerator Temperature: 5 °C"),
        ("Which room is the warmest?", "Sauna: 71 °C"),
        ("Which room is the coldest?", "Bedroom: 18 °C"),
    ),
    "de": (
        ("Wie warm ist es in der Küche?", "Küche: 22 °C"),
        ("Ist es im Schlafzimmer kälter als in der Küche?", "Ja, Schlafzimmer: 18 °C; Küche: 22 °C"),
        ("Welches Zimmer ist am wärmsten?", "Sauna: 71 °C"),
    ),
    "es": (
        ("¿Qué temperatura hay en la cocina?", "Cocina: 22 °C"),
        ("¿Hace más frío en el dormitorio que en la cocina?", "Sí, Dormitorio: 18 °C; Cocina: 22 °C"),
    ),
    "fr": (
        ("Quelle est la température dans la cuisine ?", "Cuisine : 22 °C"),
        ("Fait-il plus froid dans la chambre que dans la cuisine ?", "Oui, Chambre : 18 °C; Cuisine : 22 °C"),
    ),
    "it": (
        ("Quanti gradi ci sono in cucina?", "Cucina: 22 °C"),
        ("Fa più freddo in camera che in cucina?", "Sì, Camera: 18 °C; Cucina: 22 °C"),
        ("La cucina è più calda della camera?", "Sì, Cucina: 22 °C; Camera: 18 °C"),
        ("Che stanza è più calda, la camera o la cucina?", "Cucina: 22 °C; Camera: 18 °C"),
    ),
    "nl": (
        ("Hoe warm is het in de keuken?", "Keuken: 22 °C"),
        ("Is het in de slaapkamer kouder dan in de keuken?", "Ja, Slaapkamer: 18 °C; Keuken: 22 °C"),
    ),
    "pl": (
        ("Ile stopni jest w kuchni?", "Kuchnia: 22 °C"),
        ("Czy w sypialni jest zimniej niż w kuchni?", "Tak, Sypialnia: 18 °C; Kuchnia: 22 °C"),
    ),
}  # fmt: skip
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
OF_BARE = (
    ("How warm is it in the hall?", "Hall: not known"),
    ("What's the humidity in the study?", "Study: not known"),
    ("How warm is it in the pantry?", "Freezer T: -18 °C"),
    ("Is the pantry colder than the study?", None),
    ("Is the freezer colder than the study?", "Yes, Freezer T: -18 °C; Study: 21 °C"),
    ("How warm is it in the garden?", None),
    ("How bright is it in the hall?", None),
)
