"""The real engine: llama.cpp, in a process of its own (`runner.py`), over a Unix socket."""

import asyncio
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
import json
from pathlib import Path
import shutil
import sys
import tempfile
from typing import Any

import aiohttp

from script.ollama.engine import EngineError, Finished, Sampling

_CHECKOUT = Path(__file__).parents[2]
# Tokens: to read fewer again takes no longer than a few seconds on slow hardware.
_WORTH_KEEPING = 256


class LlamaEngine:
    """llama.cpp with one model and one slot.

    The slot keeps what it read and wrote last, and up to 1 GiB of earlier prompts are kept
    beside it: a request shares its longest prefix with any of them. Only this user can reach the
    socket. The process ends with this one, however this one ends.
    """

    def __init__(self, prompts: Path | None = None) -> None:
        """Load nothing yet. In `prompts`, a directory, what a model read is kept for the next start."""
        self._prompts = prompts
        self._kept = ""
        self._directory: Path | None = None
        self._process: Process | None = None
        self._session: aiohttp.ClientSession | None = None

    @property
    def running(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.returncode is None

    async def load(self, file: Path, context: int) -> None:
        """Load the model; takes seconds."""
        await self.unload()
        self._directory = Path(tempfile.mkdtemp(prefix="llama-"))
        socket = str(self._directory / "llama.sock")  # so named, llama.cpp takes it for a socket
        options = [socket, str(file), str(context)]
        if self._prompts:
            self._prompts.mkdir(parents=True, exist_ok=True)
            options.append(str(self._prompts))
        try:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "script.ollama.runner", *options),
                stdin=PIPE,
                stdout=PIPE,
                cwd=_CHECKOUT,
            )
            await _ready(self._process)
        except BaseException:
            await self.unload()
            raise
        # Each request has its connection, and closing it stops what it asked for.
        self._session = aiohttp.ClientSession(
            "http://llama",
            connector=aiohttp.UnixConnector(socket, force_close=True),
            timeout=aiohttp.ClientTimeout(total=None),
            read_bufsize=1 << 22,  # the last event is one line that repeats the whole prompt
        )
        self._kept = f"{file.stem}-{context}-{version('xllamacpp')}.prompt"
        if self._prompts and (self._prompts / self._kept).exists():
            await self._slot("restore")

    async def unload(self) -> None:
        """End the process, whatever it does."""
        if self._session:
            await self._session.close()
            self._session = None
        if self._process:
            process, self._process = self._process, None
            if process.returncode is None:
                process.kill()
            await process.wait()
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
        self,
        prompt: Sequence[int],
        sampling: Sampling,
        limit: int,
        schema: Mapping[str, Any] | None,
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
                    finished = _finished(event)
                    if finished.prompt_tokens - finished.cached_tokens >= _WORTH_KEEPING:
                        await self._slot("save")
                    yield finished

    async def _slot(self, action: str) -> None:
        """Keep on disk what the slot has read, or take it from there."""
        if not self._prompts:
            return
        try:
            async with self._post(f"/slots/0?action={action}", {"filename": self._kept}):
                pass
        except EngineError as err:
            # It is only slower without.
            print(f"The prompt on disk: {action}: {err}", file=sys.stderr)
            (self._prompts / self._kept).unlink(missing_ok=True)

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
            raise EngineError("model runner has unexpectedly stopped") from err


async def _ready(process: Process) -> None:
    """Wait until the model is loaded. Raises EngineError."""
    assert process.stdout
    said = (await process.stdout.readline()).decode().strip()
    if said != "ready":
        raise EngineError(f"llama runner process has terminated: {said or 'no reason'}")


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
