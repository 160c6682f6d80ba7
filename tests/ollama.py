"""A stand-in for an Ollama server that plays what it is told to, byte by byte, over real HTTP.

`script.ollama` is the server that behaves. This one also does what a server does that is
overloaded, behind a proxy, or dying. Formats: https://docs.ollama.com/api.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import Enum, auto
import json
from typing import Any

from aiohttp import web

MODEL = "qwen3:1.7b"
CREATED = "2026-11-21T08:00:00.123456789Z"


class Fault(Enum):
    """What can happen in the middle of an answer."""

    CUT = auto()
    """The connection ends, as that of a server that is killed."""
    HANG = auto()
    """Nothing more comes, until the client gives up."""


type Step = bytes | asyncio.Event | Fault
"""What is written, waited for, or goes wrong."""
type Answer = Iterable[Step] | web.Response
"""The steps of a stream, or a whole response."""


def line(**values: Any) -> bytes:
    """Return one line of a stream."""
    return json.dumps(values).encode() + b"\n"


def part(content: str = "", **more: Any) -> bytes:
    """Return one chunk of an answer: a piece of its text, `thinking` or `tool_calls`."""
    message = {"role": "assistant", "content": content, **more}
    return line(model=MODEL, created_at=CREATED, message=message, done=False)


def done(reason: str = "stop", **counts: int) -> bytes:
    """Return the last chunk of an answer; counts are tokens and nanoseconds."""
    message = {"role": "assistant", "content": ""}
    ending = {"done": True, "done_reason": reason, **counts}
    return line(model=MODEL, created_at=CREATED, message=message, **ending)


def says(*pieces: str) -> list[Step]:
    """Return an answer of text that comes in pieces."""
    return [*(part(piece) for piece in pieces), done()]


def call(name: str, /, **arguments: Any) -> dict[str, Any]:
    """Return one call as Ollama gives it."""
    return {"function": {"name": name, "arguments": arguments}}


def calls(*made: dict[str, Any]) -> list[Step]:
    """Return an answer that calls tools, all in one message."""
    return [part(tool_calls=list(made)), done()]


def error(status: int, text: str) -> web.Response:
    """Return a refusal in Ollama's form."""
    return web.json_response({"error": text}, status=status)


@dataclass
class PlayedOllama:
    """An Ollama server that answers every chat with what comes next in `script`.

    Without a next answer it says “OK.”.
    """

    models: dict[str, list[str]] = field(
        default_factory=lambda: {MODEL: ["completion", "tools", "thinking"]}
    )
    """The models that are there, with their capabilities."""
    key: str | None = None
    """The key that requests have to bring, if any."""
    script: list[Answer] = field(default_factory=list)
    pulls: list[Answer] = field(default_factory=list)
    """How the next downloads go."""
    requests: list[str] = field(default_factory=list, repr=False)
    """The paths of all requests that came."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The headers of the last request."""
    chats: list[dict[str, Any]] = field(default_factory=list, repr=False)
    """The chat requests that came."""
    reads: list[dict[str, Any]] = field(default_factory=list)
    """The requests that came for the prompt to be read, before anybody speaks."""
    read_begun: asyncio.Event = field(default_factory=asyncio.Event)
    reading: asyncio.Event | None = None
    """Set when the prompt has been read; None: at once."""
    abandoned: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client went away from an answer that hangs, or before it came to that."""
    whole: dict[str, Answer] = field(default_factory=dict)
    """Answers that stand in for those of a path."""
    silent: set[str] = field(default_factory=set)
    """Paths where nothing comes back."""
    _runner: web.AppRunner | None = None
    url: str = ""

    async def start(self, port: int = 0) -> None:
        """Listen, on a free port unless one is given."""
        app = web.Application(middlewares=[self._check], client_max_size=16 << 20)
        app.add_routes(
            [
                web.get("/api/version", self._version),
                web.get("/api/tags", self._tags),
                web.post("/api/show", self._show),
                web.post("/api/pull", self._pull),
                web.post("/api/chat", self._chat),
            ]
        )
        self._runner = web.AppRunner(
            app, access_log=None, handler_cancellation=True, shutdown_timeout=0.1
        )
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", port).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    @property
    def port(self) -> int:
        """Where it listens, or listened last."""
        return int(self.url.rpartition(":")[2])

    @property
    def connections(self) -> int:
        """How many connections are open to it."""
        assert self._runner
        assert self._runner.server
        return len(self._runner.server.connections)

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
        self.headers = request.headers
        # Ollama itself knows no keys; a proxy before it guards all but the version.
        wanted = f"Bearer {self.key}"
        if (
            self.key
            and request.path != "/api/version"
            and request.headers.get("Authorization") != wanted
        ):
            return web.Response(status=401, text="Unauthorized")
        if request.path in self.silent:
            await self._hang()
        match self.whole.get(request.path):
            case web.Response() as response:
                # Each can be sent only once.
                return web.Response(
                    status=response.status, body=response.body, headers=response.headers
                )
            case steps if steps is not None:
                return await self._play(request, steps)
        response = await handler(request)
        assert isinstance(response, web.StreamResponse)
        return response

    async def _version(self, _: web.Request) -> web.Response:
        return web.json_response({"version": "0.12.10"})

    async def _tags(self, _: web.Request) -> web.Response:
        return web.json_response(
            {"models": [{"name": name, "model": name, "size": 1} for name in self.models]}
        )

    async def _show(self, request: web.Request) -> web.Response:
        name = (await request.json())["model"]
        if name not in self.models:
            return error(404, f"model '{name}' not found")
        return web.json_response({"details": {}, "capabilities": self.models[name]})

    async def _pull(self, request: web.Request) -> web.StreamResponse:
        name = (await request.json())["model"]
        answer = self.pulls.pop(0)
        self.models[name] = ["completion", "tools"]
        return await self._play(request, answer)

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        if body["options"].get("num_predict") == 1:
            # Nobody asked anything: the prompt is to be read.
            self.reads.append(body)
            self.read_begun.set()
            wait = [self.reading] if self.reading else []
            return await self._play(request, [*wait, done("length")])
        self.chats.append(body)
        if body["model"] not in self.models:
            return error(404, f"model '{body['model']}' not found")
        return await self._play(request, self.script.pop(0) if self.script else says("OK."))

    async def _play(self, request: web.Request, answer: Answer) -> web.StreamResponse:
        if isinstance(answer, web.Response):
            return answer
        response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
        await response.prepare(request)
        for step in answer:
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
                case Fault.HANG:
                    await self._hang()
        return response

    async def _hang(self) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            self.abandoned.set()


@asynccontextmanager
async def played_ollama() -> AsyncGenerator[PlayedOllama]:
    """Run a stand-in for as long as it is needed."""
    server = PlayedOllama()
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
