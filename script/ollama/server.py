"""Ollama's HTTP API, as far as Home Assistant's integrations use it, in front of an Engine.

Statuses, words and the order of chunks follow Ollama's `server/routes.go`.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
import hashlib
import ipaddress
import json
import logging
import math
from pathlib import Path
import secrets
from time import perf_counter
from typing import Any, Protocol

from aiohttp import web

from script.ollama import prompt, request as requests
from script.ollama.engine import Engine, EngineError, Finished
from script.ollama.models import MODELS, Model, Weights
from script.ollama.request import FOREVER, ChatRequest, RequestError
from script.ollama.tool_parser import ToolCall, ToolParser

VERSION = "0.12.10"
"""The Ollama whose behaviour this server shows."""
DEFAULT_CONTEXT = 4096
DEFAULT_KEEP_ALIVE = 300.0

_LOGGER = logging.getLogger(__name__)

type Chunk = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far fetching a file has come."""

    status: str
    completed: int = 0
    total: int = 0


class FetchError(Exception):
    """A file could not be fetched; the text says why."""


class Store(Protocol):
    """Where the files of models are."""

    def path(self, weights: Weights) -> Path | None:
        """Return the file; None while it is not there."""

    def fetch(self, weights: Weights) -> AsyncGenerator[Progress]:
        """Get the file and say how far it is. Raises FetchError."""


class AllThere:
    """A store for an engine that reads no file: every model is there."""

    def path(self, weights: Weights) -> Path | None:
        """Return a path that does not exist."""
        return Path(weights.file)

    async def fetch(self, weights: Weights) -> AsyncGenerator[Progress]:
        """Be done at once."""
        yield Progress("pulling", weights.size, weights.size)


@dataclass(slots=True)
class _Loaded:
    """The model in memory."""

    model: Model
    context: int
    expires: datetime | None = None
    timer: asyncio.TimerHandle | None = None


@dataclass(slots=True)
class Record:
    """What one request was and cost, for the log."""

    at: str
    model: str
    request: Mapping[str, Any]
    raw: str = ""
    """All text that the model wrote, tool calls and tags included."""
    tool_calls: list[Mapping[str, Any]] = field(default_factory=list)
    prompt_tokens: int = 0
    cached_tokens: int = 0
    prompt_seconds: float = 0.0
    tokens: int = 0
    seconds: float = 0.0
    load_seconds: float = 0.0
    total_seconds: float = 0.0
    reason: str = "cancelled"


