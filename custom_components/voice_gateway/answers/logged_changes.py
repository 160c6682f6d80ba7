"""What changed an entity before Home Assistant started: as its history and its logbook tell."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
import datetime as dt
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers.recorder import get_instance
from homeassistant.util import dt as dt_util

from ..const import LOGGER
from .causes import EVENTS, ActorKind, Cause
from .change_log import ON_THE_WAY, StateChange
from .history.interval import LONGEST
from .history.recorder_reader import HistoryUnavailable, RecorderReader
from .history.series import StatePeriod

_LOGBOOK: Final = "logbook"
_NEAR: Final = dt.timedelta(milliseconds=10)
_UNKNOWN: Final = Cause(ActorKind.UNKNOWN)


async def async_logged(
    hass: HomeAssistant, entity_id: str, states: frozenset[str]
) -> StateChange | None:
    """Return the last change of an entity into one of some states, as it was recorded.

    None where there is no logbook, or no such change that is kept.
    """
    if _LOGBOOK not in hass.config.components:
        return None
    now = dt_util.utcnow()
    try:
        course = await RecorderReader(hass).async_latest(
            entity_id, states.__contains__, now, LONGEST
        )
    except HistoryUnavailable:
        return None
    changes = [*_changes(course.stretches)] if course else []
    for index in reversed(range(len(changes))):
        change = changes[index]
        if change.state not in states or change.before in states:
            continue
        cause = await _async_cause_at(hass, entity_id, change.at)
        if not cause.is_known and change.before in ON_THE_WAY and index:
            cause = await _async_cause_at(hass, entity_id, changes[index - 1].at)
        return replace(change, cause=cause)
    return None


def _changes(stretches: Iterable[StatePeriod]) -> Iterator[StateChange]:
    """Yield the changes of an entity but into the first state that is known; going away is none."""
    last = ""
    for each in stretches:
        if not each.is_known or each.state == last:
            continue
        if last:
            yield StateChange(last, each.state, each.start, _UNKNOWN)
        last = each.state


async def _async_cause_at(hass: HomeAssistant, entity_id: str, at: dt.datetime) -> Cause:
    try:
        return await get_instance(hass).async_add_executor_job(_cause_at, hass, entity_id, at)
    except Exception:  # noqa: BLE001 - other integrations describe their events there
        LOGGER.exception("What the logbook tells of %s can't be read", entity_id)
    return _UNKNOWN


def _cause_at(hass: HomeAssistant, entity_id: str, at: dt.datetime) -> Cause:
    """Return what a change came from, as the logbook follows its context. Not for the event loop."""
    from homeassistant.components.logbook.helpers import async_determine_event_types  # noqa: PLC0415
    from homeassistant.components.logbook.processor import EventProcessor  # noqa: PLC0415

    event_types = async_determine_event_types(hass, [entity_id], None) | EVENTS.keys()
    processor = EventProcessor(hass, event_types, entity_ids=[entity_id])
    rows = processor.get_events(at - _NEAR, at + _NEAR)
    found = (each for each in rows if each.get("entity_id") == entity_id and "state" in each)
    if (row := next(found, None)) is None:
        return _UNKNOWN
    names = ("context_event_type", "context_entity_id", "context_user_id")
    event_type, actor, user_id = (row.get(each) for each in names)
    return Cause.of_first(event_type or "", entity_id, actor or "", user_id)
