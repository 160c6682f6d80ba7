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
from ..intervals import Interval
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
    query: Callable[[HomeAssistant, str, Interval, *Ts], T],
    entity_id: str,
    span: Interval,
    *arguments: *Ts,
) -> T | None:
    """Return the result of one of the queries below; None for an unrecorded entity.

    Of a moment, the second that begins with it is read.

    Raises HistoryUnavailable if there are too many rows, and no statistics instead, or if the
    database fails.
    """
    if DATA_INSTANCE not in hass.data:
        return None
    instance = get_instance(hass)
    if instance.entity_filter and not instance.entity_filter(entity_id):
        return None
    start = span.start.astimezone(dt.UTC)
    end = start + _SECOND if span.is_point else span.end.astimezone(dt.UTC)
    read = Interval(start, end)
    try:
        return await instance.async_add_executor_job(query, hass, entity_id, read, *arguments)
    except SQLAlchemyError as err:
        LOGGER.warning("What was recorded of %s can't be read: %r", entity_id, err)
        raise HistoryUnavailable from err


def course(hass: HomeAssistant, entity_id: str, span: Interval) -> StateHistory | None:
    """Return the course of an entity's state in an interval."""
    states = _few(_changes(hass, entity_id, span))
    return course_of(states, hass.states.get(entity_id), span.start, span.end)


def latest(hass: HomeAssistant, entity_id: str, span: Interval, is_so: IsSo) -> StateHistory | None:
    """Return the course of an entity's state, back to its last period with `is_so`."""
    current = hass.states.get(entity_id)
    for most in (_LATEST, _MOST_ROWS):
        found = state_changes_during_period(
            hass,
            span.start,
            span.end,
            entity_id,
            no_attributes=True,
            descending=True,
            limit=most,
            include_start_time_state=False,
        )
        states = sorted(found.get(entity_id, []), key=lambda each: each.last_updated)
        starts = [each.last_updated for each in states]
        starts += [current.last_changed] if current else []
        kept = course_of(states, current, starts[0], span.end) if starts else None
        if len(states) < most or (kept and any(each.has_start for each in kept.of(is_so))):
            return kept
    raise HistoryUnavailable


def numbers(
    hass: HomeAssistant, entity_id: str, span: Interval, attribute: Value | None
) -> Numbers | None:
    """Return an entity's values in an interval; for a long one, from statistics.

    `attribute`: returns the number in the attributes, which have no statistics; else the state
    counts.
    """
    if attribute:
        return aggregate(_attributes(hass, entity_id, span), attribute, span.start, span.end)
    is_short = span.end - span.start <= _DETAILED
    states = _changes(hass, entity_id, span) if is_short else []
    if not 0 < len(states) <= _MOST_ROWS:
        found = statistic_during_period(
            hass, span.start, span.end, entity_id, {"min", "max", "mean"}, None
        )
        low, high, mean = (found.get(each) for each in ("min", "max", "mean"))
        if low is not None and high is not None and mean is not None:
            return Numbers(low, high, mean, since=_since(hass, entity_id, span, "mean"))
        states = states or _changes(hass, entity_id, span)
    return aggregate(_few(states), _of_state, span.start, span.end)


def number(
    hass: HomeAssistant, entity_id: str, span: Interval, attribute: Value | None
) -> tuple[float, bool] | None:
    """Return an entity's value at the start of an interval, and whether it is exact.

    If its states were purged already, it is the mean of the hour.
    """
    states = (_attributes if attribute else _changes)(hass, entity_id, span)
    if states and states[0].last_updated <= span.end:
        value = (attribute or _of_state)(states[0])
        return None if value is None else (value, True)
    if attribute:
        return None
    hour = span.start.replace(minute=0, second=0, microsecond=0)
    found = statistics_during_period(hass, hour, hour + _HOUR, {entity_id}, "hour", None, {"mean"})
    mean = next((row["mean"] for row in found.get(entity_id, ())), None)
    return None if mean is None else (mean, False)


def used(hass: HomeAssistant, entity_id: str, span: Interval) -> Consumption | None:
    """Return the increase of a meter, including resets in between."""
    found = statistic_during_period(hass, span.start, span.end, entity_id, {"change"}, None)
    if (change := found.get("change")) is None:
        return None
    return Consumption(change, _since(hass, entity_id, span, "sum"))


def _changes(hass: HomeAssistant, entity_id: str, span: Interval) -> Sequence[State]:
    """Return the previous state and the changes in an interval; at most one row too many."""
    # The query omits a change exactly at its start, both as a change and as the previous state.
    before = span.start - _MOMENT
    found = state_changes_during_period(
        hass, before, span.end, entity_id, no_attributes=True, limit=_MOST_ROWS + 1
    )
    states = found.get(entity_id, [])
    return states[1:] if len(states) > 1 and states[1].last_updated <= span.start else states


def _attributes(hass: HomeAssistant, entity_id: str, span: Interval) -> Sequence[State]:
    """Return states with their attributes; none if the interval is longer than `_DETAILED`."""
    if span.end - span.start > _DETAILED:
        return []
    found = get_significant_states(
        hass, span.start, span.end, [entity_id], significant_changes_only=False
    )
    return _few([each for each in found.get(entity_id, []) if isinstance(each, State)])


def _since(
    hass: HomeAssistant, entity_id: str, span: Interval, kind: Literal["mean", "sum"]
) -> dt.datetime | None:
    """Return the start of the statistics in an interval; None if they cover its beginning."""
    start, end = span.start, span.end
    first = start.replace(minute=0, second=0, microsecond=0)
    # An hour that is not complete yet only has statistics of five minutes.
    looked_at: list[tuple[dt.datetime, dt.datetime, Literal["5minute", "hour"]]] = [
        (first - _HOUR, first + _HOUR, "hour"),
        (start, start + _HOUR, "5minute"),
        (first, end, "hour"),
        (first, end, "5minute"),
    ]
    for begin, until, period in looked_at:
        found = statistics_during_period(hass, begin, until, {entity_id}, period, None, {kind})
        if rows := found.get(entity_id):
            at = dt.datetime.fromtimestamp(rows[0]["start"], dt.UTC)
            return at if at > start + _HOUR else None
    return None


def _of_state(state: State) -> float | None:
    return finite_number(state.state)


def _few(states: Sequence[State]) -> Sequence[State]:
    if len(states) > _MOST_ROWS:
        raise HistoryUnavailable
    return states
