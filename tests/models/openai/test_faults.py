"""Thirty things that go wrong at servers: each ends in time, for its reason, and tells no key."""

import asyncio
from typing import Any

from aiohttp import web
from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.models import api_server
from custom_components.voice_gateway.models.api_server import ApiServer
from custom_components.voice_gateway.models.client import ModelError, Reason
from tests.ollama import Fault
from tests.openai import DONE, KEY, PlayedOpenAI, chunk, end, error, event, page, says, text

from .model import client, read

CHAT = "/v1/chat/completions"
CONTEXT = "This model's maximum context length is 8 tokens. However, you requested 9 tokens."


def plain(status: int, words: str, **headers: str) -> web.Response:
    return web.Response(status=status, text=words, headers=headers)


def broken(data: Any) -> bytes:
    """Return an error in mid-stream."""
    return event({"error": data})


FAULTS: dict[str, tuple[Any, Reason]] = {
    # Who may ask, and for what
    "wrong key": (error(401, f"Incorrect API key provided: {KEY}"), Reason.UNAUTHORIZED),
    "wrong key, without a database": (
        error(400, "No connected db.", type="no_db_connection", code="400"),
        Reason.UNAUTHORIZED,
    ),
    "key without rights": (error(403, "Forbidden"), Reason.UNAUTHORIZED),
    "a proxy that wants a login": (plain(407, "Proxy"), Reason.UNAUTHORIZED),
    "no credit": (error(402, "Insufficient credits"), Reason.NO_CREDIT),
    "no quota": (error(429, "No.", code="insufficient_quota"), Reason.NO_CREDIT),
    "no model": (error(404, "The model `x` does not exist."), Reason.MODEL_NOT_FOUND),
    "no model, by code": (error(400, "No.", code="model_not_found"), Reason.MODEL_NOT_FOUND),
    "no model loaded": (error(400, "No models loaded."), Reason.MODEL_NOT_FOUND),
    # Who answers
    "wrong path": (error(404, "File Not Found"), Reason.NOT_THE_SERVER),
    "no such method": (plain(405, "Method Not Allowed"), Reason.NOT_THE_SERVER),
    "a page": (page(404), Reason.NOT_THE_SERVER),
    "a page for an answer": (page(200), Reason.NOT_THE_SERVER),
    "a page that leads elsewhere": (plain(302, "", Location="/login"), Reason.NOT_THE_SERVER),
    "other JSON for an answer": (web.json_response({"ok": True}), Reason.CONNECTION_LOST),
    "a proxy without its server": (page(502), Reason.UNREACHABLE),
    "a gateway that waited in vain": (plain(504, "Gateway Timeout"), Reason.UNREACHABLE),
    # Too much
    "too long": (error(400, CONTEXT, code="context_length_exceeded"), Reason.CONTEXT_EXCEEDED),
    "too long for a slot": (
        error(400, "No.", type="exceed_context_size_error", n_ctx=9000, n_prompt_tokens=9001),
        Reason.CONTEXT_EXCEEDED,
    ),
    "too large": (plain(413, "Payload Too Large"), Reason.CONTEXT_EXCEEDED),
    "too often": (error(429, "Rate limit reached"), Reason.OVERLOADED),
    "still loading": (error(503, "Loading model"), Reason.OVERLOADED),
    "full": (plain(529, "Overloaded"), Reason.OVERLOADED),
    # What fails
    "crash": (error(500, "CUDA error"), Reason.SERVER_ERROR),
    "refused without a word": (plain(400, ""), Reason.SERVER_ERROR),
    "refused by a validator": (
        web.json_response({"detail": [{"loc": ["body"], "msg": "bad"}]}, status=422),
        Reason.SERVER_ERROR,
    ),
    # In mid-stream
    "cut at the beginning": ([Fault.CUT], Reason.CONNECTION_LOST),
    "cut in the middle": ([*text("It"), Fault.CUT], Reason.CONNECTION_LOST),
    "half an event": ([*text("It"), b'data: {"choices": [{"del\n\n'], Reason.CONNECTION_LOST),
    "bytes that are no text": ([b"data: \xff\xfe\n\n"], Reason.CONNECTION_LOST),
    "an error in the stream": ([*text("It"), broken({"message": "OOM"})], Reason.SERVER_ERROR),
    "an error in words": ([*text("It"), broken("out of memory")], Reason.SERVER_ERROR),
    "an error that has a code": (
        [*text("It"), broken({"message": "Rate limit", "code": 429})],
        Reason.OVERLOADED,
    ),
    "full in the stream": (
        [*text("It"), broken({"message": "the context size has been exceeded"})],
        Reason.CONTEXT_EXCEEDED,
    ),
    "a line without end": ([b"data: " + b"a" * (2 << 20)], Reason.CONNECTION_LOST),
}


