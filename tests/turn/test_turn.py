"""The turn: from a sentence to its answer, when all goes well, whoever serves the model."""

import asyncio

from homeassistant.core import HomeAssistant
import probatio
import pytest

from ..agent import Agent, add_agent, calls_without_their_result
from ..extra_tools import API_ID, ExtraTool, add_tools
from ..model_servers import ModelServer, Said, Thought, call

BED_LIGHT = call("intent__HassTurnOn", name="Bed Light")
KITCHEN_LIGHTS = call("intent__HassTurnOff", name="Kitchen Lights")
# Home Assistant's own sentences make no command of it.
WISH = "how about some cosiness"


@pytest.fixture
async def agent(home: HomeAssistant, model_server: ModelServer) -> Agent:
    """An agent of each provider's model, with the tools of Assist."""
    return await add_agent(home, model_server)


@pytest.mark.requirement("D5")
@pytest.mark.requirement("D6")
@pytest.mark.requirement("C11")
@pytest.mark.requirement("E1", "E4")
async def test_call_is_made_and_its_result_answered(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server, confirm_at_once=False)
    model_server.answers(model_server.calls(BED_LIGHT), model_server.says("The bed light is on."))
    answer = await agent.hears(WISH)
    assert home.states.is_state("light.bed_light", "on")
    assert answer.speech == "The bed light is on."
    assert not answer.is_error
    user, asked, result = model_server.conversation(model_server.requests[1])
    assert user == Said("user", WISH)
    assert asked == Said("call", "", "intent__HassTurnOn", {"name": "Bed Light"})
    assert (result.who, result.tool) == ("result", "intent__HassTurnOn")
    assert "Bed Light" in result.text


@pytest.mark.requirement("D4")
@pytest.mark.requirement("L6")
async def test_several_calls_of_a_message_run_at_once_and_results_keep_their_order(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    both = asyncio.Barrier(2)
    finished: list[int] = []

    async def meet(number: int) -> dict[str, str]:
        await both.wait()
        if number == 1:
            # The first one ends last.
            while 2 not in finished:  # noqa: ASYNC110 - by the next turn of the loop
                await asyncio.sleep(0)
        finished.append(number)
        return {"result": f"Number {number}"}

    add_tools(home, ExtraTool("meet", meet))
    agent = await add_agent(home, model_server, tools=[API_ID], timeout=5)
    model_server.answers(
        model_server.calls(call("meet", number=1), call("meet", number=2)),
        model_server.says("They met."),
    )
    answer = await agent.hears(WISH)
    assert answer.speech == "They met."
    assert finished == [2, 1]
    assert model_server.results(model_server.requests[1]) == ["Number 1", "Number 2"]
    assert calls_without_their_result(answer.log) == []


@pytest.mark.requirement("D7")
async def test_several_rounds_of_calls(home: HomeAssistant, model_server: ModelServer) -> None:
    add_tools(home, ExtraTool("remember", lambda what: {"result": f"Remembered {what}"}))
    agent = await add_agent(home, model_server, tools=["assist", API_ID], confirm_at_once=False)
    model_server.answers(
        model_server.calls(call("homeassistant__GetLiveContext", name="Bed Light")),
        model_server.message("One moment. ", BED_LIGHT),
        model_server.calls(call("remember", what="light")),
        model_server.says("All done."),
    )
    answer = await agent.hears(WISH)
    assert answer.speech == "All done."
    assert home.states.is_state("light.bed_light", "on")
    assert [made.tool_name for made in answer.tool_calls] == [
        "homeassistant__GetLiveContext",
        "intent__HassTurnOn",
        "remember",
    ]
    assert len(model_server.requests) == 4
    assert all(map(model_server.tools, model_server.requests))
    assert calls_without_their_result(answer.log) == []


@pytest.mark.requirement("D10")
async def test_model_tells_the_user_what_a_tool_refused(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server, confirm_at_once=False)
    model_server.answers(
        model_server.calls(call("intent__HassTurnOn", name="Moon")),
        model_server.says("There is no moon here."),
    )
    answer = await agent.hears(WISH)
    assert answer.speech == "There is no moon here."
    assert model_server.last().text.startswith("Error: ")


@pytest.mark.requirement("B8")
async def test_unknown_tool_does_not_end_the_turn(agent: Agent, model_server: ModelServer) -> None:
    model_server.answers(
        model_server.calls(call("sing", song="anything")), model_server.says("I cannot sing.")
    )
    answer = await agent.hears(WISH)
    assert answer.speech == "I cannot sing."
    text = model_server.last().text
    assert text.startswith('Error: Unknown tool "sing"')
    assert "intent__HassTurnOn" in text


async def test_what_the_model_claims_and_did_not_do_is_not_said(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server, second_opinion=False)
    claim = "I have turned on the bed light."
    model_server.answers(model_server.says(claim), model_server.says(claim))
    answer = await agent.hears("turn on the bed light")
    assert home.states.is_state("light.bed_light", "off")
    assert claim not in answer.speech
    assert claim not in "".join(answer.streamed)
    assert answer.is_error


async def test_agent_without_tools_talks(home: HomeAssistant, model_server: ModelServer) -> None:
    agent = await add_agent(home, model_server, tools=[])
    model_server.answers(model_server.says("Hello ", "there."))
    answer = await agent.hears(WISH)
    assert answer.speech == "Hello there."
    assert not model_server.tools(model_server.requests[0])


async def test_tools_that_are_gone_cost_only_themselves(
    home: HomeAssistant, model_server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    add_tools(home, ExtraTool("admin", dict), id="admin", requires_admin=True)
    agent = await add_agent(
        home, model_server, tools=["gone", "admin", "assist"], confirm_at_once=False
    )
    model_server.answers(model_server.calls(BED_LIGHT), model_server.says("It is on."))
    answer = await agent.hears(WISH)
    assert answer.speech == "It is on."
    assert home.states.is_state("light.bed_light", "on")
    assert "admin" not in model_server.tools(model_server.requests[0])
    assert "without the tools of gone" in caplog.text


async def test_instructions_and_serializer_of_another_api_are_used(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    class Colour:
        """A type of argument that only its API knows."""

    def serialize(value: object) -> dict[str, object] | None:
        return {"type": "string", "enum": ["red"]} if isinstance(value, Colour) else None

    tool = ExtraTool("paint", lambda **_: {})
    tool.parameters = probatio.Schema({probatio.Required("colour"): Colour()})
    add_tools(home, tool, prompt="Paint only in red.", serializer=serialize)
    agent = await add_agent(home, model_server, tools=["assist", API_ID])
    await agent.hears(WISH)
    paint = model_server.tools(model_server.requests[0])["paint"]
    assert paint["properties"]["colour"] == {"type": "string", "enum": ["red"]}
    assert "Paint only in red." in str(model_server.requests[0])


async def test_thoughts_are_not_spoken(agent: Agent, model_server: ModelServer) -> None:
    model_server.answers(model_server.message(Thought("What do they want? "), "I am well."))
    answer = await agent.hears("how are you")
    assert answer.speech == "I am well."
    assert answer.streamed == ["I am well."]


async def test_tools_own_words_are_spoken_where_the_model_has_none(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    add_tools(home, ExtraTool("water", lambda: {"result": "The garden is being watered."}))
    agent = await add_agent(home, model_server, tools=[API_ID])
    model_server.answers(model_server.calls(call("water")), model_server.says(""))
    answer = await agent.hears(WISH)
    assert answer.speech == "The garden is being watered."
    assert not answer.is_error
