"""The settings of an MCP server, known before it is connected."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from .tool import NO_SYNONYMS, Synonyms
from .tool_selection import ToolSelection

_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandServer:
    """A server that is started here, with messages over stdin and stdout."""

    command: str
    args: tuple[str, ...] = field(default=(), repr=False)
    # Of Home Assistant's own environment only HOME, LOGNAME, PATH, SHELL, TERM and USER are
    # passed on; these come on top. May hold secrets.
    env: Mapping[str, str] = field(default=_NOTHING, repr=False)
    cwd: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlServer:
    """A server at an address: streamable HTTP, else the older SSE."""

    url: str = field(repr=False)
    headers: Mapping[str, str] = field(default=_NOTHING, repr=False)
    # Called before each request; returns the bearer token to send with it.
    token: Callable[[], Awaitable[str]] | None = field(default=None, repr=False, compare=False)
    # The entry's data of the login, and its secrets, which change with each token.
    login: Mapping[str, Any] | None = field(default=None, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """Seconds, all in one place."""

    # How long a server's start and handshake may take; `npx` and `uvx` download first.
    connect: float = 60
    # The same at an address, without a download: a lost answer is not awaited that long. Each
    # further attempt waits twice as long, up to the above.
    answer: float = 10
    # How long a call with progress reports may go on.
    progress: float = 300
    # How often tools are read from a server that reports no changes: not all do.
    relist: float = 600
    # Before the first, second and third attempt; and before each further one, the last for ever.
    attempts: tuple[float, ...] = (0, 2, 4)
    slow_attempts: tuple[float, ...] = (10, 30, 60, 120, 300)
    # A connection that ends sooner than this counts as a failed attempt.
    stable: float = 10
    # How often an idle server is checked, and how long its answer may take.
    ping: float = 60
    ping_answer: float = 5
    # How long a call waits for a server that is just being connected.
    wait: float = 5
    # How long the tools of a server that went down are still offered.
    grace: float = 60
    # How long the orderly end of a connection may take.
    close: float = 3
    # How long a server's process may take to end when its stdin closes, and again after the signal
    # to do so; then it is killed.
    end: float = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """An MCP server as the user set it up."""

    name: str
    server: CommandServer | UrlServer
    # Seconds for one tool call.
    timeout: float = 30
    # Put before each tool's name, with an underscore.
    prefix: str = ""
    choice: ToolSelection = field(default_factory=ToolSelection)
    # Models' aliases of the tools' arguments; used only if the tool has no such argument.
    synonyms: Synonyms = NO_SYNONYMS
    timings: Timings = Timings()

    def reaches_the_same(self, other: ServerSettings) -> bool:
        """Return True if a session can keep its connection: only the choice of tools differs."""
        return self == replace(other, choice=self.choice, timings=self.timings)
