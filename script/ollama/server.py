"""Ollama's HTTP API, as far as Home Assistant's integrations use it, in front of an Engine.

Statuses, words and the order of chunks follow Ollama's `server/routes.go`.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from datetime import UTC, datetime, timedelta
import hashlib
import ipaddress
import json
from typing import Any

from aiohttp import web

from script.ollama.answer import (
    ChatShape,
    Chunk,
    GenerateShape,
    Record,
    Shape,
    answer,
    done,
    timestamp,
)
from script.ollama.engine import Engine, EngineError
from script.ollama.memory import Memory
from script.ollama.models import MODELS, Model
from script.ollama.prompt import go_template
from script.ollama.request import (
    ChatRequest,
    RequestError,
    read_chat,
    read_generate,
    read_name,
    read_object,
    read_stream,
)
from script.ollama.store import AllThere, FetchError, Store

VERSION = "0.12.10"
"""The Ollama whose behaviour this server shows."""
DEFAULT_CONTEXT = 4096

type _Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


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

    Port 0 takes a free one. `context` is used where a client gives no `num_ctx`; `on_record` is
    called at the end of every request that used the model. The engine is unloaded at the end.
    Raises ValueError for a host that is not this machine, OSError for a port that is taken.
    """
    if not _is_local(host):
        raise ValueError(f"{host} is not a loopback address")
    server = _Server(engine, models, store or AllThere(), context, on_record)
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
        await server.memory.close()


class _Server:
    """The routes. A client that goes away stops its generation."""

    def __init__(
        self,
        engine: Engine,
        models: Sequence[Model],
        store: Store,
        context: int,
        on_record: Callable[[Record], None],
    ) -> None:
        self.memory = Memory(engine, store)
        self._engine = engine
        self._models = models
        self._store = store
        self._context = context
        self._on_record = on_record
        self._modified = timestamp(datetime.now(UTC))

    def app(self) -> web.Application:
        app = web.Application(middlewares=[_errors, _local_only], client_max_size=64 << 20)
        app.add_routes(
            [
                web.get("/", _alive),
                web.get("/api/version", _version),
                web.get("/api/tags", self._tags),
                web.get("/api/ps", self._ps),
                web.post("/api/show", self._show),
                web.post("/api/pull", self._pull),
                web.post("/api/chat", self._chat),
                web.post("/api/generate", self._generate),
            ]
        )
        return app

    async def _tags(self, _: web.Request) -> web.Response:
        there = [model for model in self._models if self._store.path(model.weights)]
        listed = [self._listed(model) | {"modified_at": self._modified} for model in there]
        return web.json_response({"models": listed})

    async def _ps(self, _: web.Request) -> web.Response:
        if not (loaded := self.memory.loaded):
            return web.json_response({"models": []})
        expires = loaded.expires or datetime.now(UTC) + timedelta(days=365 * 290)
        listed = self._listed(loaded.model) | {
            "expires_at": timestamp(expires),
            "size_vram": 0,
            "context_length": loaded.context,
        }
        return web.json_response({"models": [listed]})

    async def _show(self, http: web.Request) -> web.Response:
        name = read_name(read_object(await http.read()))
        if not name:
            raise RequestError(400, "model is required")
        model = self._find(name)
        return web.json_response(
            {
                "modelfile": f"FROM {model.name}\nSYSTEM {model.system}\n",
                "system": model.system,
                "template": go_template(model),
                "details": _details(model),
                "model_info": dict(model.weights.info),
                "capabilities": _capabilities(model),
                "modified_at": self._modified,
            }
        )

    async def _pull(self, http: web.Request) -> web.StreamResponse:
        data = read_object(await http.read())
        name = read_name(data)
        if not name:
            raise RequestError(400, "invalid model name")
        return await _respond(http, self._pulled(name), read_stream(data), lambda all_: all_[-1])

    async def _pulled(self, name: str) -> AsyncGenerator[Chunk]:
        yield {"status": "pulling manifest"}
        if not (model := self._known(name)):
            raise RequestError(500, "pull model manifest: file does not exist")
        weights = model.weights
        layer = {
            "status": f"pulling {weights.sha256[:12]}",
            "digest": f"sha256:{weights.sha256}",
            "total": weights.size,
        }
        try:
            async with aclosing(self._store.fetch(weights)) as steps:
                async for step in steps:
                    yield layer | {"completed": step.completed}
        except FetchError as err:
            raise RequestError(500, str(err)) from err
        for status in ("verifying sha256 digest", "writing manifest", "success"):
            yield {"status": status}

    async def _chat(self, http: web.Request) -> web.StreamResponse:
        data = read_object(await http.read())
        return await self._answer(http, read_chat(data), ChatShape(), data)

    async def _generate(self, http: web.Request) -> web.StreamResponse:
        data = read_object(await http.read())
        return await self._answer(http, read_generate(data), GenerateShape(), data)

    async def _answer(
        self, http: web.Request, request: ChatRequest, shape: Shape, data: dict[str, Any]
    ) -> web.StreamResponse:
        model = self._find(request.model)
        if not request.messages and request.keep_alive == 0:
            await self.memory.unload()
            return web.json_response(done(shape, request.model, "unload"))
        _check_capabilities(model, request)
        record = Record(request.model, data)
        context = request.options.num_ctx or self._context
        try:
            async with self.memory.use(model, context, request.keep_alive) as loaded:
                record.load_seconds = record.elapsed()
                if not request.messages:
                    record.reason = "load"
                    return web.json_response(done(shape, request.model, "load"))
                chunks = answer(self._engine, loaded, request, shape, record)
                return await _respond(http, chunks, request.stream, shape.whole)
        except asyncio.CancelledError, ConnectionResetError:
            record.reason = "cancelled"
            raise
        finally:
            record.total_seconds = record.elapsed()
            self._on_record(record)

    def _find(self, name: str) -> Model:
        """Return a model that is there. Raises RequestError."""
        model = self._known(name)
        if not model or not self._store.path(model.weights):
            raise RequestError(404, f"model '{name}' not found")
        return model

    def _known(self, name: str) -> Model | None:
        full = (name if ":" in name else f"{name}:latest").lower()
        return next((model for model in self._models if model.name == full), None)

    def _listed(self, model: Model) -> Chunk:
        return {
            "name": model.name,
            "model": model.name,
            "size": model.weights.size,
            "digest": hashlib.sha256(repr(model).encode()).hexdigest(),
            "details": _details(model),
        }


