"""The repair issues of a server: it is unavailable, has other tools, or is this Home Assistant."""

from collections.abc import Sequence
from itertools import chain
import textwrap
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_ACCESS_TOKEN, CONF_TOKEN
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from .. import untrusted_text
from ..const import CONF_KIND, DOMAIN, MCP_KINDS
from .errors import McpError
from .session import SessionState
from .tool import McpTool

# Of a server's stderr, the lines in an issue; diagnostics have them all.
_LINES = 10
# Characters that a dialog has room for.
_WIDTH = 68
AT_ONCE = 10
"""Maximum number of tools in one dialog, with all their texts for models."""


@callback
def async_tell_of_failure(hass: HomeAssistant, entry: ConfigEntry[Any], err: McpError) -> None:
    """Report that a server is unusable, with the reason, advice, and the working servers."""
    placeholders = {
        "name": untrusted_text.name(entry.title),
        "reason": untrusted_text.quoted(err.detail),
        "stderr": stderr_block(err),
        "others": _others(hass, entry),
    }
    key = f"{entry.data[CONF_KIND]}_failed"
    _tell(hass, entry, "mcp_server", key, placeholders, entry_id=entry.entry_id)


@callback
def async_tell_of_itself(hass: HomeAssistant, entry: ConfigEntry[Any]) -> None:
    """Report that a server whose login we issued ourselves is this Home Assistant."""
    token = entry.data.get(CONF_TOKEN, entry.data).get(CONF_ACCESS_TOKEN)
    is_here = token and hass.auth.async_validate_access_token(token)
    key = "mcp_is_this_home" if is_here else None
    _tell(hass, entry, "mcp_is_this_home", key, {"name": untrusted_text.name(entry.title)})


@callback
def async_tell_of_tools(
    hass: HomeAssistant, entry: ConfigEntry[Any], waiting: Sequence[McpTool]
) -> None:
    """Report the tools that the user has not ticked yet."""
    key = "mcp_tools_waiting" if waiting else None
    about_them = about(entry, waiting)
    _tell(hass, entry, "mcp_tools", key, about_them, entry_id=entry.entry_id, tools=True)


@callback
def async_withdraw(
    hass: HomeAssistant,
    entry: ConfigEntry[Any],
    issues: Sequence[str] = ("mcp_server", "mcp_tools", "mcp_is_this_home"),
) -> None:
    """Withdraw issues of a server, all of them by default."""
    for issue in issues:
        _tell(hass, entry, issue, None)


def _tell(
    hass: HomeAssistant,
    entry: ConfigEntry[Any],
    issue: str,
    key: str | None,
    placeholders: dict[str, str] | None = None,
    **data: Any,
) -> None:
    """Raise an issue, with `data` for the form that solves it; without a key, withdraw it."""
    issue_id = f"{issue}_{entry.entry_id}"
    if key is None:
        ir.async_delete_issue(hass, DOMAIN, issue_id)
        return
    ir.async_create_issue(
        hass,
        DOMAIN,
        issue_id,
        data=data or None,
        is_fixable=bool(data),
        severity=ir.IssueSeverity.WARNING,
        translation_key=key,
        translation_placeholders=placeholders,
    )


def about(entry: ConfigEntry[Any], tools: Sequence[McpTool]) -> dict[str, str]:
    """Return tools as placeholders: their names, and their texts for models as Markdown."""
    shown, more = tools[:AT_ONCE], f" +{len(tools) - AT_ONCE}" if len(tools) > AT_ONCE else ""
    # As long as one that is shown completely.
    said = (
        textwrap.wrap(f"{tool.name}: {tool.description}", untrusted_text.SENTENCE) for tool in shown
    )
    names = ", ".join(untrusted_text.quoted(tool.name) for tool in shown) + more
    described = _block([*chain.from_iterable(said)])
    return {"name": entry.title, "tools": names, "described": described}


def stderr_block(err: McpError) -> str:
    """Return the end of a server's stderr as Markdown that shows it literally."""
    return _block(err.stderr[-_LINES:])


def _block(lines: Sequence[str]) -> str:
    wrapped = (textwrap.wrap(line, _WIDTH) or [""] for line in map(untrusted_text.sentence, lines))
    text = "\n".join(chain.from_iterable(wrapped)).replace("```", "'''")
    return f"\n\n```\n{text}\n```" if lines else ""


def _others(hass: HomeAssistant, entry: ConfigEntry[Any]) -> str:
    names = [
        untrusted_text.name(other.title)
        for other in hass.config_entries.async_loaded_entries(DOMAIN)
        if other is not entry
        and other.data[CONF_KIND] in MCP_KINDS
        and other.runtime_data.state is SessionState.CONNECTED
    ]
    return ", ".join(names) or "–"
