"""An MCP server over stdio, which wants to be told in its environment where it is."""

import os
import sys

from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations

server = MCPServer("waste-calendar", title="Waste calendar", version="2.1")
if not (street := os.environ.get("STREET")):
    sys.exit("waste-calendar: the environment variable STREET is not set")


@server.tool(title="Next collection", annotations=ToolAnnotations(read_only_hint=True))
def next_collection() -> str:
    """When which bin is collected next."""
    return f"Paper is collected in {street} on Tuesday."


server.run("stdio")
