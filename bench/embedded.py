"""The embedded model server, in a process of its own."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
import json
from pathlib import Path
import sys
from tempfile import TemporaryDirectory
from typing import Any

MODEL = "qwen2.5-coder:1.5b"


class Server:
    """A running server: its address, and what it noted of each request."""

    def __init__(self, url: str, log: Path) -> None:
        """Take the address and the file of notes."""
        self.url = url
        self._log = log

    def records(self) -> Sequence[dict[str, Any]]:
        """Return the notes on all requests that ended, in their order."""
        if not self._log.exists():
            return []
        return [json.loads(line) for line in self._log.read_text("utf-8").splitlines()]


@asynccontextmanager
async def embedded(model: str = MODEL) -> AsyncGenerator[Server]:
    """Serve a model, `qwen2.5-coder:0.5b` or the like, on a free local port."""
    size = model.partition(":")[2]
    with TemporaryDirectory() as directory:
        log = Path(directory) / "requests.jsonl"
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-m", "script.ollama", size, "--port", "0", "--num-ctx", "8192"),
            *("--log", str(log), "--until-stdin-closes"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            line = (await process.stdout.readline()).decode()
            if not line:
                raise RuntimeError(f"The server of {model} did not start")
            yield Server(line.split()[-1], log)
        finally:
            process.stdin.close()
            await process.wait()
