"""Who may use the tools of an MCP server that is added."""

import sys

from homeassistant.const import CONF_LLM_HASS_API
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest

from tests.agent import Agent, add_agent
from tests.ollama import PlayedOllama

from ..mcp_servers.conftest import until
from ..mcp_servers.servers import RAW
from .forms import begin, fill_in, ticks

pytest_plugins = ("tests.mcp_fixtures",)
pytestmark = pytest.mark.usefixtures("quick_servers")

COMMAND = {"command": sys.executable, "args": [RAW, "annotated"]}


async def test_tools_are_given_to_the_agents_that_are_ticked(
    agent: Agent, home: HomeAssistant, ollama: PlayedOllama
) -> None:
    other = await add_agent(home, f"{ollama.url}/")
    (mine,), (others,) = agent.entry.subentries, other.entry.subentries
    tools = await fill_in(home, await begin(home, "mcp_command"), COMMAND)
    title = agent.entry.subentries[mine].title
    assert ticks(tools, "agents") == ({mine: title, others: title}, [mine, others])
    done = await fill_in(home, tools, {"tools": ["look"], "agents": [mine]})
    assert done["type"] is FlowResultType.CREATE_ENTRY
    assert done["description"] == "for_agents"
    entry = done["result"]
    await home.async_block_till_done()
    api = f"voice_gateway-{entry.entry_id}"
    assert agent.entry.subentries[mine].data[CONF_LLM_HASS_API] == ["assist", api]
    assert api not in other.entry.subentries[others].data[CONF_LLM_HASS_API]
    await until(lambda: entry.runtime_data.offered_tools, 30)
    await agent.hears("how are you")
    assert "look" in [tool["function"]["name"] for tool in ollama.chats[-1]["tools"]]


async def test_without_agents_the_last_page_says_what_to_do(hass: HomeAssistant) -> None:
    tools = await fill_in(hass, await begin(hass, "mcp_command"), COMMAND)
    assert tools["data_schema"]
    assert "agents" not in tools["data_schema"].schema
    done = await fill_in(hass, tools, {"tools": ["look"]})
    assert done["description"] == "for_no_agent"
