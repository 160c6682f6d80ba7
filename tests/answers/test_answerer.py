"""Questions about a house: answered from what is exposed, or left to a model."""

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest

from custom_components.voice_gateway.home.exposed import Home
from tests.nlu.test_triggers import build

from ..tables import table
from .homes import answers

ASKED = table(__file__, "ASKED")


@pytest.fixture
async def house(hass: HomeAssistant) -> HomeAssistant:
    for domain in ("homeassistant", "conversation"):
        assert await async_setup_component(hass, domain, {})
    return hass


@pytest.mark.parametrize("language", ASKED)
async def test_what_is_asked_is_answered_or_not(house: HomeAssistant, language: str) -> None:
    home = build(house, language)
    wrong = [
        (text, expected, found)
        for text, expected in ASKED[language]
        if (found := await answers(house, home, text, language)) != expected
    ]
    assert wrong == [], wrong


async def test_what_is_not_exposed_is_not_told(house: HomeAssistant) -> None:
    build(house, "en")
    async_expose_entity(house, conversation.DOMAIN, "light.hall_1", should_expose=False)
    async_expose_entity(house, conversation.DOMAIN, "cover.garage", should_expose=False)
    home = Home.seen_by(house, conversation.DOMAIN)
    assert await answers(house, home, "Which lights are off in the hall?", "en") == "X hall_2"
    found = await answers(house, home, "How many lights are off?", "en")
    assert found == "2: Desk Lamp and X hall_2"
    assert await answers(house, home, "Is the garage door open?", "en") is None


async def test_what_nobody_knows_is_said(house: HomeAssistant) -> None:
    home = build(house, "en")
    house.states.async_set(
        "sensor.warmth", "unavailable", {"unit_of_measurement": "°C", "device_class": "temperature"}
    )
    house.states.async_set("light.lamp", "unknown")
    assert (
        await answers(house, home, "How warm is it in the kitchen?", "en") == "Kitchen: not known"
    )
    assert await answers(house, home, "Is the desk lamp on?", "en") == "Desk Lamp is not known"


async def test_of_several_that_may_be_meant_all_are_told(house: HomeAssistant) -> None:
    home = build(house, "en")
    house.states.async_set("light.hall_1", "on")
    found = await answers(house, home, "Are the lights in the hall on?", "en")
    assert found == "X hall_1 is on; X hall_2 is off"


async def test_no_language_without_words_is_guessed(house: HomeAssistant) -> None:
    home = build(house, "en")
    assert await answers(house, home, "Is the garage door open?", "sv") is None
