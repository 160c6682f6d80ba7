"""A model at a server that speaks OpenAI's protocol, as an agent uses it."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, override

from homeassistant.components import conversation
from homeassistant.helpers import llm
from homeassistant.helpers.json import json_bytes

from ...const import LOGGER
from ...json_schema import Json
from ...logs import Loggable
from ..attachments import async_read, is_picture, with_seen
from ..client import Completion, Deltas, ModelError, Reason
from ..context_fitting import Render, as_fits
from ..functions import safe_name, to_functions
from ..history import HAS_TO_ANSWER, Note, has_calls, with_all_results, with_short_results
from ..logprobs import LIKELIEST, TOKENS
from ..prompted_tools import PromptedTools, simple
from ..retry_variants import unless_refused
from ..self_hosted import OwnServerClient
from ..text_calls import CallCollector
from .capabilities import OpenAICapabilities, OpenAIRequestBody, SchemaMode, strict
from .errors import RequestRejected
from .messages import NAME_LENGTH, OpenAIMessage, to_messages, with_pictures
from .server import OpenAIServer
from .slots import SlotUser
from .stream import OpenAIMessageReader

# Tokens for thinking, beside those for the answer.
_THINKING_TOKENS = 4096
# Tokens of an answer that nobody wants: no server takes none.
_NOTHING = 1
# The part of a context that is an answer at most: a server keeps it free.
_ANSWER_SHARE = 4
# What a schema of an answer is called: the protocol wants a name.
_ANSWER = "answer"


@dataclass(slots=True, kw_only=True, eq=False)
class OpenAIClient(OwnServerClient[OpenAICapabilities]):
    """A model of a server with an agent's options.

    What a server refused once is not asked of it again.

    `max_tokens` are those of an answer without its thinking.
    """

    server: OpenAIServer
    model: str
    max_tokens: int
    think: bool
    temperature: float
    warms_up: bool = False
    # As with Ollama: told of tools and a structure at once, small models make up the values.
    looks_before_it_answers: ClassVar[bool] = False
    seat: SlotUser = field(default_factory=SlotUser, repr=False)
    """Who asks, for the server's slots."""
    _shown: llm.APIInstance | None = field(default=None, init=False, repr=False)
    """The tools of the last request: the only thing that changes."""

    async def read(self, prompt: conversation.Content, tools: llm.APIInstance | None) -> None:
        """Learn what the model can do, and have it read where that is free or wanted.

        See ModelClient.
        """
        known = await self.server.known(self.model)
        if not (self.warms_up or known.kind.reads_for_free):
            return
        await replace(self, max_tokens=_NOTHING).have_read(prompt, tools, "…")

    async def weigh(
        self, content: Sequence[conversation.Content], answers: Sequence[str]
    ) -> Mapping[str, float] | None:
        """Tell how likely it gives each of these answers; see ModelClient."""
        brief = replace(self, max_tokens=TOKENS, think=False, temperature=0.0)
        return await brief.have_weighed(content, answers)

    @override
    def _answer(
        self,
        content: Sequence[conversation.Content],
        tools: llm.APIInstance | None,
        completion: Completion,
        known: OpenAICapabilities,
        structure: Mapping[str, Any] | None,
    ) -> Deltas:
        """Ask in the way that the model knows: with tools, or with tools in its prompt."""
        completion.context = known.context
        shown = tools or (None if structure else self._called(content))
        self._shown = shown
        if shown and not tools:
            content = [*content, Note(content=HAS_TO_ANSWER)]
        may_call = tools is not None

        def as_messages(parts: Iterable[conversation.Content]) -> list[OpenAIMessage]:
            return to_messages(
                list(parts), has_system=known.has_system, thought_in=known.thought_in
            )

        def in_prompt() -> Deltas:
            known.calls_tools = False
            known.note_results(content)
            prompted = PromptedTools(shown, structure, may_call=may_call)

            def as_told(parts: Iterable[conversation.Content]) -> list[OpenAIMessage]:
                return prompted.messages(parts, has_system=known.has_system)

            asked = _Asked(content, as_told, schema=prompted.schema)
            return self._ask(asked, completion, known)

        if not known.calls_tools and (shown or has_calls(content)):
            return in_prompt()
        schema = None if shown else structure
        asked = _Asked(content, as_messages, tools=shown, may_call=may_call, schema=schema)
        return unless_refused(self._ask(asked, completion, known), Reason.NO_TOOLS, in_prompt)

    @override
    def _weighed(
        self,
        content: Sequence[conversation.Content],
        completion: Completion,
        known: OpenAICapabilities,
    ) -> Deltas:
        def as_messages(parts: Iterable[conversation.Content]) -> list[OpenAIMessage]:
            return to_messages(list(parts), has_system=known.has_system)

        return self._ask(_Asked(content, as_messages, weighs=True), completion, known)

    async def _ask(
        self, asked: _Asked, completion: Completion, known: OpenAICapabilities
    ) -> Deltas:
        """Ask, and again without what turns out to be too much for the server.

        An answer that began is not begun again: it would be spoken twice.
        """
        body = self._body(asked, known)
        while True:
            began = False
            try:
                async with aclosing(self._chat(body, asked, completion, known)) as deltas:
                    async for delta in deltas:
                        began = True
                        yield delta
            except RequestRejected as err:
                if began or err.of_generation or not known.learn(err, body, asked.schema):
                    raise
                other = self._body(asked, known)
                if other.keys() == body.keys() and other["messages"] == body["messages"]:
                    too_long = err.reason is Reason.CONTEXT_EXCEEDED
                    if too_long or other == body:
                        raise
                LOGGER.debug("%s: once more, otherwise: %s", self.model, err.detail)
                body = other
            else:
                return

    def _body(self, asked: _Asked, known: OpenAICapabilities) -> OpenAIRequestBody:
        """Return a request with as much of the conversation as the context has room for.

        Raises ModelError where the system prompt, the tools and this turn alone do not fit.
        """
        kind = known.kind
        body: OpenAIRequestBody = {
            "model": self.model,
            "temperature": self.temperature,
            known.length: self._limit(known),
            "stream_options": {"include_usage": True},
            **kind.extra,
            **(kind.thought if self.think else kind.no_thought),
            **asked.of_tools(known),
        }
        if asked.schema is not None:
            body |= _held_to(asked.schema, known)
        if asked.weighs:
            body |= {"logprobs": True, "top_logprobs": LIKELIEST}
        body = known.as_taken(body)
        return {**body, "messages": self._messages(asked, body, known)}

    def _limit(self, known: OpenAICapabilities) -> int:
        """Return the tokens of an answer at most."""
        limit = self.max_tokens
        if self.think and limit != _NOTHING:
            limit += _THINKING_TOKENS
        return min(limit, known.context // _ANSWER_SHARE) if known.context else limit

    def _messages(
        self, asked: _Asked, body: OpenAIRequestBody, known: OpenAICapabilities
    ) -> list[OpenAIMessage]:
        content = with_seen(
            with_short_results(list(with_all_results(asked.content))),
            lambda mime_type: known.sees and is_picture(mime_type),
            self.model,
        )
        if known.context:
            content = as_fits(
                content,
                asked.render,
                context=known.context,
                answer=self._limit(known),
                fixed=len(json_bytes(body)),
                tokens=known.tokens,
                model=self.model,
            )
        return asked.render(content)

    async def _chat(
        self,
        body: OpenAIRequestBody,
        asked: _Asked,
        completion: Completion,
        known: OpenAICapabilities,
    ) -> Deltas:
        """Send a request and stream its answer."""
        reader = OpenAIMessageReader(CallCollector(asked.names), completion, self.model)
        pictures = any("images" in message for message in body["messages"])
        sent = await self._with_pictures(body, asked.content) if pictures else body
        try:
            async with aclosing(self.server.chat(sent, self.seat, known)) as chunks:
                async for chunk in chunks:
                    LOGGER.debug("%s: %s", self.model, Loggable(chunk))
                    for delta in reader.deltas(chunk):
                        yield delta
        except ModelError:
            for delta in reader.calls.whole():
                yield delta
            raise
        known.thought_in = reader.thought_in or known.thought_in
        if not pictures:
            known.tokens.learn(len(json_bytes(body)), completion.prompt_tokens)
        for delta in reader.end():
            yield delta

    async def _with_pictures(
        self, body: OpenAIRequestBody, content: Iterable[conversation.Content]
    ) -> OpenAIRequestBody:
        """Return a request with what its pictures hold."""
        types = {
            str(file.path): file.mime_type
            for item in content
            if isinstance(item, conversation.UserContent)
            for file in item.attachments or ()
        }
        shown = {path for message in body["messages"] for path in message.get("images", ())}
        files = await async_read(self.server.hass, shown)
        return {**body, "messages": with_pictures(body["messages"], files, types)}


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is asked of a model: requests are made of it until one is taken."""

    content: Sequence[conversation.Content]
    render: Render
    tools: llm.APIInstance | None = None
    """What is shown in the protocol's own way."""
    may_call: bool = False
    schema: Mapping[str, Any] | None = None
    """What the answer has to be, as JSON."""
    weighs: bool = False
    """Whether the server is to tell what could have been written instead."""

    @property
    def names(self) -> dict[str, str]:
        """The tools' own names by those that the model knows."""
        tools = self.tools.tools if self.tools else ()
        return {safe_name(tool.name, NAME_LENGTH): tool.name for tool in tools}

    def of_tools(self, known: OpenAICapabilities) -> OpenAIRequestBody:
        """Return what a request says of tools."""
        if not self.tools or not self.tools.tools:
            return {}
        functions = to_functions(self.tools.tools, self.tools.custom_serializer)
        body: OpenAIRequestBody = {
            "tools": [_function(function, known) for function in functions],
            **known.kind.beside_tools,
        }
        return body if self.may_call else {**body, "tool_choice": "none"}


def _function(converted: Json, known: OpenAICapabilities) -> Json:
    """Return a tool under a name that servers take, its schema as the server takes it."""
    function = converted["function"]
    name = safe_name(function["name"], NAME_LENGTH)
    if known.takes_schemas:
        return {**converted, "function": {**function, "name": name}}
    parameters = function["parameters"]
    properties = {key: simple(part) for key, part in parameters["properties"].items()}
    plain = {**parameters, "properties": properties}
    return {**converted, "function": {**function, "name": name, "parameters": plain}}


def _held_to(schema: Mapping[str, Any], known: OpenAICapabilities) -> OpenAIRequestBody:
    """Return how a request holds the answer to a schema, as far as the server can."""
    match known.held_to(schema):
        case SchemaMode.STRICT:
            followed = strict(schema) if known.kind.wants_all_named else schema
            answer = {"name": _ANSWER, "strict": True, "schema": followed}
            return {"response_format": {"type": "json_schema", "json_schema": answer}}
        case SchemaMode.LOOSE:
            answer = {"name": _ANSWER, "schema": schema}
            return {"response_format": {"type": "json_schema", "json_schema": answer}}
        case SchemaMode.ANY_OBJECT:
            return {"response_format": {"type": "json_object"}}
        case _:
            return {}
