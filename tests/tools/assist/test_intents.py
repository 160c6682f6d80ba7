"""Home Assistant's intents, called for what the device at hand cannot do in that way."""

import json
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import area_registry as ar, entity_registry as er, intent, llm
from hypothesis import given, strategies as st
import pytest
from pytest_homeassistant_custom_component.common import async_mock_service  # type: ignore[import-untyped]

from custom_components.voice_gateway.tools.assist.intents import IntentTool
from tests.agent import Agent, add_agent
from tests.deeds import Deeds
from tests.model_servers import Call, ModelServer, call
from tests.ollama import PlayedOllama, call as made_call, calls, says
from tests.rows import rows


def as_model(model_server: ModelServer, made: Call, written: bool) -> Any:
    """Return the answer of a model that makes a call, or writes it."""
    if written:
        return model_server.says(json.dumps({"name": made.name, "arguments": made.arguments}))
    return model_server.calls(made)


@pytest.mark.parametrize("written", [False, True])
# To open it, the user is asked first.
@pytest.mark.parametrize("position", [0])
async def test_what_only_opens_and_closes_is_told_to_the_model(
    home: HomeAssistant, model_server: ModelServer, position: int, written: bool
) -> None:
    """Which of the two is meant is not guessed: a small model closes with 100."""
    agent = await add_agent(home, model_server)
    move = call("intent__HassSetPosition", name="Garage Door", position=position)
    model_server.answers(
        as_model(model_server, move, written),
        model_server.calls(call("intent__HassTurnOff", name="Garage Door")),
    )
    door = {"entity_id": "cover.garage_door"}
    await home.services.async_call("cover", "open_cover", door, blocking=True)
    answer = await agent.hears("see to the garage door, would you")
    refused, done = answer.tool_results
    assert refused.error
    assert "HassTurnOff closes it" in str(refused.data)
    assert not done.error
    assert home.states.is_state("cover.garage_door", "closed")


@pytest.mark.parametrize("written", [False, True])
async def test_what_cannot_stop_is_told_to_the_model(
    home: HomeAssistant, model_server: ModelServer, written: bool
) -> None:
    agent = await add_agent(home, model_server)
    stop = call("intent__HassStopMoving", name="Garage Door")
    model_server.answers(
        as_model(model_server, stop, written),
        model_server.says("It cannot."),
    )
    answer = await agent.hears("see to the garage door, would you")
    (refused,) = answer.tool_results
    assert "cannot be stopped halfway. HassTurnOn opens it" in str(refused.data)


async def test_tools_for_a_device_of_another_kind_are_told(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server)
    model_server.answers(
        model_server.calls(call("light__HassLightSet", name="Walkman", brightness=50)),
        model_server.says("It has none."),
    )
    answer = await agent.hears("set the walkman to 50 percent")
    (refused,) = answer.tool_results
    told = str(refused.data)
    assert "Walkman is a media_player; this tool is for: light. Tools for it: " in told
    assert "media_player__HassSetVolume" in told
    assert "climate" not in told


@pytest.mark.parametrize("written", [False, True])
async def test_what_a_device_is_not_able_to_do_is_told_with_its_tools(
    home: HomeAssistant, model_server: ModelServer, written: bool
) -> None:
    walkman = home.states.get("media_player.walkman")
    assert walkman
    home.states.async_set(
        walkman.entity_id, walkman.state, {**walkman.attributes, "supported_features": 0}
    )
    agent = await add_agent(home, model_server)
    skip = call("media_player__HassMediaNext", name="Walkman")
    model_server.answers(
        as_model(model_server, skip, written),
        model_server.says("It cannot."),
    )
    answer = await agent.hears("skip a song on the walkman")
    (refused,) = answer.tool_results
    told = str(refused.data["error"])
    assert told.startswith("Walkman cannot do that. Tools for it: ")
    assert "HassMediaNext" not in told
    assert "HassMediaPause" in told


def states_of(hass: HomeAssistant) -> set[tuple[str, str]]:
    """Return the states of lights and media players."""
    states = hass.states.async_all(("light", "media_player"))
    return {(state.entity_id, state.state) for state in states}


