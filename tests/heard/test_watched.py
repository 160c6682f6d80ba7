"""What the words of events and conditions watch, and when it happens."""

from collections.abc import Mapping
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.setup import async_setup_component
import pytest

from custom_components.voice_gateway.heard.moment import read
from custom_components.voice_gateway.heard.said import Kind
from custom_components.voice_gateway.heard.watched import Watched, async_watched
from custom_components.voice_gateway.home.exposed import Home

AREAS = {
    "en": ("Kitchen", "Hall", "Garden"),
    "de": ("Küche", "Flur", "Garten"),
    "es": ("Cocina", "Pasillo", "Jardín"),
    "fr": ("Cuisine", "Couloir", "Jardin"),
    "it": ("Cucina", "Corridoio", "Giardino"),
    "nl": ("Keuken", "Gang", "Tuin"),
    "pl": ("Kuchnia", "Korytarz", "Ogród"),
}
NAMES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "cover.garage": "Garage Door",
        "lock.front": "Smart Lock",
        "binary_sensor.entry": "Entry Door",
        "light.lamp": "Desk Lamp",
        "media_player.tv": "TV",
        "vacuum.robot": "Vacuum",
        "switch.washer": "Washing Machine",
        "sensor.outside": "Outdoor Temperature",
        "alarm_control_panel.alarm": "Alarm System",
        "binary_sensor.bell": "Doorbell",
    },
    "de": {
        "cover.garage": "Garagentor",
        "lock.front": "Haustürschloss",
        "binary_sensor.entry": "Eingangstür",
        "light.lamp": "Schreibtischlampe",
        "media_player.tv": "Fernseher",
        "vacuum.robot": "Saugroboter",
        "switch.washer": "Waschmaschine",
        "sensor.outside": "Außentemperatur",
        "alarm_control_panel.alarm": "Alarmanlage",
        "binary_sensor.bell": "Türklingel",
    },
    "es": {
        "cover.garage": "Portón",
        "lock.front": "Cerradura",
        "binary_sensor.entry": "Puerta de entrada",
        "light.lamp": "Lámpara",
        "media_player.tv": "Televisor",
        "vacuum.robot": "Aspiradora",
        "switch.washer": "Lavadora",
        "sensor.outside": "Temperatura exterior",
        "alarm_control_panel.alarm": "Alarma",
        "binary_sensor.bell": "Timbre",
    },
    "fr": {
        "cover.garage": "Portail",
        "lock.front": "Serrure",
        "binary_sensor.entry": "Porte d'entrée",
        "light.lamp": "Lampe",
        "media_player.tv": "Télé",
        "vacuum.robot": "Aspirateur",
        "switch.washer": "Lave-linge",
        "sensor.outside": "Température extérieure",
        "alarm_control_panel.alarm": "Alarme",
        "binary_sensor.bell": "Sonnette",
    },
    "it": {
        "cover.garage": "Cancello",
        "lock.front": "Serratura",
        "binary_sensor.entry": "Porta d'ingresso",
        "light.lamp": "Lampada",
        "media_player.tv": "Televisore",
        "vacuum.robot": "Robot",
        "switch.washer": "Lavatrice",
        "sensor.outside": "Temperatura esterna",
        "alarm_control_panel.alarm": "Allarme",
        "binary_sensor.bell": "Campanello",
    },
    "nl": {
        "cover.garage": "Garagedeur",
        "lock.front": "Slot",
        "binary_sensor.entry": "Voordeur",
        "light.lamp": "Bureaulamp",
        "media_player.tv": "Televisie",
        "vacuum.robot": "Stofzuiger",
        "switch.washer": "Wasmachine",
        "sensor.outside": "Buitentemperatuur",
        "alarm_control_panel.alarm": "Alarm",
        "binary_sensor.bell": "Deurbel",
    },
    "pl": {
        "cover.garage": "Brama",
        "lock.front": "Zamek",
        "binary_sensor.entry": "Drzwi wejściowe",
        "light.lamp": "Lampka",
        "media_player.tv": "Telewizor",
        "vacuum.robot": "Odkurzacz",
        "switch.washer": "Pralka",
        "sensor.outside": "Temperatura zewnętrzna",
        "alarm_control_panel.alarm": "Alarm",
        "binary_sensor.bell": "Dzwonek",
    },
}
STATES: Mapping[str, tuple[str, int | None, Mapping[str, Any]]] = {
    "cover.garage": ("closed", None, {"device_class": "garage"}),
    "lock.front": ("locked", None, {}),
    "binary_sensor.entry": ("off", None, {"device_class": "door"}),
    "light.lamp": ("off", None, {}),
    "media_player.tv": ("playing", None, {}),
    "vacuum.robot": ("docked", None, {}),
    "switch.washer": ("off", None, {}),
    "sensor.outside": ("6", None, {"device_class": "temperature", "unit_of_measurement": "°C"}),
    "alarm_control_panel.alarm": ("disarmed", None, {}),
    "binary_sensor.bell": ("off", None, {}),
    "binary_sensor.window_1": ("off", 0, {"device_class": "window"}),
    "binary_sensor.window_2": ("off", 0, {"device_class": "window"}),
    "sensor.humidity": ("50", 0, {"device_class": "humidity", "unit_of_measurement": "%"}),
    "sensor.warmth": ("21", 0, {"device_class": "temperature", "unit_of_measurement": "°C"}),
    "binary_sensor.motion": ("off", 1, {"device_class": "motion"}),
    "binary_sensor.motion_2": ("off", 2, {"device_class": "motion"}),
    "light.hall_1": ("off", 1, {}),
    "light.hall_2": ("off", 1, {}),
    "weather.home": ("sunny", None, {}),
    "person.anna": ("home", None, {"user_id": "anna's"}),
    "person.ben": ("home", None, {}),
}
"""By entity: its state, the number of its area if it has one, and its attributes."""

