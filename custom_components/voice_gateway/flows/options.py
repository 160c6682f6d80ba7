"""The forms for a provider's options: who searches the web, and for whom our tools are."""

from collections.abc import Mapping
from typing import Any

import aiohttp
from homeassistant.config_entries import ConfigFlowResult, OptionsFlow
from homeassistant.core import HomeAssistant
from homeassistant.helpers.selector import (
    BooleanSelector,
    SelectSelector,
    SelectSelectorConfig,
    SelectSelectorMode,
    TextSelector,
    TextSelectorConfig,
    TextSelectorType,
)
import probatio

from ..const import (
    CONF_BRAVE_API_KEY,
    CONF_OFFER_TOOLS,
    CONF_SEARCH_PROVIDER,
    CONF_SEARXNG_URL,
    DEFAULT_OFFER_TOOLS,
    LOGGER,
    SearchProvider,
)
from ..header_values import is_sendable
from ..tools.builtin.web_search import search_engine
from .ollama import normalized_url

_CHOICE = probatio.Schema(
    {
        probatio.Required(CONF_SEARCH_PROVIDER, default=SearchProvider.NONE): SelectSelector(
            SelectSelectorConfig(
                options=list(SearchProvider),
                translation_key=CONF_SEARCH_PROVIDER,
                mode=SelectSelectorMode.LIST,
            )
        ),
        probatio.Required(CONF_OFFER_TOOLS, default=DEFAULT_OFFER_TOOLS): BooleanSelector(),
    }
)
_SEARXNG = probatio.Schema(
    {
        probatio.Required(CONF_SEARXNG_URL): TextSelector(
            TextSelectorConfig(type=TextSelectorType.URL)
        )
    }
)
_BRAVE = probatio.Schema(
    {
        probatio.Required(CONF_BRAVE_API_KEY): TextSelector(
            TextSelectorConfig(type=TextSelectorType.PASSWORD)
        )
    }
)
# What every search engine knows something of.
_QUERY = "Home Assistant"


class ProviderOptionsFlow(OptionsFlow):
    """Set up web search, and whether other agents get our tools.

    What a search provider needs is asked after it was chosen, and tried.
    """

    def __init__(self) -> None:
        """Begin with nothing chosen."""
        self._chosen: dict[str, Any] = {}

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for a search provider, and for whom our tools are.

        Of a provider that is chosen no more, nothing is kept.
        """
        if user_input is None:
            return self._form("init", _CHOICE, self.config_entry.options)
        self._chosen = user_input
        match user_input[CONF_SEARCH_PROVIDER]:
            case SearchProvider.SEARXNG:
                return await self.async_step_searxng()
            case SearchProvider.BRAVE:
                return await self.async_step_brave()
            case _:
                return self.async_create_entry(data=user_input)

    async def async_step_searxng(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Ask where the instance is, and search with it."""
        if user_input is None:
            return self._form("searxng", _SEARXNG, self.config_entry.options)
        if (url := _instance(user_input[CONF_SEARXNG_URL])) is None:
            return self._form("searxng", _SEARXNG, user_input, {CONF_SEARXNG_URL: "invalid_url"})
        return await self._async_try({CONF_SEARXNG_URL: url}, "searxng", _SEARXNG, user_input)

    async def async_step_brave(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for a key, and search with it."""
        if user_input is None:
            return self._form("brave", _BRAVE, self.config_entry.options)
        key = user_input[CONF_BRAVE_API_KEY].strip()
        if not key or not is_sendable(key):
            wrong = "invalid_characters" if key else "key_missing"
            return self._form("brave", _BRAVE, user_input, {CONF_BRAVE_API_KEY: wrong})
        return await self._async_try({CONF_BRAVE_API_KEY: key}, "brave", _BRAVE, user_input)

    async def _async_try(
        self,
        needed: dict[str, str],
        step_id: str,
        schema: probatio.Schema,
        user_input: Mapping[str, Any],
    ) -> ConfigFlowResult:
        """Search once; keep what was chosen, and what it needs, where that works."""
        options = {**self._chosen, **needed}
        if wrong := await _async_fault(self.hass, options):
            return self._form(step_id, schema, user_input, {"base": wrong})
        return self.async_create_entry(data=options)

    def _form(
        self,
        step_id: str,
        schema: probatio.Schema,
        values: Mapping[str, Any],
        errors: dict[str, str] | None = None,
    ) -> ConfigFlowResult:
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(schema, values),
            errors=errors,
        )


async def _async_fault(hass: HomeAssistant, options: Mapping[str, Any]) -> str | None:
    """Return why a search with these options fails, if it does: an error's key."""
    engine, provider = search_engine(hass, options), options[CONF_SEARCH_PROVIDER]
    assert engine
    try:
        await engine(_QUERY)
    except aiohttp.ClientResponseError as err:
        LOGGER.debug("The search was refused: HTTP %d", err.status)
        return f"{provider}_refused"
    except aiohttp.ClientError, TimeoutError, OSError:
        return f"{provider}_unreachable"
    except ValueError, AttributeError, TypeError:
        return f"{provider}_not_understood"
    return None


def _instance(address: str) -> str | None:
    """Return an instance's address, given also as that of its search; None where it is none."""
    url = normalized_url(address) if "://" in address else None
    return url.removesuffix("/search") if url else None
