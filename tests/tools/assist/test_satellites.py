"""Announcing is offered where there is somebody to hear it."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm
from homeassistant.setup import async_setup_component

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.tools.api import AgentAPI
from custom_components.voice_gateway.tools.builtin import BuiltinTools
from tests.actions.conftest import add_satellite

CONTEXT = llm.LLMContext(
    platform=DOMAIN, context=None, language="en", assistant="conversation", device_id=None
)


async def tool_names(hass: HomeAssistant) -> set[str]:
    api = AgentAPI(hass, ["assist"], BuiltinTools(hass, {}))
    executor = await api.async_get_api_instance(CONTEXT)
    return {tool.name for tool in executor.tools}


async def test_announcing_needs_a_satellite(home: HomeAssistant) -> None:
    assert await async_setup_component(home, "assist_satellite", {})
    await home.async_block_till_done()
    for state in list(home.states.async_all("media_player")):
        home.states.async_remove(state.entity_id)
    assert "announce" not in await tool_names(home)
    add_satellite(home, "kitchen", "Kitchen")
    names = await tool_names(home)
    assert "announce" in names
    # It would announce in the whole home what is for one room.
    assert f"assist_satellite__{intent.INTENT_BROADCAST}" not in names
