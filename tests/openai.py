"""A stand-in for servers that speak OpenAI's protocol, playing what it is told to over real HTTP.

It can be each of them, as far as they differ: what they tell of themselves (`kinds`), and how they
write. What it gets is checked against the `openai` package's own types and the strictest templates'
rules: a request that one would refuse, it refuses, and keeps why in `refused`. Formats:
https://platform.openai.com/docs/api-reference/chat-streaming.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import itertools
import json
from typing import Any

from aiohttp import web

from .ollama import Answer, Fault, Step
from .openai_rules import wrongs

MODEL = "qwen3-4b"
KEY = "sk-of-nobody-42"

_NUMBERS = itertools.count(1)

type Json = dict[str, Any]


def chunk(delta: Json | None = None, finish_reason: str | None = None, **more: Any) -> bytes:
    """Return one event of a stream, with a piece of the message or how it ended."""
    choices = (
        [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish_reason}]
    )
    return event(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion.chunk",
            "created": 1795356902,
            "model": MODEL,
            "choices": choices,
            **more,
        }
    )


def event(data: Any) -> bytes:
    """Return one event of a stream."""
    return f"data: {json.dumps(data)}\n\n".encode()


DONE = b"data: [DONE]\n\n"


def text(*pieces: str) -> list[Step]:
    """Return pieces of text."""
    return [chunk({"content": piece}) for piece in pieces]


def thought(*pieces: str, name: str = "reasoning_content") -> list[Step]:
    """Return what a model thinks, in a field of this name."""
    return [chunk({name: piece}) for piece in pieces]


def call(
    name: str, /, *, index: int = 0, written: str | None = None, **arguments: Any
) -> list[Step]:
    """Return a call, its arguments in pieces, or as they are `written`."""
    text = json.dumps(arguments) if written is None else written
    pieces = [text[at : at + 7] for at in range(0, len(text), 7)]
    begun = {
        "index": index,
        "id": f"call_{next(_NUMBERS):024}",
        "type": "function",
        "function": {"name": name, "arguments": ""},
    }
    return [
        chunk({"role": "assistant", "content": None, "tool_calls": [begun]}),
        *(
            chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
            for piece in pieces
        ),
    ]


def end(reason: str = "stop", **usage: Any) -> list[Step]:
    """Return the end of a message: why, and its counts, as with `stream_options`."""
    counts = {"prompt_tokens": 10, "completion_tokens": 1, "total_tokens": 11, **usage}
    return [chunk({}, reason), chunk(usage=counts), DONE]


def says(*pieces: str) -> list[Step]:
    """Return an answer of text that comes in pieces."""
    return [*text(*pieces), *end()]


def calls(*made: list[Step]) -> list[Step]:
    """Return an answer that calls tools, all in one message."""
    return [*itertools.chain(*made), *end("tool_calls")]


def error(status: int, message: str, **more: Any) -> web.Response:
    """Return a refusal in the protocol's form."""
    body = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
    return web.json_response({"error": body | more}, status=status)


def page(status: int) -> web.Response:
    """Return what a proxy, or another program, shows in a browser."""
    return web.Response(status=status, text="<html>Hello</html>", content_type="text/html")


