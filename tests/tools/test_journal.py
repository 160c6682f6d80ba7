"""What came of a turn's calls, taken together."""

from homeassistant.helpers import intent, llm
import pytest

from custom_components.voice_gateway.tools.journal import CallRecord, DirectReply, Journal, Outcome
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
    assert not journal.is_to_be_kept(call.id)
    assert [journal.is_in_doubt, journal.may_have_acted] == [True, True]


@pytest.mark.parametrize(("reached", "outcome"), [(0, Outcome.FAILED), (1, Outcome.PARTLY)])
def test_area_is_no_device_that_was_reached(reached: int, outcome: Outcome) -> None:
    response = intent.IntentResponse(language="en")
    kitchen = intent.IntentResponseTarget(
        "Kitchen", intent.IntentResponseTargetType.AREA, "kitchen"
    )
    lamp = intent.IntentResponseTarget("Lamp", intent.IntentResponseTargetType.ENTITY, "light.lamp")
    response.async_set_results([kitchen, *[lamp] * reached], [lamp])
    entry = Journal().begin(ExtraTool("tool", dict), llm.ToolInput("tool", {}))
    entry.end(llm.ToolResult(data=llm.IntentResponseDict(response)))
    assert entry.outcome is outcome


def called(journal: Journal, what: str, came_of_it: object, *, reads: bool = False) -> CallRecord:
    """Note a call of a tool with an argument, "tool what", and what came of it."""
    name, _, argument = what.partition(" ")
    tool = ExtraTool(name, dict)
    tool.annotations = llm.ToolAnnotations(read_only=reads)
    entry = journal.begin(tool, llm.ToolInput(name, {"what": argument}))
    match came_of_it:
        case llm.ToolResult() as result:
            entry.end(result)
        case DirectReply() as instead:
            entry.forbid("No", instead, [f"The {argument}"])
        case [*which]:
            entry.refuse("Which?")
            entry.which = [str(each) for each in which]
        case str(does):
            told = {"refuse": ["No"], "plan": ["At eight."]}.get(does, [])
            getattr(entry, does)(*told)
    return entry


def journal_of(*messages: dict[str, object]) -> Journal:
    """Return a journal of some messages; what comes of "unknown …" is that there is no such tool."""
    journal = Journal()
    for message in messages:
        journal.begin_message()
        for what, came_of_it in message.items():
            if what.startswith("unknown"):
                journal.miss(what)
            else:
                called(journal, what.rstrip("*"), came_of_it, reads=what.startswith("read"))
    return journal


@pytest.mark.parametrize(
    ("messages", "undone"),
    [
        ([{"act a": ERROR, "act b": ERROR}], 2),
        ([{"act a": ERROR, "act a*": ERROR}], 1),
        ([{"act a": ERROR, "act b": DONE}], 1),
        ([{"act a": DONE}, {"act b": ERROR}], 1),
        ([{"act a": ERROR, "act b": ERROR}, {"act c": DONE}], 1),
        ([{"act a": ERROR, "act b": ERROR}, {"act c": DONE, "act d": ANSWER}], 0),
        ([{"act a": ERROR}, {"act b": DONE, "act c": DONE}, {"act d": ERROR}], 1),
        ([{"act a": ERROR}, {"act b": "ask"}], 0),
        ([{"act a": ERROR}, {"act b": "plan"}], 0),
        ([{"act a": ERROR}, {"read b": ANSWER}], 1),
        ([{"act a": ERROR}, {"act b": "doubt"}], 1),
        # Who makes a call again means the same by it.
        ([{"act a": ERROR}, {"act a": ERROR}], 1),
        ([{"act a": ERROR}, {"act b": ERROR}], 2),
        ([{"unknown a": None}, {"unknown a": None}], 1),
        ([{"unknown a": None, "unknown b": None}, {"act a": DONE}], 1),
        ([{"act a": PARTLY}], 1),
        ([{"act a": "refuse"}], 1),
        ([{"act a": DirectReply.LATER}], 1),
        # What was rightly left alone, or was only to be read.
        ([{"act a": DirectReply.AS_SAID}], 0),
        ([{"read a": ERROR}], 0),
        ([{"act a": "doubt", "act b": "ask", "act c": "plan"}], 0),
        ([], 0),
    ],
)
def test_undone_is_what_no_later_message_made_up_for(
    messages: list[dict[str, object]], undone: int
) -> None:
    assert journal_of(*messages).undone == undone


@pytest.mark.parametrize(
    ("calls", "which"),
    [
        ({"act a": ["Lamp", "Spot"]}, ["Lamp", "Spot"]),
        ({"act a": ["Lamp", "Spot"], "act b": ["Fan", "Heater"]}, ["Fan", "Heater"]),
        ({"act a": ["Lamp", "Spot"], "read b": ANSWER}, ["Lamp", "Spot"]),
        ({"act a": ["Lamp", "Spot"], "act b": "refuse"}, []),
        ({"act a": "refuse", "act b": ["Lamp", "Spot"]}, []),
        ({"act a": ["Lamp", "Spot"], "act b": DONE}, []),
        ({"act a": ["Lamp", "Spot"], "act b": DirectReply.LATER}, []),
        ({"act a": ["Lamp", "Spot"], "unknown b": None}, []),
        ({"read a": ["Lamp", "Spot"]}, []),
        ({}, []),
    ],
)
def test_which_is_meant_is_asked_where_for_that_alone_nothing_was_done(
    calls: dict[str, object], which: list[str]
) -> None:
    assert [*journal_of(calls).which] == which


