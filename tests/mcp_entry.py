"""MCP servers as Home Assistant has them: config entries, in tests."""

from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import DOMAIN, EntryKind
from custom_components.voice_gateway.mcp_servers.session import McpSession, SessionState
from custom_components.voice_gateway.mcp_servers.settings import CommandServer, UrlServer

from .mcp_servers.conftest import until


def add_server(
    hass: HomeAssistant, server: CommandServer | UrlServer, title: str = "Everyday", **rest: Any
) -> Any:
    """Return the entry of a server; it is not set up yet."""
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
    # The first one brings up the integration, and that its other entries.
    if entry.state is ConfigEntryState.NOT_LOADED:
        assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return entry.runtime_data


async def set_up_connected(hass: HomeAssistant, entry: ConfigEntry[McpSession]) -> McpSession:
    """Set up an entry and wait until its server is connected."""
    session = await set_up(hass, entry)
    await until(lambda: session.state is SessionState.CONNECTED, 30)
    await hass.async_block_till_done()
    return session
