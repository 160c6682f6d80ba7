"""The last changes of each entity since Home Assistant started, and what they came from."""

from collections import OrderedDict, deque
from dataclasses import dataclass, field
import datetime as dt
from typing import Any, Final

from homeassistant.const import (
    EVENT_CALL_SERVICE,
    EVENT_STATE_CHANGED,
    STATE_UNAVAILABLE,
    STATE_UNKNOWN,
)
from homeassistant.core import (
    Event,
    EventStateChangedData,
    HomeAssistant,
    callback,
    split_entity_id,
)
from homeassistant.util.hass_dict import HassKey

from ..home.state_semantics import has_state_meanings
from .causes import EVENTS, ActorKind, Cause, cause_of

NOWHERE: Final = ("", STATE_UNAVAILABLE, STATE_UNKNOWN)
ON_THE_WAY: Final = frozenset(
    ("arming", "closing", "disarming", "locking", "opening", "returning", "unlocking")
)
_MOST: Final = 8
"""Changes of an entity."""
_MOST_CONTEXTS: Final = 512


@dataclass(frozen=True, slots=True)
class StateChange:
    """When an entity came from a state into another, and what that came from."""

    before: str
    state: str
    at: dt.datetime
    cause: Cause


@dataclass(slots=True)
class _Seen:
    """What is known of an entity."""

    last: str = ""
    """The last state that it was known to have."""
    changes: deque[StateChange] = field(default_factory=lambda: deque(maxlen=_MOST))


class ChangeLog:
    """Keeps what changed each entity last.

    An entity's state in Home Assistant has the context of its last update, which may be that of
    another brightness; the recorder need not be there, leaves out what it is told to, and writes
    late. So the events are listened to as they are fired, and of each only a few words are kept.

    - A device that was away and comes back as it was has not changed.
    - What a device does on its own after it has begun has the cause of its beginning: it opens
      because somebody had it open.
    """

    def __init__(self, hass: HomeAssistant) -> None:
        """Begin to listen; it goes on until Home Assistant ends."""
        self._entities: dict[str, _Seen] = {}
        self._contexts: OrderedDict[str, Cause] = OrderedDict()
        for event_type in EVENTS:
            hass.bus.async_listen(event_type, self._said)
        # Home Assistant makes no event to which nobody listens, and then it is not the first one of
        # its context: of all of these it has to be known that they were there.
        hass.bus.async_listen(EVENT_CALL_SERVICE, _is_there)
        hass.bus.async_listen(EVENT_STATE_CHANGED, self._changed)

    def into(self, entity_id: str, states: frozenset[str]) -> StateChange | None:
        """Return the last change of an entity into one of some states from any other."""
        seen = self._entities.get(entity_id, _Seen())
        for each in reversed(seen.changes):
            if each.state in states and each.before not in states:
                return each
        return None

    @callback
    def _said(self, event: Event[Any]) -> None:
        before = self._contexts.pop(event.context.id, None)
        if before is None and event.context.parent_id:
            before = self._contexts.get(event.context.parent_id)
        self._contexts[event.context.id] = Cause.said_by(event, before)
        if len(self._contexts) > _MOST_CONTEXTS:
            self._contexts.popitem(last=False)

    @callback
    def _changed(self, event: Event[EventStateChangedData]) -> None:
        entity_id, new = event.data["entity_id"], event.data["new_state"]
        before = event.data["old_state"].state if event.data["old_state"] else ""
        if not has_state_meanings(split_entity_id(entity_id)[0]):
            return
        if new is None:
            self._entities.pop(entity_id, None)
            return
        if new.state == before:
            return
        seen = self._entities.setdefault(entity_id, _Seen())
        if before not in NOWHERE:
            seen.last = before
        if new.state in (*NOWHERE, seen.last):
            return
        cause = cause_of(entity_id, event.context, self._contexts)
        if before in NOWHERE and not cause.is_known:
            if not seen.last:
                return
            # It changed while nobody saw it: it only tells of it now.
            cause = Cause(ActorKind.UNKNOWN)
        if not cause.is_known and seen.last in ON_THE_WAY and seen.changes:
            cause = seen.changes[-1].cause
        seen.changes.append(StateChange(seen.last, new.state, new.last_changed, cause))


CHANGES: HassKey[ChangeLog] = HassKey("voice_gateway_changes")


@callback
def async_watch_changes(hass: HomeAssistant) -> None:
    """Begin to note what changes, once."""
    if CHANGES not in hass.data:
        hass.data[CHANGES] = ChangeLog(hass)


@callback
def _is_there(_event: Event[Any]) -> None:
    """Take an event, so that there is one."""
