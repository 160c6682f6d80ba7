"""Questions of everyday in a household: what no home can know is left to the model."""

from collections.abc import Mapping, Sequence

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest

from ..agent import add_agent
from ..ollama import PlayedOllama, says
from .asked_of_household import HOUSEHOLDS, OF_THE_WORLD
from .homes import NOW, furnish


@pytest.mark.parametrize("language", OF_THE_WORLD)
async def test_of_the_world_no_household_tells(
    hass: HomeAssistant, ollama: PlayedOllama, freezer: FrozenDateTimeFactory, language: str
) -> None:
    freezer.move_to(NOW)
    answers = await _answers(hass, ollama, language, OF_THE_WORLD[language])
    assert answers == dict.fromkeys(OF_THE_WORLD[language])


async def _answers(
    hass: HomeAssistant, ollama: PlayedOllama, language: str, questions: Sequence[str]
) -> Mapping[str, str | None]:
    """Return what is answered in a household; None where the model is asked."""
    for domain in ("homeassistant", "conversation", "intent", "llm"):
        assert await async_setup_component(hass, domain, {})
    await furnish(hass, HOUSEHOLDS[language])
    agent = await add_agent(hass, ollama.url)
    answers: dict[str, str | None] = {}
    for question in questions:
        ollama.script = [says("The model says it.")] * 5
        ollama.chats.clear()
        speech = (await agent.hears(question, language=language)).speech
        answers[question] = None if ollama.chats else speech
    return answers
