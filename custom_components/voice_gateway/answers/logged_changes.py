"""Causes of changes before Home Assistant started, from the history and the logbook."""

import datetime as dt
from itertools import pairwise
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers.recorder import get_instance
from homeassistant.util import dt as dt_util

from ..const import LOGGER
from .change_log import EVENTS, ON_THE_WAY, ActorKind, Cause, StateChange
from .history import recorder
from .intervals import LONGEST, Interval

_LOGBOOK: Final = "logbook"
_NEAR: Final = dt.timedelta(milliseconds=10)
_UNKNOWN: Final = Cause(ActorKind.UNKNOWN)


async def async_logged(
    hass: HomeAssistant, entity_id: str, states: frozenset[str]
) -> StateChange | None:
    """Return an entity's last recorded change into one of some states.

    Returns None without a logbook, or without such a change in the history.
    """
    if _LOGBOOK not in hass.config.components:
        return None
    now = dt_util.utcnow()
    try:
        course = await recorder.async_read(
            hass, recorder.latest, entity_id, Interval(now - LONGEST, now), states.__contains__
        )
    except recorder.HistoryUnavailable:
        return None
    # Becoming unavailable is not a change, nor is the first known state.
    known = [each for each in course.stretches if each.is_known] if course else []
    changes = [pair for pair in pairwise(known) if pair[0].state != pair[1].state]
    for index in reversed(range(len(changes))):
        before, period = changes[index]
        if period.state not in states or before.state in states:
            continue
        cause = await _async_cause_at(hass, entity_id, period.start)
        if not cause.is_known and before.state in ON_THE_WAY and index:
            cause = await _async_cause_at(hass, entity_id, changes[index - 1][1].start)
        return StateChange(before.state, period.state, period.start, cause)
    return None


async def _async_cause_at(hass: HomeAssistant, entity_id: str, at: dt.datetime) -> Cause:
    try:
        return await get_instance(hass).async_add_executor_job(_cause_at, hass, entity_id, at)
    except Exception:  # noqa: BLE001 - other integrations describe their events there
        LOGGER.exception("What the logbook tells of %s can't be read", entity_id)
    return _UNKNOWN


def _cause_at(hass: HomeAssistant, entity_id: str, at: dt.datetime) -> Cause:
    """Return the cause of a change from the logbook's context. Blocking; not for the event loop."""
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
