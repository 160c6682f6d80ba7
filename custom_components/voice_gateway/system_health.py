"""System health: how much is set up, and whether the servers answer."""

import asyncio
from collections.abc import Sequence
from typing import Any

from homeassistant.components.system_health import SystemHealthRegistration
from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import HomeAssistant, callback
from homeassistant.loader import async_get_integration

from . import untrusted_text
from .const import CONF_KIND, DOMAIN, MCP_KINDS, SUBENTRY_CONVERSATION, EntryKind
from .mcp_servers.session import McpSession, SessionState
from .models.client import ModelError
from .plans.plans import PLANS
from .texts import async_text

_KINDS = {
    "ollama_servers": (EntryKind.OLLAMA,),
    "openai_servers": (EntryKind.OPENAI,),
    "anthropic_accounts": (EntryKind.ANTHROPIC,),
    "mcp_servers": MCP_KINDS,
}


@callback
def async_register(hass: HomeAssistant, register: SystemHealthRegistration) -> None:
    """Register the system health callback."""
    register.async_register_info(_async_info)


async def _async_info(hass: HomeAssistant) -> dict[str, Any]:
    """Return the version, the number of agents, plans and servers, and whether servers answer."""
    integration = await async_get_integration(hass, DOMAIN)
    entries = hass.config_entries.async_entries(DOMAIN, include_disabled=False)
    agents = (entry.get_subentries_of_type(SUBENTRY_CONVERSATION) for entry in entries)
    servers = {
        name: [entry for entry in entries if entry.data[CONF_KIND] in kinds]
        for name, kinds in _KINDS.items()
    }
    return {
        "version": str(integration.version),
        "agents": sum(len([*each]) for each in agents),
        "plans": len(hass.data[PLANS].all),
        **{name: len(each) for name, each in servers.items()},
        # Home Assistant shows a coroutine's result when it is done.
        **{
            f"can_reach_{name.partition('_')[0]}": _async_can_reach(hass, each)
            for name, each in servers.items()
            if each
        },
    }


async def _async_can_reach(
    hass: HomeAssistant, entries: Sequence[ConfigEntry[Any]]
) -> str | dict[str, str]:
    """Return "ok", or the faults of the entries that fail."""
    found = await asyncio.gather(*(_async_fault(hass, entry) for entry in entries))
    faults = [
        f"{entry.title}: {fault}" for entry, fault in zip(entries, found, strict=True) if fault
    ]
    return {"type": "failed", "error": ", ".join(faults)} if faults else "ok"


async def _async_fault(hass: HomeAssistant, entry: ConfigEntry[Any]) -> str | None:
    """Return a text that explains why an entry's server can't be used; None if it can."""
    language = hass.config.language
    if entry.state is not ConfigEntryState.LOADED:
        return await async_text(hass, language, "entry_not_loaded")
    if entry.data[CONF_KIND] in MCP_KINDS:
        session: McpSession = entry.runtime_data
        if session.state is SessionState.CONNECTED:
            return None
        why = untrusted_text.sentence(session.last_error.detail) if session.last_error else ""
        return why or await async_text(hass, language, "not_connected_yet")
    try:
        await entry.runtime_data.models()
    except ModelError as err:
        return await async_text(hass, language, err.reason, err.translation_placeholders)
    return None
