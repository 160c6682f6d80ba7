"""Answers of servers made readable for the SDK, which refuses the whole for one odd part.

Pure functions over the JSON that came. What a tool or a result needs is kept exactly as it came.
Format: https://modelcontextprotocol.io/specification/2025-11-25/server/tools
"""

from typing import Any

from homeassistant.helpers.json import json_bytes

# Tools of one server: what is over is left out. A model finds its tool among some dozens, and every
# one is in every prompt.
MAX_TOOLS = 200
# Bytes of a tool's JSON schema, some 2,000 tokens: half of what a local model has room for.
_MAX_SCHEMA = 8 << 10
# Characters of a tool's name that are told.
_SHOWN = 100
_CONTENT_TYPES = frozenset({"text", "image", "audio", "resource", "resource_link"})


def readable_tools(raw: dict[str, Any], skipped: dict[str, str], room: int) -> dict[str, Any]:
    """Return a page of tools with those that can be used; the others' faults go to `skipped`.

    There is `room` for so many more tools of this server.
    """
    tools: list[dict[str, Any]] = []
    for place, tool in enumerate(listed := raw.get("tools") or (), start=1):
        if len(tools) == room:
            skipped[f"{len(listed) - place + 1} more"] = f"only {MAX_TOOLS} tools are used"
            break
        if fault := _fault(tool):
            name = tool.get("name") if isinstance(tool, dict) else None
            skipped[str(name or f"tool {place}")[:_SHOWN]] = fault
            if len(skipped) > MAX_TOOLS:
                break
        else:
            tools.append(_readable_tool(tool))
    return raw | {"tools": tools}


def readable_result(raw: dict[str, Any]) -> dict[str, Any]:
    """Return a tool's result with a name in place of content of a kind unknown to the SDK."""
    if "content" not in raw and "resultType" not in raw:
        raw = raw | {"content": []}
    match raw.get("content"):
        case list(content) if not all(_is_known(part) for part in content):
            raw = raw | {"content": [part if _is_known(part) else _named(part) for part in content]}
    match raw:
        case {"structuredContent": dict()}:
            return raw
        case {"structuredContent": value}:
            return raw | {"structuredContent": {"result": value}}
        case _:
            return raw


def _fault(tool: Any) -> str | None:
    """Return why a tool cannot be used; None if it can."""
    match tool:
        case {"name": str(name), "inputSchema": dict(schema)} if name:
            return _schema_fault(schema)
        case {"name": str(name)} if name:
            return "it has no JSON schema for its arguments"
        case _:
            return "it has no name"


def _schema_fault(schema: dict[str, Any]) -> str | None:
    """Return why arguments cannot be described by a schema; None if they can."""
    if len(json_bytes(schema)) > _MAX_SCHEMA:
        return f"the JSON schema of its arguments is longer than {_MAX_SCHEMA >> 10} kB"
    match schema.get("type", "object"):
        case "object":
            pass
        case list(kinds) if "object" in kinds:
            pass
        case kind:
            return f"its arguments are of type {kind!r} instead of an object"
    properties = schema.get("properties") or {}
    if not isinstance(properties, dict) or not all(
        isinstance(part, dict | bool) for part in properties.values()
    ):
        return "the properties in its JSON schema are malformed"
    required = schema.get("required") or []
    if not isinstance(required, list) or not all(isinstance(name, str) for name in required):
        return "the list of required arguments in its JSON schema is malformed"
    return None


def _readable_tool(tool: dict[str, Any]) -> dict[str, Any]:
    """Return what is used of a tool, without what is malformed and can be done without."""
    readable = {"name": tool["name"], "inputSchema": tool["inputSchema"] | {"type": "object"}}
    for name in ("title", "description"):
        if isinstance(tool.get(name), str):
            readable[name] = tool[name]
    if isinstance(annotations := tool.get("annotations"), dict):
        readable["annotations"] = {
            key: value
            for key, value in annotations.items()
            if isinstance(value, str if key == "title" else bool)
        }
    return readable


def _is_known(part: Any) -> bool:
    return isinstance(part, dict) and str(part.get("type")) in _CONTENT_TYPES


def _named(part: Any) -> dict[str, Any]:
    kind = part.get("type", "unknown") if isinstance(part, dict) else "unknown"
    return {"type": "text", "text": f"[{kind}]"}
