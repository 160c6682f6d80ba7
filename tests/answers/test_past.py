"""Questions about what was, on what a real recorder has kept; no model is asked."""

from typing import Any
from unittest.mock import patch

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.recorder import Recorder
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
import pytest
from sqlalchemy.exc import OperationalError

from custom_components.voice_gateway.answers.history import recorder
from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.home.exposed import Home
from custom_components.voice_gateway.tools.builtin import BuiltinTools
from custom_components.voice_gateway.tools.builtin.history import HistoryTool

from ..tables import table
from .homes import answers
from .past_home import EXCLUDED, NOW, furnish, rename

OF_PAST, OF_TOOL, OF_HIDDEN = (
    table(__file__, each) for each in ("OF_PAST", "OF_TOOL", "OF_HIDDEN")
)
ASSIST = llm.LLMContext(
    platform=DOMAIN, context=Context(), language="en", assistant="conversation", device_id=None
)


@pytest.fixture
def mock_recorder_before_hass(async_test_recorder: Any) -> None:
    """Have the recorder ready before Home Assistant is."""


@pytest.fixture
def recorder_config() -> dict[str, Any]:
    """Return a household's settings: one entity is not recorded."""
    return {"exclude": {"entities": [*EXCLUDED]}}


async def history(hass: HomeAssistant, **arguments: str) -> str:
    result = await HistoryTool().async_call(hass, llm.ToolInput("get_history", arguments), ASSIST)
    return str(result.data["error" if result.error else "result"])


async def test_what_was_is_told_in_seven_languages(
    recorder_mock: Recorder, hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    freezer.move_to(NOW)
    await furnish(hass, recorder_mock)
    wrong = []
    for language, asked in OF_PAST.items():
        home = await rename(hass, language)
        wrong += [
            (text, expected, found)
            for text, expected in asked
            if (found := await answers(hass, home, text, language)) != expected
        ]
    assert wrong == [], wrong


async def test_model_is_told_what_was_and_nothing_that_is_not_exposed(
    recorder_mock: Recorder, hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    freezer.move_to(NOW)
    await furnish(hass, recorder_mock)
    home = await rename(hass, "en")
    wrong = [
        (arguments, expected, found)
        for arguments, expected in OF_TOOL
        if (found := await history(hass, **arguments)) != expected
    ]
    assert wrong == [], wrong
    for text in OF_HIDDEN:
        told = await answers(hass, home, text, "en") or ""
        assert "Safe" not in told, text
        assert "3:" not in told, text
        told = await history(hass, name=text, when="today")
        assert told == f"No exposed device is called “{text}”"


async def test_database_that_fails_leaves_the_question_to_the_model(
    recorder_mock: Recorder, hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    freezer.move_to(NOW)
    await furnish(hass, recorder_mock)
    home = await rename(hass, "en")
    text = "When did the front door open?"
    assert await answers(hass, home, text, "en")
    fails = OperationalError("select", {}, Exception("database is locked"))
    with patch.object(recorder, "latest", side_effect=fails):
        assert await answers(hass, home, text, "en") is None
    with patch.object(recorder, "course", side_effect=fails):
        told = await history(hass, name="Front Door", when="today")
    assert told == "It can't be read now, or is too much: ask for less"


async def test_without_a_recorder_nothing_is_recorded(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    freezer.move_to(NOW)
    hass.states.async_set("light.bed", "on", {"friendly_name": "Bed Light"})
    for component in ("homeassistant", "conversation"):
        assert await async_setup_component(hass, component, {})
    async_expose_entity(hass, "conversation", "light.bed", should_expose=True)
    home = Home.seen_by(hass, "conversation")
    told = await answers(hass, home, "Was the bed light on yesterday?", "en")
    assert told == "Bed Light, yesterday: not recorded"
    assert BuiltinTools(hass, {}).tools(tells_home=True) == []


async def test_tool_is_for_who_may_know_of_the_home(
    recorder_mock: Recorder, hass: HomeAssistant
) -> None:
    builtin = BuiltinTools(hass, {})
    assert builtin.tools() == []
    (tool,) = builtin.tools(tells_home=True)
    assert tool.name == "get_history"
    assert tool.annotations.read_only
