"""The supervised session of one server, and a single connection to check that it is usable."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
from homeassistant.core import CALLBACK_TYPE, HomeAssistant, callback
from homeassistant.helpers.importlib import async_import_module

from ..logs import logger_of
from ..redactor import Redactor
from .elicitation import AskUser
from .errors import (
    McpError,
    McpHttpError,
    McpInterrupted,
    McpInvalidAnswer,
    McpMoreRights,
    McpRejected,
    McpTimeout,
    McpUnauthorized,
    McpUnavailable,
    McpUnreachable,
    Signal,
)
from .names import BETWEEN, Naming
from .secrets import redactor_of
from .settings import ServerSettings, ToolSelection, UrlServer
from .tool import McpTool, about_itself, make_tools

if TYPE_CHECKING:
    from mcp.types import CallToolResult, Implementation, Tool

    from .connection import Connection

_LOGGER = logger_of(__name__)


class SessionState(StrEnum):
    """The state of a session."""

    CONNECTING = "connecting"
    CONNECTED = "connected"
    # Three attempts failed, or the credentials were refused. Further attempts go on, slowly.
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass(kw_only=True, eq=False)
class Introduction:
    """A server's information about itself after the handshake."""

    server_info: Implementation | None = None
    instructions: str | None = None
    # Including those that are not offered.
    tools: list[McpTool] = field(default_factory=list)
    # Names of unusable tools, and their faults.
    skipped_tools: dict[str, str] = field(default_factory=dict)

    @property
    def choosable(self) -> list[McpTool]:
        """Return the items to tick: the server's tools, and its instructions."""
        return [*self.tools, about_itself(self.instructions)]


