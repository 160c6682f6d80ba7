"""Calls that are not made, though they could be."""

import json

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm
import pytest

from custom_components.voice_gateway.heard import heard
from custom_components.voice_gateway.plans.plans import PLANS
from custom_components.voice_gateway.tools.deed import Deed, Refused, Turn
from custom_components.voice_gateway.tools.journal import Journal
from custom_components.voice_gateway.tools.manager import ToolManager
from custom_components.voice_gateway.tools.policy import verdict
from tests.agent import Agent, add_agent
from tests.extra_tools import API_ID, ExtraTool, add_tools
from tests.heard.saying import unread
from tests.model_servers import Call, ModelServer, Said, call
from tests.ollama import PlayedOllama, call as ollama_call, calls as made, says


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


@pytest.mark.parametrize("written", [False, True])
@pytest.mark.parametrize(
    ("sentence", "made", "state"),
    [
        ("turn off the bed light", call("intent__HassTurnOn", name="Bed Light"),
         ("light.bed_light", "off")),
        ("turn off the bed light",
         call("light__HassLightSet", name="Bed Light", brightness=100), ("light.bed_light", "off")),
        ("turn on the bed light",
         call("light__HassLightSet", name="Bed Light", brightness=0), ("light.bed_light", "on")),
        ("close the garage door", call("intent__HassTurnOn", name="Garage Door"),
         ("cover.garage_door", "closed")),
    ],
)  # fmt: skip
async def test_what_home_assistant_reads_is_done_where_a_call_does_the_opposite(
    home: HomeAssistant,
    model_server: ModelServer,
    *,
    sentence: str,
    made: Call,
    state: tuple[str, str],
    written: bool,
) -> None:
    agent = await add_agent(home, model_server)
    entity_id, wanted = state
    before = "turn_off" if wanted == "on" else "turn_on"
    await home.services.async_call(
        "homeassistant", before, {"entity_id": "light.bed_light"}, blocking=True
    )
    model_server.answers(*as_model(model_server, written, made))
    answer = await agent.hears(sentence)
    assert [result.error for result in answer.tool_results] == [False]
    await home.async_block_till_done()
    assert home.states.is_state(entity_id, wanted)


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
    turn = Turn(unread(home, "see to the list"), Journal(), ToolManager())
    turn.journal.begin(add, llm.ToolInput(add.name, {"item": "milk", "name": "Shopping"}))
    eggs, milk = (
        Deed(
            tool=remove,
            arguments={"item": item, "name": "Shopping", "area": ""},
            is_written=True,
        )
        for item in ("eggs", "milk")
    )
    assert verdict(eggs, turn) is None
    assert verdict(milk, turn) == Refused("You called the opposite before: HassListAddItem")


LATER = "I can't tell when that would be, so I left it alone."
CONDITION = "I can't see whether that is so, so I left it alone."
EVENT = "I can't see when that happens, so I left it alone."
ALONE = "All right, I left that alone."
NOT_DONE = "I did not manage to do that."


def as_model(model_server: ModelServer, written: bool, *calls: Call) -> list[Said]:
    """Return the answers of a model that makes calls, or writes them, and then claims them done."""
    if not written:
        return [model_server.calls(*calls), *[model_server.says("Done.")] * 3]
    texts = [json.dumps({"name": made.name, "arguments": made.arguments}) for made in calls]
    return [model_server.says("\n".join(texts)), *[model_server.says("Done.")] * 3]


@pytest.mark.parametrize("written", [False, True])
@pytest.mark.parametrize(
    ("sentence", "speech"),
    [
        ("turn on the bed light before I go to bed", LATER),
        ("turn on the bed light later", LATER),
        ("when grandma is happy, turn on the bed light", EVENT),
        ("if grandma is happy, turn on the bed light", CONDITION),
        ("turn on the bed light unless grandma is happy", CONDITION),
        ("don't turn on the bed light", ALONE),
        ("why is the bed light on?", NOT_DONE),
        ("is the bed light on?", "No, off"),
        ("I have already turned on the bed light", NOT_DONE),
    ],
)
async def test_what_was_said_decides_whoever_makes_the_call(
    home: HomeAssistant, model_server: ModelServer, sentence: str, speech: str, written: bool
) -> None:
    """The obvious call is not made, and nobody is told that it was."""
    agent = await add_agent(home, model_server)
    made = call("intent__HassTurnOn", name="Bed Light")
    model_server.answers(*as_model(model_server, written, made))
    answer = await agent.hears(sentence)
    assert home.states.is_state("light.bed_light", "off")
    assert answer.speech == speech
    assert answer.tool_results[0].error


@pytest.mark.parametrize("written", [False, True])
async def test_what_is_for_later_is_kept_for_its_moment(
    home: HomeAssistant, model_server: ModelServer, written: bool
) -> None:
    """The obvious call is not made; the user is told when it will be."""
    agent = await add_agent(home, model_server)
    made = call("intent__HassTurnOn", name="Bed Light")
    for sentence, told in (
        ("turn on the bed light in ten minutes", "I'll turn on the Bed Light"),
        ("every evening at eight turn on the bed light", "Every day at 8:00 PM I'll turn on"),
        ("when the kitchen window is opened, turn on the bed light", "When the kitchen window is"),
    ):
        model_server.answers(*as_model(model_server, written, made))
        answer = await agent.hears(sentence)
        assert told in answer.speech
        assert home.states.is_state("light.bed_light", "off")
        (plan,) = home.data[PLANS].all
        await home.data[PLANS].async_remove([plan.id])


