"""llama.cpp's server in a process of its own, which ends with the block or with this process."""

import asyncio
from asyncio.subprocess import PIPE
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
import sys

_CHECKOUT = Path(__file__).parents[2]


@asynccontextmanager
async def llama_server(size: str, *options: str) -> AsyncGenerator[str]:
    """Serve a model, "0.5b" or the like; yield the address up to `/v1`. Raises RuntimeError.

    `options` are those of `python -m script.openai`.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "script.openai", size, "--port", "0", *options),
        stdin=PIPE,
        stdout=PIPE,
        cwd=_CHECKOUT,
        # Ctrl-C is for this process, which ends the other one in order.
        start_new_session=True,
    )
    assert process.stdin
    assert process.stdout
    try:
        if not (line := await process.stdout.readline()):
            raise RuntimeError("llama.cpp's server did not start")
        yield f"{line.decode().split()[-1]}/v1"
    finally:
        process.stdin.close()
        await process.wait()
