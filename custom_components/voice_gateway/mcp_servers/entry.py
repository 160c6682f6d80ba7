"""An MCP server's config entry, and its running objects: its session, and its tools' API."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, override

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import (
    CONF_ACCESS_TOKEN,
    CONF_COMMAND,
    CONF_HEADERS,
    CONF_PREFIX,
    CONF_TIMEOUT,
    CONF_URL,
    EVENT_HOMEASSISTANT_STOP,
)
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers import device_registry as dr, llm
from homeassistant.helpers.dispatcher import async_dispatcher_send

from .. import untrusted_text
from ..const import (
    CONF_ARGS,
    CONF_CWD,
    CONF_ENV,
    CONF_KIND,
    CONF_LOGIN,
    DOMAIN,
    SIGNAL_MCP_TOOLS,
    TOOL_TIMEOUT,
    EntryKind,
)
from ..json_schema import serialize
from .errors import McpError, McpUnauthorized
from .login import access_token_of, lacks_rights, secrets_of_login
from .repair_issues import (
    async_tell_of_failure,
    async_tell_of_itself,
    async_tell_of_tools,
    async_withdraw,
)
from .session import McpSession, SessionState
from .settings import CommandServer, ServerSettings, ToolSelection, ToolStatus, UrlServer
from .tool import NO_SYNONYMS, Extra, Synonyms, about_itself

type McpConfigEntry = ConfigEntry[McpSession]
INSTRUCTIONS = "Its instructions:"
"""The words in a prompt before a server's instructions."""


@dataclass(slots=True, kw_only=True)
class McpAPI(llm.API):
    """The tools of one MCP server, for any agent.

    While the server is down, its tools are offered for a short time; then they are left out, and
    the prompt says so. The server's instructions are in it as the user ticked them.
    """

    session: McpSession

    @override
    async def async_get_api_instance(self, llm_context: llm.LLMContext) -> llm.APIInstance:
        """Return the current tools."""
        return llm.APIInstance(
            api=self,
            api_prompt=self._prompt(),
            llm_context=llm_context,
            tools=list(self.session.offered_tools),
            custom_serializer=serialize,
        )

    def _prompt(self) -> str:
        if not self.session.is_offered:
            return (
                f'The service "{self.name}" is not available at the moment. If it is needed, say '
                "so; do not answer in its place and do not pretend to have used it."
            )
        prompt = f'These tools are from the service "{self.name}".'
        told = about_itself(self.session.instructions)
        if told.description and self.session.settings.choice.offers(told):
            prompt = f"{prompt} {INSTRUCTIONS}\n{told.description}"
        return prompt


def server_of(data: Mapping[str, Any]) -> CommandServer | UrlServer:
    """Return the server that an entry's data describe."""
    match data[CONF_KIND]:
        case EntryKind.MCP_COMMAND:
            return CommandServer(
                command=data[CONF_COMMAND],
                args=tuple(data[CONF_ARGS]),
                env=data[CONF_ENV],
                cwd=data.get(CONF_CWD),
            )
        case EntryKind.MCP_URL:
            headers = dict(data[CONF_HEADERS])
            if token := data.get(CONF_ACCESS_TOKEN):
                headers["Authorization"] = f"Bearer {token}"
            return UrlServer(url=data[CONF_URL], headers=headers)
        case kind:
            raise ValueError(f"{kind} is no MCP server")


def settings_of(
    hass: HomeAssistant,
    entry: McpConfigEntry,
    server: CommandServer | UrlServer,
    synonyms: Synonyms = NO_SYNONYMS,
) -> ServerSettings:
    """Return an entry's server with the options that the user set."""
    if isinstance(server, UrlServer) and CONF_LOGIN in entry.data:
        server = replace(
            server,
            token=access_token_of(hass, entry),
            login=entry.data[CONF_LOGIN],
            secrets=tuple(secrets_of_login(entry.data)),
        )
    return ServerSettings(
        name=entry.title,
        server=server,
        timeout=entry.options.get(CONF_TIMEOUT, TOOL_TIMEOUT),
        prefix=entry.options.get(CONF_PREFIX, ""),
        choice=ToolSelection.of(entry.options),
        synonyms=synonyms,
    )


