"""What both engines have in common: how they are reached, and how they end."""

import asyncio
from collections.abc import Callable
import sys

from wyoming.server import AsyncEventHandler

type Connection = Callable[[asyncio.StreamReader, asyncio.StreamWriter], AsyncEventHandler]


async def serve(connection: Connection) -> None:
    """Serve on a free port of this machine, which is printed, until stdin closes."""
    server = await asyncio.start_server(
        lambda reader, writer: connection(reader, writer).run(), "127.0.0.1", 0
    )
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