class McpSession(Introduction):
    """Keeps one server connected.

    - Starting never waits; one task connects, and connects again, for as long as it takes.
    - An end of the server or of its connection is noticed without a call, at the latest by a ping.
    - A call waits a few seconds for a server that is just being connected.
    - A call that certainly was not executed is repeated once; one that may have been executed never
      is.
    - When the server reports that its tools changed, they are read again.
    - Listeners are called on every change of state, tools and errors.
    - After `async_stop` no process, task or file is left.
    """

    def __init__(self, hass: HomeAssistant, settings: ServerSettings) -> None:
        """Prepare a session; nothing happens before `async_start`. It stays introduced while down."""
        super().__init__()
        self.settings = settings
        self.state = SessionState.STOPPED
        # Attempts since the last lasting connection.
        self.attempts = 0
        # The reason for the end of the last attempt or connection; None while connected.
        self.last_error: McpError | None = None
        # The server's header about the rights that a call lacked.
        self.challenge = ""
        self.protocol_version: str | None = None
        self.redactor = redactor_of(settings.server)
        self._hass = hass
        self._listeners: dict[CALLBACK_TYPE, None] = {}
        self._task: asyncio.Task[None] | None = None
        self._scope = anyio.CancelScope()
        self._stopping = False
        self._connection: Connection | None = None
        # The source of `tools`.
        self._definitions: list[Tool] | None = None
        # Set while calls may go out: there is a connection, and no doubt about it.
        self._usable = asyncio.Event()
        self._connected_at: float | None = None
        self._down_since: float | None = None
        self._hurry = asyncio.Event()
        self._calls = 0

    @callback
    def async_start(self) -> None:
        """Begin to connect, once; returns at once."""
        self.state = SessionState.CONNECTING
        self._task = self._hass.async_create_background_task(
            self._run(), f"MCP server {self.settings.name}"
        )

    async def async_stop(self) -> None:
        """Disconnect; returns when the server's process, if it is one, has ended."""
        if (task := self._task) is None:
            return
        self._task = None
        self._stopping = True
        if self._connection is not None:
            self._connection.signals.put_nowait(Signal.STOP)
            await asyncio.wait({task}, timeout=self.settings.timings.close)
        # Not `task.cancel()`: that would interrupt the orderly end of the server's process.
        self._scope.cancel()
        await asyncio.wait({task})
        self.state = SessionState.STOPPED
        self._notify()

    @callback
    def async_retry(self) -> None:
        """Make the next attempt now, if one is pending; an external condition has changed."""
        self._hurry.set()

    @callback
    def async_add_listener(self, listener: CALLBACK_TYPE) -> CALLBACK_TYPE:
        """Call a function on each change; returns the function that removes it."""
        self._listeners[listener] = None
        return partial(self._listeners.pop, listener, None)

    @property
    def stderr(self) -> tuple[str, ...]:
        """Return the last lines of the server's stderr, current or before it ended."""
        if self._connection is not None:
            return self._connection.stderr
        return self.last_error.stderr if self.last_error else ()

    @property
    def is_offered(self) -> bool:
        """Return True if the tools are offered: the server is connected, or was until just now."""
        if self._connection is not None:
            return True
        if self._down_since is None or self.state is SessionState.STOPPED:
            return False
        return self._hass.loop.time() - self._down_since < self.settings.timings.grace

    @property
    def offered_tools(self) -> list[McpTool]:
        """Return the tools for models, in the server's order."""
        if not self.is_offered:
            return []
        return [tool for tool in self.tools if self.settings.choice.offers(tool)]

    @property
    def names(self) -> list[str]:
        """Return the names of the tools for models, even while the server is away."""
        choice = self.settings.choice
        if self.tools:
            return [tool.name for tool in self.tools if choice.offers(tool)]
        return [*map(self._naming.name, choice.ticked or ())]

    @property
    def _naming(self) -> Naming:
        return Naming.of(self._hass, self.settings.name, self.settings.prefix)

    @callback
    def async_choose(self, choice: ToolSelection) -> None:
        """Take another choice of tools; the connection stays."""
        if choice != self.settings.choice:
            self.settings = replace(self.settings, choice=choice)
            self._notify()

    def is_for_agents(self, name: str) -> bool:
        """Return True if agents may use the tool of a name, even while the server is away."""
        choice = self.settings.choice
        return choice.offers(tool) if (tool := self.find_tool(name)) else choice.allows(name)

    def _is_withdrawn(self, tool: McpTool) -> bool:
        """Return True if agents may no longer use a tool that they received."""
        same = (each for each in self.tools if each.original_name == tool.original_name)
        now = next(same, tool)
        return now.fingerprint != tool.fingerprint or not self.settings.choice.offers(now)

    def find_tool(self, name: str) -> McpTool | None:
        """Return the tool by its name, with or without a prefix, or by its name on the server."""
        for tool in self.tools:
            if name in (tool.name, f"{tool.server}{BETWEEN}{tool.name}"):
                return tool
        return next((tool for tool in self.tools if tool.original_name == name), None)

    async def async_refresh(self) -> None:
        """Read the tools again, if the server is connected; raises `McpError` if that fails."""
        if (connection := self._connection) is not None:
            await connection.list_tools(self.settings.timeout)
            self._adopt_tools(connection)

    async def async_call(
        self,
        name: str,
        arguments: dict[str, Any],
        timeout: float | None = None,
        *,
        ask: AskUser | None = None,
    ) -> CallToolResult:
        """Call a tool by its name there, for `timeout` seconds; `ask` puts questions to the user.

        Raises `McpUnavailable` when there is no server, `McpRejected` with the server's words when
        it refuses, `McpTimeout` and `McpInterrupted` when it may still be running or have been
        executed without an answer, and the other kinds of `McpError`.
        """
        timeout = timeout or self.settings.timeout
        is_second = False
        while True:
            connection = await self._async_connection()
            try:
                return await self._watched(
                    connection, connection.call(name, arguments, timeout, ask)
                )
            except McpError as err:
                if is_second and isinstance(err, McpUnreachable):
                    raise McpUnavailable(err.detail, stderr=err.stderr) from err
                if is_second or not err.repeatable:
                    raise
                _LOGGER.debug("%s: %s was not executed: %s", self.settings.name, name, err)
            is_second = True

    async def _watched(
        self, connection: Connection, call: Awaitable[CallToolResult]
    ) -> CallToolResult:
        self._calls += 1
        try:
            return await call
        except McpTimeout:
            self._doubt(connection)
            raise
        except McpError as err:
            if err.repeatable or isinstance(err, McpUnauthorized):
                if connection is self._connection:
                    self._disconnected()
                    connection.signals.put_nowait(err)
            elif isinstance(err, McpMoreRights):
                self.challenge = err.challenge
                self._notify()
            elif isinstance(err, McpHttpError) and err.status >= 500:
                self._doubt(connection)
            raise
        finally:
            self._calls -= 1

    async def _async_connection(self) -> Connection:
        """Return the open connection; wait for it a little if there is none."""
        if self._connection is not None and self._usable.is_set():
            return self._connection
        if self._task is None:
            raise McpUnavailable("it was stopped")
        if isinstance(self.last_error, McpUnauthorized):
            raise self.last_error
        self._hurry.set()
        try:
            async with asyncio.timeout(self.settings.timings.wait):
                while self._connection is None or not self._usable.is_set():
                    await self._usable.wait()
                return self._connection
        except TimeoutError:
            err = self.last_error
            doubt = "it does not answer" if self._connection else "it is being connected"
            raise McpUnavailable(err.detail if err else doubt, stderr=self.stderr) from err

    def _doubt(self, connection: Connection) -> None:
        """Hold calls back until it is known whether the server still answers."""
        if connection is self._connection:
            self._usable.clear()
            connection.signals.put_nowait(Signal.SUSPECT)

    def _disconnected(self) -> None:
        if self._connection is not None:
            # From now on its tools are offered for a while: closing it may take seconds.
            self._down_since = self._hass.loop.time()
        self._connection = None
        self._usable.clear()

    async def _run(self) -> None:
        """Connect, and connect again, until it is stopped: the task that owns the session."""
        with self._scope:
            while not self._stopping:
                await self._pause()
                self.attempts += 1
                patience = self.settings.timings.connect
                if isinstance(self.settings.server, UrlServer):
                    # This attempt is counted already.
                    longer = self.settings.timings.answer * 2 ** min(self.attempts - 1, 10)
                    patience = min(longer, patience)
                args = self._hass, self.settings, self.redactor, patience
                try:
                    await (await new_connection(*args)).run(self._serve)
                except McpError as err:
                    self._ended(err)

    async def _pause(self) -> None:
        """Wait before the next attempt; a call ends a long wait, but not a short one."""
        delay, gave_up = self._delay(), self._gave_up()
        number = f"{self.attempts + 1}"
        number += "" if gave_up else f" of {len(self.settings.timings.attempts)}"
        log = _LOGGER.debug if gave_up else _LOGGER.info
        log("%s: MCP connection attempt %s in %g s", self.settings.name, number, delay)
        self._hurry.clear()
        wake = self._hurry if gave_up else asyncio.Event()
        with suppress(TimeoutError):
            async with asyncio.timeout(delay):
                await wake.wait()

    def _delay(self) -> float:
        timings = self.settings.timings
        delays = (*timings.attempts, *timings.slow_attempts)
        refused = self._gave_up() and self.attempts < len(timings.attempts)
        return delays[-1 if refused else min(self.attempts, len(delays) - 1)]

    def _gave_up(self) -> bool:
        """Return True if quick attempts are over; with refused credentials they are useless."""
        return self.attempts >= len(self.settings.timings.attempts) or isinstance(
            self.last_error, McpUnauthorized
        )

    async def _serve(self, connection: Connection) -> None:
        """Offer an open connection to calls, and watch it until it ends."""
        _LOGGER.info(
            "%s: MCP connection succeeded on attempt %d", self.settings.name, self.attempts
        )
        self._connection = connection
        self._connected_at = self._hass.loop.time()
        self._down_since = None
        self.state = SessionState.CONNECTED
        self.last_error = None
        self.server_info = connection.session.server_info
        self.instructions = connection.session.instructions
        self.protocol_version = connection.session.protocol_version
        self._definitions = None
        self._adopt_tools(connection)
        self._usable.set()
        try:
            while True:
                match await self._next_signal(connection):
                    case Signal.STOP:
                        return
                    case Signal.CLOSED:
                        raise McpInterrupted(connection.how_it_ended)
                    case Signal.TOOLS_CHANGED:
                        await self._refresh_tools()
                    case Signal.IDLE if self._calls:
                        pass  # It may just be busy; each call has its own time limit.
                    case Signal.IDLE | Signal.SUSPECT:
                        self._usable.clear()
                        await connection.probe(self.settings.timings.ping_answer)
                        if connection is self._connection:
                            self._usable.set()
                        self._adopt_tools(connection)
                    case err:
                        raise err
        finally:
            self._disconnected()

    async def _next_signal(self, connection: Connection) -> Signal | McpError:
        try:
            async with asyncio.timeout(self.settings.timings.ping):
                return await connection.signals.get()
        except TimeoutError:
            return Signal.IDLE

    async def _refresh_tools(self) -> None:
        try:
            await self.async_refresh()
        except (McpRejected, McpInvalidAnswer) as err:
            _LOGGER.warning("%s: its changed tools could not be read: %s", self.settings.name, err)

    def _adopt_tools(self, connection: Connection) -> None:
        if connection.tools == self._definitions:
            return
        self._definitions = connection.tools
        settings = self.settings
        self.tools = make_tools(
            connection.tools,
            self.async_call,
            naming=self._naming,
            # The session's own limits come first.
            timeout=max(settings.timeout, settings.timings.progress) + settings.timings.wait,
            synonyms=settings.synonyms,
        )
        for tool in self.tools:
            tool.is_withdrawn = self._is_withdrawn
            tool.server_title = settings.name
        if connection.skipped_tools and connection.skipped_tools != self.skipped_tools:
            _LOGGER.warning(
                "%s: left out tools that cannot be used: %s",
                self.settings.name,
                "; ".join(f"{name} ({fault})" for name, fault in connection.skipped_tools.items()),
            )
        self.skipped_tools = connection.skipped_tools
        _LOGGER.debug("%s: %d tools", self.settings.name, len(self.tools))
        self._notify()

    def _ended(self, err: McpError) -> None:
        if isinstance(err, McpInterrupted | McpTimeout):
            # No request was under way, so their words would mislead.
            err = McpUnreachable(err.detail, stderr=err.stderr)
        self.last_error = err
        if self._connected_at is not None and self._down_since is not None:
            if self._down_since - self._connected_at >= self.settings.timings.stable:
                self.attempts = 0
            self._connected_at = None
            _LOGGER.info("%s: MCP connection lost: %s", self.settings.name, err)
        failed_before = self.state is SessionState.FAILED
        self.state = SessionState.FAILED if self._gave_up() else SessionState.CONNECTING
        if self.state is SessionState.FAILED and not failed_before:
            _LOGGER.warning(
                "%s: MCP connection failed after %d attempts: %s%s",
                self.settings.name,
                self.attempts,
                err,
                "".join(f"\n  {line}" for line in ("; stderr:", *err.stderr) if err.stderr),
            )
        else:
            _LOGGER.debug("%s: %s %s", self.settings.name, err, err.stderr)
        self._notify()

    def _notify(self) -> None:
        for listener in tuple(self._listeners):
            listener()


