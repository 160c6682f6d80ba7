"""The repair issue of a server that stays away."""

import textwrap
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from .. import showable
from ..const import CONF_KIND, DOMAIN, MCP_KINDS
from .errors import McpError
from .session import SessionState

# Of a server's stderr, the lines that are shown to people; diagnostics have them all.
_LINES = 10
# Characters that a dialog has room for.
_WIDTH = 68


@callback
def async_raise_issue(hass: HomeAssistant, entry: ConfigEntry[Any], err: McpError) -> None:
    """Tell that a server can't be used, why, what to check, and what goes on without it."""
    ir.async_create_issue(
        hass,
        DOMAIN,
        _issue_id(entry),
        data={"entry_id": entry.entry_id},
        is_fixable=True,
        severity=ir.IssueSeverity.WARNING,
        translation_key=f"{entry.data[CONF_KIND]}_failed",
        translation_placeholders={
            "name": showable.name(entry.title),
            "reason": showable.quoted(err.detail),
            "stderr": stderr_block(err),
            "others": _others(hass, entry),
        },
    )


@callback
def async_withdraw_issue(hass: HomeAssistant, entry: ConfigEntry[Any]) -> None:
    """Take the issue back: the server is there again, or is no longer wanted."""
    ir.async_delete_issue(hass, DOMAIN, _issue_id(entry))


def stderr_block(err: McpError) -> str:
    """Return the end of a server's stderr as Markdown that shows it letter by letter."""
    if not err.stderr:
        return ""
    lines = map(showable.sentence, err.stderr[-_LINES:])
    folded = (part for line in lines for part in textwrap.wrap(line, _WIDTH) or [""])
    text = "\n".join(folded).replace("```", "'''")
    return f"\n\n```\n{text}\n```"


def _others(hass: HomeAssistant, entry: ConfigEntry[Any]) -> str:
    """Return the names of the servers that work."""
    names = [
        showable.name(other.title)
        for other in hass.config_entries.async_loaded_entries(DOMAIN)
        if other is not entry
        and other.data[CONF_KIND] in MCP_KINDS
        and other.runtime_data.state is SessionState.CONNECTED
    ]
    return ", ".join(names) or "–"


def _issue_id(entry: ConfigEntry[Any]) -> str:
    return f"mcp_server_{entry.entry_id}"
