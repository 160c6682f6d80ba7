"""What Home Assistant's recorder has kept of entities, read by its own queries."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
import datetime as dt
from itertools import pairwise
from typing import Any, Final, Literal

from homeassistant.const import ATTR_UNIT_OF_MEASUREMENT, STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers.recorder import DATA_INSTANCE, get_instance

MOST_ROWS: Final = 20_000
"""Rows of an entity that are read; of more, only statistics tell."""
_LATEST: Final = 1_000
"""Rows in which what was so the last time is looked for first."""
_DETAILED: Final = dt.timedelta(hours=26)
"""A time of which numbers are read one by one: a day, and the longest one of a year."""
_HOUR: Final = dt.timedelta(hours=1)
_NOTHING: Final = frozenset((STATE_UNAVAILABLE, STATE_UNKNOWN, ""))

type Value = Callable[[State], float | None]
"""The number that a state shows."""
type IsSo = Callable[[str], bool]
"""Whether a state is one of those that are asked about."""


@dataclass(frozen=True, slots=True)
class Stretch:
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
class Course:
    """How the state of an entity went on; the stretches follow each other without a gap."""

    stretches: Sequence[Stretch]
    since: dt.datetime | None
    """From when on that is recorded, if it is not from the beginning on."""

    def of(self, is_so: IsSo) -> Sequence[Stretch]:
        """Return when it was so; what is unknown in between counts for nothing."""
        found: list[Stretch] = []
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
        lasts = (
            each.end - each.start
            for each in self.stretches
            if each.is_known and is_so(each.state)
        )
        return sum(lasts, dt.timedelta())

    @property
    def unknown(self) -> dt.timedelta:
        """For how long it is not known in which state it was, since it is recorded."""
        lasts = (each.end - each.start for each in self.stretches if not each.is_known)
        return sum(lasts, dt.timedelta())


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
class Used:
    """By how much a meter went on."""

    amount: float
    since: dt.datetime | None
    """From when on that is recorded, if it is not from the beginning on."""


class Recorded:
    """Reads what is recorded, off the event loop.

    - Nothing but the entity that is asked for is read, and never more than `MOST_ROWS` of its rows.
    - None says that nothing is recorded, or too much to be read.
    """

    def __init__(self, hass: HomeAssistant) -> None:
        """Take whose recorder it is."""
        self._hass = hass

    @property
    def is_there(self) -> bool:
        """Whether there is a recorder."""
        return DATA_INSTANCE in self._hass.data

    async def async_course(
        self, entity_id: str, start: dt.datetime, end: dt.datetime
    ) -> Course | None:
        """Return how the state of an entity went on in a time."""
        if (states := await self._async_states(entity_id, start, end)) is None:
            return None
        return self._course(states, self._hass.states.get(entity_id), start, end)

    async def async_latest(
        self, entity_id: str, is_so: IsSo, now: dt.datetime, longest: dt.timedelta
    ) -> Course | None:
        """Return how the state of an entity went on lately, as far back as it was so."""
        if not self.is_there or not self._is_recorded(entity_id):
            return None
        found: Sequence[State] = ()
        for most in (_LATEST, MOST_ROWS):
            found = await self._async_run(_latest, entity_id, now - longest, now, most)
            if not found:
                break
            has_all = len(found) < most
            beyond = found if has_all else found[1:]
            if has_all or any(is_so(each.state) for each in beyond):
                start = found[0].last_updated
                return self._course(found, self._hass.states.get(entity_id), start, now)
        current = self._hass.states.get(entity_id)
        if found or current is None:
            return None
        return self._course([], current, current.last_changed, now)

    async def async_numbers(
        self,
        entity_id: str,
        start: dt.datetime,
        end: dt.datetime,
        value: Value,
        *,
        in_attributes: bool,
    ) -> Numbers | None:
        """Return what an entity measured in a time.

        Args:
            entity_id: of a sensor, or of what shows it in its attributes.
            start: from when on.
            end: until when.
            value: the number that its state shows.
            in_attributes: the number is no state.
        """
        if end - start > _DETAILED and not in_attributes:
            if found := await self._async_run(_statistics, entity_id, start, end):
                return found
        reads = _attributes if in_attributes else _changes
        states = await self._async_states(entity_id, start, end, reads)
        numbers = _reckoned(states, value, start, end) if states else None
        if numbers is None and not in_attributes:
            return await self._async_run(_statistics, entity_id, start, end)
        return numbers

    async def async_number(
        self, entity_id: str, at: dt.datetime, value: Value, *, in_attributes: bool
    ) -> tuple[float, bool] | None:
        """Return what an entity measured at a moment, and whether that is exact.

        Where its states are not kept any more, it is the mean of the hour.
        """
        second = at + dt.timedelta(seconds=1)
        reads = _attributes if in_attributes else _changes
        states = await self._async_states(entity_id, at, second, reads)
        if states and (number := value(states[0])) is not None:
            return number, True
        if in_attributes or (states and states[0].last_updated <= at):
            return None
        mean = await self._async_run(_mean_of_hour, entity_id, at)
        return None if mean is None else (mean, False)

    async def async_used(
        self, entity_id: str, start: dt.datetime, end: dt.datetime
    ) -> Used | None:
        """Return by how much a meter went on, whenever it began anew in between."""
        used: Used | None = await self._async_run(_change, entity_id, start, end)
        return used

    def _is_recorded(self, entity_id: str) -> bool:
        keeps = get_instance(self._hass).entity_filter
        return keeps is None or keeps(entity_id)

    async def _async_states(
        self,
        entity_id: str,
        start: dt.datetime,
        end: dt.datetime,
        reads: Callable[..., Sequence[State]] | None = None,
    ) -> Sequence[State] | None:
        if not self.is_there or not self._is_recorded(entity_id):
            return None
        states: Sequence[State] = await self._async_run(reads or _changes, entity_id, start, end)
        return None if len(states) > MOST_ROWS else states

    async def _async_run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a function reads in the recorder's own thread; None without a recorder."""
        if not self.is_there:
            return None
        instance = get_instance(self._hass)
        return await instance.async_add_executor_job(function, self._hass, *arguments)

    @staticmethod
    def _course(
        states: Sequence[State], current: State | None, start: dt.datetime, end: dt.datetime
    ) -> Course | None:
        if not states:
            # It has not changed, and what it was before is not kept any more.
            if current is None or current.last_changed >= end:
                return None
            begins = max(start, current.last_changed)
            has_start = begins > start
            only = Stretch(current.state, begins, end, has_start=has_start, has_end=False)
            return Course([only], begins if has_start else None)
        times = [max(each.last_updated, start) for each in states]
        ends = [*times[1:], end]
        stretches = [
            Stretch(state.state, first, last, has_start=first > start, has_end=last < end)
            for state, first, last in zip(states, times, ends, strict=True)
        ]
        if times[0] > start:
            # The first row says that it is recorded from then on, and not that it changed.
            stretches[0] = replace(stretches[0], has_start=False)
        return Course(stretches, times[0] if times[0] > start else None)


