"""Notes are stored, belong to a person, are listed, and are in no log."""

import json
import logging
from typing import Any

from homeassistant.core import Context, HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockUser  # type: ignore[import-untyped]

from custom_components.voice_gateway.notebook.notebook import (
    LONGEST,
    MOST,
    NOTEBOOK,
    Notebook,
    NotebookEntry,
)
from tests.agent import Agent, add_agent
from tests.model_servers import ModelServer
from tests.ollama import PlayedOllama, call, calls, says
from tests.test_diagnostics_agents import diagnostics_of

LIST = "todo.notebook"
FILE = "voice_gateway.notebook"


def notes(hass: HomeAssistant) -> list[str]:
    return [each.text for each in hass.data[NOTEBOOK].all]


async def listed(hass: HomeAssistant) -> list[Any]:
    found: Any = await hass.services.async_call(
        "todo", "get_items", {"entity_id": LIST}, blocking=True, return_response=True
    )
    items: list[Any] = found[LIST]["items"]
    return items


async def people(hass: HomeAssistant) -> tuple[MockUser, MockUser]:
    anna, ben = (MockUser(name=each, is_owner=True).add_to_hass(hass) for each in ("Anna", "Ben"))
    people = [
        {"id": each.name.lower(), "name": each.name, "user_id": each.id} for each in (anna, ben)
    ]
    assert await async_setup_component(hass, "person", {"person": people})
    await hass.async_block_till_done()
    return anna, ben


async def test_notes_belong_to_a_person(agent: Agent, ollama: PlayedOllama) -> None:
    anna, ben = await people(agent.hass)
    await agent.hears("remember that the safe's number is 77", user_id=anna.id)
    await agent.hears("remember that the bins go out on Tuesday")
    shared, own = "I have noted: the bins go out on Tuesday", "; the safe's number is 77."
    told = await agent.hears("what do you remember?", user_id=anna.id)
    assert told.speech == shared + own
    for user_id in (ben.id, None):
        told = await agent.hears("what do you remember?", user_id=user_id)
        assert told.speech == f"{shared}."
        ollama.answers(says("?"))
        asked = await agent.hears("what is the safe's number?", user_id=user_id)
        assert asked.speech == "?"
        assert "77" not in json.dumps(ollama.chats[-1])
        kept = await agent.hears("forget what I said about the safe", user_id=user_id)
        assert kept.speech == "I haven't noted anything about that."
    assert {each["summary"]: each.get("description") for each in await listed(agent.hass)} == {
        "the bins go out on Tuesday": None,
        "the safe's number is 77": "Anna",
    }


async def test_list_is_edited(agent: Agent) -> None:
    hass = agent.hass
    anna, _ = await people(hass)

    async def act(service: str, user_id: str | None = anna.id, **data: str) -> None:
        data["entity_id"] = LIST
        await hass.services.async_call(
            "todo", service, data, blocking=True, context=Context(user_id=user_id)
        )

    await act("add_item", item="the bins go out on Tuesday")
    await act("add_item", user_id=None, item="the mail says hello")
    mail, bins = hass.data[NOTEBOOK].all
    assert (bins.owner, bins.is_foreign) == ("anna", False)
    assert (mail.owner, mail.is_foreign) == (None, True)
    await act("update_item", item=bins.text, rename="the bins go out on Friday")
    assert notes(hass) == ["the bins go out on Friday", "the mail says hello"]
    told = await agent.hears("when do the bins go out?", user_id=anna.id)
    assert told.speech == "I have noted: the bins go out on Friday."
    await act("update_item", item="the mail says hello", status="completed")
    await act("remove_item", item="the bins go out on Friday")
    assert notes(hass) == []
    assert hass.states.get(LIST).state == "0"  # type: ignore[union-attr]


async def test_option_switches_it_off(home: HomeAssistant, model_server: ModelServer) -> None:
    agent = await add_agent(home, model_server, notebook=False)
    entry = NotebookEntry(text="the bins go out on Tuesday", language="en")
    await home.data[NOTEBOOK].async_change("context", add=[entry])
    for sentence in ("when do the bins go out?", "remember that Bo has the key", "forget the bins"):
        model_server.answers(model_server.says("?"))
        assert (await agent.hears(sentence)).speech == "?"
    assert notes(home) == [entry.text]
    assert "Tuesday" not in str(model_server.requests)
    assert "remember a fact" not in str(model_server.requests).lower()


