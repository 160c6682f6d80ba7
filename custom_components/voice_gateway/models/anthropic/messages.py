"""A conversation and its tools in Anthropic's format.

Source of the format: `anthropic.types.MessageParam` and `ToolParam`, and the API's restrictions:
https://platform.claude.com/docs/en/api/messages. Those of an answer's schema:
https://platform.claude.com/docs/en/build-with-claude/structured-outputs, "JSON Schema limitations".
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ...json_schema import Json, each_schema, schema_of
from ..functions import safe_name, to_parameters
from ..history import result_text, with_all_results
from .server import AnthropicCapabilities, AnthropicModel

type Block = dict[str, Any]
type AnthropicMessage = dict[str, Any]

_IMAGES = ("image/jpeg", "image/jpg", "image/png", "image/gif", "image/webp")
_PDF = "application/pdf"
# The formats and keywords of a schema that an answer follows.
_FORMATS = {
    *("date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid")
}
_FOLLOWED = {
    *("type", "title", "description", "enum", "const", "anyOf", "allOf", "$ref", "$defs"),
    *("items", "properties", "required"),
}
# Limits that are booleans in draft 4.
_LIMITS = (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum"))
# Keywords that the API refuses at the top level, where a schema must be an object's.
_NOT_AT_TOP = {"anyOf", "oneOf", "allOf", "$ref"}


@dataclass(slots=True)
class NativeMessage:
    """A message's `native` in the log: its blocks, which the API refuses if they were changed."""

    model: str
    blocks: list[Block] = field(default_factory=list)


def sees(model: AnthropicModel, mime_type: str) -> bool:
    """Return True if a model accepts files of a MIME type."""
    return model.sees_images if mime_type in _IMAGES else mime_type == _PDF and model.reads_pdfs


def to_system(content: Iterable[conversation.Content]) -> str:
    """Return the system prompt."""
    return "\n".join(
        item.content for item in content if isinstance(item, conversation.SystemContent)
    ).strip()


def to_messages(
    content: Iterable[conversation.Content], model: AnthropicModel, files: Mapping[str, str]
) -> list[AnthropicMessage]:
    """Return a conversation as alternating messages; `files` maps paths to data in base64."""
    messages: list[AnthropicMessage] = []
    for item in with_all_results(content):
        match item:
            case conversation.UserContent():
                attached = [_file(file, files[str(file.path)]) for file in item.attachments or ()]
                _add(messages, "user", [*attached, *_text(item.content)])
            case conversation.ToolResultContent():
                result: Block = {
                    "type": "tool_result",
                    "tool_use_id": safe_name(item.tool_call_id),
                    "content": result_text(item.result),
                }
                error = {"is_error": True} if item.result.error else {}
                _add(messages, "user", [result | error])
            case conversation.AssistantContent():
                _add(messages, "assistant", _said(item, model.id))
    if messages and messages[0]["role"] == "assistant":
        # The API requires the user's message first.
        messages.insert(0, {"role": "user", "content": _text("Hello.")})
    return messages


def _add(messages: list[AnthropicMessage], role: str, blocks: list[Block]) -> None:
    """Add blocks to the last message, or as a new message if the role changes."""
    if not blocks:
        return
    if role == "user" and messages and messages[-1]["role"] == "assistant":
        # The API refuses a message that ends with thinking.
        before = messages[-1]["content"]
        while before and before[-1]["type"] in ("thinking", "redacted_thinking"):
            before.pop()
        if not before:
            messages.pop()
    if messages and messages[-1]["role"] == role:
        messages[-1]["content"] += blocks
    else:
        messages.append({"role": role, "content": blocks})


def _text(text: str | None) -> list[Block]:
    """Return a text as a block; none for white space only, which the API refuses."""
    return [{"type": "text", "text": text}] if text and text.strip() else []


