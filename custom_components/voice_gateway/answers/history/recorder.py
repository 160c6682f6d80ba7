"""Home Assistant's recorder: the recorded states and statistics of an entity.

The queries block: `async_read` runs them in the recorder's thread. Each returns None without data.
"""

from collections.abc import Callable, Sequence
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
from homeassistant.helpers.recorder import DATA_INSTANCE, get_instance
from sqlalchemy.exc import SQLAlchemyError

from ...const import LOGGER
from ...home.state_semantics import finite_number
from .series import Consumption, IsSo, Numbers, StateHistory, Value, aggregate, course_of

_MOST_ROWS: Final = 20_000
"""Maximum rows of an entity that are read; beyond, only statistics are used."""
_LATEST: Final = 1_000
"""Rows that are searched first for the last occurrence of a state."""
_DETAILED: Final = dt.timedelta(hours=26)
"""The longest interval whose numbers are read one by one: a day, even one with a clock change."""
_MOMENT: Final = dt.timedelta(milliseconds=1)
_SECOND: Final = dt.timedelta(seconds=1)
_HOUR: Final = dt.timedelta(hours=1)


class HistoryUnavailable(Exception):
    """The recorded data can't be read: there is too much, or the database fails."""


async def async_read[*Ts, T](
    hass: HomeAssistant,
    query: Callable[[HomeAssistant, str, *Ts], T],
    entity_id: str,
    *arguments: *Ts,
) -> T | None:
    """Return the result of one of the queries below; None for an unrecorded entity.

    Raises HistoryUnavailable if there are too many rows, and no statistics instead, or if the
    database fails.
    """
    if DATA_INSTANCE not in hass.data:
        return None
    instance = get_instance(hass)
    if instance.entity_filter and not instance.entity_filter(entity_id):
        return None
    try:
        return await instance.async_add_executor_job(query, hass, entity_id, *arguments)
    except SQLAlchemyError as err:
        LOGGER.warning("What was recorded of %s can't be read: %r", entity_id, err)
        raise HistoryUnavailable from err


def course(
    hass: HomeAssistant, entity_id: str, start: dt.datetime, end: dt.datetime
) -> StateHistory | None:
    """Return the course of an entity's state in an interval."""
    states = _few(_changes(hass, entity_id, start, end))
    return course_of(states, hass.states.get(entity_id), start, end)


def latest(
    hass: HomeAssistant, entity_id: str, is_so: IsSo, now: dt.datetime, longest: dt.timedelta
) -> StateHistory | None:
    """Return the recent course of an entity's state, back to its last period with `is_so`."""
    current = hass.states.get(entity_id)
    for most in (_LATEST, _MOST_ROWS):
        found = state_changes_during_period(
            hass,
            _utc(now - longest),
            _utc(now),
            entity_id,
            no_attributes=True,
            descending=True,
            limit=most,
            include_start_time_state=False,
        )
        states = sorted(found.get(entity_id, []), key=lambda each: each.last_updated)
        starts = [each.last_updated for each in states]
        starts += [current.last_changed] if current else []
        kept = course_of(states, current, starts[0], now) if starts else None
        if len(states) < most or (kept and any(each.has_start for each in kept.of(is_so))):
            return kept
    raise HistoryUnavailable


def numbers(
    hass: HomeAssistant,
    entity_id: str,
    start: dt.datetime,
    end: dt.datetime,
    attribute: Value | None,
) -> Numbers | None:
    """Return an entity's values in an interval; for a long one, from statistics.

    `attribute`: returns the number in the attributes, which have no statistics; else the state
    counts.
    """
    if attribute:
        return aggregate(_attributes(hass, entity_id, start, end), attribute, start, end)
    is_short = end - start <= _DETAILED
    states = _changes(hass, entity_id, start, end) if is_short else []
    if not 0 < len(states) <= _MOST_ROWS:
        found = statistic_during_period(
            hass, _utc(start), _utc(end), entity_id, {"min", "max", "mean"}, None
        )
        low, high, mean = (found.get(each) for each in ("min", "max", "mean"))
        if low is not None and high is not None and mean is not None:
            return Numbers(low, high, mean, since=_since(hass, entity_id, start, end, "mean"))
        states = states or _changes(hass, entity_id, start, end)
    return aggregate(_few(states), _of_state, start, end)


def number(
    hass: HomeAssistant, entity_id: str, at: dt.datetime, attribute: Value | None
) -> tuple[float, bool] | None:
    """Return an entity's value at a moment, and whether it is exact.

    If its states were purged already, it is the mean of the hour.
    """
    until = at + _SECOND
    states = (_attributes if attribute else _changes)(hass, entity_id, at, until)
    if states and states[0].last_updated <= until:
        value = (attribute or _of_state)(states[0])
        return None if value is None else (value, True)
    if attribute:
        return None
    hour = _utc(at).replace(minute=0, second=0, microsecond=0)
    found = statistics_during_period(hass, hour, hour + _HOUR, {entity_id}, "hour", None, {"mean"})
    mean = next((row["mean"] for row in found.get(entity_id, ())), None)
    return None if mean is None else (mean, False)


def used(
    hass: HomeAssistant, entity_id: str, start: dt.datetime, end: dt.datetime
) -> Consumption | None:
    """Return the increase of a meter, including resets in between."""
    found = statistic_during_period(hass, _utc(start), _utc(end), entity_id, {"change"}, None)
    if (change := found.get("change")) is None:
        return None
    return Consumption(change, _since(hass, entity_id, start, end, "sum"))


def _changes(
    hass: HomeAssistant, entity_id: str, start: dt.datetime, end: dt.datetime
) -> Sequence[State]:
    """Return the previous state and the changes in an interval; at most one row too many."""
    # The query omits a change exactly at its start, both as a change and as the previous state.
    before = _utc(start) - _MOMENT
    found = state_changes_during_period(
        hass, before, _utc(end), entity_id, no_attributes=True, limit=_MOST_ROWS + 1
    )
    states = found.get(entity_id, [])
    return states[1:] if len(states) > 1 and states[1].last_updated <= start else states


def _attributes(
    hass: HomeAssistant, entity_id: str, start: dt.datetime, end: dt.datetime
) -> Sequence[State]:
    """Return states with their attributes; none if the interval is longer than `_DETAILED`."""
    if end - start > _DETAILED:
        return []
    found = get_significant_states(
        hass, _utc(start), _utc(end), [entity_id], significant_changes_only=False
    )
    return _few([each for each in found.get(entity_id, []) if isinstance(each, State)])


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


def _of_state(state: State) -> float | None:
    return finite_number(state.state)


def _few(states: Sequence[State]) -> Sequence[State]:
    if len(states) > _MOST_ROWS:
        raise HistoryUnavailable
    return states


def _utc(at: dt.datetime) -> dt.datetime:
    return at.astimezone(dt.UTC)
