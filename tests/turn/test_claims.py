"""What a model says of a command of which nothing was done."""

from collections.abc import Sequence

from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from mcp.types import CallToolResult, TextContent, Tool, ToolAnnotations
import pytest

from custom_components.voice_gateway.mcp_servers.errors import (
    McpInterrupted,
    McpTimeout,
    McpUnavailable,
)
from custom_components.voice_gateway.mcp_servers.tool import make_tools
from custom_components.voice_gateway.nlu import utterance
from custom_components.voice_gateway.turn.instructions import NOTHING_READ
from tests.agent import Agent, add_agent
from tests.extra_tools import API_ID, add_tools
from tests.model_servers import ModelServer, OllamaModel, call as model_call
from tests.ollama import PlayedOllama, call, calls, says

from ..tables import table

FAILURES: dict[str, Exception] = {
    "order_pizza": McpTimeout("No answer came in time"),
    "boil_water": McpInterrupted("The connection ended"),
    "water_garden": McpUnavailable("It was stopped"),
    "brew_coffee": ValueError("internal"),
}
ERRORS = ("write_note", "read_bill")
WORKING = ("feed_cat", "read_pool")


@pytest.fixture
def model_server(ollama: PlayedOllama) -> ModelServer:
    """A model server. What an answer may claim is the same with each provider."""
    return OllamaModel(ollama)


def mcp_tools(made: list[str]) -> Sequence[llm.Tool]:
    """Return the tools of an MCP server, of which most fail in some way; calls are noted."""

    async def run(name: str, _: dict[str, object], **__: object) -> CallToolResult:
        made.append(name)
        if name in FAILURES:
            raise FAILURES[name]
        words = "The machine is locked" if name in ERRORS else "Everything is fine today"
        return CallToolResult(
            content=[TextContent(type="text", text=words)], is_error=name in ERRORS
        )

    definitions = [
        Tool(
            name=name,
            description="Does it",
            input_schema={"type": "object"},
            annotations=ToolAnnotations(read_only_hint=name.startswith("read_")),
        )
        for name in (*FAILURES, *ERRORS, *WORKING)
    ]
    return make_tools(definitions, run)


def break_garage_door(home: HomeAssistant) -> None:
    """Let the garage door jam."""

    async def close(service: ServiceCall) -> None:
        if "cover.garage_door" in service.data["entity_id"]:
            raise HomeAssistantError("It is jammed")

    home.services.async_register("cover", "close_cover", close)


@pytest.mark.parametrize(("name", "before"), [("TABLE", "turn_off"), ("CONFIRMED", "turn_on")])
async def test_what_is_heard_is_true(
    home: HomeAssistant, model_server: ModelServer, name: str, before: str
) -> None:
    """All rows within one home: what is said, by what came of the calls."""
    add_tools(home, *mcp_tools([]))
    break_garage_door(home)
    agent = await add_agent(home, model_server, tools=["assist", API_ID])
    wrong = []
    for language, command, says_of_it, heard, *made in table(__file__, name):
        await home.services.async_call(
            "light", before, {"entity_id": "light.bed_light"}, blocking=True
        )
        made_calls = [model_call(name, **arguments) for each in made for name, arguments in each]
        begins = [model_server.calls(*made_calls)] if made_calls else []
        model_server.answers(*begins, *[model_server.says(says_of_it)] * 3)
        answer = await agent.hears(command, language=language)
        model_server.forget()
        spoken = "".join(answer.streamed) or answer.speech
        if {answer.speech, spoken} != {heard or says_of_it}:
            wrong.append((command, says_of_it, f"{answer.speech} / {spoken}"))
    assert wrong == []


