"""Every way in which a turn can fail ends in time, in a true sentence, and harms no later turn."""

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from homeassistant.components.conversation import AssistantContent, ToolResultContent
from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.config_entries import SOURCE_REAUTH
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
import pytest

from custom_components.voice_gateway.const import DOMAIN
from script.ollama.scripted import ScriptedEngine
from script.ollama.server import serve

from .agent import Agent, Answer, add_agent, calls_without_their_result
from .extra_tools import API_ID, ExtraTool, add_tools
from .ollama import MODEL, Fault, PlayedOllama, Step, call, calls, done, error, line, part, says

BED_LIGHT = call("intent__HassTurnOn", name="Bed Light")
PROXY_PAGE = web.Response(
    status=502, text="<html><h1>502 Bad Gateway</h1></html>", content_type="text/html"
)

UNREACHABLE = "The model server can't be reached."
LOST = "The connection to the model was lost."
CUT_SHORT = "The answer was cut short."
TOO_LONG = "That took too long, so I stopped."
EMPTY = "The model gave no answer."
CONTEXT = "That was too much for the model's context."
GONE = f"The model {MODEL} is no longer on the server."
SERVER_ERROR = "The model server reported an error."


# Home Assistant's own sentences make no command of it: nothing but the model answers.
WISH = "make the bedroom cosy"


@pytest.fixture
async def agent(home: HomeAssistant, ollama: PlayedOllama) -> Agent:
    """An agent whose model puts into words what was done."""
    return await add_agent(home, ollama.url, confirm_at_once=False)


async def check_failed(agent: Agent, answer: Answer, ollama: PlayedOllama, speech: str) -> None:
    """Check what was said, that calls and results are 1:1, and that the next turn works."""
    assert answer.speech == speech
    assert answer.is_error
    await check_next_turn(agent, answer, ollama)


async def check_next_turn(agent: Agent, answer: Answer, ollama: PlayedOllama) -> None:
    assert calls_without_their_result(answer.log) == []
    last = answer.log[-1]
    assert isinstance(last, AssistantContent)
    assert last.content
    assert last.content in answer.speech
    ollama.script.clear()
    ollama.answers(says("I am ", "back."))
    following = await agent.hears("are you there?", answer.conversation_id)
    assert following.speech == "I am back."
    assert not following.is_error
    assert unpaired(ollama.chats[-1]["messages"]) == []


def unpaired(messages: Sequence[dict[str, Any]]) -> list[str]:
    """Return the names that a request gives of calls without results, or the other way round."""
    wanted: list[str] = []
    wrong: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            if not wanted or wanted.pop(0) != message["tool_name"]:
                wrong.append(message["tool_name"])
            continue
        wrong += wanted
        wanted = [made["function"]["name"] for made in message.get("tool_calls", ())]
    return wrong + wanted


