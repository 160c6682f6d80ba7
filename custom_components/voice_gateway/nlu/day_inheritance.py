"""Day inheritance: "tomorrow at eight turn it on, and off at ten"."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from .clause import Clause, TimeExpression, TimeType

_DAY = 86400.0
_NOON = 12


def inherit_day(clause: Clause, earlier: Sequence[Clause]) -> Clause:
    """Return a clause whose times without a day are on that of the clauses before, if they have one.

    Where such a time would be before the one that was said there, nobody knows its day.
    """
    moments = (moment for each in reversed(earlier) for moment in reversed(each.times))
    day = next(filter(_has_day, moments), None)
    if day is None or any(map(_has_day, clause.times)):
        return clause
    return replace(clause, times=tuple(_dated(clause.times, day)))


def _dated(moments: Iterable[TimeExpression], day: TimeExpression) -> Iterable[TimeExpression]:
    for moment in moments:
        if moment.type is not TimeType.AT or not (moment.time or moment.sun):
            yield moment
            continue
        # Each day has all of its times; of one day, those after are meant.
        daily = day.type is TimeType.EVERY and not (day.weekdays or day.month_day)
        moment = _in_the_same_half(moment, day)  # noqa: PLW2901
        yield replace(
            moment,
            type=day.type,
            seconds=moment.seconds if moment.sun else day.seconds,
            day_offset=day.day_offset,
            weekdays=day.weekdays,
            week=day.week,
            month_day=day.month_day,
            month=day.month,
            is_unread=moment.is_unread or day.is_unread or not (daily or _is_later(moment, day)),
        )


def _in_the_same_half(moment: TimeExpression, day: TimeExpression) -> TimeExpression:
    """Return a bare hour as one of the same half of the day: "at eight pm ... at ten"."""
    if moment.meridiem or moment.daytime or not moment.time or moment.time.hour > _NOON:
        return moment
    return replace(moment, meridiem=day.meridiem, daytime=day.daytime)


def _has_day(moment: TimeExpression) -> bool:
    if moment.type is TimeType.EVERY:
        return not moment.seconds or moment.seconds % _DAY == 0
    dated = moment.day_offset is not None or moment.weekdays or moment.month_day or moment.week
    return moment.type is TimeType.AT and bool(dated)


def _is_later(moment: TimeExpression, day: TimeExpression) -> bool:
    """Return True if a time is after another of the same day."""
    if not (moment.time and day.time):
        return True
    return _minutes(moment) > _minutes(day)


def _minutes(moment: TimeExpression) -> int:
    """Return a time in minutes after midnight, or after noon where nothing says which."""
    assert moment.time
    hour = moment.time.hour
    if moment.meridiem:
        hour = hour % 12 + 12 * (moment.meridiem == "pm")
    return hour * 60 + moment.time.minute
