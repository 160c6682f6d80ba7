"""The volume of the speaker that someone speaks to, with a real media player entity."""

from typing import Any

from homeassistant.components.media_player import (
    MediaPlayerEntity,
    MediaPlayerEntityFeature,
    MediaPlayerState,
)
from homeassistant.components.media_player.const import DATA_COMPONENT
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr, entity_registry as er, llm
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.models.history import result_text
from custom_components.voice_gateway.tools.api import AgentAPI
from custom_components.voice_gateway.tools.builtin import BuiltinTools
from tests.agent import add_agent
from tests.ollama import PlayedOllama, call, calls, says


class Satellite(MediaPlayerEntity):
    """The speaker of a voice satellite."""

    _attr_name = "Satellite"
    _attr_unique_id = "satellite"
    _attr_should_poll = False
    _attr_state = MediaPlayerState.IDLE
    _attr_supported_features = (
        MediaPlayerEntityFeature.VOLUME_SET | MediaPlayerEntityFeature.VOLUME_MUTE
    )
    _attr_volume_level: float | None = 0.5
    _attr_is_volume_muted = False
    pressed = ""

    def volume_up(self) -> None:
        """Press the button."""
        self.pressed += "+"

    def volume_down(self) -> None:
        """Press the other button."""
        self.pressed += "-"

    async def async_set_volume_level(self, volume: float) -> None:
        """Set the volume, from 0 to 1."""
        self._attr_volume_level = volume
        self.async_write_ha_state()

    async def async_mute_volume(self, mute: bool) -> None:
        """Mute or unmute."""
        self._attr_is_volume_muted = mute
        self.async_write_ha_state()


@pytest.fixture
async def speaker(home: HomeAssistant) -> Satellite:
    """A satellite with a speaker."""
    satellite = Satellite()
    await home.data[DATA_COMPONENT].async_add_entities([satellite])
    return satellite


@pytest.fixture
def device(home: HomeAssistant, speaker: Satellite) -> str:
    """The satellite's device."""
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(home)
    device = dr.async_get(home).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "satellite")}
    )
    er.async_get(home).async_update_entity(speaker.entity_id, device_id=device.id)
    satellite = er.async_get(home).async_get_or_create(
        "assist_satellite", "test", "satellite", config_entry=entry, device_id=device.id
    )
    home.states.async_set(satellite.entity_id, "idle")
    return device.id


async def control(hass: HomeAssistant, device_id: str | None, **arguments: Any) -> str:
    context = llm.LLMContext(DOMAIN, None, "en", "conversation", device_id)
    executor = await AgentAPI(hass, [], BuiltinTools(hass, {})).async_get_api_instance(context)
    made = llm.ToolInput("control_speaker_volume", arguments)
    return result_text(await executor.async_call_tool(made))


@pytest.mark.parametrize(
    ("arguments", "volume", "muted"),
    [
        ({"action": "get"}, 50, False),
        ({"action": "set", "level": 30}, 30, False),
        ({"action": "set", "level": "70"}, 70, False),
        ({"action": "set", "level": 0}, 0, False),
        ({"action": "up"}, 60, False),
        ({"action": "up", "amount": 25}, 75, False),
        ({"action": "up", "amount": 80}, 100, False),
        ({"action": "down"}, 40, False),
        ({"action": "down", "amount": 80}, 0, False),
        ({"action": "max"}, 100, False),
        ({"action": "mute"}, 50, True),
    ],
)
async def test_volume_is_what_was_asked_for(
    home: HomeAssistant, device: str, arguments: dict[str, Any], volume: int, muted: bool
) -> None:
    text = await control(home, device, **arguments)
    state = home.states.get("media_player.satellite")
    assert state
    assert round(100 * state.attributes["volume_level"]) == volume
    assert state.attributes["is_volume_muted"] is muted
    assert text == f'{{"volume":{volume},"muted":{str(muted).lower()}}}'


async def test_muted_speaker_is_heard_again(home: HomeAssistant, device: str) -> None:
    await control(home, device, action="mute")
    assert await control(home, device, action="unmute") == '{"volume":50,"muted":false}'


@pytest.mark.requirement("B11")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"action": "set"}, "give a level from 0 to 100"),
        ({"action": "set", "level": 101}, "100"),
        ({"action": "down", "amount": "much"}, "int"),
        ({"action": "louder"}, "action"),
        ({}, "Required: action"),
    ],
)
async def test_what_is_wrong_with_a_call_is_said(
    home: HomeAssistant, device: str, arguments: dict[str, Any], words: str
) -> None:
    text = await control(home, device, **arguments)
    assert text.startswith("Error: ")
    assert words in text
    state = home.states.get("media_player.satellite")
    assert state
    assert state.attributes["volume_level"] == 0.5


async def test_there_is_no_tool_where_no_satellite_has_a_speaker(home: HomeAssistant) -> None:
    assert (await control(home, None, action="get")).startswith("Error: Unknown tool")


async def test_nothing_is_changed_from_where_there_is_no_speaker(
    home: HomeAssistant, speaker: Satellite, device: str
) -> None:
    lamp = er.async_get(home).async_get("light.bed_light")
    assert lamp
    for elsewhere in (None, lamp.device_id, "gone"):
        assert (await control(home, elsewhere, action="max")).startswith("Error: ")
    assert speaker.volume_level == 0.5


async def test_speaker_that_is_gone_is_said(
    home: HomeAssistant, speaker: Satellite, device: str
) -> None:
    context = llm.LLMContext(DOMAIN, None, "en", "conversation", device)
    executor = await AgentAPI(home, [], BuiltinTools(home, {})).async_get_api_instance(context)
    speaker._attr_available = False
    speaker.async_write_ha_state()
    made = llm.ToolInput("control_speaker_volume", {"action": "up"})
    assert "no speaker" in result_text(await executor.async_call_tool(made))


async def test_speaker_that_does_not_know_its_volume(
    home: HomeAssistant, speaker: Satellite, device: str
) -> None:
    speaker._attr_volume_level = None
    speaker.async_write_ha_state()
    assert await control(home, device, action="get") == '{"volume":null,"muted":false}'
    # Where it has no buttons either, nobody knows what would be louder.
    assert "set a level" in await control(home, device, action="up")
    speaker._attr_supported_features |= MediaPlayerEntityFeature.VOLUME_STEP
    speaker.async_write_ha_state()
    for action in ("up", "up", "down"):
        assert await control(home, device, action=action) == '{"volume":null,"muted":false}'
    assert speaker.pressed == "++-"
    assert await control(home, device, action="set", level=20) == '{"volume":20,"muted":false}'


@pytest.mark.requirement("M1")
async def test_agent_changes_the_speaker_that_was_spoken_to(
    home: HomeAssistant, ollama: PlayedOllama, speaker: Satellite, device: str
) -> None:
    agent = await add_agent(home, ollama.url)
    ollama.answers(
        calls(call("control_speaker_volume", action="set", level=20)), says("Quieter now.")
    )
    answer = await agent.hears("speak less loudly", device_id=device)
    assert answer.speech == "Quieter now."
    assert speaker.volume_level == 0.2
