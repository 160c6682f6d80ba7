"""Every way in which a turn can fail ends in time, in a true sentence, and harms no later turn."""

import asyncio
from typing import Any, Literal, override

from aiohttp import web
from homeassistant.config_entries import SOURCE_REAUTH
from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.const import DOMAIN
from tests.rows import rows
from tests.turn.failing import check_failed, check_next_turn

from ..agent import Agent, add_agent, in_time
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
from ..model_servers import AnthropicModel, ModelServer, OllamaModel, Part, Thought, call
from ..ollama import Fault, PlayedOllama, Step, done, error, line, part

BED_LIGHT = call("intent__HassTurnOn", name="Bed Light")
PROXY_PAGE = web.Response(
    status=502, text="<html><h1>502 Bad Gateway</h1></html>", content_type="text/html"
)

UNREACHABLE = "The model server can't be reached."
LOST = "The connection to the model was lost."
CUT_SHORT = "The answer was cut short."
TOO_LONG = "That took too long, so I stopped."
NOT_DONE = "Sorry, I couldn't do that."
EMPTY = "The model gave no answer."
CONTEXT = "That was too much text for the model's context."
GONE = "The model {model} is no longer on the server."
BUSY = "The model server is busy. Please try again in a minute."
SERVER_ERROR = "The model server reported an error."


# Home Assistant's own sentences make no command of it: nothing but the model answers.
WISH = "make the bedroom cosy"
# Nothing of the home is asked, so that each sentence is spoken as it comes.
TALK = "how are you?"


@pytest.fixture
async def agent(home: HomeAssistant, model_server: ModelServer) -> Agent:
    """An agent of each provider, whose model puts into words what was done."""
    return await add_agent(home, model_server, confirm_at_once=False)


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
    model_server.answers(model_server.message("I am well. But the", spoken, Fault.CUT, ends=None))
    answer = await agent.hears(
        TALK, on_delta=lambda delta: spoken.set() if "content" in delta else None
    )
    await check_failed(agent, answer, model_server, f"I am well. But the {LOST}")


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
@rows(("why", "speech"), [("context", CONTEXT), ("broken", SERVER_ERROR)])
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
        pytest.param([part("It is"), b'["is"]\n', done()], f"It is {LOST}", id="no object"),
        pytest.param([part("It is"), b'{"message": {"con'], f"It is {LOST}", id="half a line"),
        pytest.param([part("Gr\udcfc")[:-9]], LOST, id="bad bytes"),
        pytest.param(
            [part("It is"), line(error="input exceeds the context size")],
            f"It is {CONTEXT}",
            id="context in the stream",
        ),
        pytest.param(
            [part("It is"), line(error="llama runner process has terminated: exit status 2")],
            f"It is {SERVER_ERROR}",
            id="crash in the stream",
        ),
        pytest.param(
            error(503, "server busy, please try again.  maximum pending requests exceeded"),
            BUSY,
            id="busy",
        ),
        pytest.param(PROXY_PAGE, UNREACHABLE, id="proxy"),
        pytest.param(
            web.Response(status=404, text="404 page not found"),
            "The address of the model server leads to something else.",
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
        pytest.param(
            [*begun(text("It is")), error_event(*OVERLOADED)], f"It is {BUSY}", id="overload"
        ),
        pytest.param(
            [*begun(text("It is")), error_event("api_error", "Internal")],
            f"It is {SERVER_ERROR}",
            id="error in the stream",
        ),
        pytest.param(begun(text("It is on")), f"It is on {LOST}", id="no end"),
        pytest.param(
            message(text("First you "), stop="refusal", refusal="Harmful"),
            f"First you The model {CLAUDE} refused to answer that.",
            id="refusal",
        ),
        pytest.param(
            message(text("It is"), stop="model_context_window_exceeded"),
            f"It is {CONTEXT}",
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
    await check_failed(agent, answer, model_server, "The model server rejected the API key.")


async def test_model_that_hangs_is_given_up_when_time_is_over(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server, timeout=0.4)
    model_server.answers(model_server.message("It is", Fault.HANG, ends=None))
    async with in_time(0.4):
        answer = await agent.hears(TALK)
    assert TOO_LONG in answer.speech
    # Nobody computes an answer that nobody will hear.
    await asyncio.wait_for(model_server.server.abandoned.wait(), 10)
    await check_failed(agent, answer, model_server, answer.speech)


async def test_model_that_trickles_is_given_up_when_time_is_over(
    home: HomeAssistant, model_server: ModelServer
) -> None:
    agent = await add_agent(home, model_server, timeout=0.4)
    model_server.answers(model_server.endless(".", Moment))
    async with in_time(0.4):
        answer = await agent.hears(TALK)
    assert answer.speech.endswith(TOO_LONG)
    await check_next_turn(agent, answer, model_server)


class Moment(asyncio.Event):
    """A pause that ends by itself, and leaves no timer where nobody waits for its end."""

    @override
    async def wait(self) -> Literal[True]:
        await asyncio.sleep(0.02)
        return True


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


async def test_what_was_said_before_a_call_is_not_spoken_after_it_where_its_message_breaks_off(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    """Nothing was read when it was said. What was read since then does not make it an answer."""
    model_server = OllamaModel(ollama)
    agent = await add_agent(home, model_server, confirm_at_once=False)
    parts: list[Part] = ["Let me see to that.", call("llm__GetDateTime"), Fault.CUT]
    model_server.answers(model_server.message(*parts, ends=None))
    spoken: list[str] = []
    answer = await agent.hears(
        "when was the bed light on in there",
        on_delta=lambda delta: spoken.append(delta.get("content") or ""),
    )
    assert [result.error for result in answer.tool_results] == [False]
    assert not any("see to that" in each for each in spoken)
    await check_failed(agent, answer, model_server, LOST)


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
