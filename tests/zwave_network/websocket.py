"""A websocket that says what a Z-Wave JS server never would."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer


@asynccontextmanager
async def websocket(first_words: Callable[[web.WebSocketResponse], Any]) -> AsyncGenerator[str]:
    """Serve a websocket that says something at once."""

    async def serve(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await first_words(socket)
        await socket.receive()
        return socket

    app = web.Application()
    app.router.add_get("/", serve)
    async with TestServer(app) as server:
        yield f"ws://127.0.0.1:{server.port}"
