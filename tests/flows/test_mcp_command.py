"""Adding an MCP server by its command, with real processes."""

import sys
from typing import Any

from homeassistant.config_entries import SOURCE_USER, ConfigFlowResult
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.mcp_servers.session import SessionState

from ..mcp_entry import add_server, quick_servers, set_up, set_up_connected  # noqa: F401
from ..mcp_servers.conftest import NewProcesses, everyday, new_processes, raw, sdk_1, until  # noqa: F401
from ..mcp_servers.servers import EVERYDAY

pytestmark = pytest.mark.usefixtures("quick_servers")

EVERYDAY_COMMAND = {"command": sys.executable, "args": [EVERYDAY, "stdio"]}
ENV = [{"name": "API_KEY", "value": "secret-of-mine"}]


async def begin(hass: HomeAssistant) -> ConfigFlowResult:
    """Open the form."""
    menu = await hass.config_entries.flow.async_init(DOMAIN, context={"source": SOURCE_USER})
    assert menu["type"] is FlowResultType.MENU
    return await hass.config_entries.flow.async_configure(
        menu["flow_id"], {"next_step_id": "mcp_command"}
    )


async def go_on(
    hass: HomeAssistant, result: ConfigFlowResult, user_input: dict[str, Any]
) -> ConfigFlowResult:
    """Fill in a form."""
    return await hass.config_entries.flow.async_configure(result["flow_id"], user_input)


def suggested(result: ConfigFlowResult) -> dict[str, Any]:
    """Return the values that a form shows."""
    schema = result["data_schema"]
    assert schema
    return {str(key): (key.description or {}).get("suggested_value") for key in schema.schema}


def ticks(result: ConfigFlowResult) -> tuple[dict[str, str], list[str]]:
    """Return the tools of a form with their labels, and those that are ticked."""
    schema = result["data_schema"]
    assert schema
    (key,) = (key for key in schema.schema if key == "tools")
    options = schema.schema[key].config["options"]
    return {option["value"]: option["label"] for option in options}, key.default()


async def test_command_is_tried_then_its_tools_are_offered_and_used(hass: HomeAssistant) -> None:
    form = await begin(hass)
    assert form["step_id"] == "mcp_command"

    tools = await go_on(hass, form, EVERYDAY_COMMAND)
    assert tools["step_id"] == "mcp_tools"
    labels, ticked = ticks(tools)
    assert ticked == list(labels)
    assert "add" in labels

    done = await go_on(hass, tools, {"tools": [name for name in labels if name != "die"]})
    assert done["type"] is FlowResultType.CREATE_ENTRY
    entry = done["result"]
    assert entry.title == "everyday"
    await until(lambda: entry.runtime_data.state is SessionState.CONNECTED)
    names = [tool.name for tool in entry.runtime_data.offered_tools]
    assert "add" in names
    assert "die" not in names