def _reckoned(
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


# In the recorder's thread; what is imported has been loaded with the recorder.


def _changes(
    hass: HomeAssistant, entity_id: str, start: dt.datetime, end: dt.datetime
) -> Sequence[State]:
    from homeassistant.components.recorder.history import (  # noqa: PLC0415
        state_changes_during_period,
    )

    found = state_changes_during_period(
        hass, _utc(start), _utc(end), entity_id, no_attributes=True, limit=MOST_ROWS + 1
    )
    return found.get(entity_id, [])


def _latest(
    hass: HomeAssistant, entity_id: str, start: dt.datetime, end: dt.datetime, most: int
) -> Sequence[State]:
    from homeassistant.components.recorder.history import (  # noqa: PLC0415
        state_changes_during_period,
    )

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


def _attributes(
    hass: HomeAssistant, entity_id: str, start: dt.datetime, end: dt.datetime
) -> Sequence[State]:
    from homeassistant.components.recorder.history import get_significant_states  # noqa: PLC0415

    if end - start > _DETAILED:
        return []
    found = get_significant_states(
        hass, _utc(start), _utc(end), [entity_id], significant_changes_only=False
    )
    return [each for each in found.get(entity_id, []) if isinstance(each, State)]


def _statistics(
    hass: HomeAssistant, entity_id: str, start: dt.datetime, end: dt.datetime
) -> Numbers | None:
    from homeassistant.components.recorder.statistics import (  # noqa: PLC0415
        statistic_during_period,
    )

    found = statistic_during_period(
        hass, _utc(start), _utc(end), entity_id, {"min", "max", "mean"}, None
    )
    low, high, mean = (found.get(each) for each in ("min", "max", "mean"))
    if low is None or high is None or mean is None:
        return None
    return Numbers(low, high, mean, since=_since(hass, entity_id, start, end, "mean"))


def _mean_of_hour(hass: HomeAssistant, entity_id: str, at: dt.datetime) -> float | None:
    from homeassistant.components.recorder.statistics import (  # noqa: PLC0415
        statistics_during_period,
    )

    hour = _utc(at).replace(minute=0, second=0, microsecond=0)
    end = hour + _HOUR
    found = statistics_during_period(hass, hour, end, {entity_id}, "hour", None, {"mean"})
    return next((row["mean"] for row in found.get(entity_id, ())), None)


def _change(
    hass: HomeAssistant, entity_id: str, start: dt.datetime, end: dt.datetime
) -> Used | None:
    from homeassistant.components.recorder.statistics import (  # noqa: PLC0415
        statistic_during_period,
    )

    found = statistic_during_period(hass, _utc(start), _utc(end), entity_id, {"change"}, None)
    if (change := found.get("change")) is None:
        return None
    return Used(change, _since(hass, entity_id, start, end, "sum"))


def _since(
    hass: HomeAssistant,
    entity_id: str,
    start: dt.datetime,
    end: dt.datetime,
    kind: Literal["mean", "sum"],
) -> dt.datetime | None:
    """Return from when on there are statistics in a time; None where it is from its beginning on."""
    from homeassistant.components.recorder.statistics import (  # noqa: PLC0415
        statistics_during_period,
    )

    first = _utc(start).replace(minute=0, second=0, microsecond=0)
    # The first hour of which there is no whole one yet has only those of five minutes.
    for begin, until, period in (
        (first - _HOUR, first + _HOUR, "hour"),
        (_utc(start), _utc(start) + _HOUR, "5minute"),
        (first, _utc(end), "hour"),
        (first, _utc(end), "5minute"),
    ):
        found = statistics_during_period(hass, begin, until, {entity_id}, period, None, {kind})
        if rows := found.get(entity_id):
            at = dt.datetime.fromtimestamp(rows[0]["start"], dt.UTC)
            return at if at > _utc(start) + _HOUR else None
    return None


def _utc(at: dt.datetime) -> dt.datetime:
    return at.astimezone(dt.UTC)


def unit_of(state: State) -> str:
    """Return the unit in which a state shows its number."""
    return str(state.attributes.get(ATTR_UNIT_OF_MEASUREMENT) or "")
