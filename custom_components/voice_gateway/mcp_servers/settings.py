"""The settings of an MCP server: how it is reached, and which of its tools the user chose."""

from collections.abc import Awaitable, Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

from ..const import CONF_EXCLUDED_TOOLS, CONF_NEW_READERS, CONF_TICKED_TOOLS
from .tool import NO_SYNONYMS, Extra, McpTool, Synonyms


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandServer:
    """A server that is started here, with messages over stdin and stdout."""

    command: str
    args: tuple[str, ...] = field(default=(), repr=False)
    # Of Home Assistant's own environment only HOME, LOGNAME, PATH, SHELL, TERM and USER are
    # passed on; these come on top. May hold secrets.
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlServer:
    """A server at an address: streamable HTTP, else the older SSE."""

    url: str = field(repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
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


class ToolStatus(StrEnum):
    """The status of a tool in the choice."""

    TICKED = "ticked"
    UNTICKED = "unticked"
    # It was not there when its server's tools were last ticked.
    NEW = "new"
    # It differs from the ticked state.
    CHANGED = "changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSelection:
    """The user's choice of a server's tools.

    - A tool may be used as it was ticked: not when its name, title, description, schema or
      annotations have changed.
    - A later tool may not be used, or only if it declares that it only reads.
    - The same holds for the server's instructions.
    - A server's prompts and resources may be used if they were ticked, and the user is not asked
      about the others: they are for programs in which people choose them.
    """

    ticked: Mapping[str, str] | None = None
    """The fingerprints of tools by their names on the server; None: the user has not chosen yet."""
    unticked: tuple[str, ...] = ()
    new_readers: bool = False
    """Whether later tools may be used if they declare that they only read."""
    by_name: bool = False
    """Whether the names are enough: the server is a part of ours."""

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """Return the choice in an entry's options."""
        return cls(
            ticked=options.get(CONF_TICKED_TOOLS),
            unticked=tuple(options.get(CONF_EXCLUDED_TOOLS, ())),
            new_readers=options.get(CONF_NEW_READERS, False),
        )

    def of_ours(self, unticked: tuple[str, ...]) -> Self:
        """Return it for a server that is a part of ours; `unticked` tools start without a tick."""
        off = () if self.ticked is not None else unticked
        return replace(self, by_name=True, unticked=(*self.unticked, *off))

    @property
    def as_options(self) -> dict[str, Any]:
        """Return the choice as an entry's options."""
        ticked = {} if self.ticked is None else {CONF_TICKED_TOOLS: dict(self.ticked)}
        return {**ticked, CONF_EXCLUDED_TOOLS: [*self.unticked]}

    def standing(self, tool: McpTool) -> ToolStatus:
        """Return the status of a tool."""
        name, is_told = tool.original_name, tool.extra is Extra.INSTRUCTIONS
        if name in self.unticked:
            return ToolStatus.UNTICKED
        if is_told and self.by_name:
            return ToolStatus.TICKED
        if self.ticked is None:
            return ToolStatus.NEW if tool.extra and not is_told else ToolStatus.TICKED
        if name not in self.ticked:
            return ToolStatus.NEW
        if self.by_name or self.ticked[name] == tool.fingerprint:
            return ToolStatus.TICKED
        return ToolStatus.CHANGED

    def offers(self, tool: McpTool) -> bool:
        """Return True if agents may use a tool."""
        status, may_be_new = self.standing(tool), self.new_readers and not tool.extra
        is_reader = status is ToolStatus.NEW and tool.annotations.read_only
        return status is ToolStatus.TICKED or (is_reader and may_be_new)

    def allows(self, name: str) -> bool:
        """Return True if agents may use a tool, by the server's name for it."""
        return name not in self.unticked and (self.ticked is None or name in self.ticked)

    def waiting(self, tools: Iterable[McpTool]) -> list[McpTool]:
        """Return the tools that agents may not use, and that the user has not decided about."""
        statuses = ((tool, self.standing(tool)) for tool in tools if not tool.is_silent)
        return [
            tool
            for tool, status in statuses
            if status is ToolStatus.CHANGED
            or (status is ToolStatus.NEW and not tool.extra and not self.offers(tool))
        ]

    def having(self, tools: Sequence[McpTool], ticked: Container[str]) -> Self:
        """Return the choice after the user ticked some of the tools shown; others keep theirs."""
        seen = {tool.original_name: tool.fingerprint for tool in tools}
        # Missing instructions are not shown, but their absence is stored.
        silent = {tool.original_name for tool in tools if tool.is_silent}
        yes = {name: seen[name] for name in seen if name in ticked or name in silent}
        return replace(
            self,
            ticked={n: p for n, p in (self.ticked or {}).items() if n not in seen} | yes,
            unticked=(
                *(name for name in self.unticked if name not in seen),
                *(name for name in seen if name not in yes),
            ),
        )


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
