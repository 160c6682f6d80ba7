"""Whether conditions are so, as far as what is exposed shows it."""

from collections.abc import Mapping
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.setup import async_setup_component
import pytest

from custom_components.voice_gateway.home.exposed import Home
from custom_components.voice_gateway.nlu.parser import parse
from custom_components.voice_gateway.nlu.state_evaluation import Evidence, async_resolve_conditions
from custom_components.voice_gateway.nlu.tokenizer import Text

from ..tables import table

YES, NO, UNKNOWN = True, False, None

ROOMS = {
    "en": ("Kitchen", "Bedroom"),
    "de": ("Küche", "Schlafzimmer"),
    "es": ("Cocina", "Dormitorio"),
    "fr": ("Cuisine", "Chambre"),
    "it": ("Cucina", "Camera"),
    "nl": ("Keuken", "Slaapkamer"),
    "pl": ("Kuchnia", "Sypialnia"),
}
THINGS = {
    "en": ("Garage Door", "Desk Lamp", "Front Door", "TV", "Vacuum", "Ceiling Light"),
    "de": ("Garagentor", "Schreibtischlampe", "Haustür", "Fernseher", "Sauger", "Deckenlicht"),
    "es": ("Portón", "Lámpara", "Puerta principal", "Televisor", "Aspiradora", "Luz del techo"),
    "fr": ("Portail", "Lampe", "Porte d'entrée", "Télé", "Aspirateur", "Plafonnier"),
    "it": ("Cancello", "Lampada", "Porta d'ingresso", "Televisore", "Robot", "Luce del soffitto"),
    "nl": ("Garagedeur", "Bureaulamp", "Voordeur", "Televisie", "Stofzuiger", "Plafondlamp"),
    "pl": ("Brama", "Lampka", "Drzwi wejściowe", "Telewizor", "Odkurzacz", "Lampa sufitowa"),
}
"""A cover, a light in the second room, a lock, a player, a vacuum, a light in the first room."""
COMMANDS = {
    "en": ("{}, turn on the fan", "if", "unless"),
    "de": ("{}, schalte den Ventilator ein", "wenn", "es sei denn,"),
    "es": ("{}, enciende el ventilador", "si", "a menos que"),
    "fr": ("{}, allume le ventilateur", "si", "sauf si"),
    "it": ("{}, accendi il ventilatore", "se", "a meno che"),
    "nl": ("{}, zet de ventilator aan", "als", "tenzij"),
    "pl": ("{}, włącz wentylator", "jeśli", "chyba że"),
}
STATES: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "cover.thing_0": ("open", {"device_class": "garage"}),
    "light.thing_1": ("on", {}),
    "lock.thing_2": ("locked", {}),
    "media_player.thing_3": ("playing", {}),
    "vacuum.thing_4": ("docked", {}),
    "light.thing_5": ("off", {}),
    "binary_sensor.window": ("on", {"device_class": "window", "friendly_name": "W 1"}),
    "binary_sensor.motion": ("off", {"device_class": "motion", "friendly_name": "M 1"}),
    "sensor.kitchen": (
        "21.5",
        {"device_class": "temperature", "unit_of_measurement": "°C", "friendly_name": "K 1"},
    ),
    "sensor.humidity": (
        "45",
        {"device_class": "humidity", "unit_of_measurement": "%", "friendly_name": "H 1"},
    ),
    "weather.home": (
        "rainy",
        {"temperature": -3, "temperature_unit": "°C", "friendly_name": "Forecast"},
    ),
    "person.anna": ("home", {"friendly_name": "Anna"}),
    "person.ben": ("work", {"friendly_name": "Ben"}),
}
IN_FIRST_ROOM = (
    "light.thing_5", "binary_sensor.window", "binary_sensor.motion", "sensor.kitchen",
    "sensor.humidity",
)  # fmt: skip

CONDITIONS: Mapping[str, tuple[tuple[str, bool | None], ...]] = table(__file__, "CONDITIONS")
COMMANDED = (
    ("If it is open, close the garage door", YES),
    ("If it is closed, open the garage door", NO),
    ("If it is open, turn on the desk lamp", UNKNOWN),
    ("If it is on, turn off the light", UNKNOWN),
)
"""Conditions of what the command is about."""
EXCEPTIONS = (
    ("en", "the garage door is open", YES),
    ("it", "il cancello non sia aperto", YES),
    ("it", "non ci sia nessuno a casa", UNKNOWN),
    ("es", "el portón no esté abierto", UNKNOWN),
    ("fr", "le portail est ouvert", YES),
    ("pl", "brama jest otwarta", YES),
)
"""After "unless", where a "not" may mean nothing."""


async def build(hass: HomeAssistant, language: str) -> Home:
    """Build a house where things have names of a language."""
    areas = [ar.async_get(hass).async_get_or_create(name).id for name in ROOMS[language]]
    registry = er.async_get(hass)
    for entity_id, (state, attributes) in STATES.items():
        domain, object_id = entity_id.split(".")
        if object_id.startswith("thing_"):
            name = THINGS[language][int(object_id[-1])]
            attributes = {**attributes, "friendly_name": name}  # noqa: PLW2901
        entry = registry.async_get_or_create(
            domain, "test", object_id, suggested_object_id=object_id
        )
        place = areas[0] if entity_id in IN_FIRST_ROOM else None
        place = areas[1] if entity_id == "light.thing_1" else place
        registry.async_update_entity(
            entry.entity_id, area_id=place, name=attributes["friendly_name"]
        )
        hass.states.async_set(
            entity_id, state, {**attributes, "friendly_name": attributes["friendly_name"]}
        )
        async_expose_entity(hass, conversation.DOMAIN, entity_id, should_expose=True)
    return Home.seen_by(hass, conversation.DOMAIN)


