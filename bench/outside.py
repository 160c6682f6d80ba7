"""What is outside a house: MCP servers and a search engine, real servers in a process of their own.

They are in another process because there time is what it is, however the bench moves the house's.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
import json
from socket import socket
import sys
from typing import Any
from urllib.parse import quote

import aiohttp
from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Mount, Route
import uvicorn

from bench.process import process

type Json = dict[str, Any]

SEARCH = "search_web"
"""Under this name a search is a call."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call that reached a server."""

    server: str
    """Empty for the search engine."""
    name: str
    arguments: Json


class Outside:
    """The servers' side as the bench has it: what they are, and what reached them."""

    def __init__(self, url: str, session: aiohttp.ClientSession) -> None:
        """Take the process's address."""
        self.url = url
        self._session = session

    def mcp_url(self, server: str) -> str:
        """Return the address of an MCP server, which `async_begin` named."""
        return f"{self.url}/mcp/{quote(server, safe='')}/mcp"

    async def async_begin(
        self,
        tools: Sequence[Json] = (),
        instructions: Mapping[str, str] | None = None,
        results: Sequence[Json] = (),
    ) -> None:
        """Be other servers: those of these tools, and one that finds this. Nothing was called."""
        scene = {"tools": tools, "instructions": instructions or {}, "results": results}
        await self._session.post(f"{self.url}/begin", json=scene)

    async def async_turned(self, turns: int) -> Sequence[str]:
        """Let so many turns be over; return the servers whose tools are others now."""
        async with self._session.post(f"{self.url}/turned", json=turns) as response:
            changed: list[str] = await response.json()
            return changed

    async def async_calls(self) -> Sequence[Call]:
        """Return what was called since `async_begin`."""
        async with self._session.get(f"{self.url}/calls") as response:
            return [Call(**each) for each in await response.json()]


@asynccontextmanager
async def outside() -> AsyncGenerator[Outside]:
    """Run the process."""
    async with process("-c", "from bench.outside import main; main()") as url:
        # A connection that is kept is closed by the server when the bench's clock does not know.
        connector = aiohttp.TCPConnector(force_close=True)
        async with aiohttp.ClientSession(connector=connector, raise_for_status=True) as session:
            yield Outside(url, session)


