"""An agent's sensors show how its last turns were, and feed Home Assistant's statistics."""

import asyncio
from typing import Any

from homeassistant.const import STATE_UNKNOWN, EntityCategory
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import entity_registry as er
import pytest

from custom_components.voice_gateway.const import EntryKind

from . import anthropic as claude
from .agent import Agent, add_agent
from .model_servers import OpenAIModel, serving
from .ollama import Fault, PlayedOllama, call, done, part, says
from .openai import PlayedOpenAI, end, text

BED_LIGHT = call("intent__HassTurnOn", name="Bed Light")
KITCHEN_LIGHTS = call("intent__HassTurnOff", name="Kitchen Lights")
MEASURED = {"time_to_first_word", "time_to_answer", "failures", "context_used"}
SHOWN = MEASURED | {"last_failure"}
HIDDEN = {"tokens_read", "tokens_written", "tool_calls"}


@pytest.fixture
async def all_enabled(agent: Agent) -> Agent:
    """An agent whose sensors are all enabled."""
    return await enable_all(agent)


async def enable_all(agent: Agent) -> Agent:
    """Enable an agent's sensors."""
    registry = er.async_get(agent.hass)
    for entry in sensors_of(agent).values():
        registry.async_update_entity(entry.entity_id, disabled_by=None)
    await agent.hass.config_entries.async_reload(agent.entry.entry_id)
    await agent.hass.async_block_till_done()
    return agent


def sensors_of(agent: Agent) -> dict[str, er.RegistryEntry]:
    """Return the agent's sensors by what they show."""
    entries = er.async_entries_for_config_entry(er.async_get(agent.hass), agent.entry.entry_id)
    return {
        entry.entity_id.removeprefix("sensor.jarvis_"): entry
        for entry in entries
        if entry.domain == "sensor"
    }


def state_of(agent: Agent, name: str) -> State:
    state = agent.hass.states.get(f"sensor.jarvis_{name}")
    assert state
    return state


async def test_sensors_are_diagnostic_and_the_noisy_ones_are_off(agent: Agent) -> None:
    sensors = sensors_of(agent)
    assert sensors.keys() == SHOWN | HIDDEN
    assert {name for name, entry in sensors.items() if entry.disabled_by} == HIDDEN
    assert {entry.entity_category for entry in sensors.values()} == {EntityCategory.DIAGNOSTIC}
    (subentry_id,) = agent.entry.subentries
    assert {entry.config_subentry_id for entry in sensors.values()} == {subentry_id}
    conversation = er.async_get(agent.hass).async_get(agent.entity_id)
    assert conversation
    assert {entry.device_id for entry in sensors.values()} == {conversation.device_id}


async def test_sensors_have_what_statistics_need(all_enabled: Agent) -> None:
    classes = {
        name: state_of(all_enabled, name).attributes["state_class"] for name in MEASURED | HIDDEN
    }
    assert classes == {
        "time_to_first_word": "measurement",
        "time_to_answer": "measurement",
        "failures": "total_increasing",
        "context_used": "measurement",
        "tokens_read": "total_increasing",
        "tokens_written": "total_increasing",
        "tool_calls": "total_increasing",
    }
    assert state_of(all_enabled, "time_to_answer").attributes["unit_of_measurement"] == "s"
    assert state_of(all_enabled, "tokens_read").attributes["unit_of_measurement"] == "tokens"


async def test_nothing_is_known_before_the_first_sentence(all_enabled: Agent) -> None:
    assert state_of(all_enabled, "time_to_first_word").state == STATE_UNKNOWN
    assert state_of(all_enabled, "time_to_answer").state == STATE_UNKNOWN
    for name in ("failures", "tokens_read", "tokens_written", "tool_calls"):
        assert state_of(all_enabled, name).state == "0"


