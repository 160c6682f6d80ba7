"""The client of a model behind OpenAI's protocol, with an agent's options.

Source of the messages' format: `openai.types.chat.ChatCompletionMessageParam`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
import hashlib
import json
from typing import Any, override

from homeassistant.components import conversation
from homeassistant.helpers import llm

from ...const import CONF_MAX_TOKENS, CONF_WARM_UP, DEFAULTS
from ...json_schema import Json, each_schema
from ..functions import safe_name
from ..history import Message, RequestBody
from ..logprobs import LIKELIEST
from ..prompted_tools import simple
from ..self_hosted import NOTHING, ModelRequest, OwnServerClient
from .capabilities import OpenAICapabilities, SchemaMode, strict
from .server import OpenAIServer

# Tokens for thinking, in addition to those of the answer.
_THINKING_TOKENS = 4096


@dataclass(slots=True, kw_only=True, eq=False)
class OpenAIClient(OwnServerClient[OpenAICapabilities]):
    """A model of a server with an agent's options."""

    server: OpenAIServer
    max_tokens: int = DEFAULTS[CONF_MAX_TOKENS]
    warm_up: bool = DEFAULTS[CONF_WARM_UP]

    @override
    async def _is_read_ahead(self) -> bool:
        return self.warm_up or (await self.server.known(self.model)).kind.reads_for_free

    @override
    def _context(self, known: OpenAICapabilities) -> int | None:
        return known.context

    @override
    def _body(self, request: ModelRequest, known: OpenAICapabilities) -> RequestBody:
        kind = known.kind
        body: RequestBody = {
            "model": self.model,
            "temperature": self.temperature,
            known.length: self._limit(known),
            "stream_options": {"include_usage": True},
            **(kind.thought if self.think else kind.no_thought),
        }
        if functions := [_function(function, known) for function in request.functions()]:
            body |= {"tools": functions, **kind.beside_tools}
            body |= {} if request.may_call else {"tool_choice": "none"}
        if request.schema is not None:
            body |= _held_to(request.schema, known)
        if request.weighs:
            body |= {"logprobs": True, "top_logprobs": LIKELIEST}
        body = {name: value for name, value in body.items() if name not in known.left_out}
        messages = self._messages(request, known, answer=self._limit(known), fixed=body)
        return {**body, "messages": messages}

    def _limit(self, known: OpenAICapabilities) -> int:
        limit = self.max_tokens
        if self.think and limit != NOTHING:
            limit += _THINKING_TOKENS
        # The server keeps as much of the context free.
        return min(limit, known.context // 4) if known.context else limit

    @override
    def _call(self, call: llm.ToolInput) -> Json:
        arguments = json.dumps(call.tool_args, ensure_ascii=False)
        function = {"name": safe_name(call.tool_name), "arguments": arguments}
        return {"id": _call_id(call.id), "type": "function", "function": function}

    @override
    def _result_of(self, item: conversation.ToolResultContent) -> Json:
        return {"tool_call_id": _call_id(item.tool_call_id)}

    @override
    def _with_files(self, message: Message, files: Mapping[str, tuple[str, str]]) -> Message:
        parts: list[Message] = [{"type": "text", "text": message["content"]}]
        for path in message["images"]:
            data, mime_type = files[path]
            url = f"data:{mime_type};base64,{data}"
            parts.append({"type": "image_url", "image_url": {"url": url}})
        return {"role": message["role"], "content": parts}


def _function(converted: Json, known: OpenAICapabilities) -> Json:
    """Return a tool with a name and a schema that the server accepts."""
    function, parameters = converted["function"], converted["function"]["parameters"]
    if not known.takes_schemas:
        properties = {key: simple(part) for key, part in parameters["properties"].items()}
        parameters = {**parameters, "properties": properties}
    named = {"name": safe_name(function["name"]), "parameters": parameters}
    return {**converted, "function": {**function, **named}}


def _held_to(schema: Mapping[str, Any], known: OpenAICapabilities) -> RequestBody:
    """Return the fields that constrain the answer to a schema, as far as the server can."""
    mode = known.held_to(schema)
    answer: Json = {"name": "answer", "schema": schema}
    if mode is SchemaMode.STRICT:
        answer["strict"] = True
        if known.kind.wants_all_named:
            answer["schema"] = each_schema(dict(schema), strict)
    if mode <= SchemaMode.LOOSE:
        return {"response_format": {"type": "json_schema", "json_schema": answer}}
    return {"response_format": {"type": "json_object"}} if mode is SchemaMode.ANY_OBJECT else {}


def _call_id(call_id: str) -> str:
    # Mistral's templates require ids of exactly nine letters and digits; all others accept any.
    return hashlib.sha256(call_id.encode()).hexdigest()[:9]
