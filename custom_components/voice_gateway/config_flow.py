"""The config flow."""

from collections.abc import Mapping
from typing import Any, override

from homeassistant.config_entries import (
    SOURCE_USER,
    ConfigEntry,
    ConfigFlowResult,
    ConfigSubentryFlow,
    FlowType,
    OptionsFlow,
)
from homeassistant.core import callback
from homeassistant.data_entry_flow import FlowResultType

from .const import (
    CONF_KIND,
    DOMAIN,
    MCP_KINDS,
    MODEL_KINDS,
    SUBENTRY_AI_TASK,
    SUBENTRY_CONVERSATION,
    EntryKind,
)
from .flows.agent import AnthropicAgentFlow, OllamaAgentFlow, OpenAIAgentFlow
from .flows.ai_task import AnthropicTaskFlow, OllamaTaskFlow, OpenAITaskFlow
from .flows.mcp_agents import async_grant
from .flows.mcp_paste import CONF_PASTED, McpPasteSteps
from .flows.mcp_tools import McpOptionsFlow
from .flows.options import ProviderOptionsFlow
from .flows.provider import ProviderSteps
from .flows.steps import FlowStep
from .flows.zwave import ZwaveSteps
from .mcp_servers.entry import api_id_of

_USES: dict[str, tuple[type[ConfigSubentryFlow], type[ConfigSubentryFlow]]] = {
    EntryKind.OLLAMA: (OllamaAgentFlow, OllamaTaskFlow),
    EntryKind.OPENAI: (OpenAIAgentFlow, OpenAITaskFlow),
    EntryKind.ANTHROPIC: (AnthropicAgentFlow, AnthropicTaskFlow),
}


class VoiceGatewayConfigFlow(ProviderSteps, McpPasteSteps, ZwaveSteps, domain=DOMAIN):
    """Add a model server or an MCP server."""

    # Version of the entries' data. Older releases can read a higher minor version; with a higher
    # major version Home Assistant refuses to load the entry. Raising either needs an
    # `async_migrate_entry` in `__init__.py`.
    VERSION = 1
    MINOR_VERSION = 1

    @override
    async def async_step_user(self, user_input: dict[str, Any] | None = None) -> ConfigFlowResult:
        """Ask what to add, or continue with the pasted configuration."""
        if user_input is not None:
            self._pasted = user_input[CONF_PASTED]
            return await self.async_step_mcp_next()
        return self.async_show_menu(
            step_id="user",
            menu_options=[
                EntryKind.OLLAMA,
                EntryKind.OPENAI,
                EntryKind.ANTHROPIC,
                EntryKind.ZWAVE,
                EntryKind.MCP_URL,
                EntryKind.MCP_COMMAND,
                "mcp_paste",
            ],
        )

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> ConfigFlowResult:
        """Change a server's connection settings; each kind has its own form."""
        kind = self._get_reconfigure_entry().data[CONF_KIND]
        step: FlowStep = getattr(self, f"async_step_{kind}_reconfigure")
        return await step(user_input)

    async def async_step_reauth(self, entry_data: Mapping[str, Any]) -> ConfigFlowResult:
        """Ask for new credentials; each kind has its own form."""
        kind = entry_data[CONF_KIND]
        if kind == EntryKind.OLLAMA:
            return await self.async_step_reauth_confirm()
        step: FlowStep = getattr(self, f"async_step_{kind}_reauth")
        return await step()

    @override
    async def async_on_create_entry(self, result: ConfigFlowResult) -> ConfigFlowResult:
        """Continue with the first agent of a model server, or with the next pasted server."""
        entry = result["result"]
        # An ignored discovery also creates an entry, which has no kind.
        if entry.data.get(CONF_KIND) in MODEL_KINDS:
            form = await self.hass.config_entries.subentries.async_init(
                (entry.entry_id, SUBENTRY_CONVERSATION), context={"source": SOURCE_USER}
            )
            if form["type"] is FlowResultType.FORM:
                result["next_flow"] = (FlowType.CONFIG_SUBENTRIES_FLOW, form["flow_id"])
        elif entry.data.get(CONF_KIND) in MCP_KINDS:
            async_grant(self.hass, api_id_of(entry), self._agents)
            if next_flow := await self._async_next_pasted():
                result["next_flow"] = next_flow
        return result

    @classmethod
    @callback
    @override
    def async_get_supported_subentry_types(
        cls, config_entry: ConfigEntry
    ) -> dict[str, type[ConfigSubentryFlow]]:
        """Return the subentry types of an entry, with their flows."""
        if config_entry.data[CONF_KIND] not in _USES:
            return {}
        agent, task = _USES[config_entry.data[CONF_KIND]]
        return {SUBENTRY_CONVERSATION: agent, SUBENTRY_AI_TASK: task}

    @staticmethod
    @callback
    @override
    def async_get_options_flow(config_entry: ConfigEntry) -> OptionsFlow:
        """Return the flow for a provider's or an MCP server's options."""
        if config_entry.data[CONF_KIND] in MCP_KINDS:
            return McpOptionsFlow()
        return ProviderOptionsFlow()
