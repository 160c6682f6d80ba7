"""A server that runs here, with messages over its stdin and stdout.

The SDK has a transport for this too. It hides the process, though: its exit status, whether a
message still reached it, and its remaining children are unknown.
Format: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
"""

import asyncio
from asyncio.subprocess import Process, SubprocessStreamProtocol
from collections import deque
from collections.abc import AsyncGenerator, Awaitable
from contextlib import asynccontextmanager, suppress
from functools import partial
import os
import signal
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, override

import anyio
from anyio.abc import ObjectSendStream
from anyio.streams.memory import MemoryObjectSendStream
from homeassistant.util.json import json_loads_object
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter

from ..logs import logger_of
from ..redactor import Redactor
from ..untrusted_text import sentence
from .http import TELLING
from .parent_watchdog import ParentWatchdog
from .settings import CommandServer

if TYPE_CHECKING:
    from mcp.client._transport import TransportStreams

_LOGGER = logger_of(__name__)

_LINES = 50
_LINE_LENGTH = 400
_NOISE_LENGTH = 200
# Bytes of one message. A server that writes more without a line's end is broken. A result of 10 MB
# is cut; longer ones would block the event loop too long.
_MAX_MESSAGE = 12 * 1024 * 1024
# Bytes of a line without a message that are kept; the rest of it is dropped.
_LOOKED_AT = 64 * 1024
# Number of unread messages from which notifications are dropped; and from which none is taken: the
# rest waits in the pipe, and the server with it.
_TOLD = 100
_WAITING = 200
# Bytes that are taken from its output at once: some hundred messages.
_AT_ONCE = 32 * 1024

type _Message = SessionMessage | Exception

# Seconds for its remaining children to end, before they are killed.
_GRACE_FOR_THE_REST = 0.5
# Seconds that the last output of an ended process may take to arrive, and that the end may take
# after the output's.
_LAST_OUTPUT = 0.2


