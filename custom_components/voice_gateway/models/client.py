"""What the turn asks of a model, whichever provider serves it."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import Any, Protocol

from homeassistant.components import conversation
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm

from ..const import DOMAIN
from ..redactor import Redactor
from .logprobs import TOKENS, TokenProbabilities, likely

type Delta = conversation.AssistantContentDeltaDict
type Deltas = AsyncGenerator[Delta]


class Reason(StrEnum):
    """Why a model gave no answer: the key of the sentence that says so."""

    UNREACHABLE = "server_unreachable"
    UNAUTHORIZED = "server_unauthorized"
    NOT_THE_SERVER = "not_the_server"
    SERVER_ERROR = "server_error"
    MODEL_NOT_FOUND = "model_not_found"
    NO_TOOLS = "model_without_tools"
    CONTEXT_EXCEEDED = "context_exceeded"
    CONNECTION_LOST = "connection_lost"
    CUT_SHORT = "answer_cut_short"
    TIMEOUT = "turn_timeout"
    EMPTY = "empty_answer"
    NOT_DONE = "not_done"
    IN_DOUBT = "in_doubt"
    ATTACHMENT = "attachment_not_supported"
    UNREADABLE = "attachment_unreadable"
    REFUSED = "model_refused"
    OVERLOADED = "server_overloaded"
    NO_CREDIT = "no_credit"


class ModelError(HomeAssistantError):
    """A model gave no answer, or none to its end.

    `reason` is also the translation key of the sentence for the user; `detail` holds the
    provider's own words, for the log. An error `of_generation` is that of the model, which wrote
    what its server cannot read: `written`, as far as it says so.
    """

    of_generation = False
    written = ""

    def __init__(self, reason: Reason, detail: str = "", *, model: str = "", **names: str) -> None:
        """Take the reason, the provider's words, the model, and what else its sentence names."""
        super().__init__(
            translation_domain=DOMAIN,
            translation_key=reason,
            translation_placeholders={"model": model, **names},
        )
        self.reason = reason
        self.detail = detail

    def hide(self, redactor: Redactor, length: int) -> None:
        """Take secrets out of the provider's words, of which so many letters are kept."""
        self.detail = redactor.text(self.detail)[:length]


@dataclass(slots=True)
class Completion:
    """How one message of a model ended; filled in while it is streamed.

    Counts are tokens, durations seconds; what a provider does not tell stays None. `prompt_tokens`
    are all that the model was given, `cached_tokens` those of them that the provider had in mind;
    `context` is how many prompt and answer may have together.
    """

    finish_reason: str | None = None
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    answer_tokens: int | None = None
    context: int | None = None
    prompt_seconds: float | None = None
    answer_seconds: float | None = None
    load_seconds: float | None = None
    likely: list[TokenProbabilities] = field(default_factory=list)
    """What could have been written instead of its first tokens, where that was asked for."""

    def note_likely(self, told: Any) -> None:
        """Take what a server tells of tokens; of more than were asked for, none is kept."""
        self.likely += islice(likely(told), TOKENS - len(self.likely))


class ModelClient(Protocol):
    """A model with its options, as an agent uses it."""

    @property
    def looks_before_it_answers(self) -> bool:
        """Whether it still calls the tools that it needs when it is told of a structure."""

    @property
    def fails_often(self) -> bool:
        """Whether the calls of half its last messages failed, as far as anybody counts."""

    def stream(
        self,
        content: Sequence[conversation.Content],
        tools: llm.APIInstance | None,
        completion: Completion,
        *,
        structure: Mapping[str, Any] | None = None,
    ) -> Deltas:
        """Ask for the next message and stream it.

        `content` is the whole conversation, every call in it with its result; `tools` are those
        that may be called. `structure` is the JSON schema of an object that the message has to be,
        unless it calls tools: a provider that can holds the model to it, so that it may still
        arrive broken. Yields deltas as `ChatLog.async_add_delta_content_stream` takes them, the
        first with its role, and fills in `completion`. Raises ModelError.
        """

    async def weigh(
        self, content: Sequence[conversation.Content], answers: Sequence[str]
    ) -> Mapping[str, float] | None:
        """Return how likely the next message begins with each answer, 1 in all; None if unknown.

        It is unknown, too, where the model would say something else. Raises ModelError.
        """

    async def sees(self) -> bool:
        """Return True if files can be looked at, pictures at least. Raises ModelError."""

    async def read(self, prompt: conversation.Content, tools: llm.APIInstance | None) -> None:
        """Read ahead what conversations begin with, if that is free. Raises ModelError."""
