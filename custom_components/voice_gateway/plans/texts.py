"""The integration's own texts, where nobody has asked a question just now."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers.translation import async_get_translations

from ..const import DOMAIN
from ..heard.sentences import without_region


async def async_text(hass: HomeAssistant, language: str, key: str) -> str:
    """Return one of the texts of `exceptions` in a language, with its placeholders."""
    texts = await async_get_translations(hass, without_region(language), "exceptions", [DOMAIN])
    return texts[f"component.{DOMAIN}.exceptions.{key}.message"]
