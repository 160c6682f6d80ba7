"""The models that a form offers for download, with what they take."""

import os

from homeassistant.core import HomeAssistant
from homeassistant.helpers.selector import SelectOptionDict
from homeassistant.helpers.translation import async_get_translations
from yarl import URL

from ..const import DOMAIN
from ..models.ollama.recommended import for_memory

_HERE = ("localhost", "127.0.0.1", "::1")
_GIGABYTE = 10**9


async def async_downloads(hass: HomeAssistant, url: str) -> list[SelectOptionDict]:
    """Return the recommended models for an Ollama server at an address, the one that suits it first."""
    path = f"component.{DOMAIN}.selector.recommended_model.options."
    texts = await async_get_translations(hass, hass.config.language, "selector", [DOMAIN])
    decimal = texts[f"{path}decimal"]
    return [
        SelectOptionDict(
            value=model.name,
            label=texts[f"{path}takes"].format(
                name=model.name,
                download=f"{model.download:g}".replace(".", decimal),
                memory=model.memory,
            ),
        )
        for model in for_memory(_memory(url))
    ]


def _memory(url: str) -> float | None:
    """Return the memory of a server's computer in gigabytes, where it is this one."""
    if URL(url).host not in _HERE:
        return None
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / _GIGABYTE
    except OSError, ValueError:
        return None
