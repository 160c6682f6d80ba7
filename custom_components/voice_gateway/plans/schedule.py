"""Schedules, resolved from the time expressions of a sentence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
import datetime as dt
from itertools import count, islice
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..home.clock import DAY, next_sun, to_instant
from ..nlu.time_resolution import TimeExpression, TimeType

SHORTEST: Final = 60.0
"""The least interval of a recurrence, in seconds."""

_DAY: Final = 86400.0
_WEEK: Final = 7 * _DAY
_LONGEST: Final = 10 * 366 * _DAY
"""The longest duration, in seconds."""
_FURTHEST: Final = 1000 * 366 * _DAY
"""The longest duration of a time expression, in seconds: any date in it is one."""
_RAREST: Final = 366
"""The most days or weeks between two occurrences."""
_OFFSET: Final = 2 * _DAY
_SUN: Final = ("", "sunrise", "sunset", "dawn", "dusk")
_LATER: Final = frozenset((TimeType.FOR, TimeType.UNTIL))
_CONDITIONS: Final = frozenset((TimeType.IF, TimeType.UNLESS))
_EVENTS: Final = frozenset((TimeType.WHEN, TimeType.WHENEVER))
_PLANNED: Final = frozenset((TimeType.IN, TimeType.AT, TimeType.EVERY, TimeType.IF, *_EVENTS))
_MERGED: Final = (
    "seconds",
    "time",
    "meridiem",
    "day_offset",
    "weekdays",
    "sun",
    "daytime",
    "month",
    "month_day",
    "week",
)
_BYDAY: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


@dataclass(frozen=True, slots=True, kw_only=True)
class AtTime:
    """A single instant."""

    at: dt.datetime
    """In UTC."""
    sun: str = ""
    """The sun's event at that instant, if it was said: "sunset"."""
    offset: float = 0
    """Seconds after the sun's event; negative before it."""

    def __post_init__(self) -> None:
        """Check the values. Raises TypeError or ValueError."""
        _check_sun(self.sun, self.offset)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recurrence:
    """A recurrence: at an interval in seconds, or on some days at a time of day or a sun event."""

    since: dt.datetime
    """When it was said, in UTC: occurrences are later, and `nth` counts from the first one."""
    seconds: float | None = None
    """The interval, if there is no time of day."""
    time: dt.time | None = None
    """Local time of day."""
    sun: str = ""
    """"sunrise", "sunset", "dawn" or "dusk", if there is no `time`."""
    offset: float = 0
    """Seconds after the sun's event; negative before it."""
    weekdays: tuple[int, ...] = ()
    """Monday is 0; empty for all days."""
    nth: int = 1
    """The interval in days, or in weeks if there are `weekdays`."""
    month_day: int | None = None
    """The day of the month; months without it are skipped."""

    def __post_init__(self) -> None:
        """Check that a next time exists and is found soon. Raises TypeError or ValueError."""
        _check_sun(self.sun, self.offset)
        if self.seconds is not None and not 0 < self.seconds <= _LONGEST:
            raise ValueError(f"Seconds between two times: {self.seconds}")
        if not (self.seconds or self.time or self.sun):
            raise ValueError("No time")
        if not 0 < self.nth <= _RAREST or not {*self.weekdays} <= {*range(7)}:
            raise ValueError(f"Each {self.nth} of {self.weekdays}")
        if self.month_day is not None and not 0 < self.month_day <= 31:
            raise ValueError(f"Day of a month: {self.month_day}")


@dataclass(frozen=True, slots=True, kw_only=True)
class OnEvent:
    """The moment at which a condition becomes true."""

    condition: str
    """The condition as spoken."""
    each: bool
    """Every time, not only the next time."""
    held: float = 0
    """Seconds that the condition must hold."""
    is_over: bool = False
    """The event is that the condition becomes false."""

    def __post_init__(self) -> None:
        """Check the values. Raises TypeError or ValueError."""
        if not 0 <= self.held <= _LONGEST:
            raise ValueError(f"Seconds that it holds: {self.held}")