@pytest.mark.parametrize(
    "arguments",
    [
        {"area": "Bedroom", "domain": '["light"]'},
        {"area": "Bedroom", "domain": "light"},
        {"area": '["Bedroom"]', "domain": ["light"], "device_class": None},
        {"room": ["Bedroom"], "domain": '["light"]'},
    ],
)
async def test_a_list_in_a_text_and_a_text_for_a_list_are_that_list(
    home: HomeAssistant, model_server: ModelServer, arguments: dict[str, Any]
) -> None:
    agent = await add_agent(home, model_server)
    home.states.async_set("media_player.bedroom", "off", {"friendly_name": "Bedroom"})
    async_expose_entity(home, "conversation", "media_player.bedroom", should_expose=True)
    light = {"entity_id": "light.bed_light"}
    await home.services.async_call("light", "turn_off", light, blocking=True)
    before = states_of(home)
    model_server.answers(model_server.calls(call("intent__HassTurnOn", **arguments)))
    answer = await agent.hears("turn on the bedroom light")
    assert [result.error for result in answer.tool_results] == [False]
    assert states_of(home) - before == {("light.bed_light", "on")}


@pytest.mark.parametrize("blank", [{}, {"name": ""}, {"area": " ", "floor": None}])
async def test_what_may_be_the_target_under_an_unknown_name_is_not_left_out(
    home: HomeAssistant, model_server: ModelServer, blank: dict[str, Any]
) -> None:
    """Left out, "the bed light" would be all lights."""
    agent = await add_agent(home, model_server)
    made = call("intent__HassTurnOff", domain=["light"], thing="Bed Light", **blank)
    model_server.answers(model_server.calls(made), model_server.says("Which one?"))
    before = states_of(home)
    answer = await agent.hears("see to everything, would you")
    assert "There is no argument thing" in str(answer.tool_results[0].data)
    assert states_of(home) == before


@rows("written", [False, True])
@rows(
    "several",
    [
        {"name": ["Bed Light", "Kitchen Lights"]},
        {"name": '["Bed Light", "Kitchen Lights"]'},
        {"device": ["Bed Light", "Kitchen Lights"], "name": ""},
    ],
)
async def test_several_devices_in_one_call_are_each_called(
    home: HomeAssistant, model_server: ModelServer, several: dict[str, Any], written: bool
) -> None:
    agent = await add_agent(home, model_server)
    both = call("intent__HassTurnOn", **several, area="")
    model_server.answers(as_model(model_server, both, written))
    lights = {"entity_id": ["light.bed_light", "light.kitchen_lights"]}
    await home.services.async_call("light", "turn_off", lights, blocking=True)
    before = {state.entity_id: state.state for state in home.states.async_all("light")}
    answer = await agent.hears("turn on the bed light and the kitchen lights")
    assert [result.error for result in answer.tool_results] == [False, False]
    after = {state.entity_id: state.state for state in home.states.async_all("light")}
    changed = {entity_id for entity_id, state in after.items() if state != before[entity_id]}
    assert changed == set(lights["entity_id"])


@pytest.mark.parametrize("written", [False, True])
async def test_what_failed_half_way_is_not_done_a_second_time(
    home: HomeAssistant, model_server: ModelServer, written: bool
) -> None:
    """The service raises after it began: nobody knows how far it came."""
    begun: list[ServiceCall] = []

    async def turn_on(service: ServiceCall) -> None:
        begun.append(service)
        raise HomeAssistantError("The lamp is jammed")

    home.services.async_register("light", "turn_on", turn_on)
    agent = await add_agent(home, model_server)
    made = call("intent__HassTurnOn", name="Bed Light")
    model_server.answers(as_model(model_server, made, written), model_server.says("It is jammed."))
    answer = await agent.hears("make the bed light shine")
    assert [result.error for result in answer.tool_results] == [True]
    assert len(begun) == 1


