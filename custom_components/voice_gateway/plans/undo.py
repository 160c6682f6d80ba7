"""Snapshots of device states, and their restoration."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
import datetime as dt
from typing import Any, Final

from homeassistant.components.media_player import (
    DOMAIN as MEDIA_PLAYER,
    MediaPlayerEntityStateAttribute as Media,
)
from homeassistant.components.vacuum import DOMAIN as VACUUM, VacuumActivity
from homeassistant.const import (
    ATTR_DEVICE_CLASS,
    ATTR_ENTITY_ID,
    EVENT_CALL_SERVICE,
    STATE_OFF,
    STATE_STANDBY,
    STATE_UNAVAILABLE,
    STATE_UNKNOWN,
)
from homeassistant.core import Context, Event, HomeAssistant, State, callback
from homeassistant.helpers import entity_registry as er, intent
from homeassistant.helpers.json import json_dumps
from homeassistant.helpers.state import async_reproduce_state
from homeassistant.loader import IntegrationNotFound, async_get_integration
from homeassistant.util.json import json_loads_object

from ..const import TOOL_TIMEOUT
from ..home.exposed import Exposed
from ..tools.deferral import ResolvedCall
from ..tools.script_effects import SECURE
from .plan import Plan, StateSnapshot

_ON_THE_WAY: Final = {
    "closing": "closed",
    "locking": "locked",
    "opening": "open",
    "returning": "docked",
    "unlocking": "unlocked",
}
_UNSURE: Final = (STATE_UNAVAILABLE, STATE_UNKNOWN)
_OFF: Final = (STATE_OFF, STATE_STANDBY)
_POSITION: Final = "current_position"
# Positions of a moving device, and the media of a player: restoring them would start it again.
_PASSING: Final = frozenset((_POSITION, "current_tilt_position"))
_PLAYED: Final = frozenset((Media.MEDIA_CONTENT_ID, Media.MEDIA_CONTENT_TYPE))
# Prefixes of attributes that a device reports and that cannot be set: media, measurements, battery.
_TELLS: Final = ("app_", "battery_", "current_", "entity_picture", "hvac_action", "media_")
# Actions for domains that Home Assistant can't restore (2026.11: they have no `reproduce_state`).
_SERVICES: Final[Mapping[tuple[str, str], str]] = {
    ("lawn_mower", "docked"): "dock",
    ("lawn_mower", "mowing"): "start_mowing",
    ("lawn_mower", "paused"): "pause",
    ("siren", "off"): "turn_off",
    ("siren", "on"): "turn_on",
    ("valve", "closed"): "close_valve",
    ("valve", "open"): "open_valve",
}
_OWN: Final = frozenset(domain for domain, _ in _SERVICES)
_TURNED: Final = {intent.INTENT_TURN_ON: True, intent.INTENT_TURN_OFF: False}
_RESTING: Final = frozenset(("closed", "docked", "idle", "off", "paused", "standby", "unlocked"))
"""States that count as off, of any domain."""


@dataclass(frozen=True, slots=True)
class RevertPlan:
    """The devices of a revert, by whether they can be restored now."""

    back: list[State]
    """The states to restore."""
    silent: list[StateSnapshot]
    """Snapshots of devices that are unavailable now."""
    changed: list[StateSnapshot]
    """Snapshots of devices that were changed since."""


@dataclass(frozen=True, slots=True)
class Since:
    """Rules for whether a device counts as changed since an action."""

    made: dt.datetime
    ours: Collection[str] = field(default=())
    """The context ids of the action, and of later changes that the revert may overwrite."""
    others: Collection[str] = field(default=())
    """The context ids of other changes without a user id: a voice command in another room."""


async def async_can_restore(hass: HomeAssistant, domain: str) -> bool:
    """Return True if the state of a domain's devices can be restored."""
    if domain in _OWN:
        return True
    try:
        integration = await async_get_integration(hass, domain)
    except IntegrationNotFound:
        return False
    return bool(integration.platforms_exists(("reproduce_state",)))


def states_of(hass: HomeAssistant, entities: Sequence[Exposed]) -> list[State]:
    """Return the current states of entities, without unavailable and unknown ones."""
    found = (hass.states.get(each.entity_id) for each in entities)
    return [state for state in found if state and state.state not in _UNSURE]


def since(
    hass: HomeAssistant, states: Sequence[State], context: Context
) -> tuple[StateSnapshot, ...]:
    """Return snapshots of the states before a change in a context; the current ones follow it."""
    return tuple(
        before(hass, state, hass.states.get(state.entity_id), context.id) for state in states
    )


def before(hass: HomeAssistant, old: State, new: State | None, context_id: str) -> StateSnapshot:
    """Return the snapshot of a device's state before and after a change in a context."""
    then = _ON_THE_WAY.get(new.state, new.state) if new else ""
    dropped = _PLAYED | _PASSING if old.state in _ON_THE_WAY else _PLAYED
    attributes: dict[str, Any] = {
        name: value for name, value in old.attributes.items() if name not in dropped
    }
    return StateSnapshot(
        target=target_of(hass, old.entity_id),
        state=_ON_THE_WAY.get(old.state, old.state),
        attributes=json_loads_object(json_dumps(attributes)),
        then="" if then in (old.state, *_UNSURE) else then,
        context=context_id,
    )


def sort_out(hass: HomeAssistant, restore: Sequence[StateSnapshot], since: Since) -> RevertPlan:
    """Sort devices by whether they can be restored now; removed ones are left out."""
    found = RevertPlan([], [], [])
    for each in restore:
        if entity_id := _entity_id(hass, each.target):
            now = hass.states.get(entity_id)
            if now is None or now.state in _UNSURE:
                found.silent.append(each)
            elif _is_changed(now, each, since):
                found.changed.append(each)
            else:
                found.back.append(State(entity_id, each.state, each.attributes))
    return found


