"""The entities that a call of Home Assistant's tools would act upon, before it is made."""

from collections.abc import Collection, Mapping
from itertools import chain
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent

from ...home.exposed import Exposed, Home
from .intents import IntentTool
from .target import Target


def reached_by(
    hass: HomeAssistant,
    home: Home,
    tool: IntentTool,
    arguments: Mapping[str, Any],
    assistant: str,
) -> tuple[Exposed, ...]:
    """Return the devices that a tool's call would act upon, as far as they are known."""
    domains = tool.domains(hass, home) or ()
    if not domains:
        return ()
    each = (_reached(hass, home, domains, one, assistant) for one in tool.each(dict(arguments)))
    # Home Assistant refuses those of other domains.
    found = (
        entity
        for entity in chain.from_iterable(each)
        if entity.domain in domains and tool.is_for(hass, entity)
    )
    return tuple(dict.fromkeys(found))


def found_by(
    hass: HomeAssistant, home: Home, arguments: Mapping[str, Any], assistant: str
) -> tuple[Exposed, ...]:
    """Return the devices of any domain that match a call's target, whatever its tool."""
    return _reached(hass, home, home.domains, arguments, assistant)


def _reached(
    hass: HomeAssistant,
    home: Home,
    domains: Collection[str],
    arguments: Mapping[str, Any],
    assistant: str,
) -> tuple[Exposed, ...]:
    """Return the devices that Home Assistant finds for a call; none if it would refuse it.

    `domains` are the tool's. The target is read as Home Assistant's handlers read it
    (`helpers/intent.py`, DynamicServiceIntentHandler.async_handle).
    """
    target = Target.of(arguments)
    name = "" if target.name == "all" else target.name
    kinds = set(target.domains) or set(domains)
    # Searching all devices of a large home takes Home Assistant longer than the rest of a turn.
    possible = {
        entity.entity_id: (entity, state)
        for entity in (home.called(name) if name else home.entities)
        if entity.domain in kinds and (state := hass.states.get(entity.entity_id))
    }
    if not possible:
        return ()
    found = intent.async_match_targets(
        hass,
        intent.MatchTargetsConstraints(
            name=name or None,
            area_name=target.area or None,
            floor_name=target.floor or None,
            domains=kinds,
            device_classes=set(target.device_classes) or None,
            assistant=assistant,
        ),
        states=[state for _, state in possible.values()],
    )
    return tuple(possible[state.entity_id][0] for state in found.states)
