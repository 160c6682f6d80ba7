"""What the newcomer has at home: Home Assistant with devices, model servers, MCP servers."""

import asyncio
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
import os
from pathlib import Path
import sys
import tempfile
from unittest.mock import patch

from script.house.api import Api, until
from script.house.devices import furnish
from script.house.home_assistant import CHECKOUT, free_port, home_assistant
from tests.anthropic import PlayedAnthropic, played_anthropic
from tests.ollama import PlayedOllama
from tests.openai import PlayedOpenAI, played_openai

MODELS = {
    "gemma3:4b": ["completion", "vision"],
    "qwen3:1.7b": ["completion", "tools", "thinking"],
    "qwen3:8b": ["completion", "tools", "thinking"],
}
WASTE_CALENDAR = "waste-calendar"
"""The command of an MCP server; it is in the PATH of this household."""
_TAG = "v1.0.0"
_SERVERS = Path(__file__).parent / "servers"


@dataclass(slots=True)
class Pantry:
    """An MCP server over HTTP that can be away for a while."""

    port: int = field(default_factory=lambda: free_port(8000))
    _process: Process | None = None

    @property
    def url(self) -> str:
        """Return its address."""
        return f"http://localhost:{self.port}/mcp"

    async def start(self, *options: str) -> None:
        """Start it, and wait until it listens."""
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, str(_SERVERS / "pantry.py"), str(self.port), *options),
            stdout=DEVNULL,
            stderr=DEVNULL,
        )
        await until("The pantry's server did not start", self._listens)

    async def stop(self) -> None:
        """Take it away without a word."""
        if self._process:
            self._process.kill()
            await self._process.wait()
            self._process = None

    async def _listens(self) -> bool:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except ConnectionRefusedError:
            return False
        writer.close()
        await writer.wait_closed()
        return True


@dataclass(frozen=True, slots=True)
class Household:
    """All that runs before the newcomer comes."""

    api: Api
    ollama: PlayedOllama
    anthropic: PlayedAnthropic
    openai: PlayedOpenAI
    pantry: Pantry


@asynccontextmanager
async def household(language: str) -> AsyncGenerator[Household]:
    """Start everything, in a language; it ends with the block. Raises HouseError."""
    async with AsyncExitStack() as stack:
        openai = await stack.enter_async_context(played_openai())
        anthropic = await stack.enter_async_context(played_anthropic())
        stack.enter_context(_environment(anthropic.url))
        ollama = PlayedOllama(models=dict(MODELS))
        stack.push_async_callback(ollama.stop)
        # Where they are free, the ports are those that people know.
        await ollama.start(free_port(11434))
        pantry = Pantry()
        stack.push_async_callback(pantry.stop)
        house = home_assistant(ui=True, package=await _released(), language=language)
        _, api = await asyncio.gather(pantry.start(), stack.enter_async_context(house))
        await furnish(api)
        yield Household(api, ollama, anthropic, openai, pantry)


async def _released() -> Path:
    """Build what HACS downloads, with the release workflow's own command; return where it is."""
    process = await asyncio.create_subprocess_exec(
        str(CHECKOUT / "script" / "package"), _TAG, stdout=PIPE, cwd=CHECKOUT
    )
    printed, _ = await process.communicate()
    assert process.returncode == 0
    return Path(printed.decode().strip())


@contextmanager
def _environment(anthropic: str) -> Generator[None]:
    """Let what is started here find Anthropic's API at an address, and this household's commands."""
    with tempfile.TemporaryDirectory(prefix="voice-gateway-commands-") as folder:
        command = Path(folder) / WASTE_CALENDAR
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{_SERVERS}/waste_calendar.py"\n')
        command.chmod(0o755)
        path = f"{folder}{os.pathsep}{os.environ['PATH']}"
        with patch.dict(os.environ, PATH=path, ANTHROPIC_BASE_URL=anthropic):
            yield
