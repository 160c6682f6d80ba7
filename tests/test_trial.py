"""Testing an agent's model by its button: what is asked, what is told, and that nothing else is touched."""

import asyncio
from collections.abc import Iterator
from typing import Any

from homeassistant.components.persistent_notification import (
    DOMAIN as NOTES,
    Notification,
    UpdateType,
    async_register_callback,
)
from homeassistant.core import HomeAssistant, State, callback
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
import pytest

from custom_components.voice_gateway.diagnostics import async_get_config_entry_diagnostics
from custom_components.voice_gateway.model_trial import trial
from custom_components.voice_gateway.model_trial.home import DEVICES
from custom_components.voice_gateway.model_trial.sentences import RIGHT, Words

from .agent import Agent, add_agent
from .model_servers import Call, ModelServer, call
from .ollama import Fault, Step

ON, OFF = "intent__HassTurnOn", "intent__HassTurnOff"
CALLS: dict[str, list[Call]] = {
    "on": [call(ON, name="Kitchen Light")],
    "off": [call(OFF, name="floor lamp", domain=["light"])],
    "dim": [call("light__HassLightSet", name="Floor Lamp", brightness=30)],
    "warm": [call("climate__HassClimateSetTemperature", name="Thermostat", temperature=22)],
    "area": [call(OFF, area="Bedroom", domain=["light"])],
    "close": [call(OFF, name="Blinds")],
    "part": [call("intent__HassSetPosition", name="Curtain", position=40)],
    "two": [call(OFF, name="Kitchen Fan"), call(ON, name="Desk Lamp")],
    "measured": [call("homeassistant__GetLiveContext", area="Bedroom")],
    "level": [call("homeassistant__GetLiveContext", name="Vacuum Battery")],
    "absent": [call(ON, name="Sauna")],
}
TOLD = {"measured": "It is 17 degrees.", "level": "64 %.", "absent": "There is no sauna."}


@pytest.fixture
async def notes(hass: HomeAssistant) -> dict[str, Notification]:
    """What is shown to the user."""
    assert await async_setup_component(hass, NOTES, {})
    shown: dict[str, Notification] = {}

    @callback
    def note(change: UpdateType, changed: dict[str, Notification]) -> None:
        for key, each in changed.items():
            if change is UpdateType.REMOVED:
                shown.pop(key, None)
            else:
                shown[key] = each

    async_register_callback(hass, note)
    return shown


async def press(agent: Agent) -> None:
    """Press the button of an agent, and wait until the trial has ended."""
    await begin(agent)
    await agent.hass.async_block_till_done(wait_background_tasks=True)


async def begin_without_end(agent: Agent, model_server: ModelServer) -> None:
    """Begin a trial of a model that never answers."""
    begun, never = asyncio.Event(), asyncio.Event()

    def answer() -> Iterator[Step]:
        begun.set()
        yield never

    model_server.answers(answer())
    await begin(agent)
    await begun.wait()


async def begin(agent: Agent) -> None:
    """Press the button of an agent."""
    buttons = [
        each.entity_id
        for each in er.async_entries_for_config_entry(
            er.async_get(agent.hass), agent.entry.entry_id
        )
        if each.domain == "button"
    ]
    await agent.hass.services.async_call("button", "press", {"entity_id": buttons}, blocking=True)


def as_it_should(server: ModelServer) -> Iterator[Any]:
    """Yield the answers of a model that does everything right."""
    for key in RIGHT:
        if key in CALLS:
            yield server.calls(*CALLS[key])
        if key in TOLD or key not in CALLS:
            yield server.says(TOLD.get(key, "You are welcome."))


def homes(hass: HomeAssistant) -> list[State]:
    return [
        each for each in hass.states.async_all() if each.domain in ("light", "cover", "climate")
    ]


async def test_model_that_does_it_right_is_praised_and_nothing_of_the_home_is_touched(
    home: HomeAssistant, model_server: ModelServer, notes: dict[str, Notification]
) -> None:
    agent = await add_agent(home, model_server)
    before, asked = homes(home), len(model_server.requests)
    model_server.answers(*as_it_should(model_server))
    await press(agent)
    (note,) = notes.values()
    assert note["title"] == "Test of Jarvis"
    assert "12 of 12" in note["message"]
    assert "good choice" in note["message"]
    assert homes(home) == before
    # Of the home, which is exposed, no request says anything.
    told = str(model_server.requests[asked:])
    assert "Kitchen Light" in told
    assert "Bed Light" not in told
    assert "Kitchen Lights" not in told
    shown = await async_get_config_entry_diagnostics(home, agent.entry)
    result = shown["server"]["agents"][agent.entity_id]["trial"]
    assert (result["verdict"], len(result["right"]), result["calls"]) == ("good", 12, 12)


async def test_model_that_calls_nothing_is_said_to_call_nothing(
    home: HomeAssistant, model_server: ModelServer, notes: dict[str, Notification]
) -> None:
    agent = await add_agent(home, model_server)
    model_server.answers(*[model_server.says("Done, it is 17 and 64!")] * 12)
    await press(agent)
    (note,) = notes.values()
    assert "doesn't call tools" in note["message"]
    # It told two numbers, left two sentences alone, and did nothing of what was asked.
    assert "4 of 12" in note["message"]
    assert "- Turn on the kitchen light" in note["message"]


async def test_model_that_is_wrong_is_said_to_be_wrong(
    home: HomeAssistant, model_server: ModelServer, notes: dict[str, Notification]
) -> None:
    """It does another thing each time; and what it is asked for is not all that it does."""
    agent = await add_agent(home, model_server)
    wrong = [model_server.calls(call(ON, domain="light")), model_server.says("Done.")]
    model_server.answers(*wrong * 12)
    await press(agent)
    (note,) = notes.values()
    assert "0 of 12" in note["message"]
    assert "often wrong" in note["message"]