class ServerProcess(ObjectSendStream[SessionMessage]):
    """A server's process, from its start to its end.

    - A line on stdout that is no message is put aside as noise; the next line counts.
    - The last 50 lines of stderr are kept, redacted, and logged at debug level.
    - Its end ends the stream of messages at once, even if a child holds its stdout.
    - Neither it nor the children in its process group outlive `streams`, nor Home Assistant where
      that is killed.
    - It runs in an empty folder of its own, unless it was given another one.
    - For the SDK, it is the stream to its stdin.
    """

    def __init__(self, name: str, server: CommandServer, grace: float, redactor: Redactor) -> None:
        """Take the name for the log, the server, and the seconds that its end may take."""
        self.noise = ""
        self.noises = 0
        # The reason for the end of the messages, unless we caused it.
        self.how_it_ended: str | None = None
        self._name = name
        self._server = server
        self._grace = grace
        # The last lines, oldest first.
        self.stderr: deque[str] = deque(maxlen=_LINES)
        self._redactor = redactor
        self._transport: asyncio.SubprocessTransport
        self._process: Process
        self._guard = ParentWatchdog()

    @property
    def is_gone(self) -> bool:
        """Return True if its stdin certainly has no reader."""
        return self._process.returncode is not None or self._stdin.is_closing()

    @property
    def _stdin(self) -> asyncio.StreamWriter:
        assert self._process.stdin
        return self._process.stdin

    @override
    async def send(self, item: SessionMessage) -> None:
        """Send a message; raises `BrokenResourceError` when it is known how the process ended.

        Never waits for a server that does not read: each request has its own time limit.
        """
        if self.is_gone and self.how_it_ended:
            raise anyio.BrokenResourceError
        # Until then, the end of the messages fails the request, with the exit status.
        if not self.is_gone:
            line = item.message.model_dump_json(by_alias=True, exclude_unset=True)
            self._stdin.write(f"{line}\n".encode())

    @override
    async def aclose(self) -> None:
        """Leave its stdin open: it is closed with the process."""

    @asynccontextmanager
    async def streams(self) -> AsyncGenerator[TransportStreams]:
        """Start it, and end it with this context; raises OSError when it cannot be started."""
        messages, received = anyio.create_memory_object_stream[_Message](_WAITING)
        with messages, received:
            async with _folder(self._server.cwd) as folder:
                # An interrupted start would leave an unknown process.
                with anyio.CancelScope(shield=True):
                    await self._start(folder)
                stdout = asyncio.create_task(self._read_messages(messages))
                stderr = asyncio.create_task(self._read_stderr())
                end = asyncio.create_task(self._expect_end(stdout, messages))
                try:
                    yield received, self
                finally:
                    end.cancel()
                    # Its remaining output is read, so that it does not block its end.
                    received.close()
                    with anyio.CancelScope(shield=True):
                        await self._end(stderr)
                    stdout.cancel()
                    stderr.cancel()

    async def _start(self, folder: str) -> None:
        loop = asyncio.get_running_loop()
        self._transport, pipes = await loop.subprocess_exec(
            lambda: SubprocessStreamProtocol(_AT_ONCE, loop),
            self._server.command,
            *self._server.args,
            env=get_default_environment() | dict(self._server.env),
            cwd=folder,
            start_new_session=True,
        )
        self._process = Process(self._transport, pipes, loop)
        await self._guard.start(self._process.pid)

    async def _read_messages(self, messages: MemoryObjectSendStream[_Message]) -> None:
        parts: list[bytes] = []
        while data := await _read(self._process.stdout):
            *lines, rest = data.split(b"\n")
            for line in lines:
                await self._message(b"".join((*parts, line)), messages)
                parts = []
            parts.append(rest)
            if sum(map(len, parts)) > _MAX_MESSAGE:
                await self._message(b"".join(parts), messages)
                parts = []

    async def _message(self, line: bytes, messages: MemoryObjectSendStream[_Message]) -> None:
        if not (line := line.strip()):
            return
        try:
            # Read first, which takes a tenth of the time for many small messages.
            read = json_loads_object(line)
            message = jsonrpc_message_adapter.validate_python(read, by_name=False)
        except ValueError:
            self.noise = self._shown(line, _NOISE_LENGTH)
            self.noises += 1
            _LOGGER.debug("%s wrote to stdout: %s", self._name, self.noise)
            return
        waiting = messages.statistics().current_buffer_used
        if read.get("method") not in TELLING or waiting <= _TOLD:
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                await messages.send(SessionMessage(message))

    async def _read_stderr(self) -> None:
        rest = b""
        while data := await _read(self._process.stderr):
            *lines, rest = (rest + data).split(b"\n")
            for line in lines:
                self._note(line)
            # Kept until it ends: a secret that is cut in two would not be recognized.
            rest = rest[:_LOOKED_AT]
        self._note(rest)

    def _note(self, line: bytes) -> None:
        if line := line.strip():
            self.stderr.append(shown := self._shown(line, _LINE_LENGTH))
            _LOGGER.debug("%s wrote to stderr: %s", self._name, shown)

    async def _expect_end(
        self, stdout: asyncio.Task[None], messages: MemoryObjectSendStream[_Message]
    ) -> None:
        """End the messages when process and pipes have ended, or a little after one of them."""
        # The latter two end with the process: cancelling them would cancel their futures.
        ends = {
            stdout,
            asyncio.create_task(self._process.wait()),
            asyncio.create_task(_closed(self._stdin)),
        }
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        await asyncio.wait(ends, timeout=_LAST_OUTPUT)
        self.how_it_ended = _end_in_words(self._process.returncode)
        messages.close()

    def _shown(self, line: bytes, length: int) -> str:
        """Return the beginning of a line, redacted; it can forge no other line of a log."""
        text = line[:_LOOKED_AT].decode(errors="replace")
        # Without its control characters, too, a text may be a secret.
        return self._redactor.text(sentence(self._redactor.text(text), length))

    async def _end(self, stderr: asyncio.Task[None]) -> None:
        """End it as the protocol asks, by closing its stdin, then by force; then its children."""
        group = self._process.pid
        try:
            self._stdin.close()
            for number in (signal.SIGTERM, signal.SIGKILL):
                if await _within(self._grace, self._process.wait()):
                    break
                _signal_group(group, number)
            _signal_group(group, signal.SIGTERM)
            with suppress(TimeoutError):
                async with asyncio.timeout(_GRACE_FOR_THE_REST):
                    # There is no event for the end of a grandchild.
                    while _signal_group(group, 0):  # noqa: ASYNC110
                        await asyncio.sleep(0.01)
            await _within(_LAST_OUTPUT, asyncio.shield(stderr))
        finally:
            await self._guard.end()
            _signal_group(group, signal.SIGKILL)
            self._transport.close()


def _end_in_words(code: int | None) -> str:
    if code is None:
        return "The server closed its input or output"
    if code < 0:
        return f"The server was ended by {signal.Signals(-code).name}"
    return f"The server ended with exit status {code}" if code else "The server ended"


def _signal_group(group: int, number: int) -> bool:
    """Send a signal to a process group; return True if the group exists."""
    try:
        os.killpg(group, number)
    except ProcessLookupError, PermissionError:
        # The latter on macOS, when all processes have ended and none is awaited yet.
        return False
    return True


@asynccontextmanager
async def _folder(wanted: str | None) -> AsyncGenerator[str]:
    """Yield the folder for a server: an empty one by default."""
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


async def _read(pipe: asyncio.StreamReader | None) -> bytes:
    assert pipe
    with suppress(OSError):
        return await pipe.read(_AT_ONCE)
    return b""


async def _closed(stdin: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        await stdin.wait_closed()


async def _within(seconds: float, end: Awaitable[object]) -> bool:
    """Return True if an awaitable ends within so many seconds."""
    try:
        async with asyncio.timeout(seconds):
            await end
    except TimeoutError:
        return False
    return True
