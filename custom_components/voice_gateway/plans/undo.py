"""How devices were, and how they are put back."""

from collections.abc import Mapping, Sequence
from typing import Any

from homeassistant.const import ATTR_ENTITY_ID, STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.json import json_dumps
from homeassistant.helpers.state import async_reproduce_state
from homeassistant.loader import IntegrationNotFound, async_get_integration
from homeassistant.util.json import json_loads_object

from ..home.exposed import Exposed
from .plan import Before

_ON_THE_WAY = {
    "closing": "closed",
    "locking": "locked",
    "opening": "open",
    "returning": "docked",
    "unlocking": "unlocked",
}
# What Home Assistant itself can't put back (2026.11: these have no `reproduce_state`).
_SERVICES: Mapping[tuple[str, str], str] = {
    ("lawn_mower", "docked"): "dock",
    ("lawn_mower", "mowing"): "start_mowing",
    ("lawn_mower", "paused"): "pause",
    ("siren", "off"): "turn_off",
    ("siren", "on"): "turn_on",
    ("valve", "closed"): "close_valve",
    ("valve", "open"): "open_valve",
}
_OWN = frozenset(domain for domain, _ in _SERVICES)


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


def since(hass: HomeAssistant, states: Sequence[State]) -> tuple[Before, ...]:
    """Return how devices were before something was done to them, by what they are now."""
    return tuple(_before(hass, state) for state in states)


async def async_restore(
    hass: HomeAssistant, before: Sequence[Before], context: Context
) -> Sequence[str]:
    """Put devices back, but those that somebody has changed since; return the ids of the others."""
    back = [state for each in before if (state := _to_restore(hass, each))]
    for state in back:
        if service := _SERVICES.get((state.domain, state.state)):
            await hass.services.async_call(
                state.domain, service, {ATTR_ENTITY_ID: state.entity_id}, True, context
            )
    others = [state for state in back if state.domain not in _OWN]
    await async_reproduce_state(hass, others, context=context)
    return [state.entity_id for state in back]


_UNSURE = (STATE_UNAVAILABLE, STATE_UNKNOWN)


def target_of(hass: HomeAssistant, entity_id: str) -> str:
    """Return by what a device is known for good: it may be given another entity id."""
    entry = er.async_get(hass).async_get(entity_id)
    return entry.id if entry else entity_id


def entity_id_of(hass: HomeAssistant, target: str) -> str | None:
    """Return the entity id that a device has now; None where it is gone."""
    entity_id = er.async_resolve_entity_id(er.async_get(hass), target)
    return entity_id if entity_id and hass.states.get(entity_id) else None


def _before(hass: HomeAssistant, state: State) -> Before:
    now = hass.states.get(state.entity_id)
    then = _ON_THE_WAY.get(now.state, now.state) if now else ""
    attributes: dict[str, Any] = dict(state.attributes)
    return Before(
        target=target_of(hass, state.entity_id),
        state=_ON_THE_WAY.get(state.state, state.state),
        attributes=json_loads_object(json_dumps(attributes)),
        then="" if then == state.state else then,
    )


def _to_restore(hass: HomeAssistant, before: Before) -> State | None:
    """Return the state that a device is put back into; None where it is changed or gone."""
    entity_id = entity_id_of(hass, before.target)
    now = hass.states.get(entity_id) if entity_id else None
    if now is None or (before.then and _ON_THE_WAY.get(now.state, now.state) != before.then):
        return None
    return State(now.entity_id, before.state, before.attributes)
