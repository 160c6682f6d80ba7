"""Tools in Qwen's function format, which is also Ollama's.

    {"type": "function", "function": {"name": …, "description": …, "parameters": {…}}}

Ollama's server reads of `parameters` only `type`, `properties`, `required`, `items`, `enum`,
`anyOf`, `description` and `$defs` (`api/types.go`, ToolFunctionParameters and ToolProperty). Other
keywords (`allOf`, `$ref`, `const`) are expressed by these. The tools are not modified.
"""

from collections.abc import Iterable
import hashlib
import json
import re
from typing import Any
from weakref import WeakKeyDictionary

from homeassistant.helpers import llm

from ..json_schema import Json, Serializer, resolve, schema_of

_FORBIDDEN = re.compile(r"[^a-zA-Z0-9_-]")
# Characters that every provider accepts: OpenAI 64, Anthropic and Ollama 128.
_NAME_LENGTH = 64
_DIGEST_LENGTH = 6
_CONVERTED: WeakKeyDictionary[llm.Tool, tuple[Any, str | None, Json]] = WeakKeyDictionary()
# Keywords that are checked, or expressed otherwise.
_READ = {
    *("$defs", "$ref", "additionalProperties", "allOf", "anyOf", "definitions", "description"),
    *("enum", "items", "oneOf", "properties", "required", "type"),
}


def safe_name(name: str) -> str:
    """Return a tool's name or a call's id in a form that providers accept; deterministic."""
    safe = _FORBIDDEN.sub("_", name)[:_NAME_LENGTH]
    if safe == name and safe:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:_DIGEST_LENGTH]
    return f"{safe[: _NAME_LENGTH - _DIGEST_LENGTH - 1]}_{digest}"


def to_functions(tools: Iterable[llm.Tool], serializer: Serializer = None) -> list[Json]:
    """Return tools as Qwen's functions; `serializer` is their `APIInstance.custom_serializer`."""
    return [_converted(tool, serializer) for tool in tools]


def _converted(tool: llm.Tool, serializer: Serializer) -> Json:
    """Return a tool as a Qwen function, cached as long as the tool exists."""
    try:
        kept = _CONVERTED.get(tool)
    except TypeError:
        # A tool that defines equality may have no hash.
        return to_function(tool, serializer)
    if kept is None or kept[0] is not tool.parameters or kept[1] != tool.description:
        kept = tool.parameters, tool.description, to_function(tool, serializer)
        _CONVERTED[tool] = kept
    return kept[2]


def to_function(tool: llm.Tool, serializer: Serializer = None) -> Json:
    """Return one tool as a Qwen function."""
    return {
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description or "",
            "parameters": to_parameters(schema_of(tool, serializer)),
        },
    }


def to_parameters(schema: Json) -> Json:
    """Return a JSON schema of arguments as an object schema with Ollama's keywords."""
    # A recursive schema is cut: no call is nested deeper.
    plain = _plain(schema, schema, depth=8)
    parameters: Json = {"type": "object", "properties": plain.get("properties", {})}
    if required := [name for name in plain.get("required", ()) if name in parameters["properties"]]:
        parameters["required"] = required
    return parameters


def _plain(schema: Any, root: Json, depth: int) -> Json:
    """Return a schema with Ollama's keywords; Ollama refuses a request with a malformed schema."""
    if depth == 0:
        return {}
    plain: Json = {}
    found = resolve(schema, root)
    for part in parts if isinstance(parts := found.get("allOf"), list) else ():
        plain = _both(plain, _plain(part, root, depth - 1))
    return _both(plain, _own(found, root, depth))


def _own(schema: Json, root: Json, depth: int) -> Json:
    """Return a schema's own keywords, without those of `allOf`, as Ollama's."""
    own: Json = {}
    for word, value in schema.items():
        match word, value:
            case "properties", dict():
                own[word] = {name: _plain(part, root, depth - 1) for name, part in value.items()}
            case "items", dict():
                own[word] = _plain(value, root, depth - 1)
            case (("anyOf" | "oneOf"), list()):
                own["anyOf"] = [_plain(part, root, depth - 1) for part in value]
            case "additionalProperties", dict() if value:
                each = json.dumps(_plain(value, root, depth - 1), ensure_ascii=False)
                free = f"Any names; each value: {each}"
                said = schema.get("description")
                own["description"] = f"{said} {free}" if isinstance(said, str) and said else free
            case "const", _:
                own["enum"] = [value]
            case "required", list():
                own[word] = [name for name in value if isinstance(name, str)]
            case ("type", str() | list()) | ("enum", list()) | ("description", str()):
                own.setdefault(word, value)
            case _ if word not in _READ:
                own[word] = value
    return own


def _both(first: Json, second: Json) -> Json:
    both = first | second
    if "integer" in (first.get("type"), second.get("type")):
        # Home Assistant's slots combine an integer with a number that has limits.
        both["type"] = "integer"
    if "properties" in both:
        both["properties"] = first.get("properties", {}) | second.get("properties", {})
    if "required" in both:
        both["required"] = list(
            dict.fromkeys(first.get("required", []) + second.get("required", []))
        )
    return both
