"""Answers over HTTP that are wrong: statuses, forgotten sessions, what cannot be read."""

import asyncio
import json
import logging

from aiohttp import web
import pytest

from custom_components.voice_gateway.mcp_servers import http
from custom_components.voice_gateway.mcp_servers.errors import (
    McpError,
    McpHttpError,
    McpInterrupted,
    McpInvalidAnswer,
    McpMoreRights,
)
from custom_components.voice_gateway.mcp_servers.session import SessionState
from custom_components.voice_gateway.mcp_servers.settings import UrlServer

from .conftest import StartSession, connected, failed, text_of, until
from .faulty import Answer, FaultyServer, status


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (status(403, "You may not"), "HTTP 403 Forbidden: You may not"),
        (status(404, "<html>…"), "HTTP 404 Not Found"),
        (status(405), "HTTP 405 Method Not Allowed"),
        # There was none that it could have forgotten.
        (status(400, "A session is needed"), "HTTP 400 Bad Request: A session is needed"),
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


@pytest.mark.parametrize("code", [500, 503])
async def test_status_500_for_good_ends_the_session_until_it_is_over(
    start_session: StartSession, faulty: FaultyServer, code: int
) -> None:
    session = await connected(start_session(UrlServer(url=faulty.url)))
    faulty.fault = status(code)
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


@pytest.mark.parametrize(
    ("code", "words"), [(403, "HTTP 403 Forbidden: No"), (400, "HTTP 400 Bad Request: No")]
)
async def test_refusal_of_one_call_leaves_the_session_alone(
    start_session: StartSession, faulty: FaultyServer, code: int, words: str
) -> None:
    session = await connected(start_session(UrlServer(url=faulty.url)))
    faulty.fault = status(code, "No")
    faulty.requests.clear()
    with pytest.raises(McpHttpError, match=words):
        await session.async_call("act", {})
    faulty.fault = None
    # It is not asked whether it lives either.
    await asyncio.sleep(0.05)
    assert len(faulty.requests) == 1
    # No right is lacking of which it told.
    assert session.challenge == ""
    assert session.state is SessionState.CONNECTED
    assert text_of(await session.async_call("act", {})) == "done"


async def test_right_that_a_call_lacks_is_noted_as_the_server_names_it(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    session = await connected(start_session(UrlServer(url=faulty.url)))
    told: list[str] = []
    session.async_add_listener(lambda: told.append(session.challenge))
    lacks = 'Bearer error="insufficient_scope", scope="notes:write"'
    faulty.fault = status(403, "No", headers={"WWW-Authenticate": lacks})
    with pytest.raises(McpMoreRights):
        await session.async_call("act", {})
    assert told == [lacks]
    assert session.state is SessionState.CONNECTED


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (404, "Session not found"),
        # As some servers say it.
        (400, "Bad Request: No valid session ID provided"),
        (400, "Session not found"),
        (400, "NO SUCH SESSION"),
    ],
)
async def test_forgotten_session_is_resumed_and_the_call_made_once(
    start_session: StartSession, faulty: FaultyServer, code: int, words: str
) -> None:
    session = await connected(start_session(UrlServer(url=faulty.url)))
    old = set(faulty.sessions)

    async def forgotten(request: web.Request) -> web.StreamResponse:
        if request.headers.get("Mcp-Session-Id") not in old:
            faulty.fault = None
            return await faulty.post(request)
        error = {"code": -32000, "message": words}
        return web.json_response({"jsonrpc": "2.0", "id": None, "error": error}, status=code)

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


def result_of(kind: str, size: int, **headers: str) -> Answer:
    """Answer with a result of so many bytes, whole or as an event."""

    async def answer(request: web.Request) -> web.StreamResponse:
        content = [{"type": "text", "text": "x" * size}]
        message = {"id": (await request.json())["id"], "result": {"content": content}}
        text = json.dumps({"jsonrpc": "2.0"} | message)
        text = text if kind == "application/json" else f"event: message\ndata: {text}\n\n"
        return web.Response(text=text, content_type=kind, headers=headers)

    return answer


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
async def test_long_result_comes_whole_but_none_without_an_end(
    start_session: StartSession,
    faulty: FaultyServer,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
) -> None:
    session = await connected(start_session(UrlServer(url=faulty.url)))
    faulty.fault = result_of(kind, 5_000_000)
    assert len(text_of(await session.async_call("act", {}))) == 5_000_000
    if kind == "application/json":
        monkeypatch.setattr(http, "_MAX_ANSWER", 2 << 20)
        with pytest.raises(McpInterrupted, match="The answer is longer than 2 MB"):
            await session.async_call("act", {})


async def test_answer_that_is_packed_is_not_unpacked(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    """Also where the settings have a header that asks for it."""
    server = UrlServer(url=faulty.url, headers={"Accept-Encoding": "gzip"})
    session = await connected(start_session(server))
    assert {headers["Accept-Encoding"] for _, _, headers in faulty.requests} == {"identity"}
    headers = {"Content-Encoding": "gzip"}
    faulty.fault = result_of("application/json", 10, **headers)
    with pytest.raises(McpInterrupted, match="compresses its answers"):
        await session.async_call("act", {})


async def test_words_of_a_failure_are_short_whatever_comes(
    start_session: StartSession, faulty: FaultyServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await connected(start_session(UrlServer(url=faulty.url)))
    monkeypatch.setattr(http, "_READ", 1000)
    for text in ("x" * 5_000_000, json.dumps({"message": "x" * 500})):
        faulty.fault = status(409, text)
        with pytest.raises(McpHttpError) as told:
            await session.async_call("act", {})
        assert str(told.value) == f"HTTP 409 Conflict: {'x' * 300}"


async def test_what_others_hear_of_the_sdk_in_the_log_they_still_hear(
    start_session: StartSession, faulty: FaultyServer, caplog: pytest.LogCaptureFixture
) -> None:
    session = await connected(start_session(UrlServer(url=faulty.url)))
    await session.async_call("act", {})
    logging.getLogger("mcp.client.streamable_http").error("Somebody else's server is odd")
    assert "Somebody else's server is odd" in caplog.text
