"""The interface of a model, independent of its provider."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from homeassistant.components import conversation
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm

from ..const import DOMAIN
from .logprobs import TokenProbabilities

type Delta = conversation.AssistantContentDeltaDict
type Deltas = AsyncGenerator[Delta]


class Reason(StrEnum):
    """Why a model gave no answer; the translation key of the sentence for the user."""

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
    """A model gave no answer, or an incomplete one.

    `detail` holds the provider's own words, for the log. An error `of_generation` is the model's:
    its server could not parse its output, which is `written` if the server quotes it.
    """

    of_generation = False
    written = ""

    def __init__(self, reason: Reason, detail: str = "", *, model: str = "", **names: str) -> None:
        """Take the reason, the provider's words, the model, and the sentence's placeholders."""
        super().__init__(
            translation_domain=DOMAIN,
            translation_key=reason,
            translation_placeholders={"model": model, **names},
        )
        self.reason = reason
        self.detail = detail


@dataclass(slots=True)
class Completion:
    """The statistics of one message of a model; filled in while it is streamed.

    Counts are tokens, durations seconds; values that a provider omits stay None. `prompt_tokens`
    includes `cached_tokens`, those that the provider read from its cache; `context` is the limit
    for prompt and answer together.
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
    """The alternatives to its first `logprobs.TOKENS` tokens, if they were requested."""


class ModelClient(Protocol):
    """A model with an agent's options."""

    @property
    def looks_before_it_answers(self) -> bool:
        """Whether the model still calls tools before it answers with a structure."""

    @property
    def fails_often(self) -> bool:
        """Whether calls failed in half of its last messages; False if they are not counted."""

    def stream(
        self,
        content: Sequence[conversation.Content],
        tools: llm.APIInstance | None,
        completion: Completion,
        *,
        structure: Mapping[str, Any] | None = None,
    ) -> Deltas:
        """Request the next message and stream it.

        `content` is the whole conversation, every call in it with its result; `tools` are those
        that may be called. `structure` is the JSON schema of an object that the message must be,
        unless it calls tools; not every provider enforces it, so the object may be invalid. Yields
        deltas as `ChatLog.async_add_delta_content_stream` takes them, the first with the role, and
        fills in `completion`. Raises ModelError.
        """

    async def weigh(
        self, content: Sequence[conversation.Content], answers: Sequence[str]
    ) -> Mapping[str, float] | None:
        """Return the probability that the next message begins with each answer, 1 in total.

        None if it is unknown, or if the model would answer otherwise. Raises ModelError.
        """

    async def sees(self) -> bool:
        """Return True if the model accepts attachments, at least images. Raises ModelError."""

    async def read(self, prompt: conversation.Content, tools: llm.APIInstance | None) -> None:
        """Prefill the prompt that conversations begin with, if that is free. Raises ModelError."""
