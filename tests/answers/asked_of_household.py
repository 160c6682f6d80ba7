"""A household in seven languages, what is asked there, and the words that the answer has; None: a model's.

The questions were written before it was looked at which of them are understood.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from .homes import BATTERY, CARBON, HUMIDITY, POWER, TEMPERATURE, Furniture

_NAMES: Final[Mapping[str, Sequence[str]]] = {
    "en": (
        "Kitchen", "Living Room", "Bedroom", "Office", "Bathroom", "Hallway", "Garage",
        "Ceiling Light", "Floor Lamp", "Bedroom Lamp", "Office Lamp", "Coffee Machine", "Fan",
        "Bedroom Window", "Kitchen Window", "Living Room Window", "Front Door", "Front Door Lock", "Garage Door", "Blinds",
        "Temperature", "Outdoor Temperature", "Humidity", "Washing Machine", "Phone", "Heating", "Speaker", "Vacuum",
        "Anna", "Work", "Family", "Dentist", "Shopping List", "Milk", "Bread",
    ),
    "de": (
        "Küche", "Wohnzimmer", "Schlafzimmer", "Büro", "Bad", "Flur", "Garage",
        "Küchenlicht", "Stehlampe", "Schlafzimmerlampe", "Bürolampe", "Kaffeemaschine", "Ventilator",
        "Schlafzimmerfenster", "Küchenfenster", "Wohnzimmerfenster", "Haustür", "Haustürschloss", "Garagentor", "Jalousien",
        "Temperatur", "Außentemperatur", "Luftfeuchtigkeit", "Waschmaschine", "Handy", "Heizung", "Lautsprecher", "Staubsauger",
        "Anna", "Arbeit", "Familie", "Zahnarzt", "Einkaufsliste", "Milch", "Brot",
    ),
    "fr": (
        "Cuisine", "Salon", "Chambre", "Bureau", "Salle de bain", "Couloir", "Garage",
        "Plafonnier", "Lampadaire", "Lampe de chevet", "Lampe du bureau", "Cafetière", "Ventilateur",
        "Fenêtre de la chambre", "Fenêtre de la cuisine", "Fenêtre du salon", "Porte d'entrée", "Serrure de la porte d'entrée", "Porte du garage", "Stores",
        "Température", "Température extérieure", "Humidité", "Lave-linge", "Téléphone", "Chauffage", "Enceinte", "Aspirateur",
        "Anna", "Travail", "Famille", "Dentiste", "Liste de courses", "lait", "pain",
    ),
    "es": (
        "Cocina", "Salón", "Dormitorio", "Despacho", "Baño", "Pasillo", "Garaje",
        "Luz de techo", "Lámpara de pie", "Lámpara de noche", "Lámpara del despacho", "Cafetera", "Ventilador",
        "Ventana del dormitorio", "Ventana de la cocina", "Ventana del salón", "Puerta de entrada", "Cerradura de la entrada", "Puerta del garaje", "Persianas",
        "Temperatura", "Temperatura exterior", "Humedad", "Lavadora", "Móvil", "Calefacción", "Altavoz", "Aspiradora",
        "Ana", "Trabajo", "Familia", "Dentista", "Lista de la compra", "leche", "pan",
    ),
    "it": (
        "Cucina", "Soggiorno", "Camera", "Studio", "Bagno", "Corridoio", "Garage",
        "Plafoniera", "Lampada da terra", "Lampada da notte", "Lampada dello studio", "Macchina del caffè", "Ventilatore",
        "Finestra della camera", "Finestra della cucina", "Finestra del soggiorno", "Porta d'ingresso", "Serratura della porta d'ingresso", "Porta del garage", "Tapparelle",
        "Temperatura", "Temperatura esterna", "Umidità", "Lavatrice", "Telefono", "Riscaldamento", "Cassa", "Aspirapolvere",
        "Anna", "Lavoro", "Famiglia", "Dentista", "Lista della spesa", "latte", "pane",
    ),
    "nl": (
        "Keuken", "Woonkamer", "Slaapkamer", "Kantoor", "Badkamer", "Gang", "Garage",
        "Keukenlamp", "Staande lamp", "Slaapkamerlamp", "Bureaulamp", "Koffiezetapparaat", "Ventilator",
        "Slaapkamerraam", "Keukenraam", "Woonkamerraam", "Voordeur", "Voordeurslot", "Garagedeur", "Jaloezieën",
        "Temperatuur", "Buitentemperatuur", "Luchtvochtigheid", "Wasmachine", "Telefoon", "Verwarming", "Luidspreker", "Stofzuiger",
        "Anna", "Werk", "Familie", "Tandarts", "Boodschappenlijst", "Melk", "Brood",
    ),
    "pl": (
        "Kuchnia", "Salon", "Sypialnia", "Biuro", "Łazienka", "Korytarz", "Garaż",
        "Lampa sufitowa", "Lampa stojąca", "Lampka nocna", "Lampka biurkowa", "Ekspres do kawy", "Wentylator",
        "Okno w sypialni", "Okno w kuchni", "Okno w salonie", "Drzwi wejściowe", "Zamek drzwi wejściowych", "Brama garażowa", "Rolety",
        "Temperatura", "Temperatura na zewnątrz", "Wilgotność", "Pralka", "Telefon", "Ogrzewanie", "Głośnik", "Odkurzacz",
        "Anna", "Praca", "Rodzina", "Dentysta", "Lista zakupów", "mleko", "chleb",
    ),
}  # fmt: skip


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
OF_THE_WORLD: Final[Mapping[str, Sequence[str]]] = {
    "en": (
        "How long until my parcel comes?",
        "What events are going on in New York?",
        "What's the next event at the library?",
        "Will there be any events downtown this weekend?",
        "Who will be attending the meeting this Friday?",
        "What's the weather in Paris?",
    ),
    "de": (
        "Wie lange dauert es, bis meine Bestellung eintrifft?",
        "Welche Veranstaltungen gibt es in München?",
        "Was ist die nächste Veranstaltung in der Bücherei?",
        "Gibt es dieses Wochenende Veranstaltungen in der Innenstadt?",
        "Wer nimmt am Freitag an der Besprechung teil?",
    ),
    "fr": (
        "Dans combien de temps arrive mon colis ?",
        "Quels événements y a-t-il à Lyon ?",
        "Quel est le prochain événement à la bibliothèque ?",
        "Qui participe à la réunion vendredi ?",
    ),
    "es": (
        "¿Cuánto falta para que llegue mi paquete?",
        "¿Qué eventos hay en Sevilla?",
        "¿Cuál es el próximo evento en la biblioteca?",
        "¿Quién va a la reunión el viernes?",
    ),
    "it": (
        "Quanto manca all'arrivo del mio pacco?",
        "Quali eventi ci sono a Milano?",
        "Qual è il prossimo evento in biblioteca?",
        "Chi partecipa alla riunione di venerdì?",
    ),
    "nl": (
        "Hoe lang duurt het nog tot mijn pakje komt?",
        "Welke evenementen zijn er in Rotterdam?",
        "Wat is het volgende evenement in de bibliotheek?",
        "Wie komen er vrijdag naar de vergadering?",
    ),
    "pl": (
        "Ile czasu zostało do przyjścia mojej paczki?",
        "Jakie wydarzenia są w Krakowie?",
        "Jakie jest następne wydarzenie w bibliotece?",
        "Kto będzie na spotkaniu w piątek?",
    ),
}
"""What no home can know: events of others, what comes by mail, who else comes, the weather elsewhere."""
