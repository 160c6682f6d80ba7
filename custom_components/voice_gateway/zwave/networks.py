"""Z-Wave in Home Assistant: its networks, and the MCP server for one of them."""

from importlib.util import find_spec
from pathlib import Path
import sys
from typing import Any

from homeassistant.config_entries import (
    SIGNAL_CONFIG_ENTRY_CHANGED,
    SOURCE_IGNORE,
    SOURCE_INTEGRATION_DISCOVERY,
    ConfigEntry,
    ConfigEntryChange,
)
from homeassistant.const import CONF_NAME, CONF_UNIQUE_ID, CONF_URL
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.discovery_flow import async_create_flow
from homeassistant.helpers.dispatcher import async_dispatcher_connect

from ..const import CONF_ONLY_EXPOSED, DOMAIN, EntryKind
from ..mcp_servers.settings import CommandServer
from ..mcp_servers.tool import Synonyms

ZWAVE_JS = "zwave_js"
_SERVER = Path(__file__).parents[1] / "zwave_mcp"
# Found without an import, which would take a second.
_MCP = find_spec("mcp")

_DEVICE = {"device": "deviceName", "name": "deviceName", "target": "deviceName"}
# The server's tool for entry points.
_LOCK_TOOL = "control_zwave_lock"
UNTICKED = (_LOCK_TOOL,)
"""The server's tools that are off until they are ticked."""
SYNONYMS: Synonyms = {
    "control_zwave_device": _DEVICE
    | {"command": "action", "state": "action", "brightness": "level", "value": "level"},
    _LOCK_TOOL: _DEVICE | {"command": "action", "state": "action"},
    "verify_device": _DEVICE,
    "get_device_sensor_data": _DEVICE,
}
"""Names that models give to arguments of the server's tools, with the certain meaning of each."""


def zwave_server(
    url: str, language: str, devices: Path | None = None, *, only_exposed: bool = True
) -> CommandServer:
    """Return the MCP server for the network behind a Z-Wave JS server's websocket.

    `language` is the code of the language of device names. `devices` is a file with the data about
    devices; see `devices.py`. With `only_exposed`, devices that are not exposed do not exist.

    It runs in Home Assistant's own Python, and is started by its folder: neither a PATH nor a
    working directory matters, and nothing of Home Assistant is loaded into its process.
    """
    assert _MCP
    assert _MCP.origin
    libraries = Path(_MCP.origin).parents[1]
    options = ["--locks", *(["--names", str(devices)] if devices else ())]
    if only_exposed:
        options.append("--only-exposed")
    # Outside a virtual environment, Home Assistant has them in its configuration folder.
    known = libraries.is_relative_to(sys.prefix)
    return CommandServer(
        command=sys.executable,
        args=(str(_SERVER), "--url", url, "--language", language, *options),
        env={} if known else {"PYTHONPATH": str(libraries)},
    )


def unique_id(home_id: str) -> str:
    """Return the unique ID of the entry for a network."""
    return f"{EntryKind.ZWAVE}-{home_id}"


def home_id_of(entry: ConfigEntry[Any]) -> str:
    """Return the home ID of an entry's network, from the entry's `unique_id`."""
    return str(entry.unique_id).removeprefix(unique_id(""))


@callback
def async_hold_to_exposed(hass: HomeAssistant, ours: ConfigEntry[Any]) -> None:
    """Restrict an entry's tools to exposed devices as soon as Home Assistant has its network.

    Before that, none of its devices can be exposed. The restriction remains if Home Assistant
    loses the network.
    """
    if ours.data.get(CONF_ONLY_EXPOSED):
        return
    home_id = home_id_of(ours)
    if hass.config_entries.async_entry_for_domain_unique_id(ZWAVE_JS, home_id):
        data = {**ours.data, CONF_ONLY_EXPOSED: True}
        hass.config_entries.async_update_entry(ours, data=data)


@callback
def async_offer_networks(hass: HomeAssistant) -> None:
    """Offer the tools for each network of Home Assistant's own integration, now and later.

    If a network's address changes, our entry for it adopts the new one.
    """

    @callback
    def changed(change: ConfigEntryChange, entry: ConfigEntry) -> None:
        if entry.domain == ZWAVE_JS and change is not ConfigEntryChange.REMOVED:
            _async_offer(hass, entry)

    async_dispatcher_connect(hass, SIGNAL_CONFIG_ENTRY_CHANGED, changed)
    for entry in hass.config_entries.async_entries(ZWAVE_JS):
        _async_offer(hass, entry)


@callback
def _async_offer(hass: HomeAssistant, network: ConfigEntry) -> None:
    url, home_id = network.data.get(CONF_URL), network.unique_id
    # Without a home ID it was ignored, or has never been connected.
    if network.disabled_by or not url or not home_id or not home_id.isdecimal():
        return
    ours = hass.config_entries.async_entry_for_domain_unique_id(DOMAIN, unique_id(home_id))
    if ours is None:
        data = {CONF_NAME: network.title, CONF_URL: url, CONF_UNIQUE_ID: unique_id(home_id)}
        async_create_flow(hass, DOMAIN, {"source": SOURCE_INTEGRATION_DISCOVERY}, data)
    elif ours.source != SOURCE_IGNORE:
        hass.config_entries.async_update_entry(ours, data={**ours.data, CONF_URL: url})
        async_hold_to_exposed(hass, ours)
