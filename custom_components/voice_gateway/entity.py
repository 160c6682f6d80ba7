"""What the entities of an MCP server have in common."""

from typing import override

from homeassistant.const import EntityCategory
from homeassistant.helpers.entity import Entity, EntityDescription

from .mcp_servers.entry import McpConfigEntry, device_of


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