HAPPENS, NOT = True, False

EVENTS: Mapping[str, tuple[tuple[str, str, bool], ...]] = {
    "en": (
        ("the garage door opens", "cover.garage closed open", HAPPENS),
        ("the garage door is opened", "cover.garage closed open", HAPPENS),
        ("the garage door gets opened", "cover.garage open closed", NOT),
        ("the garage door is open", "cover.garage closed open", HAPPENS),
        ("someone opens the garage door", "cover.garage closed open", HAPPENS),
        ("the garage door closes again", "cover.garage open closed", HAPPENS),
        ("the entry door goes open", "binary_sensor.entry off on", HAPPENS),
        ("the entry door opens", "binary_sensor.entry on unavailable", NOT),
        ("the smart lock gets unlocked", "lock.front locked unlocked", HAPPENS),
        ("somebody unlocks the smart lock", "lock.front locked jammed", NOT),
        ("the smart lock locks", "lock.front unlocked locked", HAPPENS),
        ("the desk lamp goes off", "light.lamp on off", HAPPENS),
        ("the desk lamp turns on", "light.lamp off on", HAPPENS),
        ("the TV goes off", "media_player.tv playing off", HAPPENS),
        ("the TV stops playing", "media_player.tv playing paused", HAPPENS),
        ("the vacuum starts", "vacuum.robot docked cleaning", HAPPENS),
        ("the vacuum is done", "vacuum.robot cleaning docked", HAPPENS),
        ("the vacuum is done", "vacuum.robot cleaning returning", NOT),
        ("the washing machine is done", "switch.washer on off", HAPPENS),
        ("the washing machine has finished", "switch.washer on off", HAPPENS),
        ("the washing machine starts running", "switch.washer off on", HAPPENS),
        ("a window in the kitchen opens", "binary_sensor.window_2 off on", HAPPENS),
        ("all windows in the kitchen are closed", "binary_sensor.window_2 on off", HAPPENS),
        ("there is motion in the hall", "binary_sensor.motion off on", HAPPENS),
        ("there is motion in the hall", "binary_sensor.motion_2 off on", NOT),
        ("something moves in the hall", "binary_sensor.motion off on", HAPPENS),
        ("motion is detected in the hall", "binary_sensor.motion off on", HAPPENS),
        ("motion stops in the hall", "binary_sensor.motion on off", HAPPENS),
        ("Anna gets home", "person.anna not_home home", HAPPENS),
        ("Anna comes back home", "person.anna work home", HAPPENS),
        ("Anna arrives", "person.ben not_home home", NOT),
        ("Anna leaves the house", "person.anna home not_home", HAPPENS),
        ("Anna leaves", "person.anna home work", HAPPENS),
        ("nobody is home any more", "person.anna home not_home, person.ben away away", HAPPENS),
        ("everyone has left", "person.anna home not_home, person.ben home home", NOT),
        ("the last person leaves", "person.anna home not_home, person.ben away away", HAPPENS),
        ("the humidity in the kitchen rises above 65 percent", "sensor.humidity 60 66", HAPPENS),
        ("the humidity in the kitchen rises above 65 percent", "sensor.humidity 60 65", NOT),
        ("the outdoor temperature drops below 3 degrees", "sensor.outside 6 2.5", HAPPENS),
        ("the outdoor temperature exceeds 25 degrees", "sensor.outside 20 26", HAPPENS),
        ("the outdoor temperature reaches 10 degrees", "sensor.outside 6 10", HAPPENS),
        ("the outdoor temperature falls to 3 degrees", "sensor.outside 6 3", HAPPENS),
        ("it gets warmer than 25 degrees in the kitchen", "sensor.warmth 21 26", HAPPENS),
        ("it starts to rain", "weather.home sunny rainy", HAPPENS),
        ("it rains later", "weather.home sunny pouring", HAPPENS),
        ("it stops raining", "weather.home rainy cloudy", HAPPENS),
        (
            "the alarm system is triggered",
            "alarm_control_panel.alarm armed_away triggered",
            HAPPENS,
        ),
        ("the alarm system gets armed", "alarm_control_panel.alarm disarmed armed_home", HAPPENS),
        ("the doorbell rings", "binary_sensor.bell off on", HAPPENS),
    ),
    "de": (
        ("das Garagentor aufgeht", "cover.garage closed open", HAPPENS),
        ("das Garagentor geöffnet wird", "cover.garage closed open", HAPPENS),
        ("das Garagentor offen ist", "cover.garage closed open", HAPPENS),
        ("jemand das Garagentor öffnet", "cover.garage closed open", HAPPENS),
        ("das Garagentor wieder zu ist", "cover.garage open closed", HAPPENS),
        ("Geht das Garagentor zu", "cover.garage open closed", HAPPENS),
        ("Öffnet sich das Garagentor", "cover.garage open closed", NOT),
        ("die Eingangstür geschlossen wird", "binary_sensor.entry on off", HAPPENS),
        ("das Haustürschloss entriegelt wird", "lock.front locked unlocked", HAPPENS),
        ("jemand das Haustürschloss aufschließt", "lock.front locked unlocked", HAPPENS),
        ("die Schreibtischlampe angeht", "light.lamp off on", HAPPENS),
        ("die Schreibtischlampe ausgeschaltet wird", "light.lamp on off", HAPPENS),
        ("Geht die Schreibtischlampe aus", "light.lamp on off", HAPPENS),
        ("der Fernseher ausgeht", "media_player.tv playing off", HAPPENS),
        ("der Saugroboter fertig ist", "vacuum.robot cleaning docked", HAPPENS),
        ("der Saugroboter startet", "vacuum.robot docked cleaning", HAPPENS),
        ("die Waschmaschine fertig ist", "switch.washer on off", HAPPENS),
        ("die Waschmaschine nicht mehr läuft", "switch.washer on off", HAPPENS),
        ("in der Küche ein Fenster aufgeht", "binary_sensor.window_2 off on", HAPPENS),
        ("sich im Flur etwas bewegt", "binary_sensor.motion off on", HAPPENS),
        ("sich im Flur etwas bewegt", "binary_sensor.motion_2 off on", NOT),
        ("im Flur Bewegung erkannt wird", "binary_sensor.motion off on", HAPPENS),
        ("im Flur keine Bewegung mehr ist", "binary_sensor.motion on off", HAPPENS),
        ("Anna nach Hause kommt", "person.anna not_home home", HAPPENS),
        ("Kommt Anna heim", "person.anna not_home home", HAPPENS),
        ("Anna das Haus verlässt", "person.anna home not_home", HAPPENS),
        ("niemand mehr zu Hause ist", "person.anna home not_home, person.ben away away", HAPPENS),
        ("alle gegangen sind", "person.anna home not_home, person.ben home home", NOT),
        (
            "die Luftfeuchtigkeit in der Küche über 65 Prozent steigt",
            "sensor.humidity 60 66",
            HAPPENS,
        ),
        ("Fällt die Außentemperatur unter 3 Grad", "sensor.outside 6 2", HAPPENS),
        ("Fällt die Außentemperatur unter 3 Grad", "sensor.outside 6 4", NOT),
        ("die Außentemperatur 25 Grad überschreitet", "sensor.outside 20 26", HAPPENS),
        ("die Außentemperatur 10 Grad erreicht", "sensor.outside 6 10", HAPPENS),
        ("es in der Küche wärmer als 25 Grad wird", "sensor.warmth 21 26", HAPPENS),
        ("es anfängt zu regnen", "weather.home sunny rainy", HAPPENS),
        ("es aufhört zu regnen", "weather.home rainy sunny", HAPPENS),
        (
            "die Alarmanlage ausgelöst wird",
            "alarm_control_panel.alarm armed_home triggered",
            HAPPENS,
        ),
        (
            "die Alarmanlage scharf geschaltet wird",
            "alarm_control_panel.alarm disarmed armed_away",
            HAPPENS,
        ),
        ("die Türklingel klingelt", "binary_sensor.bell off on", HAPPENS),
    ),
    "es": (
        ("se abra el portón", "cover.garage closed open", HAPPENS),
        ("el portón se cierre", "cover.garage open closed", HAPPENS),
        ("alguien abra el portón", "cover.garage closed open", HAPPENS),
        ("el portón esté abierto", "cover.garage open closed", NOT),
        ("se desbloquee la cerradura", "lock.front locked unlocked", HAPPENS),
        ("se encienda la lámpara", "light.lamp off on", HAPPENS),
        ("la lámpara se apague", "light.lamp on off", HAPPENS),
        ("se apague el televisor", "media_player.tv playing off", HAPPENS),
        ("la lavadora termine", "switch.washer on off", HAPPENS),
        ("la lavadora haya terminado", "switch.washer on off", HAPPENS),
        ("se abra una ventana de la cocina", "binary_sensor.window_1 off on", HAPPENS),
        ("haya movimiento en el pasillo", "binary_sensor.motion off on", HAPPENS),
        ("se detecte movimiento en el pasillo", "binary_sensor.motion_2 off on", NOT),
        ("Anna llegue a casa", "person.anna not_home home", HAPPENS),
        ("Anna salga de casa", "person.anna home not_home", HAPPENS),
        ("no haya nadie en casa", "person.anna home not_home, person.ben away away", HAPPENS),
        (
            "la humedad de la cocina suba por encima de 65 por ciento",
            "sensor.humidity 60 66",
            HAPPENS,
        ),
        ("la temperatura exterior baje de 3 grados", "sensor.outside 6 2", HAPPENS),
        ("la temperatura exterior supere los 25 grados", "sensor.outside 20 26", HAPPENS),
        ("empiece a llover", "weather.home sunny rainy", HAPPENS),
        ("deje de llover", "weather.home rainy sunny", HAPPENS),
        ("suene el timbre", "binary_sensor.bell off on", HAPPENS),
    ),
    "fr": (
        ("le portail s'ouvre", "cover.garage closed open", HAPPENS),
        ("quelqu'un ferme le portail", "cover.garage open closed", HAPPENS),
        ("le portail est ouvert", "cover.garage closed open", HAPPENS),
        ("la serrure est déverrouillée", "lock.front locked unlocked", HAPPENS),
        ("la lampe s'allume", "light.lamp off on", HAPPENS),
        ("la lampe s'éteint", "light.lamp on off", HAPPENS),
        ("la télé s'éteint", "media_player.tv playing off", HAPPENS),
        ("le lave-linge a fini", "switch.washer on off", HAPPENS),
        ("le lave-linge soit terminé", "switch.washer on off", HAPPENS),
        ("une fenêtre de la cuisine s'ouvre", "binary_sensor.window_1 off on", HAPPENS),
        ("il y a du mouvement dans le couloir", "binary_sensor.motion off on", HAPPENS),
        ("quelque chose bouge dans le couloir", "binary_sensor.motion_2 off on", NOT),
        ("Anna rentre à la maison", "person.anna not_home home", HAPPENS),
        ("Anna s'en va", "person.anna home not_home", HAPPENS),
        ("il n'y a plus personne à la maison", "person.anna home x, person.ben away away", HAPPENS),
        ("l'humidité dans la cuisine dépasse 65 pour cent", "sensor.humidity 60 66", HAPPENS),
        ("la température extérieure passe en dessous de 3 degrés", "sensor.outside 6 2", HAPPENS),
        ("la température extérieure dépasse 25 degrés", "sensor.outside 20 26", HAPPENS),
        ("la température extérieure atteint 10 degrés", "sensor.outside 6 9", NOT),
        ("il commence à pleuvoir", "weather.home sunny rainy", HAPPENS),
        ("il arrête de pleuvoir", "weather.home rainy sunny", HAPPENS),
        ("la sonnette sonne", "binary_sensor.bell off on", HAPPENS),
        ("l'alarme se déclenche", "alarm_control_panel.alarm armed_away triggered", HAPPENS),
    ),
    "it": (
        ("si apre il cancello", "cover.garage closed open", HAPPENS),
        ("il cancello viene chiuso", "cover.garage open closed", HAPPENS),
        ("qualcuno apre il cancello", "cover.garage closed open", HAPPENS),
        ("la serratura viene sbloccata", "lock.front locked unlocked", HAPPENS),
        ("si accende la lampada", "light.lamp off on", HAPPENS),
        ("la lampada si spegne", "light.lamp on off", HAPPENS),
        ("il televisore si spegne", "media_player.tv playing off", HAPPENS),
        ("la lavatrice finisce", "switch.washer on off", HAPPENS),
        ("la lavatrice ha finito", "switch.washer off on", NOT),
        ("si apre una finestra in cucina", "binary_sensor.window_1 off on", HAPPENS),
        ("c'è movimento in corridoio", "binary_sensor.motion off on", HAPPENS),
        ("Anna torna a casa", "person.anna not_home home", HAPPENS),
        ("Anna esce di casa", "person.anna home not_home", HAPPENS),
        ("tutti sono usciti", "person.anna home not_home, person.ben away away", HAPPENS),
        ("l'umidità in cucina sale sopra il 65 percento", "sensor.humidity 60 66", HAPPENS),
        ("la temperatura esterna scende sotto i 3 gradi", "sensor.outside 6 2", HAPPENS),
        ("la temperatura esterna supera i 25 gradi", "sensor.outside 20 24", NOT),
        ("inizia a piovere", "weather.home sunny rainy", HAPPENS),
        ("smette di piovere", "weather.home rainy sunny", HAPPENS),
        ("suona il campanello", "binary_sensor.bell off on", HAPPENS),
        ("scatta l'allarme", "alarm_control_panel.alarm armed_away triggered", HAPPENS),
    ),
    "nl": (
        ("de garagedeur opengaat", "cover.garage closed open", HAPPENS),
        ("Gaat de garagedeur dicht", "cover.garage open closed", HAPPENS),
        ("de garagedeur geopend wordt", "cover.garage closed open", HAPPENS),
        ("iemand de garagedeur opendoet", "cover.garage closed open", HAPPENS),
        ("het slot wordt ontgrendeld", "lock.front locked unlocked", HAPPENS),
        ("de bureaulamp aangaat", "light.lamp off on", HAPPENS),
        ("de bureaulamp uit gaat", "light.lamp on off", HAPPENS),
        ("de televisie uitgaat", "media_player.tv playing off", HAPPENS),
        ("de wasmachine klaar is", "switch.washer on off", HAPPENS),
        ("de stofzuiger begint", "vacuum.robot docked error", NOT),
        ("er een raam in de keuken opengaat", "binary_sensor.window_1 off on", HAPPENS),
        ("er iets beweegt in de gang", "binary_sensor.motion off on", HAPPENS),
        ("Anna thuiskomt", "person.anna not_home home", HAPPENS),
        ("Anna het huis verlaat", "person.anna home not_home", HAPPENS),
        ("niemand meer thuis is", "person.anna home not_home, person.ben away away", HAPPENS),
        ("de buitentemperatuur onder de 3 graden zakt", "sensor.outside 6 2", HAPPENS),
        ("de buitentemperatuur 25 graden bereikt", "sensor.outside 20 25", HAPPENS),
        ("het begint te regenen", "weather.home sunny rainy", HAPPENS),
        ("het stopt met regenen", "weather.home rainy sunny", HAPPENS),
        ("de deurbel gaat", "binary_sensor.bell off on", HAPPENS),
        ("het alarm afgaat", "alarm_control_panel.alarm armed_away triggered", HAPPENS),
    ),
    "pl": (
        ("brama się otworzy", "cover.garage closed open", HAPPENS),
        ("brama zostanie zamknięta", "cover.garage open closed", HAPPENS),
        ("zamek zostanie odblokowany", "lock.front locked unlocked", HAPPENS),
        ("lampka się zapali", "light.lamp off on", HAPPENS),
        ("lampka zgaśnie", "light.lamp on off", HAPPENS),
        ("telewizor się wyłączy", "media_player.tv playing off", HAPPENS),
        ("pralka skończy", "switch.washer on off", HAPPENS),
        ("pralka skończy prać", "switch.washer off on", NOT),
        ("odkurzacz zacznie sprzątać", "vacuum.robot docked cleaning", HAPPENS),
        ("otworzy się jakieś okno w kuchni", "binary_sensor.window_1 off on", HAPPENS),
        ("coś się poruszy na korytarzu", "binary_sensor.motion off on", HAPPENS),
        ("Anna wróci do domu", "person.anna not_home home", HAPPENS),
        ("Anna wyjdzie z domu", "person.anna home not_home", HAPPENS),
        ("nikogo nie ma w domu", "person.anna home not_home, person.ben away away", HAPPENS),
        ("temperatura zewnętrzna spadnie poniżej 3 stopni", "sensor.outside 6 2", HAPPENS),
        ("temperatura zewnętrzna przekroczy 25 stopni", "sensor.outside 20 26", HAPPENS),
        ("temperatura zewnętrzna osiągnie 10 stopni", "sensor.outside 6 10", HAPPENS),
        ("zacznie padać deszcz", "weather.home sunny rainy", HAPPENS),
        ("przestanie padać", "weather.home rainy sunny", HAPPENS),
        ("zadzwoni dzwonek", "binary_sensor.bell off on", HAPPENS),
    ),
}
"""By language: words, the entities whose states change, each from which to which, and whether it happens."""

