"""Read Home Assistant's recorder outside of the event loop."""

from collections.abc import Callable, Sequence
import datetime as dt
from typing import Final

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers.recorder import DATA_INSTANCE, get_instance
from sqlalchemy.exc import SQLAlchemyError

from ...const import LOGGER
from ...home.state_semantics import finite_number
from . import recorder_queries
from .recorder_queries import DETAILED, MOST_ROWS
from .series import Consumption, IsSo, Numbers, StateHistory, Value, aggregate, course

_LATEST: Final = 1_000
"""Rows that are searched first for the last occurrence of a state."""
_SECOND: Final = dt.timedelta(seconds=1)


class HistoryUnavailable(Exception):
    """The recorded data can't be read: there is too much, or the database fails."""


class RecorderReader:
    """Reads recorded data outside of the event loop.

    - Only the requested entity is read, and never more than `MOST_ROWS` of its rows.
    - None means that there is no data, or that the recorder excludes the entity.
    - Each method raises HistoryUnavailable if there are more rows, and no statistics instead, or if
      the database fails.
    """

    def __init__(self, hass: HomeAssistant) -> None:
        """Take the Home Assistant instance of the recorder."""
        self._hass = hass

    async def async_course(
        self, entity_id: str, start: dt.datetime, end: dt.datetime
    ) -> StateHistory | None:
        """Return the course of an entity's state in an interval."""
        states = await self._async_run(recorder_queries.changes, entity_id, start, end)
        if states is None:
            return None
        return course(_few(states), self._hass.states.get(entity_id), start, end)

    async def async_latest(
        self, entity_id: str, is_so: IsSo, now: dt.datetime, longest: dt.timedelta
    ) -> StateHistory | None:
        """Return the recent course of an entity's state, back to its last period with `is_so`."""
        current = self._hass.states.get(entity_id)
        for most in (_LATEST, MOST_ROWS):
            found = await self._async_run(
                recorder_queries.latest, entity_id, now - longest, now, most
            )
            if found is None or (not found and current is None):
                return None
            start = found[0].last_updated if found else current.last_changed  # type: ignore[union-attr]
            kept = course(found, current, start, now)
            if len(found) < most or (kept and any(each.has_start for each in kept.of(is_so))):
                return kept
        raise HistoryUnavailable

    async def async_numbers(
        self, entity_id: str, start: dt.datetime, end: dt.datetime, attribute: Value | None
    ) -> Numbers | None:
        """Return an entity's values in an interval; for a long one, from statistics.

        `attribute`: returns the number in the attributes, which have no statistics; else the state
        counts.
        """
        states: Sequence[State] | None = None
        reads = recorder_queries.attributes if attribute else recorder_queries.changes
        if attribute or end - start <= DETAILED:
            states = await self._async_run(reads, entity_id, start, end)
        if not attribute and (not states or len(states) > MOST_ROWS):
            if found := await self._async_run(recorder_queries.statistics, entity_id, start, end):
                return found
            states = await self._async_run(reads, entity_id, start, end)
        return aggregate(_few(states), attribute or _of_state, start, end) if states else None

    async def async_number(
        self, entity_id: str, at: dt.datetime, attribute: Value | None
    ) -> tuple[float, bool] | None:
        """Return an entity's value at a moment, and whether it is exact.

        If its states were purged already, it is the mean of the hour.
        """
        reads = recorder_queries.attributes if attribute else recorder_queries.changes
        states = await self._async_run(reads, entity_id, at, at + _SECOND)
        if states and states[0].last_updated <= at + _SECOND:
            number = (attribute or _of_state)(states[0])
            return None if number is None else (number, True)
        if attribute:
            return None
        mean = await self._async_run(recorder_queries.mean_of_hour, entity_id, at)
        return None if mean is None else (mean, False)

    async def async_used(
        self, entity_id: str, start: dt.datetime, end: dt.datetime
    ) -> Consumption | None:
        """Return the increase of a meter, including resets in between."""
        return await self._async_run(recorder_queries.change, entity_id, start, end)

    async def _async_run[*Ts, T](
        self,
        function: Callable[[HomeAssistant, str, *Ts], T],
        entity_id: str,
        *arguments: *Ts,
    ) -> T | None:
        """Return a query's result from the recorder's thread; None for an unrecorded entity."""
        if DATA_INSTANCE not in self._hass.data:
            return None
        instance = get_instance(self._hass)
        if instance.entity_filter and not instance.entity_filter(entity_id):
            return None
        try:
            return await instance.async_add_executor_job(
                function, self._hass, entity_id, *arguments
            )
        except SQLAlchemyError as err:
            LOGGER.warning("What was recorded of %s can't be read: %r", entity_id, err)
            raise HistoryUnavailable from err


def _of_state(state: State) -> float | None:
    return finite_number(state.state)


def _few(states: Sequence[State]) -> Sequence[State]:
    if len(states) > MOST_ROWS:
        raise HistoryUnavailable
    return states
