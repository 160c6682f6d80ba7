"""What a model is told of a home: everything exposed, in few words that do not change."""

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
import pytest

from custom_components.voice_gateway.home.exposed import Home
from custom_components.voice_gateway.home.overview import NOTHING_EXPOSED, overview
from tests.agent import Agent, add_agent
from tests.extra_tools import API_ID, ExtraTool, add_tools
from tests.ollama import PlayedOllama

ASSISTANT = "conversation"


def told(home: HomeAssistant) -> str:
    return overview(Home.seen_by(home, ASSISTANT))


def line_with(text: str, words: str) -> str:
    (line,) = [line for line in text.split("\n") if words in line]
    return line


async def test_devices_stand_by_area_and_domain(home: HomeAssistant) -> None:
    text = told(home)
    assert "Ground floor" in line_with(text, "Kitchen Lights")
    assert line_with(text, "Kitchen Lights") == line_with(text, "Kitchen Window")
    assert "Upstairs" in line_with(text, "Bed Light")
    assert "Bedroom" in line_with(text, "Bed Light")
    assert "Walkman" in line_with(text, "No area")
    for entity in Home.seen_by(home, ASSISTANT).entities:
        assert text.count(entity.names[0]) >= 1


async def test_aliases_are_told(home: HomeAssistant) -> None:
    kitchen = ar.async_get(home).async_get_area_by_name("Kitchen")
    assert kitchen
    ar.async_get(home).async_update(kitchen.id, aliases={"Galley"})
    er.async_get(home).async_update_entity(
        "light.bed_light", aliases=[er.COMPUTED_NAME, "Night lamp"]
    )
    await home.async_block_till_done()
    text = told(home)
    assert "Bed Light (Night lamp)" in text
    assert "Kitchen (Galley)" in text


async def test_text_changes_neither_with_states_nor_with_their_order(home: HomeAssistant) -> None:
    before = told(home)
    states = list(home.states.async_all())
    for state in states:
        home.states.async_remove(state.entity_id)
    for state in reversed(states):
        home.states.async_set(state.entity_id, "unknown", state.attributes)
    assert told(home) == before


async def test_home_without_exposed_devices(home: HomeAssistant) -> None:
    for entity in Home.seen_by(home, ASSISTANT).entities:
        async_expose_entity(home, ASSISTANT, entity.entity_id, should_expose=False)
    assert told(home) == NOTHING_EXPOSED


async def prefix(agent: Agent, ollama: PlayedOllama) -> tuple[str, list[object]]:
    """Return what a new conversation begins with: system prompt and tools."""
    await agent.hears("how are you")
    request = ollama.chats[-1]
    return request["messages"][0]["content"], request["tools"]


@pytest.mark.requirement("A3")
async def test_new_conversation_begins_like_the_last_one(
    home: HomeAssistant, agent: Agent, ollama: PlayedOllama
) -> None:
    """A model that has read it does not have to read it again, also after a restart."""
    first = await prefix(agent, ollama)
    home.states.async_set("light.bed_light", "on", {"friendly_name": "Bed Light"})
    assert await prefix(agent, ollama) == first
    await home.config_entries.async_reload(agent.entry.entry_id)
    states = list(home.states.async_all())
    for state in reversed(states):
        home.states.async_remove(state.entity_id)
    for state in states:
        home.states.async_set(state.entity_id, state.state, state.attributes)
    await home.async_block_till_done()
    assert await prefix(agent, ollama) == first


async def test_instructions_may_be_a_template(home: HomeAssistant, ollama: PlayedOllama) -> None:
    agent = await add_agent(home, ollama.url, prompt="You live in {{ ha_name }}.")
    system, _ = await prefix(agent, ollama)
    assert system.startswith("You live in test home.")


async def test_time_is_told_by_a_tool_where_there_are_tools(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    """In the prompt it would have the model read all that follows anew."""
    add_tools(home, ExtraTool("garden__water", dict))
    for apis in ([API_ID], ["assist"], [API_ID, "assist"]):
        agent = await add_agent(home, ollama.url, tools=apis)
        system, tools = await prefix(agent, ollama)
        assert "Current time" not in system
        assert str(tools).count("GetDateTime") == 1
        await home.config_entries.async_remove(agent.entry.entry_id)


async def test_time_is_told_to_a_model_that_only_talks(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, tools=[])
    await agent.hears("how are you")
    assert "Current time" in ollama.chats[-1]["messages"][0]["content"]
    assert "tools" not in ollama.chats[-1]
