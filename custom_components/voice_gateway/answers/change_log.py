"""The last changes of each entity since Home Assistant started, with their causes."""

from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
import datetime as dt
from enum import StrEnum
from typing import Any, Final, Self

from homeassistant.components.ai_task import DOMAIN as AI_TASK
from homeassistant.components.assist_satellite import DOMAIN as ASSIST_SATELLITE
from homeassistant.components.automation import EVENT_AUTOMATION_TRIGGERED
from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.components.script import EVENT_SCRIPT_STARTED
from homeassistant.const import (
    ATTR_ENTITY_ID,
    EVENT_CALL_SERVICE,
    EVENT_STATE_CHANGED,
    STATE_UNAVAILABLE,
    STATE_UNKNOWN,
)
from homeassistant.core import (
    Context,
    Event,
    EventStateChangedData,
    HomeAssistant,
    callback,
    split_entity_id,
)
from homeassistant.util.hass_dict import HassKey

from ..const import EVENT_ACTED, EVENT_PLAN
from ..home.state_semantics import has_state_meanings

NOWHERE: Final = ("", STATE_UNAVAILABLE, STATE_UNKNOWN)
ON_THE_WAY: Final = frozenset(
    ("arming", "closing", "disarming", "locking", "opening", "returning", "unlocking")
)
_MOST: Final = 8
"""Maximum number of changes kept for an entity."""
_MOST_CONTEXTS: Final = 512


class ActorKind(StrEnum):
    """The kind of actor that changed a state; keys of `answers.doers` in `languages/`."""

    AUTOMATION = "automation"
    SCRIPT = "script"
    PERSON = "person"
    """A user of Home Assistant, in its app or another client."""
    VOICE = "voice"
    """A conversation agent: ours or another one of Assist."""
    TASK = "task"
    """An AI task."""
    PLAN = "plan"
    """A plan of one of our agents."""
    ENTITY = "entity"
    """Another entity that changed in the same context."""
    EVENT = "event"
    """An event of an integration: a wall switch, another assistant."""
    ITSELF = "itself"
    """The device reported it, without a known cause."""
    UNKNOWN = "unknown"


