"""Time resolution: the days and times that a time expression can mean, by the home's clock and sun."""

from collections.abc import Iterator, Sequence
import datetime as dt
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers.sun import get_astral_event_next
from homeassistant.util import dt as dt_util

from .clause import TimeExpression

HALF_DAY = dt.timedelta(hours=12)
DAY = dt.timedelta(days=1)
_MINUTE = dt.timedelta(minutes=1)

# From which hour on a part of the day has its twelve hours: "2 at night" is 26 o'clock, counted from
# midnight before the night. "late" is what may be the evening or the night: "tonight", "esta noche".
_FROM = {
    "am": 0,
    "pm": 12,
    "small_hours": 0,
    "morning": 0,
    "forenoon": 0,
    "noon": 10,
    "afternoon": 12,
    "evening": 13,
    "late": 16,
    "night": 18,
}
# When a part of the day is meant to be where no hour is said; whoever spoke is told.
_USUAL = {
    "morning": 8,
    "forenoon": 10,
    "noon": 12,
    "afternoon": 15,
    "evening": 19,
    "late": 20,
    "night": 22,
}


def to_local(at: dt.datetime) -> dt.datetime:
    """Return a moment as the home's clock shows it."""
    return dt_util.as_local(at)


def to_instant(day: dt.date, after: dt.timedelta) -> dt.datetime:
    """Return when the home's clock shows a time, in UTC; `after` midnight of a day.

    Where the clock skips it, that is when the clock has skipped it; where the clock shows it twice,
    the first time.
    """
    zone = dt_util.get_default_time_zone()
    shown = dt.datetime.combine(day, dt.time()) + after
    at = shown.replace(tzinfo=zone).astimezone(dt.UTC)
    if at.astimezone(zone).replace(tzinfo=None) == shown:
        return at
    before = shown.replace(tzinfo=zone, fold=1).astimezone(dt.UTC)
    return _skip(before, at, zone)


def _skip(before: dt.datetime, after: dt.datetime, zone: dt.tzinfo) -> dt.datetime:
    """Return the moment between two at which a zone's offset changes."""
    offset = before.astimezone(zone).utcoffset()
    while after - before > _MINUTE:
        middle = before + (after - before) / 2
        if middle.astimezone(zone).utcoffset() == offset:
            before = middle
        else:
            after = middle
    return after.replace(second=0, microsecond=0)


def usual_time(daytime: str) -> dt.timedelta | None:
    """Return when a part of the day is meant to be, after midnight; None where nobody can know."""
    hour = _USUAL.get(daytime)
    return None if hour is None else dt.timedelta(hours=hour)


def since_midnight(time: dt.time, daytime: str) -> dt.timedelta | None:
    """Return how long after midnight a time of day in a part of it is, a day and more in the night.

    None where there is no such time: "17 in the morning".
    """
    said = dt.timedelta(hours=time.hour, minutes=time.minute, seconds=time.second)
    if not daytime:
        return said
    first = dt.timedelta(hours=_FROM[daytime])
    if said >= HALF_DAY + dt.timedelta(hours=1):
        return said if first <= said < first + HALF_DAY else None
    return first + (said - first) % HALF_DAY


def next_sun(
    hass: HomeAssistant, sun: str, after: dt.datetime, offset: float
) -> dt.datetime | None:
    """Return when the sun rises or sets the next time; `offset` seconds from it, before it negative.

    None where it does neither within a year.
    """
    try:
        return get_astral_event_next(
            hass, sun, after.astimezone(dt.UTC), dt.timedelta(seconds=offset)
        )
    except ValueError:
        return None


def sun_of_day(hass: HomeAssistant, sun: str, day: dt.date, offset: float) -> dt.datetime | None:
    """Return the same for a day; None where the sun does not rise or set on it."""
    at = next_sun(hass, sun, to_instant(day, dt.timedelta()), 0)
    if at is None or to_local(at).date() != day:
        return None
    return at + dt.timedelta(seconds=offset)


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
