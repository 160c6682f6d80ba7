"""What a model's call comes to in a home: only what was said is done, with the values that were said."""

import json

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
import pytest

from tests.agent import Agent, add_agent
from tests.deeds import Deeds
from tests.devices import async_change_device
from tests.ollama import PlayedOllama, call, calls, says

from ..tables import table

UNABLE = "I could not do it."


@pytest.fixture
async def at_hannas(home: HomeAssistant) -> HomeAssistant:
    """Another home with the same devices, where German is spoken."""
    areas = ar.async_get(home)
    for area, name in (("Kitchen", "Küche"), ("Bedroom", "Schlafzimmer")):
        found = areas.async_get_area_by_name(area)
        assert found
        areas.async_update(found.id, name=name)
    for entity_id, name in (
        ("light.bed_light", "Nachttischlampe"),
        ("light.kitchen_lights", "Küchenlicht"),
        ("cover.kitchen_window", "Rollladen"),
    ):
        await async_change_device(home, entity_id, name=name)
    return home


async def check(
    agent: Agent, ollama: PlayedOllama, name: str, *, written: bool = False, says_then: str
) -> None:
    """Play the rows of a table, each with the home as it was."""
    home = agent.hass
    before = home.states.async_all()
    deeds = Deeds(home, values=True)
    wrong = []
    for language, said, tool, arguments, wanted, *answers in table(__file__, name):
        for each in before:
            home.states.async_set(each.entity_id, each.state, each.attributes)
        text = json.dumps({"name": tool, "arguments": arguments})
        made = says(text) if written else calls(call(tool, **arguments))
        ollama.script = [made, *[says(says_then)] * 3]
        answer = await agent.hears(said, language=language)
        await home.async_block_till_done()
        if (taken := deeds.taken()) != wanted or answer.speech not in (answers or [answer.speech]):
            wrong.append((said, arguments, taken, answer.speech, str(answer.tool_results)))
    assert not wrong


async def test_what_was_said_is_done_and_nothing_else(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, second_opinion=False)
    await check(agent, ollama, "CALLS", says_then=UNABLE)


@pytest.mark.parametrize("written", [False, True])
async def test_what_was_said_decides_whoever_makes_the_call(
    agent: Agent, ollama: PlayedOllama, written: bool
) -> None:
    """And nobody is told that it was done where it was not."""
    await check(agent, ollama, "EITHER", written=written, says_then="Done.")


async def test_what_was_said_is_done_in_another_home(
    at_hannas: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(at_hannas, ollama.url, second_opinion=False)
    await check(agent, ollama, "AT_HANNAS", says_then=UNABLE)


async def test_half_is_not_done_whole(home: HomeAssistant, ollama: PlayedOllama) -> None:
    """Where the model fails, the second opinion closes nothing that is to be half closed."""
    agent = await add_agent(home, ollama.url, second_opinion=True)
    deeds = Deeds(home)
    ollama.answers(*[says("Hm.")] * 3)
    await agent.hears("mach Hall Window halb runter", language="de")
    assert "cover.close_cover hall_window" not in deeds.taken()
