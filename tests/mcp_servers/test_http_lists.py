"""What servers at an address list, and how they introduce themselves and answer when they are asked."""

import asyncio
from typing import Any

from aiohttp import web
import pytest

from custom_components.voice_gateway.mcp_servers.errors import McpTimeout
from custom_components.voice_gateway.mcp_servers.session import SessionState
from custom_components.voice_gateway.mcp_servers.settings import UrlServer

from .conftest import StartSession, connected, text_of, until
from .faulty import FaultyServer

SCHEMA = {"type": "object", "properties": {}}


class Told:
    """What a server answers to one method, and how often it was asked."""

    def __init__(self, faulty: FaultyServer, method: str, *results: Any) -> None:
        """Answer the method with these results, the last one for ever."""
        self._faulty = faulty
        self._method = method
        self._results = results
        self.asked: list[dict[str, Any]] = []
        faulty.fault = self._answer

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        message = await request.json()
        if message["method"] != self._method:
            return await self._faulty.right(request)
        result = self._results[min(len(self.asked), len(self._results) - 1)]
        self.asked.append(message.get("params") or {})
        return web.json_response({"jsonrpc": "2.0", "id": message["id"]} | result)


def tools(count: int, **more: Any) -> dict[str, Any]:
    listed = [{"name": f"tool_{number}", "inputSchema": SCHEMA} for number in range(count)]
    return {"result": {"tools": listed, **more}}


@pytest.mark.parametrize(
    ("pages", "asked"),
    [
        # It says that there is more, and always the same; or says of an end that there is more.
        ((tools(1, nextCursor="a"),), 2),
        ((tools(1, nextCursor=""),), 1),
        # It has always one page more.
        (tuple(tools(150, nextCursor=str(number)) for number in range(9)), 2),
    ],
)
async def test_list_of_tools_comes_to_an_end(
    start_session: StartSession, faulty: FaultyServer, pages: tuple[Any, ...], asked: int
) -> None:
    told = Told(faulty, "tools/list", *pages)
    session = await connected(start_session(UrlServer(url=faulty.url)))
    assert len(told.asked) == asked
    assert session.tools


async def test_tools_that_are_read_again_or_twice_at_once_are_all_there(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    Told(faulty, "tools/list", tools(150))
    session = await connected(start_session(UrlServer(url=faulty.url)))
    await session.async_refresh()
    assert len(session.tools) == 150
    await asyncio.gather(session.async_refresh(), session.async_refresh())
    assert len(session.tools) == 150
    assert session.skipped_tools == {}


async def test_tool_that_became_usable_is_no_longer_named_as_left_out(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    odd = {"result": {"tools": [{"name": "tool_0"}]}}
    Told(faulty, "tools/list", odd, tools(1))
    session = await connected(start_session(UrlServer(url=faulty.url)))
    assert list(session.skipped_tools) == ["tool_0"]
    await session.async_refresh()
    assert [tool.name for tool in session.tools] == ["tool_0"]
    assert session.skipped_tools == {}


async def test_list_that_does_not_come_is_waited_for_as_long_as_a_call(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    session = await connected(start_session(UrlServer(url=faulty.url), timeout=0.1))
    over = asyncio.Event()

    async def silent(request: web.Request) -> web.StreamResponse:
        await over.wait()
        return web.Response()

    faulty.fault = silent
    async with asyncio.timeout(10):
        with pytest.raises(McpTimeout):
            await session.async_refresh()
    over.set()


@pytest.mark.parametrize(
    "said",
    [
        {"result": {}},
        {"result": {"supportedVersions": ["1999-01-01"], "capabilities": {}}},
        {"error": {"code": -32601, "message": "Method not found"}},
        {"error": {"code": -32000, "message": "Say hello first"}},
    ],
)
async def test_who_does_not_know_the_newer_introduction_is_asked_in_the_older_way(
    start_session: StartSession, faulty: FaultyServer, said: dict[str, Any]
) -> None:
    told = Told(faulty, "server/discover", said)
    session = await connected(start_session(UrlServer(url=faulty.url)))
    assert text_of(await session.async_call("act", {})) == "done"
    assert (len(told.asked), session.attempts) == (1, 1)


@pytest.mark.parametrize(
    "said", [{"error": {"code": -32601, "message": "Method not found"}}, {"result": 5}]
)
async def test_any_answer_to_a_ping_is_a_sign_of_life(
    start_session: StartSession, faulty: FaultyServer, said: dict[str, Any]
) -> None:
    told = Told(faulty, "ping", said)
    timings = {"ping": 0.05, "ping_answer": 20}
    session = await connected(start_session(UrlServer(url=faulty.url), timings=timings))
    await until(lambda: len(told.asked) >= 3)
    assert session.state is SessionState.CONNECTED
    assert "DELETE" not in [method for method, *_ in faulty.requests]
