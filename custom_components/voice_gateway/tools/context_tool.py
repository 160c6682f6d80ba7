"""Our tools whose calls use the utterance."""

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, override

from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.json import JsonObjectType
from lru import LRU

from ..const import DOMAIN
from ..home.exposed import Exposed, Home
from ..names.matching import words
from ..nlu.tokenizer import Text
from ..nlu.utterance import Utterance
from ..texts import async_text

type Targets = Sequence[Exposed] | None
"""The only devices that may be acted upon; None: the call's own targets."""
type Undos = Sequence[Callable[[], Awaitable[None]]]
"""Functions that undo the calls of a context."""
type Allow = Callable[[llm.IntentTool, Mapping[str, Any]], Targets]
"""Called before a corrected call is made, with its tool and arguments.

Raises Refusal if that is not allowed. The model's own call has been allowed before.
"""


_KEPT: Final = 256
UNDOS: HassKey[LRU[str, Undos]] = HassKey(f"{DOMAIN}_undos")
"""What undoes the calls of our own tools, by the id of the context."""


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


class RequestTool(ContextTool):
    """A tool of ours that passes on the user's words, and answers with a sentence.

    - Its call waits for the time of its clause, unless that is an argument.
    - After third-party text was read, a request with these words is needed, or consent.
    """

    requests: tuple[str, ...]
    """The lists of phrases with which users request it."""
    content: tuple[str, ...]
    """The arguments that consist of the user's words."""
    has_places = False
    """Whether it has an argument `places`."""
    is_for_later = True
    """Whether the time in its clause is that of the call; else it is an argument."""

    def is_requested(self, text: Text, arguments: Mapping[str, Any]) -> bool:
        """Return True if a text requests a call, with its content word by word."""
        said = f" {' '.join(text.words)} "
        own = (words(str(arguments[each])) for each in self.content if arguments.get(each))
        return text.says(*self.requests) and all(f" {' '.join(each)} " in said for each in own)


async def answered(
    context: CallContext,
    key: str,
    slots: Mapping[str, str] | None = None,
    *,
    is_error: bool = False,
) -> llm.ToolResult:
    """Return the result of a request: one of our texts in the user's language."""
    language = context.caller.language or context.hass.config.language
    text = await async_text(context.hass, language, key, slots)
    data: JsonObjectType = {"error": text, "result": text} if is_error else {"result": text}
    return llm.ToolResult(data=data, error=is_error)


def keep_undo(
    hass: HomeAssistant, caller: llm.LLMContext, undo: Callable[[], Awaitable[None]]
) -> None:
    """Keep what undoes a call that was made: "undo that" finds it by the call's context."""
    kept = hass.data.setdefault(UNDOS, LRU(_KEPT))
    context = caller.context or Context()
    kept[context.id] = [*kept.get(context.id, ()), undo]
