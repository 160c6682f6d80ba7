"""Actions to call MCP tools from automations and scripts, and to manage plans."""

from typing import TYPE_CHECKING, Any, cast

from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import (
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
    callback,
)
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError
from homeassistant.helpers import config_validation as cv, device_registry as dr
from homeassistant.util.json import JsonValueType
import probatio

from .const import CONF_KIND, CONF_ONLY_AGENTS_TOOLS, DOMAIN, MCP_KINDS, option
from .mcp_servers.entry import McpConfigEntry
from .mcp_servers.errors import McpError
from .mcp_servers.session import McpSession, SessionState
from .mcp_servers.tool import async_is_admin
from .plans.actions import async_setup_plan_services
from .texts import translated

if TYPE_CHECKING:
    from mcp.types import CallToolResult

CALL_TOOL = "call_tool"
ATTR_SERVER = "server"
ATTR_TOOL = "tool"
ATTR_ARGUMENTS = "arguments"

_CALL_TOOL = probatio.Schema(
    {
        probatio.Required(ATTR_SERVER): cv.string,
        probatio.Required(ATTR_TOOL): cv.string,
        probatio.Optional(ATTR_ARGUMENTS, default=dict): dict,
    }
)


@callback
def async_setup_services(hass: HomeAssistant) -> None:
    """Register the actions."""
    hass.services.async_register(
        DOMAIN,
        CALL_TOOL,
        _async_call_tool,
        schema=_CALL_TOOL,
        supports_response=SupportsResponse.OPTIONAL,
    )
    async_setup_plan_services(hass)


async def _async_call_tool(call: ServiceCall) -> ServiceResponse:
    """Call a tool; return its text, and its structured and other content if there is any."""
    is_admin = await async_is_admin(call.hass, call.context)
    entry = _entry(call.hass, call.data[ATTR_SERVER])
    tool: str = call.data[ATTR_TOOL]
    is_held = option(entry.options, CONF_ONLY_AGENTS_TOOLS)
    if (is_held or not is_admin) and not entry.runtime_data.is_for_agents(tool):
        raise translated(ServiceValidationError, "tool_not_ticked", server=entry.title, tool=tool)
    try:
        result = await _run(entry.runtime_data, tool, call.data[ATTR_ARGUMENTS])
    except McpError as err:
        names = {"server": entry.title, "tool": tool}
        raise translated(HomeAssistantError, err.key, **names, detail=err.detail) from err
    text = "\n".join(part.text for part in result.content if part.type == "text")
    if result.is_error:
        raise translated(
            HomeAssistantError, "tool_failed", server=entry.title, tool=tool, detail=text
        )
    return {"text": text} | _rest(result)


async def _run(session: McpSession, name: str, arguments: dict[str, Any]) -> CallToolResult:
    if tool := session.find_tool(name):
        return await tool.async_run(arguments)
    if session.state is SessionState.CONNECTED:
        # It may be new, from a server that sends no notification of changed tools.
        await session.async_refresh()
        if tool := session.find_tool(name):
            return await tool.async_run(arguments)
        tools = ", ".join(tool.original_name for tool in session.tools)
        raise translated(
            ServiceValidationError,
            "tool_unknown",
            server=session.settings.name,
            tool=name,
            tools=tools,
        )
    # The server may be about to connect, and may have the tool.
    return await session.async_call(name, arguments)


def _entry(hass: HomeAssistant, server: str) -> McpConfigEntry:
    """Return the entry of an MCP server by the entry's id or by its device's id."""
    device = dr.async_get(hass).async_get(server)
    for entry_id in (server, *(device.config_entries if device else ())):
        entry = hass.config_entries.async_get_entry(entry_id)
        if entry and entry.domain == DOMAIN and entry.data[CONF_KIND] in MCP_KINDS:
            if entry.state is ConfigEntryState.LOADED:
                return entry
            raise translated(ServiceValidationError, "server_not_loaded", server=entry.title)
    raise translated(ServiceValidationError, "server_unknown", server=server)


def _rest(result: CallToolResult) -> dict[str, JsonValueType]:
    """Return the parts of a result that are not text, in the protocol's own format."""
    rest = {
        "data": result.structured_content,
        "content": [
            part.model_dump(mode="json", by_alias=True, exclude_none=True)
            for part in result.content
            if part.type != "text"
        ],
    }
    return cast("dict[str, JsonValueType]", {key: value for key, value in rest.items() if value})
