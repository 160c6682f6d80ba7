"""An MCP server of 88 tools, as those have them that manage a Home Assistant; the tools are in management.toml.

    python management.py stdio

Each call is answered with what it was called with, and does nothing. It is in plain Python: the SDK
takes seconds to load.
"""

import json
from pathlib import Path
import sys
import tomllib
from typing import Any

_HINTS = {
    "reads": {"readOnlyHint": True, "openWorldHint": False},
    "writes": {"readOnlyHint": False, "destructiveHint": False, "openWorldHint": False},
    "destroys": {"readOnlyHint": False, "destructiveHint": True, "openWorldHint": False},
}

type Json = dict[str, Any]


def tools() -> list[Json]:
    """Return the definitions, with titles in their schemas as pydantic writes them."""
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
    return [_tool(name, line, data["parameters"]) for name, line in data["tools"].items()]


def _tool(name: str, line: list[str], parameters: dict[str, Json]) -> Json:
    title, effect, arguments, description = line
    names = arguments.split()
    properties = {
        (bare := each.rstrip("?")): {"title": bare.replace("_", " ").title(), **parameters[bare]}
        for each in names
    }
    schema: Json = {"title": f"{name}Arguments", "type": "object", "properties": properties}
    if required := [each for each in names if not each.endswith("?")]:
        schema["required"] = required
    return {
        "name": name,
        "title": title,
        "description": description,
        "inputSchema": {**schema, "additionalProperties": False},
        "annotations": _HINTS[effect],
    }


def _answer(method: str, params: Json) -> Json:
    match method:
        case "initialize":
            info = {"name": "management", "title": "Management", "version": "1"}
            version = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}
            return {"result": {**version, "serverInfo": info}}
        case "tools/list":
            return {"result": {"tools": tools()}}
        case "tools/call":
            name = params["name"].removeprefix("ha_").replace("_", " ")
            given = ", ".join(f"{key} {value}" for key, value in params["arguments"].items())
            text = f"{name} succeeded: {given or 'all'}"
            return {"result": {"content": [{"type": "text", "text": text}]}}
        case "ping":
            return {"result": {}}
    return {"error": {"code": -32601, "message": "Method not found"}}


if __name__ == "__main__":
    assert sys.argv[1:] == ["stdio"]
    for received in sys.stdin:
        message = json.loads(received)
        if "id" in message:
            reply = _answer(message["method"], message.get("params") or {})
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)  # noqa: T201