@pytest.mark.requirement("J7")
async def test_tokens_and_calls_of_all_rounds_and_turns_add_up(
    all_enabled: Agent, ollama: PlayedOllama
) -> None:
    for _ in range(2):
        ollama.answers(
            [
                part(tool_calls=[BED_LIGHT, KITCHEN_LIGHTS]),
                done(prompt_eval_count=700, eval_count=30),
            ],
            [part("All is well."), done(prompt_eval_count=800, eval_count=5)],
        )
        await all_enabled.hears("cosy and warm and dark and quiet")
    assert state_of(all_enabled, "tokens_read").state == "3000"
    assert state_of(all_enabled, "tokens_written").state == "70"
    assert state_of(all_enabled, "tool_calls").state == "4"
    assert state_of(all_enabled, "failures").state == "0"
    # Of the last round alone, and of 8192 tokens.
    assert round(float(state_of(all_enabled, "context_used").state), 1) == 9.8


async def test_what_the_server_does_not_count_is_not_counted(
    all_enabled: Agent, ollama: PlayedOllama
) -> None:
    """Old servers leave out the tokens of a prompt that they had read before."""
    ollama.answers([part("Yes."), done(eval_count=2)])
    await all_enabled.hears("how are you")
    assert state_of(all_enabled, "tokens_read").state == "0"
    assert state_of(all_enabled, "tokens_written").state == "2"


async def test_first_word_comes_before_the_answer_ends(agent: Agent, ollama: PlayedOllama) -> None:
    spoken = asyncio.Event()
    times: list[float] = [agent.hass.loop.time()]

    def note(delta: dict[str, Any]) -> None:
        if delta.get("content"):
            times.append(agent.hass.loop.time())
            spoken.set()

    ollama.answers([part("I am well. And "), spoken, part("you?"), done()])
    await agent.hears("how are you", on_delta=note)
    first = float(state_of(agent, "time_to_first_word").state)
    whole = float(state_of(agent, "time_to_answer").state)
    assert 0 < first <= times[1] - times[0] < whole


async def test_failure_counts_and_leaves_times_as_they_were(
    agent: Agent, ollama: PlayedOllama
) -> None:
    await agent.hears("how are you")
    assert state_of(agent, "last_failure").state == STATE_UNKNOWN
    before = state_of(agent, "time_to_answer").state
    ollama.answers([part("I am"), Fault.CUT])
    await agent.hears("how are you")
    assert state_of(agent, "failures").state == "1"
    assert state_of(agent, "time_to_answer").state == before
    ollama.answers(says("Well."))
    await agent.hears("how are you")
    assert state_of(agent, "failures").state == "1"
    assert state_of(agent, "time_to_answer").state != before
    # It tells of the last one until there is another.
    assert state_of(agent, "last_failure").state == "connection_lost"
    assert state_of(agent, "last_failure").attributes["at"]


async def test_agent_that_is_removed_takes_its_sensors_along(
    agent: Agent, home: HomeAssistant
) -> None:
    assert await home.config_entries.async_remove(agent.entry.entry_id)
    await home.async_block_till_done()
    assert sensors_of(agent) == {}
    assert not home.states.async_entity_ids("sensor")


async def test_share_that_came_from_the_providers_cache(
    home: HomeAssistant, socket_enabled: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ollama does not tell it."""
    async with serving(EntryKind.ANTHROPIC, monkeypatch) as server:
        agent = await enable_all(await add_agent(home, server))
        assert state_of(agent, "tokens_from_cache").state == STATE_UNKNOWN
        answer = claude.answer(
            claude.text("I am well."), input_tokens=100, cache_read_input_tokens=900
        )
        server.answers(answer)
        await agent.hears("how are you")
    assert float(state_of(agent, "tokens_from_cache").state) == 90
    assert state_of(agent, "tokens_from_cache").attributes["unit_of_measurement"] == "%"
    assert state_of(agent, "tokens_read").state == "1000"


async def test_share_that_a_server_of_openais_protocol_had_read(
    home: HomeAssistant, openai: PlayedOpenAI
) -> None:
    agent = await enable_all(await add_agent(home, OpenAIModel(openai)))
    counts: dict[str, Any] = {
        "prompt_tokens": 1000,
        "prompt_tokens_details": {"cached_tokens": 900},
    }
    openai.answers([*text("I am well."), *end(**counts)])
    await agent.hears("how are you")
    assert float(state_of(agent, "tokens_from_cache").state) == 90
