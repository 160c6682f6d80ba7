"""Connections to a server that do what a test says, so that a session is seen alone."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Self

from mcp.types import CallToolResult, TextContent, Tool

from custom_components.voice_gateway.mcp_servers.elicitation import AskUser
from custom_components.voice_gateway.mcp_servers.errors import McpError

type Does = Callable[[], Awaitable[CallToolResult]] | McpError | None


def done(words: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=words)])


def tool(name: str, **rest: Any) -> Tool:
    return Tool(name=name, input_schema={"type": "object"}, **rest)


@dataclass
class Played:
    """A connection; `answers` are what its calls come to one after the other, then it is "done"."""

    answers: list[Does] = field(default_factory=list)
    tools: list[Tool] = field(default_factory=lambda: [tool("act")])
    lists: list[list[Tool] | McpError] = field(default_factory=list)
    """What it finds when the tools are read again."""
    probe_finds: McpError | None = None
    probe_may_end: asyncio.Event | None = None
    fails: McpError | None = None
    """Why it is never open."""
    skipped_tools: dict[str, str] = field(default_factory=dict)
    instructions: str | None = None
    server_info: Any = None
    protocol_version = "2025-11-25"
    stderr = ("last words",)
    how_it_ended = "The server ended"
    signals: asyncio.Queue[Any] = field(default_factory=asyncio.Queue)
    called: list[tuple[str, float, AskUser | None]] = field(default_factory=list)
    given: list[dict[str, Any]] = field(default_factory=list)
    """With which arguments it was called."""
    patience: float = 0
    probes: int = 0
    closed: bool = False
    ended_well: bool = False
    """It was not broken off."""

    @property
    def session(self) -> Self:
        """What the server tells of itself."""
        return self

    async def run(self, body: Callable[[Any], Awaitable[Any]]) -> Any:
        """Be open until `body` ends."""
        if self.fails:
            raise self.fails
        try:
            result = await body(self)
            self.ended_well = True
            return result
        finally:
            self.closed = True

    async def call(
        self, name: str, arguments: dict[str, Any], timeout: float, ask: AskUser | None
    ) -> CallToolResult:
        """Make a call."""
        self.called.append((name, timeout, ask))
        self.given.append(arguments)
        match self.answers.pop(0) if self.answers else None:
            case None:
                return done("done")
            case McpError() as err:
                raise err
            case does:
                return await does()

    async def list_tools(self, timeout: float) -> None:
        """Read the tools again."""
        match self.lists.pop(0) if self.lists else self.tools:
            case McpError() as err:
                raise err
            case tools:
                self.tools = tools

    async def probe(self, timeout: float) -> None:
        """Ask for a sign of life."""
        self.probes += 1
        if self.probe_may_end:
            await self.probe_may_end.wait()
        if self.probe_finds:
            raise self.probe_finds
