"""Voice Gateway: a conversation agent that makes small models carry out spoken commands."""

from dataclasses import replace
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_URL, Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.typing import ConfigType

from .answers.change_log import async_watch_changes
from .const import CONF_KIND, CONF_ONLY_EXPOSED, DOMAIN, MCP_KINDS, EntryKind
from .mcp_servers import entry as mcp
from .mcp_servers.settings import ServerSettings, UrlServer
from .models.provider import server_of
from .notebook.notebook import NOTEBOOK, Notebook
from .plans.plans import PLANS, Plans
from .services import async_setup_services
from .subentries import SubentryChanges
from .tools.tool_uses import async_tool_uses
from .turn.report import async_keep_turns
from .zwave.devices import async_forget_devices, async_keep_devices, devices_file
from .zwave.networks import (
    SYNONYMS,
    UNTICKED,
    async_hold_to_exposed,
    async_offer_networks,
    home_id_of,
    zwave_server,
)

CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)

PROVIDER_PLATFORMS = (
    Platform.AI_TASK,
    Platform.BUTTON,
    Platform.CALENDAR,
    Platform.CONVERSATION,
    Platform.SENSOR,
    Platform.TODO,
)
MCP_PLATFORMS = (Platform.BINARY_SENSOR, Platform.SENSOR)


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Register the actions and the Z-Wave tools, and log state changes, even without an entry."""
    async_setup_services(hass)
    async_offer_networks(hass)
    async_watch_changes(hass)
    plans = hass.data[PLANS] = Plans(hass)
    await plans.async_load()
    notebook = hass.data[NOTEBOOK] = Notebook(hass)
    await notebook.async_load()
    return True


async def async_setup_entry(hass: HomeAssistant, entry: ConfigEntry[Any]) -> bool:
    """Set up a model server or an MCP server.

    Setup does not wait for the connection: an agent that exists can report what is wrong.
    """
    if entry.data[CONF_KIND] == EntryKind.ZWAVE:
        async_hold_to_exposed(hass, entry)
        await async_keep_devices(hass, entry, home_id_of(entry))
    if _is_mcp(entry):
        mcp.async_setup_server(hass, entry, _mcp_settings(hass, entry))
    else:
        entry.runtime_data = server_of(hass, entry)
    await hass.config_entries.async_forward_entry_setups(entry, _platforms(entry))
    changes = SubentryChanges(entry)

    async def changed(hass: HomeAssistant, entry: ConfigEntry[Any]) -> None:
        await _async_take_over(hass, entry, changes)

    entry.async_on_unload(entry.add_update_listener(changed))
    return True


async def async_unload_entry(hass: HomeAssistant, entry: ConfigEntry[Any]) -> bool:
    """Unload a model server's agents, or end an MCP server's session."""
    if not await hass.config_entries.async_unload_platforms(entry, _platforms(entry)):
        return False
    if _is_mcp(entry):
        await mcp.async_unload_server(hass, entry)
    return True


async def async_remove_entry(hass: HomeAssistant, entry: ConfigEntry[Any]) -> None:
    """Delete the entry's files.

    With the last model server, delete the plans and the notes, which no entity would show any more,
    and the record of tool uses.
    """
    if entry.data[CONF_KIND] == EntryKind.ZWAVE:
        await async_forget_devices(hass, entry)
    async_keep_turns(hass)
    if all(map(_is_mcp, hass.config_entries.async_entries(DOMAIN))):
        await (hass.data.get(PLANS) or Plans(hass)).async_forget()
        await (hass.data.get(NOTEBOOK) or Notebook(hass)).async_forget()
        await (await async_tool_uses(hass)).async_forget()


def _is_mcp(entry: ConfigEntry[Any]) -> bool:
    return entry.data[CONF_KIND] in MCP_KINDS


def _mcp_settings(hass: HomeAssistant, entry: ConfigEntry[Any]) -> ServerSettings:
    """Return the settings of an entry's MCP server."""
    if entry.data[CONF_KIND] == EntryKind.ZWAVE:
        server = zwave_server(
            entry.data[CONF_URL],
            hass.config.language,
            devices_file(hass, entry),
            only_exposed=entry.data.get(CONF_ONLY_EXPOSED, False),
        )
        settings = mcp.settings_of(hass, entry, server, SYNONYMS)
        return replace(settings, choice=settings.choice.of_ours(UNTICKED))
    return mcp.settings_of(hass, entry, mcp.server_of(entry.data))


def _platforms(entry: ConfigEntry[Any]) -> tuple[Platform, ...]:
    return MCP_PLATFORMS if _is_mcp(entry) else PROVIDER_PLATFORMS


async def _async_take_over(
    hass: HomeAssistant, entry: ConfigEntry[Any], changes: SubentryChanges
) -> None:
    """Apply changes of the entry, its options or its agents.

    An MCP server's session continues if only the token or the selected tools changed; an agent
    continues if only another agent changed.
    """
    if _is_mcp(entry):
        settings, session = _mcp_settings(hass, entry), entry.runtime_data
        if session.settings.reaches_the_same(settings):
            session.async_choose(settings.choice)
            if isinstance(settings.server, UrlServer):
                session.redactor.add(settings.server.secrets)
            return
    elif changes.async_tell(hass, entry):
        async_keep_turns(hass)
        return
    await hass.config_entries.async_reload(entry.entry_id)
