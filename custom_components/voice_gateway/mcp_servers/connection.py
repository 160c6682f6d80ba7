"""One connection to a server: the only module that talks with the SDK, and maps its errors to ours.

The SDK takes a second or more to load. So this module, and those that only it imports, are loaded
when the first server is connected, and not in the event loop: see `session.py`.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, suppress
from dataclasses import replace
from functools import partial
import math
from typing import TYPE_CHECKING, Any, override

import anyio
from mcp import MCPError, types
from mcp.client.session import ClientRequestContext, ClientSession, IncomingMessage
from mcp.client.subscriptions import SubscriptionLost, listen
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from ..header_values import are_sendable
from ..logs import logger_of
from ..redactor import Redactor
from ..version import VERSION
from . import http
from .dispatcher import MAX_TOOLS, Dispatcher
from .elicitation import AskUser
from .error_mapping import END, failure_of, library_errors
from .errors import (
    McpError,
    McpHttpError,
    McpInterrupted,
    McpInvalidAnswer,
    McpRejected,
    McpTimeout,
    McpUnauthorized,
    McpUnreachable,
    Signal,
)
from .process import ServerProcess
from .prompts_and_resources import Extras, all_pages
from .requests import ToolCall, of_tool
from .settings import ServerSettings, UrlServer

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

_LOGGER = logger_of(__name__)

_CLIENT = types.Implementation(name="voice-gateway", title="Voice Gateway", version=VERSION)
# Statuses with which a server older than streamable HTTP answers to it; the protocol's own list.
_TRY_SSE = (400, 404, 405)
# Seconds for a server to confirm the subscription to changes of its tools, and before a retry.
_NEWS_TIMEOUT = 5
_NEWS_PAUSE = 1
_LONGEST_NEWS_PAUSE = 60
# Minimum seconds between two readings of a server's tools, however often it reports changes.
_LISTINGS_APART = 1
# And after a rejected tool call: the tool may be gone.
_DOUBTS_APART = 60


class _Session(ClientSession):
    """The SDK's session, with elicitation by voice and not by a page to open."""

    @override
    def _build_capabilities(self, version: str) -> types.ClientCapabilities:
        form = types.ElicitationCapability(form=types.FormElicitationCapability())
        return super()._build_capabilities(version).model_copy(update={"elicitation": form})


