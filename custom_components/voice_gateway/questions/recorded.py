"""What changed an entity before Home Assistant started: as its logbook tells."""

from collections.abc import Iterator, Mapping
import datetime as dt
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..const import LOGGER
from .cause import EVENTS, By, Cause
from .changes import Change

_LOGBOOK: Final = "logbook"
_SPANS: Final = (dt.timedelta(days=1), dt.timedelta(days=10))
"""How far back it is looked for, one after the other: most is asked of the last day."""
_NOWHERE: Final = ("", "unavailable", "unknown")

type _Row = Mapping[str, Any]


async def async_recorded(
    hass: HomeAssistant, entity_id: str, states: frozenset[str]
) -> Change | None:
    """Return the last change of an entity into one of some states, as it was recorded.

    None where there is no logbook, or nothing in it within ten days.
    """
    if _LOGBOOK not in hass.config.components:
        return None
    from homeassistant.components.recorder import get_instance  # noqa: PLC0415 - may be absent

    for span in _SPANS:
        try:
            rows = await get_instance(hass).async_add_executor_job(_rows, hass, entity_id, span)
        except Exception:  # noqa: BLE001 - whatever is wrong there, nobody knows then
            LOGGER.exception("The logbook of %s can't be read", entity_id)
            return None
        found = [each for each in _changes(rows) if each.state in states]
        if last := next((each for each in reversed(found) if each.before not in states), None):
            return last
    return None


def _rows(hass: HomeAssistant, entity_id: str, span: dt.timedelta) -> list[dict[str, Any]]:
    """Return the logbook of an entity. Reads the database: not for the event loop."""
    from homeassistant.components.logbook.helpers import async_determine_event_types  # noqa: PLC0415 - may be absent
    from homeassistant.components.logbook.processor import EventProcessor  # noqa: PLC0415

    event_types = async_determine_event_types(hass, [entity_id], None) | EVENTS.keys()
    now = dt_util.utcnow()
    processor = EventProcessor(hass, event_types, entity_ids=[entity_id], timestamp=True)
    rows = processor.get_events(now - span, now)
    return [each for each in rows if each.get("entity_id") == entity_id and "state" in each]


def _changes(rows: list[dict[str, Any]]) -> Iterator[Change]:
    """Yield the changes of an entity, but its going away and coming back as it was."""
    last = ""
    for row in rows:
        state = row["state"]
        if state in (*_NOWHERE, last):
            continue
        yield Change(last, state, dt_util.utc_from_timestamp(row["when"]), _cause(row))
        last = state


def _cause(row: _Row) -> Cause:
    """Return what a row of the logbook came from."""
    event_type = row.get("context_event_type") or ""
    entity_id = row.get("context_entity_id") or ""
    user_id = row.get("context_user_id")
    if by := EVENTS.get(event_type):
        is_named = by in (By.AUTOMATION, By.SCRIPT)
        return Cause(by, entity_id if is_named else "", user_id)
    if event_type in ("", "call_service"):
        if entity_id and entity_id != row["entity_id"]:
            return Cause.of_other(entity_id, user_id)
        return Cause(By.PERSON, user_id=user_id) if user_id else Cause(By.UNKNOWN)
    return Cause(By.EVENT, user_id=user_id, event_type=event_type)
