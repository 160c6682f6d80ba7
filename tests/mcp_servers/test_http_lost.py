"""Servers at an address that are not there, do not answer, or are killed."""

import asyncio
import re

from aiohttp import web
from aiohttp.test_utils import unused_port
import pytest

from custom_components.voice_gateway.mcp_servers.errors import McpInterrupted, McpUnavailable
from custom_components.voice_gateway.mcp_servers.settings import UrlServer

from .conftest import StartSession, connected, failed, text_of
from .faulty import FaultyServer
from .servers import HttpProcess


async def test_address_where_nobody_listens_is_reported(start_session: StartSession) -> None:
    address = f"127.0.0.1:{unused_port()}"
    session = start_session(UrlServer(url=f"http://{address}/mcp"))
    assert re.match(f"No connection to {re.escape(address)} ", str(await failed(session)))


async def test_address_that_never_answers_is_given_up(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    over = asyncio.Event()

    async def silent(request: web.Request) -> web.StreamResponse:
        await over.wait()
        return web.Response()

    faulty.fault = silent
    session = start_session(UrlServer(url=faulty.url), timings={"connect": 0.2})
    assert str(await failed(session)) == "No answer came in time"
    over.set()


async def test_first_answer_that_is_lost_is_not_waited_for_as_long_as_a_download(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    over = asyncio.Event()
    lost: list[str] = []

    async def losing(request: web.Request) -> web.StreamResponse:
        faulty.fault = None
        lost.append((await request.json())["method"])
        await over.wait()
        return web.Response()

    faulty.fault = losing
    session = start_session(UrlServer(url=faulty.url), timings={"answer": 0.3})
    await connected(session)
    assert len(lost) == 1
    over.set()


@pytest.mark.parametrize("address", ["nonsense", "http://", "ftp://127.0.0.1/", "http://[::1"])
async def test_address_that_is_none_is_reported(start_session: StartSession, address: str) -> None:
    session = start_session(UrlServer(url=address))
    await failed(session)


@pytest.mark.parametrize("http_server", ["streamable-http", "sse"], indirect=True)
async def test_server_killed_while_idle_is_noticed_without_a_call(
    start_session: StartSession, http_server: HttpProcess
) -> None:
    session = await connected(start_session(UrlServer(url=http_server.url)))
    reasons: list[str] = []
    session.async_add_listener(lambda: reasons.append(str(session.last_error)))
    http_server.kill()
    await failed(session)
    # What was answered while it was found out how old the server is, is no reason.
    assert not reasons[0].startswith("HTTP")
    http_server.restart()
    await connected(session)
    assert text_of(await session.async_call("add", {"a": 1, "b": 2})) == "3"


@pytest.mark.parametrize("http_server", ["streamable-http", "sse"], indirect=True)
async def test_server_killed_during_call_is_reported_and_reconnected(
    start_session: StartSession, http_server: HttpProcess
) -> None:
    session = await connected(start_session(UrlServer(url=http_server.url)))
    call = asyncio.create_task(session.async_call("sleep", {"seconds": 30}))
    while text_of(await session.async_call("add", {"a": 1, "b": 2})) != "3":
        pass
    http_server.kill()
    with pytest.raises(McpInterrupted, match="it may or may not have carried out the call"):
        await call
    http_server.restart()
    assert text_of(await session.async_call("add", {"a": 1, "b": 2})) == "3"
    if http_server.transport == "sse":
        return
    # In between calls, with the newer transport, the caller does not notice.
    http_server.kill()
    http_server.restart()
    assert text_of(await session.async_call("add", {"a": 1, "b": 2})) == "3"


@pytest.mark.parametrize("http_server", ["sse"], indirect=True)
async def test_call_right_after_the_end_of_an_older_server_fails_soon_and_says_so(
    start_session: StartSession, http_server: HttpProcess
) -> None:
    session = await connected(start_session(UrlServer(url=http_server.url), timings={"wait": 0.2}))
    http_server.kill()
    async with asyncio.timeout(3):
        with pytest.raises((McpInterrupted, McpUnavailable)):
            await session.async_call("add", {"a": 1, "b": 2})


async def test_call_says_that_there_is_no_server_when_none_comes_in_time(
    start_session: StartSession, http_server: HttpProcess
) -> None:
    session = await connected(start_session(UrlServer(url=http_server.url), timings={"wait": 0.2}))
    http_server.kill()
    with pytest.raises(McpUnavailable, match="The service is not available at the moment"):
        await session.async_call("add", {"a": 1, "b": 2})
