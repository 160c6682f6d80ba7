"""A small streamable HTTP server that does wrong what a test wants, and what tests wait for."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

CHALLENGE = 'Bearer resource_metadata="http://127.0.0.1/.well-known/oauth-protected-resource"'

type Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(slots=True)
class FaultyServer:
    """A small streamable HTTP server, and what is wrong with it."""

    url: str = ""
    # What to answer to each POST instead of the right thing.
    fault: Answer | None = None
    token: str | None = None
    get_status: int = 405
    sessions: set[str] = field(default_factory=set)
    requests: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)

    async def post(self, request: web.Request) -> web.StreamResponse:
        """Answer a message."""
        self.requests.append((request.method, request.path, dict(request.headers)))
        if self.fault:
            return await self.fault(request)
        return await self.right(request)

    async def right(self, request: web.Request) -> web.StreamResponse:
        """Answer a message as it should be."""
        if self.token and request.headers.get("Authorization") != f"Bearer {self.token}":
            words = {"error_description": "The token expired"}
            return web.json_response(words, status=401, headers={"WWW-Authenticate": CHALLENGE})
        message = await request.json()
        if message["method"] == "initialize":
            self.sessions.add(session := f"session-{len(self.requests)}")
            return self._result(message, _INTRODUCTION, {"Mcp-Session-Id": session})
        if request.headers.get("Mcp-Session-Id") not in self.sessions:
            error = {"code": -32600, "message": "Session not found"}
            return web.json_response({"jsonrpc": "2.0", "id": None, "error": error}, status=404)
        match message:
            case {"method": "tools/list"}:
                schema = {"type": "object", "properties": {}}
                return self._result(message, {"tools": [{"name": "act", "inputSchema": schema}]})
            case {"method": "tools/call", "params": {"name": name}}:
                self.calls.append(name)
                return self._result(message, {"content": [{"type": "text", "text": "done"}]})
            case {"id": _}:
                return self._result(message, {})
            case _:
                return web.Response(status=202)

    async def get(self, request: web.Request) -> web.Response:
        """Refuse a stream of events."""
        return web.Response(status=self.get_status)

    async def delete(self, request: web.Request) -> web.Response:
        """End a session."""
        self.requests.append((request.method, request.path, dict(request.headers)))
        self.sessions.discard(request.headers["Mcp-Session-Id"])
        return web.Response()

    def _result(
        self, message: dict[str, Any], result: dict[str, Any], headers: dict[str, str] | None = None
    ) -> web.Response:
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        return web.json_response(answer, headers=headers)


_INTRODUCTION = {
    "protocolVersion": "2025-11-25",
    "capabilities": {"tools": {}},
    "serverInfo": {"name": "faulty", "version": "1"},
}


def status(code: int, text: str = "", **rest: Any) -> Answer:
    """Answer everything with a status."""

    async def answer(request: web.Request) -> web.Response:
        return web.Response(status=code, text=text, **rest)

    return answer