async def decides(
    hass: HomeAssistant, home: Home, text: str, language: str
) -> tuple[bool | None, Evidence | None]:
    """Return whether what a sentence asks for is to be done, as far as that is certain."""
    said = parse(Text(text, language), home.names)
    assert said.clauses[0].times, text
    decided = await async_resolve_conditions(hass, said, home, language, None)
    if not decided.said.clauses[0].times:
        return True, None
    return False if decided.unmet else None, decided.unmet


@pytest.fixture
async def house(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> HomeAssistant:
    """Home Assistant at noon in a June, somewhere in Europe."""
    await hass.config.async_update(latitude=50.0, longitude=10.0, time_zone="Europe/Berlin")
    freezer.move_to("2026-06-15 10:00:00+00:00")
    for domain in ("homeassistant", "conversation"):
        assert await async_setup_component(hass, domain, {})
    return hass


@pytest.mark.parametrize("language", CONDITIONS)
async def test_condition_is_so_or_not_or_nobody_knows(house: HomeAssistant, language: str) -> None:
    home = await build(house, language)
    sentence, if_, _ = COMMANDS[language]
    wrong = []
    for condition, expected in CONDITIONS[language]:
        is_so, _ = await decides(house, home, sentence.format(f"{if_} {condition}"), language)
        if is_so is not expected:
            wrong.append((condition, is_so))
    assert wrong == [], wrong


# On a June day in the middle of Europe, in UTC: between day and night nobody knows whether it is dark.
IN_THE_SKY: tuple[tuple[str, str, bool | None], ...] = (
    ("10:00", "the sun is up", YES),
    ("10:00", "it isn't dark outside", YES),
    ("10:00", "it is dark in here", UNKNOWN),
    ("19:05", "the sun is up", YES),
    ("19:05", "it's dark outside", UNKNOWN),
    ("19:50", "the sun is down", YES),
    ("19:50", "the sun is up", NO),
    ("19:50", "it's dark outside", UNKNOWN),
    ("23:00", "it's dark outside", YES),
    ("23:00", "it isn't dark outside", NO),
)


async def test_sun_tells_whether_it_is_dark(
    house: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    home = await build(house, "en")
    wrong = []
    for time, condition, expected in IN_THE_SKY:
        freezer.move_to(f"2026-06-15 {time}:00+00:00")
        is_so, _ = await decides(house, home, f"If {condition}, turn on the fan", "en")
        if is_so is not expected:
            wrong.append((time, condition, is_so))
    assert not wrong


async def test_there_is_where_the_command_is_for(house: HomeAssistant) -> None:
    """What is asked about there is told by its kind: motion is no light."""
    home = await build(house, "en")
    before = house.states.get("binary_sensor.motion")
    assert before
    house.states.async_set("binary_sensor.motion", "on", before.attributes)
    for text, expected in (
        ("If the light is off there, open the kitchen window", YES),
        ("If the light is on there, open the kitchen window", NO),
    ):
        assert (await decides(house, home, text, "en"))[0] is expected, text


async def test_condition_of_what_the_command_is_about(house: HomeAssistant) -> None:
    home = await build(house, "en")
    for text, is_so in COMMANDED:
        assert (await decides(house, home, text, "en"))[0] is is_so, text


@pytest.mark.parametrize("state", ["unavailable", "unknown"])
async def test_what_shows_nothing_may_be_as_said_or_not(house: HomeAssistant, state: str) -> None:
    """Neither all lights are on nor is one not, where one of two tells nothing."""
    home = await build(house, "en")
    text = "If all lights are on, close the garage door"
    for now, is_so in ((state, UNKNOWN), ("on", YES), ("off", NO)):
        before = house.states.get("light.thing_5")
        assert before
        house.states.async_set("light.thing_5", now, before.attributes)
        assert (await decides(house, home, text, "en"))[0] is is_so
    # One that is not on decides it, whatever another shows.
    for light, now in (("light.thing_5", state), ("light.thing_1", "off")):
        before = house.states.get(light)
        assert before
        house.states.async_set(light, now, before.attributes)
    assert (await decides(house, home, text, "en"))[0] is NO


# What is said; the kinds of the moments that are left of each command, what is met, what one is
# about, and what is so in the stead of what is not met.
DECIDED: tuple[tuple[str, list[list[bool | None]], list[str], list[str], str | None], ...] = table(
    __file__, "DECIDED"
)


async def test_conditions_that_are_met_are_left_out_and_others_are_marked(
    house: HomeAssistant,
) -> None:
    home = await build(house, "en")
    got = []
    for text, *_ in DECIDED:
        decided = await async_resolve_conditions(
            house, parse(Text(text, "en"), home.names), home, "en", None
        )
        left = [[each.is_met for each in clause.times] for clause in decided.said.clauses]
        about = [each.entity_id for each in decided.about]
        unmet = decided.unmet and decided.unmet.name
        got.append((text, left, [*decided.met], about, unmet))
    assert got == [*DECIDED]


async def test_exception_is_the_opposite(house: HomeAssistant) -> None:
    for language, condition, is_so in EXCEPTIONS:
        home = await build(house, language)
        sentence, _, unless = COMMANDS[language]
        done, _ = await decides(house, home, sentence.format(f"{unless} {condition}"), language)
        assert done is (None if is_so is None else not is_so), condition