@pytest.mark.parametrize(
    ("calls", "true"),
    [
        ({}, ""),
        ({"act a": DONE}, "acted has_read may_have_acted"),
        ({"act a": ANSWER}, "has_read may_have_acted"),
        ({"act a": PARTLY}, "has_read may_have_acted"),
        ({"read a": ANSWER}, "has_read"),
        ({"read a": ERROR}, "came_to_nothing"),
        ({"act a": ERROR}, "came_to_nothing"),
        ({"act a": "doubt"}, "came_to_nothing is_in_doubt may_have_acted"),
        ({"act a": "refuse"}, "came_to_nothing is_all_refused"),
        ({"act a": "refuse", "act b": ERROR}, "came_to_nothing"),
        ({"act a": DirectReply.LATER}, "came_to_nothing is_all_refused only_forbidden"),
        (
            {"act a": DirectReply.LATER, "act b": "refuse"},
            "came_to_nothing is_all_refused only_forbidden",
        ),
        ({"act a": DirectReply.LATER, "act b": DONE}, "has_read may_have_acted"),
        ({"act a": DirectReply.AS_SAID, "act b": DONE}, "acted has_read may_have_acted"),
        ({"act a": DONE, "act b": "doubt"}, "has_read is_in_doubt may_have_acted"),
        ({"act a": DONE, "unknown b": None}, "has_read may_have_acted"),
        ({"unknown a": None}, "came_to_nothing"),
    ],
)
def test_what_is_true_of_the_calls_together(calls: dict[str, object], true: str) -> None:
    journal = journal_of(calls)
    names = (
        *("acted", "came_to_nothing", "has_read", "is_all_refused", "is_in_doubt"),
        *("may_have_acted", "only_forbidden"),
    )
    assert {name for name in names if getattr(journal, name)} == {*true.split()}


def test_what_the_user_is_told_of_the_calls() -> None:
    journal = journal_of(
        {"act fan": DirectReply.AS_SAID, "act lamp": DirectReply.AS_SAID},
        {
            "act fan": DirectReply.AS_SAID,
            "play jazz": DirectReply.NOT_FOUND,
            "act door": DirectReply.LATER,
        },
        {
            "play jazz": DirectReply.NOT_FOUND,
            "play rock": DirectReply.NOT_FOUND,
            "act oven": "plan",
        },
        {"open_the gate": ANSWER, "act bell": DONE, "act tap": PARTLY},
    )
    assert journal.left_alone == ["The fan", "The lamp"]
    assert journal.not_found == {"wanted": "The jazz, The rock"}
    assert [*journal.told.values()] == ["At eight."]
    assert [each.arguments["what"] for each in journal.planned] == ["oven"]
    assert [each.arguments["what"] for each in journal.done] == ["gate", "bell", "tap"]
    assert [*journal.refused_for_good.values()].count("not_later") == 1
    assert len(journal.refused_for_good) == len([*journal.refusals]) == 7


@pytest.mark.parametrize(
    ("calls", "names"),
    [
        ({"order_food a": ANSWER, "act b": DONE}, ["order food"]),
        ({"order_food a": ANSWER, "act b": ERROR}, []),
        ({"order_food a": ANSWER, "act b": "doubt"}, []),
        ({"act a": DONE}, []),
    ],
)
def test_what_was_carried_out_is_named_where_all_was_well(
    calls: dict[str, object], names: list[str]
) -> None:
    assert [*journal_of(calls).carried_out] == names


@pytest.mark.parametrize("reads", [False, True])
@pytest.mark.parametrize("is_intent", [False, True])
def test_intent_that_failed_may_have_reached_some_devices(*, is_intent: bool, reads: bool) -> None:
    handler = intent.ServiceIntentHandler("HassTurnOn", "homeassistant", "turn_on")
    tool = llm.IntentTool("turn_on", handler) if is_intent else ExtraTool("turn_on", dict)
    tool.annotations = llm.ToolAnnotations(read_only=reads)
    entry = Journal().begin(tool, llm.ToolInput("turn_on", {}))
    entry.end(ERROR)
    assert entry.may_have_acted is (is_intent and not reads)


@pytest.mark.parametrize(
    ("response_type", "outcome"),
    [
        (intent.IntentResponseType.ACTION_DONE, Outcome.DONE),
        (intent.IntentResponseType.ERROR, Outcome.FAILED),
        (intent.IntentResponseType.QUERY_ANSWER, Outcome.ANSWERED),
    ],
)
def test_answer_of_an_intent_is_what_its_kind_says(
    response_type: intent.IntentResponseType, outcome: Outcome
) -> None:
    response = intent.IntentResponse(language="en")
    response.response_type = response_type
    if response_type is intent.IntentResponseType.ERROR:
        response.async_set_error(intent.IntentResponseErrorCode.FAILED_TO_HANDLE, "No")
    entry = Journal().begin(ExtraTool("tool", dict), llm.ToolInput("tool", {}))
    entry.end(llm.ToolResult(data=llm.IntentResponseDict(response)))
    assert entry.outcome is outcome
    assert entry.response is response
