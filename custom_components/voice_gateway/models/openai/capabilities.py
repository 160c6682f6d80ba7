"""Capabilities of a server's model: as the server reports them, and as refusals reveal them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
import re
from typing import Any, override

from homeassistant.helpers.json import json_bytes, json_dumps

from ...json_schema import Json
from ..client import ModelError, Reason
from ..errors import IN_STREAM, RequestRejected
from ..history import RequestBody
from ..learned import LearnedCapabilities
from .server_kinds import UNKNOWN, ServerKind

# The required fields of a request; a server may refuse any other one.
_NEEDED = {"model", "messages", "stream", "tools"}
# Fields of OpenAI's own protocol, which every server is likely to support.
_COMMON = {"temperature", "max_tokens", "max_completion_tokens", "tool_choice", "response_format"}
_LENGTHS = ("max_tokens", "max_completion_tokens")
# Errors of servers and templates that do not support a system prompt.
_NO_SYSTEM = (
    *("system role not supported", "system role is not supported", "system messages are not"),
    *("does not support system", "developer instruction is not enabled", "system instruction"),
    *('role "system"', "role 'system'", "only user and assistant roles are supported"),
)


class SchemaMode(IntEnum):
    """How an answer can be constrained to a schema, the strictest mode first."""

    STRICT = 0
    LOOSE = 1
    ANY_OBJECT = 2
    FREE = 3
    """Not at all: only the prompt describes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAIModel:
    """A model as its server describes it; None for unknown properties."""

    id: str
    context: int | None = None
    """Tokens of prompt and answer together."""
    sees: bool | None = None
    calls_tools: bool | None = None
    has_system: bool | None = None
    """Whether its template supports a system prompt."""
    slots: int | None = None
    """Number of concurrent requests of its server, each in a slot with its own prompt cache."""


# A model's properties by their paths in a list of models, or in llama.cpp's `/props`.
_PROPERTIES = {
    "loaded_context_length": "context",  # LM Studio, for a loaded model
    "meta.n_ctx": "context",  # llama.cpp
    "default_generation_settings.n_ctx": "context",  # llama.cpp's props
    "max_model_len": "context",  # vLLM, SGLang
    "context_length": "context",  # OpenRouter, Together
    "context_window": "context",  # Groq
    "max_context_length": "context",  # LM Studio, Mistral
    "model_info.max_input_tokens": "context",  # LiteLLM
    "total_slots": "slots",
    "model_info.supports_vision": "sees",
    "capabilities.vision": "sees",  # Mistral
    "modalities.vision": "sees",  # llama.cpp's props
    "model_info.supports_function_calling": "calls_tools",
    "capabilities.function_calling": "calls_tools",
    "chat_template_caps.supports_tools": "calls_tools",
    "chat_template_caps.supports_system_role": "has_system",
}


def model_of(info: Mapping[str, Any]) -> OpenAIModel | None:
    """Return the model of an entry of a list of models; None if it generates no text."""
    name = info.get("id") or info.get("model_name") or info.get("name")
    if not isinstance(name, str) or not name or info.get("type") in ("embeddings", "embedding"):
        return None
    told = properties_of(info)
    if info.get("type") in ("llm", "vlm"):  # LM Studio
        told["sees"] = info["type"] == "vlm"
    if isinstance(inputs := _at(info, "architecture.input_modalities"), list):
        told["sees"] = "image" in inputs  # OpenRouter, llama.cpp
    if isinstance(parameters := info.get("supported_parameters"), list):  # OpenRouter
        told["calls_tools"] = "tools" in parameters
    return OpenAIModel(id=name, **told)


def properties_of(info: Mapping[str, Any]) -> dict[str, Any]:
    """Return the properties of a model that a server reports, the first value of each."""
    told: dict[str, Any] = {}
    for path, name in _PROPERTIES.items():
        value = _at(info, path)
        is_count = type(value) is int and value > 0
        if is_count if name in ("context", "slots") else isinstance(value, bool):
            told.setdefault(name, value)
    return told


def _at(info: Any, path: str) -> Any:
    """Return the value at a path of keys; None if there is none."""
    for key in path.split("."):
        info = info.get(key) if isinstance(info, dict) else None
    return info


