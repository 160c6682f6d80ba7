"""What a model's call comes to in a home: only what was said is done, with the values that were said."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar
import pytest

from tests.agent import add_agent
from tests.deeds import Deeds
from tests.devices import async_change_device
from tests.ollama import PlayedOllama, call, calls, says

from ..tables import table


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


async def check(home: HomeAssistant, ollama: PlayedOllama, name: str) -> None:
    """Play the rows of a table, each with the home as it was."""
    agent = await add_agent(home, ollama.url, second_opinion=False)
    before = home.states.async_all()
    deeds = Deeds(home, values=True)
    wrong = []
    for language, said, tool, arguments, wanted in table(__file__, name):
        for each in before:
            home.states.async_set(each.entity_id, each.state, each.attributes)
        ollama.script = [calls(call(tool, **arguments)), *[says("I could not do it.")] * 3]
        answer = await agent.hears(said, language=language)
        await home.async_block_till_done()
        if (taken := deeds.taken()) != wanted:
            wrong.append((said, arguments, taken, str(answer.tool_results)))
    assert not wrong


async def test_what_was_said_is_done_and_nothing_else(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    await check(home, ollama, "CALLS")


async def test_what_was_said_is_done_in_another_home(
    at_hannas: HomeAssistant, ollama: PlayedOllama
) -> None:
    await check(at_hannas, ollama, "AT_HANNAS")


async def test_half_is_not_done_whole(home: HomeAssistant, ollama: PlayedOllama) -> None:
    """Where the model fails, the second opinion closes nothing that is to be half closed."""
    agent = await add_agent(home, ollama.url, second_opinion=True)
    deeds = Deeds(home)
    ollama.answers(*[says("Hm.")] * 3)
    await agent.hears("mach Hall Window halb runter", language="de")
    assert "cover.close_cover hall_window" not in deeds.taken()
