"""The SDK's dispatcher of messages, which repairs servers' answers.

The SDK refuses the whole for one malformed part. Everything that a tool or a result needs is kept
exactly. Formats: https://modelcontextprotocol.io/specification/2025-11-25/server/tools, …/prompts
and …/resources
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, cast, override

from homeassistant.helpers.json import json_bytes
from mcp import MCPError
from mcp.shared.dispatcher import CallOptions
from mcp.shared.jsonrpc_dispatcher import JSONRPCDispatcher

from ..json_schema import Json
from ..redactor import Redactor
from .error_mapping import is_end
from .errors import McpInvalidAnswer
from .secrets import clean_tools

# Maximum number of tools of one server: the others are left out.
MAX_TOOLS = 200
# Bytes of a tool's JSON schema, some 2,000 tokens: half of a local model's context.
_MAX_SCHEMA = 8 << 10
# Characters of a tool's name in a message.
_SHOWN = 100
# Arguments of one prompt, and characters of a resource's address: larger ones are left out.
_ARGUMENTS = 20
_ADDRESS = 500
# The media type of unknown bytes (RFC 2046, section 4.5.1).
_ANY_BYTES = "application/octet-stream"


class Dispatcher(JSONRPCDispatcher):
    """The SDK's dispatcher: malformed parts of an answer cost only themselves."""

    on_end: Callable[[], None]
    redactor: Redactor
    ended = False

    def __init__(self, *streams: Any) -> None:
        """Take the streams from the server and to it."""
        super().__init__(*streams)
        self.begin_tools()

    def begin_tools(self) -> None:
        """Read the server's tools from the first page on."""
        self.skipped_tools: dict[str, str] = {}
        self.room = MAX_TOOLS

    @override
    async def run(self, *args: Any, **kwargs: Any) -> None:
        try:
            await super().run(*args, **kwargs)
        finally:
            self.ended = True
            self.on_end()

    @override
    async def send_raw_request(
        self, method: str, params: Any, opts: CallOptions | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        try:
            raw = await super().send_raw_request(method, params, opts, **kwargs)
        except MCPError as err:
            # Callers get the error before `run` has ended.
            self.ended = self.ended or is_end(err)
            raise
        match method:
            case "tools/list":
                page = readable_tools(raw, self.skipped_tools, self.room)
                self.room -= len(page["tools"])
                return cast("dict[str, Any]", clean_tools(page, self.redactor))
            case "tools/call" if is_task(raw):
                raise McpInvalidAnswer("the tool is to answer later, which is not supported")
            case "tools/call":
                result = readable_result(raw)
            case _:
                result = readable_extras(method, raw)
        return cast("dict[str, Any]", self.redactor.all(result))


def readable_tools(raw: Json, skipped: dict[str, str], room: int) -> Json:
    """Return a page of tools with at most `room` usable ones; the faults go to `skipped`."""
    tools: list[Json] = []
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


def is_task(raw: Json) -> bool:
    """Return True if a tool's result is only the promise of one, as of 2025-11-25's tasks."""
    return "content" not in raw and isinstance(raw.get("task"), dict)


def readable_result(raw: Json) -> Json:
    """Return a tool's result with malformed parts repaired, or named if that is impossible."""
    # By the protocol, a result without other information is complete (2026-07-28).
    raw = {"resultType": "complete", **raw}
    if raw["resultType"] == "complete":
        raw["content"] = readable_content(raw.get("content"))
    if not isinstance(said := raw.get("isError", False), bool):
        raw["isError"] = said in ("true", 1)
    value = raw.pop("structuredContent", None)
    if value is not None:
        raw["structuredContent"] = value if isinstance(value, dict) else {"result": value}
    return raw


def readable_content(content: Any) -> Any:
    """Return the parts of a result; a value that is not a part is returned unchanged."""
    if content is None:
        return []
    parts = [content] if isinstance(content, str | dict) else content
    return [*map(_readable_part, parts)] if isinstance(parts, list) else parts


def _readable_part(part: Any) -> Json:
    """Return a part of a result in the SDK's format; a part without its content is named."""
    match part:
        case str():
            return {"type": "text", "text": part}
        case {"annotations": said, **rest} if not isinstance(said, dict):
            return _readable_part(rest)
        case {"type": "text", "text": str()}:
            return dict(part)
        case {"type": "text"}:
            value = part.get("text")
            return {**part, "text": "" if value is None else json_bytes(value).decode()}
        case {"type": "image" | "audio", "data": str()}:
            return {**part, "mimeType": _word(part, "mimeType") or _ANY_BYTES}
        case {"type": "resource_link", "uri": str(uri)}:
            return {**part, "name": _word(part, "name") or uri}
        case {"type": "resource", "resource": {"text": str()} | {"blob": str()} as resource}:
            return {**part, "resource": {**resource, "uri": _word(resource, "uri")}}
        case {"type": str(kind)}:
            return {"type": "text", "text": f"[{kind}]"}
        case _:
            return {"type": "text", "text": "[unknown]"}


def _word(part: Json, name: str) -> str:
    return value if isinstance(value := part.get(name), str) else ""


def _fault(tool: Any) -> str | None:
    """Return the reason why a tool is unusable; None if it is usable."""
    match tool:
        case {"name": str(), "execution": {"taskSupport": "required"}}:
            return "it can only be called as a task, which is not supported"
        case {"name": str(name), "inputSchema": dict(schema)} if name:
            return _schema_fault(schema)
        case {"name": str(name)} if name:
            return "it has no JSON schema for its arguments"
        case _:
            return "it has no name"


def _schema_fault(schema: Json) -> str | None:
    """Return the reason why a schema cannot describe arguments; None if it can."""
    if len(json_bytes(schema)) > _MAX_SCHEMA:
        return f"the JSON schema of its arguments is longer than {_MAX_SCHEMA >> 10} kB"
    kind = schema.get("type", "object")
    if kind != "object" and not (isinstance(kind, list) and "object" in kind):
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


def _readable_tool(tool: Json) -> Json:
    """Return the used parts of a tool, without malformed optional ones."""
    readable = {"name": tool["name"], "inputSchema": tool["inputSchema"] | {"type": "object"}}
    readable |= _texts(tool, "title", "description")
    if isinstance(annotations := tool.get("annotations"), dict):
        readable["annotations"] = {
            key: value
            for key, value in annotations.items()
            if isinstance(value, str if key == "title" else bool)
        }
    return readable


def readable_extras(method: str, raw: Json) -> Json:
    """Return an answer about prompts or resources, repaired; another one unchanged.

    A question of the server (2026-07-28) is another one.
    """
    if method not in _EXTRAS or raw.get("resultType", "complete") != "complete":
        return raw
    field, readable = _EXTRAS[method]
    return raw | {field: [*readable(_parts(raw.get(field)))]}


def _parts(listed: Any) -> list[Json]:
    return [part for part in listed if isinstance(part, dict)] if isinstance(listed, list) else []


def _texts(part: Json, *names: str) -> Json:
    return {name: part[name] for name in names if isinstance(part.get(name), str)}


def _prompts(parts: list[Json]) -> Iterator[Json]:
    for prompt in parts:
        arguments = [
            {**_texts(each, "name", "description"), "required": each.get("required") is True}
            for each in _parts(prompt.get("arguments"))
            if isinstance(each.get("name"), str)
        ]
        if _word(prompt, "name") and len(arguments) <= _ARGUMENTS:
            yield {**_texts(prompt, "name", "title", "description"), "arguments": arguments}


def _addressed(field: str, parts: list[Json]) -> Iterator[Json]:
    for part in parts:
        if isinstance(part.get("name"), str) and 0 < len(_word(part, field)) <= _ADDRESS:
            yield _texts(part, field, "name", "title", "description", "mimeType")


def _messages(parts: list[Json]) -> Iterator[Json]:
    for message in parts:
        role = "assistant" if message.get("role") == "assistant" else "user"
        for content in readable_content(message.get("content")):
            yield {"role": role, "content": content}


def _contents(parts: list[Json]) -> Iterator[Json]:
    for part in parts:
        if isinstance(part.get("text"), str) or isinstance(part.get("blob"), str):
            yield {"uri": "", **_texts(part, "uri", "mimeType", "text", "blob")}


_EXTRAS: dict[str, tuple[str, Callable[[list[Json]], Iterator[Json]]]] = {
    "prompts/list": ("prompts", _prompts),
    "resources/list": ("resources", partial(_addressed, "uri")),
    "resources/templates/list": ("resourceTemplates", partial(_addressed, "uriTemplate")),
    "prompts/get": ("messages", _messages),
    "resources/read": ("contents", _contents),
}
"""The answers about prompts and resources: the field with the parts, and their repair."""