@asynccontextmanager
async def in_time(seconds: float) -> AsyncGenerator[None]:
    """Check that a turn of this time limit ends with it, or a second later at most."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    yield
    assert loop.time() - began < seconds + 1


# The server


@pytest.mark.requirement("J10")
async def test_server_that_is_stopped_before_the_answer(agent: Agent, ollama: PlayedOllama) -> None:
    await ollama.stop()
    answer = await agent.hears(WISH)
    await ollama.start(ollama.port)
    await check_failed(agent, answer, ollama, UNREACHABLE)


@pytest.mark.requirement("J10")
async def test_server_that_stops_during_the_answer(agent: Agent, ollama: PlayedOllama) -> None:
    spoken = asyncio.Event()
    ollama.answers([part("The light is"), spoken, Fault.CUT])
    answer = await agent.hears(
        "is the bed light on?", on_delta=lambda delta: spoken.set() if "content" in delta else None
    )
    await check_failed(agent, answer, ollama, f"The light is {LOST}")


async def test_faithful_server_that_is_stopped_during_the_answer(
    home: HomeAssistant, socket_enabled: None
) -> None:
    never = asyncio.Event()
    engine = ScriptedEngine(["One ", "moment", never])
    async with serve(engine) as url:
        agent = await add_agent(home, url, model="qwen2.5-coder-tools:1.5b")
        turn = asyncio.create_task(agent.hears("is the bed light on?"))
        async with asyncio.timeout(5):
            while not engine.prompts:  # noqa: ASYNC110 - the engine has no event for it
                await asyncio.sleep(0)
    answer = await turn
    assert answer.speech in (f"One moment {LOST}", f"One {LOST}", LOST)
    assert answer.is_error


@pytest.mark.requirement("J10")
async def test_model_that_was_deleted(agent: Agent, ollama: PlayedOllama) -> None:
    capabilities = ollama.models.pop(MODEL)
    answer = await agent.hears(WISH)
    ollama.models[MODEL] = capabilities
    await check_failed(agent, answer, ollama, GONE)


@pytest.mark.parametrize(
    ("played", "speech"),
    [
        pytest.param([part("It is"), done("length")], f"It is {CUT_SHORT}", id="length"),
        pytest.param([part("It is on")], f"It is on {CUT_SHORT}", id="no done"),
        pytest.param([], CUT_SHORT, id="nothing at all"),
        pytest.param([part("It is"), b"\x00\xff<garbage>\n"], f"It is {LOST}", id="garbage"),
        pytest.param([part("It"), b'["is"]\n', done()], f"It {LOST}", id="no object"),
        pytest.param([part("It"), b'{"message": {"con'], f"It {LOST}", id="half a line"),
        pytest.param([part("Gr\udcfc")[:-9]], LOST, id="bad bytes"),
        pytest.param([done()], EMPTY, id="empty answer"),
        pytest.param([part(" \n"), part("\t"), done()], EMPTY, id="blank answer"),
        pytest.param([part(thinking="Hm."), done()], EMPTY, id="only thoughts"),
        pytest.param(
            error(400, "the input length exceeds the context length"), CONTEXT, id="context"
        ),
        pytest.param(
            [part("It"), line(error="input exceeds the context size")],
            f"It {CONTEXT}",
            id="context in the stream",
        ),
        pytest.param(
            [part("It"), line(error="llama runner process has terminated: exit status 2")],
            f"It {SERVER_ERROR}",
            id="crash in the stream",
        ),
        pytest.param(error(500, "out of memory"), SERVER_ERROR, id="out of memory"),
        pytest.param(
            error(503, "server busy, please try again.  maximum pending requests exceeded"),
            SERVER_ERROR,
            id="busy",
        ),
        pytest.param(PROXY_PAGE, SERVER_ERROR, id="proxy"),
        pytest.param(
            web.Response(status=404, text="404 page not found"),
            "What answers at the model server's address is not a model server.",
            id="not a model server",
        ),
        pytest.param(
            web.Response(status=200, text="<html>Welcome</html>", content_type="text/html"),
            LOST,
            id="html for an answer",
        ),
    ],
)
@pytest.mark.requirement("J8")
@pytest.mark.requirement("J9")
@pytest.mark.requirement("J10")
async def test_answer_that_fails_is_said(
    agent: Agent, ollama: PlayedOllama, played: list[Step] | web.Response, speech: str
) -> None:
    ollama.answers(played)
    answer = await agent.hears("is the bed light on?")
    await check_failed(agent, answer, ollama, speech)


async def test_refused_key_is_said_and_asked_for(agent: Agent, ollama: PlayedOllama) -> None:
    ollama.key = "new"
    answer = await agent.hears(WISH)
    (flow,) = agent.hass.config_entries.flow.async_progress_by_handler(DOMAIN)
    assert flow["context"]["source"] == SOURCE_REAUTH
    ollama.key = None
    await check_failed(agent, answer, ollama, "The model server refuses the API key.")


@pytest.mark.parametrize("played", [[Fault.HANG], [part("It is"), Fault.HANG]])
async def test_model_that_hangs_is_given_up_when_time_is_over(
    home: HomeAssistant, ollama: PlayedOllama, played: list[Step]
) -> None:
    agent = await add_agent(home, ollama.url, timeout=2)
    ollama.answers(played)
    async with in_time(2):
        answer = await agent.hears("is the bed light on?")
    assert TOO_LONG in answer.speech
    # Nobody computes an answer that nobody will hear.
    await asyncio.wait_for(ollama.abandoned.wait(), 1)
    await check_failed(agent, answer, ollama, answer.speech)


async def test_model_that_trickles_is_given_up_when_time_is_over(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, timeout=2)
    ollama.answers(trickle())
    async with in_time(2):
        answer = await agent.hears("is the bed light on?")
    assert answer.speech.endswith(TOO_LONG)
    await check_next_turn(agent, answer, ollama)


def trickle() -> Iterator[Step]:
    """Dots without end."""
    while True:
        pause = asyncio.Event()
        asyncio.get_running_loop().call_later(0.02, pause.set)
        yield part(".")
        yield pause


# After something was done


@pytest.mark.requirement("D10")
@pytest.mark.parametrize(
    ("played", "speech"),
    [
        pytest.param([Fault.CUT], f"Done. {LOST}", id="connection lost"),
        pytest.param([b"garbage\n"], f"Done. {LOST}", id="garbage"),
        pytest.param([part("It"), done("length")], f"It Done. {CUT_SHORT}", id="cut short"),
        pytest.param(error(500, "out of memory"), f"Done. {SERVER_ERROR}", id="error"),
    ],
)
async def test_what_was_done_before_a_failure_is_said(
    agent: Agent, ollama: PlayedOllama, played: list[Step] | web.Response, speech: str
) -> None:
    ollama.answers(calls(BED_LIGHT), played)
    answer = await agent.hears(WISH)
    assert agent.hass.states.is_state("light.bed_light", "on")
    await check_failed(agent, answer, ollama, speech)


async def test_model_that_says_nothing_after_acting_gets_done_said(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.answers(calls(BED_LIGHT), [done()])
    answer = await agent.hears(WISH)
    assert answer.speech == "Done."
    assert not answer.is_error
    await check_next_turn(agent, answer, ollama)


async def test_done_is_not_said_when_nothing_was_done(agent: Agent, ollama: PlayedOllama) -> None:
    ollama.answers(calls(call("intent__HassTurnOn", name="Moon")), [done()])
    answer = await agent.hears(WISH)
    await check_failed(agent, answer, ollama, EMPTY)


@pytest.mark.requirement("D8")
async def test_call_whose_message_breaks_off_has_its_result(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.answers([part(tool_calls=[BED_LIGHT]), Fault.CUT])
    answer = await agent.hears(WISH)
    assert len(answer.tool_results) == 1
    assert agent.hass.states.is_state("light.bed_light", "on")
    await check_failed(agent, answer, ollama, f"Done. {LOST}")


# Tools


@pytest.mark.requirement("D4")
@pytest.mark.requirement("D7")
@pytest.mark.parametrize("rounds", [1, 3])
async def test_endless_calls_end_with_a_request_without_tools(
    home: HomeAssistant, ollama: PlayedOllama, rounds: int
) -> None:
    step = ExtraTool("step", lambda number: {"result": f"Step {number}"})
    add_tools(home, step)
    agent = await add_agent(home, ollama.url, tools=[API_ID], max_rounds=rounds)
    ollama.answers(*(calls(call("step", number=number)) for number in range(rounds)))
    ollama.answers(says("I give up."))
    answer = await agent.hears("go on for ever")
    assert answer.speech == "I give up."
    assert len(step.calls) == rounds
    assert ["tools" in chat for chat in ollama.chats] == [True] * rounds + [False]
    await check_next_turn(agent, answer, ollama)


async def test_calls_in_the_message_that_has_to_answer_are_neither_made_nor_spoken(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    step = ExtraTool("step", lambda **_: {"result": "ok"})
    add_tools(home, step)
    agent = await add_agent(home, ollama.url, tools=[API_ID], max_rounds=1)
    ollama.answers(
        calls(call("step", number=1)),
        [
            part(tool_calls=[call("step", number=2)]),
            part('{"name": "step", "arguments": {"number": 3}}'),
            done(),
        ],
    )
    answer = await agent.hears("go on for ever")
    assert [made.tool_args for made in step.calls] == [{"number": 1}]
    await check_failed(agent, answer, ollama, EMPTY)


async def test_model_that_repeats_its_call_is_made_to_answer(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.answers(*(calls(BED_LIGHT) for _ in range(2)), says("The light is on."))
    answer = await agent.hears(WISH)
    assert answer.speech == "The light is on."
    assert len(ollama.chats) == 3
    assert "tools" not in ollama.chats[-1]
    await check_next_turn(agent, answer, ollama)


@pytest.mark.requirement("B6")
@pytest.mark.requirement("B12")
async def test_tool_that_hangs_is_cancelled_when_time_is_over(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    cancelled = asyncio.Event()

    async def hang() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    add_tools(home, ExtraTool("hang", hang))
    agent = await add_agent(home, ollama.url, tools=[API_ID], timeout=2)
    ollama.answers(calls(call("hang")))
    async with in_time(2):
        answer = await agent.hears("hang")
    assert cancelled.is_set()
    (result,) = answer.tool_results
    assert result.error
    await check_failed(agent, answer, ollama, TOO_LONG)


@pytest.mark.requirement("B12")
async def test_tool_that_resists_its_cancellation_does_not_hold_up_the_turn(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    let_go = asyncio.Event()

    async def resist() -> None:
        while not let_go.is_set():
            try:
                await let_go.wait()
            except asyncio.CancelledError:
                continue

    add_tools(home, ExtraTool("resist", resist))
    agent = await add_agent(home, ollama.url, tools=[API_ID], timeout=2)
    ollama.answers(calls(call("resist")))
    try:
        async with in_time(2):
            answer = await agent.hears("resist")
    finally:
        let_go.set()
    await check_failed(agent, answer, ollama, TOO_LONG)
    await home.async_block_till_done(wait_background_tasks=True)


async def test_tools_that_cannot_be_listed_in_time(
    home: HomeAssistant, ollama: PlayedOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(_: llm.LLMContext) -> llm.APIInstance:
        await asyncio.Event().wait()
        raise AssertionError

    agent = await add_agent(home, ollama.url, tools=[API_ID], timeout=2)
    extra = add_tools(home)
    with monkeypatch.context() as patched:
        patched.setattr(type(extra), "async_get_api_instance", lambda _, context: never(context))
        async with in_time(2):
            answer = await agent.hears("hello")
    await check_failed(agent, answer, ollama, TOO_LONG)


@pytest.mark.requirement("B9")
@pytest.mark.requirement("B12")
@pytest.mark.requirement("D9")
@pytest.mark.requirement("D10")
@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (HomeAssistantError("The lamp is jammed"), "Error: The lamp is jammed"),
        (ZeroDivisionError("secret detail"), "Error: break failed unexpectedly"),
        (asyncio.CancelledError(), "Error: break did not answer in time"),
    ],
)
async def test_model_is_told_when_a_tool_raises_and_tells_the_user(
    home: HomeAssistant, ollama: PlayedOllama, raised: BaseException, told: str
) -> None:
    def break_() -> None:
        raise raised

    add_tools(home, ExtraTool("break", break_))
    agent = await add_agent(home, ollama.url, tools=[API_ID])
    ollama.answers(calls(call("break")), says("Sorry, that did not work."))
    answer = await agent.hears("break")
    assert answer.speech == "Sorry, that did not work."
    assert ollama.chats[-1]["messages"][-1] == {
        "role": "tool",
        "tool_name": "break",
        "content": told,
    }
    await check_next_turn(agent, answer, ollama)


@pytest.mark.requirement("D8")
async def test_turn_that_is_broken_off_leaves_a_conversation_that_goes_on(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    """The pipeline cancels a turn when someone says the wake word again."""
    started = asyncio.Event()

    async def hang() -> None:
        started.set()
        await asyncio.Event().wait()

    add_tools(home, ExtraTool("hang", hang))
    agent = await add_agent(home, ollama.url, tools=[API_ID])
    first = await agent.hears("hello")
    ollama.answers(calls(call("hang"), call("hang")))
    turn = asyncio.create_task(agent.hears("hang", first.conversation_id))
    await started.wait()
    log = home.data[DATA_CHAT_LOGS][first.conversation_id].content
    async with asyncio.timeout(5):
        while not any(getattr(item, "tool_calls", None) for item in log):  # noqa: ASYNC110
            await asyncio.sleep(0)
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert calls_without_their_result(log) == []
    assert len([item for item in log if isinstance(item, ToolResultContent)]) == 2
    ollama.answers(says("Hello again."))
    following = await agent.hears("hello?", first.conversation_id)
    assert following.speech == "Hello again."
    assert unpaired(ollama.chats[-1]["messages"]) == []


# Our own side


async def test_instructions_that_cannot_be_rendered(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, prompt="{{ undefined.attribute }}")
    answer = await agent.hears("hello")
    assert answer.is_error
    assert "template" in answer.speech
    assert ollama.chats == []


async def test_failure_is_said_in_the_languages_that_there_are(
    agent: Agent, ollama: PlayedOllama
) -> None:
    """English stands in where there is no translation."""
    ollama.answers([done()])
    answer = await agent.hears("allume la lampe", language="fr")
    await check_failed(agent, answer, ollama, EMPTY)
