"""What is asked of a family's home in other words than its calendar or its devices have, and the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
OF_PEOPLE: Mapping[str, Sequence[tuple[str, str | None]]] = {
    "de": (
        (
            "Gehen wir heute Abend aus?",
            "Ja, heute: Abendessen mit Marco um 19:30 Uhr (Trattoria Roma)",
        ),
        ("Muss ich morgen früh aufstehen?", "Morgen: Flug nach Oslo um 6:15 Uhr (Flughafen)"),
        ("Kommt am Wochenende jemand zu Besuch?", "Am Samstag: Oma zu Besuch"),
        ("Was machen wir am Samstag?", "Am Samstag: Oma zu Besuch"),
        ("Wann ist mein Zahnarzttermin?", "Heute: Zahnarzt um 14:00 Uhr (Hauptstraße 5)"),
        (
            "Mit wem esse ich heute Abend?",
            "Heute: Abendessen mit Marco um 19:30 Uhr (Trattoria Roma)",
        ),
        ("Wie lange läuft die Waschmaschine noch?", "Waschmaschine Restzeit: 34 min"),
        ("Ist der Trockner fertig?", "Trockner: finished"),
        ("Wie ist der Hausmodus?", "Hausmodus: Holiday"),
        ("Wie viel Watt hat die Kaffeemaschine?", "Kaffeemaschine Leistung: 870 W"),
        (
            "Brauche ich heute eine Jacke?",
            "Heute: Sonnig, 5 bis 13 °C, Regenwahrscheinlichkeit 5 %",
        ),
        ("Was muss ich noch kaufen?", "Einkaufsliste: Milch und Tomaten"),
        ("Wen muss ich anrufen?", "Aufgaben: Opa anrufen"),
        ("Brauchen wir Milch?", "Ja, Einkaufsliste: Milch"),
        (
            "Verlassen wir heute das Haus?",
            "Ja, heute: Zahnarzt um 14:00 Uhr (Hauptstraße 5) und Abendessen mit Marco um 19:30 Uhr (Trattoria Roma)",
        ),
        ("Bin ich am Freitagnachmittag frei?", "Ja, am Freitagnachmittag: nichts im Kalender"),
    ),
    "fr": (
        (
            "Est-ce qu'on sort ce soir ?",
            "Oui, aujourd’hui : Dîner avec Marco à 19 h 30 (Trattoria Roma)",
        ),
        ("Est-ce que je dois me lever tôt demain ?", "Demain : Vol pour Oslo à 6 h 15 (Aéroport)"),
        ("Est-ce que quelqu'un vient ce week-end ?", "Samedi : Visite de mamie"),
        ("Qu'est-ce qu'on fait samedi ?", "Samedi : Visite de mamie"),
        (
            "Quand est mon rendez-vous chez le dentiste ?",
            "Aujourd’hui : Dentiste à 14 h (Rue Haute 5)",
        ),
        ("Avec qui je dîne ce soir ?", "Aujourd’hui : Dîner avec Marco à 19 h 30 (Trattoria Roma)"),
        ("Combien de temps reste-t-il au lave-linge ?", "Lave-linge temps restant : 34 min"),
        ("Quel est le mode maison ?", "Mode maison : Holiday"),
        ("Quelle est la puissance de la cafetière ?", "Puissance cafetière : 870 W"),
        (
            "Ai-je besoin d'une veste aujourd'hui ?",
            "Aujourd’hui : ensoleillé, de 5 à 13 °C, 5 % de risque de pluie",
        ),
        ("Qu'est-ce que je dois acheter ?", "Liste de courses : Lait et Tomates"),
        ("Qui dois-je appeler ?", "Tâches : Appeler papi"),
        ("Avons-nous besoin de lait ?", "Oui, Liste de courses : Lait"),
        (
            "Est-ce que nous quittons la maison aujourd'hui ?",
            "Oui, aujourd’hui : Dentiste à 14 h (Rue Haute 5) et Dîner avec Marco à 19 h 30 (Trattoria Roma)",
        ),
        (
            "Suis-je libre vendredi après-midi ?",
            "Oui, vendredi après-midi : rien dans le calendrier",
        ),
    ),
    "es": (
        ("¿Salimos esta noche?", "Sí, hoy: Cena con Marco a las 19:30 (Trattoria Roma)"),
        ("¿Tengo que levantarme temprano mañana?", "Mañana: Vuelo a Oslo a las 6:15 (Aeropuerto)"),
        ("¿Viene alguien este fin de semana?", "El sábado: Visita de la abuela"),
        ("¿Qué hacemos el sábado?", "El sábado: Visita de la abuela"),
        ("¿Cuándo es mi cita con el dentista?", "Hoy: Dentista a las 14:00 (Calle Mayor 5)"),
        ("¿Con quién ceno esta noche?", "Hoy: Cena con Marco a las 19:30 (Trattoria Roma)"),
        ("¿Cuál es el modo casa?", "Modo casa: Holiday"),
        ("¿Cuál es la potencia de la cafetera?", "Potencia cafetera: 870 W"),
        (
            "¿Necesito una chaqueta hoy?",
            "Hoy: soleado, de 5 a 13 °C, 5 % de probabilidad de lluvia",
        ),
        ("¿Qué tengo que comprar?", "Lista de la compra: Leche y Tomates"),
        ("¿A quién tengo que llamar?", "Tareas: Llamar al abuelo"),
        ("¿Necesitamos leche?", "Sí, Lista de la compra: Leche"),
        (
            "¿Salimos de casa hoy?",
            "Sí, hoy: Dentista a las 14:00 (Calle Mayor 5) y Cena con Marco a las 19:30 (Trattoria Roma)",
        ),
        (
            "¿Estoy libre el viernes por la tarde?",
            "Sí, el viernes por la tarde: nada en el calendario",
        ),
    ),
    "it": (
        ("Usciamo stasera?", "Sì, oggi: Cena con Marco alle 19:30 (Trattoria Roma)"),
        ("Devo alzarmi presto domani?", "Domani: Volo per Oslo alle 6:15 (Aeroporto)"),
        ("Viene qualcuno questo fine settimana?", "Sabato: Visita della nonna"),
        ("Cosa facciamo sabato?", "Sabato: Visita della nonna"),
        ("Quando è il mio appuntamento dal dentista?", "Oggi: Dentista alle 14:00 (Via Alta 5)"),
        ("Con chi ceno stasera?", "Oggi: Cena con Marco alle 19:30 (Trattoria Roma)"),
        ("L'asciugatrice è finita?", "Asciugatrice: finished"),
        ("Qual è la modalità casa?", "Modalità casa: Holiday"),
        ("Qual è la potenza della macchina del caffè?", "Potenza macchina del caffè: 870 W"),
        (
            "Mi serve una giacca oggi?",
            "Oggi: soleggiato, da 5 a 13 °C, 5 % di probabilità di pioggia",
        ),
        ("Cosa devo comprare?", "Lista della spesa: Latte e Pomodori"),
        ("Chi devo chiamare?", "Faccende: Chiamare il nonno"),
        ("Abbiamo bisogno di latte?", "Sì, Lista della spesa: Latte"),
        (
            "Usciamo di casa oggi?",
            "Sì, oggi: Dentista alle 14:00 (Via Alta 5) e Cena con Marco alle 19:30 (Trattoria Roma)",
        ),
        ("Sono libero venerdì pomeriggio?", "Sì, venerdì pomeriggio: niente in calendario"),
    ),
    "nl": (
        ("Gaan we vanavond uit?", "Ja, vandaag: Diner met Marco om 19:30 uur (Trattoria Roma)"),
        ("Moet ik morgen vroeg opstaan?", "Morgen: Vlucht naar Oslo om 6:15 uur (Vliegveld)"),
        ("Komt er dit weekend iemand langs?", "Op zaterdag: Oma op bezoek"),
        ("Wat doen we zaterdag?", "Op zaterdag: Oma op bezoek"),
        ("Wanneer is mijn tandartsafspraak?", "Vandaag: Tandarts om 14:00 uur (Hoogstraat 5)"),
        ("Met wie eet ik vanavond?", "Vandaag: Diner met Marco om 19:30 uur (Trattoria Roma)"),
        ("Hoe lang duurt de wasmachine nog?", "Wasmachine resterende tijd: 34 min"),
        ("Is de droger klaar?", "Droger: finished"),
        ("Wat is de huismodus?", "Huismodus: Holiday"),
        ("Hoeveel vermogen gebruikt het koffiezetapparaat?", "Koffiezetapparaat vermogen: 870 W"),
        ("Heb ik vandaag een jas nodig?", "Vandaag: zonnig, 5 tot 13 °C, 5 % kans op regen"),
        ("Wat moet ik nog kopen?", "Boodschappenlijst: Melk en Tomaten"),
        ("Wie moet ik bellen?", "Taken: Opa bellen"),
        ("Hebben we melk nodig?", "Ja, Boodschappenlijst: Melk"),
        (
            "Gaan we vandaag de deur uit?",
            "Ja, vandaag: Tandarts om 14:00 uur (Hoogstraat 5) en Diner met Marco om 19:30 uur (Trattoria Roma)",
        ),
        ("Ben ik vrijdagmiddag vrij?", "Ja, vrijdagmiddag: niets in de agenda"),
    ),
    "pl": (
        (
            "Czy wychodzimy dziś wieczorem?",
            "Tak, dzisiaj: Kolacja z Marco o 19:30 (Trattoria Roma)",
        ),
        ("Czy muszę jutro wcześnie wstać?", "Jutro: Lot do Oslo o 6:15 (Lotnisko)"),
        ("Czy ktoś przyjeżdża w ten weekend?", "W sobotę: Wizyta babci"),
        ("Co robimy w sobotę?", "W sobotę: Wizyta babci"),
        ("Kiedy mam wizytę u dentysty?", "Dzisiaj: Dentysta o 14:00 (Rynek 5)"),
        ("Z kim jem dziś kolację?", "Dzisiaj: Kolacja z Marco o 19:30 (Trattoria Roma)"),
        ("Jaki jest tryb domu?", "Tryb domu: Holiday"),
        ("Jaka jest moc ekspresu?", "Moc ekspresu: 870 W"),
        (
            "Czy potrzebuję dzisiaj kurtki?",
            "Dzisiaj: słonecznie, od 5 do 13 °C, 5 % szans na deszcz",
        ),
        ("Co muszę kupić?", "Lista zakupów: Mleko i Pomidory"),
        ("Do kogo muszę zadzwonić?", "Zadania: Zadzwonić do dziadka"),
        (
            "Czy wychodzimy dzisiaj z domu?",
            "Tak, dzisiaj: Dentysta o 14:00 (Rynek 5) i Kolacja z Marco o 19:30 (Trattoria Roma)",
        ),
        ("Czy jestem wolny w piątek po południu?", "Tak, w piątek po południu: nic w kalendarzu"),
    ),
    "en": (
        ("Are we going out tonight?", "Yes, today: Dinner with Marco at 7:30 PM (Trattoria Roma)"),
        ("Do I have to get up early tomorrow?", "Tomorrow: Flight to Oslo at 6:15 AM (Airport)"),
        ("Is anyone coming over this weekend?", "On Saturday: Grandma visits"),
        ("What are we doing Saturday?", "On Saturday: Grandma visits"),
        ("Are we leaving the house on Monday?", "No, on Monday: Clean-up at 10:00 AM (Home)"),
        ("Are we leaving the house on Friday?", "On Friday: nothing in the calendar"),
        ("Who am I having dinner with?", "Today: Dinner with Marco at 7:30 PM (Trattoria Roma)"),
        ("When does the flight leave tomorrow?", "Tomorrow: Flight to Oslo at 6:15 AM (Airport)"),
        ("Where is my dentist appointment?", "Today: Dentist at 2:00 PM (Main Street 5)"),
        (
            "What's my last appointment today?",
            "Today: Dinner with Marco at 7:30 PM (Trattoria Roma)",
        ),
        ("Are you going out tonight?", None),
        ("Who is visiting the White House on Friday?", None),
        ("Should I go to the gym tonight?", None),
        ("Is the dryer finished?", "Yes, Dryer is finished"),
        ("Is the dryer done?", "Yes, Dryer is finished"),
        ("Is the washing machine done?", "No, Washing Machine is running"),
        ("How long until the washing machine is finished?", "Washing Machine Time Left: 34 min"),
        ("What's the house mode?", "House Mode: Holiday"),
        ("How much power is the coffee maker using?", "Coffee Maker Power: 870 W"),
        ("Is the vacuum stuck?", "Dusty is error"),
        ("How does the dryer work?", None),
        ("Which preset is the thermostat using?", "Thermostat: Comfort"),
        ("What app is the TV using?", "TV: Netflix"),
        ("Which app is the best?", None),
        ("What's on TV?", "TV: Dune"),
        ("Is the heating on?", "Thermostat is heat; Radiator is off"),
        ("Which room is the coldest?", "Kitchen: 18 °C"),
        ("Did I lock the front door?", "Front Door is locked"),
        ("Is the front door open?", None),
        ("Do I need a jacket?", "Today: sunny, 5 to 13 °C, 5% chance of rain"),
        ("Do I need an umbrella tomorrow?", "Yes, tomorrow: rainy, 6 to 10 °C, 85% chance of rain"),
        ("Should I wear a coat on Thursday?", "Tomorrow: rainy, 6 to 10 °C, 85% chance of rain"),
        ("What do I need to buy?", "Shopping List: Milk and Tomatoes"),
        ("Do we need milk?", "Yes, Shopping List: Milk"),
        ("Do we need butter?", None),
        ("Who do I have to call?", "Chores: Call Grandpa"),
        ("Do I have any tasks left?", "Chores: Clean the oven and Call Grandpa"),
    ),
}
