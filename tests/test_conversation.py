"""A conversation agent in Assist: it streams, remembers, and acts on what the pipeline hears."""

import asyncio
from typing import Any

from homeassistant.components.conversation import trace
from homeassistant.components.conversation.const import ConversationEntityFeature
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, device_registry as dr
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from script.ollama.scripted import ScriptedEngine
from script.ollama.server import serve

from .agent import Agent, add_agent, calls_without_their_result
from .ollama import PlayedOllama, call, calls, done, part, says
from .pipeline import run_pipeline

BED_LIGHT = call("intent__HassTurnOn", name="Bed Light")


async def test_agent_controls_the_home_in_any_language(agent: Agent) -> None:
    state = agent.hass.states.get(agent.entity_id)
    assert state
    assert state.attributes["supported_features"] & ConversationEntityFeature.CONTROL
    assert (await agent.hears("jak se máš", language="cs")).speech == "OK."


@pytest.mark.requirement("J1")
@pytest.mark.requirement("J11")
async def test_answer_is_spoken_while_it_is_written(agent: Agent, ollama: PlayedOllama) -> None:
    utterance = asyncio.Event()
    # The model goes on only when its first sentence is out.
    ollama.answers([part("I am well. Thank "), utterance, part("you."), done()])
    async with asyncio.timeout(30):
        answer = await agent.hears(
            "how are you", on_delta=lambda delta: utterance.set() if delta.get("content") else None
        )
    assert answer.speech == "I am well. Thank you."
    assert "".join(answer.streamed).strip() == "I am well. Thank you."
    assert len(answer.streamed) > 1


@pytest.mark.requirement("D6")
async def test_agent_remembers_the_conversation(agent: Agent, ollama: PlayedOllama) -> None:
    first = await agent.hears("my name is Ada")
    ollama.answers(says("You are Ada."))
    second = await agent.hears("how am I called", first.conversation_id)
    assert second.speech == "You are Ada."
    assert [(m["role"], m["content"]) for m in ollama.chats[-1]["messages"][1:]] == [
        ("user", "my name is Ada"),
        ("assistant", "OK."),
        ("user", "how am I called"),
    ]
    await agent.hears("how am I called")
    assert len(ollama.chats[-1]["messages"]) == 2


async def test_question_keeps_the_microphone_open(agent: Agent, ollama: PlayedOllama) -> None:
    ollama.answers(says("Which lamp?"), says("The lamp."))
    assert (await agent.hears("how are you")).result.continue_conversation
    assert not (await agent.hears("how are you")).result.continue_conversation


async def test_speakers_room_is_told_after_what_everyone_is_told(
    home: HomeAssistant, agent: Agent, ollama: PlayedOllama
) -> None:
    """What the model has read of the home stays read, wherever somebody speaks."""
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(home)
    devices = dr.async_get(home)
    satellite = devices.async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "satellite")}
    )
    kitchen = ar.async_get(home).async_get_area_by_name("Kitchen")
    assert kitchen
    for device_id in (None, "gone", satellite.id):
        await agent.hears("how are you", device_id=device_id)
    devices.async_update_device(satellite.id, area_id=kitchen.id)
    await agent.hears("how are you", device_id=satellite.id)
    ar.async_get(home).async_update(kitchen.id, floor_id=None)
    await agent.hears("how are you", device_id=satellite.id)
    *elsewhere, on_a_floor, in_a_room = (chat["messages"] for chat in ollama.chats)
    assert all(said[1:] == [{"role": "user", "content": "how are you"}] for said in elsewhere)
    assert all(said[0] == elsewhere[0][0] for said in (*elsewhere, on_a_floor))
    place, words = (message["content"] for message in on_a_floor[1:])
    assert "Kitchen" in place
    assert "Ground floor" in place
    assert words == "how are you"
    assert "Kitchen" in in_a_room[1]["content"]
    assert "Ground floor" not in in_a_room[1]["content"]


@pytest.mark.requirement("J7")
async def test_trace_tells_calls_and_counts(agent: Agent, ollama: PlayedOllama) -> None:
    ollama.answers(
        [part("I am well."), done(prompt_eval_count=812, eval_count=4, eval_duration=10**9)]
    )
    await agent.hears("how are you")
    last = trace.async_get_traces()[-1].as_dict()
    completions = [
        event["data"]["completion"]
        for event in last["events"]
        if "completion" in (event["data"] or {})
    ]
    assert completions[-1]["prompt_tokens"] == 812
    assert completions[-1]["answer_tokens"] == 4
    assert completions[-1]["answer_seconds"] == 1.0
    assert completions[-1]["finish_reason"] == "stop"


@pytest.mark.requirement("M1")
@pytest.mark.requirement("J11")
async def test_what_the_pipeline_hears_is_done_and_answered(
    agent: Agent, ollama: PlayedOllama, hass_ws_client: Any
) -> None:
    ollama.answers(calls(BED_LIGHT), says("The bed light ", "is on now."))
    events, _ = await run_pipeline(agent, hass_ws_client, "turn on the bed light")
    assert agent.hass.states.is_state("light.bed_light", "on")
    (end,) = [event["data"] for event in events if event["type"] == "intent-end"]
    speech = end["intent_output"]["response"]["speech"]["plain"]["speech"]
    deltas = [
        event["data"]["chat_log_delta"]
        for event in events
        if event["type"] == "intent-progress" and "chat_log_delta" in event["data"]
    ]
    assert speech
    assert speech in "".join(delta.get("content") or "" for delta in deltas)
    assert any(delta.get("tool_calls") for delta in deltas)


@pytest.mark.requirement("C11")
@pytest.mark.parametrize(
    "written",
    [
        pytest.param(
            '[tool_call]\n{"name": "intent__HassTurnOn", "arguments": {"name": "Bed Light"}}\n',
            id="as the template asks",
        ),
        pytest.param(
            '```json\n{"name": "HassTurnOn", "arguments": {"name": "Bed Light"}}\n```',
            id="fenced",
        ),
        pytest.param('{"name": "HassTurnOn", "arguments": {"name": "Bed Light"}}', id="bare"),
    ],
)
async def test_call_of_qwen_acts_however_it_is_written(
    home: HomeAssistant, socket_enabled: None, written: str
) -> None:
    """On the server that reads calls as Ollama does."""
    engine = ScriptedEngine([written[:15], written[15:40], written[40:]], ["It is on."])
    async with serve(engine) as url:
        agent = await add_agent(home, url, model="qwen2.5-coder-tools:1.5b", confirm_at_once=False)
        answer = await agent.hears("turn on the bed light")
    assert home.states.is_state("light.bed_light", "on")
    assert answer.speech == "It is on."
    assert answer.streamed == ["It is on."]
    assert calls_without_their_result(answer.log) == []
