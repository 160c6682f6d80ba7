"""The integration's own texts, translated to the user's language."""

from collections.abc import Mapping

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.translation import async_get_translations
from homeassistant.util.language import Dialect

from .const import DOMAIN


async def async_text(
    hass: HomeAssistant, language: str, key: str, placeholders: Mapping[str, str] | None = None
) -> str:
    """Return one of the texts of `exceptions` in a language."""
    texts = await async_get_translations(hass, without_region(language), "exceptions", [DOMAIN])
    return texts[f"component.{DOMAIN}.exceptions.{key}.message"].format(**(placeholders or {}))


async def async_texts(hass: HomeAssistant, category: str, path: str) -> dict[str, str]:
    """Return the texts below a path of a category, by the rest of their keys."""
    start = f"component.{DOMAIN}.{category}.{path}."
    texts = await async_get_translations(hass, hass.config.language, category, [DOMAIN])
    return {key.removeprefix(start): text for key, text in texts.items() if key.startswith(start)}


def without_region(language: str) -> str:
    """Return the language of the translations: de for de-DE or a speech engine's de_DE."""
    return Dialect.parse(language).language


def translated[Error: HomeAssistantError](
    kind: type[Error], key: str, **placeholders: str
) -> Error:
    """Return an error with one of the texts of `exceptions`."""
    return kind(
        translation_domain=DOMAIN, translation_key=key, translation_placeholders=placeholders
    )
