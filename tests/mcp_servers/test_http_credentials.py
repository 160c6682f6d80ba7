"""Headers, tokens and redirects: who is let in, and who gets to see a token."""

from aiohttp import web
from homeassistant.exceptions import ConfigEntryAuthFailed, HomeAssistantError
import pytest

from custom_components.voice_gateway.mcp_servers.errors import McpUnauthorized
from custom_components.voice_gateway.mcp_servers.settings import UrlServer

from .conftest import StartSession, connected, failed, text_of
from .faulty import CHALLENGE, FaultyServer, status


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


async def test_no_token_that_a_server_tells_is_shown_be_it_a_new_one(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    tokens = ["the-first-access-token", "the-second-access-token", "the-third-access-token"]

    async def token() -> str:
        return tokens[0]

    async def tells(request: web.Request) -> web.StreamResponse:
        message = await request.json()
        if message["method"] != "tools/call":
            return await faulty.right(request)
        content = [{"type": "text", "text": f"Got {request.headers['Authorization']}"}]
        result = {"jsonrpc": "2.0", "id": message["id"], "result": {"content": content}}
        return web.json_response(result)

    session = await connected(start_session(UrlServer(url=faulty.url, token=token)))
    faulty.fault = tells
    while tokens:
        assert text_of(await session.async_call("act", {})) == "Got Bearer ***"
        tokens.pop(0)


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
    # Once: who asks again and again is locked out.
    assert session.attempts == len(faulty.requests) == 1
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
    answers = iter([TimeoutError("login service"), HomeAssistantError("No network")])

    async def token() -> str:
        for error in answers:
            raise error
        return "token"

    session = await connected(start_session(UrlServer(url=faulty.url, token=token)))
    assert session.attempts == 3


async def test_401_of_an_older_server_is_told_apart_too(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    faulty.fault = status(405)
    faulty.get_status = 401
    session = start_session(UrlServer(url=faulty.url))
    assert isinstance(await failed(session), McpUnauthorized)


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