async def test_notes_are_in_no_log_and_no_diagnostics(
    agent: Agent, ollama: PlayedOllama, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "custom_components.voice_gateway")
    await agent.hears("remember that the goldfish are called Bob")
    await agent.hears("what did I say about the goldfish?")
    ollama.answers(says("Bob is."))
    await agent.hears("should the goldfish swim?")
    await agent.hears("forget the goldfish")
    # A model's messages are logged for debugging.
    caplog.set_level(logging.INFO, "custom_components.voice_gateway")
    ollama.answers(calls(call("notebook__remember", text="Bo hides goldfish")), says("All right."))
    await agent.hears("remember Bo hides goldfish")
    assert notes(agent.hass) == ["Bo hides goldfish"]
    ours = [each for each in caplog.records if each.name.startswith("custom_components")]
    assert not [each.getMessage() for each in ours if "goldfish" in each.getMessage()]
    assert "goldfish" not in json.dumps(await diagnostics_of(agent))


async def test_undo_comes_in_the_order_of_what_was_done(agent: Agent, ollama: PlayedOllama) -> None:
    hass = agent.hass
    await hass.services.async_call("light", "turn_off", {"entity_id": "all"}, blocking=True)
    conversation_id = None
    for sentence, speech in (
        ("remember that Bo has the key", "I'll remember: Bo has the key."),
        ("turn on the bed light", "I turned on the Bed Light."),
        ("undo that", "I've put Bed Light back."),
        ("undo that", "I've undone that."),
        ("undo that", "There's nothing to undo."),
    ):
        ollama.script.clear()
        ollama.answers(calls(call("intent__HassTurnOn", name="Bed Light")))
        answer = await agent.hears(sentence, conversation_id)
        conversation_id = answer.conversation_id
        assert (sentence, answer.speech) == (sentence, speech)
        await hass.async_block_till_done()
    assert notes(hass) == []


async def test_invalid_entries_stay_in_the_file(
    hass: HomeAssistant, hass_storage: dict[str, Any]
) -> None:
    good = {"id": "1", "text": "a b", "language": "en", "owner": None, "is_foreign": False}
    good["at"] = "2026-11-27T12:00:00+00:00"
    bad: list[Any] = [
        5, None, "x", {}, {**good, "text": ""}, {**good, "text": "x" * (LONGEST + 1)},
        {**good, "at": "soon"}, {**good, "owner": 5}, {**good, "more": 1}, {**good, "text": None},
    ]  # fmt: skip
    hass_storage[FILE] = {"version": 1, "key": FILE, "data": {"notes": [good, *bad]}}
    notebook = Notebook(hass)
    await notebook.async_load()
    assert [each.text for each in notebook.all] == ["a b"]
    await notebook.async_change("context", add=[NotebookEntry(text="c", language="en")])
    assert [each for each in hass_storage[FILE]["data"]["notes"] if each in bad] == bad


@pytest.mark.parametrize("stored", [{"version": 9, "data": {}}, {"version": 1, "data": [5]}])
async def test_unreadable_file_is_not_overwritten(
    hass: HomeAssistant, hass_storage: dict[str, Any], stored: dict[str, Any]
) -> None:
    hass_storage[FILE] = {"minor_version": 1, "key": FILE, **stored}
    notebook = Notebook(hass)
    await notebook.async_load()
    await notebook.async_change("context", add=[NotebookEntry(text="c", language="en")])
    assert hass_storage[FILE]["data"] == stored["data"]


async def test_full_notebook_says_so(agent: Agent) -> None:
    entries = [NotebookEntry(text=f"note {each}", language="en") for each in range(MOST)]
    await agent.hass.data[NOTEBOOK].async_change("context", add=entries)
    answer = await agent.hears("remember that Bo has the key")
    assert answer.is_error
    assert len(notes(agent.hass)) == MOST
