"""What the words of events and conditions watch, and when it happens."""

from collections.abc import Mapping
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.setup import async_setup_component
import pytest

from custom_components.voice_gateway.home.exposed import Home
from custom_components.voice_gateway.nlu.parser import parse
from custom_components.voice_gateway.nlu.time_resolution import TimeType
from custom_components.voice_gateway.nlu.tokenizer import Text
from custom_components.voice_gateway.nlu.triggers import StateTrigger, async_find_trigger
from tests.rows import rows

from ..tables import table

EVENTS, NOBODY_KNOWS, KINDS = (
    table(__file__, each) for each in ("EVENTS", "NOBODY_KNOWS", "KINDS")
)
AREAS = {
    "en": ("Kitchen", "Hall", "Garden"),
    "de": ("Küche", "Flur", "Garten"),
    "es": ("Cocina", "Pasillo", "Jardín"),
    "fr": ("Cuisine", "Couloir", "Jardin"),
    "it": ("Cucina", "Corridoio", "Giardino"),
    "nl": ("Keuken", "Gang", "Tuin"),
    "pl": ("Kuchnia", "Korytarz", "Ogród"),
}
LISTED = table(__file__, "LISTED")
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
NAMES = {
    language: dict(zip(STATES, names.split(", "), strict=False))
    for language, names in LISTED.items()
}
"""The names of the first entities, in each language."""


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
    watched = await async_find_trigger(hass, Text(words, language), home, None)
    so_before = watched.is_so() if watched else None
    for entity_id, _, after in each:
        become(hass, entity_id, after)
    so_after = watched.is_so() if watched else None
    for entity_id, *_ in each:
        become(hass, entity_id, STATES[entity_id][0])
    return (so_before, so_after) == (False, True) if watched else "unknown"


@rows("language", EVENTS)
async def test_it_happens_or_not(hass_: HomeAssistant, language: str) -> None:
    home = build(hass_, language)
    wrong = [
        (words, changes, found)
        for words, changes, expected in EVENTS[language]
        if (found := await happens(hass_, home, words, changes, language)) is not expected
    ]
    assert wrong == [], wrong


@rows("language", NOBODY_KNOWS)
async def test_nothing_shows_it(hass_: HomeAssistant, language: str) -> None:
    home = build(hass_, language)
    found = {
        words: watched
        for words in NOBODY_KNOWS[language]
        if (watched := await async_find_trigger(hass_, Text(words, language), home, None))
    }
    assert found == {}


@pytest.mark.parametrize("language", KINDS)
def test_what_happens_is_waited_for(language: str) -> None:
    found = {}
    for text, _ in KINDS[language]:
        (clause,) = parse(Text(text, language), ()).clauses
        (moment,) = clause.times
        found[text] = f"{moment.type} {moment.sun}".strip()
        assert bool(moment.condition) is not bool(moment.sun), text
    assert found == dict(KINDS[language])


WATCHED = (
    ("en", "the entry door has been open for 15 minutes", "binary_sensor.entry", 900, False),
    ("en", "the entry door stays open for more than an hour", "binary_sensor.entry", 3600, False),
    ("en", "there has been no motion in the hall for ten minutes",
     "binary_sensor.motion", 600, False),
    ("en", "the garage door opens", "cover.garage", 0, True),
    ("en", "the garage door is open", "cover.garage", 0, False),
    ("en", "a window in the kitchen opens",
     "binary_sensor.window_1 binary_sensor.window_2", 0, True),
    ("en", "nobody is home", "person.anna person.ben", 0, False),
    ("en", "it's dark", "", 0, False),
    ("de", "die Eingangstür seit 15 Minuten offen ist", "binary_sensor.entry", 900, False),
    ("de", "die Eingangstür länger als eine Viertelstunde offen bleibt",
     "binary_sensor.entry", 900, False),
    ("es", "la puerta de entrada lleve 15 minutos abierta", "binary_sensor.entry", 900, False),
    ("fr", "la porte d'entrée est ouverte depuis 15 minutes", "binary_sensor.entry", 900, False),
    ("it", "la porta d'ingresso è aperta da 15 minuti", "binary_sensor.entry", 900, False),
    ("nl", "de voordeur langer dan 15 minuten openstaat", "binary_sensor.entry", 900, False),
    ("pl", "drzwi wejściowe są otwarte od 15 minut", "binary_sensor.entry", 900, False),
)  # fmt: skip
"""By language: words, what they watch, for how many seconds it has to be so, and whether it is an event."""


async def test_what_is_watched_and_how_long(hass_: HomeAssistant) -> None:
    wrong = []
    for language, words, *expected in WATCHED:
        home = build(hass_, language)
        watched = await async_find_trigger(hass_, Text(words, language), home, None)
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
            watched = await async_find_trigger(
                hass_, Text(words, language), home, None, user_id="anna's"
            )
            assert watched, words
            assert watched.entity_ids == {"person.anna"}
            assert watched.is_so() is is_so
    home = build(hass_, "en")

    async def watches(user_id: str | None) -> StateTrigger | None:
        return await async_find_trigger(
            hass_, Text("I get home", "en"), home, None, user_id=user_id
        )

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
        watched = await async_find_trigger(hass_, Text(words, "en"), home, None)
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
    watched = await async_find_trigger(
        hass_, Text(words, language), home, None, kind=TimeType.UNTIL
    )
    assert bool(watched) is is_watched


@rows(
    ("language", "words", "command", "entity_id"),
    table(__file__, "test_it_is_what_the_command_is_about"),
)
async def test_it_is_what_the_command_is_about(
    hass_: HomeAssistant, language: str, words: str, command: str, entity_id: str
) -> None:
    home = build(hass_, language)
    watched = await async_find_trigger(
        hass_, Text(words, language), home, None, command=Text(command, language)
    )
    assert (watched.entity_ids if watched else frozenset()) == frozenset(entity_id.split())


async def test_exception_that_denies_twice(hass_: HomeAssistant) -> None:
    home = build(hass_, "it")
    words = "il cancello non sia aperto"
    watched = await async_find_trigger(hass_, Text(words, "it"), home, None, kind=TimeType.UNLESS)
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
    watched = await async_find_trigger(
        hass_, Text("the smart lock gets unlocked", "en"), home, None
    )
    assert watched
    assert watched.entity_ids == {"lock.front"}


async def test_language_without_phrases_watches_nothing(hass_: HomeAssistant) -> None:
    home = build(hass_, "en")
    assert await async_find_trigger(hass_, Text("the garage door opens", "xx"), home, None) is None


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
    watched = await async_find_trigger(hass_, Text(words, "en"), home, None)
    assert watched
    assert watched.entity_ids == {"sensor.one", "sensor.two"}
    become(hass_, "sensor.one", "26")
    assert watched.is_so() is None
    become(hass_, "sensor.two", "26")
    assert watched.is_so()
    everywhere = "the temperature rises above 25 degrees"
    assert await async_find_trigger(hass_, Text(everywhere, "en"), home, None) is None
