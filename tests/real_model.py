"""A real model behind the embedded server, for tests that are asked for with `--live`."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
import sys


@asynccontextmanager
async def real_model(folder: Path, *arguments: str) -> AsyncGenerator[str]:
    """Serve models as `python -m script.ollama` with these arguments does, and yield its address.

    Models that are not there yet are fetched. `requests.jsonl` in `folder` has what was asked.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "script.ollama", *arguments, "--port", "0"),
        *("--until-stdin-closes", "--log", str(folder / "requests.jsonl")),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    try:
        yield (await process.stdout.readline()).decode().split()[-1]
    finally:
        process.stdin.close()
        await process.wait()
