"""The form for a provider's options: what the gateway's own tools need, and who may use them."""

from typing import Any

from homeassistant.config_entries import ConfigFlowResult, OptionsFlow
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
    SearchProvider,
)
from ..sendable import is_sendable
from .ollama import normalized_url

_SCHEMA = probatio.Schema(
    {
        probatio.Required(CONF_SEARCH_PROVIDER, default=SearchProvider.NONE): SelectSelector(
            SelectSelectorConfig(
                options=list(SearchProvider),
                translation_key=CONF_SEARCH_PROVIDER,
                mode=SelectSelectorMode.LIST,
            )
        ),
        probatio.Optional(CONF_SEARXNG_URL): TextSelector(
            TextSelectorConfig(type=TextSelectorType.URL)
        ),
        probatio.Optional(CONF_BRAVE_API_KEY): TextSelector(
            TextSelectorConfig(type=TextSelectorType.PASSWORD)
        ),
        probatio.Required(CONF_OFFER_TOOLS, default=DEFAULT_OFFER_TOOLS): BooleanSelector(),
    }
)


class ProviderOptionsFlow(OptionsFlow):
    """Set up web search, and whether other agents get our tools."""

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask for a search provider and what it needs, and for whom our tools are."""
        errors: dict[str, str] = {}
        if user_input is not None:
            url = _searxng(user_input.get(CONF_SEARXNG_URL, ""))
            key = user_input.get(CONF_BRAVE_API_KEY, "").strip()
            match user_input[CONF_SEARCH_PROVIDER]:
                case SearchProvider.SEARXNG if not url:
                    errors[CONF_SEARXNG_URL] = "invalid_url"
                case SearchProvider.BRAVE if not key:
                    errors[CONF_BRAVE_API_KEY] = "key_missing"
            if not is_sendable(key):
                errors[CONF_BRAVE_API_KEY] = "invalid_characters"
            if not errors:
                said = {CONF_SEARXNG_URL: url, CONF_BRAVE_API_KEY: key}
                data = user_input | {name: value for name, value in said.items() if value}
                return self.async_create_entry(data=data)
        return self.async_show_form(
            step_id="init",
            data_schema=self.add_suggested_values_to_schema(
                _SCHEMA, user_input or self.config_entry.options
            ),
            errors=errors,
        )


def _searxng(address: str) -> str | None:
    """Return an instance's address, given also as that of its search; None where it is none."""
    url = normalized_url(address) if "://" in address else None
    return url.removesuffix("/search") if url else None
