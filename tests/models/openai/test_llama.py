"""llama.cpp's own server, as it comes in the embedded model's wheel, with the smallest model."""

from collections.abc import AsyncGenerator
from dataclasses import replace
import json
from pathlib import Path

from homeassistant.components import conversation
from homeassistant.const import CONF_URL
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest

from custom_components.voice_gateway.const import CONF_KIND, EntryKind
from custom_components.voice_gateway.models.api_server import SlotUser
from custom_components.voice_gateway.models.client import Completion, ModelError, Reason
from custom_components.voice_gateway.models.openai.client import OpenAIClient
from custom_components.voice_gateway.models.openai.server import OpenAIServer
from script.openai.process import llama_server
from tests.agent import add_agent

from .model import SAID, TOOLS, read
from .test_requests import picture

pytestmark = pytest.mark.live
MODEL = "qwen2.5-coder:0.5b"
SCHEMA = {
    "type": "object",
    "properties": {"animal": {"enum": ["dog", "cat"]}, "legs": {"type": "integer"}},
    "required": ["animal", "legs"],
}


class Llama:
    """The server, as `add_agent` takes it."""

    model = MODEL

    def __init__(self, url: str) -> None:
        """Take its address."""
        self.data = {CONF_KIND: EntryKind.OPENAI, CONF_URL: url}


@pytest.fixture
async def llama(socket_enabled: None) -> AsyncGenerator[str]:
    """The address of a server with two slots."""
    async with llama_server("0.5b", "--slots", "2", "--context", "4096") as url:
        yield url


async def test_a_real_server_is_known_and_asked(
    hass: HomeAssistant, llama: str, tmp_path: Path
) -> None:
    """One model for all: it takes seconds to load."""
    server = OpenAIServer(hass, llama)
    assert (await server.kind()).name == "llama.cpp"
    (shown,) = await server.models()
    assert (shown.id, shown.context, shown.sees) == (MODEL, 4096, False)
    known = await server.known(MODEL)
    assert (known.slots, known.calls_tools, known.has_system) == (2, True, True)
    client = OpenAIClient(server=server, model=MODEL, max_tokens=64, think=False, temperature=0)
    # What was read beforehand is not read again; with another seat it is.
    await client.read(SAID[0], TOOLS)
    first, other = Completion(), Completion()
    await read(client, completion=first)
    assert first.cached_tokens
    assert first.prompt_tokens
    assert first.prompt_tokens - first.cached_tokens < 60
    assert first.prompt_seconds
    await read(replace(client, seat=SlotUser()), completion=other)
    assert other.cached_tokens is not None
    assert other.prompt_tokens == first.prompt_tokens
    # Nothing was refused.
    assert server.learned() == {MODEL: []}
    # A structure is kept to.
    text, _, _ = await read(client, offered=None, structure=SCHEMA)
    assert json.loads(text).keys() == {"animal", "legs"}
    # What is too much is told for what it is.
    long = [SAID[0], conversation.UserContent(content="hello there " * 6000)]
    shown_picture = [SAID[0], picture(tmp_path / "door.png")]
    known.context, known.sees = None, True
    for content, reason in ((long, Reason.CONTEXT_EXCEEDED), (shown_picture, Reason.ATTACHMENT)):
        with pytest.raises(ModelError) as caught:
            await read(client, content, None)
        assert caught.value.reason is reason
    assert known.context == 4096


async def test_an_agent_of_a_real_server_answers(hass: HomeAssistant, llama: str) -> None:
    """Without tools: Assist's take the smallest computers minutes to read."""
    for domain in ("homeassistant", "conversation", "llm"):
        assert await async_setup_component(hass, domain, {})
    agent = await add_agent(hass, Llama(llama), tools=(), prompt="Be brief.", timeout=300)
    answer = await agent.hears("Say hello to Anna.")
    assert not answer.is_error, answer.speech
    assert answer.speech