NOBODY_KNOWS: Mapping[str, tuple[str, ...]] = {
    "en": (
        "I get home",
        "we get home",
        "Julia gets home",
        "the porch light goes on",
        "the light in the hall goes on",
        "the lights in the hall go off",
        "the temperature rises",
        "the temperature rises above 25 degrees in the garden",
        "the timer goes off",
        "the film is over",
        "the dishwasher is done",
        "the desk lamp opens",
        "I turn on the desk lamp",
        "nobody opens the garage door",
        "the garage door opens and Anna is home",
        "the garage door opens halfway",
        "the garage door was opened yesterday",
        "the garage door has been open for a few minutes",
        "the sun sets",
        "",
    ),
    "de": (
        "ich nach Hause komme",
        "wir nach Hause kommen",
        "Julia nach Hause kommt",
        "das Licht im Flur angeht",
        "die Verandalampe angeht",
        "der Geschirrspüler fertig ist",
        "der Film zu Ende ist",
        "die Temperatur steigt",
        "niemand das Garagentor öffnet",
        "das Garagentor halb aufgeht",
        "ich aufwache",
    ),
    "es": (
        "llegue a casa",
        "Julia llegue a casa",
        "se encienda la luz del pasillo",
        "el lavavajillas termine",
        "termine la película",
        "nadie abra el portón",
        "el portón se abra a medias",
        "me despierte",
    ),
    "fr": (
        "je rentre",
        "Julia rentre à la maison",
        "la lumière du couloir s'allume",
        "le lave-vaisselle a fini",
        "le film soit fini",
        "personne n'ouvre le portail",
        "le portail s'ouvre à moitié",
    ),
    "it": (
        "torno a casa",
        "Julia torna a casa",
        "si accende la luce in corridoio",
        "la lavastoviglie finisce",
        "il film finisce",
        "nessuno apre il cancello",
        "il cancello si apre a metà",
    ),
    "nl": (
        "ik thuiskom",
        "Julia thuiskomt",
        "het licht in de gang aangaat",
        "de vaatwasser klaar is",
        "de film afgelopen is",
        "niemand de garagedeur opendoet",
        "de garagedeur half opengaat",
    ),
    "pl": (
        "wrócę do domu",
        "Julia wróci do domu",
        "zapali się światło w korytarzu",
        "zmywarka skończy",
        "skończy się film",
        "nikt się nie poruszy na korytarzu",
        "brama otworzy się do połowy",
    ),
}


