"""When something is to be done: once, again and again, or when something happens."""

from collections.abc import Sequence
import datetime as dt
import json
from pathlib import Path
from zoneinfo import ZoneInfo

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
from hypothesis import given, strategies as st
import pytest

from custom_components.voice_gateway.home.clock import sun_of_day
from custom_components.voice_gateway.nlu.clause import Clause
from custom_components.voice_gateway.nlu.parser import parse
from custom_components.voice_gateway.nlu.time_resolution import TimeExpression, TimeType
from custom_components.voice_gateway.nlu.tokenizer import Text
from custom_components.voice_gateway.plans.schedule import (
    AtTime,
    OnEvent,
    Recurrence,
    Schedule,
    ends_of,
    next_after,
    rrule,
    when_of,
)
from custom_components.voice_gateway.plans.stored import as_json, of_json
from script.checks.texts import LANGUAGES
from tests.rows import rows

from ..tables import table

FOLDER = Path(__file__).parent
BERLIN = "Europe/Berlin"
NEW_YORK = "America/New_York"
SINCE = dt.datetime(2026, 6, 10, 12, tzinfo=dt.UTC)
"""A Wednesday, 14:00 in Berlin."""


async def live_in(
    hass: HomeAssistant, zone: str, latitude: float = 52.5, longitude: float = 13.4
) -> ZoneInfo:
    """Move the home."""
    await hass.config.async_update(
        time_zone=zone, latitude=latitude, longitude=longitude, elevation=0
    )
    return ZoneInfo(zone)


def clauses(text: str, language: str = "en") -> Sequence[Clause]:
    return parse(Text(text, language), ("Lamp",)).clauses


def described(when: Schedule | None, now: dt.datetime) -> str | None:
    """Return when it is, as the tables have it."""
    match when:
        case None:
            return None
        case OnEvent():
            return f"{'each' if when.each else 'next'}: {when.condition}"
        case AtTime():
            return _once(when, now)
        case Recurrence(seconds=float() as seconds):
            return f"each {seconds:.0f}"
    nth = f"{when.nth}x " if when.nth > 1 else ""
    days = "".join(map(str, when.weekdays)) or "daily"
    days = f"day {when.month_day}" if when.month_day else days
    time = f"{when.time:%H:%M}" if when.time else f"{when.sun}{_signed(when.offset)}"
    return f"{nth}{days} {time}"


def _once(once: AtTime, now: dt.datetime) -> str:
    shown = dt_util.as_local(once.at)
    day = "" if shown.date() == now.date() else f"{shown:%m-%d} "
    return f"{day}{once.sun}{_signed(once.offset)}" if once.sun else f"{day}{shown:%H:%M}"


def _signed(seconds: float) -> str:
    return f"{seconds:+.0f}" if seconds else ""


@rows("language", LANGUAGES)
async def test_command_begins_when_its_words_say(hass: HomeAssistant, language: str) -> None:
    zone = await live_in(hass, BERLIN)
    wrong = []
    for text, clock, expected in table(f"{FOLDER}/when_{language}", "WHEN"):
        now = dt.datetime.fromisoformat(f"2026-06-10T{clock}").replace(tzinfo=zone)
        said = [when_of(each.times, now, hass) for each in clauses(text, language)]
        found = " | ".join(str(described(when, now)) for when in said)
        if found != str(expected):
            wrong.append((text, clock, found, expected))
    assert not wrong


