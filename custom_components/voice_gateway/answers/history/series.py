"""The recorded history of an entity."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
import datetime as dt
from itertools import pairwise
from typing import Final

from homeassistant.const import STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import State

_NOTHING: Final = frozenset((STATE_UNAVAILABLE, STATE_UNKNOWN, ""))

type Value = Callable[[State], float | None]
"""Returns the number of a state."""
type IsSo = Callable[[str], bool]
"""Returns True if a state is one of the requested ones."""


@dataclass(frozen=True, slots=True)
class StatePeriod:
    """A period in which an entity had one state."""

    state: str
    start: dt.datetime
    end: dt.datetime
    has_start: bool = True
    """Whether it came into the state at the start; else it was in it before, or that is unknown."""
    has_end: bool = True
    """Whether it left the state at the end."""

    @property
    def is_known(self) -> bool:
        """Whether the state is known."""
        return self.state not in _NOTHING


@dataclass(frozen=True, slots=True)
class StateHistory:
    """The course of an entity's state, as periods without gaps."""

    stretches: Sequence[StatePeriod]
    since: dt.datetime | None
    """The start of the recorded data, if this does not cover the beginning."""

    @property
    def first(self) -> str:
        """The first state; empty if unknown."""
        first = self.stretches[0]
        return first.state if first.is_known and self.since is None else ""

    def of(self, is_so: IsSo) -> Sequence[StatePeriod]:
        """Return the periods in the requested states; unknown states do not interrupt a period."""
        found: list[StatePeriod] = []
        is_next = False
        for each in self.stretches:
            if each.is_known and is_so(each.state):
                if is_next:
                    found[-1] = replace(found[-1], end=each.end, has_end=each.has_end)
                else:
                    found.append(each)
                is_next = True
            elif each.is_known:
                is_next = False
        return found

    def lasted(self, is_so: IsSo) -> dt.timedelta:
        """Return the total duration of the requested states."""
        return _total(each for each in self.stretches if each.is_known and is_so(each.state))

    @property
    def unknown(self) -> dt.timedelta:
        """The total duration of unknown states, since the start of the recorded data."""
        return _total(each for each in self.stretches if not each.is_known)


@dataclass(frozen=True, slots=True)
class Numbers:
    """The values of an entity in an interval: minimum, maximum, and mean weighted by time."""

    low: float
    high: float
    mean: float
    low_at: dt.datetime | None = None
    high_at: dt.datetime | None = None
    since: dt.datetime | None = None
    """The start of the recorded data, if this does not cover the beginning."""


@dataclass(frozen=True, slots=True)
class Consumption:
    """The increase of a meter."""

    amount: float
    since: dt.datetime | None
    """The start of the recorded data, if this does not cover the beginning."""


def course_of(
    states: Sequence[State], current: State | None, start: dt.datetime, end: dt.datetime
) -> StateHistory | None:
    """Return the course of a state from its rows in an interval; None if it is unknown."""
    if not states:
        # It has not changed, and its earlier rows were purged.
        if current is None or current.last_changed >= end:
            return None
        begins = max(start, current.last_changed)
        has_start = begins > start
        only = StatePeriod(current.state, begins, end, has_start=has_start, has_end=False)
        return StateHistory([only], begins if has_start else None)
    times = [max(each.last_updated, start) for each in states]
    ends = [*times[1:], end]
    stretches = [
        StatePeriod(state.state, first, last, has_start=first > start, has_end=last < end)
        for state, first, last in zip(states, times, ends, strict=True)
    ]
    if times[0] > start:
        # The first row is the start of the recorded data, not a change.
        stretches[0] = replace(stretches[0], has_start=False)
    return StateHistory(stretches, times[0] if times[0] > start else None)


def _total(periods: Iterable[StatePeriod]) -> dt.timedelta:
    return sum((each.end - each.start for each in periods), dt.timedelta())


def aggregate(
    states: Sequence[State], value: Value, start: dt.datetime, end: dt.datetime
) -> Numbers | None:
    """Return minimum, maximum and mean of the values of states, weighted by their duration."""
    times = [*(max(each.last_updated, start) for each in states), end]
    found = [
        (number, first, last)
        for state, (first, last) in zip(states, pairwise(times), strict=True)
        if last > first and (number := value(state)) is not None
    ]
    if not found:
        return None
    total = sum((last - first).total_seconds() for _, first, last in found)
    mean = sum(number * (last - first).total_seconds() for number, first, last in found) / total
    low, low_at, _ = min(found, key=lambda each: each[0])
    high, high_at, _ = max(found, key=lambda each: each[0])
    since = found[0][1] if found[0][1] > start else None
    return Numbers(low, high, mean, low_at, high_at, since)