async def test_plain_action_is_confirmed_without_asking_again(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.answers(calls(call("intent__HassTurnOn", name="Bed Light")))
    assert (await agent.hears("turn on the bed light")).speech == "I turned on the Bed Light."
    assert len(ollama.chats) == 1


async def test_where_home_assistant_reads_nothing_more_may_be_wanted(
    agent: Agent, ollama: PlayedOllama
) -> None:
    """Whether this is all is not known of Latin."""
    ollama.answers(calls(call("intent__HassTurnOn", name="Bed Light")), says("And the rest."))
    assert (await agent.hears("lucem accende", language="la")).speech == "And the rest."


async def test_what_may_have_been_done_is_not_done_again(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    made: list[str] = []
    add_tools(home, *mcp_tools(made))
    agent = await add_agent(home, model_server, tools=["assist", API_ID])
    orders = [model_server.calls(model_call("order_pizza", size=1)) for _ in range(2)]
    model_server.answers(*orders, model_server.says("Ordered."))
    answer = await agent.hears("open the hall window, order a pizza and turn on the bed light")
    assert [result.error for result in answer.tool_results] == [True, True]
    assert made == ["order_pizza"]
    assert answer.speech == "It may have been done, but I got no answer. Please check."


async def test_home_assistant_does_nothing_after_what_may_have_been_done(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    add_tools(home, *mcp_tools([]))
    agent = await add_agent(home, model_server, tools=["assist", API_ID])
    model_server.answers(
        model_server.calls(model_call("order_pizza")), model_server.says("It is on.")
    )
    answer = await agent.hears("order a pizza and turn on the bed light")
    assert home.states.is_state("light.bed_light", "off")
    assert answer.speech == "It may have been done, but I got no answer. Please check."


async def test_home_assistant_acts_after_a_tool_that_failed(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    add_tools(home, *mcp_tools([]))
    agent = await add_agent(home, model_server, tools=["assist", API_ID])
    model_server.answers(
        model_server.calls(model_call("write_note")), model_server.says("It is on.")
    )
    answer = await agent.hears("turn on the bed light")
    assert home.states.is_state("light.bed_light", "on")
    assert answer.speech == "I turned on the Bed Light."


async def test_what_a_later_call_made_up_for_is_done(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server, confirm_at_once=False)
    model_server.answers(
        model_server.calls(model_call("intent__HassTurnOn", name="Bed Lamp of the House")),
        model_server.calls(model_call("intent__HassTurnOn", name="Bed Light")),
        model_server.says("There you go."),
    )
    assert (await agent.hears("turn on the bed light")).speech == "There you go."


async def test_question_about_a_device_is_read_before_it_is_answered(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server)
    model_server.answers(
        model_server.says("I guess so."),
        model_server.calls(model_call("homeassistant__GetLiveContext", name="Bed Light")),
        model_server.says("It may have: it is on now."),
    )
    answer = await agent.hears("did the bed light flicker yesterday?")
    assert NOTHING_READ in model_server.conversation(model_server.requests[1])[-1].text
    assert answer.speech == "It may have: it is on now."
    assert "guess" not in "".join(answer.streamed)


async def test_own_answers_to_questions_are_an_option(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server, second_opinion=False)
    model_server.answers(*[model_server.says("It is on.")] * 2)
    assert (await agent.hears("is the bed light on?")).speech == "It is on."


async def test_model_that_is_told_that_nothing_was_done_may_still_do_it(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, second_opinion=False)
    ollama.answers(
        says("I have turned on the bed light."),
        calls(call("intent__HassTurnOn", name="Bed Light")),
    )
    answer = await agent.hears("turn on the bed light")
    assert answer.speech == "I turned on the Bed Light."
    assert home.states.is_state("light.bed_light", "on")
    assert "Nothing was done" in ollama.chats[1]["messages"][-1]["content"]


async def test_device_that_does_not_exist_is_not_claimed_to_be_on(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.answers(says("I have turned on the sauna."), says("There is no sauna here."))
    answer = await agent.hears("turn on the sauna")
    assert answer.speech == "There is no sauna here."


async def test_second_opinion_acts_only_with_the_agents_own_tools(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, tools=[])
    ollama.answers(says("I cannot do that."))
    assert (await agent.hears("turn on the bed light")).speech == "I cannot do that."
    assert home.states.is_state("light.bed_light", "off")


async def test_claim_about_a_sentence_that_was_not_read_in_time_is_not_said(
    home: HomeAssistant, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it is a command is not known then: no claim of it is trusted."""
    monkeypatch.setattr(utterance, "PATIENCE", 0)
    agent = await add_agent(home, model_server)
    model_server.answers(*[model_server.says("I have turned on the bed light.")] * 2)
    answer = await agent.hears("turn on the bed light")
    assert answer.speech == "Sorry, I couldn't do that."
    assert answer.streamed == []
    assert home.states.is_state("light.bed_light", "off")


async def test_denial_of_a_sentence_that_was_not_read_in_time_is_said(
    home: HomeAssistant, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(utterance, "PATIENCE", 0)
    agent = await add_agent(home, model_server)
    model_server.answers(model_server.says("There is no sauna."))
    assert (await agent.hears("turn on the sauna")).speech == "There is no sauna."


async def test_report_of_an_earlier_action_is_not_repeated_as_a_new_one(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, tools=["assist"])
    timer, lamp = "Timer: 10 minutes, starting now.", "I turned on the Bed Light."
    first = await agent.hears("set a timer for 10 minutes")
    assert first.speech == timer

    async def hears(said: str) -> str:
        return (await agent.hears(said, first.conversation_id)).speech

    assert await hears("turn on the bed light") == lamp
    ollama.answers(says(timer), says("I set no timer."))
    assert await hears("for the pizza as well") == "I set no timer."
    ollama.answers(says(f"Sure! {lamp}"), says("Which one?"))
    assert await hears("the bigger one as well, my dear") == "Which one?"
    # It may be told again to a user who asks, and talk may repeat itself.
    ollama.answers(says(timer), says("You're welcome."), says("You're welcome."))
    assert await hears("what did you tell me about the pizza timer?") == timer
    for _ in range(2):
        assert await hears("I like you very much") == "You're welcome."


async def test_second_opinion_does_nothing_after_the_model_did(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server, confirm_at_once=False)
    made = model_call("intent__HassTurnOn", name="Bed Light")
    model_server.answers(model_server.calls(made), model_server.message())
    answer = await agent.hears("turn on the bed light")
    assert len(answer.tool_results) == 1
    assert answer.speech == "Done."