def check_times(moments: Sequence[TimeExpression]) -> None:
    """Check the values of stored time expressions. Raises ValueError."""
    for each in moments:
        _check_sun(each.sun, 0)
        days = (each.day_offset or 0, (each.month_day or 1) - 1, (each.month or 1) - 1)
        most = (10 * _RAREST, 30, 11)
        is_of_weeks = {*each.weekdays} <= {*range(7)}
        if not (is_of_weeks and all(0 <= a <= b for a, b in zip(days, most, strict=True))):
            raise ValueError(f"Days of a time expression: {each}")
        check_seconds(each.seconds)


def check_seconds(seconds: float | None) -> None:
    """Check a stored duration. Raises ValueError."""
    if seconds is not None and not -_OFFSET <= seconds <= _FURTHEST:
        raise ValueError(f"Seconds: {seconds}")


def _check_sun(sun: str, offset: float) -> None:
    if sun not in _SUN or not -_OFFSET <= offset <= _OFFSET:
        raise ValueError(f"The sun: {sun!r}, {offset}")


type Schedule = AtTime | Recurrence | OnEvent


def when_of(
    moments: Sequence[TimeExpression], now: dt.datetime, hass: HomeAssistant
) -> Schedule | None:
    """Return the schedule of a command with these time expressions.

    None if they are unclear, contradictory, over, or partly unparsed, or if none is about the
    beginning. Conditions are ignored, as they are evaluated when the plan is due; but a single "if"
    alone is the event that its condition becomes true.
    """
    begins = [each for each in moments if each.type not in _LATER]
    # "If the sun sets" is a time, not a condition.
    planned = [
        each
        for each in begins
        if each.type not in _CONDITIONS or (each.type is TimeType.IF and each.has_time)
    ]
    if not planned:
        match begins:
            case [TimeExpression(type=TimeType.IF, condition=condition)] if condition:
                return OnEvent(condition=condition, each=False)
        return None
    if any(each.is_unread or each.type not in _PLANNED for each in planned):
        return None
    if later := [each.seconds for each in planned if each.follows]:
        return _counted(later, [each for each in planned if not each.follows], now, hass)
    if events := [each for each in planned if each.type in _EVENTS and not each.has_time]:
        return _event(events) if len(events) == len(planned) else None
    delays = [each for each in planned if each.type is TimeType.IN]
    others = [each for each in planned if each.type is not TimeType.IN]
    timed = _merged(others) if others else None
    if bool(others) is (timed is None):
        return None
    if delays:
        return _after(delays, timed, now, hass)
    assert timed
    return _repeat(timed, now) if timed.type is TimeType.EVERY else _once(timed, now, hass)


def ends_of(
    moments: Sequence[TimeExpression], begins: dt.datetime, hass: HomeAssistant
) -> AtTime | OnEvent | None:
    """Return the end, by "for" and "until", of an effect that begins at an instant.

    None if the time expressions have no end, or it is unclear.
    """
    said = [each for each in moments if each.type in _LATER]
    if not said or any(replace(each, is_shared=True) != said[0].as_shared() for each in said):
        return None
    moment = said[0]
    if moment.type is TimeType.FOR:
        return _later(begins, moment.seconds)
    if moment.is_unread:
        return None
    if moment.has_time:
        return _once(moment, begins, hass)
    return OnEvent(condition=moment.condition, each=False) if moment.condition else None


def words_of(moments: Sequence[TimeExpression]) -> str:
    """Return time expressions as they were spoken."""
    return " ".join(each.text for each in moments)


def day_of(moments: Sequence[TimeExpression], now: dt.datetime) -> dt.date | None:
    """Return the local date of time expressions; None if they name no day or several."""
    said = _merged(moments)
    if said is None or len(said.weekdays) > 1 or not said.has_day:
        return None
    return next(said.days(dt_util.as_local(now).date()), None)


def lacks_time(moments: Sequence[TimeExpression]) -> bool:
    """Return True if the beginning has days but no time of day."""
    begins = [each for each in moments if each.type not in _LATER]
    says_more = any(
        each.type not in (TimeType.AT, TimeType.EVERY)
        or (each.is_unread or each.has_time or each.condition)
        for each in begins
    )
    if not begins or says_more or (timed := _merged(begins)) is None:
        return False
    is_daily = timed.type is TimeType.EVERY and timed.seconds and timed.seconds % _DAY == 0
    on_day = timed.weekdays or timed.month_day or timed.day_offset is not None
    return bool(on_day or is_daily)


