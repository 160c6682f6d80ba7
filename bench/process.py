"""A server of a bench in a process of its own, whose time and memory are not those of Home Assistant."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
import sys


@asynccontextmanager
async def process(*command: str) -> AsyncGenerator[str]:
    """Run a Python program until this ends, when its stdin does; yield the line that it prints first."""
    running = await asyncio.create_subprocess_exec(
        sys.executable, *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    assert running.stdin is not None
    assert running.stdout is not None
    try:
        yield (await running.stdout.readline()).decode().strip()
    finally:
        running.stdin.close()
        await running.wait()
