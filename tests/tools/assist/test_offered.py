"""Home Assistant's Assist tools, said in words that make a difference in this home."""

from types import SimpleNamespace
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.llm import DATA_PLATFORMS, LLMTools
from homeassistant.components.vacuum import VacuumEntityFeature
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
import pytest

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.home.exposed import Home
from custom_components.voice_gateway.models.functions import to_function
from custom_components.voice_gateway.models.history import result_text
from custom_components.voice_gateway.tools.api import AgentAPI
from custom_components.voice_gateway.tools.assist.target_repair import DEVICE_CLASSES
from custom_components.voice_gateway.tools.builtin import BuiltinTools
from custom_components.voice_gateway.tools.executor import ToolExecutor
from tests.extra_tools import ExtraTool

CONTEXT = llm.LLMContext(
    platform=DOMAIN, context=None, language="en", assistant="conversation", device_id=None
)


async def assist(hass: HomeAssistant) -> ToolExecutor:
    api = AgentAPI(hass, ["assist"], BuiltinTools(hass, {}))
    return await api.async_get_api_instance(CONTEXT)


async def arguments_of(hass: HomeAssistant, name: str) -> dict[str, Any]:
    """Return the properties that a model is told of a tool."""
    executor = await assist(hass)
    tool = executor.manager.find(name)
    assert tool
    function = to_function(tool, executor.custom_serializer)["function"]
    properties: dict[str, Any] = function["parameters"]["properties"]
    return properties


async def test_all_of_home_assistants_tools_are_there(home: HomeAssistant) -> None:
    ours = await assist(home)
    theirs = await llm.async_get_api(home, "assist", CONTEXT)
    # No device has timers here: there are none to cancel.
    expected = {tool.name for tool in theirs.tools} - {"intent__HassCancelAllTimers"}
    expected |= {"move_music"}
    assert {tool.name for tool in ours.tools} == expected
    assert all(tool.integration for tool in ours.tools)


async def test_only_what_exists_in_this_home_is_told(home: HomeAssistant) -> None:
    turn_on = await arguments_of(home, "HassTurnOn")
    assert {"name", "area", "floor", "domain"} <= turn_on.keys()
    classes = turn_on["device_class"]["items"]["enum"]
    assert set(classes) <= Home.seen_by(home, "conversation").telling_classes(DEVICE_CLASSES)
    assert "garage" in classes
    # What a tool cannot do without is told whatever the home.
    assert "position" in await arguments_of(home, "HassSetPosition")


@pytest.mark.parametrize("cleans_areas", [False, True])
async def test_cleaning_an_area_is_offered_where_a_vacuum_can(
    home: HomeAssistant, *, cleans_areas: bool
) -> None:
    features = VacuumEntityFeature.START | VacuumEntityFeature.STATE
    if cleans_areas:
        features |= VacuumEntityFeature.CLEAN_AREA
    assert await async_setup_component(home, "vacuum", {})
    home.states.async_set("vacuum.robo", "docked", {"supported_features": features})
    async_expose_entity(home, "conversation", "vacuum.robo", should_expose=True)
    await home.async_block_till_done()
    ours = (await assist(home)).manager
    assert ours.find("HassVacuumStart")
    assert (ours.find("HassVacuumCleanArea") is not None) is cleans_areas


async def test_places_are_not_told_where_there_are_none(home: HomeAssistant) -> None:
    for entity in Home.seen_by(home, "conversation").entities:
        async_expose_entity(home, "conversation", entity.entity_id, should_expose=not entity.area)
    turn_on = await arguments_of(home, "HassTurnOn")
    assert not {"area", "floor"} & turn_on.keys()


@pytest.mark.requirement("C11")
async def test_what_is_not_told_is_understood_anyway(home: HomeAssistant) -> None:
    """A model that names a floor that it was not told of means it."""
    executor = await assist(home)
    made = llm.ToolInput("intent__HassTurnOff", {"floor": "Ground floor", "domain": ["light"]})
    result = await executor.async_call_tool(made)
    assert not result.error
    assert home.states.is_state("light.kitchen_lights", "off")
    assert home.states.is_state("light.ceiling_lights", "on")


async def test_live_context_tells_states(home: HomeAssistant) -> None:
    executor = await assist(home)
    made = llm.ToolInput("GetLiveContext", {"name": "Bed Light"})
    text = result_text(await executor.async_call_tool(made))
    assert "Bed Light" in text
    assert "off" in text


async def test_date_and_time_are_told_once(home: HomeAssistant) -> None:
    names = [tool.name for tool in (await assist(home)).tools]
    assert len([name for name in names if "time" in name.casefold() and "Date" in name]) == 1


@pytest.mark.requirement("A12")
async def test_integration_whose_tools_fail_costs_only_them(
    home: HomeAssistant, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before = [tool.name for tool in (await assist(home)).tools]
    there = await home.data[DATA_PLATFORMS].async_get_platforms()

    def broken(*_: Any) -> LLMTools:
        raise RuntimeError("broken")

    def more(*_: Any) -> LLMTools:
        return LLMTools(tools=[ExtraTool("more__tool", dict)], prompt="More is possible.")

    async def platforms() -> dict[str, Any]:
        return {
            **there,
            "broken": SimpleNamespace(async_get_tools=broken),
            "more": SimpleNamespace(async_get_tools=more),
        }

    monkeypatch.setattr(home.data[DATA_PLATFORMS], "async_get_platforms", platforms)
    executor = await assist(home)
    assert [tool.name for tool in executor.tools if tool.name != "more__tool"] == before
    assert "more__tool" in [tool.name for tool in executor.tools]
    assert "More is possible." in executor.api_prompt
    assert "broken" in caplog.text
