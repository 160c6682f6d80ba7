"""Asking a model of the stand-in for servers that speak OpenAI's protocol."""

from collections.abc import Sequence
from contextlib import aclosing
from typing import Any

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import probatio

from custom_components.voice_gateway.models.client import Completion
from custom_components.voice_gateway.models.openai.client import OpenAIClient
from custom_components.voice_gateway.models.openai.server import OpenAIServer
from tests.extra_tools import ExtraTool
from tests.openai import KEY, MODEL, PlayedOpenAI

CONTEXT = llm.LLMContext(
    platform="test", context=None, language="en", assistant="conversation", device_id=None
)
SAID: list[conversation.Content] = [
    conversation.SystemContent(content="Be kind."),
    conversation.UserContent(content="Turn on the lamp"),
]

type Calls = list[tuple[str, dict[str, Any]]]


def tools(*names: str) -> llm.APIInstance:
    """Return tools of these names."""
    made = [ExtraTool(name, lambda **_: {}, parameters=probatio.Schema({})) for name in names]
    return llm.APIInstance(api=None, api_prompt="", llm_context=CONTEXT, tools=list(made))  # type: ignore[arg-type]


TOOLS = tools("HassTurnOn", "HassTurnOff", "GetDateTime")


def client(hass: HomeAssistant, openai: PlayedOpenAI, **options: Any) -> OpenAIClient:
    """Return a client of the stand-in's model."""
    server = OpenAIServer(hass, openai.url, KEY)
    fixed = {"model": MODEL, "max_tokens": 3000, "think": False, "temperature": 0}
    return OpenAIClient(server=server, **{**fixed, **options})


async def read(
    model: OpenAIClient,
    content: Sequence[conversation.Content] = tuple(SAID),
    offered: llm.APIInstance | None = TOOLS,
    completion: Completion | None = None,
    **more: Any,
) -> tuple[str, Calls, str]:
    """Ask a model; return what it says, calls and thinks."""
    said, called, thinks = [], [], []
    stream = model.stream(content, offered, completion or Completion(), **more)
    async with aclosing(stream) as deltas:
        async for delta in deltas:
            said.append(delta.get("content") or "")
            thinks.append(delta.get("thinking_content") or "")
            called += [(call.tool_name, call.tool_args) for call in delta.get("tool_calls") or ()]
    return "".join(said), called, "".join(thinks)
