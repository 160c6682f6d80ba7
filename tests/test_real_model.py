"""A real Qwen that has the Z-Wave tools and a custom one together: what it calls and says."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from typing import Any

from homeassistant.const import CONF_URL, EVENT_HOMEASSISTANT_CLOSE
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import probatio
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import CONF_KIND, DOMAIN, EntryKind

from .agent import Agent, add_agent
from .extra_tools import API_ID, ExtraTool, add_tools
from .mcp_entry import set_up_connected
from .mcp_servers.conftest import NewProcesses, text_of
from .real_model import real_model
from .zwave_network import ZwaveNetwork

pytestmark = pytest.mark.live
pytest_plugins = ("tests.mcp_fixtures", "tests.zwave_network.fixture")

QWEN = "qwen2.5-coder:1.5b"
FRONT_DOOR = 6  # the node's number in `zwave_network/house.mjs`
# Some of the names there; none is in the tools' descriptions.
DEVICES = ("Awning", "Coffee Machine", "Garden Pump", "Leak Sensor", "Thermostat", "Window Blind")


@pytest.fixture
async def zwave_tools(
    hass: HomeAssistant, quick_servers: NewProcesses, zwave_network: ZwaveNetwork
) -> Any:
    """The entry of the tools for the simulated network, connected."""
    data = {CONF_KIND: EntryKind.ZWAVE, CONF_URL: zwave_network.url}
    entry = MockConfigEntry(domain=DOMAIN, title="Z-Wave", data=data)
    entry.add_to_hass(hass)
    await set_up_connected(hass, entry)
    return entry


@pytest.fixture
def weather(hass: HomeAssistant) -> ExtraTool:
    """A custom tool, offered by an LLM API of another integration."""
    tool = ExtraTool(
        "get_weather",
        lambda **_: {"result": "Hail, 8 °C"},
        description="Tells the weather outside now",
        parameters=probatio.Schema({}),
    )
    tool.annotations = llm.ToolAnnotations(read_only=True)
    add_tools(hass, tool)
    return tool


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The model's server: one for all tests, so that it reads the tools once."""
    with real_model(tmp_path_factory.mktemp("model"), "1.5b") as url:
        yield url


@pytest.fixture
async def qwen(
    hass: HomeAssistant, served: str, zwave_tools: Any, weather: ExtraTool
) -> AsyncGenerator[Agent]:
    """An agent with all of these tools, and with no other help than the model's."""
    yield await add_agent(
        hass,
        served,
        model=QWEN,
        tools=[f"{DOMAIN}-{zwave_tools.entry_id}", API_ID],
        timeout=1200,
        second_opinion=False,
        confirm_at_once=False,
    )
    # The server outlives this home, and would keep its connection.
    hass.bus.async_fire(EVENT_HOMEASSISTANT_CLOSE)
    await hass.async_block_till_done()


@pytest.mark.requirement("C10", "N2")
async def test_it_can_tell_what_its_tools_are_for(qwen: Agent) -> None:
    answer = await qwen.hears("Which tools do you have? Name them.")
    # A small model names the first of them. All are told without a model, where the agent may.
    assert "devices" in answer.speech
    assert answer.speech.endswith(".")
    assert not answer.is_error


@pytest.mark.requirement("D13", "N2")
async def test_devices_that_are_to_be_listed_are_named_as_the_tool_lists_them(qwen: Agent) -> None:
    answer = await qwen.hears("List my Z-Wave devices")
    assert answer.tool_calls[0].tool_name in ("list_zwave_devices", "list_devices")
    assert not answer.tool_results[0].error
    named = [name for name in DEVICES if name.casefold() in answer.speech.casefold()]
    assert len(named) > 1, answer.speech


@pytest.mark.requirement("C10", "N2")
@pytest.mark.parametrize("state", ["open", "closed"])
async def test_question_is_answered_with_what_the_device_measures(
    qwen: Agent, zwave_tools: Any, zwave_network: ZwaveNetwork, state: str
) -> None:
    zwave_network.tell("door", node=FRONT_DOOR, open=state == "open")
    async with asyncio.timeout(30):
        while f"door {state}" not in text_of(
            await zwave_tools.runtime_data.async_call(
                "get_device_sensor_data", {"deviceName": "Front Door"}
            )
        ):
            pass
    answer = await qwen.hears("Is the front door open or closed?")
    (made, *_), (result, *_) = answer.tool_calls, answer.tool_results
    assert "deviceName" in made.tool_args
    assert not result.error
    assert state in answer.speech
    assert {"open": "closed", "closed": "open"}[state] not in answer.speech


@pytest.mark.requirement("N2")
async def test_custom_tool_is_called_beside_them(qwen: Agent, weather: ExtraTool) -> None:
    answer = await qwen.hears("What is the weather like outside?")
    assert len(weather.calls) == 1
    assert "hail" in answer.speech.casefold()