EVENTS: Mapping[str, ActorKind] = {
    EVENT_AUTOMATION_TRIGGERED: ActorKind.AUTOMATION,
    EVENT_SCRIPT_STARTED: ActorKind.SCRIPT,
    EVENT_ACTED: ActorKind.VOICE,
    EVENT_PLAN: ActorKind.PLAN,
}
"""Events that identify the cause of their context and of later changes in it."""
_OF_VOICE = (ASSIST_SATELLITE, CONVERSATION)
_NEVER_CAUSES = (ActorKind.ITSELF, ActorKind.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Cause:
    """The cause of a change."""

    by: ActorKind
    entity_id: str = ""
    """The entity id of the automation, the script or the other entity."""
    user_id: str | None = None
    event_type: str = ""
    behind: Self | None = None
    """The cause that started a script."""

    @property
    def is_known(self) -> bool:
        """Whether the actor is known."""
        return self.by not in _NEVER_CAUSES

    @classmethod
    def said_by(cls, event: Event[Any], before: Self | None) -> Self:
        """Return the cause in an event of `EVENTS`; `before` is the context's previous cause."""
        data, user_id = event.data, event.context.user_id
        actor = str(data.get("agent_id") or data.get(ATTR_ENTITY_ID) or "")
        cause = cls.of_first(str(event.event_type), "", actor, user_id)
        if cause.by is not ActorKind.SCRIPT:
            return cause
        if before is None and user_id:
            before = cls(ActorKind.PERSON, user_id=user_id)
        # If a script started this one, keep the cause that started the first.
        return replace(cause, behind=before.behind if before and before.behind else before)

    @classmethod
    def of_first(cls, event_type: str, entity_id: str, actor: str, user_id: str | None) -> Self:
        """Return the cause of a change by the first event of its context.

        Args:
            event_type: the event's type; empty if unknown.
            entity_id: the id of the changed entity.
            actor: the id of the entity in the event, if any.
            user_id: the context's user.
        """
        if by := EVENTS.get(event_type):
            if by is ActorKind.VOICE and actor.startswith(f"{AI_TASK}."):
                by = ActorKind.TASK
            is_named = by in (ActorKind.AUTOMATION, ActorKind.SCRIPT)
            return cls(by, actor if is_named else "", user_id)
        if event_type not in ("", EVENT_CALL_SERVICE, EVENT_STATE_CHANGED):
            return cls(ActorKind.EVENT, user_id=user_id, event_type=event_type)
        if user_id:
            return cls(ActorKind.PERSON, user_id=user_id)
        if actor in ("", entity_id):
            return cls(ActorKind.UNKNOWN)
        is_voice = split_entity_id(actor)[0] in _OF_VOICE
        return cls(ActorKind.VOICE) if is_voice else cls(ActorKind.ENTITY, actor)


def cause_of(entity_id: str, context: Context, known: Mapping[str, Cause]) -> Cause:
    """Return the cause of an entity's change.

    Args:
        entity_id: the entity's id.
        context: the change's context, with its first event.
        known: the known causes, by context id.
    """
    if cause := known.get(context.id) or known.get(context.parent_id or ""):
        return cause
    origin = context.origin_event
    event_type = str(origin.event_type) if origin else ""
    is_change = origin is not None and event_type == EVENT_STATE_CHANGED
    changed = str(origin.data[ATTR_ENTITY_ID]) if origin and is_change else ""
    cause = Cause.of_first(event_type, entity_id, changed, context.user_id)
    is_own = is_change and not context.parent_id
    return Cause(ActorKind.ITSELF) if is_own and not cause.is_known else cause


@dataclass(frozen=True, slots=True)
class StateChange:
    """A change of an entity's state: its time and its cause."""

    before: str
    state: str
    at: dt.datetime
    cause: Cause


@dataclass(slots=True)
class _Seen:
    """The recent changes of an entity."""

    last: str = ""
    """Its last known state."""
    changes: deque[StateChange] = field(default_factory=lambda: deque(maxlen=_MOST))


class ChangeLog:
    """Keeps the last changes of each entity.

    A state object in Home Assistant has the context of its last update, for example of a new
    brightness; the recorder is optional, excludes entities, and writes late. The log therefore
    listens to the events, and keeps a few fields of each.

    - A device that becomes available again in its previous state has not changed.
    - A state after a transition, such as "opening", has the cause of the transition unless it has
      its own: a cover is open because of the call that opened it.
    """

    def __init__(self, hass: HomeAssistant) -> None:
        """Start listening, until Home Assistant stops."""
        self._entities: dict[str, _Seen] = {}
        self._contexts: OrderedDict[str, Cause] = OrderedDict()
        for event_type in EVENTS:
            hass.bus.async_listen(event_type, self._said)
        # Home Assistant creates no event without a listener, so that it would not be the first one
        # of its context: all of these need one.
        hass.bus.async_listen(EVENT_CALL_SERVICE, _is_there)
        hass.bus.async_listen(EVENT_STATE_CHANGED, self._changed)

    def into(self, entity_id: str, states: frozenset[str]) -> StateChange | None:
        """Return an entity's last change from any other state into one of these states."""
        changes = reversed(self._entities.get(entity_id, _Seen()).changes)
        into = (each for each in changes if each.state in states and each.before not in states)
        return next(into, None)

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
            # It changed while it was unavailable, and only reports it now.
            cause = Cause(ActorKind.UNKNOWN)
        if not cause.is_known and seen.last in ON_THE_WAY and seen.changes:
            cause = seen.changes[-1].cause
        seen.changes.append(StateChange(seen.last, new.state, new.last_changed, cause))


CHANGES: HassKey[ChangeLog] = HassKey("voice_gateway_changes")


@callback
def async_watch_changes(hass: HomeAssistant) -> None:
    """Start the change log, once."""
    if CHANGES not in hass.data:
        hass.data[CHANGES] = ChangeLog(hass)


@callback
def _is_there(_event: Event[Any]) -> None:
    """Listen to an event, so that Home Assistant creates it."""
