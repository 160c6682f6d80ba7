"""Calls that are not made, though they could be."""

import json

from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import intent, llm
import pytest
from pytest_homeassistant_custom_component.common import async_mock_service  # type: ignore[import-untyped]

from custom_components.voice_gateway.nlu import utterance
from custom_components.voice_gateway.plans.plans import PLANS
from custom_components.voice_gateway.tools.journal import Journal, signature
from custom_components.voice_gateway.tools.manager import ToolManager
from custom_components.voice_gateway.tools.policy import decide
from custom_components.voice_gateway.tools.policy.call import ComparedCall, PolicyContext
from custom_components.voice_gateway.tools.policy.decisions import Refuse
from custom_components.voice_gateway.tools.policy.divergence import Divergence
from custom_components.voice_gateway.tools.policy.timing import compare_time
from tests.agent import Agent, add_agent
from tests.extra_tools import API_ID, ExtraTool, add_tools
from tests.model_servers import Call, ModelServer, Said, call
from tests.nlu.saying import hears, unread
from tests.ollama import PlayedOllama, says


async def test_written_call_does_not_act_where_something_is_asked(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.answers(
        says('{"name": "HassTurnOn", "arguments": {"name": "Bed Light"}}'),
        says('{"name": "GetLiveContext", "arguments": {"name": "Bed Light"}}'),
        says("It is off."),
    )
    assert (await agent.hears("why is the bed light on so late?")).speech == "It is off."
    assert agent.hass.states.is_state("light.bed_light", "off")


async def test_of_two_moments_the_one_is_meant_for_which_it_is_wanted(home: HomeAssistant) -> None:
    said = "don't turn on the bed light at eight, turn on the bed light at nine"
    utterance = await hears(home, said)
    (bed,) = (each for each in utterance.home.entities if "Bed Light" in each.names)
    tool = llm.IntentTool("on", intent.ServiceIntentHandler("HassTurnOn", "light", "turn_on"))
    turn = PolicyContext(utterance, Journal(), ToolManager(), hass=home)
    proposed = ComparedCall(
        turn=turn,
        tool=tool,
        arguments={"name": "Bed Light"},
        is_written=False,
        domains=frozenset(("light",)),
        targets=(bed,),
    )
    later = compare_time(proposed)
    assert later
    assert later.kind is Divergence.LATER
    assert later.clause
    assert later.clause.text == "turn on the bed light at nine"


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


async def test_the_opposite_of_what_its_service_failed_at_may_be_called(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    """What began and failed may be half done, and is put right by its opposite."""

    async def fail(_: ServiceCall) -> None:
        raise HomeAssistantError("The lamp is jammed")

    await home.services.async_call(
        "light", "turn_on", {"entity_id": "light.bed_light"}, blocking=True
    )
    home.services.async_register("light", "turn_on", fail)
    agent = await add_agent(home, model_server)
    written = [
        json.dumps({"name": name, "arguments": {"name": "Bed Light"}})
        for name in ("HassTurnOn", "HassTurnOff")
    ]
    model_server.answers(*map(model_server.says, written), model_server.says("It is jammed."))
    answer = await agent.hears("see to the bed light")
    assert [result.error for result in answer.tool_results] == [True, False]
    assert home.states.is_state("light.bed_light", "off")


async def test_one_item_may_come_and_another_go(home: HomeAssistant) -> None:
    add, remove = (
        llm.IntentTool(name, intent.ServiceIntentHandler(name, "todo", "do"))
        for name in ("HassListAddItem", "HassListRemoveItem")
    )
    turn = PolicyContext(unread(home, "see to the list"), Journal(), ToolManager(), hass=home)
    turn.journal.begin(add, llm.ToolInput(add.name, {"item": "milk", "name": "Shopping"}))
    eggs, milk = (
        ComparedCall(
            turn=turn,
            tool=remove,
            arguments={"item": item, "name": "Shopping", "area": ""},
            is_written=True,
        )
        for item in ("eggs", "milk")
    )
    assert decide(eggs) is None
    assert decide(milk) == Refuse("You called the opposite before: HassListAddItem")


def test_the_same_call_is_the_same_in_whatever_order_its_arguments_are() -> None:
    """Who was asked of it and said no is not asked again."""
    assert signature("turn", {"name": "Lamp", "area": "Hall"}) == signature(
        "turn", {"area": "Hall", "name": "Lamp"}
    )
    assert signature("turn", {"name": "Lamp"}) != signature("turn", {"name": "Fan"})


LATER = "I'm not sure when you mean, so I haven't planned that."
CONDITION = "I can't check that condition, so I did nothing."
EVENT = "I have no way to notice that, so I haven't planned it."
ALONE = "OK, I won't."
NOT_DONE = "Sorry, I couldn't do that."


def as_model(model_server: ModelServer, written: bool, *calls: Call) -> list[Said]:
    """Return the answers of a model that makes calls, or writes them, and then claims them done."""
    if not written:
        return [model_server.calls(*calls), *[model_server.says("Done.")] * 3]
    texts = [json.dumps({"name": made.name, "arguments": made.arguments}) for made in calls]
    return [model_server.says("\n".join(texts)), *[model_server.says("Done.")] * 3]


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
    assert answer.speech == "I turned off the Kitchen Lights. I didn't touch Bed Light."


async def test_it_is_what_was_named_last(home: HomeAssistant, model_server: ModelServer) -> None:
    agent = await add_agent(home, model_server)
    lights = {"entity_id": ["light.bed_light", "light.kitchen_lights"]}
    await home.services.async_call("light", "turn_on", lights, blocking=True)
    both = [call("intent__HassTurnOff", name=name) for name in ("Bed Light", "Kitchen Lights")]
    model_server.answers(*as_model(model_server, False, *both))
    await agent.hears("Not the bed light, I meant the kitchen lights, turn those off")
    assert home.states.is_state("light.bed_light", "on")
    assert home.states.is_state("light.kitchen_lights", "off")


EXCEPTED = {
    "en": (
        "turn off all lights except the bed light",
        "turn off every light but the bed light",
        "turn all the lights off but the bed light",
        "apart from the bed light, turn off all the lights",
        "except the bed light turn all the lights off",
        "turn off all lights, leave the bed light on",
        "turn off all the lights, the bed light stays on",
        "turn off all the lights, just not the bed light",
    ),
    "de": (
        "mach alle Lampen aus, aber lass Bed Light an",
        "alle Lampen aus, Bed Light bleibt an",
        "bis auf Bed Light alle Lampen ausschalten",
        "mach alle Lampen aus, Bed Light ausgenommen",
        "mach alle Lampen aus, nur Bed Light nicht",
    ),
    "nl": (
        "doe alle lampen uit, maar laat Bed Light aan",
        "behalve Bed Light alle lampen uit",
        "doe alle lampen uit, alleen Bed Light niet",
    ),
}


async def test_what_was_excepted_is_left_alone(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server)
    lights = {"entity_id": ["light.bed_light", "light.kitchen_lights"]}
    everything = call("intent__HassTurnOff", domain=["light"])
    for language, sentences in EXCEPTED.items():
        for text in sentences:
            await home.services.async_call("light", "turn_on", lights, blocking=True)
            model_server.forget()
            model_server.answers(
                model_server.calls(everything), model_server.says("The others are off.")
            )
            await agent.hears(text, language=language)
            assert home.states.is_state("light.bed_light", "on"), text
            assert home.states.is_state("light.kitchen_lights", "off"), text


async def test_what_is_only_not_to_begin_ends_with_the_others(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server)
    lights = {"entity_id": ["light.bed_light", "light.kitchen_lights"]}
    await home.services.async_call("light", "turn_on", lights, blocking=True)
    everything = call("intent__HassTurnOff", domain=["light"])
    model_server.answers(model_server.calls(everything), model_server.says("All are off."))
    await agent.hears("turn off all the lights, and don't turn on the bed light again")
    assert home.states.is_state("light.bed_light", "off")
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


async def test_tool_is_called_where_the_user_only_said_of_something_else_not_to_do_it(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    """Nobody knows to which part of the sentence its call belongs."""
    tool = ExtraTool("send_mail", dict)
    add_tools(home, tool)
    agent = await add_agent(home, model_server, tools=["assist", API_ID])
    sent = model_server.calls(call("send_mail"))
    model_server.answers(sent, model_server.says("The mail is sent."))
    answer = await agent.hears("don't turn on the bed light, but send the mail")
    assert len(tool.calls) == 1
    assert not answer.tool_results[0].error


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


async def test_correction_is_held_to_the_value_that_was_said(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    """A window has no brightness: only as it is corrected, the call is for another position."""
    agent = await add_agent(home, model_server)
    positions = async_mock_service(home, "cover", "set_cover_position")
    made = call("light__HassLightSet", name="Hall Window", brightness=70)
    model_server.answers(*as_model(model_server, False, made))
    await agent.hears("set the hall window to 40%")
    await home.async_block_till_done()
    assert [each.data["position"] for each in positions] == [40]


async def test_written_call_that_acts_waits_for_no_sentence_that_was_not_read(
    agent: Agent, ollama: PlayedOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(utterance, "PATIENCE", 0)
    ollama.answers(
        says('{"name": "HassTurnOn", "arguments": {"name": "Bed Light"}}'),
        says("I could not do it."),
    )
    assert (await agent.hears("turn on the bed light")).speech == "I could not do it."
    assert agent.hass.states.is_state("light.bed_light", "off")