def next_after(when: Schedule, after: dt.datetime, hass: HomeAssistant) -> dt.datetime | None:
    """Return the next time, in UTC, later than `after`; None if there is none or it is unknown."""
    if isinstance(when, OnEvent):
        return None
    if isinstance(when, AtTime):
        return when.at if when.at > after else None
    after = max(after.astimezone(dt.UTC), when.since)
    if when.seconds:
        passed = (after - when.since).total_seconds() // when.seconds
        return when.since + _seconds((passed + 1) * when.seconds)
    first = None if when.nth == 1 else next(_times(when, when.since, hass), None)
    day = _day(when, first) if first else None
    return next(
        (at for at in _times(when, after, hass) if _is_nth(when, _day(when, at), day)), None
    )


def moved(when: Schedule, at: dt.datetime) -> AtTime | Recurrence:
    """Return a schedule moved to an instant, in UTC, at which a recurrence begins."""
    if not isinstance(when, Recurrence):
        return AtTime(at=at)
    shown = dt_util.as_local(at)
    if when.seconds:
        return replace(when, since=at - _seconds(when.seconds))
    return replace(
        when,
        since=at - _seconds(1),
        time=shown.time(),
        sun="",
        offset=0,
        weekdays=(shown.weekday(),) if len(when.weekdays) == 1 else when.weekdays,
        month_day=when.month_day and shown.day,
    )


def rrule(repeat: Recurrence) -> str | None:
    """Return the recurrence rule of a calendar event (RFC 5545); None if no rule expresses it.

    Home Assistant's calendars accept only daily, weekly, monthly and yearly rules.
    """
    each = f";INTERVAL={repeat.nth}" if repeat.nth > 1 else ""
    if repeat.seconds or repeat.sun:
        return None
    if repeat.month_day:
        return f"FREQ=MONTHLY;BYMONTHDAY={repeat.month_day}"
    if repeat.weekdays:
        return f"FREQ=WEEKLY{each};BYDAY={','.join(_BYDAY[day] for day in repeat.weekdays)}"
    return f"FREQ=DAILY{each}"


def _later(begins: dt.datetime, seconds: float | None) -> AtTime | None:
    """Return the instant some seconds later; None if their number is unknown."""
    return AtTime(at=begins.astimezone(dt.UTC) + _seconds(seconds)) if seconds else None


def _seconds(seconds: float) -> dt.timedelta:
    return dt.timedelta(seconds=seconds)


def _event(moments: Sequence[TimeExpression]) -> OnEvent | None:
    """Return the event of time expressions; None if they differ."""
    found = {(each.condition, each.type) for each in moments}
    if len(found) > 1 or not moments[0].condition:
        return None
    return OnEvent(condition=moments[0].condition, each=moments[0].type is TimeType.WHENEVER)


def _merged(moments: Sequence[TimeExpression]) -> TimeExpression | None:
    """Return time expressions of days and times merged into one; None if they contradict."""
    values: dict[str, Any] = {}
    for moment in moments:
        for name in _MERGED:
            value = getattr(moment, name)
            if value in (None, "", ()):
                continue
            if values.setdefault(name, value) != value:
                return None
    again = any(each.type in (TimeType.EVERY, TimeType.WHENEVER) for each in moments)
    return TimeExpression(type=TimeType.EVERY if again else TimeType.AT, **values)


def _counted(
    seconds: Sequence[float | None],
    moments: Sequence[TimeExpression],
    now: dt.datetime,
    hass: HomeAssistant,
) -> AtTime | None:
    """Return the end of consecutive delays that begin at the other time expressions, or now."""
    first = when_of(moments, now, hass) if moments else AtTime(at=now.astimezone(dt.UTC))
    if not isinstance(first, AtTime) or not all(seconds):
        return None
    return AtTime(at=first.at + _seconds(sum(each or 0 for each in seconds)))


