"""What is asked of a family's home in other words than its calendar or its devices have, and the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..tables import table
from .homes import POWER, TEMPERATURE, Furniture


@dataclass(frozen=True, slots=True)
class _Words:
    """What things are called in a language."""

    dentist: tuple[str, str]
    dinner: str
    flight: tuple[str, str]
    visit: str
    shopping: tuple[str, Sequence[str]]
    tasks: tuple[str, Sequence[str]]
    kitchen: str
    bath: str
    washer: str
    left: str
    dryer: str
    mode: str
    coffee: str


_STATES = ["off", "running", "finished"]
_WORDS: Mapping[str, _Words] = {
    "de": _Words(
        ("Zahnarzt", "Hauptstraße 5"),
        "Abendessen mit Marco",
        ("Flug nach Oslo", "Flughafen"),
        "Oma zu Besuch",
        ("Einkaufsliste", ("Milch", "Tomaten")),
        ("Aufgaben", ("Backofen putzen", "Opa anrufen")),
        "Küche",
        "Bad",
        "Waschmaschine",
        "Waschmaschine Restzeit",
        "Trockner",
        "Hausmodus",
        "Kaffeemaschine Leistung",
    ),
    "fr": _Words(
        ("Dentiste", "Rue Haute 5"),
        "Dîner avec Marco",
        ("Vol pour Oslo", "Aéroport"),
        "Visite de mamie",
        ("Liste de courses", ("Lait", "Tomates")),
        ("Tâches", ("Nettoyer le four", "Appeler papi")),
        "Cuisine",
        "Salle de bain",
        "Lave-linge",
        "Lave-linge temps restant",
        "Sèche-linge",
        "Mode maison",
        "Puissance cafetière",
    ),
    "es": _Words(
        ("Dentista", "Calle Mayor 5"),
        "Cena con Marco",
        ("Vuelo a Oslo", "Aeropuerto"),
        "Visita de la abuela",
        ("Lista de la compra", ("Leche", "Tomates")),
        ("Tareas", ("Limpiar el horno", "Llamar al abuelo")),
        "Cocina",
        "Baño",
        "Lavadora",
        "Lavadora tiempo restante",
        "Secadora",
        "Modo casa",
        "Potencia cafetera",
    ),
    "it": _Words(
        ("Dentista", "Via Alta 5"),
        "Cena con Marco",
        ("Volo per Oslo", "Aeroporto"),
        "Visita della nonna",
        ("Lista della spesa", ("Latte", "Pomodori")),
        ("Faccende", ("Pulire il forno", "Chiamare il nonno")),
        "Cucina",
        "Bagno",
        "Lavatrice",
        "Lavatrice tempo rimanente",
        "Asciugatrice",
        "Modalità casa",
        "Potenza macchina del caffè",
    ),
    "nl": _Words(
        ("Tandarts", "Hoogstraat 5"),
        "Diner met Marco",
        ("Vlucht naar Oslo", "Vliegveld"),
        "Oma op bezoek",
        ("Boodschappenlijst", ("Melk", "Tomaten")),
        ("Taken", ("Oven schoonmaken", "Opa bellen")),
        "Keuken",
        "Badkamer",
        "Wasmachine",
        "Wasmachine resterende tijd",
        "Droger",
        "Huismodus",
        "Koffiezetapparaat vermogen",
    ),
    "pl": _Words(
        ("Dentysta", "Rynek 5"),
        "Kolacja z Marco",
        ("Lot do Oslo", "Lotnisko"),
        "Wizyta babci",
        ("Lista zakupów", ("Mleko", "Pomidory")),
        ("Zadania", ("Umyć piekarnik", "Zadzwonić do dziadka")),
        "Kuchnia",
        "Łazienka",
        "Pralka",
        "Pralka pozostały czas",
        "Suszarka",
        "Tryb domu",
        "Moc ekspresu",
    ),
    "en": _Words(
        ("Dentist", "Main Street 5"),
        "Dinner with Marco",
        ("Flight to Oslo", "Airport"),
        "Grandma visits",
        ("Shopping List", ("Milk", "Tomatoes")),
        ("Chores", ("Clean the oven", "Call Grandpa")),
        "Kitchen",
        "Bathroom",
        "Washing Machine",
        "Washing Machine Time Left",
        "Dryer",
        "House Mode",
        "Coffee Maker Power",
    ),
}


def _home(known: _Words) -> Furniture:
    dentist, street = known.dentist
    flight, airport = known.flight
    running = {"device_class": "enum", "options": _STATES}
    left = {"device_class": "duration", "unit_of_measurement": "min"}
    heating = {"current_temperature": 19, "temperature": 21.5, "preset_mode": "comfort"}
    return Furniture(
        calendars={
            "Family": [
                (dentist, "2025-04-02 14:00", "2025-04-02 15:00", street),
                (known.dinner, "2025-04-02 19:30", "2025-04-02 21:00", "Trattoria Roma"),
                (flight, "2025-04-03 06:15", "2025-04-03 09:00", airport),
                (known.visit, "2025-04-05", "2025-04-06", ""),
                ("Clean-up", "2025-04-07 10:00", "2025-04-07 12:00", "Home"),
            ]
        },
        lists={known.shopping[0]: (known.shopping[1], []), known.tasks[0]: (known.tasks[1], [])},
        days=[("sunny", 5, 13, 5), ("rainy", 6, 10, 85), ("cloudy", 4, 11, 25)],
        states={
            "sensor.washer": (known.washer, known.bath, "running", running),
            "sensor.left": (known.left, known.bath, "34", left),
            "sensor.dryer": (known.dryer, known.bath, "finished", running),
            "input_select.mode": (known.mode, "", "Holiday", {"options": ["Holiday", "Home"]}),
            "sensor.coffee": (known.coffee, known.kitchen, "870", POWER),
            "climate.thermostat": ("Thermostat", known.bath, "heat", heating),
            "climate.radiator": ("Radiator", known.kitchen, "off", {"current_temperature": 18}),
            "sensor.fridge": ("Fridge Temperature", known.kitchen, "4", TEMPERATURE),
            "media_player.tv": (
                "TV",
                known.bath,
                "playing",
                {"app_name": "Netflix", "media_title": "Dune"},
            ),
            "vacuum.dusty": ("Dusty", known.kitchen, "error", {}),
            "lock.door": ("Front Door", known.kitchen, "locked", {}),
        },
    )


FAMILIES: Mapping[str, Furniture] = {code: _home(known) for code, known in _WORDS.items()}
OF_PEOPLE: Mapping[str, Sequence[tuple[str, str | None]]] = table(__file__, "OF_PEOPLE")