KINDS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "en": (
        ("If the garage door is open, close it", "if"),
        ("If the garage door opens, turn on the lamp", "when"),
        ("If the doorbell rings, pause the TV", "when"),
        ("Close the window if it starts to rain", "when"),
        ("If it rains later, close the window", "when"),
        ("If it is raining, close the window", "if"),
        ("If the entry door has been open for 15 minutes, turn off the heating", "when"),
        ("If nobody opens the garage door, turn off the light", "if"),
        ("If nobody is moving in the hall, turn off the light", "if"),
        ("If the humidity rises above 65 percent, turn on the fan", "when"),
        ("If the humidity is above 65 percent, turn on the fan", "if"),
        ("Once I get home, turn on the lamp", "when"),
        ("Every time the garage door opens, turn on the lamp", "whenever"),
        ("When the sun sets, close the blinds", "at sunset"),
        ("If it gets dark, turn on the lamp", "at dusk"),
        ("If it is dark, turn on the lamp", "if"),
        ("Whenever the sun rises, open the blinds", "every sunrise"),
        ("Leave the lamp on until it gets dark", "until dusk"),
        ("Turn off the lamp unless the TV is on", "unless"),
    ),
    "de": (
        ("Wenn das Garagentor offen ist, mach es zu", "if"),
        ("Wenn das Garagentor aufgeht, mach das Licht an", "when"),
        ("Geht das Garagentor auf, mach das Licht an", "when"),
        ("Ist das Garagentor offen, mach es zu", "if"),
        ("Wenn es klingelt, pausiere den Fernseher", "when"),
        ("Wenn es regnet, mach das Fenster zu", "if"),
        ("Wenn es anfängt zu regnen, mach das Fenster zu", "when"),
        ("Wenn das Fenster seit 15 Minuten offen ist, schalte die Heizung aus", "when"),
        ("Wenn sich im Flur etwas bewegt, mach das Licht an", "when"),
        ("Wenn sich im Flur nichts bewegt, mach das Licht aus", "if"),
        ("Fällt die Außentemperatur unter 3 Grad, fahr die Markise ein", "when"),
        ("Wenn ich nach Hause komme, mach das Licht an", "when"),
        ("Wenn wir nach Hause kommen, mach das Licht an", "when"),
        ("Immer wenn das Garagentor aufgeht, mach das Licht an", "whenever"),
        ("Wenn die Sonne untergeht, fahr die Rollläden runter", "at sunset"),
        ("Geht die Sonne auf, fahr die Rollläden hoch", "at sunrise"),
        ("Immer wenn es dunkel wird, mach das Licht an", "every dusk"),
        ("Wenn es dunkel ist, mach das Licht an", "if"),
    ),
    "es": (
        ("Si el portón está abierto, ciérralo", "if"),
        ("Si se abre el portón, enciende la luz", "when"),
        ("Si empieza a llover, cierra la ventana", "when"),
        ("Al llegar a casa, enciende la luz", "when"),
        ("Cuando se ponga el sol, enciende la luz", "at sunset"),
        ("Si oscurece, enciende la luz", "at dusk"),
    ),
    "fr": (
        ("Si le portail est ouvert, ferme-le", "if"),
        ("Si le portail s'ouvre, allume la lampe", "when"),
        ("Si la lampe est éteinte, allume-la", "if"),
        ("S'il commence à pleuvoir, ferme la fenêtre", "when"),
        ("En rentrant, allume la lampe", "when"),
        ("Quand le soleil se couche, allume la lampe", "at sunset"),
        ("Quand la nuit tombe, allume la lampe", "at dusk"),
    ),
    "it": (
        ("Se il cancello è aperto, chiudilo", "if"),
        ("Se si apre il cancello, accendi la luce", "when"),
        ("Se inizia a piovere, chiudi la finestra", "when"),
        ("Al mio arrivo, accendi la luce", "when"),
        ("Quando tramonta il sole, accendi la luce", "at sunset"),
        ("Ogni volta che diventa buio, accendi la luce", "every dusk"),
    ),
    "nl": (
        ("Als de garagedeur open is, doe hem dicht", "if"),
        ("Als de garagedeur opengaat, doe de lamp aan", "when"),
        ("Als het begint te regenen, doe het raam dicht", "when"),
        ("Als ik thuiskom, doe de lamp aan", "when"),
        ("Als de zon ondergaat, doe de lamp aan", "at sunset"),
        ("Telkens als het donker wordt, doe de lamp aan", "every dusk"),
    ),
    "pl": (
        ("Jeśli brama jest otwarta, zamknij ją", "if"),
        ("Jeśli brama się otworzy, włącz światło", "when"),
        ("Jeśli zacznie padać, zamknij okno", "when"),
        ("Jak wrócę do domu, włącz światło", "when"),
        ("Gdy zajdzie słońce, włącz światło", "at sunset"),
        ("Zawsze gdy zrobi się ciemno, włącz światło", "every dusk"),
    ),
}
"""By language: sentences, and the kind of their moment, with what the sun does then."""


