"""Changes that users make to their devices: other names, other rooms."""

from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, device_registry as dr, entity_registry as er
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]


async def async_change_device(
    hass: HomeAssistant, entity_id: str, *, name: str | None = None, area: str | None = None
) -> None:
    """Give an entity's device another name, or move it to an area; "" is none."""
    entity = er.async_get(hass).async_get(entity_id)
    assert entity
    assert entity.device_id
    changes: dict[str, Any] = {} if name is None else {"name_by_user": name}
    if area is not None:
        changes["area_id"] = ar.async_get(hass).async_get_or_create(area).id if area else None
    dr.async_get(hass).async_update_device(entity.device_id, **changes)
    await hass.async_block_till_done()


async def async_add_locks(hass: HomeAssistant, *exposed: str) -> None:
    """Add the demo's locks, and expose some of them."""
    (demo,) = hass.config_entries.async_entries("demo")
    await hass.config_entries.async_forward_entry_setups(demo, (Platform.LOCK,))
    await hass.async_block_till_done()
    for entity_id in exposed:
        async_expose_entity(hass, "conversation", entity_id, should_expose=True)


def add_satellite(hass: HomeAssistant, area: str) -> str:
    """Add a voice satellite to an area; return its device id."""
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(hass)
    devices = dr.async_get(hass)
    satellite = devices.async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "satellite")}
    )
    room = ar.async_get(hass).async_get_or_create(area)
    devices.async_update_device(satellite.id, area_id=room.id)
    return satellite.id
