"""When something is to be done: once, again and again, or when something happens."""

from collections.abc import Sequence
import datetime as dt
from importlib import import_module
from zoneinfo import ZoneInfo

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
import pytest

from custom_components.voice_gateway.heard.moment import read
from custom_components.voice_gateway.heard.said import Clause
from custom_components.voice_gateway.plans.local import sun_of_day
from custom_components.voice_gateway.plans.when import (
    Event,
    Once,
    Repeat,
    When,
    next_after,
    when_of,
)
from script.checks.texts import LANGUAGES

BERLIN = "Europe/Berlin"
NEW_YORK = "America/New_York"
SUNS = ("sunrise", "sunset", "dawn", "dusk")
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
    return read(text, language, ("Lamp",)).clauses


def described(when: When | None, now: dt.datetime, hass: HomeAssistant) -> str | None:
    """Return when it is, as the tables have it."""
    match when:
        case None:
            return None
        case Event():
            return f"{'each' if when.each else 'next'}: {when.condition}"
        case Once():
            return _once(when.at, now, hass)
        case Repeat(seconds=float() as seconds):
            return f"each {seconds:.0f}"
    nth = f"{when.nth}x " if when.nth > 1 else ""
    days = "".join(map(str, when.weekdays)) or "daily"
    days = f"day {when.month_day}" if when.month_day else days
    time = f"{when.time:%H:%M}" if when.time else f"{when.sun}{_signed(when.offset)}"
    return f"{nth}{days} {time}"


def _once(at: dt.datetime, now: dt.datetime, hass: HomeAssistant) -> str:
    shown = dt_util.as_local(at)
    day = "" if shown.date() == now.date() else f"{shown:%m-%d} "
    for sun in SUNS:
        if event := sun_of_day(hass, sun, shown.date(), 0):
            offset = (at - event).total_seconds()
            if offset % 60 == 0 and abs(offset) < 3600 and at.second:
                return f"{day}{sun}{_signed(offset)}"
    return f"{day}{shown:%H:%M}"


def _signed(seconds: float) -> str:
    return f"{seconds:+.0f}" if seconds else ""


@pytest.mark.parametrize("language", LANGUAGES)
async def test_command_begins_when_its_words_say(hass: HomeAssistant, language: str) -> None:
    zone = await live_in(hass, BERLIN)
    wrong = []
    for text, clock, expected in import_module(f".when_{language}", __package__).WHEN:
        now = dt.datetime.fromisoformat(f"2026-06-10T{clock}").replace(tzinfo=zone)
        said = [when_of(each.moments, now, hass) for each in clauses(text, language)]
        found = " | ".join(str(described(when, now, hass)) for when in said)
        if found != str(expected):
            wrong.append((text, clock, found, expected))
    assert not wrong


@pytest.mark.parametrize(
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
    assert when_of(clause.moments, at, hass) == Once(at=wanted)


async def times(hass: HomeAssistant, repeat: Repeat, after: dt.datetime, count: int) -> list[str]:
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
    daily = Repeat(since=begins.astimezone(dt.UTC), time=dt.time.fromisoformat(time))
    assert await times(hass, daily, begins, 3) == expected


@pytest.mark.parametrize(
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
    every = Repeat(since=SINCE, **repeat)  # type: ignore[arg-type]
    assert await times(hass, every, SINCE, len(expected)) == expected


async def test_next_time_is_the_same_whenever_it_is_asked_for(hass: HomeAssistant) -> None:
    await live_in(hass, BERLIN)
    every = Repeat(since=SINCE, time=dt.time(8), nth=3)
    late = SINCE + dt.timedelta(days=100)
    at = SINCE
    while at <= late:
        at = next_after(every, at, hass) or late
    assert next_after(every, late, hass) == at


async def test_once_is_over_afterwards(hass: HomeAssistant) -> None:
    once = Once(at=SINCE)
    assert next_after(once, SINCE - dt.timedelta(seconds=1), hass) == SINCE
    assert next_after(once, SINCE, hass) is None


async def test_no_sunset_in_the_polar_summer(hass: HomeAssistant) -> None:
    await live_in(hass, "Arctic/Longyearbyen", 78.2, 15.6)
    (clause,) = clauses("Turn on the lamp at sunset")
    assert when_of(clause.moments, SINCE, hass) is None
    at = next_after(Repeat(since=SINCE, sun="sunset"), SINCE, hass)
    assert at
    assert at.month == 8
    await live_in(hass, "Arctic/Longyearbyen", 90, 0)
    assert next_after(Repeat(since=SINCE, sun="sunset"), SINCE, hass) is None
