"""Tools as Anthropic's models know them.

Source of the format: `anthropic.types.ToolParam`. What a schema may hold so that a model can be held
to it: https://platform.claude.com/docs/en/build-with-claude/structured-outputs, "JSON Schema
limitations".
"""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ...json_schema import NAMED_SCHEMAS, Json, schema_of
from ..functions import safe_name, to_parameters
from .messages import Block
from .server import AnthropicCapabilities

# What the API takes in all strict schemas of a request together.
_STRICT_AT_MOST = Counter(tools=20, optionals=24, unions=16)

_FORMATS = [
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "uri",
    "ipv4",
    "ipv6",
    "uuid",
]
# A strict schema has these words and no others, beside those that are looked at one by one.
_PLAIN_WORDS = {"type", "title", "description", "enum", "const", "default"}
# What in a schema is no schema, and limits that draft 4 had as truth values.
_DATA = frozenset(("enum", "const", "default", "examples"))
_LIMITS = (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum"))
# At its top a schema has to be an object's: the API takes no choice between several there.
_NOT_AT_TOP = {"anyOf", "oneOf", "allOf", "$ref"}


def to_tools(tools: llm.APIInstance, known: AnthropicCapabilities) -> list[Block]:
    """Return an agent's tools, in their order."""
    schemas = [schema_of(tool, tools.custom_serializer) for tool in tools.tools]
    if not known.takes_schemas:
        schemas = [to_parameters(schema) for schema in schemas]
    blocks: list[Block] = []
    for tool, schema in zip(tools.tools, map(_newest, schemas), strict=True):
        is_at_top = schema.get("type") == "object" and not schema.keys() & _NOT_AT_TOP
        blocks.append(
            {
                "name": safe_name(tool.name),
                "description": tool.description or "",
                "input_schema": schema if is_at_top else to_parameters(schema),
            }
        )
    if known.model.follows_schemas and known.takes_schemas:
        make_strict(blocks)
    return blocks


def web_search(hass: HomeAssistant, uses: int) -> Block:
    """Return the search that Anthropic does for the model, at most so many times per request."""
    location = {"type": "approximate", "timezone": hass.config.time_zone}
    if hass.config.country:
        location["country"] = hass.config.country
    return {
        "type": "web_search_20250305",
        "name": "web_search",
        "max_uses": uses,
        "user_location": location,
    }


def _newest(schema: Any) -> Any:
    """Return a schema of an older draft as one of 2020-12, the only one that the API takes."""
    if isinstance(schema, list):
        return [_newest(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    newer = {word: _newer(word, part) for word, part in schema.items() if word != "$schema"}
    rest = newer.pop("additionalItems", True)
    if isinstance(parts := newer.get("items"), list):
        newer |= {"items": rest, **({"prefixItems": parts} if parts else {})}
    needed = newer.pop("dependencies", None)
    for name, each in needed.items() if isinstance(needed, dict) else ():
        word = "dependentRequired" if isinstance(each, list) else "dependentSchemas"
        newer.setdefault(word, {})[name] = each
    for limit, bound in _LIMITS:
        # Draft 4 says of a limit whether it is one of those that are left out.
        if isinstance(leaves_out := newer.get(limit), bool):
            del newer[limit]
            if leaves_out and bound in newer:
                newer[limit] = newer.pop(bound)
    if not isinstance(newer.get("required", []), list):
        # Draft 3 says it of each property.
        del newer["required"]
    return newer


def _newer(word: str, part: Any) -> Any:
    """Return what a word of a schema says; names are no words, and data are no schemas."""
    if isinstance(part, dict) and word in (*NAMED_SCHEMAS, "dependencies"):
        return {name: _newest(each) for name, each in part.items()}
    return part if word in _DATA else _newest(part)


def make_strict(blocks: Sequence[Block]) -> None:
    """Hold the model to the schemas of those tools that allow it, the first ones first."""
    left = Counter(_STRICT_AT_MOST)
    for block in blocks:
        cost = Counter(tools=1)
        with suppress(_NotStrictError):
            schema = _strict(block["input_schema"], cost, top=True)
            if cost <= left:
                left -= cost
                block.update(strict=True, input_schema=schema)


class _NotStrictError(Exception):
    """A schema says what a strict one cannot say."""


def _strict(schema: Any, cost: Counter[str], *, top: bool = False) -> Json:
    """Return a schema as a strict one, which says the same, and count what that costs."""
    if not isinstance(schema, dict):
        raise _NotStrictError
    words = set(schema) - _PLAIN_WORDS
    match schema:
        case {"anyOf": list(parts)} if words == {"anyOf"}:
            cost["unions"] += 1
            return {**schema, "anyOf": [_strict(part, cost) for part in parts]}
        case {"type": "object"} if words <= {"properties", "required", "additionalProperties"}:
            return _strict_object(schema, cost, top=top)
        case {"type": "array", "items": items} if words <= {"items", "minItems"}:
            if schema.get("minItems", 0) > 1:
                raise _NotStrictError
            return {**schema, "items": _strict(items, cost)}
        case {"type": "string"} if words <= {"format"} and schema.get("format", "date") in _FORMATS:
            return schema
        case {"type": "integer" | "number" | "boolean" | "null" | "string"} if not words:
            return schema
    raise _NotStrictError


def _strict_object(schema: Json, cost: Counter[str], *, top: bool) -> Json:
    """Return the schema of an object that has its named properties and no others."""
    properties = schema.get("properties") or {}
    # Only of arguments is it certain that no name at all means that there are none.
    if schema.get("additionalProperties", False) or not (properties or top):
        raise _NotStrictError
    cost["optionals"] += len(properties.keys() - set(schema.get("required") or ()))
    return {
        **schema,
        "properties": {name: _strict(part, cost) for name, part in properties.items()},
        "additionalProperties": False,
    }
