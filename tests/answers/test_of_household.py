"""Questions of everyday in a household: answered rightly without a model, or left to it."""

from collections.abc import Mapping, Sequence

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest

from ..agent import add_agent
from ..ollama import PlayedOllama, says
from .asked_of_household import ASKED, HOUSEHOLDS, OF_THE_WORLD, OTHER_WORDS
from .homes import NOW, furnish


@pytest.mark.parametrize("language", ASKED)
async def test_household(
    hass: HomeAssistant, ollama: PlayedOllama, freezer: FrozenDateTimeFactory, language: str
) -> None:
    freezer.move_to(NOW)
    answers = await _answers(hass, ollama, language, [each for each, _ in ASKED[language]])
    wrong = [
        (question, words, answer)
        for question, words in ASKED[language]
        if not _is_right(words, answer := answers[question])
    ]
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("language", OTHER_WORDS)
async def test_household_in_other_words(
    hass: HomeAssistant, ollama: PlayedOllama, freezer: FrozenDateTimeFactory, language: str
) -> None:
    freezer.move_to(NOW)
    expected = dict(OTHER_WORDS[language])
    assert await _answers(hass, ollama, language, [*expected]) == expected


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


def _is_right(words: Sequence[str] | None, answer: str | None) -> bool:
    """Return True if an answer has all words; of those with a bar between, one of them."""
    if words is None or answer is None:
        return words is answer
    said = answer.casefold()
    return all(any(word in said for word in each.casefold().split("|")) for each in words)
