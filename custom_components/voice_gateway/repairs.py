"""Repair flows for unreachable MCP servers, new tools, and agents whose model fails."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, cast

from homeassistant.components.repairs import (
    ConfirmRepairFlow,
    FlowType,
    RepairsFlow,
    RepairsFlowResult,
)
from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    ConfigEntry,
    ConfigEntryState,
    ConfigSubentry,
)
from homeassistant.const import CONF_MODEL
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import AbortFlow, FlowResultType
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.selector import SelectOptionDict
import probatio

from .const import CONF_NUM_CTX, CONF_TOOLS, DOMAIN, LOGGER, MAX_NUM_CTX, MIN_NUM_CTX, option
from .flows.fields import Fields, select_dropdown, whole
from .flows.mcp_tools import async_words, ticks, tool_selector
from .flows.ollama_model import TOOLS_MARK, async_models
from .mcp_servers.entry import McpConfigEntry, async_choose
from .mcp_servers.repair_issues import AT_ONCE, about
from .mcp_servers.session import McpSession, SessionState
from .mcp_servers.settings import ToolSelection
from .mcp_servers.tool import McpTool
from .models.anthropic.server import AnthropicServer
from .models.client import ModelError
from .models.ollama.server import OllamaServer
from .models.openai.server import OpenAIServer
from .models.provider import ModelServer, ProviderConfigEntry
from .plans.store import ISSUE_FILE, ISSUE_SOME
from .turn.repair_issues import AgentProblem


class EntryFlow(RepairsFlow):
    """Repair an entry; changing the entry's settings is always an option."""

    def __init__(self, entry: ConfigEntry[Any]) -> None:
        """Take the entry."""
        self._entry = entry

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Open the form with the server's connection settings."""
        form = await self.hass.config_entries.flow.async_init(
            DOMAIN, context={"source": SOURCE_RECONFIGURE, "entry_id": self._entry.entry_id}
        )
        # The issue is deleted when the server connects, not before.
        return self.async_abort(
            reason="reconfigure", next_flow=(FlowType.CONFIG_FLOW, form["flow_id"])
        )

    def _check_loaded(self) -> None:
        """Raise AbortFlow if the entry is removed or not loaded."""
        if self._entry.state is not ConfigEntryState.LOADED:
            raise AbortFlow("entry_not_loaded")

    def _ask(
        self,
        step_id: str,
        fields: Fields,
        errors: dict[str, str] | None = None,
        words: dict[str, str] | None = None,
    ) -> RepairsFlowResult:
        return self.async_show_form(
            step_id=step_id,
            data_schema=probatio.Schema(fields),
            errors=errors,
            description_placeholders=words or self._words,
        )

    def _offer(self, step_id: str, *options: str) -> RepairsFlowResult:
        return self.async_show_menu(
            step_id=step_id, menu_options=list(options), description_placeholders=self._words
        )

    @property
    def _words(self) -> dict[str, str] | None:
        """The placeholders of the issue's texts."""
        issue = ir.async_get(self.hass).async_get_issue(DOMAIN, self.issue_id)
        return issue.translation_placeholders if issue else None


