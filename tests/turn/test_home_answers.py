"""Questions about the home that no model is asked, and what is read before one is."""

from collections.abc import Sequence

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant, ServiceCall, ServiceResponse, SupportsResponse
from homeassistant.setup import async_setup_component
import pytest

from tests.agent import Agent, add_agent
from tests.model_servers import ModelServer
from tests.ollama import PlayedOllama, call, calls, says

LIST = "todo.shopping_list"


async def with_list(home: HomeAssistant) -> None:
    """Give the home a shopping list with one item."""
    assert await async_setup_component(home, "todo", {})

    async def items(call: ServiceCall) -> ServiceResponse:
        return {LIST: {"items": [{"summary": "Milk", "status": call.data["status"]}]}}

    only = SupportsResponse.ONLY
    home.services.async_register("todo", "get_items", items, supports_response=only)
    home.states.async_set(LIST, "1", {"friendly_name": "Shopping List"})
    async_expose_entity(home, conversation.DOMAIN, LIST, should_expose=True)


async def test_what_is_certain_needs_no_model(agent: Agent, ollama: PlayedOllama) -> None:
    ollama.answers(says("I made this up."))
    answer = await agent.hears("is the bed light on?")
    assert answer.speech == "No, Bed Light is off"
    assert not ollama.chats


async def test_what_home_assistant_knows_of_nothing_is_no_answer(
    agent: Agent, ollama: PlayedOllama
) -> None:
    """Its sentences say that all of nothing is closed."""
    ollama.answers(*[says("I see no curtains.")] * 3)
    answer = await agent.hears("are all curtains closed in the bedroom?")
    assert answer.speech == "I see no curtains."


async def test_agent_without_the_home_tells_nothing_of_it(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server, tools=[])
    model_server.answers(*[model_server.says("I can't know.")] * 2)
    assert (await agent.hears("is the bed light on?")).speech == "I can't know."


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (
            "en",
            ("is the bed light on?", "and the ceiling lights?", "And the bed light, is it off?"),
        ),
        ("de", ("ist Bed Light an?", "und Ceiling Lights?", "Und Bed Light, ist es aus?")),
        ("fr", ("Bed Light est allumé ?", "et Ceiling Lights ?", "Bed Light, elle est éteinte ?")),
        ("nl", ("is Bed Light aan?", "en Ceiling Lights?", "En Bed Light, is die uit?")),
    ],
)
async def test_question_goes_on_for_another_device(
    agent: Agent, ollama: PlayedOllama, language: str, sentences: Sequence[str]
) -> None:
    """Also of a subject that stands before the question."""
    ollama.answers(*[says("?")] * 6)
    conversation_id, told = None, []
    for each in sentences:
        answer = await agent.hears(each, conversation_id, language=language)
        conversation_id = answer.conversation_id
        told.append(answer.speech)
    assert ["Bed Light" in told[0], "Ceiling Lights" in told[1], "Bed Light" in told[2]] == [
        True
    ] * 3


async def test_list_is_read_before_the_model_is_asked(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    await with_list(home)
    agent = await add_agent(home, ollama.url)
    ollama.answers(says("You need milk."))
    answer = await agent.hears("do we need anything for a cake from the shopping list?")
    assert answer.speech == "You need milk."
    assert "Milk" in str(ollama.chats[-1])
    assert "Answer now" in str(ollama.chats[-1]["messages"][-1])
    assert len(answer.tool_results) == 1
    told = await agent.hears("what is on the shopping list?")
    assert told.speech == "Shopping List: Milk"


async def test_model_that_goes_on_calling_after_what_was_read_has_to_answer(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    await with_list(home)
    agent = await add_agent(home, ollama.url)
    ollama.answers(calls(call("homeassistant__GetLiveContext")), says("You need milk."))
    answer = await agent.hears("do we need anything for a cake from the shopping list?")
    assert answer.speech == "You need milk."


async def test_wish_after_a_list_was_read_out_is_not_left_to_the_model(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    """Others write on lists; what a light shows nobody has written."""
    await with_list(home)
    agent = await add_agent(home, ollama.url)
    for question, is_on in (
        ("what is on the shopping list?", False),
        ("is the bed light on?", True),
    ):
        ollama.script = [calls(call("light__HassLightSet", name="Bed Light", brightness=20))]
        ollama.script += [says("I could not do that.")] * 3
        asked = await agent.hears(question)
        await agent.hears("make it cosy", asked.conversation_id)
        assert home.states.is_state("light.bed_light", "on") is is_on, question


async def test_nobody_is_where_no_zone_is_for_all_that_is_known(
    agent: Agent, ollama: PlayedOllama
) -> None:
    """Home Assistant's sentences say that nobody is in the kitchen, as it is nobody's zone."""
    ollama.answers(*[says("I can't see the kitchen.")] * 3)
    answer = await agent.hears("is anyone in the kitchen?")
    assert answer.speech == "I can't see the kitchen."


async def test_who_is_busy_is_no_question_for_a_place(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    """Home Assistant's sentences say that Anna is not "busy tomorrow", but home."""
    home.states.async_set("person.anna", "home", {"friendly_name": "Anna"})
    async_expose_entity(home, conversation.DOMAIN, "person.anna", should_expose=True)
    agent = await add_agent(home, ollama.url)
    ollama.answers(*[says("I don't know her calendar.")] * 3)
    answer = await agent.hears("is Anna busy tomorrow?")
    assert answer.speech == "I don't know her calendar."