@pytest.fixture
async def hass_(hass: HomeAssistant) -> HomeAssistant:
    for domain in ("homeassistant", "conversation"):
        assert await async_setup_component(hass, domain, {})
    return hass


def build(hass: HomeAssistant, language: str) -> Home:
    """Build a house where things have names of a language."""
    areas = [ar.async_get(hass).async_get_or_create(name).id for name in AREAS[language]]
    registry = er.async_get(hass)
    for entity_id, (state, area, attributes) in STATES.items():
        domain, object_id = entity_id.split(".")
        registry.async_get_or_create(domain, "test", object_id, suggested_object_id=object_id)
        default = object_id.capitalize() if domain == "person" else f"X {object_id}"
        name = NAMES[language].get(entity_id, default)
        place = None if area is None else areas[area]
        registry.async_update_entity(entity_id, area_id=place, name=name)
        hass.states.async_set(entity_id, state, {**attributes, "friendly_name": name})
        async_expose_entity(hass, conversation.DOMAIN, entity_id, should_expose=True)
    return Home.seen_by(hass, conversation.DOMAIN)


def become(hass: HomeAssistant, entity_id: str, state: str) -> None:
    old = hass.states.get(entity_id)
    assert old
    hass.states.async_set(entity_id, state, old.attributes)


