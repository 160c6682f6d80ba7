"""The forms for a provider's options: the search provider, and the agents that get our tools."""

from collections.abc import Mapping
from typing import Any

import aiohttp
from homeassistant.config_entries import ConfigFlowResult, OptionsFlow
from homeassistant.helpers.selector import BooleanSelector
import probatio

from ..addresses import secrets_of_address
from ..const import (
    CONF_BRAVE_API_KEY,
    CONF_OFFER_TOOLS,
    CONF_SEARCH_PROVIDER,
    CONF_SEARXNG_URL,
    DEFAULTS,
    LOGGER,
    SearchProvider,
)
from ..header_values import is_sendable
from ..redactor import Redactor
from ..tools.builtin.web_search import search_engine
from .fields import PASSWORD, URL_FIELD, Fields, select_list
from .server_urls import ollama_url
from .steps import FormError, Forms
from .stored_secrets import StoredSecrets

_CHOICE: Fields = {
    probatio.Required(CONF_SEARCH_PROVIDER, default=SearchProvider.NONE): select_list(
        list(SearchProvider), translation_key=CONF_SEARCH_PROVIDER
    ),
    probatio.Required(CONF_OFFER_TOOLS, default=DEFAULTS[CONF_OFFER_TOOLS]): BooleanSelector(),
}
# A query for which every search engine has results.
_QUERY = "Home Assistant"


class ProviderOptionsFlow(Forms, OptionsFlow):
    """Set up web search, and whether other agents get our tools.

    A search provider's settings are asked for after it was chosen, and tried.
    """

    def __init__(self) -> None:
        """Begin with nothing chosen."""
        self._chosen: dict[str, Any] = {}

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for a search provider, and for the agents that get our tools.

        The settings of a provider that is no longer chosen are deleted.
        """
        if user_input is None:
            return self._form("init", _CHOICE, self._stored.shown)
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
        """Ask for the instance's address, and search with it."""
        fields: Fields = {probatio.Required(CONF_SEARXNG_URL): URL_FIELD}
        return await self._async_ask("searxng", fields, user_input)

    async def async_step_brave(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for a key, and search with it; the stored one is kept if the field is empty."""
        is_known = CONF_BRAVE_API_KEY in self.config_entry.options
        key = probatio.Optional if is_known else probatio.Required
        fields = {key(CONF_BRAVE_API_KEY): PASSWORD}
        return await self._async_ask("brave", fields, user_input)

    async def _async_ask(
        self, step_id: str, fields: Fields, user_input: dict[str, Any] | None
    ) -> ConfigFlowResult:
        """Ask for a provider's settings, and try them."""
        shown, answer = self._stored.shown, None
        if user_input is not None:
            shown = user_input
            entered = self._stored.restored(user_input, keeps=step_id == "brave")
            answer = self._async_try(entered)
        return await self._ask(step_id, fields, shown, answer)

    async def _async_try(self, entered: Mapping[str, Any]) -> ConfigFlowResult:
        """Store the settings and the choice if a search works; raises FormError."""
        options = {**self._chosen, **_read(entered)}
        engine, provider = search_engine(self.hass, options), options[CONF_SEARCH_PROVIDER]
        assert engine
        try:
            await engine(_QUERY)
        except aiohttp.ClientResponseError as err:
            LOGGER.debug("The search was refused: HTTP %d", err.status)
            raise FormError({"base": f"{provider}_refused"}) from err
        except (aiohttp.ClientError, TimeoutError, OSError) as err:
            raise FormError({"base": f"{provider}_unreachable"}) from err
        except (ValueError, AttributeError, TypeError) as err:
            raise FormError({"base": f"{provider}_not_understood"}) from err
        return self.async_create_entry(data=options)

    @property
    def _stored(self) -> StoredSecrets:
        options = self.config_entry.options
        secrets = Redactor(secrets_of_address(options.get(CONF_SEARXNG_URL, "")))
        return StoredSecrets(options, secrets, CONF_BRAVE_API_KEY)


def _read(user_input: Mapping[str, str]) -> dict[str, str]:
    """Return the address of an instance, which may be its search page's, or a key."""
    if (key := user_input.get(CONF_BRAVE_API_KEY)) is not None:
        if not (key := key.strip()) or not is_sendable(key):
            raise FormError({CONF_BRAVE_API_KEY: "invalid_characters" if key else "key_missing"})
        return {CONF_BRAVE_API_KEY: key}
    address = user_input[CONF_SEARXNG_URL]
    if "://" not in address or (url := ollama_url(address)) is None:
        raise FormError({CONF_SEARXNG_URL: "invalid_url"})
    return {CONF_SEARXNG_URL: url.removesuffix("/search")}