@rows(
    ("zone", "now", "text", "expected"),
    [
        # The clock goes from two to three.
        (BERLIN, "2026-03-28T20:00", "tomorrow at 2:30 am", "2026-03-29T01:00"),
        (NEW_YORK, "2026-03-07T20:00", "tomorrow at 2:30 am", "2026-03-08T07:00"),
        (BERLIN, "2026-03-28T20:00", "tomorrow at 3 am", "2026-03-29T01:00"),
        (BERLIN, "2026-03-28T20:00", "tomorrow at 3:30 am", "2026-03-29T01:30"),
        # It shows the hour from two to three, and from one to two, twice.
        (BERLIN, "2026-10-24T20:00", "tomorrow at 2:30 am", "2026-10-25T00:30"),
        (NEW_YORK, "2026-10-31T20:00", "tomorrow at 1:30 am", "2026-11-01T05:30"),
        (NEW_YORK, "2026-10-31T20:00", "tomorrow at 2:30 am", "2026-11-01T07:30"),
        # A duration is one, whatever the clock does.
        (BERLIN, "2026-03-29T01:30", "in one hour", "2026-03-29T01:30"),
        # Far in the west and in the east, the day is another one than in Greenwich.
        ("Pacific/Honolulu", "2026-06-10T20:00", "tomorrow at 7 am", "2026-06-11T17:00"),
        ("Pacific/Kiritimati", "2026-06-10T08:00", "tomorrow at 7 am", "2026-06-10T17:00"),
        ("Asia/Kathmandu", "2026-06-10T20:00", "at 9", "2026-06-10T15:15"),
    ],
)
async def test_clock_of_the_home_decides(
    hass: HomeAssistant, zone: str, now: str, text: str, expected: str
) -> None:
    at = dt.datetime.fromisoformat(now).replace(tzinfo=await live_in(hass, zone))
    (clause,) = clauses(f"turn on the lamp {text}")
    wanted = dt.datetime.fromisoformat(expected).replace(tzinfo=dt.UTC)
    assert when_of(clause.times, at, hass) == AtTime(at=wanted)


async def times(
    hass: HomeAssistant, repeat: Recurrence, after: dt.datetime, count: int
) -> list[str]:
    """Return the next times by the home's clock."""
    shown = []
    for _ in range(count):
        at = next_after(repeat, after, hass)
        assert at
        assert at > after
        after = at
        shown.append(f"{dt_util.as_local(at):%m-%d %H:%M}")
    return shown


@pytest.mark.parametrize(
    ("zone", "after", "time", "expected"),
    [
        (BERLIN, "2026-03-28T00:00", "02:30", ["03-28 02:30", "03-29 03:00", "03-30 02:30"]),
        (BERLIN, "2026-10-24T00:00", "02:30", ["10-24 02:30", "10-25 02:30", "10-26 02:30"]),
        (NEW_YORK, "2026-03-07T00:00", "02:30", ["03-07 02:30", "03-08 03:00", "03-09 02:30"]),
        (NEW_YORK, "2026-10-31T00:00", "01:30", ["10-31 01:30", "11-01 01:30", "11-02 01:30"]),
    ],
)
async def test_repeated_time_stays_that_of_the_clock(
    hass: HomeAssistant, zone: str, after: str, time: str, expected: list[str]
) -> None:
    begins = dt.datetime.fromisoformat(after).replace(tzinfo=await live_in(hass, zone))
    daily = Recurrence(since=begins.astimezone(dt.UTC), time=dt.time.fromisoformat(time))
    assert await times(hass, daily, begins, 3) == expected


@rows(
    ("repeat", "expected"),
    [
        ({"time": dt.time(13)}, ["06-11 13:00", "06-12 13:00"]),
        ({"time": dt.time(15), "nth": 2}, ["06-10 15:00", "06-12 15:00"]),
        ({"time": dt.time(8), "weekdays": (0, 3)}, ["06-11 08:00", "06-15 08:00", "06-18 08:00"]),
        ({"time": dt.time(8), "weekdays": (0,), "nth": 2}, ["06-15 08:00", "06-29 08:00"]),
        (
            {"time": dt.time(8), "weekdays": (0, 3), "nth": 2},
            ["06-11 08:00", "06-22 08:00", "06-25 08:00", "07-06 08:00"],
        ),
        ({"time": dt.time(8), "month_day": 31}, ["07-31 08:00", "08-31 08:00", "10-31 08:00"]),
        ({"seconds": 7200.0}, ["06-10 16:00", "06-10 18:00"]),
    ],
)
async def test_next_times(
    hass: HomeAssistant, repeat: dict[str, object], expected: list[str]
) -> None:
    await live_in(hass, BERLIN)
    every = Recurrence(since=SINCE, **repeat)  # type: ignore[arg-type]
    assert await times(hass, every, SINCE, len(expected)) == expected


async def test_next_time_is_the_same_whenever_it_is_asked_for(hass: HomeAssistant) -> None:
    await live_in(hass, BERLIN)
    every = Recurrence(since=SINCE, time=dt.time(8), nth=3)
    late = SINCE + dt.timedelta(days=100)
    at = SINCE
    while at <= late:
        at = next_after(every, at, hass) or late
    assert next_after(every, late, hass) == at


