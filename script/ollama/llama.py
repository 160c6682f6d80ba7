"""The real engine: llama.cpp, in this process.

`xllamacpp` brings llama.cpp's own server along and always starts it; here it listens on a Unix
socket that only this user can reach, never on a port. Talking to it over that socket, instead of
through the module's callbacks, is what lets a request be given up while its prompt is still read.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
import json
import os
from pathlib import Path
import shutil
import tempfile
from typing import Any

import aiohttp
import psutil  # type: ignore[import-untyped]
import xllamacpp

from script.ollama.engine import EngineError, Finished, Sampling

# Between two batches llama.cpp looks whether a request was given up: small batches make that
# quick, and read no slower on a CPU.
_BATCH = 128
# Prompts that were read before and pushed out by another one are kept here.
_CACHE_RAM_MIB = 1024


class LlamaEngine:
    """llama.cpp with one model and one slot.

    The slot keeps what it read and wrote last, and up to 1 GiB of earlier prompts are kept
    beside it: a request shares its longest prefix with any of them.
    """

    def __init__(self) -> None:
        """Load nothing yet."""
        self._directory: Path | None = None
        self._server: xllamacpp.Server | None = None
        self._session: aiohttp.ClientSession | None = None

    async def load(self, file: Path, context: int) -> None:
        """Load the model; takes seconds."""
        await self.unload()
        self._directory = Path(tempfile.mkdtemp(prefix="llama-"))
        socket = self._directory / "llama.sock"  # so named, llama.cpp takes it for one
        try:
            self._server = await asyncio.to_thread(xllamacpp.Server, _params(file, context, socket))
        except Exception as err:
            await self.unload()
            raise EngineError(f"llama runner process has terminated: {err}") from err
        self._session = aiohttp.ClientSession(
            "http://llama",
            connector=aiohttp.UnixConnector(str(socket), force_close=True),
            timeout=aiohttp.ClientTimeout(total=None),
        )

    async def unload(self) -> None:
        """Free the model."""
        if self._session:
            await self._session.close()
            self._session = None
        if self._server:
            server, self._server = self._server, None
            await asyncio.to_thread(_drop, [server])
            del server
        self.remove_socket()

    def remove_socket(self) -> None:
        """Remove what the engine keeps on disk."""
        if self._directory:
            shutil.rmtree(self._directory, ignore_errors=True)
            self._directory = None

    async def tokenize(self, text: str) -> list[int]:
        """Tokenize a prompt with its special tokens."""
        body = {"content": text, "add_special": False, "parse_special": True}
        async with self._post("/tokenize", body) as response:
            tokens: list[int] = (await response.json())["tokens"]
        return tokens

    async def generate(
        self, prompt: Sequence[int], sampling: Sampling, limit: int, schema: dict[str, Any] | None
    ) -> AsyncGenerator[str | Finished]:
        """Let the model go on from `prompt`."""
        body = {
            "prompt": list(prompt),
            "stream": True,
            "cache_prompt": True,
            "n_predict": limit,
            "n_keep": 4,
            "temperature": sampling.temperature,
            "top_k": sampling.top_k,
            "top_p": sampling.top_p,
            "min_p": sampling.min_p,
            "typical_p": sampling.typical_p,
            "repeat_last_n": sampling.repeat_last_n,
            "repeat_penalty": sampling.repeat_penalty,
            "presence_penalty": sampling.presence_penalty,
            "frequency_penalty": sampling.frequency_penalty,
            "seed": sampling.seed,
            "stop": list(sampling.stop),
            **({"json_schema": schema} if schema is not None else {}),
        }
        async with self._post("/completion", body) as response:
            async for line in response.content:
                if not line.startswith(b"data: "):
                    continue
                event = json.loads(line.removeprefix(b"data: "))
                if "error" in event:
                    raise EngineError(event["error"]["message"])
                if event["content"]:
                    yield event["content"]
                if event["stop"]:
                    yield _finished(event)

    @asynccontextmanager
    async def _post(
        self, path: str, body: dict[str, Any]
    ) -> AsyncGenerator[aiohttp.ClientResponse]:
        if not self._session:
            raise EngineError("no model is loaded")
        try:
            async with self._session.post(path, json=body) as response:
                if response.status != 200:
                    error = await response.json()
                    raise EngineError(error["error"]["message"])
                yield response
        except aiohttp.ClientError as err:
            raise EngineError(f"model runner has unexpectedly stopped: {err}") from err


def _drop(servers: list[xllamacpp.Server]) -> None:
    """Let go of the server where it may block: its threads finish their batch first."""
    servers.clear()


def _params(file: Path, context: int, socket: Path) -> xllamacpp.CommonParams:
    params = xllamacpp.CommonParams()
    params.model.path = str(file)
    params.hostnames = [str(socket)]
    params.ui = False
    params.endpoint_slots = False
    params.verbosity = -1
    params.n_ctx = context
    params.n_parallel = 1
    params.n_batch = params.n_ubatch = _BATCH
    params.ctx_shift = True
    params.cache_prompt = True
    params.cache_ram_mib = _CACHE_RAM_MIB
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = _threads()
    return params


def _threads() -> int:
    """Physical cores, as far as this process may use them: a second thread per core slows down."""
    usable = os.process_cpu_count() or 1
    return min(psutil.cpu_count(logical=False) or usable, usable)


def _finished(event: dict[str, Any]) -> Finished:
    timings = event["timings"]
    return Finished(
        reason="length" if event["stop_type"] == "limit" else "stop",
        prompt_tokens=event["tokens_evaluated"],
        cached_tokens=timings["cache_n"],
        prompt_seconds=timings["prompt_ms"] / 1000,
        tokens=event["tokens_predicted"],
        seconds=timings["predicted_ms"] / 1000,
    )
