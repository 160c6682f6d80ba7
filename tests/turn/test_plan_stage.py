"""What people say about plans is answered without a model."""

from collections.abc import Sequence
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.plans.plans import PLANS
from tests.agent import Agent, add_agent
from tests.deeds import Deeds
from tests.ollama import PlayedOllama, says

NOON = "2026-11-23 12:00:00+00:00"
"""A Monday."""
MODEL = "?"
"""The model was asked: its answer is this."""


@pytest.fixture
async def at_noon(home: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """Let it be noon by the home's clock."""
    await home.config.async_set_time_zone("UTC")
    freezer.move_to(NOON)


async def converse(
    agent: Agent, ollama: PlayedOllama, rows: Sequence[tuple[str, str]], **where: Any
) -> None:
    """Say sentences in one conversation, and compare the answers."""
    conversation_id = None
    for sentence, expected in rows:
        ollama.script.clear()
        ollama.answers(*[says(MODEL)] * 2)
        answer = await agent.hears(sentence, conversation_id=conversation_id, **where)
        assert (sentence, answer.speech) == (sentence, expected)
        conversation_id = answer.conversation_id


BED = "turn on the bed light"
KITCHEN = "turn off the kitchen lights"
BESIDE = {
    "en": ("remind me in an hour to call mum and turn off the Bed Light", "call mum"),
    "de": ("erinnere mich um acht an die Tabletten und mach Bed Light aus", "die Tabletten"),
    "fr": ("rappelle-moi à vingt heures de sortir le chien et éteins Bed Light", "sortir le chien"),
    "es": ("recuérdame a las ocho llamar a Juan y apaga Bed Light", "llamar a Juan"),
    "it": ("ricordami alle otto di chiamare Anna e spegni Bed Light", "chiamare Anna"),
    "nl": ("herinner me om acht uur aan de vuilnis en doe Bed Light uit", "de vuilnis"),
    "pl": ("przypomnij mi o ósmej żeby zadzwonić do babci i zgaś Bed Light", "zadzwonić do babci"),
}
"""A reminder beside a command, and what is to be remembered."""
CONVERSATIONS = (
    [
        # Where nothing is planned, only what is certainly about plans is answered.
        ("what is planned?", "Nothing is planned."),
        ("please cancel all plans", "Nothing is planned."),
        *((each, MODEL) for each in (
            "cancel that", "make it half an hour", "don't touch the bed light after all",
            "what is planned on my calendar",
        )),
        ("cancel the timer", "No timer is running."),
    ],
    [
        (f"{BED} in ten minutes", "At 12:10 PM I'll turn on the Bed Light."),
        ("make it half an hour", "At 12:30 PM I'll turn on the Bed Light."),
        ("make it at nine instead", "At 9:00 PM I'll turn on the Bed Light."),
        ("no, tomorrow", "Tomorrow at 9:00 PM I'll turn on the Bed Light."),
        ("make it at ten", "Tomorrow at 10:00 PM I'll turn on the Bed Light."),
        ("what have you planned for today?", "Nothing is planned."),
        ("what have you planned for tomorrow?", "Tomorrow at 10:00 PM I'll turn on the Bed Light."),
        ("cancel that", f"Cancelled: {BED} (tomorrow at 10:00 PM)."),
        ("cancel that", MODEL),
    ],
    [
        # What is said of a device is about its plan, and only if it is the same.
        (f"{BED} at nine", "At 9:00 PM I'll turn on the Bed Light."),
        ("turn off the bed light at ten", "At 10:00 PM I'll turn off the Bed Light."),
        (f"{KITCHEN} at eleven", "At 11:00 PM I'll turn off the Kitchen Lights."),
        ("don't turn off the bed light after all", "Cancelled: turn off the bed light (at 10:00 PM)."),
        ("cancel the plan for the kitchen", f"Cancelled: {KITCHEN} (at 11:00 PM)."),
        ("cancel the garage plan", "Nothing like that is planned."),
        ("cancel the plan at nine", f"Cancelled: {BED} (at 9:00 PM)."),
    ],
    [
        # Several that were planned together, and several that were only told of.
        (f"{BED} at nine and {KITCHEN} at ten",
         "At 9:00 PM I'll turn on the Bed Light. At 10:00 PM I'll turn off the Kitchen Lights."),
        ("make it at eleven", f"Which one do you mean: {BED} (at 9:00 PM); {KITCHEN} (at 10:00 PM)?"),
        ("the kitchen lights", "At 11:00 PM I'll turn off the Kitchen Lights."),
        ("what is planned",
         "At 9:00 PM I'll turn on the Bed Light. At 11:00 PM I'll turn off the Kitchen Lights."),
        ("cancel that", f"Which one do you mean: {BED} (at 9:00 PM); {KITCHEN} (at 11:00 PM)?"),
        ("both", f"Cancelled: {BED} (at 9:00 PM); {KITCHEN} (at 11:00 PM)."),
    ],
    [
        # For a while: to cancel that is to undo it, but its end can be left out.
        (f"{BED} for half an hour", "I turned on the Bed Light. Until 12:30 PM, then it is as before."),
        ("make it an hour", "Bed Light: Until 1:00 PM, then it is as before."),
        ("cancel that", f"I've cancelled this and put everything back: {BED} (an hour)."),
        (f"{BED} for half an hour", "I turned on the Bed Light. Until 12:30 PM, then it is as before."),
        ("don't turn it off after all", f"I'll leave it as it is: {BED} (for half an hour)."),
    ],
    [
        ("remind me at five to take the bread out", "I'll remind you at 5:00 PM to take the bread out."),
        ("make it at six", "I'll remind you at 6:00 PM to take the bread out."),
        ("remind me every day at eight to take my pills", "I'll remind you every day at 8:00 AM: take my pills."),
        ("let me know when the kitchen window opens", "I'll let you know when the kitchen window opens."),
        ("tell me when the moon falls down", MODEL),
        ("let me know when the moon falls down", "I have no way to notice that, so I haven't planned it."),
        ("remind me to call mum", "At what time?"),
        ("never mind", "All right."),
        ("cancel all reminders",
         ("Cancelled: take the bread out (at 6:00 PM); take my pills (every day at 8:00 AM); "
         "let me know (when the kitchen window opens).")),
    ],
)  # fmt: skip


@pytest.mark.usefixtures("at_noon")
async def test_plans_are_listed_cancelled_and_changed(agent: Agent, ollama: PlayedOllama) -> None:
    for conversation in CONVERSATIONS:
        await converse(agent, ollama, conversation)
        assert not agent.hass.data[PLANS].all


@pytest.mark.usefixtures("at_noon")
@pytest.mark.parametrize("language", BESIDE)
async def test_reminder_is_kept_beside_a_command(
    home: HomeAssistant, ollama: PlayedOllama, language: str
) -> None:
    sentence, content = BESIDE[language]
    agent = await add_agent(home, ollama.url, reflex=True)
    deeds = Deeds(home)
    answer = await agent.hears(sentence, language=language)
    assert deeds.taken() == ["light.turn_off bed_light"], answer.speech
    (plan,) = home.data[PLANS].all
    assert plan.say
    assert plan.say.text == content
    assert "Bed Light" in answer.speech
    assert content in answer.speech
    assert not ollama.chats


@pytest.mark.usefixtures("at_noon")
async def test_what_goes_on_with_a_reminder_is_its_content(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    """Both may be what is to be remembered: nothing is done now."""
    agent = await add_agent(home, ollama.url, reflex=True)
    deeds = Deeds(home)
    await agent.hears("remind me at nine to close the hall window and turn off the bed light")
    assert not deeds.taken()
    (plan,) = home.data[PLANS].all
    assert plan.say
    assert plan.say.text == "close the hall window and turn off the bed light"


@pytest.mark.usefixtures("at_noon")
async def test_question_about_a_command_comes_behind_the_reminder(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, reflex=True)
    answer = await agent.hears("remind me at nine to call mum and open the garage door")
    assert answer.speech == "I'll remind you at 9:00 PM to call mum. Shall I open the Garage Door?"
    assert answer.result.continue_conversation


@pytest.mark.usefixtures("at_noon")
async def test_last_plan_of_a_satellite_is_meant_for_ten_minutes(
    agent: Agent, ollama: PlayedOllama, freezer: FrozenDateTimeFactory
) -> None:
    planned = (f"{BED} at nine", "At 9:00 PM I'll turn on the Bed Light.")
    await converse(agent, ollama, [planned], device_id="kitchen")
    await converse(agent, ollama, [("cancel that", MODEL)], device_id="bedroom")
    cancelled = ("cancel that", f"Cancelled: {BED} (at 9:00 PM).")
    await converse(agent, ollama, [cancelled, planned], device_id="kitchen")
    freezer.tick(601)
    await converse(agent, ollama, [("cancel that", MODEL)], device_id="kitchen")


@pytest.mark.usefixtures("at_noon")
async def test_more_than_five_plans_are_counted(agent: Agent, ollama: PlayedOllama) -> None:
    texts = [f"remind me at {hour} pm to call number {hour}" for hour in range(1, 8)]
    told = [f"I'll remind you at {hour}:00 PM to call number {hour}." for hour in range(1, 8)]
    await converse(agent, ollama, [*zip(texts, told, strict=True)])
    everything = " ".join([*told[:5], "And 2 more."])
    await converse(agent, ollama, [("which plans are there?", everything)])


@pytest.mark.usefixtures("at_noon")
async def test_agent_without_the_home_plans_nothing(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, tools=[])
    await converse(
        agent, ollama, [("what is planned?", MODEL), ("remind me at five to eat", MODEL)]
    )


@pytest.mark.usefixtures("at_noon")
async def test_plan_is_told_in_the_language_of_who_speaks(
    agent: Agent, ollama: PlayedOllama
) -> None:
    rows = [
        ("erinnere mich um fünf daran, das Brot herauszunehmen",
         "Ich erinnere dich um 17:00 Uhr daran, das Brot herauszunehmen."),
        ("verschieb das auf neun Uhr",
         "Ich erinnere dich um 21:00 Uhr daran, das Brot herauszunehmen."),
        ("lösche alle Erinnerungen", "Abgesagt: das Brot herauszunehmen (um 21:00 Uhr)."),
        ("was ist geplant?", "Es ist nichts geplant."),
    ]  # fmt: skip
    await converse(agent, ollama, rows, language="de")


async def test_another_calendar_may_be_the_one_that_is_asked_about(
    agent: Agent, ollama: PlayedOllama
) -> None:
    asked = "what is planned?"
    await converse(agent, ollama, [(asked, "Nothing is planned.")])
    agent.hass.states.async_set("calendar.family", "off")
    async_expose_entity(agent.hass, "conversation", "calendar.family", True)
    await converse(agent, ollama, [(asked, MODEL)])
