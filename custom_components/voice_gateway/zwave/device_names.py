"""The names and areas that people gave Z-Wave devices in Home Assistant, for the Z-Wave server.

Z-Wave JS itself often knows of neither.
"""

from collections.abc import Mapping
import json
from pathlib import Path
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers import area_registry as ar, device_registry as dr
from homeassistant.helpers.debounce import Debouncer
from homeassistant.helpers.storage import STORAGE_DIR

from ..const import DOMAIN, LOGGER

_ZWAVE_JS = "zwave_js"
# Seconds; at Home Assistant's start changes come by the hundred.
_PAUSE = 1.0


def names_file(hass: HomeAssistant, entry: ConfigEntry[Any]) -> Path:
    """Return where the server of an entry finds the names; its format is the server's."""
    return Path(hass.config.path(STORAGE_DIR, f"{DOMAIN}.zwave_names.{entry.entry_id}"))


async def async_keep_names(hass: HomeAssistant, entry: ConfigEntry[Any], home_id: str) -> None:
    """Write the names of a network's devices, and again when one changes, until the unload."""
    file = names_file(hass, entry)
    written: dict[str, dict[str, str]] | None = None

    async def write() -> None:
        nonlocal written
        if (names := _names(hass, home_id)) == written:
            return
        try:
            await hass.async_add_executor_job(_write, file, names)
        except OSError as err:
            LOGGER.warning("The names of Z-Wave devices can't be kept in %s: %s", file, err)
        written = names

    await write()
    later = Debouncer(hass, LOGGER, cooldown=_PAUSE, immediate=False, function=write)

    @callback
    def changed(_: Event[Any]) -> None:
        later.async_schedule_call()

    for event_type in (dr.EVENT_DEVICE_REGISTRY_UPDATED, ar.EVENT_AREA_REGISTRY_UPDATED):
        entry.async_on_unload(hass.bus.async_listen(event_type, changed))
    entry.async_on_unload(later.async_shutdown)


async def async_forget_names(hass: HomeAssistant, entry: ConfigEntry[Any]) -> None:
    """Remove an entry's file."""
    await hass.async_add_executor_job(lambda: names_file(hass, entry).unlink(missing_ok=True))


@callback
def _names(hass: HomeAssistant, home_id: str) -> dict[str, dict[str, str]]:
    """Return what differs from Z-Wave JS, by node number."""
    areas = ar.async_get(hass)
    names = {}
    for device in dr.async_get(hass).devices:
        for domain, identifier in device.identifiers:
            # Others have more parts: the product, or an endpoint.
            home, _, node = identifier.partition("-")
            if domain != _ZWAVE_JS or home != home_id or not node.isdecimal():
                continue
            area = areas.async_get_area(device.area_id) if device.area_id else None
            given = {"name": device.name_by_user, "location": area and area.name}
            names[node] = {key: name for key, name in given.items() if name}
    return names


def _write(file: Path, names: Mapping[str, Mapping[str, str]]) -> None:
    file.parent.mkdir(exist_ok=True)
    whole = file.with_name(f"{file.name}.new")
    whole.write_text(json.dumps(names), encoding="utf-8")
    whole.replace(file)
