"""An open session with the Z-Wave MCP server, for tests without an event loop of their own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
import os
from pathlib import Path
import sys
import time
from typing import Any, Literal

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import CallToolResult, TextContent, Tool

import custom_components
from tests.quick import MEASURED

SERVER = Path(custom_components.__path__[0]) / "voice_gateway" / "zwave_mcp"
DEADLINE = 60  # seconds for what takes one, and on a very busy machine many


@dataclass(frozen=True, slots=True)
class Said:
    """What a tool gave back."""

    text: str
    error: bool
    data: Any

    @classmethod
    def of(cls, result: CallToolResult) -> Said:
        """Return the one text of a result."""
        [content] = result.content
        assert isinstance(content, TextContent)
        return cls(content.text, result.is_error, result.structured_content)


@dataclass(frozen=True, slots=True)
class Session:
    """A session; `stderr` is where the server's diagnostics go."""

    portal: BlockingPortal
    client: Client
    stderr: Path

    def call(self, tool: str, **arguments: Any) -> Said:
        """Call a tool."""
        return Said.of(self.portal.call(self.client.call_tool, tool, arguments))

    def tools(self) -> list[Tool]:
        """Return the tools that the server offers."""
        return self.portal.call(self.client.list_tools).tools

    def eventually(self, expected: str, tool: str, **arguments: Any) -> Said:
        """Call a tool that only reads until it says what is expected."""
        return until(lambda: self.call(tool, **arguments), lambda said: expected in said.text)


def until[T](ask: Callable[[], T], enough: Callable[[T], bool]) -> T:
    """Ask again and again until the answer is enough; return the last one after the deadline."""
    end = time.monotonic() + DEADLINE
    while not enough(answer := ask()) and time.monotonic() < end:
        time.sleep(0.01)
    return answer


def parameters(*arguments: str) -> StdioServerParameters:
    """Return how Home Assistant would start the server: its own Python, no PATH needed."""
    passed = {"LANG": os.environ["LANG"]} if "LANG" in os.environ else {}
    environment = {"PATH": "", **passed, **MEASURED}
    return StdioServerParameters(
        command=sys.executable, args=[str(SERVER), *arguments], env=environment
    )


@contextmanager
def session(
    url: str, stderr: Path, *arguments: str, mode: Literal["legacy", "auto"] = "legacy"
) -> Iterator[Session]:
    """Start a server on a network and open a session with it."""
    started = parameters("--url", url, *arguments)
    with (
        stderr.open("a+") as diagnostics,
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(
            Client(stdio_client(started, errlog=diagnostics), mode=mode)
        ) as client,
    ):
        yield Session(portal, client, stderr)
