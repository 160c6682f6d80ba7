"""What is sent to an Ollama server and taken from it, over real HTTP, and limits."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
import gzip
import json
from typing import Any

from aiohttp import web
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_get_clientsession
import pytest

from custom_components.voice_gateway.models.client import ModelError, Reason
from custom_components.voice_gateway.models.ollama import server as module
from custom_components.voice_gateway.models.ollama.server import OllamaServer
from tests.agent import Agent, add_agent
from tests.flows.forms import begin, fill_in
from tests.mcp_servers.conftest import until
from tests.ollama import MODEL, Fault, PlayedOllama, Step, done, line, part, played_ollama
from tests.rows import rows

BODY: dict[str, Any] = {"model": MODEL, "messages": [], "options": {"num_predict": 9}}
MIB = 1 << 20


async def chunks(server: OllamaServer, body: dict[str, Any] = BODY) -> list[dict[str, Any]]:
    return [chunk async for chunk in server.chat(body)]


async def failure(server: OllamaServer, path: str = "/api/chat") -> ModelError:
    """Return how a chat, a download or the question for the version fails."""

    async def pull() -> None:
        async for _ in server.pull(MODEL):
            pass

    asked = {"/api/chat": lambda: chunks(server), "/api/pull": pull, "/api/version": server.version}
    with pytest.raises(ModelError) as raised:
        await asked[path]()
    return raised.value


# What is sent


async def test_chat_is_sent_as_it_was_given(server: OllamaServer, ollama: PlayedOllama) -> None:
    parameters = {
        "type": "object",
        "properties": {
            "level": {"type": "integer", "minimum": 0, "maximum": 100},
            "color": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "when": {
                "type": "object",
                "properties": {"at": {"type": "string", "format": "time"}},
                "required": ["at"],
            },
        },
        "required": ["level"],
    }
    tool = {"type": "function", "function": {"name": "set", "parameters": parameters}}
    body = BODY | {"tools": [tool], "truncate": False, "shift": False, "format": parameters}
    await chunks(server, body)
    assert ollama.chats == [body | {"stream": True}]


async def test_headers_are_the_same_and_no_key_where_there_is_none(
    server: OllamaServer, ollama: PlayedOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OLLAMA_API_KEY", "of-another-server")
    await server.version()
    asked = dict(ollama.headers)
    await chunks(server)
    assert ollama.headers == asked | {"Content-Length": ollama.headers["Content-Length"]}
    assert asked.pop("User-Agent").startswith("HomeAssistant/")
    assert asked == {
        "Accept": "*/*",
        "Accept-Encoding": "identity",
        "Content-Type": "application/json",
        "Host": ollama.url.removeprefix("http://"),
    }


@pytest.mark.usefixtures("disable_mock_zeroconf_resolver", "mock_async_zeroconf")
async def test_server_is_sent_no_cookies_neither_its_own_nor_of_others(
    hass: HomeAssistant, ollama: PlayedOllama
) -> None:
    url = ollama.url.replace("127.0.0.1", "localhost")
    version = web.json_response({"version": "1"}, headers={"Set-Cookie": "own=1"})
    ollama.whole["/api/version"] = version
    # Of another service on the same computer, which another integration asks.
    async with async_get_clientsession(hass).get(f"{url}/api/version"):
        assert "Cookie" not in ollama.headers
    async with async_get_clientsession(hass).get(f"{url}/api/version"):
        assert ollama.headers["Cookie"] == "own=1"
    server = OllamaServer(hass, url)
    await server.version()
    assert "Cookie" not in ollama.headers
    await server.version()
    assert "Cookie" not in ollama.headers


async def test_name_and_password_of_an_address_are_sent(
    hass: HomeAssistant, ollama: PlayedOllama
) -> None:
    server = OllamaServer(hass, ollama.url.replace("//", "//me:p%40ss@"))
    await server.version()
    assert ollama.headers["Authorization"] == "Basic bWU6cEBzcw=="


@pytest.mark.parametrize("key", ["ключ", "two\nlines"])
async def test_key_that_cannot_be_sent_is_refused_and_not_shown(
    hass: HomeAssistant, ollama: PlayedOllama, key: str
) -> None:
    err = await failure(OllamaServer(hass, ollama.url, key), "/api/version")
    assert err.reason is Reason.UNAUTHORIZED
    assert key not in err.detail
    assert not ollama.requests


@pytest.mark.parametrize("path", ["/api/chat", "/api/pull", "/api/version"])
async def test_redirects_are_not_followed(
    server: OllamaServer, ollama: PlayedOllama, path: str
) -> None:
    async with played_ollama() as other:
        moved = web.Response(status=307, headers={"Location": f"{other.url}{path}"})
        ollama.whole[path] = moved
        assert (await failure(server, path)).reason is Reason.NOT_THE_SERVER
        assert not other.requests


# What comes


async def test_lines_end_with_a_line_feed_alone(server: OllamaServer, ollama: PlayedOllama) -> None:
    """As text, a line would end at these letters too."""
    text = "one\u0085two\u2028three\u2029four"
    piece = json.dumps({"message": {"content": text}}, ensure_ascii=False).encode()
    ollama.answers([piece, b"\r\n\n \n", done()])
    first, last = await chunks(server)
    assert first["choices"][0]["delta"]["content"] == text
    assert last["choices"][0]["finish_reason"] == "stop"


@rows("words", ["null", "[]", "7", '"Unauthorized"', '{"detail": "no"}', ""])
@rows("path", ["/api/chat", "/api/pull", "/api/version"])
async def test_refusal_keeps_its_status_whatever_its_words_are(
    server: OllamaServer, ollama: PlayedOllama, path: str, words: str
) -> None:
    ollama.whole[path] = web.Response(status=401, text=words, content_type="application/json")
    err = await failure(server, path)
    assert err.reason is Reason.UNAUTHORIZED
    assert err.detail.startswith("HTTP 401: ")


@pytest.mark.parametrize("path", ["/api/chat", "/api/pull"])
async def test_error_within_a_stream_has_no_status_of_its_own(
    server: OllamaServer, ollama: PlayedOllama, path: str
) -> None:
    ollama.whole[path] = [line(status="begun"), line(error="the disk is full")]
    err = await failure(server, path)
    assert err.reason is Reason.SERVER_ERROR
    assert err.detail == "the disk is full"


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/api/chat", Reason.CONNECTION_LOST),
        ("/api/pull", Reason.CONNECTION_LOST),
        # A form's question: there is no answer that could be lost.
        ("/api/version", Reason.UNREACHABLE),
    ],
)
async def test_connection_that_ends_too_early(
    server: OllamaServer, ollama: PlayedOllama, path: str, reason: Reason
) -> None:
    ways: tuple[list[Step], ...] = ([Fault.CUT], [b'{"version": ', Fault.CUT])
    for steps in ways:
        ollama.whole[path] = steps
        assert (await failure(server, path)).reason is reason


@rows("answer", [b"[1]\n", b'"text"\n', b"null\n", b"[" * 100_000, b"\xff\xfe\n"])
async def test_download_that_is_none(
    server: OllamaServer, ollama: PlayedOllama, answer: bytes
) -> None:
    ollama.whole["/api/pull"] = [answer]
    assert (await failure(server, "/api/pull")).reason is Reason.CONNECTION_LOST


# Limits


def endless(piece: bytes) -> Iterator[Step]:
    while True:
        yield piece


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/api/chat", Reason.CONNECTION_LOST),
        ("/api/pull", Reason.CONNECTION_LOST),
        ("/api/version", Reason.NOT_THE_SERVER),
    ],
)
async def test_line_or_answer_without_end_is_not_read_on(
    server: OllamaServer, ollama: PlayedOllama, path: str, reason: Reason
) -> None:
    ollama.whole[path] = endless(b" " * 65536)
    err = await failure(server, path)
    assert err.reason is reason
    assert "More than" in err.detail
    # Nobody reads what the server still sends.
    await until(lambda: ollama.connections == 0)


async def test_refusal_without_end_is_not_read_on(
    server: OllamaServer, ollama: PlayedOllama
) -> None:
    ollama.whole["/api/version"] = web.Response(status=500, body=b"x" * (8 * MIB + 1))
    err = await failure(server, "/api/version")
    assert err.reason is Reason.SERVER_ERROR, "The status says enough"
    assert len(err.detail) < 600


async def test_refusal_that_goes_on_for_ever_is_one(
    server: OllamaServer, ollama: PlayedOllama
) -> None:
    async def page() -> AsyncIterator[bytes]:
        while True:
            yield b"x" * 65536

    ollama.whole["/api/version"] = web.Response(status=500, body=page())
    async with asyncio.timeout(5):
        assert (await failure(server, "/api/version")).reason is Reason.SERVER_ERROR
    await until(lambda: ollama.connections == 0)


async def test_answer_of_lines_without_end_is_not_read_on(
    server: OllamaServer, ollama: PlayedOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_CHAT", 2 * MIB)
    ollama.answers(endless(part("x" * 1000)))
    assert (await failure(server)).reason is Reason.CONNECTION_LOST


async def test_download_may_tell_for_hours_how_far_it_is(
    server: OllamaServer, ollama: PlayedOllama
) -> None:
    told = line(status="pulling", total=4, completed=1, digest="x" * 100_000)
    ollama.whole["/api/pull"] = [*[told] * 100, line(status="success")]
    shares = [share async for share in server.pull(MODEL)]
    assert shares == [0.25] * 100 + [None]


@pytest.mark.parametrize("path", ["/api/chat", "/api/version"])
async def test_what_is_packed_is_not_unpacked(
    server: OllamaServer, ollama: PlayedOllama, path: str
) -> None:
    packed = gzip.compress(b" " * 20 * MIB)
    ollama.whole[path] = web.Response(body=packed, headers={"Content-Encoding": "gzip"})
    err = await failure(server, path)
    assert err.reason in (Reason.CONNECTION_LOST, Reason.NOT_THE_SERVER)
    assert "More than" not in err.detail


# Connections


async def test_connections_are_home_assistants(agent: Agent, ollama: PlayedOllama) -> None:
    assert (await agent.hears("how are you")).speech == "OK."
    await fill_in(agent.hass, await begin(agent.hass, "ollama"), {"url": ollama.url})
    await OllamaServer(agent.hass, ollama.url).version()
    assert ollama.connections == 1


async def test_answer_that_is_not_read_on_ends_its_connection(
    server: OllamaServer, ollama: PlayedOllama
) -> None:
    ollama.answers([part("It"), Fault.HANG])
    async with aclosing(server.chat(BODY)) as stream:
        await anext(stream)
    await ollama.abandoned.wait()
    await until(lambda: ollama.connections == 0)


async def test_answer_comes_to_its_end_when_the_entry_is_unloaded(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url)
    server: OllamaServer = agent.entry.runtime_data
    ollama.answers([part("It"), unloaded := asyncio.Event(), done()])
    stream = server.chat(BODY)
    await anext(stream)
    assert await home.config_entries.async_unload(agent.entry.entry_id)
    unloaded.set()
    assert [chunk["choices"][0]["finish_reason"] async for chunk in stream] == ["stop"]


async def test_a_server_is_asked_for_four_messages_at_once(
    server: OllamaServer, ollama: PlayedOllama
) -> None:
    answered = asyncio.Event()
    for _ in range(6):
        ollama.answers([answered, done()])
    waiting = [asyncio.create_task(chunks(server)) for _ in range(6)]
    await until(lambda: len(ollama.chats) == 4)
    waiting.pop().cancel()  # whose time is up gives its place in the queue to the next
    answered.set()
    await asyncio.gather(*waiting)
    assert len(ollama.chats) == 5
