"""Tools that fail, and models that go on calling: the turn ends, and says what is true."""

import asyncio
from typing import Any

from homeassistant.components.conversation import ToolResultContent
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
import pytest

from tests.turn.failing import check_failed, check_next_turn

from ..agent import Agent, add_agent, calls_without_their_result, in_time
from ..extra_tools import API_ID, ExtraTool, add_tools
from ..model_servers import Call, ModelServer, OllamaModel, Said, call
from ..ollama import PlayedOllama

BED_LIGHT = call("intent__HassTurnOn", name="Bed Light")
TOO_LONG = "That took too long, so I stopped."
IN_DOUBT = "It may have been done, but I got no answer. Please check."
EMPTY = "The model gave no answer."
# Home Assistant's own sentences make no command of it: nothing but the model answers.
WISH = "make the bedroom cosy"


@pytest.fixture
def model_server(ollama: PlayedOllama) -> ModelServer:
    """A model server. What becomes of a tool is the same with each provider."""
    return OllamaModel(ollama)


@pytest.fixture
async def agent(home: HomeAssistant, model_server: ModelServer) -> Agent:
    """An agent whose model puts into words what was done."""
    return await add_agent(home, model_server, confirm_at_once=False)


@pytest.mark.requirement("D4")
@pytest.mark.requirement("D7")
@pytest.mark.parametrize("rounds", [1, 3])
async def test_endless_calls_end_with_a_request_that_lets_it_call_none(
    home: HomeAssistant, model_server: ModelServer, rounds: int
) -> None:
    step = ExtraTool("step", lambda number: {"result": number})
    add_tools(home, step)
    agent = await add_agent(home, model_server, tools=[API_ID], max_rounds=rounds)
    model_server.answers(
        *(model_server.calls(call("step", number=number)) for number in range(rounds))
    )
    model_server.answers(model_server.says("I give up."))
    answer = await agent.hears("go on for ever")
    assert answer.speech == "I give up."
    assert len(step.calls) == rounds
    assert [bool(model_server.tools(each)) for each in model_server.requests] == [
        *[True] * rounds,
        False,
    ]
    await check_next_turn(agent, answer, model_server)


