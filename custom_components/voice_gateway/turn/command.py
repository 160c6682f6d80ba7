"""A sentence that may be a command: what Home Assistant's own sentences make of it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..const import (
    CONF_CONFIRM_AT_ONCE,
    CONF_SECOND_OPINION,
    DEFAULT_CONFIRM_AT_ONCE,
    DEFAULT_SECOND_OPINION,
    LOGGER,
)
from ..heard.sentences import (
    async_claims,
    async_confirmation,
    async_is_command,
    async_is_question,
    async_understand,
    denies,
)
from ..models.client import Deltas
from ..tools.executor import ToolExecutor
from ..written_call import WrittenCall
from .chat import Chat

type Reading[T] = Callable[[HomeAssistant, conversation.ConversationInput], Awaitable[T]]

# Seconds that an answer waits to learn whether it answers a command. Home Assistant needs some
# milliseconds, but when it reads a language for the first time.
_PATIENCE = 2.0


class Command:
    """What was said, held against what Home Assistant understands by it.

    - Of a command, nothing is said before something was done or the model has finished.
    - Home Assistant acts at most once, and only where nothing was done.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        heard: conversation.ConversationInput,
        chat: Chat,
        options: Mapping[str, Any],
        ends: float,
    ) -> None:
        """Take what was heard, the agent's options, and when the turn ends by the loop's clock."""
        self._hass = hass
        self._heard = heard
        self._chat = chat
        self._ends = ends
        self._confirms = options.get(CONF_CONFIRM_AT_ONCE, DEFAULT_CONFIRM_AT_ONCE)
        self._has_second_opinion = options.get(CONF_SECOND_OPINION, DEFAULT_SECOND_OPINION)
        self._is_one: bool | None = None

    async def is_one(self) -> bool:
        """Tell whether Home Assistant reads the sentence as a command."""
        if self._is_one is None:
            self._is_one = bool(await self._read(async_is_command))
        return self._is_one

    async def hold_back(self, stream: Deltas, tools: ToolExecutor, unsaid: list[str]) -> Deltas:
        """Keep what is said of a command until it is known whether something was done.

        What a model writes as a call is not to act where the user only asks something, and not to do
        the opposite of what was said.
        """
        async with aclosing(stream):
            async for delta in stream:
                if (text := delta.get("content")) and not tools.acted and await self.is_one():
                    unsaid.append(text)
                    del delta["content"]
                if any(isinstance(call, WrittenCall) for call in delta.get("tool_calls") or ()):
                    await self._tell_what_was_said(tools)
                if delta:
                    yield delta

    async def confirm(self, content: Sequence[conversation.Content]) -> bool:
        """Say what a message has done in Home Assistant's words, where nothing more is to do."""
        if not self._confirms:
            return False
        calls = {
            call.id: call for item in content for call in getattr(item, "tool_calls", None) or ()
        }
        done = [
            (calls[item.tool_call_id], item.result)
            for item in content
            if isinstance(item, conversation.ToolResultContent)
        ]
        if sentence := await async_confirmation(self._hass, self._heard, done):
            await self._chat.say(sentence)
        return bool(sentence)

    async def do(self, tools: ToolExecutor) -> bool:
        """Do what Home Assistant's own sentences make of a command, where the model did not."""
        if tools.acted or not self._has_second_opinion:
            return False
        self._has_second_opinion = False
        understood = await async_understand(self._hass, self._heard)
        if understood is None or (name := tools.name_for(understood.intent_type)) is None:
            return False
        call = llm.ToolInput(name, dict(understood.slots))
        result = await self._chat.call(call)
        if result.error:
            return False
        sentence = await async_confirmation(self._hass, self._heard, [(call, result)], understood)
        await self._chat.say(sentence or await self._chat.our_text("done"))
        return True

    def is_denied(self, answer: str) -> bool:
        """Tell whether an answer asks something, or says what is not."""
        return denies(self._heard.language, answer)

    async def is_claimed(self, answer: str) -> bool:
        """Tell whether an answer says that the command was carried out."""
        return await async_claims(self._hass, self._heard.language, answer)

    async def _tell_what_was_said(self, tools: ToolExecutor) -> None:
        """Let the tools know what Home Assistant makes of the sentence."""
        tools.only_asked = bool(await self._read(async_is_question))
        if not tools.only_asked and (understood := await self._read(async_understand)):
            tools.asked_for = understood.intent_type

    async def _read[T](self, reading: Reading[T]) -> T | None:
        """Return how Home Assistant reads the sentence, if it can tell soon."""
        patience = min(_PATIENCE, (self._ends - self._hass.loop.time()) / 2)
        try:
            async with asyncio.timeout(patience):
                return await reading(self._hass, self._heard)
        except TimeoutError:
            LOGGER.debug("Home Assistant's sentences took too long")
            return None