@dataclass
class PlayedOpenAI:
    """A server that answers every chat with what comes next in `script`; at first it is vLLM.

    Without a next answer it says “OK.”.
    """

    models: dict[str, Json] = field(
        default_factory=lambda: {MODEL: {"owned_by": "vllm", "max_model_len": 32768}}
    )
    """The models that are there, and what its list tells of them."""
    told: dict[str, Any] = field(default_factory=dict)
    """What it tells at other paths, as JSON."""
    above: str = ""
    """What stands before `/v1` in its paths."""
    version: str = "/v1"
    key: str = KEY
    takes: set[str] | None = None
    """The fields that it takes; it refuses all others by name."""
    script: list[Answer] = field(default_factory=list)
    chats: list[Json] = field(default_factory=list, repr=False)
    """The requests for messages that came, those too that were refused."""
    reads: list[Json] = field(default_factory=list, repr=False)
    """The requests that came for the prompt to be read, before anybody speaks."""
    requests: list[str] = field(default_factory=list, repr=False)
    """The paths of all requests that came."""
    headers: list[dict[str, str]] = field(default_factory=list, repr=False)
    """The headers of the chat requests."""
    refused: list[str] = field(default_factory=list)
    """What was wrong with requests, which nothing may be."""
    whole: dict[str, web.Response] = field(default_factory=dict)
    """Responses that stand in for those of a path."""
    silent: set[str] = field(default_factory=set)
    """Paths where nothing comes back."""
    abandoned: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client went away from an answer that hangs, or before it came to that."""
    peers: set[object] = field(default_factory=set, repr=False)
    """Who asked: one for each connection."""
    at_once: int = 0
    """How many chats it was given at the same time at most."""
    origin: str = ""
    _running: int = 0
    _runner: web.AppRunner | None = None

    async def start(self, port: int = 0) -> None:
        """Listen, on a free port unless one is given."""
        app = web.Application(middlewares=[self._check], client_max_size=16 << 20)
        app.add_routes([web.route("*", "/{path:.*}", self._answer)])
        self._runner = web.AppRunner(
            app, access_log=None, handler_cancellation=True, shutdown_timeout=0.1
        )
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", port).start()
        self.origin = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    @property
    def url(self) -> str:
        """Its address, as the protocol's clients want it."""
        return f"{self.origin}{self.above}{self.version}"

    @property
    def port(self) -> int:
        """Where it listens, or listened last."""
        return int(self.origin.rpartition(":")[2])

    async def stop(self) -> None:
        """Stop listening, and drop every connection."""
        if self._runner:
            await self._runner.cleanup()
            self._runner = None

    def answers(self, *answers: Answer) -> None:
        """Give the next chats these answers, in this order."""
        self.script += answers

    @web.middleware
    async def _check(self, request: web.Request, handler: Any) -> web.StreamResponse:
        self.requests.append(request.path)
        assert request.transport
        self.peers.add(request.transport.get_extra_info("peername"))
        if self.key and request.headers.get("Authorization") != f"Bearer {self.key}":
            return error(401, "Incorrect API key provided", code="invalid_api_key")
        if request.path in self.silent:
            await self._hang()
        if response := self.whole.get(request.path):
            return _again(response)
        response = await handler(request)
        assert isinstance(response, web.StreamResponse)
        return response

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        if request.path == f"{self.above}{self.version}/models":
            listed = [{"id": name, "object": "model", **info} for name, info in self.models.items()]
            return web.json_response({"object": "list", "data": listed})
        if request.path == f"{self.above}{self.version}/chat/completions":
            return await self._chat(request)
        if request.path in self.told:
            return web.json_response(self.told[request.path])
        return error(404, "File Not Found", type="not_found_error")

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        reads = 1 in (body.get("max_tokens"), body.get("max_completion_tokens"))
        (self.reads if reads else self.chats).append(body)
        self.headers.append(dict(request.headers))
        if body["model"] not in self.models:
            return error(
                404, f"The model `{body['model']}` does not exist.", code="model_not_found"
            )
        if wrong := wrongs(body):
            self.refused += wrong
            return error(400, "; ".join(wrong))
        if self.takes is not None and (unknown := body.keys() - self.takes):
            return error(400, f"Unrecognized request argument supplied: {min(unknown)}")
        if reads:
            return await self._play(request, [*text("H"), *end("length")])
        self._running += 1
        self.at_once = max(self.at_once, self._running)
        try:
            return await self._play(request, self.script.pop(0) if self.script else says("OK."))
        finally:
            self._running -= 1

    async def _play(self, request: web.Request, played: Answer) -> web.StreamResponse:
        if isinstance(played, web.Response):
            return _again(played)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for step in played:
            match step:
                case bytes():
                    try:
                        await response.write(step)
                    except ConnectionError:
                        self.abandoned.set()
                        raise
                    # So that the client sees pieces apart.
                    await asyncio.sleep(0)
                case asyncio.Event():
                    await step.wait()
                case Fault.CUT:
                    assert request.transport
                    request.transport.close()
                    return response
                case Fault.HANG:
                    await self._hang()
        return response

    async def _hang(self) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            self.abandoned.set()


def _again(response: web.Response) -> web.Response:
    """Return a copy of a response: each can be sent only once."""
    return web.Response(status=response.status, body=response.body, headers=response.headers)


@asynccontextmanager
async def played_openai() -> AsyncGenerator[PlayedOpenAI]:
    """Run a stand-in for as long as it is needed; it may have refused no request as malformed."""
    server = PlayedOpenAI()
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
    assert server.refused == []


def of_kind(server: PlayedOpenAI, infos: Iterable[Json], told: Json | None = None) -> None:
    """Let a stand-in tell of itself what a kind of server does."""
    server.models = {info["id"]: info for info in infos}
    server.told = told or {}
