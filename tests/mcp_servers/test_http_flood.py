"""Servers at an address that tell more than anybody can hear."""

import asyncio
from collections.abc import AsyncIterator
from itertools import batched
import json
from typing import Any, override

from aiohttp import web
import httpx2
import pytest

from custom_components.voice_gateway.mcp_servers.http import ThrottledStream
from custom_components.voice_gateway.mcp_servers.settings import UrlServer

from .conftest import StartSession, connected, text_of, until
from .faulty import FaultyServer

# What a server tells before it answers a call, so many times.
TIMES = 5_000
TOLD: dict[str, dict[str, Any]] = {
    "tools/list_changed": {},
    "message": {"level": "info", "data": "x"},
    "progress": {"progress": 1},
}


def event(**message: Any) -> bytes:
    return f"event: message\ndata: {json.dumps({'jsonrpc': '2.0', **message})}\n\n".encode()


def news(told: str, **params: Any) -> bytes:
    return event(method=f"notifications/{told}", params=TOLD[told] | params)


async def test_a_flood_of_news_is_heard_in_passing(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    session = await connected(start_session(UrlServer(url=faulty.url)))
    lists: list[str] = []

    async def flood(request: web.Request) -> web.StreamResponse:
        message = await request.json()
        if message["method"] != "tools/call":
            lists.extend(["read"] if message["method"] == "tools/list" else ())
            return await faulty.right(request)
        answer = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await answer.prepare(request)
        params = {"progressToken": message["params"]["_meta"]["progressToken"]}
        told = message["params"]["name"]
        params = params if told == "progress" else {}
        for some in batched([news(told, **params)] * TIMES, 1000, strict=False):
            await answer.write(b"".join(some))
        result = {"content": [{"type": "text", "text": told}]}
        await answer.write(event(id=message["id"], result=result))
        return answer

    faulty.fault = flood
    for told in TOLD:
        turns = 0
        call = asyncio.create_task(session.async_call(told, {}))
        while not call.done():
            turns += 1
            await asyncio.sleep(0)
        assert text_of(call.result()) == told
        assert turns > 100, "others have their turns meanwhile"
    await until(lambda: lists)
    assert len(lists) < 5, "it said so thousands of times"


class Parts(httpx2.AsyncByteStream):
    """A stream that comes in these parts."""

    def __init__(self, *parts: bytes) -> None:
        """Take them."""
        self.parts = parts

    @override
    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self.parts:
            yield part


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
async def test_of_what_comes_at_once_only_news_are_left_out(end: bytes) -> None:
    changes: list[str] = []

    async def calmed(*parts: bytes) -> bytes:
        stream = ThrottledStream(
            Parts(*(part.replace(b"\n", end) for part in parts)), lambda: changes.append("news")
        )
        return b"".join([part async for part in stream]).replace(end, b"\n")

    log, changed = news("message"), news("tools/list_changed")
    answer = event(id=1, result={"content": []})
    asked = event(id=2, method="elicitation/create", params={})
    other = event(method="notifications/subscriptions/acknowledged", params={})
    odd = b'data: {"method": not json\n\n'
    rest = answer + asked + other + odd + b": a comment\n\n"
    # Few are passed on as they came, and so is what comes one by one.
    assert await calmed(log * 9 + rest) == log * 9 + rest
    assert await calmed(*[log] * 50) == log * 50
    assert await calmed(log * 500 + rest) == log * 11 + rest
    assert changes == []
    # What began before and what goes on later stay whole.
    half = len(log) // 2
    assert (
        await calmed(log[:half], log[half:] + log * 500 + answer[:9], answer[9:])
        == log * 11 + answer
    )
    assert await calmed(changed * 500 + rest) == changed * 11 + rest
    assert changes == ["news"]
