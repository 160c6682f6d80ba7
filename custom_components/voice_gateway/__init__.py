"""Voice Gateway: a conversation agent that gets small models to do what was said."""

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_API_KEY, CONF_URL, Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import config_validation as cv

from .const import DOMAIN
from .models.ollama import OllamaServer

CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)
type VoiceGatewayConfigEntry = ConfigEntry[OllamaServer]

PLATFORMS = (Platform.CONVERSATION,)


async def async_setup_entry(hass: HomeAssistant, entry: VoiceGatewayConfigEntry) -> bool:
    """Set up a model server. It is not asked anything: an agent that is there can say what is wrong."""
    entry.runtime_data = OllamaServer(hass, entry.data[CONF_URL], entry.data.get(CONF_API_KEY))
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    entry.async_on_unload(entry.add_update_listener(_async_reload))
    return True


async def async_unload_entry(hass: HomeAssistant, entry: VoiceGatewayConfigEntry) -> bool:
    """Unload a model server's agents."""
    return await hass.config_entries.async_unload_platforms(entry, PLATFORMS)


async def _async_reload(hass: HomeAssistant, entry: VoiceGatewayConfigEntry) -> None:
    """Take over what was changed in the entry, its options or its agents."""
    await hass.config_entries.async_reload(entry.entry_id)
