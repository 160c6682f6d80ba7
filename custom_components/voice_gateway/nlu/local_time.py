"""Local time: the home's clock, the usual hours of the parts of a day, and the sun."""

import datetime as dt

from homeassistant.core import HomeAssistant
from homeassistant.helpers.sun import get_astral_event_next
from homeassistant.util import dt as dt_util

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
