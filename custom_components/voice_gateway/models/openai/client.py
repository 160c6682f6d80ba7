"""A model at a server that speaks OpenAI's protocol, as an agent uses it."""

from collections.abc import AsyncGenerator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, override

from homeassistant.components import conversation

from ...json_schema import Json
from ..functions import safe_name, to_functions
from ..logprobs import LIKELIEST
from ..messages import Message, RequestBody
from ..prompted_tools import simple
from ..self_hosted import NOTHING, MessageReader, ModelRequest, OwnServerClient
from .capabilities import OpenAICapabilities, SchemaMode, strict
from .messages import NAME_LENGTH, with_pictures, write_message
from .server import OpenAIServer
from .slots import SlotUser
from .stream import OpenAIMessageReader

# Tokens for thinking, beside those for the answer.
_THINKING_TOKENS = 4096
# The part of a context that is an answer at most: a server keeps it free.
_ANSWER_SHARE = 4
# What a schema of an answer is called: the protocol wants a name.
_ANSWER = "answer"


@dataclass(slots=True, kw_only=True, eq=False)
class OpenAIClient(OwnServerClient[OpenAICapabilities]):
    """A model of a server with an agent's options."""

    reader: ClassVar[type[MessageReader[Any]]] = OpenAIMessageReader
    name_length: ClassVar[int] = NAME_LENGTH
    server: OpenAIServer
    max_tokens: int
    warms_up: bool = False
    seat: SlotUser = field(default_factory=SlotUser, repr=False)
    """Who asks, for the server's slots."""

    @override
    async def _is_read_ahead(self) -> bool:
        return self.warms_up or (await self.server.known(self.model)).kind.reads_for_free

    @override
    def _context(self, known: OpenAICapabilities) -> int | None:
        return known.context

    @override
    def _body(self, request: ModelRequest, known: OpenAICapabilities) -> RequestBody:
        """Return a request with as much of the conversation as the context has room for."""
        kind = known.kind
        body: RequestBody = {
            "model": self.model,
            "temperature": self.temperature,
            known.length: self._limit(known),
            "stream_options": {"include_usage": True},
            **kind.extra,
            **(kind.thought if self.think else kind.no_thought),
            **_of_tools(request, known),
        }
        if request.schema is not None:
            body |= _held_to(request.schema, known)
        if request.weighs:
            body |= {"logprobs": True, "top_logprobs": LIKELIEST}
        body = {name: value for name, value in body.items() if name not in known.left_out}
        messages = self._messages(request, known, answer=self._limit(known), fixed=body)
        return {**body, "messages": messages}

    def _limit(self, known: OpenAICapabilities) -> int:
        """Return the tokens of an answer at most."""
        limit = self.max_tokens
        if self.think and limit != NOTHING:
            limit += _THINKING_TOKENS
        return min(limit, known.context // _ANSWER_SHARE) if known.context else limit

    @override
    def _chunks(
        self, body: RequestBody, known: OpenAICapabilities
    ) -> AsyncGenerator[dict[str, Any]]:
        return self.server.chat(body, self.seat, known)

    @override
    def _write(
        self, item: conversation.Content, known: OpenAICapabilities, *, is_of_turn: bool
    ) -> Iterable[Message]:
        return write_message(item, known.thought_in if is_of_turn else "")

    @override
    def _with_files(self, message: Message, files: Mapping[str, tuple[str, str]]) -> Message:
        return with_pictures(message, files)


def _of_tools(request: ModelRequest, known: OpenAICapabilities) -> RequestBody:
    """Return what a request says of tools."""
    if not (request.tools and request.offered):
        return {}
    functions = to_functions(request.offered, request.tools.custom_serializer)
    body: RequestBody = {
        "tools": [_function(function, known) for function in functions],
        **known.kind.beside_tools,
    }
    return body if request.may_call else {**body, "tool_choice": "none"}


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


def _held_to(schema: Mapping[str, Any], known: OpenAICapabilities) -> RequestBody:
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