class OllamaServer:
    """Answers one request after the other with one engine.

    At most one model is in memory. A request for another one, or for another context length,
    takes its place; it is unloaded when its keep-alive is over. A client that goes away stops
    its generation.
    """

    def __init__(
        self,
        engine: Engine,
        models: Sequence[Model] = MODELS,
        store: Store | None = None,
        *,
        context: int = DEFAULT_CONTEXT,
        on_record: Callable[[Record], None] = lambda record: None,
    ) -> None:
        """Serve `models` with `engine`; `context` is the default for `num_ctx`."""
        self._engine = engine
        self._models = models
        self._store = store or AllThere()
        self._context = context
        self._on_record = on_record
        self._loaded: _Loaded | None = None
        self._turn = asyncio.Lock()
        self._started = datetime.now(UTC)

    def app(self) -> web.Application:
        """Return the application with all routes."""
        app = web.Application(middlewares=[_errors, _local_only], client_max_size=64 << 20)
        app.add_routes(
            [
                web.get("/", _alive),
                web.get("/api/version", _version),
                web.get("/api/tags", self._tags),
                web.get("/api/ps", self._ps),
                web.post("/api/show", self._show),
                web.post("/api/chat", self._chat),
                web.post("/api/generate", self._generate),
                web.post("/api/pull", self._pull),
            ]
        )
        app.on_shutdown.append(self._shut_down)
        return app

    async def _shut_down(self, _: web.Application) -> None:
        self._stop_timer()

    # What is there

    async def _tags(self, _: web.Request) -> web.Response:
        return web.json_response(
            {"models": [self._listed(model) for model in self._models if self._path(model)]}
        )

    async def _ps(self, _: web.Request) -> web.Response:
        if not (loaded := self._loaded):
            return web.json_response({"models": []})
        expires = loaded.expires or datetime.now(UTC) + timedelta(days=365 * 290)
        listed = self._listed(loaded.model) | {
            "expires_at": _timestamp(expires),
            "size_vram": 0,
            "context_length": loaded.context,
        }
        del listed["modified_at"]
        return web.json_response({"models": [listed]})

    def _listed(self, model: Model) -> Chunk:
        return {
            "name": model.name,
            "model": model.name,
            "modified_at": _timestamp(self._started),
            "size": model.weights.size,
            "digest": hashlib.sha256(repr(model).encode()).hexdigest(),
            "details": _details(model),
        }

    async def _show(self, http: web.Request) -> web.Response:
        data = requests.read_object(await http.read())
        name = requests.get(data, "model", str, "") or requests.get(data, "name", str, "")
        if not name:
            raise RequestError(400, "model is required")
        model = self._find(name)
        return web.json_response(
            {
                "modelfile": f"FROM {model.name}\nSYSTEM {model.system}\n",
                "system": model.system,
                "template": prompt.go_template(model),
                "details": _details(model),
                "model_info": dict(model.weights.info),
                "capabilities": _capabilities(model),
                "modified_at": _timestamp(self._started),
            }
        )

    def _find(self, name: str) -> Model:
        """Return a model that is there. Raises RequestError."""
        model = self._known(name)
        if not model or not self._path(model):
            raise RequestError(404, f"model '{name}' not found")
        return model

    def _known(self, name: str) -> Model | None:
        full = (name if ":" in name else f"{name}:latest").lower()
        return next((model for model in self._models if model.name == full), None)

    def _path(self, model: Model) -> Path | None:
        return self._store.path(model.weights)

    # Pulling

    async def _pull(self, http: web.Request) -> web.StreamResponse:
        data = requests.read_object(await http.read())
        name = requests.get(data, "model", str, "") or requests.get(data, "name", str, "")
        if not name:
            raise RequestError(400, "invalid model name")
        stream = requests.get(data, "stream", bool, True)
        return await _respond(http, self._pulled(name), stream, _last_chunk)

    async def _pulled(self, name: str) -> AsyncGenerator[Chunk]:
        yield {"status": "pulling manifest"}
        if not (model := self._known(name)):
            raise RequestError(500, "pull model manifest: file does not exist")
        weights = model.weights
        layer = {"digest": f"sha256:{weights.sha256}", "total": weights.size}
        try:
            async with aclosing(self._store.fetch(weights)) as steps:
                async for step in steps:
                    status = f"pulling {weights.sha256[:12]}"
                    yield {"status": status, **layer, "completed": step.completed}
        except FetchError as err:
            raise RequestError(500, str(err)) from err
        yield {"status": "verifying sha256 digest"}
        yield {"status": "writing manifest"}
        yield {"status": "success"}

    # Answering

    async def _chat(self, http: web.Request) -> web.StreamResponse:
        data = requests.read_object(await http.read())
        return await self._answer(http, data, requests.read_chat(data), _ChatShape())

    async def _generate(self, http: web.Request) -> web.StreamResponse:
        data = requests.read_object(await http.read())
        return await self._answer(http, data, requests.read_generate(data), _GenerateShape())

    async def _answer(
        self, http: web.Request, data: Mapping[str, Any], request: ChatRequest, shape: _Shape
    ) -> web.StreamResponse:
        record = Record(_timestamp(datetime.now(UTC)), request.model, data)
        started = perf_counter()
        model = self._find(request.model)
        if not request.messages and request.keep_alive == 0:
            async with self._turn:
                await self._unload()
            return web.json_response(_done(shape, request.model, "unload"))
        _check_capabilities(model, request)
        async with self._turn:
            try:
                loaded = await self._load(model, request)
                record.load_seconds = perf_counter() - started
                if not request.messages:
                    record.reason = "load"
                    return web.json_response(_done(shape, request.model, "load"))
                chunks = self._chunks(loaded, request, shape, record, started)
                return await _respond(http, chunks, request.stream, shape.whole)
            finally:
                record.total_seconds = perf_counter() - started
                self._on_record(record)
                await self._keep(request.keep_alive)

    async def _chunks(
        self,
        loaded: _Loaded,
        request: ChatRequest,
        shape: _Shape,
        record: Record,
        started: float,
    ) -> AsyncGenerator[Chunk]:
        """Let the model answer. The last chunk has the counts."""
        tokens = await self._tokens(loaded, request)
        names = [function.get("name", "") for function in request.tools]
        parser = ToolParser(loaded.model.tag, names) if names else None
        generation = self._engine.generate(
            tokens,
            request.options.sampling,
            _limit(request, loaded.context, len(tokens)),
            dict(request.schema) if request.schema is not None else None,
        )
        async with aclosing(generation) as pieces:
            async for piece in pieces:
                if isinstance(piece, Finished):
                    _note(record, piece)
                    record.total_seconds = perf_counter() - started
                    yield shape.chunk(request.model, "") | _counts(record)
                    return
                record.raw += piece
                calls, text = parser.add(piece) if parser else ([], piece)
                # Ollama sends text or calls, never both in one chunk: with text, calls are lost.
                if text:
                    yield shape.chunk(request.model, text)
                elif calls:
                    shown = [
                        _call(call, len(record.tool_calls) + i) for i, call in enumerate(calls)
                    ]
                    record.tool_calls += shown
                    yield shape.chunk(request.model, "", shown)

    async def _tokens(self, loaded: _Loaded, request: ChatRequest) -> list[int]:
        """Return the prompt, shorter than the context. Raises RequestError."""
        model, context = loaded.model, loaded.context
        messages = request.messages
        if messages[0].role != "system":
            messages = (requests.Message("system", model.system), *messages)
        if not request.truncate:
            text = prompt.render(model, messages, request.tools)
            tokens = await self._engine.tokenize(text)
            if len(tokens) >= context:
                raise RequestError(400, "the input length exceeds the context length")
            return tokens
        tokens = await prompt.fit(model, messages, request.tools, self._engine.tokenize, context)
        if len(tokens) < context:
            return tokens
        # The last message alone is too long: its beginning goes, the first four tokens stay.
        return tokens[:4] + tokens[len(tokens) - context + 5 :]

    # The model in memory

    async def _load(self, model: Model, request: ChatRequest) -> _Loaded:
        context = min(request.options.num_ctx or self._context, model.context)
        self._stop_timer()
        loaded = self._loaded
        if loaded and (loaded.model.weights, loaded.context) == (model.weights, context):
            loaded.model = model
            return loaded
        path = self._path(model)
        if path is None:
            raise RequestError(404, f"model '{request.model}' not found")
        self._loaded = None
        # Loading is not given up with the client: the next one most likely wants the same.
        await asyncio.shield(self._engine.load(path, context))
        self._loaded = _Loaded(model, context)
        return self._loaded

    async def _unload(self) -> None:
        self._stop_timer()
        if self._loaded:
            self._loaded = None
            await self._engine.unload()

    async def _keep(self, keep_alive: float | None) -> None:
        """Start the time until the model is unloaded."""
        seconds = DEFAULT_KEEP_ALIVE if keep_alive is None else keep_alive
        if not self._loaded:
            return
        if seconds <= 0:
            await self._unload()
        elif seconds < FOREVER:
            self._loaded.expires = datetime.now(UTC) + timedelta(seconds=seconds)
            loop = asyncio.get_running_loop()
            self._loaded.timer = loop.call_later(seconds, self._expire, self._loaded)
        else:
            self._loaded.expires = None

    def _expire(self, loaded: _Loaded) -> None:
        self._expiry = asyncio.ensure_future(self._unload_if_still(loaded, loaded.timer))

    async def _unload_if_still(self, loaded: _Loaded, timer: asyncio.TimerHandle | None) -> None:
        async with self._turn:
            if self._loaded is loaded and loaded.timer is timer:
                await self._unload()

    def _stop_timer(self) -> None:
        if self._loaded and self._loaded.timer:
            self._loaded.timer.cancel()
            self._loaded.timer = None