async def test_a_room_that_is_said_is_not_the_speaker_that_is_called_as_the_room_is(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    """Who names a place means what is there, not only what has its name."""
    registry = er.async_get(home)
    speaker = registry.async_get_or_create("media_player", "test", "speaker").entity_id
    registry.async_update_entity(speaker, name="Bedroom", area_id="bedroom")
    home.states.async_set(speaker, "off", {"friendly_name": "Bedroom"})
    light = {"entity_id": "light.bed_light"}
    await home.services.async_call("light", "turn_off", light, blocking=True)
    agent = await add_agent(home, model_server)
    made = call("intent__HassTurnOn", name="Bed Light", area="Bedroom")
    model_server.answers(as_model(model_server, made, written=True))
    await agent.hears("let it shine in the bedroom")
    assert home.states.is_state("light.bed_light", "on")
    assert home.states.is_state(speaker, "off")


async def test_a_list_of_one_device_is_that_device(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server)
    model_server.answers(model_server.calls(call("intent__HassTurnOn", name=["Bed Light"])))
    answer = await agent.hears("turn on the bed light")
    assert not answer.tool_results[0].error
    assert home.states.is_state("light.bed_light", "on")


@pytest.mark.parametrize("written", [False, True])
async def test_an_intent_under_a_wrong_prefix_is_that_intent(
    home: HomeAssistant, model_server: ModelServer, written: bool
) -> None:
    agent = await add_agent(home, model_server)
    made = call("lamp__HassTurnOn", name="Bed Light")
    model_server.answers(as_model(model_server, made, written))
    answer = await agent.hears("turn on the bed light")
    assert not answer.tool_results[0].error
    assert home.states.is_state("light.bed_light", "on")


NAMES = (
    st.text(max_size=8)
    | st.just('["Desk", "Lamp"]')
    | st.lists(st.text(max_size=8) | st.integers(), max_size=4)
)


@given(st.fixed_dictionaries({"area": NAMES, "floor": NAMES, "name": NAMES}))
def test_a_list_of_names_is_no_other_names_and_not_none(arguments: dict[str, Any]) -> None:
    """Nothing that was named is left out, and nothing is added."""
    properties = {slot: {"type": "string"} for slot in arguments}
    told = {"type": "object", "properties": properties}
    handler = intent.ServiceIntentHandler("HassTurnOn", "homeassistant", "turn_on")
    calls = IntentTool(llm.IntentTool("HassTurnOn", handler), told, told).each(arguments)
    several = next((slot for slot in sorted(arguments) if is_listed(arguments[slot])), None)
    for slot, said in arguments.items():
        if slot == several:
            names = json.loads(said) if isinstance(said, str) else said
            assert [each[slot] for each in calls] == list(dict.fromkeys(names))
        else:
            assert all(each[slot] == said for each in calls)


def is_listed(value: Any) -> bool:
    """Tell whether a value is a list of names, which may be written as JSON."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return False
    return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)


@pytest.mark.parametrize(
    "text",
    [
        "HassTurnOn(bed_light)",
        "HassTurnOn('Bed Light')",
        "HassTurnOn(light.bed_light)",
        "HassTurnOn(name=Bed Light, domain=[light])",
        "call:HassTurnOn{name:Bed Light,domain:[light]}",
    ],
)
async def test_a_call_that_lacks_names_or_quotes_means_the_device(
    agent: Agent, ollama: PlayedOllama, text: str
) -> None:
    light = {"entity_id": "light.bed_light"}
    await agent.hass.services.async_call("light", "turn_off", light, blocking=True)
    ollama.answers(says(text))
    answer = await agent.hears("turn on the bed light")
    assert [result.error for result in answer.tool_results] == [False]
    assert agent.hass.states.is_state("light.bed_light", "on")


@pytest.mark.parametrize(
    "text",
    [
        "HassTurnOn(Kitchen)",
        "HassTurnOn('Bed Light', 'Kitchen Lights')",
        "HassTurnOn(bed_light) turns it on.",
        "call:HassTurnOn{lamp:Bed Light}",
    ],
)
async def test_an_argument_without_a_name_is_no_place_and_no_list(
    home: HomeAssistant, ollama: PlayedOllama, text: str
) -> None:
    agent = await add_agent(home, ollama.url, second_opinion=False)
    before = states_of(home)
    ollama.answers(says(text), *[says("Which light is meant?")] * 2)
    await agent.hears("make the kitchen shine, and that lamp by the bed")
    assert states_of(home) == before


VACUUM = "Demo vacuum 0 ground floor"
FOR_OTHERS: list[tuple[str, dict[str, Any], str, str]] = [
    ("HassStopMoving", {"name": VACUUM}, f"stop the {VACUUM}", "HassVacuumReturnToBase"),
    ("HassStopMoving", {"name": VACUUM, "domain": ["vacuum"]}, f"stop the {VACUUM}",
     "HassVacuumReturnToBase"),
    ("HassStopMoving", {"domain": ["vacuum"]}, "stop the vacuum", "HassVacuumReturnToBase"),
    ("HassStopMoving", {"name": "Walkman"}, "stop the walkman", "HassMediaPause"),
    ("HassStopMoving", {"name": "Bed Light"}, "stop the bed light", "HassTurnOff"),
    ("HassMediaPause", {"name": VACUUM}, f"pause the {VACUUM}", "HassVacuumStart"),
]  # fmt: skip


@pytest.mark.parametrize("written", [False, True])
async def test_of_a_device_that_a_tool_is_not_for_the_right_one_is_told(
    full_house: HomeAssistant, ollama: PlayedOllama, *, written: bool
) -> None:
    agent = await add_agent(full_house, ollama.url, second_opinion=False)
    done = Deeds(full_house)
    wrong = {}
    for name, arguments, sentence, tool in FOR_OTHERS:
        made = json.dumps({"name": name, "arguments": arguments})
        ollama.answers(
            says(made) if written else calls(made_call(name, **arguments)), says("Shall I?")
        )
        (result,) = (await agent.hears(sentence)).tool_results
        told = str(result.data).partition("Tools for it: ")[2]
        if (taken := done.taken()) or not told.partition("__")[2].startswith(tool):
            wrong[name, sentence] = taken, result
    assert not wrong


async def test_brightness_of_a_window_is_its_position(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    positions = async_mock_service(home, "cover", "set_cover_position")
    agent = await add_agent(home, ollama.url)
    made = made_call("light__HassLightSet", name="Hall Window", brightness=40)
    ollama.script = [calls(made), *[says("Done.")] * 2]
    await agent.hears("see to the hall window, would you, 40 percent is nice")
    (moved,) = positions
    assert moved.data == {"entity_id": "cover.hall_window", "position": 40}


async def test_what_is_left_out_of_a_room_is_left_out_of_the_corrected_call(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    """The call as it was made reaches nothing: there is no such domain."""
    kitchen = ar.async_get(home).async_get_area_by_name("Kitchen")
    assert kitchen
    er.async_get(home).async_update_entity(
        "light.ceiling_lights", name="Ceiling Lights", area_id=kitchen.id
    )
    agent = await add_agent(home, ollama.url, reflex=False, second_opinion=False)
    deeds = Deeds(home)
    made = made_call("intent__HassTurnOff", area="Kitchen", domain=["lights"])
    ollama.script = [calls(made), *[says("Done.")] * 2]
    answer = await agent.hears("turn off the lights in the kitchen, just not the ceiling lights")
    assert deeds.taken() == ["light.turn_off kitchen_lights"], answer.speech


async def test_namesakes_of_other_domains_stay_namesakes(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    """Home Assistant is told in which domains a device is called so, and none of them is left out."""
    er.async_get(home).async_update_entity("light.bed_light", aliases=[er.COMPUTED_NAME, "Walkman"])
    deeds = Deeds(home)
    agent = await add_agent(home, model_server)
    model_server.answers(
        model_server.calls(call("intent__HassTurnOff", name="Walkman")),
        model_server.says("Which one?"),
    )
    answer = await agent.hears("see to the walkman, would you")
    (refused,) = answer.tool_results
    assert refused.error
    assert not deeds.taken()
