# mypy: ignore-errors
"""An MCP server with prompts and resources beside its tool, made with the SDK.

python library.py stdio
python library.py streamable-http PORT
"""

import sys

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.prompts.base import AssistantMessage, Prompt, UserMessage
from mcp.server.mcpserver.resources import TextResource

TRANSPORT = sys.argv[1]
ADDRESS = {"host": "127.0.0.1", "port": int(sys.argv[2])} if len(sys.argv) > 2 else {}

server = MCPServer("library")


@server.tool()
async def write(title: str, ctx: Context) -> str:
    """Write another book, and how to praise it; tell the client."""
    address = f"book://{title.lower()}"
    server.add_resource(TextResource(uri=address, name=title, text=f"{title}, page 1"))
    server.add_prompt(Prompt.from_function(lambda: f"{title} is great", name=title))
    await ctx.session.send_prompt_list_changed()
    await ctx.session.send_resource_list_changed()
    if TRANSPORT != "stdio":
        await ctx.notify_prompts_changed()
        await ctx.notify_resources_changed()
    return "written"


@server.prompt(title="Write a review")
def review(book: str, tone: str = "kind") -> str:
    """How to write about a book."""
    return f"Write a {tone} review of {book}."


@server.prompt(name="write")
def conversation() -> list:
    """Two who talk."""
    return [UserMessage("What do you read?"), AssistantMessage("Nothing.")]


@server.resource("book://emma", name="Emma", description="A novel\nof 1815.")
def emma() -> str:
    """Return the book."""
    return "Emma Woodhouse, handsome, clever, and rich."


@server.resource("picture://cover", name="cover", mime_type="image/png")
def cover() -> bytes:
    """Return a picture."""
    return b"\x89PNG" + bytes(11_996)


@server.resource("shelf://{number}/names", name="shelf")
def shelf(number: str) -> str:
    """What stands on a shelf."""
    return f"Shelf {number} is empty."


server.run(TRANSPORT, **ADDRESS)