async def happens(
    hass: HomeAssistant, home: Home, words: str, changes: str, language: str
) -> object:
    """Return whether words come true with some changes of states; "unknown" where nobody knows."""
    each = [change.split() for change in changes.split(", ")]
    for entity_id, before, _ in each:
        become(hass, entity_id, before)
    watched = await async_watched(hass, words, home, language, None)
    so_before = watched.is_so() if watched else None
    for entity_id, _, after in each:
        become(hass, entity_id, after)
    so_after = watched.is_so() if watched else None
    for entity_id, *_ in each:
        become(hass, entity_id, STATES[entity_id][0])
    return (so_before, so_after) == (False, True) if watched else "unknown"


@pytest.mark.parametrize("language", EVENTS)
async def test_it_happens_or_not(hass_: HomeAssistant, language: str) -> None:
    home = build(hass_, language)
    wrong = [
        (words, changes, found)
        for words, changes, expected in EVENTS[language]
        if (found := await happens(hass_, home, words, changes, language)) is not expected
    ]
    assert wrong == [], wrong


@pytest.mark.parametrize("language", NOBODY_KNOWS)
async def test_nothing_shows_it(hass_: HomeAssistant, language: str) -> None:
    home = build(hass_, language)
    found = {
        words: watched
        for words in NOBODY_KNOWS[language]
        if (watched := await async_watched(hass_, words, home, language, None))
    }
    assert found == {}


