"""Every way in which a turn can fail ends in time, in a true sentence, and harms no later turn."""

import asyncio
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

from ..agent import Agent, Answer, add_agent, calls_without_their_result, in_time
from ..anthropic import (
    MODEL as CLAUDE,
    OVERLOADED,
    PlayedAnthropic,
    answer as message,
    begun,
    error as refused,
    error_event,
    text,
)
from ..extra_tools import API_ID, ExtraTool, add_tools
from ..model_servers import (
    AnthropicModel,
    Call,
    ModelServer,
    OllamaModel,
    Part,
    Said,
    Thought,
    call,
)
from ..ollama import Fault, PlayedOllama, Step, done, error, line, part

BED_LIGHT = call("intent__HassTurnOn", name="Bed Light")
PROXY_PAGE = web.Response(
    status=502, text="<html><h1>502 Bad Gateway</h1></html>", content_type="text/html"
)

UNREACHABLE = "The model server can't be reached."
LOST = "The connection to the model was lost."
CUT_SHORT = "The answer was cut short."
TOO_LONG = "That took too long, so I stopped."
IN_DOUBT = "It may have been done, but I got no answer. Please check."
NOT_DONE = "I did not manage to do that."
EMPTY = "The model gave no answer."
CONTEXT = "That was too much for the model's context."
GONE = "The model {model} is no longer on the server."
BUSY = "The model server has too much to do at the moment. Please try again in a minute."
SERVER_ERROR = "The model server reported an error."


# Home Assistant's own sentences make no command of it: nothing but the model answers.
WISH = "make the bedroom cosy"
# Nothing of the home is asked, so that each word is spoken as it comes.
TALK = "how are you?"


@pytest.fixture
async def agent(home: HomeAssistant, model_server: ModelServer) -> Agent:
    """An agent of each provider, whose model puts into words what was done."""
    return await add_agent(home, model_server, confirm_at_once=False)


async def check_failed(
    agent: Agent, answer: Answer, model_server: ModelServer, speech: str
) -> None:
    """Check what was said, that calls and results are 1:1, and that the next turn works."""
    assert answer.speech == speech
    assert answer.is_error
    await check_next_turn(agent, answer, model_server)


async def check_next_turn(agent: Agent, answer: Answer, model_server: ModelServer) -> None:
    assert calls_without_their_result(answer.log) == []
    last = answer.log[-1]
    assert isinstance(last, AssistantContent)
    assert last.content
    assert last.content in answer.speech
    model_server.server.script.clear()
    model_server.answers(model_server.says("I am ", "back."))
    following = await agent.hears("are you there?", answer.conversation_id)
    assert following.speech == "I am back."
    assert not following.is_error
    assert model_server.unpaired(model_server.requests[-1]) == []


# The server


@pytest.mark.requirement("J10")
async def test_server_that_is_stopped_before_the_answer(
    agent: Agent, model_server: ModelServer
) -> None:
    await model_server.server.stop()
    answer = await agent.hears(WISH)
    await model_server.server.start(model_server.server.port)
    await check_failed(agent, answer, model_server, UNREACHABLE)


@pytest.mark.requirement("J10")
async def test_server_that_stops_during_the_answer(agent: Agent, model_server: ModelServer) -> None:
    spoken = asyncio.Event()
    model_server.answers(model_server.message("The light is", spoken, Fault.CUT, ends=None))
    answer = await agent.hears(
        TALK, on_delta=lambda delta: spoken.set() if "content" in delta else None
    )
    await check_failed(agent, answer, model_server, f"The light is {LOST}")


async def test_faithful_server_that_is_stopped_during_the_answer(
    home: HomeAssistant, socket_enabled: None
) -> None:
    never = asyncio.Event()
    engine = ScriptedEngine(["One ", "moment", never])
    async with serve(engine) as url:
        agent = await add_agent(home, url, model="qwen2.5-coder-tools:1.5b")
        turn = asyncio.create_task(agent.hears(TALK))
        async with asyncio.timeout(30):
            while not engine.prompts:  # noqa: ASYNC110 - the engine has no event for it
                await asyncio.sleep(0)
    answer = await turn
    assert answer.speech in (f"One moment {LOST}", f"One {LOST}", LOST)
    assert answer.is_error


@pytest.mark.requirement("J10")
async def test_model_that_was_deleted(agent: Agent, model_server: ModelServer) -> None:
    there = model_server.server.models.pop(model_server.model)
    answer = await agent.hears(WISH)
    model_server.server.models[model_server.model] = there
    await check_failed(agent, answer, model_server, GONE.format(model=model_server.model))


