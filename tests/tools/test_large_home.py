"""A home of which a model is not told as a whole: what a sentence is about comes with the sentence."""

import json
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    entity_registry as er,
    floor_registry as fr,
    llm,
)
import pytest

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.home.exposed import Home
from custom_components.voice_gateway.home.overview import MOST_LISTED
from custom_components.voice_gateway.models.history import result_text
from custom_components.voice_gateway.nlu.disambiguation import MOST, rank_entities
from custom_components.voice_gateway.tools.api import AgentAPI
from custom_components.voice_gateway.tools.assist.live_context import MOST as MOST_TOLD
from custom_components.voice_gateway.tools.builtin import BuiltinTools
from custom_components.voice_gateway.tools.journal import Journal
from tests.agent import add_agent
from tests.extra_tools import API_ID, ExtraTool, add_tools
from tests.model_servers import ModelServer
from tests.nlu.saying import unread
from tests.ollama import PlayedOllama, call, calls, says
from tests.task import add_task, generate

ROOMS = tuple(
    f"{room}{number}" for room in ("Office", "Pantry", "Den") for number in ("", " 2", " 3")
)
THINGS = ("light Lamp", "light Desk Light", "switch Socket", "cover Blinds", "sensor Warmth")
WHICH = ("", " B", " C", " D")
"""Each room has each thing in each of these."""
FINDS = "homeassistant__GetLiveContext"

type Said = tuple[str, ...]


def each(*names: str) -> set[str]:
    return {f"{name}{which}" for name in names for which in WHICH}


# What is said, the last sentence last, in a language: what is told of the home with it.
TOLD: list[tuple[str, Said, set[str]]] = [
    ("en", ("turn on the office lamp",), each("Office Lamp")),
    ("en", ("turn on the office lamp b",), {"Office Lamp B"}),
    ("en", ("turn on the ofice lamp b",), {"Office Lamp B"}),
    ("en", ("close the blinds in pantry 2",), each("Pantry 2 Blinds")),
    # A place for each part, or for all.
    (
        "en",
        ("turn on the socket in den 2 and close the blinds in the pantry",),
        each("Den 2 Socket", "Pantry Blinds"),
    ),
    (
        "en",
        ("turn on the socket and close the blinds in den 2",),
        each("Den 2 Socket", "Den 2 Blinds"),
    ),
    # What "it" is was said before.
    ("en", ("turn on the pantry socket b", "and off again"), {"Pantry Socket B"}),
    (
        "en",
        ("turn on the office lamp b", "turn on the pantry socket b", "and off again"),
        {"Pantry Socket B"},
    ),
    # A kind is one in every language, whatever its devices are called.
    ("de", ("mach das Licht in Den 3 an",), each("Den 3 Lamp", "Den 3 Desk Light")),
    ("pl", ("zgaś światło w Den 3",), each("Den 3 Lamp", "Den 3 Desk Light")),
    ("en", ("start vacuuming",), {"Robot"}),
    ("en", ("hello",), set()),
]


@pytest.fixture
async def large(home: HomeAssistant) -> HomeAssistant:
    """A home with four of each thing in each of nine rooms, and a robot."""
    attic = fr.async_get(home).async_create("Attic").floor_id
    for number, room in enumerate(ROOMS):
        area = ar.async_get(home).async_create(room, floor_id=attic if number > 5 else None)
        for thing in THINGS:
            domain, _, name = thing.partition(" ")
            for which in WHICH:
                _add(home, domain, f"{room} {name}{which}", area.id)
    _add(home, "vacuum", "Robot", None)
    assert len(Home.seen_by(home, conversation.DOMAIN).entities) > MOST_LISTED
    return home


def _add(home: HomeAssistant, domain: str, name: str, area_id: str | None) -> None:
    registry = er.async_get(home)
    entry = registry.async_get_or_create(domain, "test", name, suggested_object_id=name)
    registry.async_update_entity(entry.entity_id, area_id=area_id)
    home.states.async_set(entry.entity_id, "off", {"friendly_name": name})
    async_expose_entity(home, conversation.DOMAIN, entry.entity_id, True)


def _system(chat: dict[str, Any]) -> str:
    return str(chat["messages"][0]["content"])


def _users(chat: dict[str, Any]) -> list[str]:
    return [each["content"] for each in chat["messages"] if each["role"] == "user"]


async def test_sentence_brings_the_devices_that_it_is_about(large: HomeAssistant) -> None:
    for language, said, expected in TOLD:
        found = rank_entities(unread(large, *said, language=language))
        first = [entity.names[0] for entity in found.entities[: len(expected) or None]]
        assert set(first) == expected, said


async def test_no_sentence_brings_more_than_can_be_read(large: HomeAssistant) -> None:
    found = rank_entities(unread(large, "turn on all the lights"))
    assert len(found.entities) == MOST
    lights = large.states.async_entity_ids("light")
    assert found.others == len(lights) - MOST


