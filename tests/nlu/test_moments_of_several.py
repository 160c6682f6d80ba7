"""Which command of a sentence which moment belongs to, and what becomes of what is said beside it."""

import pytest

from custom_components.voice_gateway.nlu.clause import Clause, DialogueAct, join_commands
from custom_components.voice_gateway.nlu.parser import parse
from custom_components.voice_gateway.nlu.time_resolution import TimeExpression, TimeType
from custom_components.voice_gateway.nlu.tokenizer import Text
from tests.rows import rows

from ..tables import table

NAMES = ("Lamp", "Fan", "Heater", "Gate", "Radio")
# Each command with its moments behind it: what they are, and the words or the value that tell.
SAID: tuple[tuple[str, str, list[str]], ...] = table(__file__, "SAID")


def _told(clause: Clause) -> str:
    mood = "" if clause.act is DialogueAct.COMMAND else f"{clause.act}: "
    excepted = f" except {clause.exclusion}" if clause.exclusion else ""
    words = f"{mood}{'not ' * clause.negated}{clause.command}{excepted}"
    return " | ".join((words, *map(_moment, clause.times)))


def _moment(moment: TimeExpression) -> str:
    told = (
        str(moment.type),
        moment.time.isoformat("minutes") if moment.time else "",
        f"{moment.seconds:g}" if moment.seconds else "",
        f"+{moment.day_offset}" if moment.day_offset else "",
        moment.part_of_day,
        moment.sun,
        moment.condition,
        "follows" if moment.follows else "",
        "shared" if moment.is_shared else "",
        "unread" if moment.is_unread else "",
    )
    return " ".join(filter(None, told))


@rows(("code", "text", "told"), SAID)
def test_moment_is_of_the_command_that_it_was_said_of(
    code: str, text: str, told: list[str]
) -> None:
    assert [_told(each) for each in parse(Text(text, code), NAMES).clauses] == told


def test_moments_of_a_clause_tell_when_it_begins() -> None:
    both, only = (
        parse(Text(f"turn on the lamp for ten minutes{when}", "en"), NAMES).clauses[0]
        for when in (" in an hour", "")
    )
    assert [each.type for each in both.times] == [TimeType.FOR, TimeType.IN]
    assert [each.type for each in only.times] == [TimeType.FOR]
    assert (both.starts_now, only.starts_now) == (False, True)
    assert join_commands((both, only)) == "turn on the lamp turn on the lamp"


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("don't turn on the lamp until eleven", True),
        ("turn on the lamp until eleven", False),
        # What is not to be left as it is, or waits for what may never happen, begins at no moment.
        ("don't leave the lamp on until eleven", False),
        ("don't turn on the lamp until the film is over", False),
    ],
)
def test_what_is_not_to_be_done_until_a_time_is_to_be_done_then(text: str, begins: bool) -> None:
    (clause,) = parse(Text(text, "en"), NAMES).clauses
    later = clause.invert_until()
    assert bool(later) is begins
    if later:
        assert not later.negated
        assert [each.type for each in later.times] == [TimeType.AT]


def test_sentence_is_for_now_where_all_of_it_is() -> None:
    assert parse(Text("turn on the lamp and open the gate", "en"), NAMES).is_immediate
    assert not parse(
        Text("turn on the lamp now and open the gate at eight", "en"), NAMES
    ).is_immediate


def test_time_without_a_day_is_on_the_last_day_that_was_said() -> None:
    text = (
        "tomorrow at eight open the gate, on Friday at nine turn on the fan, and at ten turn it off"
    )
    last = parse(Text(text, "en"), NAMES).clauses[-1]
    assert [(each.weekdays, each.day_offset) for each in last.times] == [((4,), None)]
