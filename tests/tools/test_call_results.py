"""What a call results in when its tool gives no result: whether it may have been done."""

import asyncio

import aiohttp
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import httpx2
import probatio
import pytest

from custom_components.voice_gateway.mcp_servers.errors import (
    McpHttpError,
    McpInterrupted,
    McpInvalidAnswer,
    McpRejected,
    McpTimeout,
    McpUnavailable,
    McpUnreachable,
)
from custom_components.voice_gateway.tools.assist.call_errors import Refusal
from custom_components.voice_gateway.tools.call_results import elsewhere, unknown_tool
from custom_components.voice_gateway.tools.journal import Journal
from tests.extra_tools import ExtraTool
from tests.nlu.saying import unread

from .test_executor import IN_DOUBT, executor_of, next_turn, raising, run


@pytest.mark.parametrize(
    ("raised", "is_in_doubt"),
    [
        (McpHttpError("Bad", status=500), True),
        (McpHttpError("Bad", status=502), True),
        (McpHttpError("Bad", status=499), False),
        (McpHttpError("Bad", status=404), False),
        (McpTimeout("Late"), True),
        (McpInterrupted("Broke"), True),
        (McpInvalidAnswer("Odd"), True),
        (McpRejected("No", code=-1), False),
        (McpUnreachable("Away"), False),
        (McpUnavailable("Away"), False),
        (TimeoutError(), True),
        (asyncio.CancelledError(), True),
        (ConnectionResetError(), True),
        (aiohttp.ServerDisconnectedError(), True),
        (httpx2.ReadTimeout("late"), True),
        (httpx2.ReadError("broke"), True),
        (ConnectionRefusedError(), False),
        (aiohttp.InvalidURL("odd"), False),
        (aiohttp.ClientConnectorError(None, OSError("refused")), False),  # type: ignore[arg-type]
        (httpx2.ConnectError("refused"), False),
        (httpx2.ConnectTimeout("late"), False),
        (httpx2.PoolTimeout("late"), False),
        (httpx2.UnsupportedProtocol("odd"), False),
        (ValueError("odd"), False),
        (probatio.Invalid("odd"), False),
    ],
)
async def test_what_may_have_been_done_is_in_doubt_and_nothing_else(
    hass: HomeAssistant, raised: BaseException, *, is_in_doubt: bool
) -> None:
    acts, reads = (ExtraTool(name, raising(raised)) for name in ("acts", "reads"))
    reads.annotations = llm.ToolAnnotations(read_only=True)
    executor = await executor_of(hass, acts, reads)
    assert (await run(executor, "acts")).endswith(IN_DOUBT) is is_in_doubt
    assert executor.journal.is_in_doubt is is_in_doubt
    executor = next_turn(executor)
    text = await run(executor, "reads")
    assert text.startswith("Error: ")
    assert IN_DOUBT not in text
    assert not executor.journal.is_in_doubt


def test_so_many_tools_are_named_as_can_be_read() -> None:
    tools = [ExtraTool(f"tool_{number}", dict) for number in range(41)]
    assert unknown_tool("sing", []).data == {"error": 'Unknown tool "sing"'}
    for count, named in ((40, 40), (41, 10)):
        error = str(unknown_tool("tool_7", tools[:count]).data["error"])
        assert error.startswith('Unknown tool "tool_7". There are: ')
        assert error.count(",") == named - 1
        assert "tool_7," in error


async def test_tools_are_named_once_in_a_turn(hass: HomeAssistant) -> None:
    executor = await executor_of(hass, ExtraTool("one", dict), ExtraTool("two", dict))
    first, second = [await run(executor, name) for name in ("sing", "dance")]
    assert "one, two" in first
    assert second == 'Error: Unknown tool "dance"'
    assert "one, two" in await run(next_turn(executor), "sing")


async def test_who_may_know_better_is_named_by_what_was_said(hass: HomeAssistant) -> None:
    """Only tools that read, the two that fit best, and none but by words of some length."""
    tools = [
        ExtraTool(name, lambda: llm.ToolResult({"error": "No"}, error=True), description=text)
        for name, text in (
            ("search", "Searches"),
            ("forecast", "Tells the weather forecast"),
            ("weather", "Tells the weather"),
            ("tides", "Tells the weather at sea"),
            ("the", "Is in the"),
        )
    ]
    for tool in tools:
        tool.annotations = llm.ToolAnnotations(read_only=True)
    act = ExtraTool("act", dict, description="Makes the weather forecast")
    executor = await executor_of(hass, *tools, act)
    utterance = unread(hass, "what is the weather forecast in Rome")
    assert elsewhere(tools[0], executor.tools, utterance) == (
        " Call forecast or weather now: it may know."
    )
    assert (
        elsewhere(tools[1], executor.tools, utterance) == " Call weather or tides now: it may know."
    )
    assert elsewhere(tools[1], [tools[0], tools[4], act], utterance) == ""


async def test_tool_that_refuses_to_read_names_who_may_know(hass: HomeAssistant) -> None:
    """Who was to do something is not sent to another."""
    tools = {
        name: ExtraTool(name, does, description=text)
        for name, does, text in (
            ("search", raising(Refusal("Nothing found.")), "Searches"),
            ("act", raising(Refusal("Nothing found.")), "Acts"),
            ("forecast", dict, "Tells the weather forecast"),
        )
    }
    for name in ("search", "forecast"):
        tools[name].annotations = llm.ToolAnnotations(read_only=True)
    executor = await executor_of(hass, *tools.values())
    utterance = unread(hass, "what is the weather forecast in Rome")
    turn = executor.for_turn(utterance, Journal(), hass.loop.time() + 60)
    assert await run(turn, "act") == "Error: Nothing found."
    told = "Error: Nothing found. Call forecast now: it may know."
    assert await run(turn, "search") == told
    assert [entry.reason for entry in turn.journal.entries] == ["Nothing found."] * 2