async def test_once_is_over_afterwards(hass: HomeAssistant) -> None:
    once = AtTime(at=SINCE)
    assert next_after(once, SINCE - dt.timedelta(seconds=1), hass) == SINCE
    assert next_after(once, SINCE, hass) is None


async def test_no_sunset_in_the_polar_summer(hass: HomeAssistant) -> None:
    await live_in(hass, "Arctic/Longyearbyen", 78.2, 15.6)
    (clause,) = clauses("Turn on the lamp at sunset")
    assert when_of(clause.times, SINCE, hass) is None
    at = next_after(Recurrence(since=SINCE, sun="sunset"), SINCE, hass)
    assert at
    assert at.month == 8
    await live_in(hass, "Arctic/Longyearbyen", 90, 0)
    assert next_after(Recurrence(since=SINCE, sun="sunset"), SINCE, hass) is None


@pytest.mark.parametrize(("zone", "latitude"), [(BERLIN, 52.5), (NEW_YORK, 40.7), (BERLIN, 69.6)])
async def test_each_time_is_later_than_the_one_before(
    hass: HomeAssistant, zone: str, latitude: float
) -> None:
    await live_in(hass, zone, latitude)
    for repeat in (
        Recurrence(since=SINCE, time=dt.time(2, 30)),
        Recurrence(since=SINCE, time=dt.time(0), weekdays=(0, 6), nth=3),
        Recurrence(since=SINCE, time=dt.time(23, 59), month_day=30),
        Recurrence(since=SINCE, sun="sunset", offset=-3600.0),
        Recurrence(since=SINCE, sun="sunrise", offset=7200.0, weekdays=(4,)),
        Recurrence(since=SINCE, seconds=50_000.0),
    ):
        at = SINCE
        while at < SINCE + dt.timedelta(days=366):
            later = next_after(repeat, at, hass)
            assert later
            assert later > at
            assert next_after(repeat, later - dt.timedelta(seconds=1), hass) == later
            at = later


@given(
    st.builds(
        Recurrence,
        since=st.just(SINCE),
        time=st.times(),
        weekdays=st.sets(st.integers(0, 6)).map(sorted).map(tuple),
        nth=st.integers(1, 5),
    ),
    st.datetimes(dt.datetime(2026, 6, 10, 13), dt.datetime(2028, 1, 1)),
)
def test_next_time_is_the_first_after_a_moment(
    hass: HomeAssistant, repeat: Recurrence, after: dt.datetime
) -> None:
    dt_util.set_default_time_zone(ZoneInfo(BERLIN))
    moment = after.replace(tzinfo=dt.UTC)
    at = next_after(repeat, moment, hass)
    assert at
    assert at > moment
    assert next_after(repeat, moment + (at - moment) / 2, hass) == at
    shown = dt_util.as_local(at)
    assert not repeat.weekdays or shown.weekday() in repeat.weekdays


@rows(
    ("language", "text", "expected"),
    table(__file__, "test_end_is_counted_from_the_beginning"),
)
async def test_end_is_counted_from_the_beginning(
    hass: HomeAssistant, language: str, text: str, expected: str | None
) -> None:
    begins = SINCE.astimezone(await live_in(hass, BERLIN))
    (clause,) = clauses(text, language)
    over = ends_of(clause.times, begins, hass)
    if expected == "sunset":
        assert isinstance(over, AtTime)
        assert over.at == sun_of_day(hass, "sunset", begins.date(), 0)
    else:
        assert described(over, begins) == expected


async def test_end_of_what_begins_later_is_later(hass: HomeAssistant) -> None:
    zone = await live_in(hass, BERLIN)
    (clause,) = clauses("Tomorrow at 6 am turn on the lamp until 8")
    begins = when_of(clause.times, SINCE, hass)
    assert isinstance(begins, AtTime)
    over = ends_of(clause.times, begins.at, hass)
    assert over == AtTime(at=dt.datetime(2026, 6, 11, 8, tzinfo=zone))


