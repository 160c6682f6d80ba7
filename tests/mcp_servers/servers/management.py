# mypy: ignore-errors
"""An MCP server of 88 tools, as those have them that manage a Home Assistant; the tools are in management.toml.

    python management.py stdio

Each call is answered with what it was called with, and does nothing.
"""

from pathlib import Path
import sys
import tomllib

from anyio import run
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

_HINTS = {
    "reads": types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
    "writes": types.ToolAnnotations(
        read_only_hint=False, destructive_hint=False, open_world_hint=False
    ),
    "destroys": types.ToolAnnotations(
        read_only_hint=False, destructive_hint=True, open_world_hint=False
    ),
}


def tools() -> list[types.Tool]:
    """Return the definitions, with titles in their schemas as pydantic writes them."""
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
    return [_tool(name, line, data["parameters"]) for name, line in data["tools"].items()]


def _tool(name: str, line: list[str], parameters: dict[str, dict]) -> types.Tool:
    title, effect, arguments, description = line
    names = arguments.split()
    properties = {
        (bare := each.rstrip("?")): {"title": bare.replace("_", " ").title(), **parameters[bare]}
        for each in names
    }
    schema = {"title": f"{name}Arguments", "type": "object", "properties": properties}
    if required := [each for each in names if not each.endswith("?")]:
        schema["required"] = required
    return types.Tool(
        name=name,
        title=title,
        description=description,
        input_schema={**schema, "additionalProperties": False},
        annotations=_HINTS[effect],
    )


async def _list(_context, _params) -> types.ListToolsResult:
    return types.ListToolsResult(tools=tools())


async def _call(_context, params: types.CallToolRequestParams) -> types.CallToolResult:
    given = ", ".join(f"{name} {value}" for name, value in (params.arguments or {}).items())
    text = f"{params.name.removeprefix('ha_').replace('_', ' ')} succeeded: {given or 'all'}"
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)])


async def _main() -> None:
    server = Server("management", title="Management", on_list_tools=_list, on_call_tool=_call)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


if __name__ == "__main__":
    assert sys.argv[1:] == ["stdio"]
    run(_main)
