"""Z-Wave as Home Assistant has it: its networks, and the server that speaks about one of them."""

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

from ..const import DOMAIN, EntryKind
from ..mcp_servers.settings import CommandServer
from ..mcp_servers.tool import Synonyms

ZWAVE_JS = "zwave_js"
_SERVER = Path(__file__).parents[1] / "zwave_mcp"
# Found without loading it, which would take a second.
_MCP = find_spec("mcp")

_DEVICE = {"device": "deviceName", "name": "deviceName", "target": "deviceName"}
SYNONYMS: Synonyms = {
    "control_zwave_device": _DEVICE
    | {"command": "action", "state": "action", "brightness": "level", "value": "level"},
    "verify_device": _DEVICE,
    "get_device_sensor_data": _DEVICE,
}
"""Names that models give to arguments of the server's tools: what they certainly mean."""


def zwave_server(url: str, names: Path, language: str) -> CommandServer:
    """Return the server for the network behind a Z-Wave JS server's websocket.

    `names` is a file with the devices' names; see `device_names`. `language` is the code of the one in
    which devices are spoken of.

    It runs in Home Assistant's own Python, and is started by its folder: neither a PATH nor a working
    directory matters, and nothing of Home Assistant is loaded into its process.
    """
    assert _MCP
    assert _MCP.origin
    libraries = Path(_MCP.origin).parents[1]
    # Outside of a virtual environment Home Assistant keeps them in its configuration's folder.
    known = libraries.is_relative_to(sys.prefix)
    return CommandServer(
        command=sys.executable,
        args=(str(_SERVER), "--url", url, "--language", language, "--names", str(names)),
        env={} if known else {"PYTHONPATH": str(libraries)},
    )


def unique_id(home_id: str) -> str:
    """Return the unique ID of the entry for a network."""
    return f"{EntryKind.ZWAVE}-{home_id}"


def home_id_of(entry: ConfigEntry[Any]) -> str:
    """Return the number of the network that an entry is for, as `unique_id` has it."""
    return str(entry.unique_id).removeprefix(unique_id(""))


@callback
def async_offer_networks(hass: HomeAssistant) -> None:
    """Offer the tools for each network of Home Assistant's own integration, now and later.

    An entry of ours takes the network's address over when that changes.
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
    # Without a number it is one that was ignored, or that nobody has connected to yet.
    if network.disabled_by or not url or not home_id or not home_id.isdecimal():
        return
    ours = hass.config_entries.async_entry_for_domain_unique_id(DOMAIN, unique_id(home_id))
    if ours is None:
        data = {CONF_NAME: network.title, CONF_URL: url, CONF_UNIQUE_ID: unique_id(home_id)}
        async_create_flow(hass, DOMAIN, {"source": SOURCE_INTEGRATION_DISCOVERY}, data)
    elif ours.source != SOURCE_IGNORE:
        hass.config_entries.async_update_entry(ours, data=ours.data | {CONF_URL: url})
