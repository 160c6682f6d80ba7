"""How many tools an MCP server offers."""

from typing import Any, override

from homeassistant.components.sensor import SensorEntity, SensorEntityDescription, SensorStateClass
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import McpServerEntity
from .mcp_servers.entry import McpConfigEntry
from .mcp_servers.session import SessionState

PARALLEL_UPDATES = 0

TOOLS = SensorEntityDescription(
    key="tools", translation_key="tools", state_class=SensorStateClass.MEASUREMENT
)


async def async_setup_entry(
    hass: HomeAssistant,
    entry: McpConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Add the number of an MCP server's tools."""
    async_add_entities([McpToolCount(entry, TOOLS)])


class McpToolCount(McpServerEntity, SensorEntity):
    """The number of tools for agents; unknown while the server is not connected."""

    _unrecorded_attributes = frozenset({"skipped"})

    @property
    @override
    def available(self) -> bool:
        """Tell whether the server is connected."""
        return self._session.state is SessionState.CONNECTED

    @property
    @override
    def native_value(self) -> int:
        """Return the number of tools that are offered."""
        return len(self._session.offered_tools)

    @property
    @override
    def extra_state_attributes(self) -> dict[str, Any]:
        """Return the tools that can't be used, and why."""
        return {"skipped": self._session.skipped_tools}
