"""What a server leaves unanswered when it is asked what it is: that tells nothing, and is asked again."""

from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.models.openai import server as asked
from custom_components.voice_gateway.models.openai.server import OpenAIServer
from tests.openai import KEY, MODEL, PlayedOpenAI, of_kind

from .test_requests import LLAMA, PROPS

TOLD = [{"model_name": MODEL, "model_info": {"max_input_tokens": 4000}}]
CASES: dict[str, tuple[dict[str, Any], Any, tuple[str, int, int | None]]] = {
    "/model/info": ({"id": MODEL, "owned_by": "openai"}, {"data": TOLD}, ("LiteLLM", 4000, None)),
    "/props": (LLAMA, PROPS, ("llama.cpp", 4096, 2)),
}


@pytest.mark.parametrize("path", CASES)
async def test_what_was_not_answered_in_time_is_asked_once_more_later(
    hass: HomeAssistant, openai: PlayedOpenAI, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """A server that was busy for a moment would else be taken for another one for good."""
    info, told, learned = CASES[path]
    of_kind(openai, [info], {path: told})
    openai.silent.add(path)
    server = OpenAIServer(hass, openai.url, KEY)
    monkeypatch.setattr(asked, "_CURIOSITY", 0.05)
    guessed = await server.known(MODEL)
    # Until then nobody waits for it again.
    times = openai.requests.count(path)
    assert await server.known(MODEL) is guessed
    assert openai.requests.count(path) == times
    openai.silent.clear()
    monkeypatch.setattr(asked, "_CURIOSITY", 10)
    time = hass.loop.time
    monkeypatch.setattr(hass.loop, "time", lambda: time() + 90)
    known = await server.known(MODEL)
    assert (known.kind.name, known.context, known.slots) == learned
    # What is known now stays known.
    monkeypatch.setattr(hass.loop, "time", lambda: time() + 9000)
    assert await server.known(MODEL) is known
    monkeypatch.undo()


async def test_a_form_waits_for_what_who_speaks_does_not_wait_for(
    hass: HomeAssistant, openai: PlayedOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LiteLLM's proxy needs seconds for the first paths that it is asked for."""
    of_kind(openai, [{"id": MODEL, "owned_by": "openai"}], {"/model/info": {"data": []}})
    monkeypatch.setattr(asked, "_CURIOSITY", 0)
    assert (await OpenAIServer(hass, openai.url, KEY).kind()).name == "OpenAI-compatible"
    assert await OpenAIServer(hass, openai.url, KEY).tried() == "LiteLLM"