@rows(
    "moments",
    [
        [TimeExpression(type=TimeType.UNCLEAR)],
        [TimeExpression(type=TimeType.BEFORE, time=dt.time(8))],
        [TimeExpression(type=TimeType.FOR, seconds=60)],
        [TimeExpression(type=TimeType.UNLESS, condition=Text("the door is open", "en"))],
        [TimeExpression(type=TimeType.IN)],
        [
            TimeExpression(type=TimeType.IN, seconds=60),
            TimeExpression(type=TimeType.IN, seconds=120),
        ],
        [
            TimeExpression(type=TimeType.IN, seconds=3600),
            TimeExpression(type=TimeType.AT, time=dt.time(8)),
        ],
        [TimeExpression(type=TimeType.IN, seconds=60), TimeExpression(type=TimeType.UNCLEAR)],
        [
            TimeExpression(type=TimeType.AT, time=dt.time(8)),
            TimeExpression(type=TimeType.AT, time=dt.time(9)),
        ],
        [TimeExpression(type=TimeType.AT, time=dt.time(8), is_unread=True)],
        [TimeExpression(type=TimeType.AT, time=dt.time(17), daytime="morning")],
        [TimeExpression(type=TimeType.AT, time=dt.time(8), day_offset=1, weekdays=(0,))],
        [TimeExpression(type=TimeType.AT, time=dt.time(8), weekdays=(0, 4))],
        [
            TimeExpression(type=TimeType.WHEN, condition=Text("a", "en")),
            TimeExpression(type=TimeType.WHEN, condition=Text("b", "en")),
        ],
        [
            TimeExpression(type=TimeType.WHEN, condition=Text("a", "en")),
            TimeExpression(type=TimeType.AT, time=dt.time(8)),
        ],
        [TimeExpression(type=TimeType.EVERY, seconds=7200, time=dt.time(8))],
        [TimeExpression(type=TimeType.EVERY, seconds=30)],
        [],
    ],
)
async def test_nobody_knows_when(hass: HomeAssistant, moments: Sequence[TimeExpression]) -> None:
    assert when_of(moments, SINCE, hass) is None


async def test_condition_is_left_to_that_moment(hass: HomeAssistant) -> None:
    condition = TimeExpression(type=TimeType.IF, condition=Text("the window is open", "en"))
    delay = TimeExpression(type=TimeType.IN, seconds=60)
    assert when_of([condition, delay], SINCE, hass) == AtTime(at=SINCE + dt.timedelta(minutes=1))
    alone = when_of([condition], SINCE, hass)
    assert alone == OnEvent(condition=Text("the window is open", "en"), each=False)


@pytest.mark.parametrize(
    ("when", "rule"),
    [
        (Recurrence(since=SINCE, time=dt.time(8)), "FREQ=DAILY"),
        (Recurrence(since=SINCE, time=dt.time(8), nth=2), "FREQ=DAILY;INTERVAL=2"),
        (Recurrence(since=SINCE, time=dt.time(8), weekdays=(0, 6)), "FREQ=WEEKLY;BYDAY=MO,SU"),
        (
            Recurrence(since=SINCE, time=dt.time(8), weekdays=(0,), nth=2),
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO",
        ),
        (Recurrence(since=SINCE, time=dt.time(8), month_day=1), "FREQ=MONTHLY;BYMONTHDAY=1"),
        (Recurrence(since=SINCE, seconds=7200.0), None),
        (Recurrence(since=SINCE, sun="sunset", offset=-600.0), None),
    ],
)
def test_rule_of_a_calendar(when: Recurrence, rule: str | None) -> None:
    assert rrule(when) == rule
    assert of_json(Schedule, json.loads(json.dumps(as_json(when)))) == when


@pytest.mark.parametrize(
    "when",
    [
        AtTime(at=SINCE),
        AtTime(at=SINCE, sun="sunset", offset=-600.0),
        OnEvent(condition=Text("the washer is done", "en"), each=True, held=30.0),
    ],
)
def test_what_is_stored_is_the_same_afterwards(when: Schedule) -> None:
    assert of_json(Schedule, json.loads(json.dumps(as_json(when)))) == when


@pytest.mark.parametrize(
    "data", [{}, {"kind": "never"}, {"kind": "once"}, {"kind": "once", "at": "x"}]
)
def test_what_is_none_of_ours_is_not_taken(data: dict[str, str]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        of_json(Schedule, data)
