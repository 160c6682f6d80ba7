"""Real MCP servers, and sessions with them."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from dataclasses import dataclass, replace
import fcntl
import gc
import json
import os
from pathlib import Path
import subprocess
import sys
from typing import Any, Self

from aiohttp import web
from aiohttp.test_utils import TestServer
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import psutil  # type: ignore[import-untyped]
import pytest

from custom_components.voice_gateway.mcp_servers.errors import McpError
from custom_components.voice_gateway.mcp_servers.session import McpSession, SessionState
from custom_components.voice_gateway.mcp_servers.settings import (
    CommandServer,
    ServerSettings,
    Timings,
    UrlServer,
)

from .faulty import FaultyServer
from .servers import EVERYDAY, RAW, HttpProcess, http_process

# As the real ones, only shorter, but for what a server that works has to keep on a busy machine.
# Pings are off; tests of pings put them on.
TIMINGS = Timings(
    connect=60,
    attempts=(0, 0.05, 0.1),
    slow_attempts=(0.2, 0.3),
    stable=0,
    ping=60,
    ping_answer=0.3,
    wait=60,
    grace=60,
    close=2,
    end=0.3,
)

CONTEXT = llm.LLMContext(
    platform="test", context=None, language="en", assistant="conversation", device_id=None
)

type StartSession = Callable[..., McpSession]
type NewProcesses = Callable[[], set[psutil.Process]]


@dataclass(slots=True)
class Diary:
    """What a raw server wrote down of what happened to it."""

    path: Path

    def count(self, event: str) -> int:
        """Tell how often something happened: a start, a ping, a call of a tool."""
        return self.path.read_text().split("\n").count(event) if self.path.exists() else 0


def raw(mode: str, diary: Diary | None = None, **rest: Any) -> CommandServer:
    """Return a server in plain Python with one of the faults that it can have."""
    args = (RAW, mode, *([str(diary.path)] if diary else []))
    return CommandServer(command=sys.executable, args=args, **rest)


@dataclass(slots=True)
class Listed:
    """A server in plain Python that has the tools that a file says; calls of them are in its diary."""

    folder: Path
    name: str = "listed"

    @property
    def diary(self) -> Diary:
        """Return what it wrote down."""
        return Diary(self.folder / f"{self.name}.diary")

    def says(self, instructions: str) -> Self:
        """Let it tell models this of itself, from its next start on."""
        (self.folder / f"{self.name}.json.instructions").write_text(instructions)
        return self

    def has(self, *tools: str | dict[str, Any], mode: str = "listed") -> CommandServer:
        """Give it these tools; it tells so when one of them is called, but a "silent" one. Return the server."""
        file = self.folder / f"{self.name}.json"
        named = [{"name": tool} if isinstance(tool, str) else tool for tool in tools]
        file.write_text(json.dumps(named))
        return CommandServer(
            command=sys.executable, args=(RAW, mode, str(self.diary.path), str(file))
        )


def everyday(python: str = sys.executable) -> CommandServer:
    """Return an ordinary server over stdio."""
    return CommandServer(command=python, args=(EVERYDAY, "stdio"))


async def until(condition: Callable[[], object], seconds: float = 60) -> None:
    """Wait until something is the case."""
    async with asyncio.timeout(seconds):
        # What is waited for has no event of its own.
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def failed(session: McpSession) -> McpError:
    """Wait for a session to have failed; return why."""
    await until(lambda: session.state is SessionState.FAILED)
    assert session.last_error is not None
    return session.last_error


async def connected(session: McpSession) -> McpSession:
    """Wait for a session to be connected."""
    await until(lambda: session.state is SessionState.CONNECTED)
    return session


def text_of(result: Any) -> str:
    """Return the text of a server's result."""
    return str(result.content[0].text)


@pytest.fixture
async def new_processes(hass: HomeAssistant, socket_enabled: None) -> AsyncGenerator[NewProcesses]:
    """Let no test leave a process, a task or an open file behind; return what tells servers."""
    this = psutil.Process()
    await asyncio.sleep(0)
    there, files, tasks = set(this.children(recursive=True)), this.num_fds(), asyncio.all_tasks()
    yield lambda: {child for child in _started(this, there) if not _is_guard(child)}

    def is_clean() -> bool:
        gc.collect()
        return (
            not _started(this, there)
            and this.num_fds() <= files
            and asyncio.all_tasks() <= tasks | {asyncio.current_task()}
        )

    try:
        await until(is_clean, 20)
    except TimeoutError:
        left = [process.cmdline() for process in _started(this, there)]
        pytest.fail(
            f"left behind: processes {left}, {this.num_fds() - files} files of {_open_files()}, "
            f"tasks {asyncio.all_tasks() - tasks}"
        )


