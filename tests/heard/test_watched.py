"""What the words of events and conditions watch, and when it happens."""

from collections.abc import Mapping
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.setup import async_setup_component
import pytest

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
}


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
