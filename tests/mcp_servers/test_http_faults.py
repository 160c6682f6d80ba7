"""What servers at an address, and what is between, do wrong."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field
import re
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer
from homeassistant.exceptions import ConfigEntryAuthFailed
import pytest

from custom_components.voice_gateway.mcp_servers.errors import (
    McpError,
    McpHttpError,
    McpInterrupted,
    McpInvalidAnswer,
    McpUnauthorized,
    McpUnavailable,
)
from custom_components.voice_gateway.mcp_servers.session import McpSession, SessionState
from custom_components.voice_gateway.mcp_servers.settings import UrlServer

from .conftest import StartSession, text_of, until
from .servers import HttpProcess

CHALLENGE = 'Bearer resource_metadata="http://127.0.0.1/.well-known/oauth-protected-resource"'

type Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(slots=True)
class FaultyServer:
    """A small streamable HTTP server, and what is wrong with it."""

    url: str = ""
    # What to answer to each POST instead of the right thing.
    fault: Answer | None = None
    token: str | None = None
    get_status: int = 405
    sessions: set[str] = field(default_factory=set)
    requests: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)

    async def post(self, request: web.Request) -> web.StreamResponse:
        """Answer a message."""
        self.requests.append((request.method, request.path, dict(request.headers)))
        if self.fault:
            return await self.fault(request)
        if self.token and request.headers.get("Authorization") != f"Bearer {self.token}":
            words = {"error_description": "The token expired"}
            return web.json_response(words, status=401, headers={"WWW-Authenticate": CHALLENGE})
        message = await request.json()
        if message["method"] == "initialize":
            self.sessions.add(session := f"session-{len(self.requests)}")
            return self._result(message, _INTRODUCTION, {"Mcp-Session-Id": session})
        if request.headers.get("Mcp-Session-Id") not in self.sessions:
            error = {"code": -32600, "message": "Session not found"}
            return web.json_response({"jsonrpc": "2.0", "id": None, "error": error}, status=404)
        match message:
            case {"method": "tools/list"}:
                schema = {"type": "object", "properties": {}}
                return self._result(message, {"tools": [{"name": "act", "inputSchema": schema}]})
            case {"method": "tools/call", "params": {"name": name}}:
                self.calls.append(name)
                return self._result(message, {"content": [{"type": "text", "text": "done"}]})
            case {"id": _}:
                return self._result(message, {})
            case _:
                return web.Response(status=202)

    async def get(self, request: web.Request) -> web.Response:
        """Refuse a stream of events."""
        return web.Response(status=self.get_status)

    async def delete(self, request: web.Request) -> web.Response:
        """End a session."""
        self.requests.append((request.method, request.path, dict(request.headers)))
        self.sessions.discard(request.headers["Mcp-Session-Id"])
        return web.Response()

    def _result(
        self, message: dict[str, Any], result: dict[str, Any], headers: dict[str, str] | None = None
    ) -> web.Response:
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        return web.json_response(answer, headers=headers)


_INTRODUCTION = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "faulty", "version": "1"},
}


def status(code: int, text: str = "", **rest: Any) -> Answer:
    """Answer everything with a status."""

    async def answer(request: web.Request) -> web.Response:
        return web.Response(status=code, text=text, **rest)

    return answer


@pytest.fixture
async def faulty() -> AsyncGenerator[FaultyServer]:
    """Return a server that has no fault yet."""
    faulty = FaultyServer()
    app = web.Application()
    app.router.add_post("/{path:.*}", faulty.post)
    app.router.add_get("/{path:.*}", faulty.get)
    app.router.add_delete("/{path:.*}", faulty.delete)
    async with TestServer(app) as server:
        faulty.url = str(server.make_url("/mcp"))
        yield faulty


@pytest.fixture
async def elsewhere() -> AsyncGenerator[FaultyServer]:
    """Return another server, at another address."""
    other = FaultyServer()
    app = web.Application()
    app.router.add_post("/{path:.*}", other.post)
    async with TestServer(app) as server:
        other.url = str(server.make_url("/mcp"))
        yield other


async def failed(session: McpSession) -> McpError:
    """Wait for a session to have failed; return why."""
    await until(lambda: session.state is SessionState.FAILED)
    assert session.last_error is not None
    return session.last_error


async def connected(session: McpSession) -> McpSession:
    """Wait for a session to be connected."""
    await until(lambda: session.state is SessionState.CONNECTED)
    return session


async def test_headers_of_the_settings_go_with_every_request(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    session = start_session(UrlServer(url=faulty.url, headers={"X-Key": "secret"}))
    await session.async_call("act", {})
    await session.async_stop()
    assert [method for method, _, _ in faulty.requests][-1] == "DELETE"
    assert all(headers["X-Key"] == "secret" for _, _, headers in faulty.requests)
    assert not faulty.sessions


async def test_token_is_asked_for_anew_before_each_request(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    faulty.token = "one"

    async def token() -> str:
        return faulty.token or ""

    session = await connected(start_session(UrlServer(url=faulty.url, token=token)))
    faulty.token = "two"
    assert text_of(await session.async_call("act", {})) == "done"


async def test_401_while_connecting_fails_at_once_and_says_why(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    faulty.token = "right"
    wrong = UrlServer(url=faulty.url, headers={"Authorization": "Bearer wrong"})
    session = start_session(wrong, timings={"slow_attempts": (600,)})
    error = await failed(session)
    assert isinstance(error, McpUnauthorized)
    assert str(error) == (
        "The server refused the credentials: HTTP 401 Unauthorized: The token expired"
    )
    assert error.challenge == CHALLENGE
    assert session.attempts == 1
    with pytest.raises(McpUnauthorized):
        await session.async_call("act", {})


async def test_401_during_a_session_ends_it_and_the_call_says_why(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    session = await connected(start_session(UrlServer(url=faulty.url)))
    faulty.token = "expired"
    with pytest.raises(McpUnauthorized):
        await session.async_call("act", {})
    assert isinstance(await failed(session), McpUnauthorized)
    assert not faulty.calls


async def test_token_that_cannot_be_renewed_is_as_401(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    async def token() -> str:
        raise ConfigEntryAuthFailed("Please log in again")

    session = start_session(UrlServer(url=faulty.url, token=token))
    assert isinstance(await failed(session), McpUnauthorized)
    assert not faulty.requests


async def test_token_that_runs_out_before_an_older_server_is_reached_is_as_401(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    faulty.fault = status(405)
    # For the two POSTs that find out how old it is; none is left for the stream of events.
    tokens = iter(["first", "second"])

    async def token() -> str:
        if token := next(tokens, None):
            return token
        raise ConfigEntryAuthFailed("Please log in again")

    session = start_session(UrlServer(url=faulty.url, token=token))
    assert isinstance(await failed(session), McpUnauthorized)
    assert session.attempts == 1


async def test_token_that_cannot_be_had_just_now_is_tried_again(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    answers = iter([TimeoutError("login service")])

    async def token() -> str:
        for error in answers:
            raise error
        return "token"

    session = await connected(start_session(UrlServer(url=faulty.url, token=token)))
    assert session.attempts == 2


async def test_401_of_an_older_server_is_told_apart_too(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    faulty.fault = status(405)
    faulty.get_status = 401
    session = start_session(UrlServer(url=faulty.url))
    assert isinstance(await failed(session), McpUnauthorized)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (status(403, "You may not"), "HTTP 403 Forbidden: You may not"),
        (status(404, "<html>…"), "HTTP 404 Not Found"),
        (status(405), "HTTP 405 Method Not Allowed"),
        (status(500, '{"detail": "disk full"}'), "HTTP 500 Internal Server Error: disk full"),
        (status(502, "<html>…"), "HTTP 502 Bad Gateway"),
        (
            status(200, "<html>Welcome</html>"),
            "The server's answer is not valid MCP: Unexpected content type: text/plain; charset=utf-8",
        ),
        (
            status(400, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Go away"}}'),
            "Go away",
        ),
    ],
)
async def test_status_while_connecting_is_reported_in_words(
    start_session: StartSession, faulty: FaultyServer, answer: Answer, words: str
) -> None:
    faulty.fault = answer
    session = start_session(UrlServer(url=faulty.url))
    assert str(await failed(session)) == words
    faulty.fault = None
    await connected(session)


async def test_status_500_during_a_call_is_reported_and_the_session_stays(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    session = await connected(start_session(UrlServer(url=faulty.url), timings={"ping_answer": 20}))

    async def once(request: web.Request) -> web.StreamResponse:
        faulty.fault = None
        return web.Response(status=500, text="out of memory")

    faulty.fault = once
    with pytest.raises(McpHttpError, match="HTTP 500 Internal Server Error: out of memory"):
        await session.async_call("act", {})
    assert text_of(await session.async_call("act", {})) == "done"
    assert len(faulty.sessions) == 1


async def test_status_500_for_good_ends_the_session_until_it_is_over(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    session = await connected(start_session(UrlServer(url=faulty.url)))
    faulty.fault = status(503)
    with pytest.raises(McpHttpError):
        await session.async_call("act", {})
    assert isinstance(await failed(session), McpHttpError)
    faulty.fault = None
    await connected(session)


async def test_session_that_ends_with_405_says_so_and_is_no_older_server(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    """405 is what an older server answers at first: one that was connected already is none."""
    session = start_session(UrlServer(url=faulty.url), timings={"ping": 0.1, "ping_answer": 8})
    await connected(session)
    reasons: list[str] = []
    session.async_add_listener(
        lambda: reasons.append(str(session.last_error)) if session.last_error else None
    )
    # What a try over SSE would report instead.
    faulty.get_status = 406
    faulty.fault = status(405)
    await until(lambda: reasons)
    assert reasons[0] == "HTTP 405 Method Not Allowed"


async def test_status_403_of_one_call_leaves_the_session_alone(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    session = await connected(start_session(UrlServer(url=faulty.url)))
    faulty.fault = status(403, "Not this tool")
    with pytest.raises(McpHttpError, match="HTTP 403 Forbidden: Not this tool"):
        await session.async_call("act", {})
    faulty.fault = None
    assert session.state is SessionState.CONNECTED
    assert text_of(await session.async_call("act", {})) == "done"


async def test_forgotten_session_is_resumed_and_the_call_made_once(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    session = await connected(start_session(UrlServer(url=faulty.url)))
    faulty.sessions.clear()
    assert text_of(await session.async_call("act", {})) == "done"
    assert faulty.calls == ["act"]


async def test_session_forgotten_as_some_servers_say_it_is_resumed_too(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    session = await connected(start_session(UrlServer(url=faulty.url)))
    old = set(faulty.sessions)

    async def forgotten(request: web.Request) -> web.StreamResponse:
        if request.headers.get("Mcp-Session-Id") not in old:
            faulty.fault = None
            return await faulty.post(request)
        error = {"code": -32000, "message": "Bad Request: No valid session ID provided"}
        return web.json_response({"jsonrpc": "2.0", "id": None, "error": error}, status=400)

    faulty.fault = forgotten
    assert text_of(await session.async_call("act", {})) == "done"
    assert faulty.calls == ["act"]


async def test_session_that_is_forgotten_again_and_again_is_not_asked_for_ever(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    session = await connected(start_session(UrlServer(url=faulty.url)))

    asked = 0

    async def forgetful(request: web.Request) -> web.StreamResponse:
        nonlocal asked
        if b"tools/call" in await request.read():
            asked += 1
            return web.Response(status=404)
        faulty.fault = None
        answer = await faulty.post(request)
        faulty.fault = forgetful
        return answer

    faulty.fault = forgetful
    with pytest.raises(McpError, match="The server has forgotten the session"):
        await session.async_call("act", {})
    assert asked == 2


async def test_redirect_within_the_address_is_followed(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    async def slash(request: web.Request) -> web.StreamResponse:
        if request.path == "/mcp":
            raise web.HTTPTemporaryRedirect("/mcp/")
        faulty.fault = None
        answer = await faulty.post(request)
        faulty.fault = slash
        return answer

    faulty.fault = slash
    session = start_session(UrlServer(url=faulty.url, headers={"Authorization": "Bearer token"}))
    assert text_of(await session.async_call("act", {})) == "done"


async def test_redirect_elsewhere_is_not_followed_and_the_token_stays_here(
    start_session: StartSession, faulty: FaultyServer, elsewhere: FaultyServer
) -> None:
    faulty.fault = status(307, headers={"Location": elsewhere.url})
    session = start_session(UrlServer(url=faulty.url, headers={"Authorization": "Bearer token"}))
    error = await failed(session)
    assert str(error).startswith(f"Redirect to {elsewhere.url} not followed")
    assert not elsewhere.requests


async def test_address_where_nobody_listens_is_reported(
    start_session: StartSession, http_server: HttpProcess
) -> None:
    http_server.kill()
    session = start_session(UrlServer(url=http_server.url))
    address = re.escape(f"127.0.0.1:{http_server.port}")
    assert re.match(f"No connection to {address} ", str(await failed(session)))


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


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("{ nonsense", "application/json"),
        ('{"jsonrpc": "2.0", "id": 1, "result": 5}', "application/json"),
        ("event: message\ndata: { nonsense\n\n", "text/event-stream"),
        ("<html>", "text/html"),
    ],
)
async def test_answer_that_cannot_be_read_is_not_told_as_the_servers_words(
    start_session: StartSession,
    faulty: FaultyServer,
    caplog: pytest.LogCaptureFixture,
    body: str,
    kind: str,
) -> None:
    session = await connected(start_session(UrlServer(url=faulty.url)))
    faulty.fault = status(200, body, content_type=kind)
    with pytest.raises(McpInvalidAnswer) as told:
        await session.async_call("act", {})
    assert len(str(told.value)) < 120
    assert "pydantic" not in str(told.value)
    assert "ERROR" not in [record.levelname for record in caplog.records]


@pytest.mark.parametrize("address", ["nonsense", "http://", "ftp://127.0.0.1/", "http://[::1"])
async def test_address_that_is_none_is_reported(start_session: StartSession, address: str) -> None:
    session = start_session(UrlServer(url=address))
    await failed(session)


@pytest.mark.parametrize("http_server", ["streamable-http", "sse"], indirect=True)
async def test_server_killed_while_idle_is_noticed_without_a_call(
    start_session: StartSession, http_server: HttpProcess
) -> None:
    session = await connected(start_session(UrlServer(url=http_server.url)))
    http_server.kill()
    await failed(session)
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


async def test_server_restarted_in_between_is_not_noticed_by_the_caller(
    start_session: StartSession, http_server: HttpProcess
) -> None:
    session = await connected(start_session(UrlServer(url=http_server.url)))
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
