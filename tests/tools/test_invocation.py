"""What is told of a call beside its result: its event, and what is noted in the turn."""

import asyncio
import gc
from typing import Any

from homeassistant.core import Context, Event, HomeAssistant
from homeassistant.exceptions import HomeAssistantError, Unauthorized
from homeassistant.helpers import intent, llm
import probatio
import pytest
from pytest_homeassistant_custom_component.common import async_capture_events  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import DOMAIN, EVENT_ACTED, EVENT_PLAN
from custom_components.voice_gateway.mcp_servers.errors import McpRejected
from custom_components.voice_gateway.nlu.clause import Clause
from custom_components.voice_gateway.nlu.tokenizer import Text
from custom_components.voice_gateway.tools.api import AgentAPI
from custom_components.voice_gateway.tools.assist.call_errors import Refusal
from custom_components.voice_gateway.tools.builtin import BuiltinTools
from custom_components.voice_gateway.tools.consent import PendingCall
from custom_components.voice_gateway.tools.executor import ToolExecutor
from custom_components.voice_gateway.tools.journal import DirectReply, Journal, Outcome
from custom_components.voice_gateway.tools.policy.decisions import Ask
from tests.extra_tools import API_ID, ExtraTool, add_tools
from tests.nlu.saying import hears

from .test_executor import executor_of, next_turn, raising, run


def of_event(kind: str) -> Context:
    context = Context()
    context.origin_event = Event(kind, context=context)
    return context


@pytest.mark.parametrize(
    ("context", "reads", "is_told"),
    [
        (Context(), False, True),
        (of_event("call_service"), False, True),
        # Nothing is done; nobody could follow it; and who carries out a plan has told of it.
        (Context(), True, False),
        (None, False, False),
        (of_event(EVENT_PLAN), False, False),
    ],
)
async def test_call_that_may_act_is_announced_before_it_is_made(
    hass: HomeAssistant, context: Context | None, *, reads: bool, is_told: bool
) -> None:
    acted = async_capture_events(hass, EVENT_ACTED)
    before: list[int] = []
    add_tools(hass, tool := ExtraTool("work", lambda **_: before.append(len(acted))))
    tool.annotations = llm.ToolAnnotations(read_only=reads)
    said = llm.LLMContext(DOMAIN, context, "en", "conversation", "satellite", "agent.one")
    tools = await AgentAPI(hass, [API_ID], BuiltinTools(hass, {})).async_get_api_instance(said)
    await run(tools, "work")
    assert before == [int(is_told)]
    assert [event.context for event in acted] == [context] * is_told
    assert [dict(event.data) for event in acted] == is_told * [
        {"agent_id": "agent.one", "device_id": "satellite", "tool": "work", "entity_id": []}
    ]


# What a tool raises; what is noted of it, and which sentence stands for it, of what.
RAISED: list[tuple[BaseException, Outcome, str, list[str]]] = [
    # It did nothing.
    (probatio.Invalid("odd"), Outcome.REFUSED, "", []),
    (intent.InvalidSlotInfo("odd"), Outcome.REFUSED, "", []),
    (
        intent.MatchFailedError(
            result=intent.MatchTargetsResult(False, intent.MatchFailedReason.NAME),
            constraints=intent.MatchTargetsConstraints(name="Lamp"),
        ),
        Outcome.REFUSED,
        "",
        [],
    ),
    (Refusal("No"), Outcome.REFUSED, "", []),
    (
        Refusal("No", instead=DirectReply.NOT_FOUND, about=["Bach"]),
        Outcome.REFUSED,
        DirectReply.NOT_FOUND,
        ["Bach"],
    ),
    # It may have done some of it.
    (intent.IntentHandleError("odd"), Outcome.FAILED, "", []),
    (HomeAssistantError("odd"), Outcome.FAILED, "", []),
    (Unauthorized(), Outcome.FAILED, "", []),
    (McpRejected("odd", code=1), Outcome.FAILED, "", []),
    (ValueError("odd"), Outcome.FAILED, "", []),
    (TimeoutError(), Outcome.IN_DOUBT, "", []),
]


@pytest.mark.parametrize(("raised", "outcome", "instead", "about"), RAISED)
async def test_failure_is_noted_as_what_it_means(
    hass: HomeAssistant, raised: BaseException, outcome: Outcome, instead: str, about: list[str]
) -> None:
    executor = await executor_of(hass, ExtraTool("work", raising(raised)))
    text = await run(executor, "work")
    (entry,) = executor.journal.entries
    assert (entry.outcome, entry.instead, entry.about) == (outcome, instead, about or ())
    assert f"Error: {entry.reason}" == (text if outcome is Outcome.REFUSED else "Error: ")
    # It was not what was said that refused it.
    assert not executor.journal.only_forbidden


