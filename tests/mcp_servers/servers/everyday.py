# mypy: ignore-errors
"""An ordinary MCP server, made with the SDK's high-level classes; runs with SDK 1.x and 2.x.

python everyday.py stdio
python everyday.py streamable-http PORT [json]
python everyday.py sse PORT
"""

import asyncio
import os
import subprocess
import sys
from typing import Literal

try:
    from mcp.server.mcpserver import Context, Image, MCPServer

    IS_SDK_1 = False
except ImportError:
    from mcp.server.fastmcp import Context, FastMCP as MCPServer, Image

    IS_SDK_1 = True

TRANSPORT = sys.argv[1] if len(sys.argv) > 1 else "stdio"
ADDRESS = {"host": "127.0.0.1", "port": int(sys.argv[2])} if len(sys.argv) > 2 else {}
JSON = {"json_response": True} if "json" in sys.argv else {}

FIVE = asyncio.Barrier(5)

server = MCPServer(
    "everyday",
    instructions="Use `add` for sums; never add yourself.",
    **(ADDRESS | JSON if IS_SDK_1 else {}),
)


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool()
def echo(text: str, times: int = 1) -> str:
    """Say a text again."""
    return text * times


@server.tool()
def control_zwave_device(
    deviceName: str,
    action: Literal["on", "off", "dim"],
    level: int | None = None,
) -> str:
    """Switch a device."""
    return f"{deviceName} {action} {level}"


@server.tool()
def process() -> int:
    """Tell the server's process id."""
    return os.getpid()


@server.tool()
def offspring() -> int:
    """Start a process that outlives a careless end of the server; tell its id."""
    return subprocess.Popen(["sleep", "600"], stdout=subprocess.DEVNULL).pid


@server.tool()
async def sleep(seconds: float) -> str:
    """Take some time."""
    await asyncio.sleep(seconds)
    return "awake"


@server.tool()
async def meet() -> str:
    """Wait until five are here."""
    await FIVE.wait()
    return "met"


@server.tool()
def fail(reason: str) -> str:
    """Fail."""
    raise ValueError(reason)


@server.tool()
def weather() -> dict[str, str | int]:
    """Tell the weather."""
    return {"sky": "clear", "degrees": 21}


@server.tool()
def picture() -> Image:
    """Take a picture."""
    return Image(data=b"\x89PNG" + bytes(11_996), format="png")


@server.tool()
async def learn(name: str, ctx: Context) -> str:
    """Learn another tool and tell the client."""

    def learned() -> str:
        """Do what was learned."""
        return f"did {name}"

    server.add_tool(learned, name=name)
    # The one for clients of the older protocol, the other for those of the newer.
    await ctx.session.send_tool_list_changed()
    if not IS_SDK_1:
        await ctx.notify_tools_changed()
    return "learned"


@server.tool()
def die() -> str:
    """End the server at once."""
    sys.stderr.write("a fatal error occurred\n")
    sys.stderr.flush()
    os._exit(3)


if TRANSPORT == "stdio" or IS_SDK_1:
    server.run(TRANSPORT)
else:
    server.run(TRANSPORT, **ADDRESS, **JSON)