@asynccontextmanager
async def serve(
    engine: Engine,
    models: Sequence[Model] = MODELS,
    port: int = 0,
    *,
    host: str = "127.0.0.1",
    store: Store | None = None,
    context: int = DEFAULT_CONTEXT,
    on_record: Callable[[Record], None] = lambda record: None,
) -> AsyncIterator[str]:
    """Serve on this machine only, and yield the address, such as `http://127.0.0.1:11434`.

    Port 0 takes a free one. The engine is unloaded at the end. Raises ValueError for a host that
    is not this machine, OSError for a port that is taken.
    """
    if not _is_local(host):
        raise ValueError(f"{host} is not a loopback address")
    server = OllamaServer(engine, models, store, context=context, on_record=on_record)
    # A client that goes away cancels its handler, and with it the generation.
    runner = web.AppRunner(
        server.app(), access_log=None, handler_cancellation=True, shutdown_timeout=0.1
    )
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        shown = f"[{host}]" if ":" in host else host
        yield f"http://{shown}:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
        await engine.unload()


# The two shapes of an answer


class _Shape(Protocol):
    def chunk(self, model: str, text: str, calls: Sequence[Chunk] = ()) -> Chunk: ...

    def whole(self, chunks: Sequence[Chunk]) -> Chunk: ...


class _ChatShape:
    """`/api/chat`: a message."""

    def chunk(self, model: str, text: str, calls: Sequence[Chunk] = ()) -> Chunk:
        message: Chunk = {"role": "assistant", "content": text}
        if calls:
            message["tool_calls"] = list(calls)
        return {**_head(model), "message": message, "done": False}

    def whole(self, chunks: Sequence[Chunk]) -> Chunk:
        text = "".join(chunk["message"]["content"] for chunk in chunks)
        calls = [call for chunk in chunks for call in chunk["message"].get("tool_calls", ())]
        message = {"role": "assistant", "content": text}
        return {**chunks[-1], "message": message | ({"tool_calls": calls} if calls else {})}