class Connection:
    """One connection to a server, from its beginning to its end.

    - `run` opens it, passes it to a function, and closes it when that returns: all in the task that
      calls `run`, as the SDK requires. Meanwhile any task may call.
    - Every failure is an `McpError`.
    - All data from the server, and every failure, are without the secrets in its settings.
    - `signals` reports events meanwhile: a `Signal`, or the `McpError` that ended it.
    """

    def __init__(self, settings: ServerSettings, redactor: Redactor, patience: float) -> None:
        """Take the seconds that the handshake may take as `patience`; nothing is opened yet."""
        self.signals: asyncio.Queue[Signal | McpError] = asyncio.Queue()
        self._tools: list[types.Tool] = []
        self._extras = Extras()
        # Tools that could not be used: their names (or positions) and their faults.
        self.skipped_tools: dict[str, str] = {}
        self._settings = settings
        self._redactor = redactor
        self._patience = patience
        self._calls: list[ToolCall] = []
        self._listing = asyncio.Lock()
        self._process: ServerProcess | None = None
        self._was_open = False
        self._listed = -math.inf
        self._news: asyncio.TimerHandle | None = None
        """Reports changed tools; no second report while the first is unread."""
        self.session: ClientSession
        """The SDK's session, once it is open: the server's information."""
        self._dispatcher: Dispatcher

    async def run[T](self, body: Callable[[Connection], Awaitable[T]]) -> T:
        """Connect, wait for `body` with the open connection, and disconnect."""
        try:
            settings, server = self._settings, self._settings.server
            if isinstance(server, UrlServer):
                return await self._run_http(server, body)
            grace = settings.timings.end
            self._process = ServerProcess(settings.name, server, grace, self._redactor)
            return await self._run(self._process.streams(), self._shake_hands, body)
        except McpError as err:
            err.stderr = self.stderr
            raise

    async def _run_http[T](
        self, server: UrlServer, body: Callable[[Connection], Awaitable[T]]
    ) -> T:
        if not are_sendable(server.headers):
            raise McpUnauthorized("a header or the token holds a character that can't be sent")
        if server.token is not None:
            server = replace(server, token=partial(self._new_token, server.token))
        streams: AbstractAsyncContextManager[TransportStreams] = http.streamable_http(
            server, lambda _: self._signal(Signal.SUSPECT), self._tell_news
        )
        try:
            return await self._run(streams, self._discover, body)
        except McpHttpError as refused:
            if self._was_open or refused.status not in _TRY_SSE:
                raise
            _LOGGER.debug("%s: %s; trying SSE", self._settings.name, refused)
            streams = http.sse(server, self._signal, self._tell_news)
            try:
                return await self._run(streams, self._shake_hands, body)
            except McpUnauthorized:
                raise
            except McpError as err:
                if self._was_open:
                    raise
                raise refused from err

    async def _new_token(self, token: Callable[[], Awaitable[str]]) -> str:
        self._redactor.add([new := await token()])
        return new

    async def _run[T](
        self,
        streams: AbstractAsyncContextManager[TransportStreams],
        introduce: Callable[[], Awaitable[None]],
        body: Callable[[Connection], Awaitable[T]],
    ) -> T:
        try:
            with library_errors(self._redactor):
                async with AsyncExitStack() as stack:
                    stack.callback(self._forget_news)
                    async with asyncio.timeout(self._patience):
                        await self._open(streams, stack)
                        await introduce()
                        await self._ask_for_news(stack)
                        self._begin_listing()
                        await self._list_tools(self._settings.timeout)
                    await self._extras.read(self.session)
                    self._was_open = True
                    return await body(self)
        except (McpInterrupted, McpTimeout) as err:
            if self._was_open:
                raise
            raise McpUnreachable(f"{self._reason(err)}{self._heard_since(0)}") from err

    async def _open(
        self, streams: AbstractAsyncContextManager[TransportStreams], stack: AsyncExitStack
    ) -> None:
        # The end of an attempt over another transport does not concern this one.
        signals: asyncio.Queue[Signal | McpError] = asyncio.Queue()
        self.signals = signals
        self._dispatcher = Dispatcher(*await stack.enter_async_context(streams))
        self._dispatcher.redactor = self._redactor
        self._dispatcher.on_end = lambda: signals.put_nowait(Signal.CLOSED)
        self.session = await stack.enter_async_context(
            _Session(
                dispatcher=self._dispatcher,
                client_info=_CLIENT,
                elicitation_callback=self._on_question,
                message_handler=self._on_message,
                logging_callback=self._on_log,
            )
        )

    async def _shake_hands(self) -> None:
        """Do the older handshake, else the newer, for which older servers fill their stderr."""
        try:
            await self.session.initialize()
        except MCPError as err:
            if err.code not in (types.UNSUPPORTED_PROTOCOL_VERSION, types.METHOD_NOT_FOUND):
                raise
            await self.session.discover()

    async def _discover(self) -> None:
        """Do the newer handshake, else the older.

        Over HTTP the newer protocol (2026-07-28) needs no session that could be forgotten.
        """
        try:
            await self.session.discover()
        except (MCPError, ValidationError, RuntimeError) as err:
            failure = failure_of(err)
            if isinstance(failure, McpUnauthorized | McpUnreachable | McpInterrupted):
                raise failure from err
            await self.session.initialize()

    async def _ask_for_news(self, stack: AsyncExitStack) -> None:
        """Subscribe to changes of tools: newer protocol versions report only to subscribers."""
        if not self._is_newer:
            return
        tasks = await stack.enter_async_context(anyio.create_task_group())
        stack.callback(tasks.cancel_scope.cancel)
        asked = asyncio.Event()
        tasks.start_soon(self._follow_news, asked)
        # A change before the tools are listed is in the list.
        with suppress(TimeoutError):
            async with asyncio.timeout(_NEWS_TIMEOUT):
                await asked.wait()

    async def _follow_news(self, asked: asyncio.Event) -> None:
        """Receive changes as long as the server reports any; its silence may be its end."""
        pause = _NEWS_PAUSE
        offered = self.session.server_capabilities
        try:
            while True:
                try:
                    async with listen(
                        self.session,
                        tools_list_changed=True,
                        prompts_list_changed=bool(offered and offered.prompts),
                        resources_list_changed=bool(offered and offered.resources),
                    ) as news:
                        asked.set()
                        async for event in news:
                            _LOGGER.debug("%s tells: %s", self._settings.name, event)
                except SubscriptionLost as err:
                    _LOGGER.debug("%s: %s", self._settings.name, err)
                self._signal(Signal.SUSPECT)
                await asyncio.sleep(pause)
                pause = min(2 * pause, _LONGEST_NEWS_PAUSE)
        except MCPError as err:
            _LOGGER.debug("%s does not tell of changed tools: %s", self._settings.name, err)
        finally:
            asked.set()

    @property
    def _is_newer(self) -> bool:
        return self.session.protocol_version in MODERN_PROTOCOL_VERSIONS

    @property
    def stderr(self) -> tuple[str, ...]:
        """Return the last lines of the server's stderr, if it runs here."""
        return tuple(self._process.stderr) if self._process else ()

    @property
    def how_it_ended(self) -> str:
        """Return the cause of the connection's end, as far as it is known."""
        return (self._process and self._process.how_it_ended) or END

    @property
    def tools(self) -> list[types.Tool]:
        """Return the server's tools, then its prompts and resources as tools."""
        return [*self._tools, *self._extras.tools]

    async def list_tools(self, timeout: float) -> None:
        """Read the data of `tools` and `skipped_tools`."""
        self._begin_listing()
        await self._list_tools(timeout)
        with library_errors(self._redactor):
            await self._extras.read(self.session)

    async def _list_tools(self, timeout: float) -> None:
        with library_errors(self._redactor):
            async with asyncio.timeout(timeout), self._listing:
                self._dispatcher.begin_tools()
                try:
                    self._tools = await all_pages(self.session.list_tools, "tools", MAX_TOOLS)
                except MCPError as err:
                    if err.code != types.METHOD_NOT_FOUND:
                        raise
                    self._tools = []
                self.skipped_tools = self._redactor.all(self._dispatcher.skipped_tools)

    async def call(
        self, name: str, arguments: dict[str, Any], timeout: float, ask: AskUser | None = None
    ) -> types.CallToolResult:
        """Call a tool by its name there, for `timeout` seconds; `ask` asks the user."""
        if self._dispatcher.ended or (self._process and self._process.is_gone):
            raise McpUnreachable(self.how_it_ended)
        utterance = self._process.noises if self._process else 0
        longest = max(timeout, self._settings.timings.progress)
        is_tool = name in {tool.name for tool in self._tools}
        extra = None if is_tool else self._extras.wanted(name, arguments)
        call = ToolCall(
            extra or of_tool(name, arguments), timeout=timeout, longest=longest, ask=ask
        )
        self._calls.append(call)
        try:
            with library_errors(self._redactor):
                return await call.run(self.session)
        except McpTimeout as err:
            words = f"No answer came within {timeout:g} seconds{self._heard_since(utterance)}"
            raise McpTimeout(words) from err
        except McpInterrupted as err:
            raise McpInterrupted(self._reason(err)) from err
        except McpRejected:
            # It may be gone; not again and again.
            if self._is_stale(_DOUBTS_APART):
                self._tell_news()
            raise
        finally:
            self._calls.remove(call)

    async def _on_question(
        self, context: ClientRequestContext, params: types.ElicitRequestParams
    ) -> types.ElicitResult | types.ErrorData:
        """Answer a question of the server; with several calls under way, its call is unknown."""
        if len(self._calls) == 1:
            return await self._calls[0].answer(params)
        return types.ElicitResult(action="decline")

    async def probe(self, timeout: float) -> None:
        """Check that the server is alive; any answer proves it.

        The newer protocol has no ping: there the tools are requested, which finds changes too. In
        the older one they are read again now and then: few servers report all changes.
        """
        if self._is_stale(self._settings.timings.relist):
            self._tell_news()
        try:
            if self._is_newer:
                await self._list_tools(timeout)
                return
            with library_errors(self._redactor):
                async with asyncio.timeout(timeout):
                    await self.session.send_ping()
        except McpRejected, McpInvalidAnswer:
            pass

    def _is_stale(self, seconds: float) -> bool:
        return asyncio.get_running_loop().time() - self._listed >= seconds

    def _signal(self, signal: Signal | McpError) -> None:
        self.signals.put_nowait(signal)

    def _tell_news(self) -> None:
        """Report changed tools, once for all of the server's notifications."""
        if self._news is None:
            loop = asyncio.get_running_loop()
            due = max(loop.time(), self._listed + _LISTINGS_APART)
            self._news = loop.call_at(due, self._signal, Signal.TOOLS_CHANGED)

    def _begin_listing(self) -> None:
        """Begin to read all lists, which include the changes that were reported until now."""
        self._forget_news()
        self._listed = asyncio.get_running_loop().time()

    def _forget_news(self) -> None:
        if self._news:
            self._news.cancel()
        self._news = None

    def _reason(self, err: McpError) -> str:
        return self.how_it_ended if err.detail == END else err.detail

    def _heard_since(self, count: int) -> str:
        """Return the lines on the server's stdout that were no messages."""
        if self._process is None or self._process.noises <= count:
            return ""
        return f'; on its standard output it wrote "{self._process.noise}"'

    async def _on_message(self, message: IncomingMessage) -> None:
        if http.tells_change(str(getattr(message, "method", ""))):
            self._tell_news()
        elif isinstance(message, Exception):
            _LOGGER.debug("%s: %s", self._settings.name, message)

    async def _on_log(self, params: types.LoggingMessageNotificationParams) -> None:
        _LOGGER.debug("%s logged (%s): %s", self._settings.name, params.level, params.data)
