"""What a server of Ollama is asked besides chats, and one that is not there."""

from aiohttp import web
import pytest

from custom_components.voice_gateway.models.api_server import ApiServer
from custom_components.voice_gateway.models.client import ModelError, Reason
from custom_components.voice_gateway.models.ollama.server import OllamaServer
from tests.ollama import MODEL, PlayedOllama, line
from tests.rows import rows


async def test_server_that_is_not_there(server: OllamaServer, ollama: PlayedOllama) -> None:
    await ollama.stop()
    for question in (server.version(), server.models(), server.show(MODEL)):
        with pytest.raises(ModelError) as raised:
            await question
        assert raised.value.reason is Reason.UNREACHABLE
    with pytest.raises(ModelError) as raised:
        await anext(server.chat({"model": MODEL}))
    assert raised.value.reason is Reason.UNREACHABLE


async def test_silent_server_is_not_waited_for_when_the_question_needs_no_thinking(
    server: OllamaServer, ollama: PlayedOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ApiServer._json.__kwdefaults__ or {}, "seconds", 0.1)
    ollama.silent.add("/api/version")
    with pytest.raises(ModelError) as raised:
        await server.version()
    assert raised.value.reason is Reason.UNREACHABLE


@rows(
    "body",
    [b"<html>Welcome</html>", b"", b"[]", b"{}", b'{"version": 12}', b'"0.12"', b"\xff\xfe"],
)
async def test_other_server_is_told_from_ollama(
    server: OllamaServer, ollama: PlayedOllama, body: bytes
) -> None:
    ollama.whole["/api/version"] = web.Response(body=body, content_type="text/html")
    with pytest.raises(ModelError) as raised:
        await server.version()
    assert raised.value.reason is Reason.NOT_THE_SERVER


# What the forms ask


async def test_models_and_what_they_can_do(server: OllamaServer, ollama: PlayedOllama) -> None:
    ollama.models = {MODEL: ["completion", "tools"], "gemma3:1b": ["completion"]}
    assert await server.version() == "0.12.10"
    assert await server.models() == [MODEL, "gemma3:1b"]
    shown = await server.show(MODEL)
    assert (shown.name, shown.capabilities) == (
        MODEL,
        frozenset({"completion", "tools"}),
    )
    assert shown.calls_tools
    assert not (await server.show("gemma3:1b")).calls_tools


@rows(
    ("body", "names"),
    [
        (b'{"models": null}', []),
        (b"{}", []),
        (b'{"models": []}', []),
        (
            b'{"models": [{"name": "old:1b"}, {"name": "b", "model": "new:1b"}]}',
            ["old:1b", "new:1b"],
        ),
        (b'{"models": ["text", 1, null, {"model": 1}]}', []),
    ],
)
async def test_lists_of_models_that_other_servers_give(
    server: OllamaServer, ollama: PlayedOllama, body: bytes, names: list[str]
) -> None:
    ollama.whole["/api/tags"] = web.Response(body=body)
    assert await server.models() == names


async def test_server_of_before_capabilities(server: OllamaServer, ollama: PlayedOllama) -> None:
    ollama.whole["/api/show"] = web.json_response({"template": "{{ .Prompt }}"})
    assert not (await server.show(MODEL)).calls_tools


async def test_pull_tells_how_much_has_arrived(server: OllamaServer, ollama: PlayedOllama) -> None:
    ollama.pulls.append(
        [
            line(status="pulling manifest"),
            line(status="pulling aeda25e63ebd", digest="sha256:aeda", total=200),
            line(status="pulling aeda25e63ebd", digest="sha256:aeda", total=200, completed=50),
            line(status="pulling aeda25e63ebd", digest="sha256:aeda", total=200, completed=200),
            line(status="success"),
        ]
    )
    assert [share async for share in server.pull("new:1b")] == [None, None, 0.25, 1.0, None]


async def test_pull_that_fails_says_why(server: OllamaServer, ollama: PlayedOllama) -> None:
    words = "pull model manifest: file does not exist"
    ollama.pulls.append([line(status="pulling manifest"), line(error=words)])
    with pytest.raises(ModelError) as raised:
        [share async for share in server.pull("none:1b")]
    assert words in raised.value.detail
