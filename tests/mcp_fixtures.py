"""A plugin of the test modules that have MCP servers as config entries."""

from collections.abc import AsyncGenerator, Generator
import sys

from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.mcp_servers.settings import ServerSettings, UrlServer

from .mcp_servers.conftest import TIMINGS, NewProcesses, diary, http_server, new_processes, sdk_1
from .mcp_servers.guarded import Guard, guarded_server
from .mcp_servers.servers import http_process

__all__ = ("diary", "http_server", "new_processes", "sdk_1")


@pytest.fixture(scope="session")
def shared() -> Generator[UrlServer]:
    """Return an ordinary server over HTTP that tests share."""
    with http_process(sys.executable, "streamable-http") as process:
        yield UrlServer(url=process.url)


@pytest.fixture
async def quick_servers(
    hass: HomeAssistant, new_processes: NewProcesses, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[NewProcesses]:
    """Let the entries' sessions be as quick as those of other tests, and leave nothing behind."""
    defaults = ServerSettings.__init__.__kwdefaults__
    assert defaults
    monkeypatch.setitem(defaults, "timings", TIMINGS)
    # Conversation, which we depend on, wants it.
    assert await async_setup_component(hass, "homeassistant", {})
    yield new_processes
    for entry in hass.config_entries.async_loaded_entries(DOMAIN):
        await hass.config_entries.async_unload(entry.entry_id)


@pytest.fixture
async def guard(
    request: pytest.FixtureRequest, quick_servers: NewProcesses, hass: HomeAssistant
) -> AsyncGenerator[Guard]:
    """Return what guards a server that wants a login; clients can register, if not said else."""
    # Home Assistant's own way to be called back, which needs no request from a browser.
    hass.config.components.add("my")
    async with guarded_server(registers=getattr(request, "param", True)) as guard:
        yield guard
