# mypy: ignore-errors
"""An MCP server that asks the user back, and one that reports how far it is.

python asking.py stdio 0 FILE
python asking.py streamable-http PORT FILE

Into FILE it writes a line for each thing that it did, so that a test can count them.
"""

from pathlib import Path
import sys
from typing import Literal

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult
from pydantic import BaseModel

TRANSPORT, PORT, DONE = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
ADDRESS = {} if TRANSPORT == "stdio" else {"host": "127.0.0.1", "port": PORT}

server = MCPServer("asking")


class Sure(BaseModel):
    """Whether somebody is sure."""

    sure: bool


class Size(BaseModel):
    """A size, and what goes with it."""

    size: Literal["small", "large"]
    sugar: bool = False


class Secret(BaseModel):
    """A secret."""

    password: str


def done(what: str) -> str:
    """Note what was done, and tell it."""
    with DONE.open("a") as file:
        file.write(f"{what}\n")
    return what


@server.tool()
async def clear_list(name: str, ctx: Context) -> str:
    """Remove everything from a list."""
    done("began")
    asked = await ctx.elicit(f"Remove all of {name}?", Sure)
    if asked.action == "accept":
        return done(f"cleared {name}" if asked.data.sure else f"kept {name}")
    return done(asked.action)


@server.tool()
async def make_coffee(ctx: Context) -> str:
    """Make coffee."""
    asked = await ctx.elicit("Which size?", Size)
    if asked.action == "accept":
        return done(f"{asked.data.size} coffee, sugar {asked.data.sugar}")
    return done(asked.action)


@server.tool()
async def lay_table(ctx: Context) -> str:
    """Ask two things at once, and a third after them."""
    said = {}

    async def ask(what: str) -> None:
        asked = await ctx.elicit(f"With {what}?", Sure)
        said[what] = asked.data.sure if asked.action == "accept" else asked.action

    async with anyio.create_task_group() as both:
        both.start_soon(ask, "forks")
        both.start_soon(ask, "candles")
    await ask("napkins")
    return done(" ".join(f"{what} {said[what]}" for what in ("forks", "candles", "napkins")))


@server.tool()
async def log_in(ctx: Context) -> str:
    """Log in somewhere."""
    return done((await ctx.elicit("Your password?", Secret)).action)


@server.tool()
async def count(steps: int, ctx: Context) -> str:
    """Count, a step each quarter of a second."""
    for step in range(steps):
        await ctx.report_progress(step, steps)
        await anyio.sleep(0.25)
    return done(f"counted to {steps}")


@server.tool()
async def vote(ctx: Context) -> str | InputRequiredResult:
    """Ask in the newer protocol's way: the call ends, and is made again with the answer."""
    if not ctx.input_responses:
        schema = Sure.model_json_schema()
        asked = ElicitRequest(
            params=ElicitRequestFormParams(message="Are you for it?", requested_schema=schema)
        )
        return InputRequiredResult(input_requests={"vote": asked}, request_state="open")
    return done(f"{ctx.input_responses['vote'].content} {ctx.request_state}")


server.run(TRANSPORT, **ADDRESS)