@dataclass(slots=True)
class OpenAICapabilities(LearnedCapabilities):
    """The capabilities of a model, remembered between requests."""

    kind: ServerKind = UNKNOWN
    context: int | None = None
    """Tokens of its context, as reported by the server or estimated from a refused request."""
    slots: int | None = None
    length: str = ""
    """The name of the field that limits an answer's tokens."""
    takes_schemas: bool = True
    """Whether it accepts the tools' own schemas; else they are simplified."""
    left_out: set[str] = field(default_factory=set)
    """The fields of a request that were refused."""
    _held: dict[str, SchemaMode] = field(default_factory=dict)
    """The mode that constrains the answer, by the schema as JSON."""

    @override
    def learn(
        self, refused: ModelError, body: RequestBody, schema: Mapping[str, Any] | None
    ) -> bool:
        """Learn from a refusal; each time the next request is reduced, so that retries end."""
        if not isinstance(refused, RequestRejected) or refused.of_generation:
            return False
        match refused.reason:
            case _ if refused.status == IN_STREAM:
                return False
            case Reason.ATTACHMENT if self.sees:
                # Without the attachments of earlier turns the next request may succeed.
                self.sees = False
                return True
            case Reason.CONTEXT_EXCEEDED:
                if self._leave_out(self._named(refused, body) & {self.length}):
                    return True
                size = len(json_bytes(body))
                self.context = refused.context or self.context
                if self.context:
                    # The limit is known, so the estimate of tokens was too low.
                    self.tokens.learn(size, refused.tokens or self.context)
                else:
                    self.context = self.tokens.at_least(size)
                return True
            case Reason.SERVER_ERROR:
                return self._less(refused, body, schema)
            case _:
                return False

    def _less(
        self, refused: RequestRejected, body: RequestBody, schema: Mapping[str, Any] | None
    ) -> bool:
        """Learn from a refusal which fields to omit; return True if any is new."""
        if self.has_system and any(mark in refused.words for mark in _NO_SYSTEM):
            self.has_system = False
            return True
        named = self._named(refused, body)
        other = next(name for name in _LENGTHS if name != self.length)
        if self.length in named and other in refused.words and other not in self.left_out:
            # This server uses the other name for the limit of an answer.
            self.left_out.add(self.length)
            self.length = other
            return True
        if self._leave_out(named - {"response_format"}):
            return True
        about_schema = any(mark in refused.words for mark in ("schema", "grammar", "parser"))
        if schema is not None and (about_schema or "response_format" in named):
            if (now := self.held_to(schema)) is SchemaMode.FREE:
                return False
            self._held[json_dumps(schema)] = SchemaMode(now + 1)
            return True
        if "tools" in body and about_schema and self.takes_schemas:
            self.takes_schemas = False
            return True
        # The refusal names no field: omit those that only some servers support.
        unclear = refused.status in (400, 422)
        return unclear and self._leave_out(body.keys() - _NEEDED - _COMMON)

    def held_to(self, schema: Mapping[str, Any]) -> SchemaMode:
        """Return the mode that constrains an answer to a schema."""
        return self._held.get(json_dumps(schema), SchemaMode.STRICT)

    @staticmethod
    def _named(refused: RequestRejected, body: RequestBody) -> set[str]:
        """Return the fields of a request that a refusal names."""
        if (param := refused.param.partition(".")[0]) in body:
            return {param}
        words = set(re.findall(r"[a-z_]+", refused.words))
        return {name for name in body if name in words} - _NEEDED

    def _leave_out(self, named: set[str]) -> bool:
        new = named - _NEEDED - self.left_out
        self.left_out |= new
        return bool(new)


def strict(schema: Json) -> Json:
    """Return a part of a schema with all properties required; optional ones may be null instead."""
    # https://platform.openai.com/docs/guides/structured-outputs, "All fields must be required".
    plain = {word: part for word, part in schema.items() if word != "default"}
    if isinstance(properties := schema.get("properties"), dict):
        needed = schema.get("required") or ()
        plain["properties"] = {
            name: part if name in needed else {"anyOf": [part, {"type": "null"}]}
            for name, part in properties.items()
        }
        plain["required"] = list(properties)
        plain["additionalProperties"] = False
    return plain
