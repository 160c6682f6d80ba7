"""How devices were, and how they are put back."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from homeassistant.components.media_player import (
    DOMAIN as MEDIA_PLAYER,
    MediaPlayerEntityStateAttribute as Media,
)
from homeassistant.const import (
    ATTR_DEVICE_CLASS,
    ATTR_ENTITY_ID,
    STATE_OFF,
    STATE_STANDBY,
    STATE_UNAVAILABLE,
    STATE_UNKNOWN,
)
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.json import json_dumps
from homeassistant.helpers.state import async_reproduce_state
from homeassistant.loader import IntegrationNotFound, async_get_integration
from homeassistant.util.json import json_loads_object

from ..const import TOOL_TIMEOUT
from ..heard.mentioned import is_guarded
from ..home.exposed import Exposed
from .plan import Before, Plan

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


async def async_can_restore(hass: HomeAssistant, entity: Exposed) -> bool:
    """Tell whether a device can be put back into its state."""
    if entity.domain in _OWN:
        return True
    try:
        integration = await async_get_integration(hass, entity.domain)
    except IntegrationNotFound:
        return False
    return bool(integration.platforms_exists(("reproduce_state",)))


def states_of(hass: HomeAssistant, entities: Sequence[Exposed]) -> list[State]:
    """Return how devices are now, as far as anybody knows."""
    found = (hass.states.get(each.entity_id) for each in entities)
    return [state for state in found if state and state.state not in _UNSURE]


def since(hass: HomeAssistant, states: Sequence[State], context: Context) -> tuple[Before, ...]:
    """Return how devices were before something was done to them in a context, by what they are now."""
    return tuple(_before(hass, state, context) for state in states)


async def async_restore(hass: HomeAssistant, plan: Plan, context: Context) -> Sequence[Before]:
    """Put back the devices of an ending, but those that somebody has changed since.

    Returns what is left of it: devices that do not answer now. Raises what the first one raises that
    can't be put back, when all have been tried.
    """
    left = [each for each in plan.restore if _is_silent(hass, each.target, _UNSURE)]
    back = [
        state
        for each in plan.restore
        if each not in left and (state := _to_restore(hass, each, plan))
    ]
    made = (_async_put_back(hass, state, context) for state in back)
    for result in await asyncio.gather(*made, return_exceptions=True):
        if isinstance(result, BaseException):
            raise result
    return left


def answers(hass: HomeAssistant, plan: Plan) -> bool:
    """Tell whether any device of a plan can be acted upon; it may have none, or none any more."""
    unsure = _UNSURE if plan.is_ending else (STATE_UNAVAILABLE,)
    known = [each for each in plan.targets if _entity_id(hass, each)]
    return not known or any(not _is_silent(hass, each, unsure) for each in known)


def would_open(hass: HomeAssistant, before: Before) -> bool:
    """Tell whether to put a device back lets somebody in."""
    entity_id = entity_id_of(hass, before.target) or ""
    domain, _, _ = entity_id.partition(".")
    device_class = before.attributes.get(ATTR_DEVICE_CLASS)
    is_shut = before.state in ("closed", "locked") or before.state.startswith("armed")
    return not is_shut and is_guarded(Exposed("", domain, (), entity_id, device_class))


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
    """Tell whether a device does not answer now; one that was removed never will."""
    if (entity_id := _entity_id(hass, target)) is None:
        return False
    state = hass.states.get(entity_id)
    return state is None or state.state in unsure


def _before(hass: HomeAssistant, state: State, context: Context) -> Before:
    now = hass.states.get(state.entity_id)
    then = _ON_THE_WAY.get(now.state, now.state) if now else ""
    dropped = _PLAYED | _PASSING if state.state in _ON_THE_WAY else _PLAYED
    attributes: dict[str, Any] = {
        name: value for name, value in state.attributes.items() if name not in dropped
    }
    return Before(
        target=target_of(hass, state.entity_id),
        state=_ON_THE_WAY.get(state.state, state.state),
        attributes=json_loads_object(json_dumps(attributes)),
        then="" if then in (state.state, *_UNSURE) else then,
        context=context.id,
    )


def _to_restore(hass: HomeAssistant, before: Before, plan: Plan) -> State | None:
    """Return the state that a device is put back into; None where it is changed or gone."""
    entity_id = entity_id_of(hass, before.target)
    now = hass.states.get(entity_id) if entity_id else None
    if now is None or _is_changed(now, before, plan):
        return None
    return State(now.entity_id, before.state, before.attributes)


def _is_changed(now: State, before: Before, plan: Plan) -> bool:
    """Tell whether somebody has changed a device since something was done to it for a while.

    A device that reports its state by itself does so in the name of nobody: then the state alone tells.
    """
    if before.then and not _is_same(now, before.then):
        return True
    somebodys = bool(now.context.user_id or now.context.parent_id)
    is_ours = before.context in (now.context.id, now.context.parent_id)
    return somebodys and not is_ours and now.last_updated > plan.made


def _is_same(now: State, state: str) -> bool:
    """Tell whether a device is in a state, or on its way there; a player that is on may play or not."""
    if now.domain == MEDIA_PLAYER:
        return (now.state in _OFF) is (state in _OFF)
    return _ON_THE_WAY.get(now.state, now.state) == state


async def _async_put_back(hass: HomeAssistant, state: State, context: Context) -> None:
    async with asyncio.timeout(TOOL_TIMEOUT):
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
