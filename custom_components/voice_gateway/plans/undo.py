"""How devices were, and how they are put back."""

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
# Where a device was on its way, and what it played then: to put that back would begin it anew.
_PASSING: Final = frozenset((_POSITION, "current_tilt_position"))
_PLAYED: Final = frozenset((Media.MEDIA_CONTENT_ID, Media.MEDIA_CONTENT_TYPE))
# What a device tells of itself, besides what it is set to: what it plays, measures, and has left.
_TELLS: Final = ("app_", "battery_", "current_", "entity_picture", "hvac_action", "media_")
# What Home Assistant itself can't put back (2026.11: these have no `reproduce_state`).
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
"""States of what is off, of any domain."""


@dataclass(frozen=True, slots=True)
class RevertPlan:
    """What is to become of devices that are to be as they were."""

    back: Sequence[State]
    """The states into which they are put back."""
    silent: Sequence[StateSnapshot]
    """Those that do not answer now."""
    changed: Sequence[StateSnapshot]
    """Those that somebody has changed since."""


@dataclass(frozen=True, slots=True)
class Since:
    """What counts as changed since something was done."""

    made: dt.datetime
    ours: Collection[str] = field(default=())
    """The ids of contexts in which it was done, and what was done since that is not to be kept."""
    others: Collection[str] = field(default=())
    """Those in which somebody did something else, though in nobody's name: a voice in another room."""


async def async_can_restore(hass: HomeAssistant, domain: str) -> bool:
    """Return True if a device of a domain can be put back into its state."""
    if domain in _OWN:
        return True
    try:
        integration = await async_get_integration(hass, domain)
    except IntegrationNotFound:
        return False
    return bool(integration.platforms_exists(("reproduce_state",)))


def states_of(hass: HomeAssistant, entities: Sequence[Exposed]) -> list[State]:
    """Return how devices are now, as far as anybody knows."""
    found = (hass.states.get(each.entity_id) for each in entities)
    return [state for state in found if state and state.state not in _UNSURE]


def since(
    hass: HomeAssistant, states: Sequence[State], context: Context
) -> tuple[StateSnapshot, ...]:
    """Return how devices were before something was done to them in a context, by what they are now."""
    return tuple(
        before(hass, state, hass.states.get(state.entity_id), context.id) for state in states
    )


def before(hass: HomeAssistant, old: State, new: State | None, context_id: str) -> StateSnapshot:
    """Return how a device was before something was done to it in a context, and what came of it."""
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
    """Return which devices are put back, and which are not; those that are gone are neither."""
    silent = [each for each in restore if _is_silent(hass, each.target, _UNSURE)]
    back: list[State] = []
    changed: list[StateSnapshot] = []
    for each in restore:
        entity_id = entity_id_of(hass, each.target)
        now = hass.states.get(entity_id) if entity_id else None
        if now is None or each in silent:
            continue
        if _is_changed(now, each, since):
            changed.append(each)
        else:
            back.append(State(now.entity_id, each.state, each.attributes))
    return RevertPlan(back, silent, changed)


def is_as(now: State, state: State) -> bool:
    """Return True if a device is in a state, with all that can be put back: not what it plays."""
    # What a device tells of itself nobody can put back.
    names = [each for each in state.attributes if each in _PASSING or not each.startswith(_TELLS)]
    theirs = json_dumps([state.attributes[name] for name in names])
    own = json_dumps([now.attributes.get(name) for name in names])
    return _ON_THE_WAY.get(now.state, now.state) == state.state and own == theirs


async def async_restore(
    hass: HomeAssistant, plan: Plan, context: Context
) -> Sequence[StateSnapshot]:
    """Put back the devices of an ending, but those that somebody has changed since.

    Returns what is left of it: devices that do not answer now. Raises what the first one raises that
    can't be put back, when all have been tried.
    """
    found = sort_out(hass, plan.restore, Since(plan.made))
    await async_put_back(hass, found.back, context)
    return found.silent