@dataclass(slots=True)
class _Mock:
    """An MCP server that answers what it is given."""

    name: str
    calls: list[Call]
    tools: Sequence[Json] = ()
    turns: int = 0
    bus: InMemorySubscriptionBus = field(default_factory=InMemorySubscriptionBus)

    def server(self) -> Server:
        """Return the SDK's server of it."""
        return Server(
            self.name,
            version="1",
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_subscriptions_listen=ListenHandler(self.bus),
        )

    def now(self) -> Sequence[Json]:
        """Return the tools as they are after these turns."""
        return [_changed(tool, self.turns) for tool in self.tools if self._is_there(tool)]

    def _is_there(self, tool: Json) -> bool:
        return bool(self.turns >= tool.get("appears", {}).get("after_turn", 0))

    async def _list_tools(self, *_: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_definition(tool) for tool in self.now()])

    async def _call_tool(self, _: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        self.calls.append(Call(self.name, params.name, params.arguments or {}))
        for tool in self.now():
            if tool["name"] == params.name:
                return _result(tool.get("result", ""))
        return _result({"text": f"Unknown tool {params.name}", "is_error": True})


def _changed(tool: Json, turns: int) -> Json:
    after = tool.get("becomes", {})
    return {**tool, **after} if after and turns >= after["after_turn"] else tool


def _definition(tool: Json) -> types.Tool:
    """Return a tool as a server offers it; what the scenario leaves out is left out."""
    keys = {"title": "title", "description": "description", "output_schema": "outputSchema"}
    given = {key: tool[name] for name, key in keys.items() if tool.get(name) is not None}
    schema = tool.get("input_schema") or {"type": "object", "properties": {}}
    if tool.get("annotations") is not None:
        given["annotations"] = tool["annotations"]
    return types.Tool.model_validate({"name": tool["name"], "inputSchema": schema, **given})


def _result(result: str | Json) -> types.CallToolResult:
    """Return a result: text, or an object of `text`, `structured`, `links` and `is_error`."""
    given = {"text": result} if isinstance(result, str) else result
    content: list[Json] = []
    if (text := given.get("text")) is not None:
        content.append({"type": "text", "text": text})
    elif "structured" in given:
        # As the protocol asks of servers, for clients that read text alone.
        content.append({"type": "text", "text": json.dumps(given["structured"])})
    content += [_link(link) for link in given.get("links", ())]
    whole: Json = {"content": content, "isError": bool(given.get("is_error"))}
    if "structured" in given:
        whole["structuredContent"] = given["structured"]
    return types.CallToolResult.model_validate(whole)


def _link(link: str | Json) -> Json:
    given = {"uri": link} if isinstance(link, str) else dict(link)
    uri = given.pop("url", None) or given["uri"]
    return {"type": "resource_link", "name": str(uri), **given, "uri": uri}


class _World:
    """All servers of the process, behind one address."""

    def __init__(self) -> None:
        self._mocks: dict[str, _Mock] = {}
        self._servers: dict[str, Server] = {}
        self._serving: list[asyncio.Task[None]] = []
        self._calls: list[Call] = []
        self._results: Sequence[Json] = ()
        self.app = Starlette(
            routes=[
                Route("/begin", self._begin, methods=["POST"]),
                Route("/turned", self._turned, methods=["POST"]),
                Route("/calls", self._tell, methods=["GET"]),
                Route("/search", self._search, methods=["GET"]),
            ]
        )

    async def _begin(self, request: Request) -> JSONResponse:
        scene = await request.json()
        self._calls.clear()
        self._results = scene["results"]
        for name in dict.fromkeys(tool["server"] for tool in scene["tools"]):
            if name not in self._mocks:
                await self._open(name)
        for name, mock in self._mocks.items():
            mock.tools = [tool for tool in scene["tools"] if tool["server"] == name]
            mock.turns = 0
            self._servers[name].instructions = scene["instructions"].get(name)
        return JSONResponse(None)

    async def _open(self, name: str) -> None:
        mock = self._mocks[name] = _Mock(name, self._calls)
        server = self._servers[name] = mock.server()
        app = server.streamable_http_app()
        is_open = asyncio.Event()
        self._serving.append(asyncio.create_task(_keep(server, is_open)))
        await is_open.wait()
        self.app.router.routes.append(Mount(f"/mcp/{name}", app))

    async def async_close(self) -> None:
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def _turned(self, request: Request) -> JSONResponse:
        turns = await request.json()
        changed = []
        for name, mock in self._mocks.items():
            before = mock.now()
            mock.turns = turns
            if mock.now() != before:
                changed.append(name)
                await mock.bus.publish(ToolsListChanged())
        return JSONResponse(changed)

    async def _tell(self, _: Request) -> JSONResponse:
        return JSONResponse(
            [
                {"server": each.server, "name": each.name, "arguments": each.arguments}
                for each in self._calls
            ]
        )

    async def _search(self, request: Request) -> JSONResponse:
        query = request.query_params.get("q", "")
        self._calls.append(Call("", SEARCH, {"query": query}))
        return JSONResponse({"query": query, "results": self._results})


async def _keep(server: Server, is_open: asyncio.Event) -> None:
    """Keep a server's sessions; they end in the task in which they begin."""
    async with server.session_manager.run():
        is_open.set()
        await asyncio.Event().wait()


async def _serve() -> None:
    """Serve until stdin ends; the address is the first line of stdout."""
    world = _World()
    with socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        config = uvicorn.Config(
            world.app,
            log_level="critical",
            lifespan="off",
            timeout_keep_alive=600,
            timeout_graceful_shutdown=1,
        )
        serving = asyncio.create_task(uvicorn.Server(config).serve([listener]))
        print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
        await asyncio.to_thread(sys.stdin.read)
        await world.async_close()
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)


def main() -> None:
    """Be the servers, in a process of its own, until stdin ends."""
    asyncio.run(_serve())
