"""The model that answers: of the user's Ollama server where there is one, else the embedded one.

The embedded one is served as Ollama does, or by llama.cpp's own server, which speaks OpenAI's protocol.
"""

import asyncio
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
import os
import sys
from typing import Any

import aiohttp
from yarl import URL

from script.house.failure import HouseError
from script.house.home_assistant import CHECKOUT
from script.ollama.fetch import ModelStore, cache_directory
from script.ollama.models import MODELS, Model as EmbeddedModel
from script.openai.process import llama_server

NUM_CTX = 8192
"""Tokens; the agent's default. With another value, the server would load the model twice."""
EMBEDDED = "qwen2.5-coder:1.5b"
_DEFAULT_PORT = 11434
_PROBE_TIMEOUT = aiohttp.ClientTimeout(total=3)
_STOP_TIMEOUT = 10

type Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Model:
    """A model on a server that speaks Ollama's API, or OpenAI's."""

    url: str
    name: str
    kind: str = "ollama"
    """Or "openai"; what the integration's form calls such a server."""


type Source = AbstractAsyncContextManager[asyncio.Task[Model]]
"""Yields a task that is done when the model is loaded, and lets go of the model at its end.

Its beginning and the task raise HouseError.
"""


@asynccontextmanager
async def at_hand(wanted: str | None, say: Say) -> AsyncGenerator[asyncio.Task[Model]]:
    """Have a model: `wanted`, or one that can call tools.

    It is of the server at `OLLAMA_HOST`; where none answers, or has no such model, of the
    embedded one.
    """
    url = client_url(os.environ.get("OLLAMA_HOST", ""))
    if own := await _of_server(url, wanted, say):
        say(f"Using {own.name} of the Ollama server at {url}.")
        async with _loading(_loaded(own)) as task:
            yield task
        return
    if os.environ.get("OLLAMA_HOST"):
        say(f"Nothing to use at OLLAMA_HOST ({url}): using the embedded model.")
    prompts = cache_directory().parent / "prompts"
    async with embedded(wanted or EMBEDDED, "--keep-prompts", str(prompts)) as task:
        yield task


@asynccontextmanager
async def embedded(name: str = EMBEDDED, *options: str) -> AsyncGenerator[asyncio.Task[Model]]:
    """Have a model of the embedded server, which ends with the block or with this process."""
    model = _known(name)
    await _fetch(model)
    async with _server(model, *options) as process, _loading(_started(process, model)) as task:
        yield task


@asynccontextmanager
async def of_llama(name: str = EMBEDDED) -> AsyncGenerator[asyncio.Task[Model]]:
    """Have a model of llama.cpp's own server, which ends with the block or with this process."""
    model = _known(name)
    await _fetch(model)
    try:
        async with llama_server(_size(model)) as url, _loading(_there(url, name)) as task:
            yield task
    except RuntimeError as err:
        raise HouseError(str(err)) from err


async def _there(url: str, name: str) -> Model:
    return Model(url, name, "openai")


def client_url(host: str) -> str:
    """Return the address that `OLLAMA_HOST` means to a client.

    As Ollama's own client reads it: scheme and port may be missing, and an address to listen on
    (`0.0.0.0`) is this machine.
    """
    host = host.strip()
    if host.startswith(":"):
        host = f"127.0.0.1{host}"
    url = URL(host if "://" in host else f"http://{host or '127.0.0.1'}")
    if url.explicit_port is None and "://" not in host:
        url = url.with_port(_DEFAULT_PORT)
    if url.host in ("0.0.0.0", "::"):
        url = url.with_host("127.0.0.1")
    return str(url).rstrip("/")


async def _of_server(url: str, wanted: str | None, say: Say) -> Model | None:
    """Return a server's model; None where nothing answers or no model calls tools."""
    async with aiohttp.ClientSession(url, timeout=_PROBE_TIMEOUT) as session:
        try:
            async with session.get("/api/tags") as response:
                names = [each["name"] for each in (await response.json())["models"]]
            if wanted is not None:
                # One that is not there is pulled when the agent is added.
                return Model(url, wanted)
            for name in names:
                async with session.post("/api/show", json={"model": name}) as response:
                    if "tools" in (await response.json()).get("capabilities", ()):
                        return Model(url, name)
        except aiohttp.ClientError, TimeoutError, ValueError, KeyError:
            return None
    say(f"The Ollama server at {url} has no model that can call tools.")
    return None


@asynccontextmanager
async def _loading(coroutine: Any) -> AsyncGenerator[asyncio.Task[Model]]:
    task: asyncio.Task[Model] = asyncio.create_task(coroutine)
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _loaded(own: Model) -> Model:
    """Let the server load a model; one that it has to pull first is left to the agent."""
    body = {"model": own.name, "options": {"num_ctx": NUM_CTX}, "stream": False}
    try:
        async with (
            aiohttp.ClientSession(own.url, timeout=aiohttp.ClientTimeout(total=None)) as session,
            session.post("/api/generate", json=body) as response,
        ):
            if response.status not in (200, 404):
                raise HouseError(f"Ollama cannot load {own.name}: {await response.text()}")
    except aiohttp.ClientError as err:
        raise HouseError(f"The model server at {own.url} went away: {err}") from err
    return own


def _known(name: str) -> EmbeddedModel:
    for each in MODELS:
        if each.name == name:
            return each
    names = ", ".join(each.name for each in MODELS)
    raise HouseError(f"{name} is no model of the embedded server. There are: {names}.")


async def _fetch(model: EmbeddedModel) -> None:
    """Fetch a model's file, where it is not there, with a progress bar."""
    if ModelStore(cache_directory()).path(model.weights):
        return
    process = await _process(model, "--fetch")
    try:
        status = await process.wait()
    finally:
        await _end(process)
    if status:
        raise HouseError(
            "Without a model the house cannot answer. With an Ollama server of yours no model has"
            " to be downloaded: set OLLAMA_HOST to its address."
        )


@asynccontextmanager
async def _server(model: EmbeddedModel, *options: str) -> AsyncGenerator[Process]:
    process = await _process(model, "--port", "0", "--until-stdin-closes", *options)
    try:
        yield process
    finally:
        await _end(process)


async def _process(model: EmbeddedModel, *arguments: str) -> Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "script.ollama", _size(model), *arguments),
        stdin=PIPE,
        stdout=PIPE,
        cwd=CHECKOUT,
        # Ctrl-C is for this process, which ends the other one in order.
        start_new_session=True,
    )


def _size(model: EmbeddedModel) -> str:
    return model.name.partition(":")[2]


async def _started(process: Process, model: EmbeddedModel) -> Model:
    assert process.stdout
    if not (line := await process.stdout.readline()):
        raise HouseError("The embedded model server did not start.")
    return await _loaded(Model(line.decode().split()[-1], model.name))


async def _end(process: Process) -> None:
    """Let a process end in order, by its stdin or a signal; end it otherwise."""
    if process.returncode is not None:
        return
    assert process.stdin
    process.stdin.close()
    process.terminate()
    try:
        async with asyncio.timeout(_STOP_TIMEOUT):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
