# mypy: ignore-errors
"""An MCP server that writes down what it is told, each time a line, and answers oddly when it is told so.

    python ledger.py NAME TRANSPORT PORT FILE

SIGUSR1 has it write nonsense to stdout, or answer the next request over HTTP with nonsense after it
was carried out.
"""

from pathlib import Path
import signal
import sys
from typing import Any

import anyio
from mcp.server.mcpserver import MCPServer
import uvicorn

NAME, TRANSPORT, PORT, FILE = sys.argv[1], sys.argv[2], int(sys.argv[3]), Path(sys.argv[4])
# Seconds that a call takes, in the midst of which it is done.
_STEP = 0.03
_NONSENSE = b'{ nonsense \xff\n{"jsonrpc": "2.0", "id": 1, "result": 5}\n{"jsonrpc": "2.0"}\n'

server = MCPServer(NAME)
garbles = False


async def write_down(word: str) -> str:
    """Write down a word."""
    await anyio.sleep(_STEP)
    with FILE.open("a") as file:  # noqa: ASYNC230 - in one piece, whatever happens to us
        file.write(f"{word}\n")
    await anyio.sleep(_STEP)
    return f"{word} is written down"


server.add_tool(write_down, name=f"write_down_{NAME}", title=f"Write down at {NAME}")


def garble(*_: Any) -> None:
    """Answer oddly."""
    global garbles  # noqa: PLW0603 - a signal has nothing else to change
    garbles = True
    if TRANSPORT == "stdio":
        sys.stdout.buffer.write(_NONSENSE)
        sys.stdout.buffer.flush()


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Serve, and put nonsense in the place of one answer's body where that is wanted."""
    global garbles  # noqa: PLW0603
    is_odd = garbles and scope["type"] == "http" and scope["method"] == "POST"
    garbles = garbles and not is_odd

    async def oddly(message: Any) -> None:
        if is_odd and message["type"] == "http.response.start":
            kept = [each for each in message["headers"] if each[0] != b"content-length"]
            message = {**message, "headers": kept}
        if is_odd and message.get("body"):
            message = {**message, "body": b"{ nonsense"}
        await send(message)

    await inner(scope, receive, oddly)


signal.signal(signal.SIGUSR1, garble)
if TRANSPORT == "stdio":
    server.run("stdio")
else:
    inner = server.sse_app() if TRANSPORT == "sse" else server.streamable_http_app()
    uvicorn.run(app, host="127.0.0.1", port=PORT, log_level="error")
