"""The repair of an MCP server's tools that are new or have changed: somebody looks at them."""

from typing import Any

from homeassistant.components.repairs import RepairsFlow, RepairsFlowResult
from homeassistant.config_entries import ConfigEntryState
import probatio

from ..const import CONF_TOOLS
from ..mcp_servers.entry import McpConfigEntry, async_choose
from ..mcp_servers.repair_issues import AT_ONCE, about
from ..mcp_servers.tool import McpTool
from ..mcp_servers.tool_selection import ToolSelection
from .mcp_tools import async_words, ticks, tool_selector


class NewToolsFlow(RepairsFlow):
    """Ask which of the tools that nobody has ticked yet agents may use, some at a time.

    Those that are not ticked stay off, and are no news any more. What was seen is what is ticked:
    a tool that was changed meanwhile is shown again.
    """

    def __init__(self, entry: McpConfigEntry) -> None:
        """Take the server's entry."""
        self._entry = entry
        self._tools: list[McpTool] = []

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Begin with the only form."""
        if self._entry.state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        return await self._async_ask(self._entry.runtime_data.settings.choice)

    async def _async_ask(self, choice: ToolSelection) -> RepairsFlowResult:
        """Show the form for what nobody has ticked yet, until there is nothing of that."""
        self._tools = choice.waiting(self._entry.runtime_data.choosable)[:AT_ONCE]
        if not self._tools:
            return self.async_create_entry(data={})
        return await self.async_step_tools()

    async def async_step_tools(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Show the tools, none of them ticked."""
        if self._entry.state is not ConfigEntryState.LOADED:
            return self.async_abort(reason="entry_not_loaded")
        choice = self._entry.runtime_data.settings.choice
        if user_input is not None:
            choice = choice.having(self._tools, user_input[CONF_TOOLS])
            async_choose(self.hass, self._entry, choice)
            return await self._async_ask(choice)
        selector = tool_selector(self._tools, await async_words(self.hass), choice)
        return self.async_show_form(
            step_id="tools",
            data_schema=probatio.Schema({ticks(()): selector}),
            description_placeholders=about(self._entry, self._tools),
        )