def _open_files() -> list[str]:
    """Return what this process has open, where the system tells."""
    return [*map(str, psutil.Process().net_connections()), *map(str, psutil.Process().open_files())]


def _is_guard(process: psutil.Process) -> bool:
    """Tell whether a process only waits for Home Assistant's end."""
    try:
        return bool(process.name() == "sh")
    except psutil.NoSuchProcess:
        return False


def _started(process: psutil.Process, there: set[psutil.Process]) -> set[psutil.Process]:
    """Return the processes below one, but those that were there, and what these have started.

    A model's server that tests share starts the model's process when one of them asks it.
    """
    return {
        child
        for child in process.children(recursive=True)
        if child not in there and not _is_below(child, there)
    }


def _is_below(process: psutil.Process, others: set[psutil.Process]) -> bool:
    try:
        return not others.isdisjoint(process.parents())
    except psutil.NoSuchProcess:
        return False


@pytest.fixture
async def start_session(
    hass: HomeAssistant, new_processes: NewProcesses
) -> AsyncGenerator[StartSession]:
    """Return a function that starts a session with a server; it ends with the test."""
    sessions: list[McpSession] = []

    def start(
        server: CommandServer | UrlServer, *, timings: dict[str, Any] | None = None, **rest: Any
    ) -> McpSession:
        settings = ServerSettings(
            name="Test", server=server, timings=replace(TIMINGS, **(timings or {})), **rest
        )
        session = McpSession(hass, settings)
        sessions.append(session)
        session.async_start()
        return session

    yield start
    await asyncio.gather(*(session.async_stop() for session in sessions))


@pytest.fixture
def http_server(request: pytest.FixtureRequest) -> Generator[HttpProcess]:
    """Return a server over HTTP that this test may take away; SSE where it asks for it."""
    with http_process(sys.executable, getattr(request, "param", "streamable-http")) as server:
        yield server


@pytest.fixture(scope="session")
def sdk_1() -> str:
    """Return the Python of an environment with SDK 1.x and servers that are made with it."""
    cache = os.environ.get("VOICE_GATEWAY_CACHE") or (
        Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "voice-gateway"
    )
    environment = Path(cache) / "mcp-1x"
    python = environment / "bin" / "python"
    environment.parent.mkdir(parents=True, exist_ok=True)
    with (environment.parent / "mcp-1x.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (environment / "complete").exists():
            uv = str(Path(sys.executable).with_name("uv"))
            packages = ("mcp<2", "mcp-server-time", "mcp-server-fetch")
            for command in (
                ("venv", "--clear", "--python", sys.executable, str(environment)),
                ("pip", "install", "--python", str(python), *packages),
            ):
                subprocess.run([uv, *command, "--quiet"], check=True)
            (environment / "complete").touch()
    return str(python)


@pytest.fixture(scope="session", params=["stdio", "streamable-http", "streamable-http json", "sse"])
def transport(request: pytest.FixtureRequest) -> str:
    """Return each of the transports."""
    return str(request.param)


@pytest.fixture(scope="session", params=[2, 1], ids=["sdk2", "sdk1"])
def server(request: pytest.FixtureRequest, transport: str) -> Generator[CommandServer | UrlServer]:
    """Return an ordinary server, made with each SDK, over each transport; tests share it."""
    python = sys.executable if request.param == 2 else request.getfixturevalue("sdk_1")
    if transport == "stdio":
        yield everyday(python)
        return
    with http_process(python, *transport.split()) as process:
        yield UrlServer(url=process.url)


@pytest.fixture
def diary(tmp_path: Path) -> Diary:
    """Return the diary of a raw server."""
    return Diary(tmp_path / "diary")


@pytest.fixture
async def http_page() -> AsyncGenerator[str]:
    """Return the address of a page."""

    async def page(request: web.Request) -> web.Response:
        return web.Response(text="<html><body><p>The kettle is on.</p></body></html>")

    app = web.Application()
    app.router.add_get("/", page)
    async with TestServer(app) as server:
        yield str(server.make_url("/"))


@pytest.fixture
async def faulty() -> AsyncGenerator[FaultyServer]:
    """Return a server that has no fault yet."""
    faulty = FaultyServer()
    app = web.Application()
    app.router.add_post("/{path:.*}", faulty.post)
    app.router.add_get("/{path:.*}", faulty.get)
    app.router.add_delete("/{path:.*}", faulty.delete)
    async with TestServer(app) as server:
        faulty.url = str(server.make_url("/mcp"))
        yield faulty


@pytest.fixture
async def elsewhere() -> AsyncGenerator[FaultyServer]:
    """Return another server, at another address."""
    other = FaultyServer()
    app = web.Application()
    app.router.add_post("/{path:.*}", other.post)
    async with TestServer(app) as server:
        other.url = str(server.make_url("/mcp"))
        yield other
