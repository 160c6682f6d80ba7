"""Tools of ours that are told what was said."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, override

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..home.exposed import Exposed, Home
from ..nlu.utterance import Utterance

type Targets = Sequence[Exposed] | None
"""The devices that alone may be acted upon; None: whatever the call is for."""
type Allow = Callable[[llm.IntentTool, Mapping[str, Any]], Targets]
"""Called before a corrected call is made, with the tool and the arguments that are meant instead.
Raises Refusal where that may not be done. What the model called has been allowed before."""


class ContextTool(llm.Tool):
    """A tool whose call is understood by what was said."""

    @abstractmethod
    async def async_call_in_context(
        self,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
        utterance: Utterance,
        allow: Allow,
        *,
        only: Targets = None,
    ) -> llm.ToolResult:
        """Make the call of a turn."""

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Make a call of which nobody spoke."""
        home = Home.seen_by(hass, llm_context.assistant)
        utterance = Utterance.empty(hass, llm_context.language, home)
        return await self.async_call_in_context(
            hass, tool_input, llm_context, utterance, lambda _tool, _arguments: None
        )
