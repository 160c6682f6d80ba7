"""Base classes for the entities of a model server and of an MCP server."""

from typing import override

from homeassistant.components import conversation
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_MODEL, EntityCategory
from homeassistant.core import Context
from homeassistant.helpers import device_registry as dr, llm
from homeassistant.helpers.entity import Entity, EntityDescription

from .const import CONF_KIND, DOMAIN, EntryKind
from .mcp_servers.entry import McpConfigEntry, device_of
from .models.provider import ProviderConfigEntry

_MANUFACTURERS = {
    EntryKind.OLLAMA: "Ollama",
    EntryKind.OPENAI: "OpenAI-compatible",
    EntryKind.ANTHROPIC: "Anthropic",
}


class UseEntity(Entity):
    """An entity of an agent or of an AI task."""

    _attr_has_entity_name = True

    def __init__(
        self, entry: ProviderConfigEntry, subentry: ConfigSubentry, key: str | None = None
    ) -> None:
        """Take the subentry; `key` is the unique id's suffix for all but its main entity."""
        self._entry = entry
        self._subentry = subentry
        self._attr_unique_id = "_".join(filter(None, (subentry.subentry_id, key)))
        self._attr_device_info = dr.DeviceInfo(
            identifiers={(DOMAIN, subentry.subentry_id)},
            name=subentry.title,
            manufacturer=_MANUFACTURERS[EntryKind(entry.data[CONF_KIND])],
            model=subentry.data[CONF_MODEL],
            entry_type=dr.DeviceEntryType.SERVICE,
        )

    def _llm_context(
        self,
        language: str | None = None,
        context: Context | None = None,
        agent_id: str | None = None,
    ) -> llm.LLMContext:
        """Return the context of calls, without a device; the home is as exposed to Assist."""
        return llm.LLMContext(
            platform=DOMAIN,
            context=context,
            language=language or self.hass.config.language,
            assistant=conversation.DOMAIN,
            device_id=None,
            agent_id=agent_id or self.entity_id,
        )


class McpServerEntity(Entity):
    """An entity of an MCP server that follows its session."""

    _attr_has_entity_name = True
    _attr_should_poll = False
    _attr_entity_category = EntityCategory.DIAGNOSTIC

    def __init__(self, entry: McpConfigEntry, description: EntityDescription) -> None:
        """Take the server's entry, and the entity's description."""
        self.entity_description = description
        self._session = entry.runtime_data
        self._attr_unique_id = f"{entry.entry_id}_{description.key}"
        self._attr_device_info = device_of(entry)

    @override
    async def async_added_to_hass(self) -> None:
        """Follow the session."""
        self.async_on_remove(self._session.async_add_listener(self.async_write_ha_state))