async def test_calls_in_the_message_that_has_to_answer_are_neither_made_nor_spoken(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    step = ExtraTool("step", lambda **_: {"result": "ok"})
    add_tools(home, step)
    agent = await add_agent(home, model_server, tools=[API_ID], max_rounds=1)
    model_server.answers(
        model_server.calls(call("step", number=1)),
        model_server.message(
            call("step", number=2), '{"name": "step", "arguments": {"number": 3}}'
        ),
    )
    answer = await agent.hears("go on for ever")
    assert [made.tool_args for made in step.calls] == [{"number": 1}]
    assert answer.speech == "I carried out “step”."
    await check_next_turn(agent, answer, model_server)


async def test_model_that_repeats_its_call_is_made_to_answer(
    agent: Agent, model_server: ModelServer
) -> None:
    model_server.answers(
        *(model_server.calls(BED_LIGHT) for _ in range(2)), model_server.says("The light is on.")
    )
    answer = await agent.hears(WISH)
    assert answer.speech == "The light is on."
    assert len(model_server.requests) == 3
    assert not model_server.tools(model_server.requests[-1])
    await check_next_turn(agent, answer, model_server)


NO_LAMP = call("intent__HassTurnOn", name="Lava Lamp")
NO_TOOL = call("glow", name="Bed Light")


@pytest.mark.parametrize("refused", [NO_LAMP, NO_TOOL])
async def test_right_call_after_one_that_was_refused_twice_is_made(
    agent: Agent, model_server: ModelServer, refused: Call
) -> None:
    model_server.answers(
        *(model_server.calls(refused) for _ in range(2)),
        model_server.calls(BED_LIGHT),
        model_server.says("The light is on."),
    )
    answer = await agent.hears(WISH)
    assert answer.speech == "The light is on."
    assert [result.error for result in answer.tool_results] == [True, True, False]
    assert agent.hass.states.is_state("light.bed_light", "on")


async def test_model_that_repeats_what_is_refused_is_made_to_tell_why(
    agent: Agent, model_server: ModelServer
) -> None:
    model_server.answers(
        *(model_server.calls(NO_LAMP) for _ in range(3)),
        model_server.says("There is no such lamp."),
    )
    answer = await agent.hears(WISH)
    assert answer.speech == "There is no such lamp."
    assert len({str(result.data) for result in answer.tool_results}) == 1
    assert len(answer.tool_results) == 3
    assert not model_server.tools(model_server.requests[-1])
    await check_next_turn(agent, answer, model_server)


async def test_call_that_failed_half_way_is_not_repeated_as_one_that_was_refused(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    """Something may have been done: to repeat it once is as far as a model may go."""

    def fail(**_: Any) -> None:
        raise HomeAssistantError("Out of paper")

    tool = ExtraTool("print", fail)
    add_tools(home, tool)
    agent = await add_agent(home, model_server, tools=[API_ID])
    model_server.answers(
        *(model_server.calls(call("print")) for _ in range(2)), model_server.says("No paper.")
    )
    assert (await agent.hears(WISH)).speech == "No paper."
    assert len(tool.calls) == 2


@pytest.mark.requirement("B6")
@pytest.mark.requirement("B12")
async def test_tool_that_hangs_is_cancelled_when_time_is_over(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    cancelled = asyncio.Event()

    async def hang() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    add_tools(home, ExtraTool("hang", hang))
    agent = await add_agent(home, model_server, tools=[API_ID], timeout=0.4)
    model_server.answers(model_server.calls(call("hang")))
    async with in_time(0.4):
        answer = await agent.hears("hang")
    assert cancelled.is_set()
    (result,) = answer.tool_results
    assert result.error
    await check_failed(agent, answer, model_server, IN_DOUBT)


@pytest.mark.requirement("B12")
async def test_tool_that_resists_its_cancellation_does_not_hold_up_the_turn(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    let_go = asyncio.Event()

    async def resist() -> None:
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                continue

    add_tools(home, ExtraTool("resist", resist))
    agent = await add_agent(home, model_server, tools=[API_ID], timeout=0.4)
    model_server.answers(model_server.calls(call("resist")))
    try:
        async with in_time(0.4):
            answer = await agent.hears("resist")
    finally:
        let_go.set()
    await check_failed(agent, answer, model_server, IN_DOUBT)
    await home.async_block_till_done(wait_background_tasks=True)


async def test_tools_that_cannot_be_listed_in_time(
    home: HomeAssistant, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(_: llm.LLMContext) -> llm.APIInstance:
        await asyncio.Event().wait()
        raise AssertionError

    agent = await add_agent(home, model_server, tools=[API_ID], timeout=0.4)
    extra = add_tools(home)
    with monkeypatch.context() as patched:
        patched.setattr(type(extra), "async_get_api_instance", lambda _, context: never(context))
        async with in_time(0.4):
            answer = await agent.hears("hello")
    await check_failed(agent, answer, model_server, TOO_LONG)


@pytest.mark.requirement("B9")
@pytest.mark.requirement("B12")
@pytest.mark.requirement("D9")
@pytest.mark.requirement("D10")
@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (HomeAssistantError("The lamp is jammed"), "Error: The lamp is jammed"),
        (ZeroDivisionError("secret detail"), "Error: break failed unexpectedly"),
    ],
)
async def test_model_is_told_when_a_tool_raises_and_tells_the_user(
    home: HomeAssistant, model_server: ModelServer, raised: BaseException, told: str
) -> None:
    def break_() -> None:
        raise raised

    add_tools(home, ExtraTool("break", break_))
    agent = await add_agent(home, model_server, tools=[API_ID])
    model_server.answers(
        model_server.calls(call("break")), model_server.says("Sorry, that did not work.")
    )
    answer = await agent.hears("break")
    assert answer.speech == "Sorry, that did not work."
    assert model_server.last() == Said("result", told, "break")
    await check_next_turn(agent, answer, model_server)


@pytest.mark.requirement("D8")
async def test_turn_that_is_broken_off_leaves_a_conversation_that_goes_on(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    """The pipeline cancels a turn when someone says the wake word again."""
    started = asyncio.Event()

    async def hang() -> None:
        started.set()
        await asyncio.Event().wait()

    add_tools(home, ExtraTool("hang", hang))
    agent = await add_agent(home, model_server, tools=[API_ID])
    first = await agent.hears("hello")
    model_server.answers(model_server.calls(call("hang"), call("hang")))
    turn = asyncio.create_task(agent.hears("hang", first.conversation_id))
    await started.wait()
    log = home.data[DATA_CHAT_LOGS][first.conversation_id].content
    async with asyncio.timeout(30):
        while not any(getattr(item, "tool_calls", None) for item in log):  # noqa: ASYNC110
            await asyncio.sleep(0)
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert calls_without_their_result(log) == []
    assert len([item for item in log if isinstance(item, ToolResultContent)]) == 2
    model_server.answers(model_server.says("Hello again."))
    following = await agent.hears("hello?", first.conversation_id)
    assert following.speech == "Hello again."
    assert model_server.unpaired(model_server.requests[-1]) == []
