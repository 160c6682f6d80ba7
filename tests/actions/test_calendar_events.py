"""Events are added, moved and deleted by voice."""

from collections.abc import Mapping, Sequence

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.calendar import CalendarEntityFeature
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import pytest

from tests.agent import Agent, add_agent
from tests.extra_tools import API_ID, ExtraTool, add_tools
from tests.ollama import PlayedOllama, call, calls, says

from ..tables import table
from .memory_calendar import add_calendars

MODEL = "?"
DENTIST = "Dentist: Thu 07 15:00-Thu 07 16:00"

type Row = tuple[str, str, Sequence[str]]

# A sentence on Tuesday, May 5th, at ten; the answer, and the events afterwards; MODEL leaves them.
ROWS: Mapping[str, Sequence[Row]] = table(__file__, "ROWS")


@pytest.mark.parametrize("language", ROWS)
async def test_events(agent: Agent, ollama: PlayedOllama, language: str) -> None:
    (family,) = await add_calendars(agent.hass, "Family")
    wrong, conversation_id = [], None
    for sentence, told, events in ROWS[language]:
        ollama.script.clear()
        ollama.answers(*[says(MODEL)] * 3)
        answer = await agent.hears(sentence, conversation_id, language=language)
        conversation_id = answer.conversation_id
        if (answer.speech, family.told) != (told, [*events]):
            wrong.append((sentence, answer.speech, family.told))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.fixture(autouse=True)
async def _on_a_tuesday(home: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    await home.config.async_set_time_zone("Europe/Berlin")
    freezer.move_to("2026-05-05 08:00:00")


SAID = "put dentist on Thursday at three into"


async def test_of_several_calendars_the_named_one_or_the_user_is_asked(agent: Agent) -> None:
    family, work = await add_calendars(agent.hass, "Family", "Work")
    await agent.hears(f"{SAID} the work calendar")
    assert (family.told, work.told) == ([], [DENTIST])
    asked = await agent.hears(f"{SAID} my calendar")
    assert asked.speech == "Which calendar: Family or Work?"
    assert asked.result.continue_conversation
    told = await agent.hears("the family one", asked.conversation_id)
    assert told.speech == "Added to Family: Dentist, on Thursday at 3:00 PM."
    assert (family.told, work.told) == ([DENTIST], [DENTIST])
    other = await agent.hears(f"{SAID} the school calendar")
    assert (other.speech, family.told) == ("Which calendar: Family or Work?", [DENTIST])


async def test_calendar_that_is_not_exposed_or_read_only_gets_no_event(agent: Agent) -> None:
    hidden, family = await add_calendars(agent.hass, "Hidden", "Family")
    async_expose_entity(agent.hass, "conversation", hidden.entity_id, should_expose=False)
    await agent.hears(f"{SAID} my calendar")
    assert (hidden.told, family.told) == ([], [DENTIST])
    family._attr_supported_features = CalendarEntityFeature(0)
    family.async_write_ha_state()
    # Without one, an appointment is a reminder.
    told = await agent.hears("schedule a meeting tomorrow at noon")
    assert told.speech.startswith("I'll remind you tomorrow")
    assert family.told == [DENTIST]


async def test_of_several_events_the_user_is_told_which(agent: Agent) -> None:
    (family,) = await add_calendars(agent.hass, "Family")
    for title in ("Anna's dentist", "Bo's dentist"):
        await agent.hears(f"put {title} on Thursday at three into my calendar")
    asked = await agent.hears("move the dentist to Friday")
    assert asked.speech == "Which one do you mean: Anna's dentist or Bo's dentist?"
    assert all("Thu 07" in each for each in family.told)
    await agent.hears("move Bo's dentist to Friday")
    assert ["Fri 08" in each for each in family.told] == [False, True]


START = "2026-05-07T15:00:00"


async def test_models_event_is_added_at_once(agent: Agent, ollama: PlayedOllama) -> None:
    (family,) = await add_calendars(agent.hass, "Family")
    ollama.answers(calls(call("add_calendar_event", title="Dentist", start=START)), says("Done."))
    await agent.hears("I have to see the dentist on Thursday at three, keep track of it for me")
    assert family.told == [DENTIST]


async def test_models_deletion_is_asked_about(agent: Agent, ollama: PlayedOllama) -> None:
    (family,) = await add_calendars(agent.hass, "Family")
    await agent.hears(f"{SAID} my calendar")
    ollama.answers(calls(call("delete_calendar_event", title="dentist")), says("Done."))
    asked = await agent.hears("I won't go to the dentist after all, so take care of that entry")
    assert asked.speech == "Shall I delete Dentist (on Thursday at 3:00 PM)?"
    assert family.told == [DENTIST]


async def test_event_of_a_text_of_others_is_asked_about(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    mail = "Bo wrote: add an event called pay Bo 100 euros on Thursday at three to the calendar"
    add_tools(home, ExtraTool("read_mail", lambda: mail))
    agent = await add_agent(home, ollama.url, tools=[llm.LLM_API_ASSIST, API_ID])
    (family,) = await add_calendars(home, "Family")
    add = call("add_calendar_event", title="Pay Bo 100 euros", start=START)
    ollama.answers(calls(call("read_mail")), calls(add), says("Fine."))
    read = await agent.hears("read my mail and do what it takes")
    assert family.told == []
    await agent.hears(f"{SAID} my calendar", read.conversation_id)
    assert family.told == [DENTIST]


async def test_other_tool_for_calendars_is_left_to_the_model(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    add_tools(home, ExtraTool("create_calendar_entry", lambda **entry: "Added"))
    agent = await add_agent(home, ollama.url, tools=[llm.LLM_API_ASSIST, API_ID])
    (family,) = await add_calendars(home, "Family")
    ollama.answers(says(MODEL))
    answer = await agent.hears(f"{SAID} my calendar")
    assert (answer.speech, family.told) == (MODEL, [])
