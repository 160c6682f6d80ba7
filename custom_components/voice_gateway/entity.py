"""What the entities of an MCP server have in common, and the devices of those of a model server."""

from typing import override

from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_MODEL, EntityCategory
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.entity import Entity, EntityDescription

from .const import CONF_KIND, DOMAIN, EntryKind
from .mcp_servers.entry import McpConfigEntry, device_of
from .models.provider import ProviderConfigEntry

_MANUFACTURERS = {
    EntryKind.OLLAMA: "Ollama",
    EntryKind.OPENAI: "OpenAI-compatible",
    EntryKind.ANTHROPIC: "Anthropic",
}


def device_of_use(entry: ProviderConfigEntry, subentry: ConfigSubentry) -> dr.DeviceInfo:
    """Return the device of what uses a model: of an agent, or of an AI task."""
    return dr.DeviceInfo(
        identifiers={(DOMAIN, subentry.subentry_id)},
        name=subentry.title,
        manufacturer=_MANUFACTURERS[EntryKind(entry.data[CONF_KIND])],
        model=subentry.data[CONF_MODEL],
        entry_type=dr.DeviceEntryType.SERVICE,
    )


class McpServerEntity(Entity):
    """Something to be seen of an MCP server; follows its session."""

    _attr_has_entity_name = True
    _attr_should_poll = False
    _attr_entity_category = EntityCategory.DIAGNOSTIC

    def __init__(self, entry: McpConfigEntry, description: EntityDescription) -> None:
        """Take the server's entry, and what is to be seen of it."""
        self.entity_description = description
        self._session = entry.runtime_data
        self._attr_unique_id = f"{entry.entry_id}_{description.key}"
        self._attr_device_info = device_of(entry)

    @override
    async def async_added_to_hass(self) -> None:
        """Follow the session."""
        self.async_on_remove(self._session.async_add_listener(self.async_write_ha_state))
