"""What came of a turn's calls, taken together."""

from homeassistant.helpers import intent, llm
import pytest

from custom_components.voice_gateway.tools.journal import Journal, Outcome
from tests.extra_tools import ExtraTool


def action(*, failed: bool = False) -> llm.ToolResult:
    response = intent.IntentResponse(language="en")
    lamp = intent.IntentResponseTarget("Lamp", intent.IntentResponseTargetType.ENTITY, "light.lamp")
    response.async_set_results([lamp], [lamp] if failed else None)
    return llm.ToolResult(data=llm.IntentResponseDict(response))


DONE = action()
PARTLY = action(failed=True)
ANSWER = llm.ToolResult(data={"result": "Warm"})
ERROR = llm.ToolResult(data={"error": "Busy"}, error=True)


@pytest.mark.parametrize(
    ("results", "acted", "may_have"),
    [
        ([DONE], True, True),
        ([DONE, ANSWER], True, True),
        ([PARTLY], False, True),
        ([DONE, PARTLY], False, True),
        ([DONE, ERROR], False, True),
        ([ERROR], False, False),
        ([ANSWER], False, True),
        (["refused"], False, False),
        ([DONE, "refused"], False, True),
        ([], False, False),
    ],
)
def test_acted_is_done_and_nothing_of_it_failed(
    results: list[llm.ToolResult | str], *, acted: bool, may_have: bool
) -> None:
    journal = Journal()
    for result in results:
        entry = journal.begin(ExtraTool("tool", dict), llm.ToolInput("tool", {}))
        if isinstance(result, str):
            entry.refuse(result)
        else:
            entry.end(result)
    assert journal.acted is acted
    assert journal.may_have_acted is may_have


def test_what_only_reads_did_nothing() -> None:
    journal = Journal()
    tool = ExtraTool("read", dict)
    tool.annotations = llm.ToolAnnotations(read_only=True)
    entry = journal.begin(tool, llm.ToolInput("read", {}))
    entry.end(ANSWER)
    assert entry.outcome is Outcome.READ
    assert not journal.may_have_acted


def test_refusal_stays_whatever_the_result_says() -> None:
    journal = Journal()
    entry = journal.begin(ExtraTool("tool", dict), llm.ToolInput("tool", {}))
    entry.forbid("Not now", "not_later")
    entry.end(ERROR)
    assert entry.outcome is Outcome.REFUSED
    assert journal.only_forbidden
    assert journal.refused_for_good == {entry.call_id: "not_later"}
    assert list(journal.refusals) == ["Not now"]


def test_what_a_later_message_does_makes_up_for_what_failed_before() -> None:
    journal = Journal()
    for results in ([ERROR, DONE], [DONE]):
        journal.begin_message()
        for result in results:
            journal.begin(ExtraTool("tool", dict), llm.ToolInput("tool", {})).end(result)
    assert journal.undone == 0
    journal.begin_message()
    journal.miss("glow")
    assert journal.undone == 1


def test_what_may_have_been_done_is_in_doubt_and_a_reading_is_not() -> None:
    journal = Journal()
    reading = ExtraTool("read", dict)
    reading.annotations = llm.ToolAnnotations(read_only=True)
    call = llm.ToolInput("read", {})
    journal.begin(reading, call).doubt()
    assert journal.came_to_nothing
    assert not journal.is_to_be_kept(call.id)
    assert [journal.is_in_doubt, journal.may_have_acted] == [False, False]
    journal.begin(ExtraTool("act", dict), act := llm.ToolInput("act", {})).doubt()
    assert journal.is_to_be_kept(act.id)
    assert [journal.is_in_doubt, journal.may_have_acted] == [True, True]


def test_area_is_no_device_that_was_reached() -> None:
    response = intent.IntentResponse(language="en")
    kitchen = intent.IntentResponseTarget(
        "Kitchen", intent.IntentResponseTargetType.AREA, "kitchen"
    )
    lamp = intent.IntentResponseTarget("Lamp", intent.IntentResponseTargetType.ENTITY, "light.lamp")
    response.async_set_results([kitchen], [lamp])
    entry = Journal().begin(ExtraTool("tool", dict), llm.ToolInput("tool", {}))
    entry.end(llm.ToolResult(data=llm.IntentResponseDict(response)))
    assert entry.outcome is Outcome.FAILED
