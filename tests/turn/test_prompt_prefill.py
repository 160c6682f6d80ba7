"""The prompt is read before a sentence has ended."""

import asyncio
from datetime import timedelta

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed  # type: ignore[import-untyped]

from custom_components.voice_gateway.turn import prompt_prefill

from ..agent import Agent, add_agent
from ..ollama import PlayedOllama, says

QUIET = timedelta(seconds=11)


async def speech_begins(agent: Agent) -> None:
    """Do what the assist pipeline does when it begins to listen."""
    await conversation.async_prepare_agent(agent.hass, agent.entity_id, "en")


async def test_prompt_is_read_when_speech_begins(agent: Agent, ollama: PlayedOllama) -> None:
    await speech_begins(agent)
    await agent.hears("hello")
    (read,), (asked,) = ollama.reads, ollama.chats
    assert read["messages"][0] == asked["messages"][0]
    assert read["tools"] == asked["tools"]
    assert read["options"]["num_ctx"] == asked["options"]["num_ctx"]


async def test_sentence_waits_for_its_prompt_and_does_not_have_it_read_twice(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.reading = asyncio.Event()
    beginning = asyncio.create_task(speech_begins(agent))
    await ollama.read_begun.wait()
    answer = asyncio.create_task(agent.hears("hello"))
    done, _ = await asyncio.wait({answer}, timeout=0.2)
    assert not done
    assert not ollama.chats
    ollama.reading.set()
    assert (await answer).speech == "OK."
    await beginning
    assert len(ollama.reads) == 1


async def test_sentence_does_not_wait_for_another_homes_prompt(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.reading = asyncio.Event()
    beginning = asyncio.create_task(speech_begins(agent))
    await ollama.read_begun.wait()
    async_expose_entity(agent.hass, conversation.DOMAIN, "light.bed_light", False)
    assert (await agent.hears("hello")).speech == "OK."
    ollama.reading.set()
    await beginning


async def test_microphone_that_is_open_keeps_the_conversation_in_the_models_mind(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.answers(says("Which room do you mean?"))
    await agent.hears("make it cosy")
    await speech_begins(agent)
    assert not ollama.reads


async def test_prompt_is_read_after_the_start_and_when_the_home_has_changed(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url)

    async def after_a_while() -> None:
        async_fire_time_changed(home, dt_util.utcnow() + QUIET, fire_all=True)
        await home.async_block_till_done(wait_background_tasks=True)

    await after_a_while()
    assert len(ollama.reads) == 1
    light = home.states.get("light.bed_light")
    assert light
    home.states.async_set(light.entity_id, "unavailable", light.attributes)
    await after_a_while()
    assert len(ollama.reads) == 1, "a state is no part of the prompt"
    async_expose_entity(home, conversation.DOMAIN, "light.bed_light", False)
    await after_a_while()
    assert len(ollama.reads) == 2
    assert "Bed Light" in ollama.reads[0]["messages"][0]["content"]
    assert "Bed Light" not in ollama.reads[1]["messages"][0]["content"]
    await home.config_entries.async_unload(agent.entry.entry_id)
    async_expose_entity(home, conversation.DOMAIN, "light.bed_light", True)
    await after_a_while()
    assert len(ollama.reads) == 2


async def test_server_that_is_off_harms_no_preparation(agent: Agent, ollama: PlayedOllama) -> None:
    port = ollama.port
    await ollama.stop()
    await speech_begins(agent)
    await ollama.start(port)
    assert (await agent.hears("hello")).speech == "OK."


async def test_model_that_is_not_kept_is_not_loaded_beforehand(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, keep_alive=0)
    await speech_begins(agent)
    assert not ollama.reads


async def test_script_that_is_exposed_later_is_a_tool_at_once(
    agent: Agent, ollama: PlayedOllama
) -> None:
    home = agent.hass
    await agent.hears("hello")
    script = {"good_night": {"alias": "Good night", "sequence": []}}
    assert await async_setup_component(home, "script", {"script": script})
    async_expose_entity(home, conversation.DOMAIN, "script.good_night", True)
    await agent.hears("hello")
    before, after = ([tool["function"]["name"] for tool in chat["tools"]] for chat in ollama.chats)
    assert not any("good_night" in name for name in before)
    assert any("good_night" in name for name in after)


async def test_reading_that_does_not_end_is_given_up(
    agent: Agent, ollama: PlayedOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that is gone without a word keeps no later sentence waiting."""
    monkeypatch.setattr(prompt_prefill, "_GIVEN_UP", 0.5)
    ollama.reading = asyncio.Event()
    await speech_begins(agent)
    assert len(ollama.reads) == 1
    ollama.reading = None
    assert (await agent.hears("how are you")).speech == "OK."
    await speech_begins(agent)
    assert len(ollama.reads) == 2
