"""What of a sentence is planned, part by part; the model says nothing, or makes the obvious call."""

import asyncio

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util
import pytest

from custom_components.voice_gateway.plans.plans import PLANS
from custom_components.voice_gateway.plans.schedule import OnEvent
from tests.agent import Agent, add_agent
from tests.deeds import Deeds
from tests.ollama import PlayedOllama, call, calls, error, says

from ..tables import table

ON, OFF = "intent__HassTurnOn", "intent__HassTurnOff"
BED = "light.bed_light"
WITHOUT_A_CALL = table(__file__, "WITHOUT_A_CALL")


@pytest.fixture
async def agent(home: HomeAssistant, ollama: PlayedOllama) -> Agent:
    """Return an agent in a home where it is known what time it is."""
    await home.config.async_set_time_zone("UTC")
    return await add_agent(home, ollama.url)


@pytest.fixture
def at_noon(freezer: FrozenDateTimeFactory) -> FrozenDateTimeFactory:
    """Make it noon, and no later than that."""
    freezer.move_to("2026-06-10 12:00:00+00:00")
    return freezer


async def forget_plans(hass: HomeAssistant) -> None:
    await hass.data[PLANS].async_remove([each.id for each in hass.data[PLANS].all])


async def test_what_is_told_in_other_words_is_planned_without_the_model(
    home: HomeAssistant, ollama: PlayedOllama, at_noon: FrozenDateTimeFactory
) -> None:
    reflexive = await add_agent(home, ollama.url, reflex=True)
    for language, sentence in (
        ("en", "bedroom lamp off in ten minutes"),
        ("de", "In zehn Minuten soll das Bed Light ausgehen"),
        ("it", "Bed Light spenta tra dieci minuti"),
    ):
        answer = await reflexive.hears(sentence, language=language)
        assert "Bed Light" in answer.speech, (sentence, answer.speech)
        assert len(home.data[PLANS].all) == 1, sentence
        await forget_plans(home)
    assert not ollama.chats


async def test_what_is_certain_is_planned_without_a_call(
    agent: Agent, ollama: PlayedOllama, at_noon: FrozenDateTimeFactory
) -> None:
    for sentence, told in WITHOUT_A_CALL:
        ollama.script = [says("")] * 4
        answer = await agent.hears(sentence)
        assert all(each in answer.speech for each in told), (sentence, answer.speech)
        assert agent.hass.states.is_state(BED, "off"), sentence
        planned = [each for each in told if "I'll" in each or "the Bed Light," in each]
        expected = len(planned) or sum("turn on" in each for each in told)
        assert len(agent.hass.data[PLANS].all) == expected, sentence
        await forget_plans(agent.hass)


@pytest.mark.parametrize(
    ("off", "hours"),
    [
        # Nine has passed: both are tomorrow.
        ("turn it off at ten pm", 24.5),
        ("turn it off today at ten pm", 0.5),
        ("turn it off in ten minutes", 1 / 6),
    ],
)
async def test_times_of_one_device_follow_each_other(
    agent: Agent, ollama: PlayedOllama, freezer: FrozenDateTimeFactory, off: str, hours: float
) -> None:
    freezer.move_to("2026-06-10 21:30:00+00:00")
    ollama.script = [says("")] * 4
    await agent.hears(f"turn on the bed light at nine pm and {off}")
    now = dt_util.utcnow()
    due = sorted(
        (each.due - now).total_seconds() / 3600 for each in agent.hass.data[PLANS].all if each.due
    )
    assert due == pytest.approx(sorted((23.5, hours)), abs=0.01)


async def test_what_is_asked_about_first_keeps_its_place_before_what_was_planned(
    agent: Agent, ollama: PlayedOllama, at_noon: FrozenDateTimeFactory
) -> None:
    ollama.script = [says("")] * 4
    asked = await agent.hears("open the garage door at 4 pm and close it again at 4:30 pm")
    assert asked.result.continue_conversation
    await agent.hears("yes", asked.conversation_id)
    now = dt_util.utcnow()
    due = sorted(each.due - now for each in agent.hass.data[PLANS].all if each.due)
    assert [each.total_seconds() / 3600 for each in due] == pytest.approx([4, 4.5], abs=0.01)