class _GenerateShape:
    """`/api/generate`: text."""

    def chunk(self, model: str, text: str, calls: Sequence[Chunk] = ()) -> Chunk:
        return {**_head(model), "response": text, "done": False}

    def whole(self, chunks: Sequence[Chunk]) -> Chunk:
        return {**chunks[-1], "response": "".join(chunk["response"] for chunk in chunks)}


def _head(model: str) -> Chunk:
    return {"model": model, "created_at": _timestamp(datetime.now(UTC))}


def _done(shape: _Shape, model: str, reason: str) -> Chunk:
    return shape.chunk(model, "") | {"done": True, "done_reason": reason}


def _note(record: Record, finished: Finished) -> None:
    record.reason = finished.reason
    record.prompt_tokens = finished.prompt_tokens
    record.cached_tokens = finished.cached_tokens
    record.prompt_seconds = finished.prompt_seconds
    record.tokens = finished.tokens
    record.seconds = finished.seconds


def _counts(record: Record) -> Chunk:
    return {
        "done": True,
        "done_reason": record.reason,
        "total_duration": _nanoseconds(record.total_seconds),
        "load_duration": _nanoseconds(record.load_seconds),
        "prompt_eval_count": record.prompt_tokens,
        "prompt_eval_duration": _nanoseconds(record.prompt_seconds),
        "eval_count": record.tokens,
        "eval_duration": _nanoseconds(record.seconds),
    }


def _call(call: ToolCall, index: int) -> Chunk:
    function = {"index": index, "name": call.name, "arguments": call.arguments}
    return {"id": f"call_{secrets.token_hex(4)}", "function": function}


def _limit(request: ChatRequest, context: int, prompt_tokens: int) -> int:
    """The greatest number of tokens to write: Ollama stops at ten contexts of babble."""
    wanted = request.options.num_predict
    limit = min(wanted, 10 * context) if wanted > 0 else 10 * context
    return limit if request.shift else min(limit, context - prompt_tokens)


def _check_capabilities(model: Model, request: ChatRequest) -> None:
    if request.think:
        raise RequestError(400, f'"{request.model}" does not support thinking')
    if request.tools and not model.tools:
        name = f"registry.ollama.ai/library/{model.name}"
        raise RequestError(400, f"{name} does not support tools")


def _capabilities(model: Model) -> list[str]:
    return ["completion", *(["tools"] if model.tools else []), "insert"]


def _details(model: Model) -> Chunk:
    return {
        "parent_model": "",
        "format": "gguf",
        "family": "qwen2",
        "families": ["qwen2"],
        "parameter_size": model.weights.parameter_size,
        "quantization_level": "Q4_K_M",
    }


def _timestamp(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def _nanoseconds(seconds: float) -> int:
    return math.floor(seconds * 1e9)


# HTTP


async def _alive(_: web.Request) -> web.Response:
    return web.Response(text="Ollama is running")


async def _version(_: web.Request) -> web.Response:
    return web.json_response({"version": VERSION})


def _last_chunk(chunks: Sequence[Chunk]) -> Chunk:
    return chunks[-1]


async def _respond(
    http: web.Request,
    chunks: AsyncGenerator[Chunk],
    stream: bool,
    whole: Callable[[Sequence[Chunk]], Chunk],
) -> web.StreamResponse:
    """Send the chunks one by one, or one made of them all."""
    async with aclosing(chunks):
        if not stream:
            return web.json_response(whole([chunk async for chunk in chunks]))
        return await _stream(http, chunks)


async def _stream(http: web.Request, chunks: AsyncGenerator[Chunk]) -> web.StreamResponse:
    """Send a line of JSON per chunk. An error before the first one has a status of its own."""
    response: web.StreamResponse | None = None
    try:
        async for chunk in chunks:
            if response is None:
                response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
                await response.prepare(http)
            await response.write(_line(chunk))
    except (RequestError, EngineError) as err:
        if response is None:
            raise
        await response.write(_line({"error": str(err)}))
    except ConnectionResetError:
        _LOGGER.debug("The client went away")
    if response is None:
        raise EngineError("unexpected end of response")
    return response


def _line(chunk: Chunk) -> bytes:
    return json.dumps(chunk, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


@web.middleware
async def _errors(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    try:
        return await handler(request)
    except RequestError as err:
        return web.json_response({"error": str(err)}, status=err.status)
    except EngineError as err:
        return web.json_response({"error": str(err)}, status=500)
    except web.HTTPNotFound:
        return web.Response(text="404 page not found", status=404)
    except web.HTTPMethodNotAllowed:
        return web.Response(text="405 method not allowed", status=405)


@web.middleware
async def _local_only(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Refuse a page that reaches this machine under a name of its own (DNS rebinding)."""
    if not _is_local(request.url.host or ""):
        return web.Response(status=403)
    return await handler(request)


def _is_local(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
