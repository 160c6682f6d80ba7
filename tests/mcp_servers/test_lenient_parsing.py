"""Answers of servers that are odd: what is odd in them costs only itself."""

from typing import Any
from unittest.mock import ANY

from homeassistant.helpers.json import json_bytes
from mcp.types import CallToolResult
import pytest

from custom_components.voice_gateway.mcp_servers.dispatcher import (
    MAX_TOOLS,
    is_task,
    readable_result,
    readable_tools,
)
from custom_components.voice_gateway.mcp_servers.requests import tool_result

OK = {"type": "text", "text": "done"}


@pytest.mark.parametrize(
    ("odd", "words"),
    [
        ({"content": [OK], "isError": None}, "done"),
        ({"content": [OK], "isError": "false"}, "done"),
        ({"content": "done"}, "done"),
        ({"content": OK}, "done"),
        ({"content": ["done"]}, "done"),
        ({"content": None}, ""),
        ({}, ""),
        ({"content": [OK, {"type": "text", "text": None}]}, "done\n"),
        ({"content": [OK, {"type": "text"}]}, "done\n"),
        ({"content": [{"type": "text", "text": {"a": 1}}]}, '{"a":1}'),
        ({"content": [OK | {"annotations": "all"}]}, "done"),
        (
            {"content": [OK, {"type": "image", "data": "AAAA"}]},
            "done\n[image application/octet-stream, 3 bytes]",
        ),
        ({"content": [OK, {"type": "audio", "mimeType": "audio/wav"}]}, "done\n[audio]"),
        ({"content": [{"type": "resource", "resource": {"text": "done"}}]}, "done"),
        ({"content": [OK, {"type": "resource"}]}, "done\n[resource]"),
        ({"content": [{"type": "resource_link", "uri": "a://b"}]}, "[resource a://b a://b]"),
        ({"content": [OK, {"type": "video"}, 5]}, "done\n[video]\n[unknown]"),
        ({"content": [OK], "structuredContent": None}, "done"),
    ],
)
def test_an_odd_part_costs_only_itself(odd: dict[str, Any], words: str) -> None:
    result = CallToolResult.model_validate(readable_result(odd))
    assert not result.is_error
    assert tool_result(result).data == {"result": words}


@pytest.mark.parametrize("said", [True, "true", 1])
def test_an_error_stays_one(said: object) -> None:
    odd = {"content": [OK], "isError": said}
    assert CallToolResult.model_validate(readable_result(odd)).is_error


def test_a_result_is_complete_where_it_says_nothing_else() -> None:
    assert readable_result({"content": []})["resultType"] == "complete"
    asks = {"resultType": "input_required", "requestState": "x"}
    assert readable_result(asks) == asks


def test_the_promise_of_a_result_is_none() -> None:
    assert is_task({"task": {"taskId": "1"}})
    assert not is_task({"task": {"taskId": "1"}, "content": []})


def test_tool_that_can_only_be_called_as_a_task_is_left_out() -> None:
    skipped: dict[str, str] = {}
    tool = {"name": "research", "inputSchema": {"type": "object"}}
    listed = [tool | {"execution": {"taskSupport": how}} for how in ("optional", "required")]
    assert len(readable_tools({"tools": listed}, skipped, 10)["tools"]) == 1
    assert skipped == {"research": "it can only be called as a task, which is not supported"}


def schema_of(size: int) -> dict[str, Any]:
    """Return a schema of so many bytes."""
    schema = {"type": "object", "description": ""}
    return schema | {"description": "x" * (size - len(json_bytes(schema)))}


NO_SCHEMA = "it has no JSON schema for its arguments"
LONG = "the JSON schema of its arguments is longer than 8 kB"
PROPERTIES = "the properties in its JSON schema are malformed"
REQUIRED = "the list of required arguments in its JSON schema is malformed"


