"""A server that runs here and is spoken to over its stdin and stdout.

The SDK has a transport for this too. It keeps the process to itself, though: how it ended, whether a
message still reached it, and what it leaves behind when it ends by itself are not to be learnt.
Format: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from functools import partial
import math
import os
import signal
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Self, cast, override

import anyio
from anyio.streams.memory import MemoryObjectSendStream
from homeassistant.util.json import json_loads_object
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter

from ..logs import logger_of
from ..redactor import Redactor
from .parent_watchdog import ParentWatchdog
from .settings import CommandServer
from .sse_throttle import TELLING

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

_LOGGER = logger_of(__name__)

_LINES = 50
_LINE_LENGTH = 400
_NOISE_LENGTH = 200
# Bytes of one message. A server that writes more without a line's end has gone astray.
# A result of 10 MB is answered by cutting it; longer ones would take the event loop too long.
_MAX_MESSAGE = 12 * 1024 * 1024
# Bytes of a line that is no message that are looked at; the rest of it is left.
_LOOKED_AT = 64 * 1024
# Messages that may wait to be read before those are dropped that only tell something; and before no
# more are taken, for some seconds: the rest waits in its pipe, and the server with it.
_TOLD = 100
_WAITING = 200
_PAUSE = 0.05
# Bytes that are taken from its output in one go: some hundred messages.
_AT_ONCE = 32 * 1024

# Seconds for what it left behind to end, before that is killed.
_GRACE_FOR_THE_REST = 0.5
# Seconds that the last output of a process which ended may take on its way, and that an end may
# take after the output's.
_LAST_OUTPUT = 0.2


class ServerProcess(asyncio.SubprocessProtocol):
    """A server's process, from its start to its end.

    - A line on stdout that is no message is put aside as noise; the next line counts.
    - The last 50 lines of stderr are kept, without secrets, and logged at debug level.
    - Its end ends the stream of messages at once, even if something it started holds its stdout.
    - Neither it nor what it started in its process group outlives `streams`, nor Home Assistant where
      that is killed.
    - It runs in an empty folder of its own, unless it was given another one.
    """

    def __init__(self, name: str, server: CommandServer, grace: float, redactor: Redactor) -> None:
        """Take the name for the log, what to start, and how many seconds its end may take.

        `redactor` takes the secrets out of what it writes.
        """
        self.noise = ""
        self.noises = 0
        # Why there are no more messages, once there are none and it was not our doing.
        self.how_it_ended: str | None = None
        self._name = name
        self._server = server
        self._grace = grace
        self._stderr: deque[str] = deque(maxlen=_LINES)
        self._redactor = redactor
        # Beginnings of lines, by file descriptor.
        self._parts: dict[int, list[bytes]] = {1: [], 2: []}
        self._messages: MemoryObjectSendStream[SessionMessage | Exception]
        self._transport: asyncio.SubprocessTransport
        # Ends of its pipes and of the process itself.
        self._closed = {fd: asyncio.Event() for fd in (0, 1, 2)}
        self._exited = asyncio.Event()
        self._last_output: asyncio.TimerHandle | None = None
        self._is_wanted = False
        self._guard = ParentWatchdog()

    @property
    def stderr(self) -> tuple[str, ...]:
        """Return the last lines of its stderr, oldest first."""
        return tuple(self._stderr)

    @property
    def is_gone(self) -> bool:
        """Return True if surely nobody reads what is written to its stdin."""
        return self._exited.is_set() or self._pipe(0).is_closing()

    def write(self, line: str) -> None:
        """Write a line to its stdin; raises `BrokenResourceError` when it is gone.

        Never waits for a server that does not read: each request has its own time limit.
        """
        if self.is_gone:
            raise anyio.BrokenResourceError
        self._pipe(0).write(f"{line}\n".encode())

    @asynccontextmanager
    async def streams(self) -> AsyncGenerator[TransportStreams]:
        """Start it, and end it with this context; raises OSError when it cannot be started."""
        self._messages, messages = anyio.create_memory_object_stream[SessionMessage | Exception](
            math.inf
        )
        with self._messages, messages:
            async with _folder(self._server.cwd) as folder:
                # Stopped half-way, a start would leave a process that nobody knows.
                with anyio.CancelScope(shield=True):
                    await self._start(folder)
                try:
                    yield messages, _Stdin(self)
                finally:
                    with anyio.CancelScope(shield=True):
                        await self._end()

    async def _start(self, folder: str) -> None:
        await asyncio.get_running_loop().subprocess_exec(
            lambda: self,
            self._server.command,
            *self._server.args,
            env=get_default_environment() | dict(self._server.env),
            cwd=folder,
            start_new_session=True,
        )
        await self._guard.start(self._transport.get_pid())
        self._is_wanted = True
        self._expect_end()

    @override
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.SubprocessTransport", transport)
        # A pipe's own measure is eight times as much.
        cast("Any", self._transport.get_pipe_transport(1)).max_size = _AT_ONCE

    @override
    def pipe_data_received(self, fd: int, data: bytes) -> None:
        *lines, rest = data.split(b"\n")
        for line in lines:
            self._parts[fd].append(line)
            self._line(fd, b"".join(self._parts[fd]))
            self._parts[fd].clear()
        self._parts[fd].append(rest)
        if self._waiting > _WAITING:
            self._output().pause_reading()
            asyncio.get_running_loop().call_later(_PAUSE, self._read_on)
        size = sum(map(len, self._parts[fd]))
        if fd == 1 and size > _MAX_MESSAGE:
            self._line(fd, b"".join(self._parts[fd]))
            self._parts[fd].clear()
        elif fd == 2 and size > _LOOKED_AT:
            # Kept until it ends: in two pieces, nobody would see the secret that was cut.
            self._parts[fd] = [b"".join(self._parts[fd])[:_LOOKED_AT]]

    def _read_on(self) -> None:
        """Take more of its output, unless what was taken still waits to be read."""
        if self._closed[1].is_set() or self._output().is_closing():
            return
        if self._waiting > _WAITING:
            asyncio.get_running_loop().call_later(_PAUSE, self._read_on)
        else:
            self._output().resume_reading()

    @override
    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 2:
            self._line(2, b"".join(self._parts[2]))
        self._closed[fd].set()
        self._expect_end()

    @override
    def process_exited(self) -> None:
        self._exited.set()
        self._expect_end()

    def _expect_end(self) -> None:
        """End the messages when process and output have ended, or one a little after the other."""
        if not self._is_wanted:
            return
        if self._exited.is_set() and self._closed[1].is_set():
            self._end_messages()
        elif self._last_output is None and (
            self._exited.is_set() or self._closed[0].is_set() or self._closed[1].is_set()
        ):
            loop = asyncio.get_running_loop()
            self._last_output = loop.call_later(_LAST_OUTPUT, self._end_messages)

    def _end_messages(self) -> None:
        if self.how_it_ended is None:
            self.how_it_ended = _end_in_words(self._transport.get_returncode())
        self._messages.close()

    def _line(self, fd: int, line: bytes) -> None:
        if not (line := line.strip()):
            return
        if fd == 2:
            self._stderr.append(shown := self._shown(line, _LINE_LENGTH))
            _LOGGER.debug("%s wrote to stderr: %s", self._name, shown)
            return
        try:
            # Read first, which takes a tenth of the time for many small things.
            read = json_loads_object(line)
            message = jsonrpc_message_adapter.validate_python(read, by_name=False)
        except ValueError:
            self.noise = self._shown(line, _NOISE_LENGTH)
            self.noises += 1
            _LOGGER.debug("%s wrote to stdout: %s", self._name, self.noise)
        else:
            if read.get("method") in TELLING and self._waiting > _TOLD:
                return
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                self._messages.send_nowait(SessionMessage(message))

    def _shown(self, line: bytes, length: int) -> str:
        """Return the beginning of a line, without secrets."""
        text = self._redactor.text(line[:_LOOKED_AT].decode(errors="replace"))
        return text if len(text) <= length else f"{text[:length]} […]"

    async def _end(self) -> None:
        """End it as the protocol asks: by closing its stdin, then by force; and what is left."""
        self._is_wanted = False
        if self._last_output:
            self._last_output.cancel()
        group = self._transport.get_pid()
        try:
            self._pipe(0).close()
            for number in (signal.SIGTERM, signal.SIGKILL):
                if await _within(self._grace, self._exited):
                    break
                _signal_group(group, number)
            _signal_group(group, signal.SIGTERM)
            with suppress(TimeoutError):
                async with asyncio.timeout(_GRACE_FOR_THE_REST):
                    # Nothing tells of the end of a grandchild.
                    while _signal_group(group, 0):  # noqa: ASYNC110
                        await asyncio.sleep(0.01)
            await _within(_LAST_OUTPUT, self._closed[2])
        finally:
            await self._guard.end()
            _signal_group(group, signal.SIGKILL)
            self._transport.close()

    @property
    def _waiting(self) -> int:
        return self._messages.statistics().current_buffer_used

    def _output(self) -> asyncio.ReadTransport:
        return cast("asyncio.ReadTransport", self._transport.get_pipe_transport(1))

    def _pipe(self, fd: int) -> asyncio.WriteTransport:
        return cast("asyncio.WriteTransport", self._transport.get_pipe_transport(fd))


class _Stdin:
    """The stream that a server's stdin is for the SDK."""

    def __init__(self, process: ServerProcess) -> None:
        self._process = process

    async def send(self, item: SessionMessage) -> None:
        """Send a message; raises `BrokenResourceError` when surely nobody will read it."""
        self._process.write(item.message.model_dump_json(by_alias=True, exclude_unset=True))

    async def aclose(self) -> None:
        """Leave it open: it is closed with the process."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.aclose()


def _end_in_words(returncode: int | None) -> str:
    match returncode:
        case None:
            return "The server closed its input or output"
        case 0:
            return "The server ended"
        case code if code > 0:
            return f"The server ended with exit status {code}"
        case number:
            return f"The server was ended by {signal.Signals(-number).name}"


def _signal_group(group: int, number: int) -> bool:
    """Send a signal to a process group; tell whether there is one."""
    try:
        os.killpg(group, number)
    except ProcessLookupError, PermissionError:
        # The latter on macOS, when all have ended and nobody has waited for them yet.
        return False
    return True


@asynccontextmanager
async def _folder(wanted: str | None) -> AsyncGenerator[str]:
    """Yield where a server is to run: in an empty folder, where nothing else is wanted."""
    if wanted:
        yield wanted
        return
    loop = asyncio.get_running_loop()
    make = partial(TemporaryDirectory, prefix="voice_gateway-", ignore_cleanup_errors=True)
    folder = await loop.run_in_executor(None, make)
    try:
        yield folder.name
    finally:
        with anyio.CancelScope(shield=True):
            await loop.run_in_executor(None, folder.cleanup)


async def _within(seconds: float, event: asyncio.Event) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()
