"""What Anthropic's API refuses in a request, for tests: its schema, and what no schema says.

The schema is that of the `anthropic` package's types. The rules beside it are those of
https://platform.claude.com/docs/en/api/messages and …/build-with-claude/thinking-troubleshooting.
"""

from collections.abc import Iterator
import itertools
import json
import re
from typing import Any

from anthropic.types.message_create_params import (
    MessageCreateParamsNonStreaming,
    MessageCreateParamsStreaming,
)

from .typed_dicts import mistakes

type Json = dict[str, Any]

_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_CALL_ID = re.compile(r"[a-zA-Z0-9_-]+")
_BREAKPOINTS = 4


def wrongs(body: Json, info: Json) -> list[str]:
    """Return what the API refuses in a request to a model, of which `info` is what it tells."""
    schema: Any = (
        MessageCreateParamsStreaming if body.get("stream") else MessageCreateParamsNonStreaming
    )
    if wrong := mistakes(body, schema):
        return wrong
    return [
        *_in_order(body["messages"]),
        *(wrong for where, blocks in _messages(body) for wrong in _in_message(where, blocks)),
        *_calls(body),
        *_tools(body),
        *_options(body, info["capabilities"]),
        *_nothing_to_say(body),
    ]


def blocks_of(body: Json) -> Iterator[tuple[str, Json]]:
    """Yield all blocks of all messages, and where they are."""
    for where, blocks in _messages(body):
        for index, block in enumerate(blocks):
            yield f"{where}.content.{index}", block


def _messages(body: Json) -> Iterator[tuple[str, list[Json]]]:
    for number, message in enumerate(body["messages"]):
        content = message["content"]
        yield (
            f"messages.{number}",
            [{"type": "text", "text": content}] if isinstance(content, str) else content,
        )


def _in_order(messages: list[Json]) -> Iterator[str]:
    """Yield where not user and assistant speak in turn."""
    for number, message in enumerate(messages):
        if message["role"] != ("user", "assistant")[number % 2]:
            yield f"messages.{number}: roles must alternate, beginning with the user"
    if not messages:
        yield "messages: at least one message is required"


def _in_message(where: str, blocks: list[Json]) -> Iterator[str]:
    """Yield what is wrong with one message."""
    if not blocks:
        yield f"{where}: content must not be empty"
        return
    kinds = [block["type"] for block in blocks]
    if any(block["type"] == "text" and not block["text"].strip() for block in blocks):
        yield f"{where}: text content blocks must contain non-whitespace text"
    if "tool_result" in list(itertools.dropwhile(lambda kind: kind == "tool_result", kinds)):
        yield f"{where}: tool_result blocks must come first"
    if kinds[-1] in ("thinking", "redacted_thinking"):
        yield f"{where}: the final block in an assistant message cannot be `thinking`"
    searches = [block["id"] for block in blocks if block["type"] == "server_tool_use"]
    found = [block["tool_use_id"] for block in blocks if block["type"] == "web_search_tool_result"]
    if searches != found:
        yield f"{where}: server_tool_use and its results: {searches}, {found}"


def _calls(body: Json) -> Iterator[str]:
    """Yield what is wrong with calls and their results."""
    ids: list[str] = []
    due: list[str] = []
    for where, blocks in _messages(body):
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        if sorted(results) != sorted(due):
            yield f"{where}: `tool_use` ids and `tool_result` blocks after them: {due}, {results}"
        used = [block for block in blocks if block["type"] == "tool_use"]
        due = [block["id"] for block in used]
        ids += due
        if not all(_NAME.fullmatch(block["name"]) for block in used):
            yield f"{where}: tool_use.name should match pattern"
    if due:
        yield f"messages: `tool_use` ids without `tool_result`: {due}"
    if len(set(ids)) != len(ids) or not all(map(_CALL_ID.fullmatch, ids)):
        yield f"messages: `tool_use` ids must be unique and match a pattern: {ids}"


def _tools(body: Json) -> Iterator[str]:
    """Yield what is wrong with tools, beyond their types."""
    tools = body.get("tools", [])
    if len({tool["name"] for tool in tools}) != len(tools):
        yield "tools: Tool names must be unique."
    for number, tool in enumerate(tools):
        where = f"tools.{number}.custom"
        if not _NAME.fullmatch(tool["name"]):
            yield f"{where}.name: String should match pattern"
        schema = tool.get("input_schema", {"type": "object"})
        if schema.get("type") != "object" or schema.keys() & {"anyOf", "oneOf", "allOf"}:
            yield f"{where}.input_schema: does not support oneOf, allOf, or anyOf at the top level"


def _options(body: Json, can: Json) -> Iterator[str]:
    """Yield what the model does not take."""
    types = {name for name, each in can["thinking"]["types"].items() if each["supported"]}
    think = body.get("thinking", {}).get("type")
    if think and think not in types:
        yield f'"thinking.type.{think}" is not supported for this model'
    if _thinks(body) and body.get("tool_choice", {}).get("type") in ("any", "tool"):
        yield "Thinking may not be enabled when tool_choice forces tool use."
    if not can["structured_outputs"]["supported"] and "format" in body.get("output_config", {}):
        yield "output_config.format: not supported for this model"
    if json.dumps(body).count('"cache_control"') > _BREAKPOINTS:
        yield "A maximum of 4 blocks with cache_control may be provided."


def _nothing_to_say(body: Json) -> Iterator[str]:
    """Yield what is wrong with how long the answer may be."""
    if body["max_tokens"] == 0:
        if body.get("stream") or _thinks(body) or "format" in body.get("output_config", {}):
            yield "max_tokens: 0 is not possible with streaming, thinking, or a format"
    elif body.get("thinking", {}).get("budget_tokens", 0) >= body["max_tokens"]:
        yield "`max_tokens` must be greater than `thinking.budget_tokens`"


def _thinks(body: Json) -> bool:
    return body.get("thinking", {}).get("type") in ("adaptive", "enabled")