async def test_what_says_no_device_is_about_the_speakers_room(large: HomeAssistant) -> None:
    area = ar.async_get(large).async_get_area_by_name("Den 2")
    assert area
    for said in ("make it cosy", "turn on the desk light"):
        first, *_ = rank_entities(unread(large, said, area_id=area.id)).entities
        assert first.area == area.id


@pytest.mark.requirement("A3")
async def test_prompt_has_places_and_what_is_rare_and_does_not_change_with_what_is_said(
    large: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(large, ollama.url)
    await agent.hears("tell me something nice about the office")
    await agent.hears("make pantry 2 nicer")
    one, *_, other = ollama.chats
    assert _users(one)[-2] != _users(other)[-2]
    assert _system(one) == _system(other)
    assert one["tools"] == other["tools"]
    assert all(room in _system(one) for room in ROOMS)
    assert "Areas of Attic: Den, Den 2, Den 3" in _system(one)
    assert "vacuum Robot" in _system(one)
    assert "Lamp" not in _system(one)
    assert FINDS in _system(one)
    assert FINDS in str(one["tools"])


async def test_model_that_was_told_of_a_device_with_the_sentence_acts_on_it(
    large: HomeAssistant, ollama: PlayedOllama
) -> None:
    """The devices stand before the words, in every round, and are none of the conversation."""
    agent = await add_agent(large, ollama.url)
    ollama.answers(calls(call(FINDS, area="Pantry 2")), says("Which one do you mean?"))
    answer = await agent.hears("make the blinds in Pantry 2 nicer")
    first, second = ollama.chats
    listed, sentence = _users(first)[-2:]
    assert sentence == "make the blinds in Pantry 2 nicer"
    assert listed.startswith("[Devices that may be meant:\nPantry 2: cover Pantry 2 Blinds,")
    assert _users(second)[:2] == [listed, sentence]
    assert not any(listed == item.content for item in answer.log if item.role == "user")
    # The next sentence has its own.
    await agent.hears("make the lamp in the Den nicer", answer.conversation_id)
    before, *_, listed, sentence = _users(ollama.chats[2])
    assert before == "make the blinds in Pantry 2 nicer"
    assert "Den Lamp" in listed
    assert sentence == "make the lamp in the Den nicer"


async def test_agent_that_does_not_control_the_home_is_told_of_none_of_it(
    large: HomeAssistant, ollama: PlayedOllama
) -> None:
    add_tools(large, ExtraTool("garden__water", dict))
    agent = await add_agent(large, ollama.url, tools=[API_ID])
    await agent.hears("is the office lamp nice")
    assert "Lamp" not in str(ollama.chats[-1]["messages"][:-1])


async def test_task_is_told_of_what_its_instructions_are_about(
    large: HomeAssistant, model_server: ModelServer
) -> None:
    await add_task(large, model_server, ["assist"])
    model_server.answers(model_server.says("All is well."))
    await generate(large, "Look after the lamps.\nName those in Den 3 that are on.")
    sent = json.dumps(model_server.requests[-1])
    assert "Den 3 Lamp" in sent
    assert sent.index("Den 3 Lamp") < sent.index("Look after")


async def found(home: HomeAssistant, said: str, **arguments: Any) -> str:
    """Return what a model is told that looks for something, when something was said."""
    api = AgentAPI(home, ["assist"], BuiltinTools(home, {}))
    context = llm.LLMContext(DOMAIN, None, "en", conversation.DOMAIN, None)
    tools = await api.async_get_api_instance(context)
    tools = tools.for_turn(unread(home, said), Journal(), home.loop.time() + 60)
    return result_text(await tools.async_call_tool(llm.ToolInput(FINDS, arguments)))


async def test_tool_finds_what_was_not_told(large: HomeAssistant) -> None:
    told = await found(large, "make it nice", name="office desk light b")
    assert told == "light off: Office Desk Light B (Office)"
    assert "Office Lamp B" in await found(large, "make it nice", area="office", domain="light")
    missing = await found(large, "make it nice", name="ofice desklamp x")
    assert missing.startswith("Error: There is no ofice desklamp x among the devices. Similar: ")
    assert "Office Lamp" in missing


async def test_tool_tells_no_more_than_can_be_read(large: HomeAssistant) -> None:
    """What was said a word of comes first, and how much was left out is told."""
    for room in ("den", "pantry 3"):
        told = await found(large, f"what is it like in {room}", domain="light")
        assert told.count(f"({room.capitalize()})") == 2 * len(WHICH)
    told = await found(large, "what is it like in den 3", domain="light")
    *_, last = told.splitlines()
    lights = 2 * len(WHICH) * len(ROOMS)
    assert int(last.split()[1]) >= lights - MOST_TOLD
    assert told.count("(Den 3)") == 2 * len(WHICH)
    assert told.count("Lamp") + told.count("Desk Light") <= MOST_TOLD