@pytest.mark.parametrize(
    ("parts", "ends", "speech"),
    [
        pytest.param(["It is"], "length", f"It is {CUT_SHORT}", id="length"),
        pytest.param(["It is", Fault.CUT], None, f"It is {LOST}", id="cut"),
        pytest.param([], "stop", EMPTY, id="empty answer"),
        pytest.param([" \n", "\t"], "stop", EMPTY, id="blank answer"),
        pytest.param([Thought("Hm.")], "stop", EMPTY, id="only thoughts"),
    ],
)
@pytest.mark.requirement("J8")
@pytest.mark.requirement("J10")
async def test_answer_that_fails_is_said(
    agent: Agent, model_server: ModelServer, parts: list[Part], ends: str | None, speech: str
) -> None:
    model_server.answers(model_server.message(*parts, ends=ends))
    answer = await agent.hears(TALK)
    await check_failed(agent, answer, model_server, speech)


@pytest.mark.requirement("J10")
@pytest.mark.parametrize(("why", "speech"), [("context", CONTEXT), ("broken", SERVER_ERROR)])
async def test_refusal_is_said(
    agent: Agent, model_server: ModelServer, why: str, speech: str
) -> None:
    model_server.answers(model_server.refusal(why))
    answer = await agent.hears(TALK)
    await check_failed(agent, answer, model_server, speech)


@pytest.mark.requirement("J3", "J10")
async def test_garbage_is_a_lost_connection(agent: Agent, model_server: ModelServer) -> None:
    begun = model_server.message("It is", ends=None)
    model_server.answers([*begun, model_server.garbage])
    answer = await agent.hears(TALK)
    await check_failed(agent, answer, model_server, f"It is {LOST}")


