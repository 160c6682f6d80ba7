"""The day of a time that another clause says: "tomorrow at eight turn it on, and off at ten"."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from .said import Clause, Kind, Moment

_DAY = 86400.0
_NOON = 12


def on_the_same_day(clause: Clause, earlier: Sequence[Clause]) -> Clause:
    """Return a clause whose times without a day are on that of the clauses before, if they have one.

    Where such a time would be before the one that was said there, nobody knows its day.
    """
    moments = (moment for each in reversed(earlier) for moment in reversed(each.moments))
    day = next(filter(_has_day, moments), None)
    if day is None or any(map(_has_day, clause.moments)):
        return clause
    return replace(clause, moments=tuple(_dated(clause.moments, day)))


def _dated(moments: Iterable[Moment], day: Moment) -> Iterable[Moment]:
    for moment in moments:
        if moment.kind is not Kind.AT or not (moment.time or moment.sun):
            yield moment
            continue
        # Each day has all of its times; of one day, those after are meant.
        daily = day.kind is Kind.EVERY and not (day.weekdays or day.month_day)
        moment = _in_the_same_half(moment, day)  # noqa: PLW2901
        yield replace(
            moment,
            kind=day.kind,
            seconds=moment.seconds if moment.sun else day.seconds,
            day_offset=day.day_offset,
            weekdays=day.weekdays,
            week=day.week,
            month_day=day.month_day,
            month=day.month,
            unread=moment.unread or day.unread or not (daily or _is_later(moment, day)),
        )


def _in_the_same_half(moment: Moment, day: Moment) -> Moment:
    """Return a bare hour as one of the same half of the day: "at eight pm ... at ten"."""
    if moment.meridiem or moment.daytime or not moment.time or moment.time.hour > _NOON:
        return moment
    return replace(moment, meridiem=day.meridiem, daytime=day.daytime)


def _has_day(moment: Moment) -> bool:
    if moment.kind is Kind.EVERY:
        return not moment.seconds or moment.seconds % _DAY == 0
    dated = moment.day_offset is not None or moment.weekdays or moment.month_day or moment.week
    return moment.kind is Kind.AT and bool(dated)


def _is_later(moment: Moment, day: Moment) -> bool:
    """Tell whether a time is after another of the same day."""
    if not (moment.time and day.time):
        return True
    return _minutes(moment) > _minutes(day)


def _minutes(moment: Moment) -> int:
    """Return a time in minutes after midnight, or after noon where nothing says which."""
    assert moment.time
    hour = moment.time.hour
    if moment.meridiem:
        hour = hour % 12 + 12 * (moment.meridiem == "pm")
    return hour * 60 + moment.time.minute