def _check_capabilities(model: Model, request: ChatRequest) -> None:
    if request.think:
        raise RequestError(400, f'"{request.model}" does not support thinking')
    if request.tools and not model.tools:
        name = f"registry.ollama.ai/library/{model.name}"
        raise RequestError(400, f"{name} does not support tools")


def _capabilities(model: Model) -> list[str]:
    # The Qwen coders' template can fill a gap in a text, too.
    fills = model.weights.family == "qwen2"
    return ["completion", *(["tools"] if model.tools else []), *(["insert"] if fills else [])]


def _details(model: Model) -> Chunk:
    return {
        "parent_model": "",
        "format": "gguf",
        "family": model.weights.family,
        "families": [model.weights.family],
        "parameter_size": model.weights.parameter_size,
        "quantization_level": "Q4_K_M",
    }


async def _alive(_: web.Request) -> web.Response:
    return web.Response(text="Ollama is running")


async def _version(_: web.Request) -> web.Response:
    return web.json_response({"version": VERSION})


async def _respond(
    http: web.Request,
    chunks: AsyncGenerator[Chunk],
    stream: bool,
    whole: Callable[[Sequence[Chunk]], Chunk],
) -> web.StreamResponse:
    """Send the chunks one by one, or one made of them all."""
    async with aclosing(chunks):
        if stream:
            return await _stream(http, chunks)
        return web.json_response(whole([chunk async for chunk in chunks]))


async def _stream(http: web.Request, chunks: AsyncGenerator[Chunk]) -> web.StreamResponse:
    """Send a line of JSON per chunk. Only an error before the first one has a status of its own."""
    response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
    try:
        async for chunk in chunks:
            if not response.prepared:
                await response.prepare(http)
            await response.write(_line(chunk))
    except (RequestError, EngineError) as err:
        if not response.prepared:
            raise
        await response.write(_line({"error": str(err)}))
    return response


def _line(chunk: Chunk) -> bytes:
    return json.dumps(chunk, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


@web.middleware
async def _errors(request: web.Request, handler: _Handler) -> web.StreamResponse:
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
async def _local_only(request: web.Request, handler: _Handler) -> web.StreamResponse:
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
