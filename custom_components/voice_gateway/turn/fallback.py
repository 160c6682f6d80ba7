"""The fallback agent, which is asked if the model does not answer."""

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

# Failures of a model that has answered, though badly: no fallback is asked.
ANSWERED = frozenset(
    (Reason.CUT_SHORT, Reason.EMPTY, Reason.IN_DOUBT, Reason.NOT_DONE, Reason.REFUSED)
)

# The agents that currently wait for a fallback, the first to be asked first.
_waiting: ContextVar[tuple[str, ...]] = ContextVar("waiting_agents", default=())


def is_asked_instead() -> bool:
    """Return True if the current agent is the fallback of another one."""
    return bool(_waiting.get())


@dataclass(frozen=True, slots=True)
class Fallback:
    """The agent that is asked if the model does not answer.

    - It is asked in the same conversation, with the same sentence.
    - It is never asked by an agent that it waits for itself: there is no cycle.
    - If it neither answers nor acts, it leaves no trace in the conversation.
    """

    agent_id: str
    seconds: float
    """The silence of the model after which it is asked."""

    @classmethod
    def find(
        cls,
        hass: HomeAssistant,
        utterance: conversation.ConversationInput,
        options: Mapping[str, Any],
    ) -> Self | None:
        """Return the fallback agent in the options of the current one, if it is available."""
        agent_id = options.get(CONF_FALLBACK_AGENT)
        if not agent_id or agent_id in (*_waiting.get(), utterance.agent_id):
            return None
        if conversation.async_get_agent(hass, agent_id) is None:
            LOGGER.warning("%s, which %s falls back to, is not there", agent_id, utterance.agent_id)
            return None
        return cls(agent_id, option(options, CONF_FALLBACK_AFTER))

    def may_answer(self, tools: ToolExecutor | None) -> bool:
        """Return True if its answer can't break a rule of this agent.

        Home Assistant's own agent has no such rules: it ignores "don't", opens doors without
        consent, and may take a sentence that it matches only in part for another command. It
        may therefore answer questions that it matches exactly, and commands that open no entry
        point and for which this agent has no tool. False without the tools of the turn.
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
        # The agent has no tool for it, as without Assist: entry points still require consent.
        home = tools.utterance.home
        found = found_by(tools.api.hass, home, reading.slots, conversation.DOMAIN)
        return not any(each.is_access for each in found)

    async def async_answer(
        self,
        utterance: conversation.ConversationInput,
        log: conversation.ChatLog,
        ends: float,
    ) -> conversation.ConversationResult | None:
        """Let it answer until a time of the event loop's clock; None if it fails too."""
        before = len(log.content)
        token = _waiting.set((*_waiting.get(), utterance.agent_id))
        result: conversation.ConversationResult | None = None
        with _listening(log) as words:
            try:
                async with asyncio.timeout_at(ends):
                    result = await self._converse(utterance, log)
            except Exception as err:  # noqa: BLE001 - whatever it is, the first failure is reported
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
            # Not every agent writes its answer into the conversation.
            log.async_add_assistant_content_without_tools(
                conversation.AssistantContent(agent_id=self.agent_id, content=speech)
            )
        return result

    async def _converse(
        self, utterance: conversation.ConversationInput, log: conversation.ChatLog
    ) -> conversation.ConversationResult:
        """Send it the sentence, in the same conversation."""
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
    """Collect the text while it is streamed."""
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
