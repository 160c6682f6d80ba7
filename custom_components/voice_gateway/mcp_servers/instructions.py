"""What a server tells models of itself, as something that is ticked like a tool."""

from typing import Any

from .tool import EXTRA, Extra, McpTool

# Characters, some 500 tokens: instructions are in every prompt.
_LONGEST = 2000
# What no tool is called whose name models take.
_ORIGINAL = "server/instructions"
_NAME = "instructions"


def about_itself(instructions: str | None) -> McpTool:
    """Return a server's instructions as what is ticked, and asked about where they change.

    Its description is what models read: nothing where the server says nothing. It is never called.
    """
    # The SDK is there when a server is.
    from mcp.types import Tool  # noqa: PLC0415

    words = (instructions or "").strip()
    if len(words) > _LONGEST:
        words = f"{words[:_LONGEST].rstrip()} […]"
    meta = {EXTRA: Extra.INSTRUCTIONS}
    definition = Tool(name=_ORIGINAL, description=words, input_schema={}, _meta=meta)
    tool = McpTool(definition, _NAME, _never)
    tool.description = words
    return tool


async def _never(*_: Any, **__: Any) -> Any:
    raise NotImplementedError("instructions are only read")
