"""What keeps people out: it is opened after a yes, and several only where each was named."""

import json
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, device_registry as dr, entity_registry as er
import pytest

from custom_components.voice_gateway.tools.policy.access import is_only_one_named
from tests.agent import Agent, add_agent
from tests.deeds import Deeds
from tests.nlu.saying import hears
from tests.ollama import PlayedOllama, call, calls, says

from ..tables import table

DOORS = ["Front Door", "Kitchen Door"]
OFF, ON = "intent__HassTurnOff", "intent__HassTurnOn"
POSITION = "intent__HassSetPosition"
GARAGE = ["Garage Door", "Yard Gate"]
type Call = tuple[str, dict[str, Any]]
UNLOCKED = ["lock.unlock front_door", "lock.unlock kitchen_door"]


@pytest.fixture
async def gates(full_house: HomeAssistant) -> HomeAssistant:
    """The house with a garage door and a gate, both in the garage, and no more than two locks."""
    for lock in ("lock.openable_lock", "lock.poorly_installed_door"):
        async_expose_entity(full_house, "conversation", lock, should_expose=False)
    garage = ar.async_get(full_house).async_create("Garage").id
    registry = er.async_get(full_house)
    for cover, name, device_class in (
        ("cover.garage_door", "Garage Door", "garage"),
        ("cover.kitchen_window", "Yard Gate", "gate"),
    ):
        registry.async_update_entity(cover, name=name, area_id=garage, device_class=device_class)
    await full_house.async_block_till_done()
    return full_house


async def done_by(
    agent: Agent, ollama: PlayedOllama, sentence: str, made: list[Call], written: bool
) -> tuple[list[str], str]:
    """Return what services did, and what the model was told, which makes one call after the other."""
    deeds = Deeds(agent.hass)
    ollama.script = [
        *(
            says(json.dumps({"name": name, "arguments": arguments}))
            if written
            else calls(call(name, **arguments))
            for name, arguments in made
        ),
        *[says("Which one?")] * 3,
    ]
    answer = await agent.hears(sentence)
    if answer.speech.startswith("Shall I"):
        assert not deeds.taken()
        await agent.hears("Yes", answer.conversation_id)
    await agent.hass.async_block_till_done()
    return sorted(deeds.taken()), " ".join(str(each.data) for each in answer.tool_results)


NOT_OPENED: list[tuple[str, list[Call]]] = [
    ("I want to go out by any door", [(OFF, {"name": DOORS})]),
    # One of them was named, and nobody knows that the other was meant.
    ("I want to go out by the front door", [(OFF, {"name": DOORS})]),
    ("let some air into the garage", [(ON, {"area": "Garage"})]),
    ("let some air into the garage", [(ON, {"area": "Garage", "domain": ["cover"]})]),
    ("let some air into the garage", [(POSITION, {"area": "Garage", "position": 30})]),
    # It is elsewhere.
    ("open the gate in the kitchen", [(ON, {"name": "Yard Gate"})]),
    # Swept along with what is no door.
    ("make the house bright", [(ON, {"domain": ["light", "cover"]})]),
]


@pytest.mark.parametrize("written", [False, True])
async def test_of_several_none_is_opened_that_was_not_said(
    gates: HomeAssistant, ollama: PlayedOllama, *, written: bool
) -> None:
    """It is asked which one: Home Assistant's own sentences open none in the model's stead."""
    agent = await add_agent(gates, ollama.url)
    wrong = []
    for sentence, made in NOT_OPENED:
        deeds, told = await done_by(agent, ollama, sentence, made, written)
        if deeds or "Ask the user which one" not in told:
            wrong.append((sentence, made, deeds, told))
    assert not wrong


OPENED: list[tuple[str, list[Call], list[str]]] = table(__file__, "OPENED")


