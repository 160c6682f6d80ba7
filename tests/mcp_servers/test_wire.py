"""Answers of servers that are odd: what is odd in them costs only itself."""

from typing import Any

from mcp.types import CallToolResult
import pytest

from custom_components.voice_gateway.mcp_servers.results import tool_result
from custom_components.voice_gateway.mcp_servers.wire import (
    is_task,
    readable_result,
    readable_tools,
)

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
