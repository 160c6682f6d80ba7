"""The connectivity sensor of an MCP server."""

from typing import Any, override

from homeassistant.components.binary_sensor import (
    BinarySensorDeviceClass,
    BinarySensorEntity,
    BinarySensorEntityDescription,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import McpServerEntity
from .mcp_servers.entry import McpConfigEntry
from .mcp_servers.session import SessionState

PARALLEL_UPDATES = 0

CONNECTION = BinarySensorEntityDescription(
    key="connection", device_class=BinarySensorDeviceClass.CONNECTIVITY
)


async def async_setup_entry(
    hass: HomeAssistant,
    entry: McpConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add an MCP server's connectivity sensor."""
    async_add_entities([McpConnection(entry, CONNECTION)])


class McpConnection(McpServerEntity, BinarySensorEntity):
    """On while the server is connected; the attribute `reason` holds the last error."""

    _unrecorded_attributes = frozenset({"reason"})

    @property
    @override
    def is_on(self) -> bool:
        """Return True if the server is connected."""
        return self._session.state is SessionState.CONNECTED

    @property
    @override
    def extra_state_attributes(self) -> dict[str, Any]:
        """Return the session's last error as a text."""
        err = self._session.last_error
        return {"reason": str(err) if err else None}
