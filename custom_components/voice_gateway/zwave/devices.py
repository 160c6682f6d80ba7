"""The data about a network's devices for the Z-Wave server: names, areas and permissions.

Names and areas are Home Assistant's: Z-Wave JS itself often has neither. The permissions follow
from the exposure to voice assistants.
"""

from collections.abc import Mapping, Sequence
import json
from pathlib import Path
from typing import Any

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.components.cover import CoverDeviceClass
from homeassistant.components.homeassistant.exposed_entities import (
    async_listen_entity_updates,
    async_should_expose,
)
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import Platform
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers import area_registry as ar, device_registry as dr, entity_registry as er
from homeassistant.helpers.debounce import Debouncer
from homeassistant.helpers.storage import STORAGE_DIR

from ..const import DOMAIN, LOGGER

_ZWAVE_JS = "zwave_js"
# Seconds; changes come by the hundred when Home Assistant starts.
_PAUSE = 1.0
_CHANGES = (
    ar.EVENT_AREA_REGISTRY_UPDATED,
    dr.EVENT_DEVICE_REGISTRY_UPDATED,
    er.EVENT_ENTITY_REGISTRY_UPDATED,
)
# Whoever may use one of these controls a device; to read its sensors takes less.
_CONTROLS = frozenset(
    {
        Platform.BUTTON,
        Platform.CLIMATE,
        Platform.COVER,
        Platform.FAN,
        Platform.HUMIDIFIER,
        Platform.LIGHT,
        Platform.LOCK,
        Platform.NUMBER,
        Platform.SELECT,
        Platform.SIREN,
        Platform.SWITCH,
        Platform.VALVE,
    }
)
_DOORS = frozenset({CoverDeviceClass.DOOR, CoverDeviceClass.GARAGE, CoverDeviceClass.GATE})

type KnownDevices = dict[str, dict[str, Any]]
"""The data about devices, by node number, in the server's format."""


def devices_file(hass: HomeAssistant, entry: ConfigEntry[Any]) -> Path:
    """Return the path of the device data for an entry's server, in the server's format."""
    return Path(hass.config.path(STORAGE_DIR, f"{DOMAIN}.zwave_names.{entry.entry_id}"))


async def async_keep_devices(hass: HomeAssistant, entry: ConfigEntry[Any], home_id: str) -> None:
    """Write the data about a network's devices, now and after each change, until the unload."""
    file = devices_file(hass, entry)
    written: KnownDevices | None = None

    async def write() -> None:
        nonlocal written
        if (known := _known(hass, home_id)) == written:
            return
        try:
            await hass.async_add_executor_job(_write, file, known)
        except OSError as err:
            LOGGER.warning("The names of Z-Wave devices can't be kept in %s: %s", file, err)
        written = known

    await write()
    later = Debouncer(hass, LOGGER, cooldown=_PAUSE, immediate=False, function=write)

    @callback
    def changed(_: Event[Any] | None = None) -> None:
        later.async_schedule_call()

    for event_type in _CHANGES:
        entry.async_on_unload(hass.bus.async_listen(event_type, changed))
    entry.async_on_unload(async_listen_entity_updates(hass, CONVERSATION, changed))
    entry.async_on_unload(later.async_shutdown)


async def async_forget_devices(hass: HomeAssistant, entry: ConfigEntry[Any]) -> None:
    """Remove an entry's file."""
    await hass.async_add_executor_job(lambda: devices_file(hass, entry).unlink(missing_ok=True))


@callback
def _known(hass: HomeAssistant, home_id: str) -> KnownDevices:
    """Return the data about the devices of a network."""
    areas, entities = ar.async_get(hass), er.async_get(hass)
    known: KnownDevices = {}
    for device in dr.async_get(hass).devices:
        for domain, identifier in device.identifiers:
            # Other identifiers have more parts: the product, or an endpoint.
            home, _, node = identifier.partition("-")
            if domain != _ZWAVE_JS or home != home_id or not node.isdecimal():
                continue
            area = areas.async_get_area(device.area_id) if device.area_id else None
            own = er.async_entries_for_device(entities, device.id)
            said = {
                "name": device.name_by_user,
                "location": area and area.name,
                "may": _may(hass, own),
                "opens": any(map(_opens, own)),
            }
            known[node] = {key: value for key, value in said.items() if value}
    return known


def _may(hass: HomeAssistant, entities: Sequence[er.RegistryEntry]) -> list[str]:
    """Return the permissions for a device, by its exposed entities."""
    exposed = [
        entity for entity in entities if async_should_expose(hass, CONVERSATION, entity.entity_id)
    ]
    may = {
        "read": bool(exposed),
        "control": any(map(_controls, exposed)),
        "open": any(map(_opens, exposed)),
    }
    return [what for what, is_so in may.items() if is_so]


def _controls(entity: er.RegistryEntry) -> bool:
    return entity.domain in _CONTROLS and entity.entity_category is None


def _opens(entity: er.RegistryEntry) -> bool:
    """Return True if an entity controls an entry point."""
    device_class = entity.device_class or entity.original_device_class
    return entity.domain == Platform.LOCK or (
        entity.domain == Platform.COVER and device_class in _DOORS
    )


def _write(file: Path, known: Mapping[str, Mapping[str, Any]]) -> None:
    file.parent.mkdir(exist_ok=True)
    whole = file.with_name(f"{file.name}.new")
    whole.write_text(json.dumps(known), encoding="utf-8")
    whole.replace(file)
