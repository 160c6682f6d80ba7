"""An MCP server over HTTP: python pantry.py PORT."""

import sys

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

server = MCPServer("pantry", title="Pantry", version="1.0")
stock = {"eggs": 12, "flour": 1, "milk": 2}


@server.tool(title="Show the stock", annotations=ToolAnnotations(read_only_hint=True))
def show_stock() -> dict[str, int]:
    """What is in the pantry, and how much of it."""
    return stock


@server.tool(title="Write down what was bought")
def bought(thing: str, number: int = 1) -> str:
    """Add something to the stock."""
    stock[thing] = stock.get(thing, 0) + number
    return f"Now there are {stock[thing]} {thing}."


@server.tool(title="Clear the stock", annotations=ToolAnnotations(destructive_hint=True))
def clear_stock() -> str:
    """Forget all that is in the pantry."""
    stock.clear()
    return "The pantry is empty."


server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
