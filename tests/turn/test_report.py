"""What can be seen of a turn afterwards: in the conversation's trace, and in Assist's debug view."""

from typing import Any

from homeassistant.components.conversation import HOME_ASSISTANT_AGENT, async_prepare_intents, trace
from homeassistant.core import HomeAssistant
import pytest

from ..agent import Agent, add_agent
from ..ollama import PlayedOllama, Step, call, calls, done, error, part, says
from ..pipeline import run_pipeline

WISH = "how about some cosiness"
WRITTEN = '{"name": "intent__HassTurnOn", "arguments": {"name": "Bed Light"}}'
# Home Assistant finds no such floor; the user speaks of the device.
WRONG_SLOT = call("intent__HassTurnOn", name="Bed Light", floor="Bedroom")


def events() -> list[dict[str, Any]]:
    """Return what the trace of the last conversation tells, by what it is about."""
    traced = trace.async_get_traces()[-1].as_dict()["events"]
    return [event["data"] for event in traced if event["data"]]


def told(about: str) -> list[Any]:
    """Return what the trace tells about something."""
    return [data[about] for data in events() if about in data]


def turn(agent: Agent) -> dict[str, Any]:
    """Return the summary at the end of the trace."""
    (summary,) = told("turn")
    report: dict[str, Any] = summary[agent.entity_id]
    return report


@pytest.mark.requirement("J7")
async def test_trace_tells_rounds_calls_tokens_and_times(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, confirm_at_once=False)
    ollama.answers(
        [
            part(tool_calls=[call("intent__HassTurnOn", name="Bed Light")]),
            done(prompt_eval_count=700, eval_count=30, prompt_eval_duration=2 * 10**9),
        ],
        [part("All is cosy."), done(prompt_eval_count=750, eval_count=5, eval_duration=10**9)],
    )
    await agent.hears(WISH)
    first, last = told("completion")
    assert (first["prompt_tokens"], first["answer_tokens"]) == (700, 30)
    assert first["prompt_seconds"] == 2.0
    assert last["answer_seconds"] == 1.0
    (made,) = told("tool_args")
    assert made == {"name": "Bed Light"}
    (result,) = told("tool_result")
    assert result["tool_name"] == "intent__HassTurnOn"
    assert result["error"] is False
    assert 0 <= result["milliseconds"] < 5000
    report = turn(agent)
    assert report["rounds"] == 2
    assert (report["prompt_tokens"], report["answer_tokens"]) == (1450, 35)
    assert report["tools"] == ["intent__HassTurnOn"]
    assert 0 < report["seconds_to_first_word"] <= report["seconds"]
    assert (report["rescued_calls"], report["repairs"]) == (0, 0)
    assert (report["failure"], report["fallback_agent"]) == (None, None)


async def test_trace_tells_a_call_that_was_corrected(agent: Agent, ollama: PlayedOllama) -> None:
    ollama.answers(calls(WRONG_SLOT))
    await agent.hears("turn on the bed light")
    assert agent.hass.states.is_state("light.bed_light", "on")
    assert told("tool_args") == [{"name": "Bed Light", "floor": "Bedroom"}]
    (corrected,) = told("corrected")
    assert corrected["name"] == "Bed Light"
    assert "floor" not in corrected
    assert turn(agent)["repairs"] == 1
    ollama.answers(says("I am well."))
    await agent.hears("how are you")
    assert turn(agent)["repairs"] == 0


async def test_trace_tells_that_home_assistant_acted_in_the_models_stead(
    agent: Agent, ollama: PlayedOllama
) -> None:
    await async_prepare_intents(agent.hass, "en")
    ollama.answers(says("I have turned on the bed light."))
    await agent.hears("turn on the bed light")
    assert agent.hass.states.is_state("light.bed_light", "on")
    assert turn(agent)["second_opinion"] is True
    assert turn(agent)["asked_again"] is False


async def test_trace_tells_that_the_model_was_asked_again(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, second_opinion=False)
    await async_prepare_intents(home, "en")
    ollama.answers(says("I have turned on the bed light."), says(WRITTEN))
    await agent.hears("turn on the bed light")
    assert turn(agent)["asked_again"] is True
    assert turn(agent)["rounds"] == 2


async def test_trace_tells_a_failure_in_the_servers_words(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.answers(error(500, "out of memory"))
    await agent.hears(WISH)
    (failure,) = told("failure")
    assert failure["reason"] == "server_error"
    assert "out of memory" in failure["detail"]
    assert turn(agent)["failure"] == "server_error"


# Assist's debug view


@pytest.mark.requirement("J7")
@pytest.mark.parametrize(
    "played",
    [
        pytest.param([part(tool_calls=[WRONG_SLOT]), done(prompt_eval_count=700)], id="made"),
        pytest.param([part(WRITTEN), done(prompt_eval_count=700)], id="written"),
    ],
)
async def test_debug_view_shows_calls_and_the_report(
    agent: Agent, ollama: PlayedOllama, hass_ws_client: Any, played: list[Step]
) -> None:
    ollama.answers(played)
    _, shown = await run_pipeline(agent, hass_ws_client, "turn on the bed light")
    deltas = [
        event["data"]["chat_log_delta"] for event in shown if event["type"] == "intent-progress"
    ]
    (made,) = [made for delta in deltas for made in delta.get("tool_calls") or ()]
    assert made["tool_name"] == "intent__HassTurnOn"
    (end,) = [event["data"]["intent_output"] for event in shown if event["type"] == "intent-end"]
    speech = end["response"]["speech"]["plain"]
    assert speech["speech"]
    report = speech["extra_data"][agent.entity_id]
    assert report["rounds"] == 1
    assert report["prompt_tokens"] == 700
    assert report["repairs"] + report["rescued_calls"] == 1
    assert 0 < report["seconds_to_first_word"] <= report["seconds"]
    assert report["reading"] == turn(agent)["reading"]
    (clause,) = report["reading"]["clauses"]
    (candidate,) = clause["references"]["candidates"]
    assert (candidate["entity_id"], candidate["certainty"]) == ("light.bed_light", "sure")


async def test_debug_view_shows_who_answered_instead(
    home: HomeAssistant, ollama: PlayedOllama, hass_ws_client: Any
) -> None:
    agent = await add_agent(home, ollama.url, fallback_agent=HOME_ASSISTANT_AGENT)
    await ollama.stop()
    _, shown = await run_pipeline(agent, hass_ws_client, "turn on the bed light")
    assert home.states.is_state("light.bed_light", "on")
    (end,) = [event["data"] for event in shown if event["type"] == "intent-end"]
    speech = end["intent_output"]["response"]["speech"]["plain"]
    assert "urned on" in speech["speech"]
    report = speech["extra_data"][agent.entity_id]
    assert report["fallback_agent"] == HOME_ASSISTANT_AGENT
    assert report["failure"] == "server_unreachable"