@pytest.mark.parametrize("written", [False, True])
@pytest.mark.parametrize(
    "sentence",
    [
        "turn on the bed light",
        "turn on the bed light now",
        "turn on the bed light, if you don't mind",
        "could you turn on the bed light, please?",
        "I'd like the bed light on",
    ],
)
async def test_plain_command_is_done_at_once(
    home: HomeAssistant, model_server: ModelServer, sentence: str, written: bool
) -> None:
    agent = await add_agent(home, model_server)
    made = call("intent__HassTurnOn", name="Bed Light")
    model_server.answers(*as_model(model_server, written, made))
    await agent.hears(sentence)
    assert home.states.is_state("light.bed_light", "on")


@pytest.mark.parametrize("written", [False, True])
async def test_only_the_part_that_was_meant_is_done(
    home: HomeAssistant, model_server: ModelServer, written: bool
) -> None:
    agent = await add_agent(home, model_server)
    lights = {"entity_id": ["light.bed_light", "light.kitchen_lights"]}
    await home.services.async_call("light", "turn_on", lights, blocking=True)
    both = [call("intent__HassTurnOff", name=name) for name in ("Bed Light", "Kitchen Lights")]
    model_server.answers(*as_model(model_server, written, *both))
    answer = await agent.hears("not the bed light, the kitchen lights off please")
    assert home.states.is_state("light.bed_light", "on")
    assert home.states.is_state("light.kitchen_lights", "off")
    assert answer.speech == "Turned off Kitchen Lights. I left Bed Light alone."


async def test_what_was_excepted_is_left_alone(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server)
    lights = {"entity_id": ["light.bed_light", "light.kitchen_lights"]}
    await home.services.async_call("light", "turn_on", lights, blocking=True)
    everything = call("intent__HassTurnOff", domain=["light"])
    model_server.answers(model_server.calls(everything), model_server.says("The others are off."))
    await agent.hears("turn off all lights except the bed light")
    assert home.states.is_state("light.bed_light", "on")
    assert home.states.is_state("light.kitchen_lights", "off")


async def test_promise_of_what_is_for_later_is_not_said(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server, second_opinion=False)
    model_server.answers(*[model_server.says("Sure, I'll turn it on in ten minutes.")] * 2)
    answer = await agent.hears("turn on the bed light before I go to bed")
    assert answer.speech == LATER


async def test_promise_of_what_has_a_condition_is_not_said(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server, second_opinion=False)
    model_server.answers(*[model_server.says("Sure, I'll see to it.")] * 2)
    answer = await agent.hears("if grandma is happy, turn on the bed light")
    assert answer.speech == CONDITION


async def test_tool_of_which_nobody_says_what_it_does_is_not_called_against_the_users_word(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    tool = ExtraTool("send_mail", dict)
    add_tools(home, tool)
    agent = await add_agent(home, model_server, tools=["assist", API_ID])
    model_server.answers(*as_model(model_server, False, call("send_mail")))
    answer = await agent.hears("don't send the mail")
    assert tool.calls == []
    assert answer.speech == ALONE


async def test_correction_is_held_to_what_was_said(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    """The call as it was made reaches nothing; as it is corrected, it spares what was excepted."""
    agent = await add_agent(home, model_server)
    lights = {"entity_id": ["light.bed_light", "light.kitchen_lights"]}
    await home.services.async_call("light", "turn_on", lights, blocking=True)
    made = call("intent__HassTurnOff", name="Bed Light", floor="Bedroom")
    model_server.answers(*as_model(model_server, False, made))
    await agent.hears("turn off all lights except the bed light")
    assert home.states.is_state("light.bed_light", "on")
    assert home.states.is_state("light.kitchen_lights", "off")


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


async def test_nothing_is_put_on_another_list_than_the_one_that_was_said(
    full_house: HomeAssistant, ollama: PlayedOllama
) -> None:
    """A list that the model was told of, as there is none of the name that it called, is a guess."""
    agent = await add_agent(full_house, ollama.url)
    (shopping,) = (each for each in full_house.states.async_all("todo") if each.name != "Plans")
    add = "todo__HassListAddItem"
    for sentence, count in (
        ("put a screw on the hardware store's", "0"),
        # Whether it is called so or not: the user said a word of it.
        ("put tea down, for the shopping", "1"),
    ):
        other, own = (
            made(ollama_call(add, item="tea", name=name)) for name in ("Store", shopping.name)
        )
        ollama.script = [other, own, says("On which list?"), says("On which list?")]
        await agent.hears(sentence)
        await full_house.async_block_till_done()
        assert full_house.states.is_state(shopping.entity_id, count)
