"""A stand-in for Anthropic's API that plays what it is told to, event by event, over real HTTP.

What it sends is checked against the `anthropic` package's own types, and so is what it gets: a
request that the real API would refuse, it refuses, and keeps why in `refused`. Formats:
https://platform.claude.com/docs/en/api/messages and …/build-with-claude/streaming.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import itertools
import json
from typing import Any

from aiohttp import web
from anthropic.types import ModelInfo, RawMessageStreamEvent
from pydantic import TypeAdapter

from .anthropic_rules import blocks_of, wrongs
from .ollama import Fault

MODEL = "claude-haiku-5-5"
KEY = "sk-ant-api03-of-nobody"

_EVENT: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)
_NUMBERS = itertools.count(1)

type Step = bytes | asyncio.Event | Fault
"""What is written, waited for, or goes wrong."""
type Json = dict[str, Any]


@dataclass
class Block:
    """A block of a message: what it begins with, and what is added; steps may come in between."""

    start: Json
    deltas: list[Json | Step] = field(default_factory=list)


type Part = Block | Step
type Answer = Iterable[Step] | web.Response
"""The steps of a stream, or a whole response."""


def event(**data: Any) -> bytes:
    """Return one event of a stream, as the package's types have it."""
    _EVENT.validate_python(data)
    return f"event: {data['type']}\ndata: {json.dumps(data)}\n\n".encode()


def text(*pieces: str | Step, citations: Iterable[Json] = ()) -> Block:
    """Return a block of text that comes in pieces, with the sources that it names."""
    deltas: list[Json | Step] = [
        {"type": "text_delta", "text": piece} if isinstance(piece, str) else piece
        for piece in pieces
    ]
    deltas += [{"type": "citations_delta", "citation": citation} for citation in citations]
    return Block({"type": "text", "text": "", "citations": None}, deltas)


def thinking(*pieces: str, signature: str) -> Block:
    """Return a block of thinking, signed."""
    return Block(
        {"type": "thinking", "thinking": "", "signature": ""},
        [
            *({"type": "thinking_delta", "thinking": piece} for piece in pieces),
            {"type": "signature_delta", "signature": signature},
        ],
    )


def redacted(data: str) -> Block:
    """Return a block of thinking that nobody may read."""
    return Block({"type": "redacted_thinking", "data": data})


def call(name: str, /, **arguments: Any) -> Block:
    """Return a call, its arguments in pieces."""
    return written_call(name, json.dumps(arguments) if arguments else "")


def written_call(name: str, arguments: str) -> Block:
    """Return a call whose arguments are what the model wrote."""
    pieces = ["", *(arguments[at : at + 7] for at in range(0, len(arguments), 7))]
    start = {"type": "tool_use", "id": f"toolu_{next(_NUMBERS):024}", "name": name, "input": {}}
    return Block(start, [{"type": "input_json_delta", "partial_json": piece} for piece in pieces])


def search(query: str, *results: tuple[str, str]) -> list[Block]:
    """Return a web search that was done, with the titles and addresses that it found."""
    found = [
        {
            "type": "web_search_result",
            "title": title,
            "url": url,
            "encrypted_content": f"secret of {url}",
            "page_age": None,
        }
        for title, url in results
    ]
    call_id = f"srvtoolu_{next(_NUMBERS):024}"
    return [
        Block(
            {"type": "server_tool_use", "id": call_id, "name": "web_search", "input": {}},
            [{"type": "input_json_delta", "partial_json": json.dumps({"query": query})}],
        ),
        Block({"type": "web_search_tool_result", "tool_use_id": call_id, "content": found}),
    ]


def citation(title: str, url: str, cited: str) -> Json:
    """Return a source that a text names."""
    return {
        "type": "web_search_result_location",
        "title": title,
        "url": url,
        "cited_text": cited,
        "encrypted_index": f"index of {url}",
    }


def answer(
    *parts: Part, stop: str = "end_turn", refusal: str | None = None, **usage: int
) -> list[Step]:
    """Return a message of blocks and its end; `usage` are counts of tokens."""
    return [*begun(*parts, **usage), *end(stop, refusal, usage.get("output_tokens", 1))]


def begun(*parts: Part, **usage: int) -> list[Step]:
    """Return a message without its end."""
    message: Json = {
        "id": f"msg_{next(_NUMBERS):024}",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 10, **usage, "output_tokens": 1},
    }
    steps: list[Step] = [event(type="message_start", message=message), b": ping\n\n"]
    steps.append(b'event: ping\ndata: {"type": "ping"}\n\n')
    index = 0
    for part in parts:
        if isinstance(part, Block):
            steps += _of_block(part, index)
            index += 1
        else:
            steps.append(part)
    return steps


