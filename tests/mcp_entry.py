"""MCP servers as Home Assistant has them: config entries, in tests."""

from collections.abc import AsyncGenerator
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import DOMAIN, EntryKind
from custom_components.voice_gateway.mcp_servers.session import McpSession, SessionState
from custom_components.voice_gateway.mcp_servers.settings import (
    CommandServer,
    ServerSettings,
    UrlServer,
)

from .mcp_servers.conftest import TIMINGS, NewProcesses, until


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


def add_server(
    hass: HomeAssistant, server: CommandServer | UrlServer, title: str = "Everyday", **rest: Any
) -> MockConfigEntry:
    """Add the entry of a server; it is not set up yet."""
    match server:
        case CommandServer():
            data = {
                "kind": EntryKind.MCP_COMMAND,
                "command": server.command,
                "args": list(server.args),
                "env": dict(server.env),
            }
        case UrlServer():
            data = {
                "kind": EntryKind.MCP_URL,
                "url": server.url,
                "headers": dict(server.headers),
            }
    entry = MockConfigEntry(domain=DOMAIN, title=title, data=data, **rest)
    entry.add_to_hass(hass)
    return entry


async def set_up(hass: HomeAssistant, entry: ConfigEntry[McpSession]) -> McpSession:
    """Set up an entry; its server may not be connected yet."""
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return entry.runtime_data


async def set_up_connected(hass: HomeAssistant, entry: ConfigEntry[McpSession]) -> McpSession:
    """Set up an entry and wait until its server is connected."""
    session = await set_up(hass, entry)
    await until(lambda: session.state is SessionState.CONNECTED)
    await hass.async_block_till_done()
    return session
