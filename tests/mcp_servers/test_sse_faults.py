"""Servers that speak as the protocol did until 2024: answers come on a stream of their own."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
import json
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer
import pytest

from custom_components.voice_gateway.mcp_servers.errors import McpError
from custom_components.voice_gateway.mcp_servers.settings import UrlServer

from .conftest import StartSession, connected, text_of

RESULTS: dict[str, Any] = {
    "initialize": {
        "protocolVersion": "2024-11-05",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "old", "version": "1"},
    },
    "tools/list": {"tools": [{"name": "act", "inputSchema": {"type": "object"}}]},
    "tools/call": {"content": [{"type": "text", "text": "done"}]},
}


@dataclass
class OldServer:
    """Such a server; it refuses calls with a status for as long as there is one."""

    url: str = ""
    status: int | None = None
    calls: int = 0
    streams: list[asyncio.Queue[str]] = field(default_factory=list)

    async def stream(self, request: web.Request) -> web.StreamResponse:
        """Send what is told, to whoever came last."""
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        told: asyncio.Queue[str] = asyncio.Queue()
        self.streams.append(told)
        await response.write(b"event: endpoint\ndata: /messages\n\n")
        while text := await told.get():
            await response.write(f"event: message\ndata: {text}\n\n".encode())
        return response

    async def post(self, request: web.Request) -> web.StreamResponse:
        """Take a message."""
        message = await request.json()
        method = message["method"]
        self.calls += method == "tools/call"
        if self.status and method == "tools/call":
            return web.Response(status=self.status, text="Out of memory")
        if "id" in message:
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": RESULTS.get(method, {})}
            self.streams[-1].put_nowait(json.dumps(answer))
        return web.Response(status=202)


@pytest.fixture
async def old(socket_enabled: None) -> AsyncGenerator[OldServer]:
    """Return such a server."""
    server, app = OldServer(), web.Application()
    app.router.add_get("/sse", server.stream)
    app.router.add_post("/messages", server.post)
    async with TestServer(app) as running:
        server.url = str(running.make_url("/sse"))
        yield server
        for stream in server.streams:
            stream.put_nowait("")


@pytest.mark.parametrize("status", [404, 500])
async def test_call_that_is_refused_where_no_answer_can_come_ends_soon(
    start_session: StartSession, old: OldServer, status: int
) -> None:
    """The stream goes on, and would never tell; a new one is begun, on which calls are answered."""
    session = await connected(start_session(UrlServer(url=old.url)))
    assert text_of(await session.async_call("act", {})) == "done"
    old.status = status
    async with asyncio.timeout(10):
        with pytest.raises(McpError):
            await session.async_call("act", {})
    old.status = None
    assert text_of(await session.async_call("act", {})) == "done"
    assert old.calls == 3
    await session.async_stop()
