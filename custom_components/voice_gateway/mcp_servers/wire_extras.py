"""Prompts and resources of servers made readable for the SDK, as `lenient_parsing.py` does with tools.

Pure functions over the JSON that came.
Formats: https://modelcontextprotocol.io/specification/2025-11-25/server/prompts and …/resources
"""

from collections.abc import Callable, Iterator
from typing import Any

from .lenient_parsing import readable_content

type WireObject = dict[str, Any]

# Arguments of one prompt, and characters of an address: what has more is left out.
_ARGUMENTS = 20
_ADDRESS = 500


def readable(method: str, raw: WireObject) -> WireObject:
    """Return an answer to what was asked of prompts or resources; another one as it came."""
    match method:
        case "prompts/list":
            return raw | {"prompts": _listed(raw.get("prompts"), _prompt)}
        case "resources/list":
            return raw | {"resources": _listed(raw.get("resources"), _addressed("uri"))}
        case "resources/templates/list":
            templates = _listed(raw.get("resourceTemplates"), _addressed("uriTemplate"))
            return raw | {"resourceTemplates": templates}
        case "prompts/get" if is_complete(raw):
            return raw | {"messages": list(_messages(raw.get("messages")))}
        case "resources/read" if is_complete(raw):
            return raw | {"contents": list(_contents(raw.get("contents")))}
        case _:
            return raw


def is_complete(raw: WireObject) -> bool:
    """Return True if a result is one, and no question of the server (2026-07-28)."""
    return bool(raw.get("resultType", "complete") == "complete")


def _listed(listed: Any, readable: Callable[[WireObject], WireObject | None]) -> list[WireObject]:
    parts = (readable(part) for part in _parts(listed) if isinstance(part.get("name"), str))
    return [part for part in parts if part]


def _parts(listed: Any) -> list[WireObject]:
    return [part for part in listed if isinstance(part, dict)] if isinstance(listed, list) else []


def _texts(part: WireObject, *names: str) -> WireObject:
    return {name: part[name] for name in names if isinstance(part.get(name), str)}


def _prompt(prompt: WireObject) -> WireObject | None:
    arguments = [
        {**_texts(each, "name", "description"), "required": each.get("required") is True}
        for each in _parts(prompt.get("arguments"))
        if isinstance(each.get("name"), str)
    ]
    if not prompt["name"] or len(arguments) > _ARGUMENTS:
        return None
    return {**_texts(prompt, "name", "title", "description"), "arguments": arguments}


def _addressed(field: str) -> Callable[[WireObject], WireObject | None]:
    def part(listed: WireObject) -> WireObject | None:
        address = listed.get(field)
        if not isinstance(address, str) or not 0 < len(address) <= _ADDRESS:
            return None
        return _texts(listed, field, "name", "title", "description", "mimeType")

    return part


def _messages(messages: Any) -> Iterator[WireObject]:
    for message in _parts(messages):
        role = "assistant" if message.get("role") == "assistant" else "user"
        for content in readable_content(message.get("content")):
            yield {"role": role, "content": content}


def _contents(contents: Any) -> Iterator[WireObject]:
    for part in _parts(contents):
        if isinstance(part.get("text"), str) or isinstance(part.get("blob"), str):
            yield {"uri": "", **_texts(part, "uri", "mimeType", "text", "blob")}