@pytest.mark.parametrize(
    ("played", "speech"),
    [
        pytest.param([part("It is on")], f"It is on {CUT_SHORT}", id="no done"),
        pytest.param([], CUT_SHORT, id="nothing at all"),
        pytest.param([part("It"), b'["is"]\n', done()], f"It {LOST}", id="no object"),
        pytest.param([part("It"), b'{"message": {"con'], f"It {LOST}", id="half a line"),
        pytest.param([part("Gr\udcfc")[:-9]], LOST, id="bad bytes"),
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
async def test_what_ollama_alone_does_wrong_is_said(
    home: HomeAssistant, ollama: PlayedOllama, played: list[Step] | web.Response, speech: str
) -> None:
    agent = await add_agent(home, ollama.url, confirm_at_once=False)
    ollama.answers(played)
    answer = await agent.hears(TALK)
    await check_failed(agent, answer, OllamaModel(ollama), speech)


@pytest.mark.parametrize(
    ("played", "speech"),
    [
        pytest.param([*begun(text("It")), error_event(*OVERLOADED)], f"It {BUSY}", id="overload"),
        pytest.param(
            [*begun(text("It")), error_event("api_error", "Internal")],
            f"It {SERVER_ERROR}",
            id="error in the stream",
        ),
        pytest.param(begun(text("It is on")), f"It is on {LOST}", id="no end"),
        pytest.param(
            message(text("First you "), stop="refusal", refusal="Harmful"),
            f"First you The model {CLAUDE} will not answer that.",
            id="refusal",
        ),
        pytest.param(
            message(text("It"), stop="model_context_window_exceeded"),
            f"It {CONTEXT}",
            id="full context",
        ),
        pytest.param(refused(429, "rate_limit_error", "Later", retry_after="60"), BUSY, id="busy"),
        pytest.param(
            refused(400, "invalid_request_error", "Your credit balance is too low"),
            "The account at the model's provider has no credit left.",
            id="no credit",
        ),
    ],
)
async def test_what_anthropic_alone_does_wrong_is_said(
    home: HomeAssistant, anthropic: PlayedAnthropic, played: Any, speech: str
) -> None:
    model = AnthropicModel(anthropic)
    agent = await add_agent(home, model, confirm_at_once=False)
    anthropic.answers(played)
    answer = await agent.hears(TALK)
    await check_failed(agent, answer, model, speech)


async def test_busy_api_is_waited_for_within_the_turn(
    home: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    agent = await add_agent(home, AnthropicModel(anthropic))
    anthropic.answers(refused(529, *OVERLOADED, retry_after="0.01"), message(text("It is off.")))
    answer = await agent.hears(TALK)
    assert answer.speech == "It is off."


async def test_refused_key_is_said_and_asked_for(agent: Agent, model_server: ModelServer) -> None:
    key, model_server.server.key = model_server.server.key, "new"
    answer = await agent.hears(WISH)
    (flow,) = agent.hass.config_entries.flow.async_progress_by_handler(DOMAIN)
    assert flow["context"]["source"] == SOURCE_REAUTH
    model_server.server.key = key
    await check_failed(agent, answer, model_server, "The model server refuses the API key.")


@pytest.mark.parametrize("parts", [[Fault.HANG], ["It is", Fault.HANG]])
async def test_model_that_hangs_is_given_up_when_time_is_over(
    home: HomeAssistant, model_server: ModelServer, parts: list[Part]
) -> None:
    agent = await add_agent(home, model_server, timeout=2)
    model_server.answers(model_server.message(*parts, ends=None))
    async with in_time(2):
        answer = await agent.hears(TALK)
    assert TOO_LONG in answer.speech
    # Nobody computes an answer that nobody will hear.
    await asyncio.wait_for(model_server.server.abandoned.wait(), 10)
    await check_failed(agent, answer, model_server, answer.speech)


async def test_model_that_trickles_is_given_up_when_time_is_over(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server, timeout=2)
    model_server.answers(model_server.endless(".", moment))
    async with in_time(2):
        answer = await agent.hears(TALK)
    assert answer.speech.endswith(TOO_LONG)
    await check_next_turn(agent, answer, model_server)


def moment() -> asyncio.Event:
    """Return a pause that ends by itself."""
    pause = asyncio.Event()
    asyncio.get_running_loop().call_later(0.02, pause.set)
    return pause


# After something was done


@pytest.mark.requirement("D10")
@pytest.mark.parametrize(
    ("parts", "ends", "speech"),
    [
        pytest.param([Fault.CUT], None, f"Done. {LOST}", id="connection lost"),
        pytest.param(["It"], "length", f"It Done. {CUT_SHORT}", id="cut short"),
    ],
)
async def test_what_was_done_before_a_failure_is_said(
    agent: Agent, model_server: ModelServer, parts: list[Part], ends: str | None, speech: str
) -> None:
    model_server.answers(model_server.calls(BED_LIGHT), model_server.message(*parts, ends=ends))
    answer = await agent.hears(WISH)
    assert agent.hass.states.is_state("light.bed_light", "on")
    await check_failed(agent, answer, model_server, speech)


@pytest.mark.requirement("D10")
async def test_what_was_done_before_an_error_is_said(
    agent: Agent, model_server: ModelServer
) -> None:
    model_server.answers(model_server.calls(BED_LIGHT), model_server.refusal("broken"))
    answer = await agent.hears(WISH)
    await check_failed(agent, answer, model_server, f"Done. {SERVER_ERROR}")


async def test_model_that_says_nothing_after_acting_gets_done_said(
    agent: Agent, model_server: ModelServer
) -> None:
    model_server.answers(model_server.calls(BED_LIGHT), model_server.message())
    answer = await agent.hears(WISH)
    assert answer.speech == "Done."
    assert not answer.is_error
    await check_next_turn(agent, answer, model_server)


async def test_done_is_not_said_when_nothing_was_done(
    agent: Agent, model_server: ModelServer
) -> None:
    model_server.answers(
        model_server.calls(call("intent__HassTurnOn", name="Moon")),
        model_server.message(),
        model_server.message(),
    )
    answer = await agent.hears(WISH)
    await check_failed(agent, answer, model_server, NOT_DONE)


@pytest.mark.requirement("D8")
async def test_call_whose_message_breaks_off_has_its_result(
    agent: Agent, model_server: ModelServer
) -> None:
    model_server.answers(model_server.message(BED_LIGHT, Fault.CUT, ends=None))
    answer = await agent.hears(WISH)
    assert len(answer.tool_results) == 1
    assert agent.hass.states.is_state("light.bed_light", "on")
    await check_failed(agent, answer, model_server, f"Done. {LOST}")


# Tools


@pytest.mark.requirement("D4")
@pytest.mark.requirement("D7")
@pytest.mark.parametrize("rounds", [1, 3])
async def test_endless_calls_end_with_a_request_that_lets_it_call_none(
    home: HomeAssistant, model_server: ModelServer, rounds: int
) -> None:
    step = ExtraTool("step", lambda number: {"result": f"Step {number}"})
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
    await check_failed(agent, answer, model_server, EMPTY)


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
    agent = await add_agent(home, model_server, tools=[API_ID], timeout=2)
    model_server.answers(model_server.calls(call("hang")))
    async with in_time(2):
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
    agent = await add_agent(home, model_server, tools=[API_ID], timeout=2)
    model_server.answers(model_server.calls(call("resist")))
    try:
        async with in_time(2):
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

    agent = await add_agent(home, model_server, tools=[API_ID], timeout=2)
    extra = add_tools(home)
    with monkeypatch.context() as patched:
        patched.setattr(type(extra), "async_get_api_instance", lambda _, context: never(context))
        async with in_time(2):
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


# Our own side


async def test_instructions_that_cannot_be_rendered(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server, prompt="{{ undefined.attribute }}")
    answer = await agent.hears("hello")
    assert answer.is_error
    assert "template" in answer.speech
    assert model_server.requests == []


async def test_failure_is_said_in_the_languages_that_there_are(
    agent: Agent, model_server: ModelServer
) -> None:
    """English stands in where there is no translation."""
    model_server.answers(model_server.message(), model_server.message())
    answer = await agent.hears("rozsviť lampu", language="cs")
    await check_failed(agent, answer, model_server, NOT_DONE)
