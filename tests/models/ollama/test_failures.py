"""What becomes of a request to Ollama that fails, breaks off, or is given up."""

import asyncio
import json

from aiohttp import web
import pytest

from custom_components.voice_gateway.models.client import Completion, ModelError, Reason
from custom_components.voice_gateway.models.ollama.server import OllamaServer
from tests.ollama import MODEL, Answer, Fault, PlayedOllama, error, line, part, says
from tests.rows import rows

from .test_client import HELLO, Delta, answered, client, joined


@pytest.mark.requirement("J10")
@rows(
    ("answer", "reason"),
    [
        (web.Response(status=401), Reason.UNAUTHORIZED),
        (web.Response(status=403, text="Forbidden"), Reason.UNAUTHORIZED),
        (error(404, f"model '{MODEL}' not found"), Reason.MODEL_NOT_FOUND),
        (error(404, f'model "{MODEL}" not found, try pulling it first'), Reason.MODEL_NOT_FOUND),
        (web.Response(status=404, text="404 page not found"), Reason.NOT_THE_SERVER),
        (web.Response(status=405, text="405 method not allowed"), Reason.NOT_THE_SERVER),
        (error(400, "the input length exceeds the context length"), Reason.CONTEXT_EXCEEDED),
        (error(400, "json: cannot unmarshal"), Reason.SERVER_ERROR),
        (error(500, "llama runner process has terminated"), Reason.SERVER_ERROR),
        (error(503, "server busy, please try again"), Reason.OVERLOADED),
        (web.Response(status=502, text="<html>Bad Gateway</html>"), Reason.UNREACHABLE),
        ([line(error=f"model '{MODEL}' not found")], Reason.MODEL_NOT_FOUND),
        ([part("It"), line(error="unexpected end")], Reason.SERVER_ERROR),
        ([b"\xff\xfe<html>"], Reason.CONNECTION_LOST),
        ([part("It"), b"\n", b"data: {}\n"], Reason.CONNECTION_LOST),
        ([part("It"), b"[1]\n"], Reason.CONNECTION_LOST),
        ([part("It"), Fault.CUT], Reason.CONNECTION_LOST),
    ],
)
async def test_failure_has_its_reason_and_the_servers_words(
    server: OllamaServer, ollama: PlayedOllama, answer: Answer, reason: Reason
) -> None:
    with pytest.raises(ModelError) as raised:
        await answered(server, ollama, answer)
    assert raised.value.reason is reason
    if isinstance(answer, web.Response) and answer.text:
        words = (
            answer.text if "json" not in answer.content_type else json.loads(answer.text)["error"]
        )
        assert raised.value.detail == f"HTTP {answer.status}: {words}"


async def test_answer_that_broke_off_is_not_begun_again(
    server: OllamaServer, ollama: PlayedOllama
) -> None:
    """A refused schema is left out; but what began would be said twice."""
    ollama.answers([part('{"legs": '), line(error="the runner has crashed")], says('{"legs": 4}'))
    utterance: list[Delta] = []

    async def listen() -> None:
        structure = {"type": "object"}
        async for delta in client(server).stream(HELLO, None, Completion(), structure=structure):
            utterance.append(delta)  # noqa: PERF401 - what came before the error counts

    with pytest.raises(ModelError) as raised:
        await listen()
    assert raised.value.reason is Reason.SERVER_ERROR
    assert joined(utterance)[0] == '{"legs": '
    assert len(ollama.chats) == 1


async def test_answer_that_is_given_up_ends_the_request(
    server: OllamaServer, ollama: PlayedOllama
) -> None:
    ollama.answers([part("It"), Fault.HANG])
    stream = client(server).stream(HELLO, None, Completion())
    async for delta in stream:
        if delta.get("content"):
            break
    await stream.aclose()
    await asyncio.wait_for(ollama.abandoned.wait(), 30)
