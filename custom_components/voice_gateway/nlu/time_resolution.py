"""Time resolution: the days and times of day that a time expression can mean."""

from collections.abc import Iterator, Sequence
import datetime as dt
from typing import Final

from .clause import TimeExpression
from .local_time import DAY, HALF_DAY, since_midnight, usual_time

# Of "today at 5", said after that: in the night nobody is up for it.
_SMALL: Final = dt.timedelta(hours=7)


def candidate_days(moment: TimeExpression, today: dt.date) -> Iterator[dt.date]:
    """Yield the days that may be meant, the first one first; none where they contradict."""
    dates: Iterator[dt.date] | Sequence[dt.date]
    if moment.day_offset is not None:
        # In the small hours, "tonight" is the night that has begun.
        first = -1 if moment.day_offset == 0 and _is_past_midnight(moment) else 0
        dates = [today + DAY * (moment.day_offset + each) for each in range(first, 1)]
    elif moment.month_day:
        dates = _dates(moment, today)
    elif moment.weekdays:
        dates = _on_weekday(moment, today)
    elif moment.week:
        return
    else:
        dates = [today + DAY * each for each in (-1, 0, 1)]
    yield from (day for day in dates if not moment.weekdays or day.weekday() in moment.weekdays)


def _on_weekday(moment: TimeExpression, today: dt.date) -> Sequence[dt.date]:
    (weekday,) = moment.weekdays
    coming = today + DAY * ((weekday - today.weekday()) % 7)
    if moment.week == "coming" and coming == today:
        return (coming + 7 * DAY,)
    if moment.week in ("", "coming"):
        return coming, coming + 7 * DAY
    of_next_week = today + DAY * (7 - today.weekday() + weekday)
    if moment.week == "either" and coming not in (today, of_next_week):
        return ()
    return (of_next_week,)


def _dates(moment: TimeExpression, today: dt.date) -> Iterator[dt.date]:
    """Yield the days of a date, from today on for some years."""
    for months in range(8 * 12 + 1):
        year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
        if moment.month in (None, month + 1):
            try:
                day = dt.date(year, month + 1, moment.month_day or 0)
            except ValueError:
                continue
            if day >= today:
                yield day


def _is_past_midnight(moment: TimeExpression) -> bool:
    if moment.time is None:
        return False
    return (since_midnight(moment.time, moment.part_of_day) or DAY) > DAY


def candidate_times(moment: TimeExpression) -> Sequence[dt.timedelta]:
    """Return the times after midnight that may be meant."""
    daytime = moment.part_of_day
    if moment.time is None:
        time = usual_time(daytime)
        return () if time is None else (time,)
    time = since_midnight(moment.time, daytime)
    another = bool(moment.day_offset or moment.month_day or moment.weekdays)
    if time is None or (another and (time >= DAY or not time)):
        return ()  # nobody knows to which of two days midnight belongs
    if daytime or another or time >= HALF_DAY + dt.timedelta(hours=1):
        return (time,)
    if moment.day_offset is None:
        return (time, time + HALF_DAY) if moment.time.hour else (time,)
    if not moment.time.hour:
        return (time, time + DAY)
    return (time, time + HALF_DAY) if time < _SMALL else (time,)
