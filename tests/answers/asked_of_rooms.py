"""What is asked of rooms and of what is noticed there, and the answer; None: a model's."""

from collections.abc import Mapping, Sequence
from typing import Any

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
OF_ROOMS: Mapping[str, Sequence[tuple[str, str | None]]] = {
    "en": (
        ("Is anybody in the garden?", "Yes, Garden Person is detected"),
        ("Is there anyone in the bedroom?", "Bedroom Motion is detected; Bedroom Person is clear"),
        ("Is somebody in the kitchen?", "Kitchen Motion is clear"),
        ("Is anybody in the attic?", None),
        ("Which shutters are more than 30 percent open?", "Kitchen Shutter"),
        ("Is any shutter more than half open?", "Yes, Kitchen Shutter"),
        ("Which shutters are less than 30% open?", "Bedroom Shutter"),
        ("Which shutters are more than 30 percent closed?", None),
        ("Are more than half of the shutters open?", None),
        ("How many lamps are brighter than half?", "1: Kitchen Lamp"),
        ("How many lamps are darker than half?", None),
        ("Is the fan slower than 50 percent?", "Yes, Fan is 40 %"),
        ("Which rooms have lights on?", "Bedroom and Kitchen"),
        ("In which rooms is a window open?", "Bedroom"),
        ("Which rooms have no lights on?", None),
        ("Which rooms have all lights on?", None),
        ("Which rooms are cold?", None),
        ("Which rooms are colder than 20 degrees?", "Bedroom: 19 °C"),
        ("What rooms are above 30 degrees?", "None"),
        ("Is any room below 20 degrees?", "Yes, Bedroom: 19 °C"),
        ("Are all rooms warmer than 20 degrees?", "No, Bedroom: 19 °C"),
        ("Is it warmer inside than outside?", "Yes, Inside: 19 to 23 °C; Garden T: 7 °C"),
        ("Is it warmer outside than inside?", "No, Garden T: 7 °C; Inside: 19 to 23 °C"),
        ("Is it warmer inside than in the bedroom?", None),
        ("Is it humid in the bedroom?", "Bedroom: 61%"),
        ("What day is it?", "Wednesday, April 2"),
        ("What day is it tomorrow?", "Thursday, April 3"),
        ("What day is it in Japan?", None),
        ("Is the heating on?", "Bedroom Thermostat is heat"),
        ("Is the thermostat heating?", "Yes, Bedroom Thermostat is heating"),
        ("Is the thermostat in the bedroom cooling?", "No, Bedroom Thermostat is heating"),
        ("Is there a leak in the kitchen?", "No, Kitchen Leak is dry"),
        ("Is there any smoke?", "Yes, Kitchen Smoke is detected"),
        ("Is there smoke in the bedroom?", None),
        ("Am I busy this afternoon?", "Yes, today: Dentist at 2:00 PM"),
        ("Are we busy on Friday?", "No, on Friday: nothing in the calendar"),
    ),
    "de": (
        ("Ist es drinnen wärmer als draußen?", "Ja, Drinnen: 19 bis 23 °C; Garten T: 7 °C"),
        ("Welcher Tag ist heute?", "Mittwoch, 2. April"),
        ("Ist jemand im Garten?", "Ja, Garten Person: Erkannt"),
        ("Welche Rollläden sind mehr als 30 Prozent offen?", "Küche Rollladen"),
        ("Wie viele Lampen sind heller als die Hälfte?", "1: Küche Lampe"),
        ("In welchen Zimmern ist Licht an?", "Küche und Schlafzimmer"),
        ("Heizt der Thermostat?", "Ja, Schlafzimmer Thermostat: Heizbetrieb"),
        ("Bin ich heute Nachmittag verplant?", "Ja, heute: Zahnarzt um 14:00 Uhr"),
    ),
    "es": (
        ("¿Qué día es hoy?", "El miércoles, el 2 de abril"),
        ("¿Hay alguien en el jardín?", "Sí, Jardín Persona: detectado"),
        ("¿Qué persianas están abiertas más del 30 por ciento?", "Cocina Persiana"),
        ("¿En qué habitaciones hay luces encendidas?", "Cocina y Dormitorio"),
        ("¿Está calentando el termostato?", "Sí, Dormitorio Termostato: calefacción"),
        ("¿Estoy ocupado esta tarde?", "Sí, hoy: Dentista a las 14:00"),
    ),
    "fr": (
        ("Quel jour sommes-nous ?", "Mercredi, le 2 avril"),
        ("Y a-t-il quelqu'un dans le jardin ?", "Oui, Jardin Personne : détecté"),
        ("Quels volets sont ouverts à plus de 30 pour cent ?", "Cuisine Volet"),
        ("Dans quelles pièces y a-t-il des lampes allumées ?", "Chambre et Cuisine"),
        ("Est-ce que le thermostat chauffe ?", "Oui, Chambre Thermostat : chauffe"),
        ("Suis-je pris cet après-midi ?", "Oui, aujourd’hui : Dentiste à 14 h"),
    ),
    "it": (
        ("Che giorno è oggi?", "Mercoledì, 2 aprile"),
        ("C'è qualcuno in giardino?", "Sì, Giardino Persona: rilevato"),
        ("Quali tapparelle sono aperte più del 30 per cento?", "Cucina Tapparella"),
        ("In quali stanze ci sono luci accese?", "Camera e Cucina"),
        ("Il termostato sta riscaldando?", "Sì, Camera Termostato: riscaldamento"),
        ("Sono occupato questo pomeriggio?", "Sì, oggi: Dentista alle 14:00"),
    ),
    "nl": (
        ("Welke dag is het vandaag?", "Woensdag, 2 april"),
        ("Is er iemand in de tuin?", "Ja, Tuin Persoon: gedetecteerd"),
        ("Welke rolluiken zijn meer dan half open?", "Keuken Rolluik"),
        ("In welke kamers is het licht aan?", "Keuken en Slaapkamer"),
        ("Is de thermostaat aan het verwarmen?", "Ja, Slaapkamer Thermostaat: verwarmen"),
        ("Ben ik vanmiddag bezet?", "Ja, vandaag: Tandarts om 14:00 uur"),
    ),
    "pl": (
        ("Jaki jest dzisiaj dzień?", "Środa, 2 kwietnia"),
        ("Czy ktoś jest w sypialni?", "Sypialnia Osoba: brak; Sypialnia Ruch: wykryto"),
        ("Które rolety są otwarte na więcej niż 30 procent?", "Kuchnia Roleta"),
        ("W których pokojach świecą się lampy?", "Kuchnia i Sypialnia"),
        ("Czy termostat grzeje?", "Tak, Sypialnia Termostat: grzanie"),
        ("Czy jestem zajęty dziś po południu?", "Tak, dzisiaj: Dentysta o 14:00"),
    ),
}