@pytest.mark.parametrize(
    ("tool", "fault"),
    [
        (5, "it has no name"),
        ({"inputSchema": {}}, "it has no name"),
        ({"name": "", "inputSchema": {}}, "it has no name"),
        ({"name": 5, "inputSchema": {}}, "it has no name"),
        ({"name": "tool"}, NO_SCHEMA),
        ({"name": "tool", "inputSchema": None}, NO_SCHEMA),
    ],
)
def test_tool_that_lacks_something_is_left_out_by_its_name_or_place(tool: Any, fault: str) -> None:
    skipped: dict[str, str] = {}
    good = {"name": "good", "inputSchema": {}}
    page = readable_tools({"tools": [good, tool], "nextCursor": "2"}, skipped, 10)
    assert [each["name"] for each in page["tools"]] == ["good"]
    assert page["nextCursor"] == "2"
    name = "tool" if fault is NO_SCHEMA else "5" if tool == {"name": 5, "inputSchema": {}} else None
    assert skipped == {name or "tool 2": fault}


@pytest.mark.parametrize(
    ("schema", "fault"),
    [
        ({}, None),
        ({"type": "object", "properties": None, "required": None}, None),
        ({"type": ["object", "null"]}, None),
        ({"type": ["string", "null"]}, "its arguments are of type ['string', 'null'] instead of an object"),
        ({"type": "string"}, "its arguments are of type 'string' instead of an object"),
        ({"properties": {"a": {}, "b": True}, "required": ["a"]}, None),
        ({"properties": {"a": {}, "b": 5}}, PROPERTIES),
        ({"properties": ["a"]}, PROPERTIES),
        ({"required": "a"}, REQUIRED),
        ({"required": ["a", 5]}, REQUIRED),
        (schema_of(8192), None),
        (schema_of(8193), LONG),
    ],
)  # fmt: skip
def test_schema_of_arguments_has_to_be_one(schema: dict[str, Any], fault: str | None) -> None:
    skipped: dict[str, str] = {}
    tools = readable_tools({"tools": [{"name": "tool", "inputSchema": schema}]}, skipped, 1)[
        "tools"
    ]
    assert skipped == ({"tool": fault} if fault else {})
    assert tools == (
        [] if fault else [{"name": "tool", "inputSchema": schema | {"type": "object"}}]
    )


def test_so_many_tools_are_taken_as_there_is_room() -> None:
    listed = [{"name": f"tool_{number}", "inputSchema": {}} for number in range(5)]
    for room, skipped in (
        (5, {}),
        (4, {"1 more": ANY}),
        (2, {"3 more": ANY}),
        (0, {"5 more": ANY}),
    ):
        left_out: dict[str, str] = {}
        assert len(readable_tools({"tools": listed}, left_out, room)["tools"]) == room
        assert left_out == skipped
    faulty = [{"name": f"tool_{number}"} for number in range(MAX_TOOLS + 50)]
    left_out = {}
    readable_tools({"tools": faulty}, left_out, MAX_TOOLS)
    assert len(left_out) == MAX_TOOLS + 1
    left_out = {}
    readable_tools({"tools": [{"name": "x" * 500}]}, left_out, 1)
    assert left_out == {"x" * 100: NO_SCHEMA}


def test_what_is_malformed_beside_and_not_needed_is_left_out() -> None:
    annotations = {"title": "Good", "readOnlyHint": True, "destructiveHint": "no", "odd": 5}
    tool = {"name": "good", "inputSchema": {}, "title": 5, "description": "Does it", "more": 1}
    (read,) = readable_tools({"tools": [tool | {"annotations": annotations}]}, {}, 1)["tools"]
    kept = {"title": "Good", "readOnlyHint": True}
    schema = {"type": "object"}
    assert read == {
        "name": "good", "inputSchema": schema, "description": "Does it", "annotations": kept,
    }  # fmt: skip
    (read,) = readable_tools({"tools": [tool | {"title": "Good", "annotations": "all"}]}, {}, 1)[
        "tools"
    ]
    assert read == {
        "name": "good", "inputSchema": schema, "title": "Good", "description": "Does it",
    }  # fmt: skip


def test_structured_content_is_an_object() -> None:
    assert readable_result({"structuredContent": {"a": 1}})["structuredContent"] == {"a": 1}
    assert readable_result({"structuredContent": [1]})["structuredContent"] == {"result": [1]}
    assert "structuredContent" not in readable_result({"structuredContent": None})
