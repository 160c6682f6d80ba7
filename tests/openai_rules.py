"""What servers that speak OpenAI's protocol refuse in a request, for tests.

The schema is that of the `openai` package's types, and the fields that servers have beside it. The
rules are those of https://platform.openai.com/docs/api-reference/chat, and of the strictest chat
templates: Mistral's want ids of nine letters, and the user and the assistant to take turns.
"""

from collections.abc import Iterator
import itertools
import json
import re
from typing import Any

from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming

from .typed_dicts import mistakes

type Json = dict[str, Any]

EXTRA = {"cache_prompt": bool, "id_slot": int, "chat_template_kwargs": dict, "reasoning": dict}
"""Fields that only some servers have."""
_THOUGHTS = (
    *("reasoning_content", "reasoning", "reasoning_details", "extra_content"),
    *("thinking_blocks", "encrypted_content"),
)
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_CALL_ID = re.compile(r"[a-zA-Z0-9]{9}")


def wrongs(body: Json) -> list[str]:
    """Return what servers refuse in a request."""
    own = {name: value for name, value in body.items() if name not in EXTRA}
    own["messages"] = [_plain(message) for message in body["messages"]]
    if wrong := mistakes(own, CompletionCreateParamsStreaming):
        return wrong
    return [
        *(f"{name}: {body[name]!r}" for name, kind in EXTRA.items() if not _is(body, name, kind)),
        *_in_turn(body["messages"]),
        *_calls(body["messages"]),
        *_tools(body),
    ]


def _is(body: Json, name: str, kind: type) -> bool:
    return name not in body or type(body[name]) is kind


def _plain(message: Json) -> Json:
    """Return a message without what a server itself may have given with it."""
    plain = {name: value for name, value in message.items() if name not in _THOUGHTS}
    if "tool_calls" in message:
        plain["tool_calls"] = [
            {
                "id": call["id"],
                "type": call["type"],
                "function": {key: call["function"][key] for key in ("name", "arguments")},
            }
            for call in message["tool_calls"]
        ]
    return plain


def _in_turn(messages: list[Json]) -> Iterator[str]:
    roles = [message["role"] for message in messages]
    if "system" in roles[1:]:
        yield "a system message that is not the first"
    for before, role in itertools.pairwise(roles):
        if before == role == "user":
            yield "two messages of the user in a row"


def _calls(messages: list[Json]) -> Iterator[str]:
    """Yield what is not 1:1: each call has its result, right after it."""
    due: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            if message["tool_call_id"] not in due:
                yield f"the result of no call: {message['tool_call_id']}"
            else:
                due.remove(message["tool_call_id"])
            continue
        if due:
            yield f"calls without results: {due}"
        due = [call["id"] for call in message.get("tool_calls", ())]
        for call in message.get("tool_calls", ()):
            if not _CALL_ID.fullmatch(call["id"]):
                yield f"an id that Mistral does not take: {call['id']}"
            if not isinstance(json.loads(call["function"]["arguments"]), dict):
                yield "arguments that are no object"
        if len(set(due)) < len(due):
            yield "two calls of one id"
    if due:
        yield f"calls without results: {due}"


def _tools(body: Json) -> Iterator[str]:
    names = [tool["function"]["name"] for tool in body.get("tools", ())]
    yield from (f"a tool's name: {name}" for name in names if not _NAME.fullmatch(name))
    if len(set(names)) < len(names):
        yield "two tools of one name"
    if "tool_choice" in body and not names:
        yield "tool_choice without tools"
    if "tools" in body and not names:
        yield "an empty list of tools"