@pytest.mark.parametrize("language", KINDS)
def test_what_happens_is_waited_for(language: str) -> None:
    found = {}
    for text, _ in KINDS[language]:
        (clause,) = read(text, language, ()).clauses
        (moment,) = clause.moments
        found[text] = f"{moment.kind} {moment.sun}".strip()
        assert bool(moment.condition) is not bool(moment.sun), text
    assert found == dict(KINDS[language])


WATCHED = (
    ("en", "the entry door has been open for 15 minutes", "binary_sensor.entry", 900, False),
    (
        "en",
        "the entry door stays open for more than an hour",
        "binary_sensor.entry",
        3600,
        False,
    ),
    (
        "en",
        "there has been no motion in the hall for ten minutes",
        "binary_sensor.motion",
        600,
        False,
    ),
    ("en", "the garage door opens", "cover.garage", 0, True),
    ("en", "the garage door is open", "cover.garage", 0, False),
    (
        "en",
        "a window in the kitchen opens",
        "binary_sensor.window_1 binary_sensor.window_2",
        0,
        True,
    ),
    ("en", "nobody is home", "person.anna person.ben", 0, False),
    ("en", "it's dark", "", 0, False),
    ("de", "die Eingangstür seit 15 Minuten offen ist", "binary_sensor.entry", 900, False),
    (
        "de",
        "die Eingangstür länger als eine Viertelstunde offen bleibt",
        "binary_sensor.entry",
        900,
        False,
    ),
    ("es", "la puerta de entrada lleve 15 minutos abierta", "binary_sensor.entry", 900, False),
    (
        "fr",
        "la porte d'entrée est ouverte depuis 15 minutes",
        "binary_sensor.entry",
        900,
        False,
    ),
    ("it", "la porta d'ingresso è aperta da 15 minuti", "binary_sensor.entry", 900, False),
    ("nl", "de voordeur langer dan 15 minuten openstaat", "binary_sensor.entry", 900, False),
    ("pl", "drzwi wejściowe są otwarte od 15 minut", "binary_sensor.entry", 900, False),
)
"""By language: words, what they watch, for how many seconds it has to be so, and whether it is an event."""


async def test_what_is_watched_and_how_long(hass_: HomeAssistant) -> None:
    wrong = []
    for language, words, *expected in WATCHED:
        home = build(hass_, language)
        watched = await async_watched(hass_, words, home, language, None)
        assert watched, words
        found = [" ".join(sorted(watched.entity_ids)), watched.held, watched.is_event]
        wrong += [(words, found)] if found != expected else []
    assert wrong == []


SPEAKERS = {
    "en": ("I get home", "I leave the house"),
    "de": ("ich nach Hause komme", "ich das Haus verlasse"),
    "es": ("llegue a casa", "salga de casa"),
    "fr": ("je rentre à la maison", "je pars"),
    "it": ("torno a casa", "esco di casa"),
    "nl": ("ik thuiskom", "ik vertrek"),
    "pl": ("wrócę do domu", "wyjdę z domu"),
}


async def test_who_speaks_is_known_by_the_user_or_as_the_only_person(hass_: HomeAssistant) -> None:
    for language, (comes, leaves) in SPEAKERS.items():
        home = build(hass_, language)
        for words, is_so in ((comes, True), (leaves, False)):
            watched = await async_watched(hass_, words, home, language, None, user_id="anna's")
            assert watched, words
            assert watched.entity_ids == {"person.anna"}
            assert watched.is_so() is is_so
    home = build(hass_, "en")

    async def watches(user_id: str | None) -> Watched | None:
        return await async_watched(hass_, "I get home", home, "en", None, user_id=user_id)

    assert await watches("somebody else's") is None
    async_expose_entity(hass_, conversation.DOMAIN, "person.ben", should_expose=False)
    home = Home.seen_by(hass_, conversation.DOMAIN)
    assert await watches(None)
    assert await watches("somebody else's") is None


