"""Questions about calendars, lists and the weather of two homes, which no model is asked."""

from collections.abc import Sequence

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
import pytest

from custom_components.voice_gateway.answers.answerer import async_answer
from custom_components.voice_gateway.answers.handler import HomeAnswer
from custom_components.voice_gateway.home.exposed import Home
from custom_components.voice_gateway.nlu.tokenizer import Text

from .asked_of_homes import OF_FARM, OF_FLAT
from .homes import FARM, FLATS, NOW, Furniture, furnish


async def ask(
    hass: HomeAssistant, home: Home, text: str, language: str = "en"
) -> HomeAnswer | None:
    return await async_answer(
        hass, Text(text, language), language, home, speaker_area=None, context=Context()
    )


async def answers(hass: HomeAssistant, home: Home, text: str, language: str = "en") -> str | None:
    told = await ask(hass, home, text, language)
    return told.text if told else None


async def wrong_answers(
    hass: HomeAssistant,
    furniture: Furniture,
    asked: Sequence[tuple[str, str | None]],
    language: str = "en",
) -> list[tuple[str, str | None, str | None]]:
    """Return the questions of a home that are not answered as expected: with that, and the answer."""
    home = await furnish(hass, furniture)
    return [
        (text, expected, found)
        for text, expected in asked
        if (found := await answers(hass, home, text, language)) != expected
    ]


async def test_farm(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    freezer.move_to(NOW)
    assert await wrong_answers(hass, FARM, OF_FARM) == []


@pytest.mark.parametrize("language", OF_FLAT)
async def test_flat(hass: HomeAssistant, freezer: FrozenDateTimeFactory, language: str) -> None:
    freezer.move_to(NOW)
    assert await wrong_answers(hass, FLATS[language], OF_FLAT[language], language) == []


async def test_what_is_not_exposed_is_not_told(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    freezer.move_to(NOW)
    await furnish(hass, FARM)
    for entity_id in ("calendar.family", "todo.garden_tasks", "weather.forecast", "update.router"):
        async_expose_entity(hass, conversation.DOMAIN, entity_id, should_expose=False)
    home = Home.seen_by(hass, conversation.DOMAIN)
    hidden = ("Dentist", "tomatoes", "rainy", "Router")
    for question, _ in OF_FARM:
        told = await answers(hass, home, question) or ""
        assert not any(each in told for each in hidden), question
    assert await answers(hass, home, "What do I have tomorrow?") == (
        "Tomorrow: Review with Lisa at 9:30 AM"
    )


async def test_what_others_wrote_is_told_as_theirs(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    freezer.move_to(NOW)
    home = await furnish(hass, FARM)
    for question, is_ours in (
        ("What's on my calendar today?", False),
        ("How many appointments do I have tomorrow?", False),
        ("Is milk on the shopping list?", False),
        ("Am I free on Friday?", True),
        ("Will it rain tomorrow?", True),
        ("When is sunset?", True),
    ):
        told = await ask(hass, home, question)
        assert told
        assert told.is_ours is is_ours, question