def is_as(now: State, state: State) -> bool:
    """Return True if a device is in a state, with all attributes that can be restored."""
    # Attributes that a device reports cannot be restored.
    names = [each for each in state.attributes if each in _PASSING or not each.startswith(_TELLS)]
    theirs = json_dumps([state.attributes[name] for name in names])
    own = json_dumps([now.attributes.get(name) for name in names])
    return _ON_THE_WAY.get(now.state, now.state) == state.state and own == theirs


async def async_restore(
    hass: HomeAssistant, plan: Plan, context: Context
) -> Sequence[StateSnapshot]:
    """Restore the devices of a revert, except those that were changed since.

    Returns the snapshots of unavailable devices. Raises the first device's error after all have
    been tried.
    """
    found = sort_out(hass, plan.restore, Since(plan.made))
    await async_put_back(hass, found.back, context)
    return found.silent


async def async_put_back(
    hass: HomeAssistant, states: Sequence[State], context: Context
) -> Sequence[str]:
    """Restore states of devices.

    Returns the entity ids of devices for which no action exists. Raises the first device's error
    after all have been tried.
    """
    called: set[str] = set()

    @callback
    def note(event: Event[Any]) -> None:
        ids = event.data["service_data"].get(ATTR_ENTITY_ID) or ()
        called.update([ids] if isinstance(ids, str) else ids)

    stop = hass.bus.async_listen(EVENT_CALL_SERVICE, note)
    try:
        made = (_async_put_back(hass, state, context) for state in states)
        results = await asyncio.gather(*made, return_exceptions=True)
    finally:
        stop()
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return [state.entity_id for state in states if state.entity_id not in called]


def answers(hass: HomeAssistant, plan: Plan) -> bool:
    """Return True if any device of a plan is available, or if all are removed or it has none."""
    unsure = _UNSURE if plan.is_ending else (STATE_UNAVAILABLE,)
    known = [entity_id for each in plan.targets if (entity_id := _entity_id(hass, each))]
    states = map(hass.states.get, known)
    return not known or any(state and state.state not in unsure for state in states)


def would_open(hass: HomeAssistant, before: StateSnapshot) -> bool:
    """Return True if restoring a device opens an entry point or disarms an alarm system."""
    entity_id = entity_id_of(hass, before.target) or ""
    domain, _, _ = entity_id.partition(".")
    device_class = before.attributes.get(ATTR_DEVICE_CLASS)
    is_shut = before.state in ("closed", "locked") or before.state.startswith("armed")
    return not is_shut and Exposed("", domain, (), entity_id, device_class).is_access


def opened_again(resolved: ResolvedCall, before: Sequence[State]) -> Sequence[Exposed]:
    """Return the entry points that a call closes now, and that its revert would open again."""
    found = {each.entity_id: each for each in before}
    return [
        each
        for each in resolved.targets
        if each.is_access
        and (state := found.get(each.entity_id))
        and not state.state.startswith(SECURE.get(each.domain, ()))
    ]


def is_so_already(resolved: ResolvedCall, states: Sequence[State]) -> bool:
    """Return True if all devices that a call turns on or off are known to be so already."""
    wanted = _TURNED.get(getattr(resolved.tool, "intent_type", ""))
    is_known = wanted is not None and len(states) == len(resolved.targets)
    return is_known and all((each.state not in _RESTING) is wanted for each in states)


def target_of(hass: HomeAssistant, entity_id: str) -> str:
    """Return a device's permanent id: that of the entity registry, else its entity id."""
    entry = er.async_get(hass).async_get(entity_id)
    return entry.id if entry else entity_id


def entity_id_of(hass: HomeAssistant, target: str) -> str | None:
    """Return the current entity id of a target; None if it is gone."""
    entity_id = _entity_id(hass, target)
    return entity_id if entity_id and hass.states.get(entity_id) else None


def _entity_id(hass: HomeAssistant, target: str) -> str | None:
    return er.async_resolve_entity_id(er.async_get(hass), target)


def _is_changed(now: State, before: StateSnapshot, since: Since) -> bool:
    """Return True if a device was changed since the snapshot.

    A state that a device reports by itself has no user: then only the state itself counts.
    """
    if before.then and not _is_same(now, before.then):
        return True
    ours = {before.context, *since.ours}
    is_ours = not ours.isdisjoint((now.context.id, now.context.parent_id))
    somebodys = bool(now.context.user_id or now.context.parent_id) or now.context.id in since.others
    return somebodys and not is_ours and now.last_updated > since.made


def _is_same(now: State, state: str) -> bool:
    """Return True if a device is in a state or moving there; a player only has on and off."""
    if now.domain == MEDIA_PLAYER:
        return (now.state in _OFF) is (state in _OFF)
    return _ON_THE_WAY.get(now.state, now.state) == state


async def _async_put_back(hass: HomeAssistant, state: State, context: Context) -> None:
    async with asyncio.timeout(TOOL_TIMEOUT):
        if state.domain == VACUUM and state.state not in (*VacuumActivity,):
            # A state of its own means that it did not clean.
            state = State(state.entity_id, VacuumActivity.RETURNING, state.attributes)
        if state.domain not in _OWN:
            await async_reproduce_state(hass, state, context=context)
            return
        service, data = (
            _SERVICES.get((state.domain, state.state)),
            {ATTR_ENTITY_ID: state.entity_id},
        )
        position = state.attributes.get(_POSITION)
        if state.domain == "valve" and position is not None:
            service, data["position"] = "set_valve_position", position
        if service:
            await hass.services.async_call(state.domain, service, data, True, context)