async def async_put_back(
    hass: HomeAssistant, states: Sequence[State], context: Context
) -> Sequence[str]:
    """Put devices into states.

    Returns the entity ids of those that were not, as nothing brings their states about. Raises what
    the first one raises, when all have been tried.
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
    """Return True if any device of a plan can be acted upon; it may have none, or none any more."""
    unsure = _UNSURE if plan.is_ending else (STATE_UNAVAILABLE,)
    known = [each for each in plan.targets if _entity_id(hass, each)]
    return not known or any(not _is_silent(hass, each, unsure) for each in known)


def would_open(hass: HomeAssistant, before: StateSnapshot) -> bool:
    """Return True if to put a device back lets somebody in."""
    entity_id = entity_id_of(hass, before.target) or ""
    domain, _, _ = entity_id.partition(".")
    device_class = before.attributes.get(ATTR_DEVICE_CLASS)
    is_shut = before.state in ("closed", "locked") or before.state.startswith("armed")
    return not is_shut and Exposed("", domain, (), entity_id, device_class).is_access


def opened_again(resolved: ResolvedCall, before: Sequence[State]) -> Sequence[Exposed]:
    """Return what keeps people out, is open now, and would be so again after what is done for a while."""
    found = {each.entity_id: each for each in before}
    return [
        each
        for each in resolved.targets
        if each.is_access
        and (state := found.get(each.entity_id))
        and not state.state.startswith(SECURE.get(each.domain, ()))
    ]


def is_so_already(resolved: ResolvedCall, states: Sequence[State]) -> bool:
    """Return True if what a call turns on, or off, is so already, as far as anybody knows."""
    wanted = _TURNED.get(getattr(resolved.tool, "intent_type", ""))
    is_known = wanted is not None and len(states) == len(resolved.targets)
    return is_known and all((each.state not in _RESTING) is wanted for each in states)


def target_of(hass: HomeAssistant, entity_id: str) -> str:
    """Return by what a device is known for good: it may be given another entity id."""
    entry = er.async_get(hass).async_get(entity_id)
    return entry.id if entry else entity_id


def entity_id_of(hass: HomeAssistant, target: str) -> str | None:
    """Return the entity id that a device has now; None where it is gone."""
    entity_id = _entity_id(hass, target)
    return entity_id if entity_id and hass.states.get(entity_id) else None


def _entity_id(hass: HomeAssistant, target: str) -> str | None:
    return er.async_resolve_entity_id(er.async_get(hass), target)


def _is_silent(hass: HomeAssistant, target: str, unsure: Sequence[str]) -> bool:
    """Return True if a device does not answer now; one that was removed never will."""
    if (entity_id := _entity_id(hass, target)) is None:
        return False
    state = hass.states.get(entity_id)
    return state is None or state.state in unsure


def _is_changed(now: State, before: StateSnapshot, since: Since) -> bool:
    """Return True if somebody has changed a device since something was done to it.

    A device that reports its state by itself does so in the name of nobody: then the state alone tells.
    """
    if before.then and not _is_same(now, before.then):
        return True
    ours = {before.context, *since.ours}
    is_ours = not ours.isdisjoint((now.context.id, now.context.parent_id))
    somebodys = bool(now.context.user_id or now.context.parent_id) or now.context.id in since.others
    return somebodys and not is_ours and now.last_updated > since.made


def _is_same(now: State, state: str) -> bool:
    """Return True if a device is in a state, or on its way there; a player that is on may play or not."""
    if now.domain == MEDIA_PLAYER:
        return (now.state in _OFF) is (state in _OFF)
    return _ON_THE_WAY.get(now.state, now.state) == state


async def _async_put_back(hass: HomeAssistant, state: State, context: Context) -> None:
    async with asyncio.timeout(TOOL_TIMEOUT):
        if state.domain == VACUUM and state.state not in (*VacuumActivity,):
            # It did not clean, whatever it calls that.
            state = State(state.entity_id, VacuumActivity.RETURNING, state.attributes)
        if state.domain not in _OWN:
            await async_reproduce_state(hass, state, context=context)
        elif service := _service(state):
            name, data = service
            data[ATTR_ENTITY_ID] = state.entity_id
            await hass.services.async_call(state.domain, name, data, True, context)


def _service(state: State) -> tuple[str, dict[str, Any]] | None:
    """Return the action, with its data, that puts back what Home Assistant can't."""
    position = state.attributes.get(_POSITION)
    if state.domain == "valve" and position is not None:
        return "set_valve_position", {"position": position}
    service = _SERVICES.get((state.domain, state.state))
    return (service, {}) if service else None
