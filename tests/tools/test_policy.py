"""Calls that are not made, though they could be."""

import json
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm
import pytest

from custom_components.voice_gateway.heard import heard
from custom_components.voice_gateway.tools.journal import Journal
from custom_components.voice_gateway.tools.manager import ToolManager
from custom_components.voice_gateway.tools.policy import Policy
from tests.agent import Agent, add_agent
from tests.heard.saying import unread
from tests.model_servers import ModelServer
from tests.ollama import PlayedOllama, says


async def test_written_call_does_not_act_where_something_is_asked(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.answers(
        says('{"name": "HassTurnOn", "arguments": {"name": "Bed Light"}}'),
        says('{"name": "GetLiveContext", "arguments": {"name": "Bed Light"}}'),
        says("It is off."),
    )
    assert (await agent.hears("is the bed light on?")).speech == "It is off."
    assert agent.hass.states.is_state("light.bed_light", "off")


@pytest.mark.parametrize(
    ("sentence", "written"),
    [
        ("turn off the bed light", {"name": "HassTurnOn", "arguments": {"name": "Bed Light"}}),
        ("turn off the bed light",
         {"name": "HassLightSet", "arguments": {"name": "Bed Light", "brightness": 100}}),
        ("close the garage door", {"name": "HassTurnOn", "arguments": {"name": "Garage Door"}}),
    ],
)  # fmt: skip
async def test_written_call_does_not_do_the_opposite_of_what_was_said(
    agent: Agent, ollama: PlayedOllama, sentence: str, written: dict[str, Any]
) -> None:
    """The model is told so; where it insists, Home Assistant's own sentences act."""
    light = {"entity_id": "light.bed_light"}
    await agent.hass.services.async_call("light", "turn_on", light, blocking=True)
    ollama.answers(says(json.dumps(written)), says("It is done."))
    answer = await agent.hears(sentence)
    refused, done = answer.tool_results
    assert refused.data == {"error": "The user asked for the opposite: call intent__HassTurnOff"}
    assert not done.error
    assert agent.hass.states.is_state("light.bed_light", "on" if "garage" in sentence else "off")


async def test_what_was_done_is_not_undone_by_the_next_written_call(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    """A small model copies the list of tools: on, and off again."""
    agent = await add_agent(home, model_server)
    model_server.answers(
        model_server.says(
            "\n".join(
                json.dumps({"name": name, "arguments": {"name": "Bed Light"}})
                for name in ("HassTurnOn", "HassTurnOff")
            )
        ),
        model_server.says("It is on."),
    )
    answer = await agent.hears("make the bed light shine")
    done, undone = answer.tool_results
    assert not done.error
    assert undone.data == {"error": "You called the opposite before: intent__HassTurnOn"}
    assert home.states.is_state("light.bed_light", "on")


async def test_the_opposite_of_what_failed_may_be_called(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server)
    written = [
        json.dumps({"name": name, "arguments": {"name": "Bed Lihgts of mine"}})
        for name in ("HassTurnOn", "HassTurnOff")
    ]
    model_server.answers(*map(model_server.says, written), model_server.says("Neither."))
    answer = await agent.hears("see to the bed light")
    assert [str(each.data).count("opposite") for each in answer.tool_results] == [0, 0]


async def test_one_item_may_come_and_another_go(home: HomeAssistant) -> None:
    add, remove = (
        llm.IntentTool(name, intent.ServiceIntentHandler(name, "todo", "do"))
        for name in ("HassListAddItem", "HassListRemoveItem")
    )
    journal = Journal()
    policy = Policy(ToolManager(), unread(home, "see to the list"), journal)
    journal.begin(add, {"item": "milk", "name": "Shopping"})
    eggs, milk = ({"item": item, "name": "Shopping", "area": ""} for item in ("eggs", "milk"))
    assert policy.refusal(remove, eggs, written=True) is None
    assert policy.refusal(remove, milk, written=True) == (
        "You called the opposite before: HassListAddItem"
    )


async def test_written_call_that_acts_waits_for_no_sentence_that_was_not_read(
    agent: Agent, ollama: PlayedOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heard, "PATIENCE", 0)
    ollama.answers(
        says('{"name": "HassTurnOn", "arguments": {"name": "Bed Light"}}'),
        says("I could not do it."),
    )
    assert (await agent.hears("turn on the bed light")).speech == "I could not do it."
    assert agent.hass.states.is_state("light.bed_light", "off")
