"""What was of an entity, as it has been read."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
import datetime as dt
from itertools import pairwise
from typing import Final

from homeassistant.const import STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import State

_NOTHING: Final = frozenset((STATE_UNAVAILABLE, STATE_UNKNOWN, ""))

type Value = Callable[[State], float | None]
"""The number that a state shows."""
type IsSo = Callable[[str], bool]
"""Whether a state is one of those that are asked about."""


@dataclass(frozen=True, slots=True)
class StatePeriod:
    """A time in which an entity had one state."""

    state: str
    start: dt.datetime
    end: dt.datetime
    has_start: bool = True
    """Whether it became so at the start; else it was so before, or that is not known."""
    has_end: bool = True
    """Whether it became something else at the end."""

    @property
    def is_known(self) -> bool:
        """Whether it is known in which state it was."""
        return self.state not in _NOTHING


@dataclass(frozen=True, slots=True)
class StateHistory:
    """How the state of an entity went on; the stretches follow each other without a gap."""

    stretches: Sequence[StatePeriod]
    since: dt.datetime | None
    """From when on that is recorded, if it is not from the beginning on."""

    @property
    def first(self) -> str:
        """The state with which it begins; empty where that is not known."""
        first = self.stretches[0]
        return first.state if first.is_known and self.since is None else ""

    def of(self, is_so: IsSo) -> Sequence[StatePeriod]:
        """Return when it was so; what is unknown in between counts for nothing."""
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
        """Return for how long in total it was so."""
        return _total(each for each in self.stretches if each.is_known and is_so(each.state))

    @property
    def unknown(self) -> dt.timedelta:
        """For how long it is not known in which state it was, since it is recorded."""
        return _total(each for each in self.stretches if not each.is_known)


@dataclass(frozen=True, slots=True)
class Numbers:
    """What an entity measured in a time: the lowest, the highest, and the mean over the time."""

    low: float
    high: float
    mean: float
    low_at: dt.datetime | None = None
    high_at: dt.datetime | None = None
    since: dt.datetime | None = None
    """From when on that is recorded, if it is not from the beginning on."""


@dataclass(frozen=True, slots=True)
class Consumption:
    """By how much a meter went on."""

    amount: float
    since: dt.datetime | None
    """From when on that is recorded, if it is not from the beginning on."""


def course(
    states: Sequence[State], current: State | None, start: dt.datetime, end: dt.datetime
) -> StateHistory | None:
    """Return how a state went on, by its rows in a time; None where nothing is known of it."""
    if not states:
        # It has not changed, and what it was before is not kept any more.
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
        # The first row says that it is recorded from then on, and not that it changed.
        stretches[0] = replace(stretches[0], has_start=False)
    return StateHistory(stretches, times[0] if times[0] > start else None)


def _total(periods: Iterable[StatePeriod]) -> dt.timedelta:
    return sum((each.end - each.start for each in periods), dt.timedelta())


def aggregate(
    states: Sequence[State], value: Value, start: dt.datetime, end: dt.datetime
) -> Numbers | None:
    """Return the lowest, the highest and the mean of what states show while they last."""
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