async def test_part_for_now_is_done_now_and_the_other_is_planned(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.script = [calls(call(ON, name="Bed Light")), says("Done."), says("Done.")]
    answer = await agent.hears("turn on the bed light and turn it off in ten minutes")
    assert agent.hass.states.is_state(BED, "on")
    assert "I turned on the Bed Light." in answer.speech
    assert "I'll turn off the Bed Light" in answer.speech
    assert len(agent.hass.data[PLANS].all) == 1


async def test_what_is_for_a_while_is_done_now_and_ends_once(
    agent: Agent, ollama: PlayedOllama
) -> None:
    """To say so, too, plans no second end."""
    ollama.script = [calls(call(ON, name="Bed Light")), says("Done."), says("Done.")]
    answer = await agent.hears("turn on the bed light for five minutes, then turn it off again")
    assert agent.hass.states.is_state(BED, "on")
    assert "then it is as before" in answer.speech
    (plan,) = agent.hass.data[PLANS].all
    assert plan.is_ending


async def test_what_is_for_a_while_leaves_out_what_was_excepted(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.script = [calls(call(ON, domain=["light"])), *[says("Done.")] * 3]
    deeds = Deeds(agent.hass)
    await agent.hears("turn on all lights except the bed light for five minutes")
    done = deeds.taken()
    assert "light.turn_on kitchen_lights" in done
    assert "light.turn_on bed_light" not in done


async def test_what_may_have_begun_for_a_while_ends_all_the_same(
    agent: Agent, ollama: PlayedOllama
) -> None:
    """The light is on, and its service says that something went wrong."""
    hass = agent.hass

    async def turn_on(service: ServiceCall) -> None:
        hass.states.async_set(BED, "on", context=service.context)
        raise HomeAssistantError("The lamp is jammed")

    hass.services.async_register("light", "turn_on", turn_on)
    ollama.script = [calls(call(ON, name="Bed Light")), *[says("Done.")] * 3]
    answer = await agent.hears("turn on the bed light for five minutes")
    assert "then it is as before" in answer.speech
    (plan,) = hass.data[PLANS].all
    assert plan.is_ending


async def test_opposite_of_what_is_for_a_while_is_not_done(
    agent: Agent, ollama: PlayedOllama
) -> None:
    await agent.hass.services.async_call("light", "turn_on", {"entity_id": BED}, blocking=True)
    ollama.script = [calls(call(OFF, name="Bed Light")), *[says("Done.")] * 3]
    answer = await agent.hears("leave the bed light on until midnight")
    assert agent.hass.states.is_state(BED, "on")
    assert answer.speech == "Sorry, I couldn't do that."
    assert not agent.hass.data[PLANS].all


async def test_nothing_is_claimed_of_what_is_so_already(agent: Agent, ollama: PlayedOllama) -> None:
    """What is to be at the end was not said: to be as before is to be on."""
    await agent.hass.services.async_call("light", "turn_on", {"entity_id": BED}, blocking=True)
    ollama.script = [calls(call(ON, name="Bed Light")), *[says("Done.")] * 3]
    answer = await agent.hears("keep the bed light on until midnight")
    assert agent.hass.states.is_state(BED, "on")
    assert "urned on" not in answer.speech
    assert "as before" not in answer.speech
    assert not agent.hass.data[PLANS].all


async def test_what_is_to_be_kept_so_lasts_as_long_as_its_event(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.script = [calls(call(ON, name="Bed Light")), *[says("Done.")] * 3]
    answer = await agent.hears("keep the bed light on whenever the kitchen window is open")
    assert answer.speech.endswith("Until that is no longer so, then it is as before.")
    (plan,) = agent.hass.data[PLANS].all
    assert plan.is_while


async def test_call_of_what_does_not_exist_is_refused_when_it_is_planned(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.script = [calls(call(ON, name="Porch Light")), *[says("Done.")] * 3]
    answer = await agent.hears("turn on the porch light in ten minutes")
    assert "Porch" not in answer.speech
    assert answer.tool_results[0].error
    assert not agent.hass.data[PLANS].all


async def test_door_is_the_one_that_was_spoken_of_before(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.script = [says("")] * 3
    await agent.hears(
        "when the kitchen window opens turn on the bed light, and when the window closes turn it off"
    )
    plans = agent.hass.data[PLANS].all
    assert [isinstance(each.when, OnEvent) for each in plans] == [True, True]


async def test_end_is_not_begun_where_no_plan_can_be_kept(
    agent: Agent, ollama: PlayedOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What could not be ended is not begun."""
    monkeypatch.setattr("custom_components.voice_gateway.plans.plans.MOST", 0)
    ollama.script = [calls(call(ON, name="Bed Light")), *[says("Done.")] * 3]
    answer = await agent.hears("turn on the bed light for five minutes")
    assert agent.hass.states.is_state(BED, "off")
    assert answer.speech == "I already have too many plans, so I haven't added this one."


async def test_which_one_is_asked_for_later_too(agent: Agent, ollama: PlayedOllama) -> None:
    ollama.script = [calls(call(OFF, name="Sauna Light")), *[says("Done.")] * 3]
    answer = await agent.hears("turn off the light in ten minutes")
    assert answer.speech.startswith("Which one do you mean: ")
    assert not agent.hass.data[PLANS].all


async def test_end_is_told_from_when_it_was_done(agent: Agent, ollama: PlayedOllama) -> None:
    """However long the model took since the sentence was said."""
    called = asyncio.Event()
    agent.hass.loop.call_later(1.6, called.set)
    ollama.script = [[called, *calls(call(ON, name="Bed Light"))], says("Done.")]
    answer = await agent.hears("turn on the bed light for twenty seconds")
    assert answer.speech == "I turned on the Bed Light. For 20 seconds, then it is as before."


async def test_what_is_not_to_be_done_is_left_alone_whatever_the_model_says(
    agent: Agent, ollama: PlayedOllama
) -> None:
    for sentence in ("don't turn on the bed light", "don't turn on the bed light at nine"):
        ollama.script = [says("I will turn it on at nine.")] * 3
        assert (await agent.hears(sentence)).speech == "OK, I won't."


async def test_what_is_for_later_needs_no_model_server(agent: Agent, ollama: PlayedOllama) -> None:
    """A part that is for now is not left out."""
    for sentence, told in (
        ("turn on the bed light in ten minutes", "I'll turn on the Bed Light"),
        ("turn on the bed light and turn it off in ten minutes", "The model server reported"),
        ("turn on the bed light", "The model server reported"),
    ):
        ollama.script = [error(500, "out of memory")] * 2
        answer = await agent.hears(sentence)
        assert told in answer.speech, sentence
        assert agent.hass.states.is_state(BED, "off")
    assert len(agent.hass.data[PLANS].all) == 1
