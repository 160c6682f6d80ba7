"""Somebody else to ask when the model does not answer."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Self

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent

from ..const import CONF_FALLBACK_AFTER, CONF_FALLBACK_AGENT, LOGGER, option
from ..models.client import Reason
from ..tools.assist.target_preview import found_by
from ..tools.executor import ToolExecutor
from .chat import speech_of

# What a model has answered, though badly: nobody else is asked then.
ANSWERED = frozenset(
    (Reason.CUT_SHORT, Reason.EMPTY, Reason.IN_DOUBT, Reason.NOT_DONE, Reason.REFUSED)
)

# The agents that wait for another one's answer at the moment, the first that was asked first.
_waiting: ContextVar[tuple[str, ...]] = ContextVar("waiting_agents", default=())


def is_asked_instead() -> bool:
    """Return True if the agent that is asked stands in for another one."""
    return bool(_waiting.get())


@dataclass(frozen=True, slots=True)
class Fallback:
    """The agent that is asked when the model does not answer.

    - It is asked in the same conversation, as if the sentence had been said to it.
    - It is asked by nobody that it waits for itself: no sentence goes round in circles.
    - Where it neither says nor does anything, nothing of it is left in the conversation.
    """

    agent_id: str
    seconds: float
    """For which the model may be silent before the agent is asked."""

    @classmethod
    def find(
        cls,
        hass: HomeAssistant,
        utterance: conversation.ConversationInput,
        options: Mapping[str, Any],
    ) -> Self | None:
        """Return the agent that the options of the one that heard name, if it can be asked."""
        agent_id = options.get(CONF_FALLBACK_AGENT)
        if not agent_id or agent_id in (*_waiting.get(), utterance.agent_id):
            return None
        if conversation.async_get_agent(hass, agent_id) is None:
            LOGGER.warning("%s, which %s falls back to, is not there", agent_id, utterance.agent_id)
            return None
        return cls(agent_id, option(options, CONF_FALLBACK_AFTER))

    def may_answer(self, tools: ToolExecutor | None) -> bool:
        """Return True if what it makes of a sentence changes nothing that our rules are about.

        Home Assistant's own agent knows none of them: no "don't", and nobody that it would ask before it
        opens a door. English that it does not understand word by word, it reads as something that it does.
        Where there are no tools of the turn yet, nobody knows.
        """
        if self.agent_id != conversation.HOME_ASSISTANT_AGENT:
            return True
        reading = tools.utterance.intent_match if tools else None
        if tools is None or reading is None or not reading.is_exact:
            return False
        if reading.is_question:
            return True
        if tools.utterance.asks or tools.manager.for_intent(reading.intent_type) is not None:
            return False
        # The agent has no tool for it, as it has none of Assist's: who asks before a door, asks here too.
        home = tools.utterance.home
        found = found_by(tools.api.hass, home, reading.slots, conversation.DOMAIN)
        return not any(each.is_access for each in found)

    async def async_answer(
        self,
        utterance: conversation.ConversationInput,
        log: conversation.ChatLog,
        ends: float,
    ) -> conversation.ConversationResult | None:
        """Let it answer, until a time of the loop's clock; None where it can't either."""
        before = len(log.content)
        token = _waiting.set((*_waiting.get(), utterance.agent_id))
        result: conversation.ConversationResult | None = None
        with _listening(log) as words:
            try:
                async with asyncio.timeout_at(ends):
                    result = await self._converse(utterance, log)
            except Exception as err:  # noqa: BLE001 - whoever it is, the first failure is told then
                LOGGER.warning("%s failed too: %r", self.agent_id, err)
                log.async_add_error(self.agent_id, err)
            finally:
                _waiting.reset(token)
        added = log.content[before:]
        acted = any(isinstance(item, conversation.ToolResultContent) for item in added)
        is_error = (
            result is None or result.response.response_type is intent.IntentResponseType.ERROR
        )
        if is_error and not (words or acted):
            del log.content[before:]
            return None
        if result and not added and (speech := speech_of(result.response)):
            # Not every agent writes into the conversation what it answers.
            log.async_add_assistant_content_without_tools(
                conversation.AssistantContent(agent_id=self.agent_id, content=speech)
            )
        return result

    async def _converse(
        self, utterance: conversation.ConversationInput, log: conversation.ChatLog
    ) -> conversation.ConversationResult:
        """Say to it what was heard, in the same conversation."""
        return await conversation.async_converse(
            log.hass,
            utterance.text,
            log.conversation_id,
            utterance.context,
            utterance.language,
            agent_id=self.agent_id,
            device_id=utterance.device_id,
            satellite_id=utterance.satellite_id,
            extra_system_prompt=utterance.extra_system_prompt,
        )


@contextmanager
def _listening(log: conversation.ChatLog) -> Iterator[list[str]]:
    """Collect what is heard while it is said."""
    words: list[str] = []
    listener = log.delta_listener

    def listen(log: conversation.ChatLog, delta: dict[str, Any]) -> None:
        if text := delta.get("content"):
            words.append(text)
        if listener:
            listener(log, delta)

    log.delta_listener = listen
    try:
        yield words
    finally:
        log.delta_listener = listener