def _said(item: conversation.AssistantContent, model: str) -> list[Block]:
    """Return text and calls, as the model's original blocks if these are all."""
    native = item.native
    is_ours = isinstance(native, NativeMessage) and native.model == model
    blocks: list[Block] = list(native.blocks) if is_ours else []
    calls = {safe_name(call.id): call for call in item.tool_calls or ()}
    text = _text(item.content)
    made = {block["id"] for block in blocks if block["type"] == "tool_use"}
    if made == calls.keys() and bool(text) == any(block["type"] == "text" for block in blocks):
        return blocks
    uses = [
        {"type": "tool_use", "id": key, "name": safe_name(call.tool_name), "input": call.tool_args}
        for key, call in calls.items()
    ]
    return [*(block for block in blocks if block["type"] not in ("text", "tool_use")), *text, *uses]


def _file(file: conversation.Attachment, data: str) -> Block:
    mime_type = "image/jpeg" if file.mime_type == "image/jpg" else file.mime_type
    source = {"type": "base64", "media_type": mime_type, "data": data}
    return {"type": "document" if mime_type == _PDF else "image", "source": source}


def to_tools(tools: llm.APIInstance, known: AnthropicCapabilities) -> list[Block]:
    """Return an agent's tools, in their order."""
    blocks: list[Block] = []
    for tool in tools.tools:
        schema = schema_of(tool, tools.custom_serializer)
        schema = each_schema(schema if known.takes_schemas else to_parameters(schema), _newest)
        if schema.get("type") != "object" or schema.keys() & _NOT_AT_TOP:
            schema = to_parameters(schema)
        named = {"name": safe_name(tool.name), "description": tool.description or ""}
        blocks.append({**named, "input_schema": schema})
    return blocks


def web_search(hass: HomeAssistant) -> Block:
    """Return Anthropic's web search tool, limited to three searches per request."""
    location = {"type": "approximate", "timezone": hass.config.time_zone}
    if hass.config.country:
        location["country"] = hass.config.country
    return {
        "type": "web_search_20250305",
        "name": "web_search",
        "max_uses": 3,
        "user_location": location,
    }


def _newest(schema: Json) -> Json:
    """Return a schema of an older draft as one of 2020-12, the only one that the API accepts."""
    newer = {word: part for word, part in schema.items() if word != "$schema"}
    rest = newer.pop("additionalItems", True)
    if isinstance(parts := newer.get("items"), list):
        newer |= {"items": rest, **({"prefixItems": parts} if parts else {})}
    needed = newer.pop("dependencies", None)
    for name, each in needed.items() if isinstance(needed, dict) else ():
        word = "dependentRequired" if isinstance(each, list) else "dependentSchemas"
        newer.setdefault(word, {})[name] = each
    for limit, bound in _LIMITS:
        # In draft 4, a boolean marks the limit itself as excluded.
        if isinstance(leaves_out := newer.get(limit), bool):
            del newer[limit]
            if leaves_out and bound in newer:
                newer[limit] = newer.pop(bound)
    if not isinstance(newer.get("required", []), list):
        # In draft 3, `required` is a boolean of each property.
        del newer["required"]
    return newer


def followed(schema: Json) -> Json:
    """Return a part of a schema that an answer can be constrained to; raises ValueError.

    Its description has the keywords that are not supported.
    """
    known = {word: part for word, part in schema.items() if word in _FOLLOWED}
    other = {word: part for word, part in schema.items() if word not in _FOLLOWED}
    if "oneOf" in other:
        known.setdefault("anyOf", other.pop("oneOf"))
    if other.get("format") in _FORMATS:
        known["format"] = other.pop("format")
    if other.get("minItems") in (0, 1):
        known["minItems"] = other.pop("minItems")
    if not known.keys() & {"type", *_NOT_AT_TOP}:
        raise ValueError("A schema without a type")
    if known.get("type") == "object":
        known["additionalProperties"] = False
        other.pop("additionalProperties", None)
    if other:
        more = ", ".join(f"{word}: {part}" for word, part in other.items())
        known["description"] = f"{known.get('description', '')} {{{more}}}".strip()
    return known
