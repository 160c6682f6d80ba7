"""Home Assistant's tools under the names of its services, and of intents that are no tools."""

import json
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
import pytest

from custom_components.voice_gateway.tools.assist.tool_aliases import words_of
from tests.agent import Agent, add_agent
from tests.deeds import Deeds
from tests.ollama import PlayedOllama, call, calls, says

from ...tables import table


@pytest.fixture
async def agent(full_house: HomeAssistant, ollama: PlayedOllama) -> Agent:
    return await add_agent(full_house, ollama.url)


MEANT: list[tuple[str, dict[str, Any], str, str]] = table(__file__, "MEANT")


@pytest.mark.parametrize("written", [False, True])
async def test_what_a_name_certainly_means_is_done(
    agent: Agent, ollama: PlayedOllama, *, written: bool
) -> None:
    done = Deeds(agent.hass)
    wrong = {}
    for name, arguments, sentence, proposed in MEANT:
        made = {"name": name, "arguments": arguments}
        ollama.answers(says(json.dumps(made)) if written else calls(call(name, **arguments)))
        answer = await agent.hears(sentence)
        if answer.speech.startswith("Shall I"):
            await agent.hears("Yes", answer.conversation_id)
        await agent.hass.async_block_till_done()
        if (taken := done.taken())[-1:] != [proposed]:
            wrong[name, sentence] = taken, answer.tool_results
    await agent.hass.services.async_call("cover", "stop_cover", {"entity_id": "all"}, blocking=True)
    assert not wrong


NOT_MEANT: list[tuple[str, dict[str, Any], str, str]] = [
    # Nobody knows whether it is to stand still or to go home.
    ("HassVacuumStop", {"name": "Demo vacuum 0 ground floor"}, "stop the vacuum", "Unknown tool"),
    ("HassStop", {"name": "Hall Window"}, "stop the hall window", "Unknown tool"),
    ("HassToggle", {"name": "Bed Light"}, "see to the bed light", "Unknown tool"),
    ("HassVolumeMute", {"name": "Walkman"}, "mute the walkman", "Unknown tool"),
    ("HassSet", {"name": "Bed Light"}, "see to the bed light", "Unknown tool"),
    ("lock.open", {"name": "Openable Lock"}, "open the openable lock", "Unknown tool"),
    ("HassOpenDoor", {"name": "Front Door"}, "open the front door", "Unknown tool"),
    # To open a door that is a lock is not to lock it, and no device is taken for another.
    ("HassOpen", {"name": "Front Door"}, "open the front door", "Front Door is a lock"),
    ("HassUnlock", {"name": "Garage Door"}, "unlock the garage door", "Garage Door is a cover"),
    ("HassOpenCover", {"name": "Demo vacuum 0 ground floor"}, "the vacuum on the ground floor",
     "is a vacuum"),
    # What it was to play would be left out.
    ("HassMediaPlay", {"name": "Walkman", "media": "jazz"}, "play jazz on the walkman",
     "There is no argument media"),
]  # fmt: skip


@pytest.mark.parametrize("written", [False, True])
async def test_what_a_name_may_mean_is_not_done(
    full_house: HomeAssistant, ollama: PlayedOllama, *, written: bool
) -> None:
    agent = await add_agent(full_house, ollama.url, second_opinion=False)
    done = Deeds(full_house)
    wrong = {}
    for name, arguments, sentence, error in NOT_MEANT:
        made = {"name": name, "arguments": arguments}
        ollama.answers(
            says(json.dumps(made)) if written else calls(call(name, **arguments)),
            says("Shall I?"),
        )
        answer = await agent.hears(sentence)
        assert len(answer.tool_results) == 1, (name, answer.speech)
        (result,) = answer.tool_results
        if (taken := done.taken()) or error not in str(result.data):
            wrong[name, sentence] = taken, result
    assert not wrong


async def test_another_name_is_held_to_what_was_said(agent: Agent, ollama: PlayedOllama) -> None:
    done = Deeds(agent.hass)
    for sentence in (
        "is the front door locked?",
        "unlock the front door in ten minutes",
        "don't unlock the front door",
        "lock the front door",
    ):
        ollama.answers(calls(call("HassUnlock", name="Front Door")), *[says("Shall I?")] * 3)
        await agent.hears(sentence)
        assert "lock.unlock front_door" not in done.taken(), sentence


async def test_the_shopping_list_is_the_one_that_there_is(
    agent: Agent, ollama: PlayedOllama
) -> None:
    hass = agent.hass
    own = ("Notebook", "Plans")
    (shopping,) = (each for each in hass.states.async_all("todo") if each.name not in own)
    registry = er.async_get(hass)
    registry.async_update_entity(shopping.entity_id, name="Groceries")
    names = ("HassShoppingListAddItem", "HassAddToShoppingList", "HassShoppingListAdd")
    for number, name in enumerate(names):
        ollama.answers(calls(call(name, item=f"eggs {number}")))
        answer = await agent.hears(f"I need eggs {number} from the shop, put them down")
        assert not answer.tool_results[0].error
    for item, name in (("milk", "HassAddToList"), ("tea", "HassShoppingListAddItem")):
        ollama.answers(calls(call(name, item=item, name="Groceries")))
        answer = await agent.hears(f"put {item} on the groceries list")
        assert not answer.tool_results[0].error
    assert hass.states.is_state(shopping.entity_id, "5")


async def test_no_list_is_taken_where_several_or_none_are_for_shopping(
    agent: Agent, ollama: PlayedOllama
) -> None:
    hass = agent.hass
    second = er.async_get(hass).async_get_or_create("todo", "test", "second").entity_id
    async_expose_entity(hass, "conversation", second, should_expose=True)
    hass.states.async_set(second, "0", {"friendly_name": "Shopping List"})
    made = calls(call("HassShoppingListAddItem", item="eggs"))
    ollama.answers(made, says("On which list?"))
    answer = await agent.hears("I need eggs from the shop, put them down")
    assert answer.tool_results[0].error
    others = (second, "todo.notebook", "todo.plans")
    (own,) = [each for each in hass.states.async_all("todo") if each.entity_id not in others]
    hass.states.async_set(second, "0", {"friendly_name": "Chores"})
    async_expose_entity(hass, "conversation", own.entity_id, should_expose=False)
    ollama.answers(made, says("On which list?"))
    answer = await agent.hears("I need eggs from the shop, put them down")
    assert "Unknown tool" in str(answer.tool_results[0].data)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("HassUnlock", {"unlock"}),
        ("hass_open_cover", {"open", "cover"}),
        ("HassSetTVVolume", {"set", "tv", "volume"}),
        ("light.turn_on", {"light", "turn", "on"}),
        ("unlock", set()),
        ("Hass", set()),
        ("turn_on", set()),
        ("api.v1.lock", set()),
        ("", set()),
    ],
)
def test_a_name_is_another_name_only_if_it_is_home_assistants(name: str, words: set[str]) -> None:
    assert words_of(name) == words