async def test_what_was_said_is_opened_and_all_may_be_closed(
    gates: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(gates, ollama.url)
    wrong = []
    for sentence, made, deeds in OPENED:
        done, told = await done_by(agent, ollama, sentence, made, written=False)
        if done != deeds:
            wrong.append((sentence, made, done, told))
    assert not wrong


async def test_the_only_one_is_opened_without_its_name(
    gates: HomeAssistant, ollama: PlayedOllama
) -> None:
    made: list[Call] = [(OFF, {"domain": ["lock"]})]
    async_expose_entity(gates, "conversation", "lock.kitchen_door", should_expose=False)
    agent = await add_agent(gates, ollama.url)
    deeds, _ = await done_by(agent, ollama, "unlock all the doors", made, written=False)
    assert deeds == UNLOCKED[:1]


async def test_the_only_one_where_the_speaker_is_is_opened_without_its_name(
    gates: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(gates, ollama.url)
    deeds = Deeds(gates)
    registry = er.async_get(gates)
    kitchen = ar.async_get(gates).async_get_area_by_name("Kitchen")
    assert kitchen
    registry.async_update_entity("cover.kitchen_window", area_id=kitchen.id)
    garage = registry.async_get("cover.garage_door")
    assert garage
    (entry,) = gates.config_entries.async_entries("demo")
    devices = dr.async_get(gates)
    speaker = devices.async_get_or_create(config_entry_id=entry.entry_id, identifiers={("a", "b")})
    devices.async_update_device(speaker.id, area_id=garage.area_id)
    ollama.answers(calls(call(ON, name="Garage Door")))
    asked = await agent.hears("open the doors", device_id=speaker.id)
    assert asked.speech == "Shall I open the Garage Door?"
    await agent.hears("Yes", asked.conversation_id, device_id=speaker.id)
    assert deeds.taken() == ["cover.open_cover garage_door"]


async def test_of_two_gates_none_is_opened_as_the_gate(
    gates: HomeAssistant, ollama: PlayedOllama
) -> None:
    """Home Assistant reads each gate that is there in these words."""
    er.async_get(gates).async_update_entity(
        "cover.garage_door", name="Street Gate", device_class="gate"
    )
    agent = await add_agent(gates, ollama.url)
    made: list[Call] = [(ON, {"area": "Garage", "device_class": ["gate"]})]
    for sentence, opened in (
        ("open the gate in the garage", []),
        ("open all the gates in the garage",
         ["cover.open_cover garage_door", "cover.open_cover kitchen_window"]),
    ):  # fmt: skip
        deeds, told = await done_by(agent, ollama, sentence, made, written=False)
        assert deeds == opened, (sentence, told)


async def test_who_says_to_lock_is_not_asked_whether_to_unlock(
    gates: HomeAssistant, ollama: PlayedOllama
) -> None:
    """The door was named, and to open it is still the opposite of what was said."""
    made: list[Call] = [("HassUnlock", {"name": "Front Door"})]
    for ask_before in (["locks"], []):
        agent = await add_agent(gates, ollama.url, ask_before=ask_before)
        sentence = "would you be so kind and lock up the front door for tonight"
        deeds, told = await done_by(agent, ollama, sentence, made, written=False)
        assert not deeds
        assert "The user asked for the opposite" in told


async def test_the_only_one_stays_shut_where_something_else_was_said(
    gates: HomeAssistant, ollama: PlayedOllama
) -> None:
    made: list[Call] = [(OFF, {"name": "Front Door"})]
    async_expose_entity(gates, "conversation", "lock.kitchen_door", should_expose=False)
    agent = await add_agent(gates, ollama.url, ask_before=[])
    for sentence in ("see to the lights", "make the lights in here nicer"):
        deeds, told = await done_by(agent, ollama, sentence, made, written=False)
        assert not deeds, sentence
        assert "The user did not ask to open Front Door" in told


async def test_a_light_in_the_garage_names_no_garage_door(gates: HomeAssistant) -> None:
    """Of several kinds that are said, a door is told by its own alone."""
    sentence = "turn on the garage light and open the gate"
    utterance = await hears(gates, sentence)
    said, home = utterance.link(utterance.text.alike(sentence)), utterance.home
    found = {each.names[0] for each in home.entities if is_only_one_named(each, said)}
    assert found == {"Yard Gate"}
