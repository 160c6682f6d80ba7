"""When something is to be done, as the moments of a sentence say it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
import datetime as dt
import math
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..home.clock import DAY, next_sun, to_instant
from ..nlu.time_resolution import TimeExpression, TimeType

SHORTEST: Final = 60.0
"""Seconds between two times of what is done again and again; less is nobody's wish."""

_DAY: Final = 86400.0
_WEEK: Final = 7 * _DAY
_LONGEST: Final = 10 * 366 * _DAY
"""Seconds that are longer than anybody plans."""
_RAREST: Final = 366
"""Days or weeks between two times."""
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
    """At one moment."""

    at: dt.datetime
    """In UTC."""
    sun: str = ""
    """What the sun does then, if that was said: "sunset"."""
    offset: float = 0
    """Seconds from that, before it negative."""

    def __post_init__(self) -> None:
        """Check what it says. Raises TypeError or ValueError."""
        _check_sun(self.sun, self.offset)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recurrence:
    """Again and again: each so many seconds, or at a time of the clock or the sun on some days."""

    since: dt.datetime
    """When it was said, in UTC: it is done after that only, and counted from the first time."""
    seconds: float | None = None
    """From one time to the next, where there is no time of day."""
    time: dt.time | None = None
    """By the home's clock."""
    sun: str = ""
    """"sunrise", "sunset", "dawn" or "dusk", where there is no `time`."""
    offset: float = 0
    """Seconds from that, before it negative."""
    weekdays: tuple[int, ...] = ()
    """Monday is 0; empty for all days."""
    nth: int = 1
    """Each so many days, or weeks where there are `weekdays`."""
    month_day: int | None = None
    """The day of each month that has it."""

    def __post_init__(self) -> None:
        """Check what it says: that there is a next time, and soon found. Raises TypeError or ValueError."""
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
    """When something happens."""

    condition: str
    """The words that say what."""
    each: bool
    """Each time, or the next time only."""
    held: float = 0
    """Seconds that it has to be so."""
    is_over: bool = False
    """It is that it is no longer so."""

    def __post_init__(self) -> None:
        """Check what it says. Raises TypeError or ValueError."""
        if not 0 <= self.held <= _LONGEST:
            raise ValueError(f"Seconds that it holds: {self.held}")


def _check_sun(sun: str, offset: float) -> None:
    if sun not in _SUN or not -_OFFSET <= offset <= _OFFSET:
        raise ValueError(f"The sun: {sun!r}, {offset}")


type Schedule = AtTime | Recurrence | OnEvent


def when_of(
    moments: Sequence[TimeExpression], now: dt.datetime, hass: HomeAssistant
) -> Schedule | None:
    """Return when a command with these moments begins.

    None where nobody can know: they are unclear or contradict each other, their time is over, or
    a part of them is not understood; and where none of them is about the beginning. Conditions are
    left to whoever looks at them at that moment; but a single "if" alone is the event that it is so.
    """
    begins = [each for each in moments if each.type not in _LATER]
    # "If the sun sets" is nothing but a time.
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
    """Return when what begins at a moment is over, or the event that ends it.

    None where nothing says so, or nobody can know; `for` and `until` say so.
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
    """Return the words of moments, as they were spoken."""
    return " ".join(each.text for each in moments)


def day_of(moments: Sequence[TimeExpression], now: dt.datetime) -> dt.date | None:
    """Return the day that moments say, by the home's calendar; None where they say none, or several."""
    said = _merged(moments)
    if said is None or len(said.weekdays) > 1 or not said.has_day:
        return None
    return next(said.days(dt_util.as_local(now).date()), None)


def lacks_time(moments: Sequence[TimeExpression]) -> bool:
    """Return True if moments say on which days something begins, and not when on these."""
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
    """Return the next time, in UTC and later than `after`; None where there is none, or nobody knows it."""
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


def moved(repeat: Recurrence, at: dt.datetime) -> Recurrence:
    """Return what is done again and again as it is when it is moved to begin at a time, in UTC."""
    shown = dt_util.as_local(at)
    if repeat.seconds:
        return replace(repeat, since=at - _seconds(repeat.seconds))
    return replace(
        repeat,
        since=at - _seconds(1),
        time=shown.time(),
        sun="",
        offset=0,
        weekdays=(shown.weekday(),) if len(repeat.weekdays) == 1 else repeat.weekdays,
        month_day=repeat.month_day and shown.day,
    )