async def test_call_of_no_tool_is_noted(hass: HomeAssistant) -> None:
    executor = await executor_of(hass, ExtraTool("work", dict))
    executor.journal.begin_message()
    await run(executor, "sing")
    assert executor.journal.unknown == [(1, "sing")]
    assert executor.journal.came_to_nothing


async def test_failure_of_a_call_that_was_given_up_is_nobodys(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail_late() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            raise ValueError("Too late")

    executor = await executor_of(hass, ExtraTool("work", fail_late))
    executor.timeout = 0.01
    await run(executor, "work")
    for _ in range(3):
        await asyncio.sleep(0)
        gc.collect()
    assert "never retrieved" not in caplog.text


async def test_same_call_for_another_part_of_the_sentence_is_another(hass: HomeAssistant) -> None:
    """As in "at seven and at nine"."""
    tool = ExtraTool("ring", lambda **_: {"result": len(tool.calls)})
    executor = await executor_of(hass, tool)
    results = []
    for part in ("at seven", "at nine", "at seven"):
        call = llm.ToolInput("ring", {"loud": True})
        executor.note_clause(call, Clause(text=Text(part, "en"), command=Text("ring", "en")))
        results.append((await executor.async_call_tool(call)).data)
    assert results == [{"result": 1}, {"result": 2}, {"result": 1}]


async def test_turn_has_nothing_of_the_one_before(hass: HomeAssistant) -> None:
    tool = ExtraTool("read_mail", lambda **_: {"result": len(tool.calls)})
    executor = await executor_of(hass, tool)
    first = executor.for_turn(
        executor.utterance, executor.journal, hass.loop.time() + 60, is_heard=True, asks_before=[]
    )
    assert first.is_heard
    assert not first.asks_before
    assert "read_mail" in await run(first, "sing")
    assert await run(first, "read_mail") == '{"result":1}'
    first.consent.add(PendingCall(tool, llm.ToolInput("x", {}), Ask(does="unlock", names=[])))
    assert first.taint.holds_of_others("web")

    second = next_turn(first)
    assert not second.consent.calls
    assert not second.is_heard
    assert second.asks_before
    assert not second.taint.holds_of_others("web")
    assert "read_mail" in await run(second, "sing")
    assert await run(second, "read_mail") == '{"result":2}'
    assert len(second.journal.entries) == 1


async def test_part_of_a_sentence_is_held_to_itself_and_other_things_to_the_same_turn(
    hass: HomeAssistant,
) -> None:
    executor: ToolExecutor = await executor_of(hass, ExtraTool("work", lambda **_: {}))
    turn = next_turn(executor)
    part, other = turn.for_part(turn.utterance), turn.referring(turn.utterance)
    await run(part, "work")
    assert not turn.journal.entries
    await run(other, "work")
    assert len(turn.journal.entries) == 1
    assert part.ends == other.ends == turn.ends


async def test_result_that_is_no_result_is_made_one(hass: HomeAssistant) -> None:
    class Bare(ExtraTool):
        async def async_call(self, *_: Any) -> Any:
            return {"error": "No paper"}

    executor = await executor_of(hass, Bare("print", dict))
    result = await executor.async_call_tool(llm.ToolInput("print", {}))
    assert (result.data, result.error) == ({"error": "No paper"}, False)


@pytest.mark.parametrize(
    ("said", "is_any", "names"),
    [
        ("make it nice", False, []),
        ("make it nice", True, ["Bed Light", "Ceiling Lights"]),
        ("turn on the light", False, ["Bed Light", "Ceiling Lights"]),
    ],
)
async def test_which_may_be_meant_is_told_by_what_was_said_unless_any_would_do(
    home: HomeAssistant, said: str, *, is_any: bool, names: list[str]
) -> None:
    utterance = await hears(home, said)
    lights = {each.entity_id: each for each in utterance.home.entities}
    which = [lights["light.bed_light"], lights["light.ceiling_lights"]]
    refusal = Refusal("Which one?", which, is_any=is_any)
    executor = await executor_of(home, ExtraTool("work", raising(refusal)))
    turn = executor.for_turn(utterance, Journal(), home.loop.time() + 60)
    await run(turn, "work")
    assert [*turn.journal.which] == names
