"""Our tools whose calls use the utterance."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, override

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..home.exposed import Exposed, Home
from ..nlu.utterance import Utterance

type Targets = Sequence[Exposed] | None
"""The only devices that may be acted upon; None: the call's own targets."""
type Allow = Callable[[llm.IntentTool, Mapping[str, Any]], Targets]
"""Called before a corrected call is made, with its tool and arguments.

Raises Refusal if that is not allowed. The model's own call has been allowed before.
"""


@dataclass(frozen=True, slots=True)
class CallContext:
    """The context in which a turn makes a call."""

    hass: HomeAssistant
    caller: llm.LLMContext
    utterance: Utterance
    allow: Allow = lambda _tool, _arguments: None
    only: Targets = None


class ContextTool(llm.Tool):
    """A tool that interprets its call with the utterance."""

    @abstractmethod
    async def async_call_in_context(
        self, call: llm.ToolInput, context: CallContext
    ) -> llm.ToolResult:
        """Execute a turn's call."""

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Execute a call without an utterance."""
        home = Home.seen_by(hass, llm_context.assistant)
        utterance = Utterance.empty(hass, llm_context.language, home)
        return await self.async_call_in_context(
            tool_input, CallContext(hass, llm_context, utterance)
        )
