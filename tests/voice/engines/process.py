"""Starts an engine, and tells what is missing on this machine."""

import asyncio
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
import shutil

from script.house.home_assistant import CHECKOUT
from script.ollama.fetch import cache_directory

PYTHON = cache_directory().parent / "speech" / "bin" / "python"
"""Where `script/voice` puts the engines."""
_PROGRAMS = ("espeak-ng", "ffmpeg")


def missing(programs: Sequence[str] = _PROGRAMS) -> str | None:
    """Return what to do before anybody can speak here; None when everything is there."""
    if absent := [program for program in programs if not shutil.which(program)]:
        names = " ".join(absent)
        return (
            f"Not installed: {', '.join(absent)}. On Debian and Ubuntu:"
            f" `sudo apt-get install {names}`; on macOS: `brew install {names}`."
        )
    if not PYTHON.exists():
        return "The speech engines are not set up: run `script/voice`."
    return None


@asynccontextmanager
async def engine(name: str) -> AsyncGenerator[int]:
    """Start the engine of a module, and yield its port on this machine; it ends with the block."""
    process = await asyncio.create_subprocess_exec(
        *(str(PYTHON), "-m", f"tests.voice.engines.{name}"), stdin=PIPE, stdout=PIPE, cwd=CHECKOUT
    )
    assert process.stdin
    assert process.stdout
    try:
        port = await process.stdout.readline()
        assert port, f"The engine {name} did not start: see above."
        yield int(port)
    finally:
        process.stdin.close()
        await process.wait()
