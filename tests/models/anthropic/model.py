"""Asking a model of the stand-in for Anthropic's API."""

from collections.abc import Mapping, Sequence
from typing import Any

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import probatio

from custom_components.voice_gateway.models.anthropic.client import AnthropicClient
from custom_components.voice_gateway.models.anthropic.server import AnthropicServer
from custom_components.voice_gateway.models.client import Completion
from tests.anthropic import KEY, MODEL
from tests.extra_tools import ExtraAPI, ExtraTool

type Delta = conversation.AssistantContentDeltaDict

CONTEXT = llm.LLMContext(
    platform="test", context=None, language="en", assistant="conversation", device_id=None
)
SYSTEM = conversation.SystemContent("You are a voice assistant.")
HELLO: list[conversation.Content] = [SYSTEM, conversation.UserContent("Hi")]


def client(hass: HomeAssistant, **options: Any) -> AnthropicClient:
    """Return a model with an agent's options."""
    defaults: dict[str, Any] = {"model": MODEL, "max_tokens": 1024}
    return AnthropicClient(server=AnthropicServer(hass, KEY), **defaults | options)


def lights() -> ExtraTool:
    """Return a tool."""
    schema = probatio.Schema({probatio.Required("name"): str})
    return ExtraTool("turn_on", lambda name: {"result": f"{name} is on"}, parameters=schema)


async def api_instance(hass: HomeAssistant, *tools: llm.Tool) -> llm.APIInstance:
    """Return tools as an agent has them."""
    api = ExtraAPI(hass=hass, id="test", name="Test", tools=list(tools))
    return await api.async_get_api_instance(CONTEXT)


async def ask(
    model: AnthropicClient,
    content: Sequence[conversation.Content] = tuple(HELLO),
    tools: llm.APIInstance | None = None,
    *,
    structure: Mapping[str, Any] | None = None,
) -> tuple[list[Delta], Completion]:
    """Ask for the next message; return its deltas, and how it ended."""
    completion = Completion()
    deltas = [
        delta async for delta in model.stream(content, tools, completion, structure=structure)
    ]
    return deltas, completion


def said(deltas: Sequence[Delta]) -> list[str]:
    """Return the pieces of text."""
    return [text for delta in deltas if (text := delta.get("content"))]


def called(deltas: Sequence[Delta]) -> list[llm.ToolInput]:
    """Return the calls."""
    return [call for delta in deltas for call in delta.get("tool_calls") or ()]


class Talk:
    """A conversation in Home Assistant's own log, which runs the calls."""

    def __init__(
        self, hass: HomeAssistant, model: AnthropicClient, tools: llm.APIInstance | None = None
    ) -> None:
        """Begin it."""
        self.log = conversation.ChatLog(hass, "talk", content=[SYSTEM], llm_api=tools)
        self._model = model

    async def hears(self, sentence: str, *, rounds: int = 5) -> None:
        """Take a sentence, and ask the model until it calls nothing more."""
        self.log.async_add_user_content(conversation.UserContent(sentence))
        for _ in range(rounds):
            stream = self._model.stream(self.log.content, self.log.llm_api, Completion())
            async for _ in self.log.async_add_delta_content_stream("conversation.jarvis", stream):
                pass
            if not self.log.unresponded_tool_results:
                return
