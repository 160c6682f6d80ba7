"""Whether an MCP server is connected."""

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
    """Add the connection of an MCP server."""
    async_add_entities([McpConnection(entry, CONNECTION)])


class McpConnection(McpServerEntity, BinarySensorEntity):
    """On while the server is connected; else its `reason` says why not."""

    _unrecorded_attributes = frozenset({"reason"})

    @property
    @override
    def is_on(self) -> bool:
        """Return True if the server is connected."""
        return self._session.state is SessionState.CONNECTED

    @property
    @override
    def extra_state_attributes(self) -> dict[str, Any]:
        """Return why it is not connected, in words."""
        err = self._session.last_error
        return {"reason": str(err) if err else None}
