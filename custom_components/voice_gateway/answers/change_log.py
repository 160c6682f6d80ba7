"""The last changes of each entity since Home Assistant started, and what they came from."""

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
"""Changes of an entity."""
_MOST_CONTEXTS: Final = 512


class ActorKind(StrEnum):
    """Who or what changed something; the values are keys of `answers.doers` in `languages/`."""

    AUTOMATION = "automation"
    SCRIPT = "script"
    PERSON = "person"
    """A user of Home Assistant: in its app, or where it is signed in."""
    VOICE = "voice"
    """An agent: one of ours, or another that Assist asked."""
    TASK = "task"
    """An AI task."""
    PLAN = "plan"
    """What was planned with an agent of ours."""
    ENTITY = "entity"
    """Another entity, with which it changed."""
    EVENT = "event"
    """An event of an integration: a switch on the wall, another assistant."""
    ITSELF = "itself"
    """The device reported it, and nobody is known to have wanted it."""
    UNKNOWN = "unknown"


EVENTS: Mapping[str, ActorKind] = {
    EVENT_AUTOMATION_TRIGGERED: ActorKind.AUTOMATION,
    EVENT_SCRIPT_STARTED: ActorKind.SCRIPT,
    EVENT_ACTED: ActorKind.VOICE,
    EVENT_PLAN: ActorKind.PLAN,
}
"""Events that say in whose context they are fired, and what comes after in that context."""
_OF_VOICE = (ASSIST_SATELLITE, CONVERSATION)
_NEVER_CAUSES = (ActorKind.ITSELF, ActorKind.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Cause:
    """Who or what changed something."""

    by: ActorKind
    entity_id: str = ""
    """That of the automation, the script or the other entity."""
    user_id: str | None = None
    event_type: str = ""
    behind: Self | None = None
    """What started a script."""

    @property
    def is_known(self) -> bool:
        """Whether it says who or what it was."""
        return self.by not in _NEVER_CAUSES

    @classmethod
    def said_by(cls, event: Event[Any], before: Self | None) -> Self:
        """Return the cause that an event of `EVENTS` says; `before` is its context's until then."""
        data, user_id = event.data, event.context.user_id
        actor = str(data.get("agent_id") or data.get(ATTR_ENTITY_ID) or "")
        cause = cls.of_first(str(event.event_type), "", actor, user_id)
        if cause.by is not ActorKind.SCRIPT:
            return cause
        if before is None and user_id:
            before = cls(ActorKind.PERSON, user_id=user_id)
        # A script that starts another is not told, but who started the first.
        return replace(cause, behind=before.behind if before and before.behind else before)

    @classmethod
    def of_first(cls, event_type: str, entity_id: str, actor: str, user_id: str | None) -> Self:
        """Return the cause of a change by the first event of its context.

        Args:
            event_type: of that event; empty where it is not known.
            entity_id: of the entity that changed.
            actor: the id of the entity that the event is about, if it is about one.
            user_id: of the context.
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
    """Return what a change of an entity came from.

    Args:
        entity_id: that of the entity.
        context: that of its change, with the first event that was fired in it.
        known: what was said of contexts, by their ids.
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
