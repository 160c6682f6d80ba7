"""A second agent, which is asked where the first one fails."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Literal, override

from homeassistant.components import conversation
from homeassistant.components.conversation import AssistantContent, ConversationInput, UserContent
from homeassistant.const import MATCH_ALL
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import intent
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from ..agent import Agent, Answer, add_agent
from ..ollama import call

BED_LIGHT = call("intent__HassTurnOn", name="Bed Light")
BUILT_IN = conversation.HOME_ASSISTANT_AGENT
# Home Assistant's own sentences make nothing of it.
WISH = "how about some cosiness"
UNREACHABLE = "The model server can't be reached."
LOST = "The connection to the model was lost."
TOO_LONG = "That took too long, so I stopped."
# The agents are called the same: the second to be set up has a number.
FIRST = "conversation.jarvis_2"
SECOND = "conversation.jarvis"


async def add_first(second: Agent, url: str, **options: Any) -> Agent:
    """Set up an agent that falls back to the second one."""
    agent = await add_agent(second.hass, url, fallback_agent=SECOND, **options)
    return replace(agent, entity_id=FIRST)


def sentences(answer: Answer) -> list[str]:
    """Return what the user said, as the conversation has it."""
    return [item.content for item in answer.log if isinstance(item, UserContent)]


def answers(answer: Answer) -> list[tuple[str, str]]:
    """Return who said what, as the conversation has it."""
    return [
        (item.agent_id, item.content)
        for item in answer.log
        if isinstance(item, AssistantContent) and item.content
    ]


class Listening(conversation.AbstractConversationAgent):
    """An agent of the old kind, which knows no chat log; it does what it is told to."""

    def __init__(self, answer: Callable[[ConversationInput], Awaitable[str]]) -> None:
        """Take what makes its answer."""
        self._answer = answer
        self.utterance: list[ConversationInput] = []

    @property
    @override
    def supported_languages(self) -> list[str] | Literal["*"]:
        """Return all."""
        return MATCH_ALL

    @override
    async def async_process(self, user_input: ConversationInput) -> conversation.ConversationResult:
        """Answer."""
        self.utterance.append(user_input)
        response = intent.IntentResponse(language=user_input.language)
        response.async_set_speech(await self._answer(user_input))
        return conversation.ConversationResult(
            response=response, conversation_id=user_input.conversation_id
        )


def add_listening(
    hass: HomeAssistant, answer: Callable[[ConversationInput], Awaitable[str]]
) -> tuple[str, Listening]:
    """Add an agent of another integration; return its id, too."""
    entry = MockConfigEntry(domain="other", title="Other")
    entry.add_to_hass(hass)
    agent = Listening(answer)
    conversation.async_set_agent(hass, entry, agent)
    return entry.entry_id, agent


async def nobody(_: ConversationInput) -> str:
    raise HomeAssistantError("I am not at home either")


async def answer_hello(_: ConversationInput) -> str:
    return "Hello from the other one."
