"""Notes are made, told and forgotten by voice, in seven languages, with a restart in between."""

from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.notebook.notebook import NOTEBOOK, Notebook
from custom_components.voice_gateway.texts import async_text
from tests.agent import Agent
from tests.ollama import PlayedOllama, says

from ..tables import table

ROWS = table(__file__, "ROWS")
MODEL, RESTART = "model", "restart"
ANSWER = "?"
"""What the model answers."""


async def restart(hass: HomeAssistant) -> None:
    """Load the notes again from their file."""
    notebook = hass.data[NOTEBOOK] = Notebook(hass)
    await notebook.async_load()


@pytest.mark.parametrize("language", ROWS)
async def test_notes(agent: Agent, ollama: PlayedOllama, language: str) -> None:
    conversation_id = None
    wrong = []
    for sentence, outcome, notes in ROWS[language]:
        if outcome == RESTART:
            await restart(agent.hass)
            conversation_id = None
            continue
        ollama.script.clear()
        ollama.answers(*[says(ANSWER)] * 3)
        answer = await agent.hears(sentence, conversation_id, language=language)
        conversation_id = answer.conversation_id
        expected = ANSWER
        if outcome != MODEL:
            expected = await async_text(agent.hass, language, outcome, {"notes": notes})
        if answer.speech != expected:
            wrong.append((sentence, answer.speech, expected))
    assert not wrong, "\n".join(map(str, wrong))
