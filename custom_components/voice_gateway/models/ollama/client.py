"""A model of an Ollama server: conversations to requests, chunks of answers to deltas.

Source of the formats: https://docs.ollama.com/api (docs/api.md, api/types.go).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, override

from homeassistant.components import conversation
from homeassistant.helpers import llm
from homeassistant.helpers.json import json_bytes
import orjson

from ...const import LOGGER
from ...logs import Loggable
from ..attachments import async_read, is_picture, paths, with_seen
from ..client import Completion, Delta, Deltas, ModelError, Reason
from ..context_fitting import Render, as_fits
from ..functions import to_functions
from ..history import (
    HAS_TO_ANSWER,
    Note,
    has_calls,
    result_text,
    with_all_results,
    with_short_results,
)
from ..learned import LearnedCapabilities
from ..logprobs import LIKELIEST, TOKENS
from ..prompted_tools import PromptedTools
from ..retry_variants import unless_refused
from ..self_hosted import OwnServerClient
from ..text_calls import CallCollector, UnknownFields, objects_in
from .server import OllamaServer

# Tokens that are kept free for the answer; what is spoken has about 50.
_ANSWER_TOKENS = 512


@dataclass(slots=True, kw_only=True, eq=False)
class OllamaClient(OwnServerClient[LearnedCapabilities]):
    """A model of a server with an agent's options.

    `num_ctx` is in tokens; `keep_alive` in seconds, -1 for ever.
    """

    server: OllamaServer
    model: str
    num_ctx: int
    keep_alive: int
    think: bool
    temperature: float
    num_predict: int | None = None
    # Told of tools and a structure at once, in three wordings, qwen2.5-coder:1.5b made up the values
    # in 12 tasks of 12; told one after the other, it called the right tool in 4 of 4.
    looks_before_it_answers: ClassVar[bool] = False
    _shown: llm.APIInstance | None = field(default=None, init=False, repr=False)
    """The tools of the last request."""
    _told: tuple[list[object], orjson.Fragment] = field(
        default=([], orjson.Fragment(b"[]")), init=False, repr=False
    )
    """All that was told of those tools, and their JSON: many kilobytes, and seldom others."""

    async def read(self, prompt: conversation.Content, tools: llm.APIInstance | None) -> None:
        """Load the model, and have it read prompt and tools; see ModelClient."""
        if self.keep_alive == 0:
            return
        await replace(self, num_predict=1).have_read(prompt, tools, "")

    async def weigh(
        self, content: Sequence[conversation.Content], answers: Sequence[str]
    ) -> Mapping[str, float] | None:
        """Tell how likely it gives each of these answers; see ModelClient."""
        brief = replace(self, num_predict=TOKENS, think=False, temperature=0.0)
        return await brief.have_weighed(content, answers)

    @override
    def _answer(
        self,
        content: Sequence[conversation.Content],
        tools: llm.APIInstance | None,
        completion: Completion,
        known: LearnedCapabilities,
        structure: Mapping[str, Any] | None,
    ) -> Deltas:
        """Ask in the way that the model knows: with tools, or with tools in its prompt.

        A server that holds a model to a schema lets it call no tool: there it is not held.
        """
        completion.context = self.num_ctx
        shown = tools or (None if structure else self._called(content))
        self._shown = shown
        if shown and not tools:
            content = [*content, Note(content=HAS_TO_ANSWER)]

        def in_prompt() -> Deltas:
            known.calls_tools = False
            known.note_results(content)
            prompted = PromptedTools(shown, structure, may_call=tools is not None)
            body = self._with_prompted(content, prompted, known)
            return self._held_to(prompted.schema, body, completion, known)

        if not known.calls_tools and (shown or has_calls(content)):
            return in_prompt()
        body = self._with_tools(content, shown, known)
        answer = self._held_to(None if "tools" in body else structure, body, completion, known)
        return unless_refused(answer, Reason.NO_TOOLS, in_prompt)

    @override
    def _weighed(
        self,
        content: Sequence[conversation.Content],
        completion: Completion,
        known: LearnedCapabilities,
    ) -> Deltas:
        body = self._body(content, to_messages, known, {})
        asked = {**body, "logprobs": True, "top_logprobs": LIKELIEST}
        return self._chat(asked, completion, known)

    def _held_to(
        self,
        schema: Mapping[str, Any] | None,
        body: Mapping[str, Any],
        completion: Completion,
        known: LearnedCapabilities,
    ) -> Deltas:
        """Let the model write nothing but what a schema allows, if its server takes one.

        A schema takes no tokens: the model does not see it.
        """

        async def freely() -> Deltas:
            async with aclosing(self._chat(body, completion, known)) as deltas:
                async for delta in deltas:
                    yield delta
            # Now it is clear that it was not something else that failed.
            known.takes_format = False

        if schema is None or not known.takes_format:
            return self._chat(body, completion, known)
        answer = self._chat({**body, "format": schema}, completion, known)
        return unless_refused(answer, Reason.SERVER_ERROR, freely)

    def _with_tools(
        self,
        content: Sequence[conversation.Content],
        tools: llm.APIInstance | None,
        known: LearnedCapabilities,
    ) -> dict[str, Any]:
        """Return a request with tools in Ollama's own way."""
        extra: dict[str, Any] = {}
        if tools and tools.tools:
            extra["tools"] = self._as_json(tools)
        return self._body(content, to_messages, known, extra)

    def _as_json(self, tools: llm.APIInstance) -> orjson.Fragment:
        told: list[object] = []
        for each in tools.tools:
            told += (each, each.parameters, each.description)
        if told != self._told[0]:
            functions = to_functions(tools.tools, tools.custom_serializer)
            self._told = told, orjson.Fragment(json_bytes(functions))
        return self._told[1]

    def _with_prompted(
        self,
        content: Sequence[conversation.Content],
        prompted: PromptedTools,
        known: LearnedCapabilities,
    ) -> dict[str, Any]:
        """Return a request with tools in the prompt."""

        def messages(part: Iterable[conversation.Content]) -> list[dict[str, Any]]:
            return prompted.messages(part, has_system=known.has_system)

        return self._body(content, messages, known, {})

    def _body(
        self,
        content: Sequence[conversation.Content],
        render: Render,
        known: LearnedCapabilities,
        extra: Mapping[str, Any],
    ) -> dict[str, Any]:
        """Return a request with as much of the conversation as the context has room for.

        Raises ModelError where the system prompt, the tools and this turn alone do not fit.
        """
        content = with_seen(
            with_short_results(list(with_all_results(content))),
            lambda mime_type: known.sees and is_picture(mime_type),
            self.model,
        )
        kept = as_fits(
            content,
            render,
            context=self.num_ctx,
            answer=min(_ANSWER_TOKENS, self.num_ctx // 8),
            fixed=len(json_bytes(extra)),
            tokens=known.tokens,
            model=self.model,
        )
        return {
            "model": self.model,
            "messages": render(kept),
            "think": self.think,
            "keep_alive": self.keep_alive,
            "options": {
                "num_ctx": self.num_ctx,
                "temperature": self.temperature,
                # A model that does not come to an end is not worth listening to.
                "num_predict": self.num_predict or self.num_ctx // 4,
            },
            # Ask for an error where the server would silently forget the oldest messages.
            "truncate": False,
            "shift": False,
            **extra,
        }

    async def _chat(
        self, body: Mapping[str, Any], completion: Completion, known: LearnedCapabilities
    ) -> Deltas:
        """Send a request, whose `images` are the paths of files, and stream its answer."""
        images = [image for message in body["messages"] for image in message.get("images", ())]
        sent = body if not images else await self._with_images(body, images)
        calls = CallCollector()
        try:
            async with aclosing(self.server.chat(sent)) as chunks:
                async for chunk in chunks:
                    LOGGER.debug("%s: %s", self.model, Loggable(chunk))
                    for delta in _deltas(chunk.get("message"), calls):
                        yield delta
                    completion.note_likely(chunk.get("logprobs"))
                    if chunk.get("done"):
                        _fill(completion, chunk)
        except ModelError:
            for delta in calls.whole():
                yield delta
            raise
        for delta in calls.end(completion.finish_reason):
            yield delta
        if not images:
            size = sum(len(json_bytes(body.get(part))) for part in ("messages", "tools"))
            known.tokens.learn(size, completion.prompt_tokens)

    async def _with_images(self, body: Mapping[str, Any], images: list[str]) -> dict[str, Any]:
        """Return a request with what its images hold."""
        files = await async_read(self.server.hass, images)
        messages = [
            {**message, "images": [files[image] for image in message["images"]]}
            if "images" in message
            else message
            for message in body["messages"]
        ]
        return {**body, "messages": messages}


def to_messages(content: Iterable[conversation.Content]) -> list[dict[str, Any]]:
    """Return the conversation as Ollama's messages; their `images` are the paths of files."""
    return [_message(item) for item in with_all_results(content)]


def _message(content: conversation.Content) -> dict[str, Any]:
    match content:
        case conversation.ToolResultContent():
            return {
                "role": "tool",
                "tool_name": content.tool_name,
                "content": result_text(content.result),
            }
        case conversation.AssistantContent(tool_calls=[*calls]) if calls:
            made = [
                {"function": {"name": call.tool_name, "arguments": call.tool_args}}
                for call in calls
            ]
            message = {"role": "assistant", "content": content.content or "", "tool_calls": made}
            return UnknownFields.completed(content, message)
        case _:
            message = {"role": content.role, "content": content.content or ""}
            return {**message, "images": images} if (images := paths(content)) else message


def _deltas(message: Any, calls: CallCollector) -> Iterator[Delta]:
    """Yield what a chunk's message adds; a call comes whole, as a rule."""
    if not isinstance(message, dict):
        return
    if isinstance(text := message.get("content"), str) and text:
        yield {"content": text}
    if isinstance(thinking := message.get("thinking"), str) and thinking:
        yield {"thinking_content": thinking}
    for piece in objects_in(message.get("tool_calls")):
        yield from calls.add(piece)
    yield from calls.whole(only_given=True)


def _fill(completion: Completion, chunk: Mapping[str, Any]) -> None:
    """Take over what the last chunk says of the whole; Ollama counts nanoseconds."""

    def number(name: str) -> int | None:
        return value if isinstance(value := chunk.get(name), int) else None

    def seconds(name: str) -> float | None:
        return None if (nanoseconds := number(name)) is None else nanoseconds / 1e9

    completion.finish_reason = str(chunk.get("done_reason") or "stop")
    completion.prompt_tokens = number("prompt_eval_count")
    completion.answer_tokens = number("eval_count")
    completion.prompt_seconds = seconds("prompt_eval_duration")
    completion.answer_seconds = seconds("eval_duration")
    completion.load_seconds = seconds("load_duration")