async def test_each_fault_has_its_reason_and_no_key(
    hass: HomeAssistant,
    openai: PlayedOpenAI,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("DEBUG")
    monkeypatch.setattr(api_server, "_PATIENCE", 0.0)
    for name, (played, reason) in FAULTS.items():
        openai.script = [played] * 4
        model = client(hass, openai)
        with pytest.raises(ModelError) as caught:
            await read(model)
        assert caught.value.reason is reason, name
        assert KEY not in caught.value.detail
        # Nothing of it stays.
        openai.script = [says("I am back.")]
        assert (await read(model))[0] == "I am back.", name
    assert KEY not in caplog.text
    assert len(FAULTS) > 30


async def test_what_ends_without_its_end_is_cut_short(
    hass: HomeAssistant, openai: PlayedOpenAI
) -> None:
    """The turn says so: it did not stop by itself."""
    from custom_components.voice_gateway.models.client import Completion

    for stream in ([*text("It")], [*text("It"), DONE], [*text("It"), chunk({}, None), DONE], []):
        openai.answers(stream)
        completion = Completion()
        await read(client(hass, openai), completion=completion)
        assert completion.finish_reason is None


async def test_busy_server_is_waited_for(
    hass: HomeAssistant, openai: PlayedOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api_server, "_FIRST_WAIT", 0.01)
    model = client(hass, openai)
    later = error(429, "Later")
    later.headers["Retry-After"] = "0.01"
    openai.answers(error(503, "Loading model"), later, says("Now."))
    assert (await read(model))[0] == "Now."
    # As long as somebody would wait, and no longer.
    much_later = error(429, "Later")
    much_later.headers["Retry-After"] = "60"
    openai.answers(much_later, says("Too late."))
    with pytest.raises(ModelError) as caught:
        await read(model)
    assert caught.value.reason is Reason.OVERLOADED


async def test_server_that_is_away_or_silent_is_told(
    hass: HomeAssistant, openai: PlayedOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ApiServer._json.__kwdefaults__ or {}, "seconds", 0.1)
    openai.silent = {"/v1/models"}
    with pytest.raises(ModelError) as caught:
        await client(hass, openai).server.models()
    assert caught.value.reason is Reason.UNREACHABLE
    openai.silent.clear()
    monkeypatch.undo()
    # Given up, it is not computed any more.
    openai.answers([*text("It"), Fault.HANG])
    waiting = asyncio.create_task(read(client(hass, openai)))
    while not (openai.chats or waiting.done()):  # noqa: ASYNC110 - the stand-in has no event for it
        await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait_for(openai.abandoned.wait(), 10)
    await openai.stop()
    with pytest.raises(ModelError) as caught:
        await read(client(hass, openai))
    assert caught.value.reason is Reason.UNREACHABLE


async def test_only_what_is_meant_for_the_server_is_sent(
    hass: HomeAssistant, openai: PlayedOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the environment holds may be meant for another server."""
    for name in ("API_KEY", "ORG_ID", "PROJECT_ID", "CUSTOM_HEADERS", "ADMIN_KEY"):
        monkeypatch.setenv(f"OPENAI_{name}", "X-Secret: sk-of-another")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    openai.answers(says("OK"), [*text("Hello"), *end()])
    await read(client(hass, openai))
    (sent,) = openai.headers
    assert sent["Authorization"] == f"Bearer {KEY}"
    assert {name.casefold() for name in sent} <= {
        *("host", "accept", "accept-encoding", "authorization", "content-length"),
        *("content-type", "user-agent"),
    }
    openai.key = ""
    model = client(hass, openai)
    model.server._api_key = ""
    await read(model)
    assert "Authorization" not in openai.headers[-1]
