"""Tools in Anthropic's format.

Source of the format: `anthropic.types.ToolParam`. Restrictions of an answer's schema:
https://platform.claude.com/docs/en/build-with-claude/structured-outputs, "JSON Schema limitations".
"""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ...json_schema import Json, each_schema, schema_of
from ..functions import safe_name, to_parameters
from .messages import Block
from .server import AnthropicCapabilities

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


def to_tools(tools: llm.APIInstance, known: AnthropicCapabilities) -> list[Block]:
    """Return an agent's tools, in their order."""
    schemas = [schema_of(tool, tools.custom_serializer) for tool in tools.tools]
    if not known.takes_schemas:
        schemas = [to_parameters(schema) for schema in schemas]
    schemas = [each_schema(schema, _newest) for schema in schemas]
    blocks: list[Block] = []
    for tool, schema in zip(tools.tools, schemas, strict=True):
        is_at_top = schema.get("type") == "object" and not schema.keys() & _NOT_AT_TOP
        blocks.append(
            {
                "name": safe_name(tool.name),
                "description": tool.description or "",
                "input_schema": schema if is_at_top else to_parameters(schema),
            }
        )
    return blocks


def web_search(hass: HomeAssistant, uses: int) -> Block:
    """Return Anthropic's web search tool, limited to `uses` searches per request."""
    location = {"type": "approximate", "timezone": hass.config.time_zone}
    if hass.config.country:
        location["country"] = hass.config.country
    return {
        "type": "web_search_20250305",
        "name": "web_search",
        "max_uses": uses,
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
    """Return a schema that an answer can be constrained to; raises ValueError.

    Its description has the keywords that are not supported.
    """
    known: Json = each_schema(schema, _followed)
    return known


def _followed(schema: Json) -> Json:
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