def rrule(repeat: Recurrence) -> str | None:
    """Return it as the rule of a calendar's event; None where no rule says it.

    Of RFC 5545's rules Home Assistant's calendars take those of days, weeks, months and years.
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
    """Return when some seconds are over; None where nobody knows how many."""
    return AtTime(at=begins.astimezone(dt.UTC) + _seconds(seconds)) if seconds else None


def _seconds(seconds: float) -> dt.timedelta:
    return dt.timedelta(seconds=seconds)


def _event(moments: Sequence[TimeExpression]) -> OnEvent | None:
    """Return the event of moments that are all the same one."""
    found = {(each.condition, each.type) for each in moments}
    if len(found) > 1 or not moments[0].condition:
        return None
    return OnEvent(condition=moments[0].condition, each=moments[0].type is TimeType.WHENEVER)


def _merged(moments: Sequence[TimeExpression]) -> TimeExpression | None:
    """Return moments at days and times as one; None where they contradict each other."""
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
    """Return when some delays are over, one after the other, which begin at other moments or now."""
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
    """Return when a delay is over, or the time on the day to which it leads: "in two days at 8"."""
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
    """Return the first moment after now at which the clock shows what was said."""
    at = moment.next_instant(now, hass)
    return AtTime(at=at, sun=moment.sun, offset=moment.seconds or 0) if at else None


def _repeat(moment: TimeExpression, now: dt.datetime) -> Recurrence | None:
    """Return what is done again and again; None where nobody knows at which time of the day."""
    since = now.astimezone(dt.UTC)
    rate = moment.seconds
    if moment.day_offset is not None or moment.month or moment.week:
        return None
    if moment.sun:
        every = Recurrence(since=since, sun=moment.sun, offset=rate or 0)
        return replace(every, weekdays=_some(moment.weekdays), month_day=moment.month_day)
    if (nth := _nth(moment)) is None:
        return None
    if not moment.has_time:
        is_rate = rate and rate >= SHORTEST and rate % _DAY and not moment.weekdays
        return Recurrence(since=since, seconds=rate) if is_rate and not moment.month_day else None
    after = moment.after_midnight
    on_days = bool(moment.weekdays or moment.month_day)
    if after is None or (on_days and (after >= DAY or not after)):
        return None
    return Recurrence(
        since=since,
        time=(dt.datetime.min + after % DAY).time(),
        weekdays=_some(moment.weekdays),
        nth=nth,
        month_day=moment.month_day,
    )


def _some(weekdays: tuple[int, ...]) -> tuple[int, ...]:
    """Return days of the week, none where they are all of them."""
    return () if len(weekdays) == 7 else weekdays


def _nth(moment: TimeExpression) -> int | None:
    """Return each how many days or weeks it is; None where that is no whole number of them."""
    rate = moment.seconds
    if not rate or not moment.has_time:
        return 1
    if not moment.weekdays:
        return int(rate // _DAY) if rate % _DAY == 0 and not moment.month_day else None
    if rate == _DAY:
        return 1
    return int(rate // _WEEK) if rate % _WEEK == 0 and not moment.month_day else None


def _times(repeat: Recurrence, after: dt.datetime, hass: HomeAssistant) -> Iterator[dt.datetime]:
    """Yield the times on its days after a moment, whether or not they are the n-th."""
    found = _suns(repeat, after, hass) if repeat.sun else _clocks(repeat, after)
    for at in found:
        day = _day(repeat, at)
        if repeat.weekdays and day.weekday() not in repeat.weekdays:
            continue
        if repeat.month_day in (None, day.day):
            yield at


def _day(repeat: Recurrence, at: dt.datetime) -> dt.date:
    """Return the day of a time, for the sun's that of the sun."""
    return dt_util.as_local(at - _seconds(repeat.offset)).date()


def _suns(repeat: Recurrence, after: dt.datetime, hass: HomeAssistant) -> Iterator[dt.datetime]:
    at: dt.datetime | None = after
    for _ in range(_most_days(repeat)):
        at = next_sun(hass, repeat.sun, at or after, repeat.offset)
        if at is None:
            return
        yield at


def _clocks(repeat: Recurrence, after: dt.datetime) -> Iterator[dt.datetime]:
    first = dt_util.as_local(after).date() - DAY
    for days in range(_most_days(repeat)):
        if (at := to_instant(first + DAY * days, repeat.time or dt.time())) > after:
            yield at


def _most_days(repeat: Recurrence) -> int:
    """Return within how many days there is a time: of a month's 31st within two months."""
    return 64 + 7 * repeat.nth


def _is_nth(repeat: Recurrence, day: dt.date, first: dt.date | None) -> bool:
    """Return True if a day is the n-th from the first one, or in the n-th week from its week."""
    if first is None:
        return True
    if not repeat.weekdays:
        return (day - first).days % repeat.nth == 0
    weeks = math.floor((day - (first - DAY * first.weekday())).days / 7)
    return weeks % repeat.nth == 0