class AbsentServerFlow(EntryFlow):
    """Retry an MCP server, or change its connection settings; show the current error each time."""

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Show the error, and offer the options."""
        return self._offer("init", "retry", "reconfigure")

    async def async_step_retry(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Try to connect now."""
        if await _connects(self._entry.runtime_data):
            return self.async_create_entry(data={})
        return await self.async_step_still_failing()

    async def async_step_still_failing(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Show the current error, and offer the same options again."""
        return self._offer("still_failing", "retry", "reconfigure")


class AgentFlow(EntryFlow):
    """Repair an agent or an AI task; the choice is saved in its settings."""

    _entry: ProviderConfigEntry

    def __init__(self, entry: ProviderConfigEntry, subentry_id: str) -> None:
        """Take the agent's entry and the id of its subentry."""
        super().__init__(entry)
        self._subentry_id = subentry_id

    @property
    def _agent(self) -> ConfigSubentry:
        """The agent's subentry; raises AbortFlow if it is removed."""
        self._check_loaded()
        if (subentry := self._entry.subentries.get(self._subentry_id)) is None:
            raise AbortFlow("entry_not_loaded")
        return subentry

    def _keep(self, **values: Any) -> RepairsFlowResult:
        """Change the agent's settings, which sets it up again."""
        agent = self._agent
        self.hass.config_entries.async_update_subentry(
            self._entry, agent, data={**agent.data, **values}
        )
        return self.async_create_entry(data={})


class OtherModelFlow(AgentFlow):
    """Choose another model, or open the agent's settings to download one."""

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Show the error, and offer the options."""
        return self._offer("init", "choose", "settings")

    async def async_step_choose(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Ask for one of the server's other models."""
        if user_input is not None:
            return self._keep(**user_input)
        model = self._agent.data[CONF_MODEL]
        try:
            choices = await _choices(self._entry.runtime_data)
        except ModelError as err:
            LOGGER.debug("No list of models: %s", err.detail)
            return self.async_abort(reason=err.reason)
        others = [choice for choice in choices if choice["value"] != model]
        if not others:
            return await self.async_step_settings()
        return self._ask("choose", {probatio.Required(CONF_MODEL): select_dropdown(others)})

    async def async_step_settings(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Open the agent's own form."""
        form = await self.hass.config_entries.subentries.async_init(
            (self._entry.entry_id, self._agent.subentry_type),
            context={"source": SOURCE_RECONFIGURE, "subentry_id": self._subentry_id},
        )
        if form["type"] is FlowResultType.ABORT:
            return self.async_abort(reason=form["reason"])
        # The issue is deleted when the agent answers, not before.
        return self.async_abort(
            reason="settings", next_flow=(FlowType.CONFIG_SUBENTRIES_FLOW, form["flow_id"])
        )


class LongerContextFlow(AgentFlow):
    """Raise the model's context length."""

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Begin with the only form."""
        return await self.async_step_context()

    async def async_step_context(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Ask for a context length, and suggest twice the current one."""
        if user_input is not None:
            return self._keep(**user_input)
        double = min(2 * option(self._agent.data, CONF_NUM_CTX), MAX_NUM_CTX)
        field = probatio.Required(CONF_NUM_CTX, default=double)
        return self._ask("context", {field: whole(MIN_NUM_CTX, MAX_NUM_CTX)})


class UnreachableFlow(EntryFlow):
    """Retry a model server, or change its connection settings."""

    _entry: ProviderConfigEntry

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Show the error, and offer the options."""
        return self._offer("init", "retry", "reconfigure")

    async def async_step_retry(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Request the server's models; if that fails, show why, and offer to retry."""
        self._check_loaded()
        try:
            await self._entry.runtime_data.models()
        except ModelError as err:
            LOGGER.debug("Still no answer: %s", err.detail)
            return self._ask("retry", {}, {"base": err.reason})
        return self.async_create_entry(data={})


class NewToolsFlow(EntryFlow):
    """Ask which new tools agents may use, a few at a time.

    Tools that the user does not select stay disabled and are not offered again. The selection
    applies to the tools as shown: a tool that changed meanwhile is shown again.
    """

    _entry: McpConfigEntry
    _tools: Sequence[McpTool] = ()

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Begin with the only form."""
        self._check_loaded()
        return await self._async_show(self._entry.runtime_data.settings.choice)

    async def async_step_tools(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Save the selection."""
        self._check_loaded()
        choice = self._entry.runtime_data.settings.choice
        if user_input is not None:
            choice = choice.having(self._tools, user_input[CONF_TOOLS])
            async_choose(self.hass, self._entry, choice)
        return await self._async_show(choice)

    async def _async_show(self, choice: ToolSelection) -> RepairsFlowResult:
        """Show the next new tools, none of them selected; finish when none is left."""
        self._tools = choice.waiting(self._entry.runtime_data.choosable)[:AT_ONCE]
        if not self._tools:
            return self.async_create_entry(data={})
        selector = tool_selector(self._tools, await async_words(self.hass), choice)
        words = about(self._entry, self._tools)
        return self._ask("tools", {ticks(()): selector}, words=words)


async def async_create_fix_flow(
    hass: HomeAssistant, issue_id: str, data: dict[str, str | int | float | None] | None
) -> RepairsFlow:
    """Return the flow for an issue."""
    if issue_id in (ISSUE_FILE, ISSUE_SOME):
        return ConfirmRepairFlow()
    assert data
    entry = hass.config_entries.async_get_known_entry(cast("str", data["entry_id"]))
    if "tools" in data:
        return NewToolsFlow(entry)
    if "trouble" not in data:
        return AbsentServerFlow(entry)
    if "subentry_id" not in data:
        return UnreachableFlow(entry)
    subentry_id = cast("str", data["subentry_id"])
    match AgentProblem(cast("str", data["trouble"])):
        case AgentProblem.GONE | AgentProblem.FAILS_OFTEN:
            return OtherModelFlow(entry, subentry_id)
        case AgentProblem.CONTEXT_TOO_SMALL:
            return LongerContextFlow(entry, subentry_id)


async def _connects(session: McpSession) -> bool:
    """Try to connect; return True if that succeeds."""
    ended = asyncio.Event()
    remove = session.async_add_listener(ended.set)
    session.async_retry()
    try:
        # After a timeout, the state decides.
        with suppress(TimeoutError):
            async with asyncio.timeout(session.settings.timings.connect):
                if session.state is not SessionState.CONNECTED:
                    await ended.wait()
    finally:
        remove()
    return session.state is SessionState.CONNECTED


async def _choices(server: ModelServer) -> list[SelectOptionDict]:
    """Return a server's models: Ollama's that can call tools, or the newest, first."""
    match server:
        case OllamaServer():
            names = [
                (each.name, f"{TOOLS_MARK} {each.name}" if each.calls_tools else each.name)
                for each in await async_models(server)
            ]
        case OpenAIServer():
            names = [(each.id, each.id) for each in await server.models()]
        case AnthropicServer():
            names = [(each.id, each.name) for each in await server.models()]
    return [SelectOptionDict(value=value, label=label) for value, label in names]
