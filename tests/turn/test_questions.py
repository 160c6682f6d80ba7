"""A question that a tool has answered is answered, and nothing else is done."""

import json

from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.turn.instructions import (
    ANSWER_NOW,
    CALL_FAILED,
    DEFAULT_INSTRUCTIONS,
    LIST_NOW,
    NOTHING_DONE,
    NOTHING_READ,
)
from tests.rows import rows

from ..agent import add_agent
from ..model_servers import ModelServer, OllamaModel, Said, call
from ..ollama import PlayedOllama

# Home Assistant's own sentences do not know it: the call alone tells what is asked about.
RIDDLE = "how about some cosiness?"
NOT_MANAGED = "Sorry, I couldn't do that."
WRITTEN = '{"name": "homeassistant__GetLiveContext", "arguments": {"name": "Bed Light"}}'


@pytest.fixture
def model_server(ollama: PlayedOllama) -> ModelServer:
    """A model server. What is asked of a model is the same with each provider."""
    return OllamaModel(ollama)


async def test_a_model_that_writes_its_calls_is_reminded_to_answer(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    model_server.answers(model_server.says(WRITTEN), model_server.says("It is off."))
    agent = await add_agent(home, model_server, second_opinion=False)
    answer = await agent.hears(RIDDLE)
    assert answer.speech == "It is off."
    assert model_server.last() == Said("user", ANSWER_NOW)
    assert ANSWER_NOW not in str(answer.log)


async def test_a_model_is_reminded_to_tell_the_whole_list(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    model_server.answers(model_server.says(WRITTEN), model_server.says("Bed Light: off."))
    agent = await add_agent(home, model_server, second_opinion=False)
    answer = await agent.hears("Please list what is cosy")
    assert answer.speech == "Bed Light: off."
    assert model_server.last() == Said("user", LIST_NOW)


async def test_a_model_that_recites_its_instructions_is_told_to_read(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    tools = '{"type": "function", "function": {"name": "HassTurnOff", "parameters": {}}}'
    recited = f"{DEFAULT_INSTRUCTIONS.partition('\n')[2]}\n\n# Tools\n{tools}"
    model_server.answers(
        model_server.says(recited), model_server.says(WRITTEN), model_server.says("Pleasant.")
    )
    agent = await add_agent(home, model_server)
    answer = await agent.hears("is it pleasant in there?")
    assert answer.speech == "Pleasant."
    assert model_server.requests[1] != model_server.requests[0]
    assert NOTHING_READ in str(model_server.requests[1])


async def test_the_reminder_leaves_the_whole_result_to_answer_from(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    """Long results are cut once they are answered, and this one is not."""
    model_server.answers(
        model_server.says('{"name": "homeassistant__GetLiveContext", "arguments": {}}'),
        model_server.says("Quite cosy."),
    )
    agent = await add_agent(home, model_server)
    answer = await agent.hears(RIDDLE)
    (result,) = model_server.results(model_server.requests[-1])
    assert len(result) > 500
    assert "shortened" not in result
    assert model_server.last() == Said("user", ANSWER_NOW)
    assert answer.speech == "Quite cosy."


async def test_a_written_call_that_failed_may_be_mended(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    model_server.answers(
        model_server.says(WRITTEN.replace("Bed Light", "No Such Thing")),
        model_server.says("There is none."),
    )
    agent = await add_agent(home, model_server)
    await agent.hears(RIDDLE)
    assert model_server.last().who == "result"


async def test_a_model_that_is_silent_after_a_failure_is_asked_again(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    model_server.answers(
        model_server.calls(call("homeassistant__GetLiveContext", name="No Such Thing")),
        model_server.says(""),
        model_server.calls(call("homeassistant__GetLiveContext", name="Bed Light")),
        model_server.says("It is off."),
    )
    agent = await add_agent(home, model_server)
    answer = await agent.hears(RIDDLE)
    assert answer.speech == "It is off."
    third = model_server.conversation(model_server.requests[2])
    assert third[-1] == Said("user", CALL_FAILED)
    assert CALL_FAILED not in str(answer.log)


async def test_a_model_that_makes_its_calls_decides_by_itself(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    made = call("homeassistant__GetLiveContext", name="Bed Light")
    model_server.answers(model_server.calls(made), model_server.says("It is off."))
    agent = await add_agent(home, model_server, second_opinion=False)
    await agent.hears(RIDDLE)
    assert model_server.last().who == "result"


async def test_a_model_that_only_looked_and_fell_silent_is_told_that_nothing_was_done(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    model_server.answers(
        model_server.calls(call("intent__HassTurnOn", name="Sauna")),
        model_server.calls(call("homeassistant__GetLiveContext", area="Bedroom")),
        model_server.says(""),
        model_server.calls(call("intent__HassTurnOn", name="Bed Light")),
    )
    agent = await add_agent(home, model_server, second_opinion=False)
    await agent.hears("let the bed light glow")
    assert model_server.last() == Said("user", NOTHING_DONE)
    assert home.states.is_state("light.bed_light", "on")


async def test_an_error_that_the_model_was_told_is_not_spoken(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    made = call("intent__HassTurnOn", name="Sauna", area="")
    first = await add_agent(home, model_server, second_opinion=False)
    model_server.answers(model_server.calls(made), model_server.says("There is no device Sauna."))
    answer = await first.hears("turn on the sauna")
    assert answer.speech == "There is no device Sauna."
    (told,) = model_server.results(model_server.requests[-1])
    model_server.answers(model_server.calls(made), model_server.says(told))
    assert (await first.hears("turn on the sauna")).speech == NOT_MANAGED


@rows("told", [DEFAULT_INSTRUCTIONS.splitlines()[-1], NOTHING_DONE])
async def test_instructions_are_not_spoken(
    home: HomeAssistant, model_server: ModelServer, told: str
) -> None:
    agent = await add_agent(home, model_server, second_opinion=False)
    model_server.answers(model_server.says(told), model_server.says(told))
    assert (await agent.hears("turn on the sauna")).speech == NOT_MANAGED


async def test_a_model_that_writes_call_after_call_is_not_heard_to_the_end(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    written = "\n".join(
        json.dumps({"name": "GetLiveContext", "arguments": {"name": name}})
        for name in ["Bed Light", *(f"Thing {number}" for number in range(30))]
    )
    model_server.answers(model_server.says(written), model_server.says("Quite cosy."))
    agent = await add_agent(home, model_server)
    answer = await agent.hears(RIDDLE)
    assert len(answer.tool_results) == 8
    assert answer.speech == "Quite cosy."


async def test_a_model_that_writes_calls_where_it_has_to_answer_is_heard_to_the_end(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    """What was done is said, and not that an answer was cut short."""
    written = json.dumps({"name": "HassTurnOn", "arguments": {"name": "Bed Light"}})
    model_server.answers(model_server.says(written), model_server.says("\n".join([written] * 15)))
    agent = await add_agent(home, model_server, max_rounds=1, confirm_at_once=False)
    answer = await agent.hears("turn on the bed light")
    assert len(answer.tool_results) == 1
    assert answer.speech == "Done."


async def test_what_tools_there_are_is_told_once(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    model_server.answers(
        model_server.calls(call("sing"), call("dance")), model_server.says("I can't.")
    )
    agent = await add_agent(home, model_server)
    first, second = (await agent.hears(RIDDLE)).tool_results
    assert "There are: " in str(first.data)
    assert second.data == {"error": 'Unknown tool "dance"'}