@callback
def async_setup_server(
    hass: HomeAssistant, entry: McpConfigEntry, settings: ServerSettings
) -> None:
    """Start an entry's session and offer its tools; waits for nothing."""
    session = entry.runtime_data = McpSession(hass, settings)
    api = McpAPI(hass=hass, id=api_id_of(entry), name=entry.title, session=session)
    entry.async_on_unload(llm.async_register_api(hass, api))
    entry.async_on_unload(session.async_add_listener(partial(_async_changed, hass, entry)))
    session.async_start()

    async def stop(_: Event) -> None:
        await session.async_stop()

    entry.async_on_unload(hass.bus.async_listen_once(EVENT_HOMEASSISTANT_STOP, stop))


def api_id_of(entry: McpConfigEntry) -> str:
    """Return the id of the LLM API for the tools of an entry's server."""
    return f"{DOMAIN}-{entry.entry_id}"


async def async_unload_server(hass: HomeAssistant, entry: McpConfigEntry) -> None:
    """End an entry's session completely."""
    await entry.runtime_data.async_stop()
    async_withdraw(hass, entry)


@callback
def _async_changed(hass: HomeAssistant, entry: McpConfigEntry) -> None:
    """Report the session's state to the agents, and to the user if action is needed."""
    async_dispatcher_send(hass, SIGNAL_MCP_TOOLS)
    session = entry.runtime_data
    login = entry.data.get(CONF_LOGIN)
    if login and session.challenge and lacks_rights(login, session.challenge):
        # The rest works meanwhile; a login that was refused these rights is not repeated.
        entry.async_start_reauth(hass)
    match session.state, session.last_error:
        case SessionState.CONNECTED, _:
            async_withdraw(hass, entry, ["mcp_server"])
            async_tell_of_itself(hass, entry)
            _async_see_to_choice(hass, entry)
            # The server's instructions are known from now on.
            dr.async_get(hass).async_get_or_create(
                config_entry_id=entry.entry_id, **device_of(entry)
            )
        case SessionState.FAILED, McpUnauthorized():
            entry.async_start_reauth(hass)
        case SessionState.FAILED, McpError() as err:
            async_tell_of_failure(hass, entry, err)


@callback
def _async_see_to_choice(hass: HomeAssistant, entry: McpConfigEntry) -> None:
    """Tick the tools of an entry of an older version; report tools that the user has not ticked."""
    session = entry.runtime_data
    tools, choice = session.choosable, session.settings.choice
    # Instructions without a fingerprint were given to agents until now.
    told = [
        tool
        for tool in tools
        if tool.extra is Extra.INSTRUCTIONS and choice.standing(tool) is ToolStatus.NEW
    ]
    if session.tools and (unknown := tools if choice.ticked is None else told):
        offered = [tool.original_name for tool in unknown if tool in told or choice.offers(tool)]
        async_choose(hass, entry, choice.having(unknown, offered))
        return
    async_tell_of_tools(hass, entry, choice.waiting(tools))


@callback
def async_choose(hass: HomeAssistant, entry: McpConfigEntry, choice: ToolSelection) -> None:
    """Store another choice of tools in an entry."""
    options = {**entry.options, **choice.as_options}
    hass.config_entries.async_update_entry(entry, options=options)


def device_of(entry: McpConfigEntry) -> dr.DeviceInfo:
    """Return the device for an entry's server."""
    device = dr.DeviceInfo(
        identifiers={(DOMAIN, entry.entry_id)},
        name=entry.title,
        entry_type=dr.DeviceEntryType.SERVICE,
    )
    if info := entry.runtime_data.server_info:
        device["model"] = untrusted_text.name(info.name)
        device["sw_version"] = untrusted_text.name(info.version)
    return device
