"""What Home Assistant's own sentences make of what was said, and of what a model answers."""

import json
from typing import Any

from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant
import pytest

from custom_components.voice_gateway.heard.sentences import async_claims, async_is_command

from ..agent import Agent, add_agent
from ..ollama import PlayedOllama, call, calls, says


def heard(text: str, language: str = "en") -> conversation.ConversationInput:
    return conversation.ConversationInput(
        text=text,
        context=Context(),
        conversation_id=None,
        device_id=None,
        satellite_id=None,
        language=language,
        agent_id="conversation.jarvis",
    )


@pytest.mark.parametrize(
    ("text", "language", "is_command"),
    [
        ("turn on the bed light", "en", True),
        ("switch off the kitchen lights please", "en", True),
        ("turn on the sauna", "en", True),
        ("schalte Bed Light ein", "de", True),
        ("is the bed light on?", "en", False),
        ("is the light on", "en", False),
        ("which lights are on", "en", False),
        ("what time is it", "en", False),
        ("tell me a story about a lamp", "en", False),
    ],
)
async def test_commands_are_told_from_all_else(
    home: HomeAssistant, text: str, language: str, is_command: bool
) -> None:
    assert await async_is_command(home, heard(text, language)) is is_command


@pytest.mark.parametrize(
    ("language", "text", "claims"),
    [
        ("en", "I have turned on the bed light.", True),
        ("en", "The bed light is now on.", True),
        ("en", "The front door has been locked.", True),
        ("en", "There is no sauna in this home.", False),
        ("en", "I couldn't turn on the bed light.", False),
        ("en", "Which light do you mean?", False),
        ("de", "Das Licht ist eingeschaltet.", True),
        ("de", "Das Licht ist leider nicht erreichbar.", False),
        ("de", "Keiner der Schalter wurde eingeschaltet.", False),
        ("es", "Lamento que la luz siga encendida.", False),
        ("fr", "La lumière n'a jamais été allumée.", False),
        ("it", "Nessuno ha acceso la luce.", False),
        ("nl", "Ik kon de lamp aandoen.", False),
        ("pl", "Żadne światło zostało włączone.", False),
        ("xx", "I have turned on the bed light.", False),
    ],
)
async def test_claims_are_told_from_all_else(
    home: HomeAssistant, language: str, text: str, claims: bool
) -> None:
    assert await async_claims(home, language, text) is claims


@pytest.mark.parametrize(
    ("sentence", "made", "speech"),
    [
        ("turn on the bed light", call("intent__HassTurnOn", name="Bed Light"), "Turned on the light"),
        ("open the kitchen window", call("intent__HassTurnOn", name="Kitchen Window"), "Opening"),
        ("dim the bed light", call("light__HassLightSet", name="Bed Light", brightness=20),
         "Brightness set"),
        ("all lights upstairs off", call("intent__HassTurnOff", floor="Upstairs", domain=["light"]),
         "Turned off the light"),
    ],
)  # fmt: skip
async def test_plain_actions_are_confirmed_without_asking_again(
    agent: Agent, ollama: PlayedOllama, sentence: str, made: dict[str, object], speech: str
) -> None:
    ollama.answers(calls(made))
    assert (await agent.hears(sentence)).speech == speech
    assert len(ollama.chats) == 1


@pytest.mark.parametrize("joint", [" and ", ", then ", ". And then "])
async def test_two_things_that_were_asked_for_are_confirmed_when_both_are_done(
    agent: Agent, ollama: PlayedOllama, joint: str
) -> None:
    ollama.answers(
        calls(
            call("intent__HassTurnOn", name="Bed Light"),
            call("intent__HassTurnOff", name="Ceiling Lights"),
        )
    )
    sentence = f"turn on the bed light{joint}turn off the ceiling lights"
    answer = await agent.hears(sentence)
    assert answer.speech == "Turned on the light. Turned off the light"
    assert len(ollama.chats) == 1


async def test_confirmation_is_in_the_users_language(agent: Agent, ollama: PlayedOllama) -> None:
    ollama.answers(calls(call("intent__HassTurnOn", name="Bed Light")))
    answer = await agent.hears("mach das Bed Light an", language="de")
    assert answer.speech == "Bed Light eingeschaltet"


@pytest.mark.parametrize(
    "sentence",
    [
        "turn on the bed light and tell me the time",
        "turn on the bed light, then close the window",
        # Home Assistant reads no Latin: whether this is all is not known.
        "lucem accende",
    ],
)
async def test_where_more_may_be_wanted_the_model_goes_on(
    agent: Agent, ollama: PlayedOllama, sentence: str
) -> None:
    ollama.answers(calls(call("intent__HassTurnOn", name="Bed Light")), says("And the rest."))
    language = "la" if "lucem" in sentence else "en"
    assert (await agent.hears(sentence, language=language)).speech == "And the rest."


async def test_action_that_failed_in_part_is_told_by_the_model(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.answers(
        calls(
            call("intent__HassTurnOn", name="Bed Light"),
            call("intent__HassTurnOn", name="Sauna"),
        ),
        says("The bed light is on, but there is no sauna."),
    )
    answer = await agent.hears("turn on the bed light and the sauna")
    assert answer.speech == "The bed light is on, but there is no sauna."


async def test_second_opinion_acts_only_with_the_agents_own_tools(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, tools=[])
    ollama.answers(says("I cannot do that."))
    assert (await agent.hears("turn on the bed light")).speech == "I cannot do that."
    assert home.states.is_state("light.bed_light", "off")


async def test_model_that_is_told_that_nothing_was_done_may_still_do_it(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, second_opinion=False)
    ollama.answers(
        says("I have turned on the bed light."),
        calls(call("intent__HassTurnOn", name="Bed Light")),
    )
    answer = await agent.hears("turn on the bed light")
    assert answer.speech == "Turned on the light"
    assert home.states.is_state("light.bed_light", "on")
    assert "Nothing was done" in ollama.chats[1]["messages"][-1]["content"]


async def test_device_that_does_not_exist_is_not_claimed_to_be_on(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.answers(says("I have turned on the sauna."), says("There is no sauna here."))
    answer = await agent.hears("turn on the sauna")
    assert answer.speech == "There is no sauna here."


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


async def test_what_was_not_set_is_not_confirmed(agent: Agent, ollama: PlayedOllama) -> None:
    made = call("light__HassLightSet", name="Bed Light", brightness=20, color=None)
    ollama.answers(calls(made))
    assert (await agent.hears("dim the bed light")).speech == "Brightness set"
