"""What is left of a server's JSON schemas on their way to a model.

A server offers a tool of each of some forty schema shapes. Counted is, here and through Home
Assistant's own `mcp` integration, what an agent sends to its model: how many of the tools, and how
many of their arguments that still take the same values (probes of every JSON type are checked
against the schema that the server gave and the one that arrived):

- `tools`: all shapes on one server;
- `tools-alone`, `argument-types`: each shape on a server of its own;
- `argument-types-after-assist`: as before, used together with Assist's tools, which come first.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
import logging
import re
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer
from homeassistant.components.mcp.coordinator import ModelContextProtocolCoordinator
from homeassistant.components.ollama.entity import _format_tool
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import jsonschema  # type: ignore[import-untyped]
from pytest_homeassistant_custom_component import common  # type: ignore[import-untyped]

from bench.results import line
from custom_components.voice_gateway.json_schema import serialize
from custom_components.voice_gateway.mcp_servers.session import async_try
from custom_components.voice_gateway.mcp_servers.settings import ServerSettings, UrlServer
from tests.mcp_servers.servers.shapes import SHAPES

PROBES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, 2, 5, 50, 500, -1, 0.5, 1.5, 1e9),
    *("", "a", "on", "off", "auto", "light", "root", "1234", "Zürich", "x" * 40),
    *([], [1], [1.5], ["a"], [1, 1], [1.5, "a"], ["a", "b"], [1, 2, 3, 4, 5, 6], [[1]], [{}]),
    *([{"name": "a"}], {}, {"name": "a"}, {"name": 1}, {"a": 1}, {"a": "b"}, {"area": "x"}),
    *({"id": 1}, {"value": 1}, {"value": "x"}, {"children": [{"value": "x"}]}, {"red": 1.5}),
    {"a name longer than nine": 1},
)  # fmt: skip

type Schemas = dict[str, dict[str, Any]]
type Serializer = Callable[[Any], Any]


@asynccontextmanager
async def server(shapes: Schemas) -> AsyncGenerator[str]:
    """Offer a tool of each shape; return the address."""
    introduction = {
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "shapes", "version": "1"},
    }
    tools = [{"name": name, "inputSchema": schema} for name, schema in shapes.items()]
    results = {"initialize": introduction, "tools/list": {"tools": tools}, "ping": {}}

    async def post(request: web.Request) -> web.Response:
        message = await request.json()
        if "id" not in message:
            return web.Response(status=202)
        answer = {"jsonrpc": "2.0", "id": message["id"]}
        if result := results.get(message["method"]):
            return web.json_response(answer | {"result": result})
        error = {"code": -32601, "message": "Method not found"}
        return web.json_response(answer | {"error": error})

    app = web.Application()
    app.router.add_post("/mcp", post)
    async with TestServer(app) as started:
        yield str(started.make_url("/mcp"))


async def ours(hass: HomeAssistant, url: str) -> list[llm.Tool]:
    """Return the tools of a server as we make them."""
    introduction = await async_try(hass, ServerSettings(name="Bench", server=UrlServer(url=url)))
    return list(introduction.tools)


async def core(hass: HomeAssistant, url: str) -> list[llm.Tool]:
    """Return the tools of a server as Home Assistant's own integration makes them."""
    entry = common.MockConfigEntry(domain="mcp", data={"url": url})
    coordinator = ModelContextProtocolCoordinator(hass, entry)
    await coordinator.async_refresh()
    return coordinator.data or []


def sent(tools: list[llm.Tool], serializer: Serializer | None) -> Schemas:
    """Return the schemas as Home Assistant's own Ollama agent sends them to its model."""
    return {tool.name: _format_tool(tool, serializer)["function"]["parameters"] for tool in tools}


def arguments() -> list[tuple[str, str]]:
    """Return all arguments, by tool."""
    return [
        (tool, name) for tool, schema in SHAPES.items() for name in schema.get("properties", ())
    ]


def intact(arrived: Schemas) -> int:
    """Count the arguments that still take the same values."""
    return sum(
        taken(SHAPES[tool], name) == taken(arrived[tool], name)
        for tool, name in arguments()
        if name in arrived.get(tool, {}).get("properties", ())
    )


def taken(schema: Mapping[str, Any], name: str) -> list[bool] | str:
    """Return which of the probes an argument takes.

    Where Python cannot read a regular expression in it, return what the schema says.
    """
    parts = {key: schema[key] for key in ("properties", "$defs", "definitions") if key in schema}
    validator = jsonschema.Draft202012Validator({"$ref": f"#/properties/{name}"} | parts)
    try:
        return [validator.is_valid(probe) for probe in PROBES]
    except re.PatternError:
        return repr(schema["properties"][name])


def report(what: str, theirs: int, own: int, unit: str, total: int) -> None:
    """Print a line."""
    print(line(f"schemas/{what}", {"core": theirs, "voice_gateway": own}, unit, total, 0))


async def main() -> None:
    """Count with all shapes on one server, then with each on its own."""
    logging.disable(logging.CRITICAL)
    alone: dict[str, list[llm.Tool]] = {"core": [], "ours": []}
    async with common.async_test_home_assistant() as hass:
        async with server(SHAPES) as url:
            together = len(await core(hass, url)), len(await ours(hass, url))
        for name, schema in SHAPES.items():
            async with server({name: schema}) as url:
                alone["core"] += await core(hass, url)
                alone["ours"] += await ours(hass, url)
        await hass.async_stop(force=True)

    total = len(arguments())
    report("tools", *together, "tools", len(SHAPES))
    report("tools-alone", len(alone["core"]), len(alone["ours"]), "tools", len(SHAPES))
    of_core = intact(sent(alone["core"], None))
    report("argument-types", of_core, intact(sent(alone["ours"], serialize)), "arguments", total)
    of_core = intact(sent(alone["core"], llm.selector_serializer))
    of_ours = intact(sent(alone["ours"], llm.selector_serializer))
    report("argument-types-after-assist", of_core, of_ours, "arguments", total)


if __name__ == "__main__":
    asyncio.run(main())
