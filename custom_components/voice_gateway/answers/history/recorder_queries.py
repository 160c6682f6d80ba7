"""Queries of Home Assistant's recorder; they must run in its thread."""

from collections.abc import Sequence
import datetime as dt
from typing import Final, Literal

from homeassistant.components.recorder.history import (
    get_significant_states,
    state_changes_during_period,
)
from homeassistant.components.recorder.statistics import (
    statistic_during_period,
    statistics_during_period,
)
from homeassistant.core import HomeAssistant, State

from .series import Consumption, Numbers

MOST_ROWS: Final = 20_000
"""Maximum rows of an entity that are read; beyond, only statistics are used."""
DETAILED: Final = dt.timedelta(hours=26)
"""The longest interval whose numbers are read one by one: a day, even one with a clock change."""
_MOMENT: Final = dt.timedelta(milliseconds=1)
_HOUR: Final = dt.timedelta(hours=1)


def changes(
    hass: HomeAssistant, entity_id: str, start: dt.datetime, end: dt.datetime
) -> Sequence[State]:
    """Return the previous state and the changes in an interval; at most one row too many."""
    # The query omits a change exactly at its start, both as a change and as the previous state.
    before = _utc(start) - _MOMENT
    found = state_changes_during_period(
        hass, before, _utc(end), entity_id, no_attributes=True, limit=MOST_ROWS + 1
    )
    states = found.get(entity_id, [])
    return states[1:] if len(states) > 1 and states[1].last_updated <= start else states


def latest(
    hass: HomeAssistant, entity_id: str, start: dt.datetime, end: dt.datetime, most: int
) -> Sequence[State]:
    """Return the latest changes of a state, `most` at most, in chronological order."""
    found = state_changes_during_period(
        hass,
        _utc(start),
        _utc(end),
        entity_id,
        no_attributes=True,
        descending=True,
        limit=most,
        include_start_time_state=False,
    )
    return sorted(found.get(entity_id, []), key=lambda each: each.last_updated)


def attributes(
    hass: HomeAssistant, entity_id: str, start: dt.datetime, end: dt.datetime
) -> Sequence[State]:
    """Return states with their attributes; none if the interval is longer than `DETAILED`."""
    if end - start > DETAILED:
        return []
    found = get_significant_states(
        hass, _utc(start), _utc(end), [entity_id], significant_changes_only=False
    )
    return [each for each in found.get(entity_id, []) if isinstance(each, State)]


def statistics(
    hass: HomeAssistant, entity_id: str, start: dt.datetime, end: dt.datetime
) -> Numbers | None:
    """Return minimum, maximum and mean from statistics."""
    found = statistic_during_period(
        hass, _utc(start), _utc(end), entity_id, {"min", "max", "mean"}, None
    )
    low, high, mean = (found.get(each) for each in ("min", "max", "mean"))
    if low is None or high is None or mean is None:
        return None
    return Numbers(low, high, mean, since=_since(hass, entity_id, start, end, "mean"))


def mean_of_hour(hass: HomeAssistant, entity_id: str, at: dt.datetime) -> float | None:
    """Return the mean of the hour around a moment."""
    hour = _utc(at).replace(minute=0, second=0, microsecond=0)
    end = hour + _HOUR
    found = statistics_during_period(hass, hour, end, {entity_id}, "hour", None, {"mean"})
    return next((row["mean"] for row in found.get(entity_id, ())), None)


def change(
    hass: HomeAssistant, entity_id: str, start: dt.datetime, end: dt.datetime
) -> Consumption | None:
    """Return the increase of a sum."""
    found = statistic_during_period(hass, _utc(start), _utc(end), entity_id, {"change"}, None)
    if (change := found.get("change")) is None:
        return None
    return Consumption(change, _since(hass, entity_id, start, end, "sum"))


def _since(
    hass: HomeAssistant,
    entity_id: str,
    start: dt.datetime,
    end: dt.datetime,
    kind: Literal["mean", "sum"],
) -> dt.datetime | None:
    """Return the start of the statistics in an interval; None if they cover its beginning."""
    first = _utc(start).replace(minute=0, second=0, microsecond=0)
    # An hour that is not complete yet only has statistics of five minutes.
    looked_at: list[tuple[dt.datetime, dt.datetime, Literal["5minute", "hour"]]] = [
        (first - _HOUR, first + _HOUR, "hour"),
        (_utc(start), _utc(start) + _HOUR, "5minute"),
        (first, _utc(end), "hour"),
        (first, _utc(end), "5minute"),
    ]
    for begin, until, period in looked_at:
        found = statistics_during_period(hass, begin, until, {entity_id}, period, None, {kind})
        if rows := found.get(entity_id):
            at = dt.datetime.fromtimestamp(rows[0]["start"], dt.UTC)
            return at if at > _utc(start) + _HOUR else None
    return None


def _utc(at: dt.datetime) -> dt.datetime:
    return at.astimezone(dt.UTC)
