"""The home's clock and sun."""

import datetime as dt
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers.sun import get_astral_event_next
from homeassistant.util import dt as dt_util

DAY: Final = dt.timedelta(days=1)
_MINUTE: Final = dt.timedelta(minutes=1)


def to_instant(day: dt.date, after: dt.timedelta | dt.time = dt.time()) -> dt.datetime:
    """Return the instant, in UTC, at which the home's clock shows a time `after` midnight.

    A skipped time is the instant of the clock change; of a time that occurs twice, it is the first.
    """
    zone = dt_util.get_default_time_zone()
    if isinstance(after, dt.time):
        shown = dt.datetime.combine(day, after)
    else:
        shown = dt.datetime.combine(day, dt.time()) + after
    at = shown.replace(tzinfo=zone).astimezone(dt.UTC)
    if at.astimezone(zone).replace(tzinfo=None) == shown:
        return at
    before = shown.replace(tzinfo=zone, fold=1).astimezone(dt.UTC)
    return _skip(before, at, zone)


def _skip(before: dt.datetime, after: dt.datetime, zone: dt.tzinfo) -> dt.datetime:
    """Return the instant between two at which a zone's offset changes."""
    offset = before.astimezone(zone).utcoffset()
    while after - before > _MINUTE:
        middle = before + (after - before) / 2
        if middle.astimezone(zone).utcoffset() == offset:
            before = middle
        else:
            after = middle
    return after.replace(second=0, microsecond=0)


def next_sun(
    hass: HomeAssistant, sun: str, after: dt.datetime, offset: float
) -> dt.datetime | None:
    """Return the next sunrise or sunset, plus `offset` seconds, which may be negative.

    None if there is none within a year.
    """
    try:
        return get_astral_event_next(
            hass, sun, after.astimezone(dt.UTC), dt.timedelta(seconds=offset)
        )
    except ValueError:
        return None


def sun_of_day(hass: HomeAssistant, sun: str, day: dt.date, offset: float) -> dt.datetime | None:
    """Return the same for a day; None if the sun does not rise or set on it."""
    at = next_sun(hass, sun, to_instant(day), 0)
    if at is None or dt_util.as_local(at).date() != day:
        return None
    return at + dt.timedelta(seconds=offset)
