"""What the user interface asks."""

from typing import Any, override

from homeassistant.config_entries import (
    ConfigEntry,
    ConfigFlowResult,
    ConfigSubentryFlow,
    OptionsFlow,
)
from homeassistant.core import callback

from .const import DOMAIN, SUBENTRY_CONVERSATION, EntryKind
from .flows.agent import AgentFlow
from .flows.ollama import OllamaSteps
from .flows.options import ProviderOptionsFlow


class VoiceGatewayConfigFlow(OllamaSteps, domain=DOMAIN):
    """Add what the gateway works with."""

    VERSION = 1
    MINOR_VERSION = 1

    @override
    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask what to add."""
        return self.async_show_menu(step_id="user", menu_options=[EntryKind.OLLAMA])

    @classmethod
    @callback
    @override
    def async_get_supported_subentry_types(
        cls, config_entry: ConfigEntry
    ) -> dict[str, type[ConfigSubentryFlow]]:
        """Return what can be added to an entry."""
        return {SUBENTRY_CONVERSATION: AgentFlow}

    @staticmethod
    @callback
    @override
    def async_get_options_flow(config_entry: ConfigEntry) -> OptionsFlow:
        """Return the flow for a provider's options."""
        return ProviderOptionsFlow()