def _of_block(block: Block, index: int) -> Iterator[Step]:
    yield event(type="content_block_start", index=index, content_block=block.start)
    for delta in block.deltas:
        if isinstance(delta, dict):
            yield event(type="content_block_delta", index=index, delta=delta)
        else:
            yield delta
    yield event(type="content_block_stop", index=index)


def end(stop: str = "end_turn", refusal: str | None = None, output_tokens: int = 1) -> list[Step]:
    """Return the end of a message."""
    delta: Json = {"stop_reason": stop, "stop_sequence": None}
    if refusal is not None:
        delta["stop_details"] = {"type": "refusal", "category": None, "explanation": refusal}
    usage = {"output_tokens": output_tokens}
    return [event(type="message_delta", delta=delta, usage=usage), event(type="message_stop")]


def says(*pieces: str) -> list[Step]:
    """Return an answer of text that comes in pieces."""
    return answer(text(*pieces))


def calls(*made: Block) -> list[Step]:
    """Return an answer that calls tools, all in one message."""
    return answer(*made, stop="tool_use")


def error_event(kind: str, message: str) -> bytes:
    """Return the event that breaks off a stream."""
    data = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}
    return f"event: error\ndata: {json.dumps(data)}\n\n".encode()


def error(status: int, kind: str, message: str, **headers: str) -> web.Response:
    """Return a refusal in the API's form; underscores in a header's name stand for hyphens."""
    return web.json_response(
        {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"},
        status=status,
        headers={name.replace("_", "-"): value for name, value in headers.items()},
    )


OVERLOADED = ("overloaded_error", "Overloaded")


def model_info(
    model: str = MODEL,
    name: str = "Claude Haiku 5.5",
    *,
    thinking: Iterable[str] = ("adaptive", "disabled"),
    sees: bool = True,
    searches: bool = True,
    schemas: bool = True,
) -> Json:
    """Return what the API tells of a model."""

    def whether(supported: bool) -> Json:
        return {"supported": supported}

    types = ("adaptive", "between_tools", "disabled", "enabled")
    thinks = {"adaptive", "enabled"} & set(thinking)
    no = whether(False)
    info = {
        "type": "model",
        "id": model,
        "display_name": name,
        "created_at": "2026-10-01T00:00:00Z",
        "lifecycle": "active",
        "max_tokens": 64000,
        "max_input_tokens": 200000,
        "capabilities": {
            "batch": no,
            "citations": no,
            "code_execution": no,
            "context_management": {
                "supported": False,
                "clear_thinking_20251015": no,
                "clear_tool_uses_20250919": no,
                "compact_20260112": no,
            },
            "effort": {
                "supported": True,
                **{level: whether(True) for level in ("low", "medium", "high", "xhigh", "max")},
            },
            "image_input": whether(sees),
            "pdf_input": whether(sees),
            "server_tools": {
                "supported": searches,
                "code_execution": no,
                "web_search": whether(searches),
            },
            "structured_outputs": whether(schemas),
            "thinking": {
                "supported": bool(thinks),
                "types": {each: whether(each in thinking) for each in types},
            },
        },
    }
    ModelInfo.model_validate(info)
    return info


@dataclass
class PlayedAnthropic:
    """Anthropic's API with one account; it answers every request with what comes next in `script`.

    Without a next answer it says “OK.”.
    """

    models: dict[str, Json] = field(default_factory=lambda: {MODEL: model_info()})
    """What it tells of the models that are there."""
    key: str = KEY
    script: list[Answer] = field(default_factory=list)
    chats: list[Json] = field(default_factory=list, repr=False)
    """The requests for messages that came, those too that were refused."""
    reads: list[Json] = field(default_factory=list, repr=False)
    """The requests that came for the prompt to be read, before anybody speaks."""
    refused: list[str] = field(default_factory=list)
    """What was wrong with requests, which nothing may be."""
    whole: dict[str, web.Response] = field(default_factory=dict)
    """Responses that stand in for those of a path."""
    silent: set[str] = field(default_factory=set)
    """Paths where nothing comes back."""
    abandoned: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a client went away from an answer that hangs, or before it came to that."""
    url: str = ""
    _peers: set[object] = field(default_factory=set, repr=False)
    _thoughts: set[tuple[str, str]] = field(default_factory=set, repr=False)
    """What was thought, and how it was signed."""
    _runner: web.AppRunner | None = None

    async def start(self, port: int = 0) -> None:
        """Listen, on a free port unless one is given."""
        app = web.Application(middlewares=[self._check], client_max_size=16 << 20)
        app.add_routes(
            [
                web.get("/v1/models", self._models),
                web.get("/v1/models/{id}", self._model),
                web.post("/v1/messages", self._message),
            ]
        )
        self._runner = web.AppRunner(
            app, access_log=None, handler_cancellation=True, shutdown_timeout=0.1
        )
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", port).start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    @property
    def connections(self) -> int:
        """How many connections were opened."""
        return len(self._peers)

    @property
    def port(self) -> int:
        """Where it listens, or listened last."""
        return int(self.url.rpartition(":")[2])

    async def stop(self) -> None:
        """Stop listening, and drop every connection."""
        if self._runner:
            await self._runner.cleanup()
            self._runner = None

    def answers(self, *answers: Answer) -> None:
        """Give the next requests these answers, in this order."""
        self.script += answers

    @web.middleware
    async def _check(self, request: web.Request, handler: Any) -> web.StreamResponse:
        assert request.transport
        self._peers.add(request.transport.get_extra_info("peername"))
        # The package sends it the second way since version 2.
        sent = (request.headers.get("X-Api-Key"), request.headers.get("Authorization"))
        if self.key != sent[0] and f"Bearer {self.key}" != sent[1]:
            return error(401, "authentication_error", "invalid x-api-key")
        if "anthropic-version" not in request.headers:
            return error(400, "invalid_request_error", "anthropic-version: header is required")
        if request.path in self.silent:
            await self._hang()
        if response := self.whole.get(request.path):
            return web.Response(
                status=response.status, body=response.body, content_type=response.content_type
            )
        response = await handler(request)
        assert isinstance(response, web.StreamResponse)
        return response

    async def _models(self, request: web.Request) -> web.Response:
        """Answer with the models, page by page."""
        ids = list(self.models)
        begin = ids.index(request.query["after_id"]) + 1 if "after_id" in request.query else 0
        page = ids[begin : begin + min(int(request.query.get("limit", 20)), 2)]
        return web.json_response(
            {
                "data": [self.models[each] for each in page],
                "has_more": bool(page) and page[-1] != ids[-1],
                "first_id": page[0] if page else None,
                "last_id": page[-1] if page else None,
            }
        )

    async def _model(self, request: web.Request) -> web.Response:
        model = request.match_info["id"]
        if model not in self.models:
            return error(404, "not_found_error", f"model: {model}")
        return web.json_response(self.models[model])

    async def _message(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        warm = body.get("max_tokens") == 0
        (self.reads if warm else self.chats).append(body)
        if body.get("model") not in self.models:
            return error(404, "not_found_error", f"model: {body.get('model')}")
        info = self.models[body["model"]]
        if wrong := [*wrongs(body, info), *self._forged(body)]:
            self.refused += wrong
            return error(400, "invalid_request_error", "; ".join(wrong))
        if warm:
            return _nothing(body["model"])
        return await self._play(request, self.script.pop(0) if self.script else says("OK."))

    async def _play(self, request: web.Request, played: Answer) -> web.StreamResponse:
        if isinstance(played, web.Response):
            return played
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8"})
        await response.prepare(request)
        for step in played:
            match step:
                case bytes():
                    self._remember(step)
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

    def _remember(self, step: bytes) -> None:
        """Keep what is signed."""
        data = json.loads(step.partition(b"data: ")[2] or b"{}")
        match data:
            case {"content_block": {"type": "thinking"}}:
                self._thought = ""
            case {"content_block": {"type": "redacted_thinking", "data": sealed}}:
                self._thoughts.add(("", sealed))
            case {"delta": {"type": "thinking_delta", "thinking": thought}}:
                self._thought += thought
            case {"delta": {"type": "signature_delta", "signature": signature}}:
                self._thoughts.add((self._thought, signature))

    _thought: str = ""

    def _forged(self, body: Json) -> Iterator[str]:
        """Yield thinking that is not as it was signed."""
        for where, block in blocks_of(body):
            match block:
                case {"type": "thinking", "thinking": thought, "signature": signature}:
                    if (thought, signature) not in self._thoughts:
                        yield f"{where}: Invalid `signature` in `thinking` block"
                case {"type": "redacted_thinking", "data": sealed}:
                    if ("", sealed) not in self._thoughts:
                        yield f"{where}: Invalid `data` in `redacted_thinking` block"


def _nothing(model: str) -> web.Response:
    """Return the answer to a request for none."""
    return web.json_response(
        {
            "id": f"msg_{next(_NUMBERS):024}",
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [],
            "stop_reason": "max_tokens",
            "stop_sequence": None,
            "usage": {"input_tokens": 10, "output_tokens": 0},
        }
    )


@asynccontextmanager
async def played_anthropic() -> AsyncGenerator[PlayedAnthropic]:
    """Run a stand-in for as long as it is needed; no request may have been wrong."""
    server = PlayedAnthropic()
    await server.start()
    try:
        yield server
    finally:
        await server.stop()
