"""What can be done about an MCP server that stays away."""

import asyncio
from typing import Any, cast

from homeassistant.components.repairs import FlowType, RepairsFlow, RepairsFlowResult
from homeassistant.config_entries import SOURCE_RECONFIGURE
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir

from .const import DOMAIN
from .mcp_servers.entry import McpConfigEntry
from .mcp_servers.session import McpSession, SessionState


class AbsentServerFlow(RepairsFlow):
    """Try again, or change how the server is reached; what is wrong is said anew each time."""

    def __init__(self, entry: McpConfigEntry) -> None:
        """Take the server's entry."""
        self._entry = entry

    async def async_step_init(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Say what is wrong, and offer what can be done."""
        return self._offer("init")

    async def async_step_retry(self, user_input: dict[str, Any] | None = None) -> RepairsFlowResult:
        """Let the server be tried now."""
        if await _connects(self._entry.runtime_data):
            return self.async_create_entry(data={})
        return await self.async_step_still_failing()

    async def async_step_still_failing(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Say what is wrong now, and offer the same again."""
        return self._offer("still_failing")

    async def async_step_reconfigure(
        self, user_input: dict[str, Any] | None = None
    ) -> RepairsFlowResult:
        """Open the form that says how the server is reached."""
        form = await self.hass.config_entries.flow.async_init(
            DOMAIN, context={"source": SOURCE_RECONFIGURE, "entry_id": self._entry.entry_id}
        )
        # The issue goes when the server comes, not before.
        return self.async_abort(
            reason="reconfigure", next_flow=(FlowType.CONFIG_FLOW, form["flow_id"])
        )

    def _offer(self, step_id: str) -> RepairsFlowResult:
        issue = ir.async_get(self.hass).async_get_issue(DOMAIN, self.issue_id)
        return self.async_show_menu(
            step_id=step_id,
            menu_options=["retry", "reconfigure"],
            description_placeholders=issue.translation_placeholders if issue else None,
        )


async def async_create_fix_flow(
    hass: HomeAssistant, issue_id: str, data: dict[str, str | int | float | None] | None
) -> RepairsFlow:
    """Return the flow for an issue."""
    assert data
    return AbsentServerFlow(
        hass.config_entries.async_get_known_entry(cast("str", data["entry_id"]))
    )


async def _connects(session: McpSession) -> bool:
    """Make an attempt, and tell whether it succeeded."""
    ended = asyncio.Event()
    remove = session.async_add_listener(ended.set)
    session.async_retry()
    try:
        async with asyncio.timeout(session.settings.timings.connect):
            if session.state is not SessionState.CONNECTED:
                await ended.wait()
    except TimeoutError:
        pass
    finally:
        remove()
    return session.state is SessionState.CONNECTED