async def test_nobody_knows_what_an_unavailable_entity_shows(hass_: HomeAssistant) -> None:
    """After a start it may take a while until it is there; what was meant is known even then."""
    home = build(hass_, "en")
    for entity_id, words, state in (
        ("sensor.outside", "the outdoor temperature drops below 3 degrees", "2"),
        ("cover.garage", "the garage door opens", "open"),
    ):
        become(hass_, entity_id, "unavailable")
        watched = await async_watched(hass_, words, home, "en", None)
        assert watched, words
        assert watched.is_so() is None
        become(hass_, entity_id, state)
        assert watched.is_so()


@pytest.mark.parametrize(
    ("language", "words", "is_watched"),
    [
        ("it", "il cancello non è aperto", False),  # "finché il cancello non è aperto"
        ("it", "il cancello è aperto", True),
        ("es", "no haya nadie en casa", True),
        ("en", "the garage door is not open", True),
    ],
)
async def test_until_something_is_not_so(
    hass_: HomeAssistant, language: str, words: str, is_watched: bool
) -> None:
    home = build(hass_, language)
    watched = await async_watched(hass_, words, home, language, None, kind=Kind.UNTIL)
    assert bool(watched) is is_watched


@pytest.mark.parametrize(
    ("language", "words", "command", "entity_id"),
    [
        ("en", "it has been open for 15 minutes", "close the garage door", "cover.garage"),
        ("en", "it is still on", "turn off the desk lamp", "light.lamp"),
        ("en", "it stops playing", "turn off the TV", "media_player.tv"),
        (
            "de",
            "sie länger als zehn Minuten an ist",
            "schalte die Schreibtischlampe aus",
            "light.lamp",
        ),
        ("nl", "hij klaar is", "zet de wasmachine uit", "switch.washer"),
        ("de", "sie nach Hause kommt", "schalte die Schreibtischlampe aus", ""),
        ("en", "it is open", "turn on the desk lamp", ""),
        ("en", "it is on", "turn off the light in the hall", ""),
        ("en", "it is on", "", ""),
    ],
)
async def test_it_is_what_the_command_is_about(
    hass_: HomeAssistant, language: str, words: str, command: str, entity_id: str
) -> None:
    home = build(hass_, language)
    watched = await async_watched(hass_, words, home, language, None, command=command)
    assert (watched.entity_ids if watched else frozenset()) == frozenset(entity_id.split())


async def test_exception_that_denies_twice(hass_: HomeAssistant) -> None:
    home = build(hass_, "it")
    words = "il cancello non sia aperto"
    watched = await async_watched(hass_, words, home, "it", None, kind=Kind.UNLESS)
    assert watched
    assert watched.is_so() is False
    become(hass_, "cover.garage", "open")
    assert watched.is_so()


async def test_lock_decides_over_the_sensor_that_is_called_like_it(hass_: HomeAssistant) -> None:
    home = build(hass_, "en")
    registry = er.async_get(hass_)
    registry.async_get_or_create("binary_sensor", "test", "lock", suggested_object_id="lock")
    sensor = {"device_class": "lock", "friendly_name": NAMES["en"]["lock.front"]}
    hass_.states.async_set("binary_sensor.lock", "off", sensor)
    async_expose_entity(hass_, conversation.DOMAIN, "binary_sensor.lock", should_expose=True)
    home = Home.seen_by(hass_, conversation.DOMAIN)
    watched = await async_watched(hass_, "the smart lock gets unlocked", home, "en", None)
    assert watched
    assert watched.entity_ids == {"lock.front"}


async def test_language_without_phrases_watches_nothing(hass_: HomeAssistant) -> None:
    home = build(hass_, "en")
    assert await async_watched(hass_, "the garage door opens", home, "xx", None) is None


async def test_several_of_one_area_watch_together_or_not_at_all(hass_: HomeAssistant) -> None:
    """The light of two is neither; the temperature that two show is so where both show it."""
    home = build(hass_, "en")
    warm = {"device_class": "temperature", "unit_of_measurement": "°C", "friendly_name": "Bell"}
    for object_id, place in (("one", "Hall"), ("two", "Hall"), ("three", "Garden")):
        entry = er.async_get(hass_).async_get_or_create(
            "sensor", "test", object_id, suggested_object_id=object_id
        )
        area = ar.async_get(hass_).async_get_or_create(place)
        er.async_get(hass_).async_update_entity(entry.entity_id, area_id=area.id)
        hass_.states.async_set(entry.entity_id, "20", warm)
        async_expose_entity(hass_, conversation.DOMAIN, entry.entity_id, should_expose=True)
    home = Home.seen_by(hass_, conversation.DOMAIN)
    words = "the temperature in the hall rises above 25 degrees"
    watched = await async_watched(hass_, words, home, "en", None)
    assert watched
    assert watched.entity_ids == {"sensor.one", "sensor.two"}
    become(hass_, "sensor.one", "26")
    assert watched.is_so() is None
    become(hass_, "sensor.two", "26")
    assert watched.is_so()
    everywhere = "the temperature rises above 25 degrees"
    assert await async_watched(hass_, everywhere, home, "en", None) is None
