"""Prefill: the model reads the prompt before the user has finished speaking.

Slow hardware reads for half a minute the part that every sentence shares: instructions, home and
tools. A server caches its last prompt. Therefore it reads that part when speech begins, after a
start, and when the home has changed.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

from homeassistant.components import conversation
from homeassistant.core import CALLBACK_TYPE, HassJob, HomeAssistant, callback
from homeassistant.helpers import llm
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.helpers.event import async_call_later
from homeassistant.helpers.start import async_at_started
from homeassistant.util.ulid import ulid_now

from ..const import LOGGER, SIGNAL_MCP_TOOLS
from ..models.client import ModelClient, ModelError
from ..nlu.parser import load
from ..tools.api import AgentAPI
from .chat import asks_back

# Seconds without a change before the prefill: a start or a reload brings many changes at once.
_QUIET = 10.0
# Seconds for which an open microphone protects the server's cached conversation.
_ANSWER_AWAITED = 60.0
# Seconds until a prefill is given up: its server may be gone without notice.
_GIVEN_UP = 300.0


@dataclass(eq=False)
class PromptPrefill:
    """The prefill of a model's prompt.

    - A sentence waits only for the prefill of its own prompt.
    - There is no prefill while a sentence or the user's reply is pending: the server's cache then
      holds more than the prompt, and would lose it.
    - Failures are only logged: the next sentence will report them.
    """

    hass: HomeAssistant
    model: ModelClient
    api: AgentAPI
    prompt: str
    """The agent's instructions."""
    context: Callable[[str | None], llm.LLMContext]
    """Returns the context for a language."""
    changes: Counter[str] = field(default_factory=Counter)
    """How often each part of the prompt has changed."""
    _reading: asyncio.Task[None] | None = None
    _read: _Beginning | None = None
    _last: _Beginning | None = None
    _answering: int = 0
    _awaited_until: float = 0.0
    _timer: CALLBACK_TYPE | None = None

    @callback
    def async_start(self) -> CALLBACK_TYPE:
        """Prefill after Home Assistant's start and after changes; return the function to stop."""

        @callback
        def later(_hass: HomeAssistant | None = None) -> None:
            if self._timer:
                self._timer()
            self._timer = async_call_later(self.hass, _QUIET, HassJob(due, cancel_on_shutdown=True))

        async def due(_now: object) -> None:
            self._timer = None
            if self.hass.is_running:
                await self.async_prepare(None, only_if_changed=True)

        stops = [
            async_at_started(self.hass, later),
            self.api.watch.async_listen(later),
            async_dispatcher_connect(self.hass, SIGNAL_MCP_TOOLS, later),
        ]

        def stop() -> None:
            for each in stops:
                each()
            if self._timer:
                self._timer()
            if self._reading:
                self._reading.cancel()

        return stop

    async def async_prepare(self, language: str | None, *, only_if_changed: bool = False) -> None:
        """Have the model read the prompt, unless the server certainly has it cached."""
        if not only_if_changed:
            self.api.async_wake()
        if self._answering or self.hass.loop.time() < self._awaited_until:
            return
        if self._reading is None or self._reading.done():
            self._reading = self.hass.async_create_background_task(
                self._async_read(language, only_if_changed), "Reading the prompt"
            )
        await asyncio.wait({self._reading})

    async def _async_read(self, language: str | None, only_if_changed: bool) -> None:
        # The command parser needs Home Assistant's sentences and the language's vocabulary.
        language = language or self.hass.config.language
        await conversation.async_prepare_intents(self.hass, language)
        await self.hass.async_add_executor_job(load, language, self.api.watch.home.names)
        # A temporary log, which writes the same prompt as for a sentence.
        log = conversation.ChatLog(self.hass, ulid_now())
        try:
            await log.async_provide_llm_data(self.context(language), self.api, self.prompt)
            prompt = self._noted(log)
            if only_if_changed and prompt == self._read:
                return
            self._read = prompt
            async with asyncio.timeout(_GIVEN_UP):
                await self.model.read(log.content[0], log.llm_api)
        except asyncio.CancelledError:
            self._read = None
            raise
        except (ModelError, conversation.ConverseError, TimeoutError) as err:
            self._read = None
            LOGGER.debug("The prompt was not read beforehand: %r", err)

    def read_last(self) -> dict[str, Any]:
        """Return the prompt of the last sentence: its parts, and the names of its tools."""
        return asdict(self._last) if self._last else {}

    @contextmanager
    def answering(self, chat_log: conversation.ChatLog) -> Iterator[None]:
        """Block the prefill while a sentence is answered."""
        self._answering += 1
        try:
            yield
        finally:
            self._answering -= 1
            if asks_back(chat_log):
                self._awaited_until = self.hass.loop.time() + _ANSWER_AWAITED

    async def async_join(self, chat_log: conversation.ChatLog) -> None:
        """Wait for the prefill of this prompt; cancel any other one."""
        prompt = self._noted(chat_log)
        if self._reading is None or self._reading.done():
            return
        if self._read == prompt:
            await asyncio.wait({self._reading})
        else:
            self._reading.cancel()

    def _noted(self, log: conversation.ChatLog) -> _Beginning:
        """Return the prompt of a conversation; count the changes that invalidate the cache."""
        begins = _Beginning.of(log)
        if self._last and (changed := begins.other_than(self._last)):
            LOGGER.debug("The model has to read anew, as these changed: %s", ", ".join(changed))
            self.changes.update(changed)
        self._last = begins
        return begins


@dataclass(frozen=True, slots=True)
class _Beginning:
    """The prompt before the first sentence."""

    instructions: str
    home: str
    tools: tuple[str, ...]

    @classmethod
    def of(cls, log: conversation.ChatLog) -> Self:
        """Return the prompt of a conversation."""
        system = log.content[0]
        assert isinstance(system, conversation.SystemContent)
        home, tools = (log.llm_api.api_prompt, log.llm_api.tools) if log.llm_api else ("", ())
        instructions = system.content.replace(home, "") if home else system.content
        return cls(instructions, home, tuple(tool.name for tool in tools))

    def other_than(self, before: _Beginning) -> list[str]:
        """Return the names of the parts that differ."""
        return [
            part.name
            for part in fields(self)
            if getattr(self, part.name) != getattr(before, part.name)
        ]