async def new_connection(
    hass: HomeAssistant, settings: ServerSettings, redactor: Redactor, patience: float
) -> Connection:
    """Return a connection that is not open yet, with its `patience` in seconds; loads the SDK."""
    module = await async_import_module(hass, f"{__package__}.connection")
    connection: Connection = module.Connection(settings, redactor, patience)
    return connection


async def async_try(
    hass: HomeAssistant, settings: ServerSettings, redactor: Redactor | None = None
) -> Introduction:
    """Connect to a server once, to check that it is usable; raises `McpError` if not.

    The result is redacted; `redactor` knows more secrets than the settings hold.
    """

    async def disconnected(name: str, arguments: dict[str, Any], **_: Any) -> CallToolResult:
        raise McpUnavailable("it was connected only to be tried")

    async def introduce(connection: Connection) -> Introduction:
        return Introduction(
            server_info=connection.session.server_info,
            instructions=connection.session.instructions,
            tools=make_tools(connection.tools, disconnected),
            skipped_tools=connection.skipped_tools,
        )

    redactor = redactor or redactor_of(settings.server)
    connection = await new_connection(hass, settings, redactor, settings.timings.connect)
    # A task of its own: a transport that fails cancels the task that opened it.
    return await hass.async_create_background_task(
        connection.run(introduce), f"MCP server {settings.name}, trial"
    )