def _after(
    delays: Sequence[TimeExpression],
    timed: TimeExpression | None,
    now: dt.datetime,
    hass: HomeAssistant,
) -> AtTime | None:
    """Return the end of a delay, or the time of day on its last day: "in two days at 8"."""
    seconds = delays[0].seconds
    if not seconds or any(each.seconds != seconds for each in delays):
        return None
    if timed is None:
        return _later(now, seconds)
    is_day = timed.weekdays or timed.month_day or timed.week or timed.type is TimeType.EVERY
    if seconds % _DAY or is_day:
        return None
    days = int(seconds // _DAY) + (timed.day_offset or 0)
    return _once(replace(timed, day_offset=days), now, hass)


def _once(moment: TimeExpression, now: dt.datetime, hass: HomeAssistant) -> AtTime | None:
    """Return the first instant after now that matches a time expression."""
    at = moment.next_instant(now, hass)
    return AtTime(at=at, sun=moment.sun, offset=moment.seconds or 0) if at else None


def _repeat(moment: TimeExpression, now: dt.datetime) -> Recurrence | None:
    """Return the recurrence of a time expression; None if its time of day is unknown."""
    since = now.astimezone(dt.UTC)
    rate = moment.seconds
    if moment.day_offset is not None or moment.month or moment.week:
        return None
    if moment.sun:
        every = Recurrence(since=since, sun=moment.sun, offset=rate or 0)
        return replace(every, weekdays=_some(moment.weekdays), month_day=moment.month_day)
    on_days = bool(moment.weekdays or moment.month_day)
    if not moment.has_time:
        is_rate = rate and rate >= SHORTEST and rate % _DAY and not on_days
        return Recurrence(since=since, seconds=rate) if is_rate else None
    after, nth = moment.after_midnight, _nth(moment)
    if nth is None or after is None or (on_days and (after >= DAY or not after)):
        return None
    return Recurrence(
        since=since,
        time=(dt.datetime.min + after % DAY).time(),
        weekdays=_some(moment.weekdays),
        nth=nth,
        month_day=moment.month_day,
    )


def _some(weekdays: tuple[int, ...]) -> tuple[int, ...]:
    """Return weekdays; empty if they are all seven."""
    return () if len(weekdays) == 7 else weekdays


def _nth(moment: TimeExpression) -> int | None:
    """Return a recurrence's interval in days or weeks; None if it is not a whole number."""
    rate, unit = moment.seconds, _WEEK if moment.weekdays else _DAY
    if not rate or (moment.weekdays and rate == _DAY):
        return 1
    return int(rate // unit) if rate % unit == 0 and not moment.month_day else None


def _times(repeat: Recurrence, after: dt.datetime, hass: HomeAssistant) -> Iterator[dt.datetime]:
    """Yield the times on a recurrence's days after an instant, regardless of `nth`."""
    found = _suns(repeat, after, hass) if repeat.sun else _clocks(repeat, after)
    # A 31st comes within two months.
    for at in islice(found, 64 + 7 * repeat.nth):
        day = _day(repeat, at)
        if repeat.weekdays and day.weekday() not in repeat.weekdays:
            continue
        if repeat.month_day in (None, day.day):
            yield at


def _day(repeat: Recurrence, at: dt.datetime) -> dt.date:
    """Return the local date of an occurrence; with an offset, that of the sun's event."""
    return dt_util.as_local(at - _seconds(repeat.offset)).date()


def _suns(repeat: Recurrence, after: dt.datetime, hass: HomeAssistant) -> Iterator[dt.datetime]:
    at: dt.datetime | None = after
    while at and (at := next_sun(hass, repeat.sun, at, repeat.offset)):
        yield at


def _clocks(repeat: Recurrence, after: dt.datetime) -> Iterator[dt.datetime]:
    first = dt_util.as_local(after).date() - DAY
    times = (to_instant(first + DAY * days, repeat.time or dt.time()) for days in count())
    return (at for at in times if at > after)


def _is_nth(repeat: Recurrence, day: dt.date, first: dt.date | None) -> bool:
    """Return True if a day is a multiple of `nth` days, or weeks, after the first one."""
    if first is None:
        return True
    if not repeat.weekdays:
        return (day - first).days % repeat.nth == 0
    return (day - (first - DAY * first.weekday())).days // 7 % repeat.nth == 0
