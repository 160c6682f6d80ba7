"""An agent as someone in the home meets it: it hears a sentence and answers."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from homeassistant.components import conversation
from homeassistant.config_entries import ConfigSubentryData
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL, CONF_URL
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import intent, llm
from homeassistant.helpers.chat_session import async_get_chat_session
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import (
    CONF_KIND,
    CONF_REFLEX,
    CONF_TIMEOUT,
    DOMAIN,
    SUBENTRY_CONVERSATION,
    EntryKind,
)
from custom_components.voice_gateway.nlu.parser import load

from .ollama import MODEL


@dataclass(slots=True)
class Agent:
    """A conversation agent that was set up."""

    hass: HomeAssistant
    entry: MockConfigEntry
    entity_id: str

    async def hears(
        self,
        sentence: str,
        conversation_id: str | None = None,
        *,
        device_id: str | None = None,
        language: str = "en",
        user_id: str | None = None,
        on_delta: Callable[[dict[str, Any]], None] = lambda delta: None,
    ) -> Answer:
        """Say a sentence to it, as Assist's pipeline does, and wait for its answer.

        `on_delta` is called with each piece of the answer, as soon as it could be spoken.
        """
        deltas: list[dict[str, Any]] = []

        def listen(_: conversation.ChatLog, delta: dict[str, Any]) -> None:
            deltas.append(delta)
            on_delta(delta)

        context = Context(user_id=user_id)
        with (
            async_get_chat_session(self.hass, conversation_id, context=context) as session,
            conversation.async_get_chat_log(
                self.hass,
                session,
                conversation.ConversationInput(
                    text=sentence,
                    context=context,
                    conversation_id=session.conversation_id,
                    device_id=device_id,
                    satellite_id=None,
                    language=language,
                    agent_id=self.entity_id,
                ),
                chat_log_delta_listener=listen,
            ) as log,
        ):
            result = await conversation.async_converse(
                self.hass,
                sentence,
                session.conversation_id,
                context,
                language,
                agent_id=self.entity_id,
                device_id=device_id,
            )
        return Answer(result, list(log.content), deltas)


@dataclass(slots=True)
class Answer:
    """What an agent answered, the chat log of the conversation as it was then, and the deltas."""

    result: conversation.ConversationResult
    log: list[conversation.Content]
    deltas: list[dict[str, Any]]

    @property
    def speech(self) -> str:
        """What is spoken."""
        return str(self.result.response.speech["plain"]["speech"])

    @property
    def streamed(self) -> list[str]:
        """The pieces of text that came one by one."""
        return [
            delta["content"]
            for delta in self.deltas
            if delta.get("role") != "tool_result" and delta.get("content")
        ]

    @property
    def is_error(self) -> bool:
        """Whether Assist is told that something went wrong."""
        return self.result.response.response_type is intent.IntentResponseType.ERROR

    @property
    def conversation_id(self) -> str:
        """The conversation, to go on with it."""
        assert self.result.conversation_id
        return self.result.conversation_id

    @property
    def tool_calls(self) -> list[llm.ToolInput]:
        """All calls of the conversation."""
        return [call for item in self.log for call in getattr(item, "tool_calls", None) or ()]

    @property
    def tool_results(self) -> list[llm.ToolResult]:
        """All results of the conversation."""
        return [
            item.result for item in self.log if isinstance(item, conversation.ToolResultContent)
        ]


def calls_without_their_result(log: Iterable[conversation.Content]) -> list[str]:
    """Return what is not 1:1 in a chat log: results follow their message, in the calls' order."""
    wrong: list[str] = []
    open_calls: list[str] = []
    for item in log:
        if isinstance(item, conversation.ToolResultContent):
            if not open_calls or open_calls.pop(0) != item.tool_call_id:
                wrong.append(f"result of no call: {item.tool_name}")
            continue
        wrong += [f"call without result: {call}" for call in open_calls]
        made = item.tool_calls if isinstance(item, conversation.AssistantContent) else None
        open_calls = [call.id for call in made or ()]
    return wrong + [f"call without result: {call}" for call in open_calls]


@asynccontextmanager
async def in_time(seconds: float, *, at_least: float = 0) -> AsyncGenerator[None]:
    """Check that something takes so long at most, but for what a busy machine adds.

    That is less than any time limit that tests leave as it is: 15 seconds and more.
    """
    loop = asyncio.get_running_loop()
    began = loop.time()
    yield
    assert at_least <= loop.time() - began < seconds + 10


class Server(Protocol):
    """A model server of some provider."""

    @property
    def data(self) -> Mapping[str, Any]:
        """The data of its entry."""

    @property
    def model(self) -> str:
        """A model that is there."""


async def add_agent(
    hass: HomeAssistant,
    server: str | Server,
    *,
    model: str | None = None,
    tools: Iterable[str] = (llm.LLM_API_ASSIST,),
    provider_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> Agent:
    """Set up a model server, or Ollama's at an address, with one agent; `options` are the agent's.

    The model is asked also of what could be done without it, unless a test wants the reflex.
    """
    options.setdefault(CONF_REFLEX, False)
    if isinstance(server, str):
        data: Mapping[str, Any] = {CONF_KIND: EntryKind.OLLAMA, CONF_URL: server}
        model = model or MODEL
    else:
        data, model = server.data, model or server.model
    # What is loaded with the first sentence of all is none of anything that is timed.
    await hass.async_add_executor_job(load, "en")
    await hass.async_add_executor_job(import_module, "ollama")
    if CONF_TIMEOUT in options:
        # So that a time limit is not spent on reading Home Assistant's sentences for the first time.
        await conversation.async_prepare_intents(hass, "en")
    entry = MockConfigEntry(
        domain=DOMAIN,
        title=str(data[CONF_KIND]).capitalize(),
        data=data,
        options=provider_options or {},
        subentries_data=[
            ConfigSubentryData(
                data={CONF_MODEL: model, CONF_LLM_HASS_API: list(tools), **options},
                subentry_type=SUBENTRY_CONVERSATION,
                title="Jarvis",
                unique_id=None,
            )
        ],
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return Agent(hass, entry, "conversation.jarvis")