async def test_server_that_fails_ends_it_with_the_reason(
    home: HomeAssistant, model_server: ModelServer, notes: dict[str, Notification]
) -> None:
    agent = await add_agent(home, model_server)
    model_server.answers(*[*as_it_should(model_server)][:2], *[model_server.refusal("broken")] * 3)
    await press(agent)
    (note,) = notes.values()
    assert "2 of 2" in note["message"]
    assert "could not be finished" in note["message"]
    asked = len(model_server.requests)
    # What comes next is another trial.
    model_server.forget()
    model_server.answers(*as_it_should(model_server))
    await press(agent)
    assert len(model_server.requests) > asked
    assert "good choice" in notes[note["notification_id"]]["message"]


async def test_answer_that_breaks_off_is_wrong_and_the_next_one_is_asked_for(
    home: HomeAssistant, model_server: ModelServer, notes: dict[str, Notification]
) -> None:
    agent = await add_agent(home, model_server)
    first, *others = as_it_should(model_server)
    del first
    model_server.answers(model_server.message("I", Fault.CUT, ends=None), *others)
    await press(agent)
    (note,) = notes.values()
    assert "11 of 12" in note["message"]


async def test_one_that_recites_what_it_was_told_is_broken_off_and_asked_again(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server)
    recital = ("To control the home or to know a state, call a tool; ", Fault.HANG)
    recited = model_server.message(*recital, ends=None)
    model_server.answers(recited, *as_it_should(model_server))
    await press(agent)
    (result,) = home.data[trial.TRIALS].values()
    assert (len(result.right), result.late) == (12, 0)


async def test_one_that_never_answers_ends_in_time(
    home: HomeAssistant,
    model_server: ModelServer,
    notes: dict[str, Notification],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(trial, "_LIMIT", 0.5)
    agent = await add_agent(home, model_server)
    model_server.answers(model_server.message(Fault.HANG, ends=None))
    await press(agent)
    (note,) = notes.values()
    assert "too slow" in note["message"]


async def test_it_runs_once_at_a_time_and_ends_with_its_agent(
    home: HomeAssistant, model_server: ModelServer, notes: dict[str, Notification]
) -> None:
    agent = await add_agent(home, model_server)
    await begin_without_end(agent, model_server)
    (note,) = notes.values()
    assert "twelve sentences" in note["message"]
    with pytest.raises(ServiceValidationError):
        await begin(agent)
    assert await home.config_entries.async_unload(agent.entry.entry_id)
    await home.async_block_till_done()
    assert not notes


@pytest.mark.parametrize("change", ["removed", "changed"])
async def test_it_ends_where_its_agent_goes_or_is_another_one(
    home: HomeAssistant, model_server: ModelServer, notes: dict[str, Notification], change: str
) -> None:
    agent = await add_agent(home, model_server)
    await begin_without_end(agent, model_server)
    assert notes
    subentry = next(iter(agent.entry.subentries.values()))
    if change == "removed":
        home.config_entries.async_remove_subentry(agent.entry, subentry.subentry_id)
    else:
        data = {**subentry.data, "timeout": 7}
        home.config_entries.async_update_subentry(agent.entry, subentry, data=data)
    await home.async_block_till_done(wait_background_tasks=True)
    assert not notes


@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "it", "nl", "pl"])
def test_each_language_has_the_whole_home_and_all_sentences(language: str) -> None:
    words, english = Words.of(language), Words.of("en")
    assert words.sentences.keys() == RIGHT.keys()
    assert words.devices.keys() == DEVICES.keys()
    assert words.areas.keys() == {each.area for each in DEVICES.values()}
    for own, other in ((words.devices, english.devices), (words.sentences, english.sentences)):
        assert len({*own.values()}) == len(own)
        assert language == "en" or [*own.values()] != [*other.values()]
    # Who calls by these names does everything right.
    for key, right in RIGHT.items():
        home = words.home()
        for each in CALLS.get(key, ()):
            home.call(each.name, each.arguments | _in(words, each.arguments))
        assert right.is_met(home, TOLD.get(key, "…")), key


def _in(words: Words, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the names of a call in another language."""
    english = Words.of("en")
    names = {
        own.casefold(): words_of[key]
        for words_of, table in ((words.devices, english.devices), (words.areas, english.areas))
        for key, own in table.items()
    }
    return {
        part: names.get(arguments[part].casefold(), arguments[part])
        for part in ("name", "area")
        if part in arguments
    }


def test_language_without_sentences_is_tried_in_english() -> None:
    assert Words.of("fi") == Words.of("en")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (ON, {}),
        (ON, {"name": "Sauna"}),
        (ON, {"domain": 5}),
        (ON, {"name": "Thermostat"}),
        (ON, {"name": "Kitchen Light", "area": "Bedroom"}),
        ("light__HassLightSet", {"name": "Floor Lamp"}),
        ("light__HassLightSet", {"name": "Floor Lamp", "brightness": "30"}),
        ("light__HassLightSet", {"name": "Floor Lamp", "brightness": True}),
        ("climate__HassClimateSetTemperature", {"area": "Bedroom", "temperature": 20}),
    ],
)
def test_call_that_fits_nothing_changes_nothing(tool: str, arguments: dict[str, Any]) -> None:
    home = Words.of("en").home()
    assert home.call(tool, arguments).error
    assert not home.changed
