"""Turns as the benches take them."""

from homeassistant.core import HomeAssistant
import pytest

from bench import agents
from custom_components.voice_gateway.const import DOMAIN
from tests.ollama import MODEL, Fault, PlayedOllama


async def test_a_turn_that_does_not_end_is_given_up(
    home: HomeAssistant, ollama: PlayedOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agents, "PATIENCE", 0.3)
    agent = await agents.async_add_agent(home, DOMAIN, ollama.url, MODEL)
    ollama.answers([Fault.HANG])
    turn = await agents.async_ask(home, agent, "Tell me a story")
    assert turn.speech == "raised TimeoutError()"
    assert not turn.content
