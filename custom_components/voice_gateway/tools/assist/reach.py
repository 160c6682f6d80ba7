"""What a call of Home Assistant's tools would act upon, before it is made."""

from collections.abc import Collection, Mapping
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent

from ...home.exposed import Exposed, Home
from .target import Target


def reached(
    hass: HomeAssistant,
    home: Home,
    domains: Collection[str],
    arguments: Mapping[str, Any],
    assistant: str,
) -> tuple[Exposed, ...]:
    """Return the devices that Home Assistant finds for a call; none where it would refuse it.

    `domains` are those that the tool works with. The target is read as Home Assistant's own
    handlers read it (`helpers/intent.py`, DynamicServiceIntentHandler.async_handle).
    """
    target = Target.of(arguments)
    found = intent.async_match_targets(
        hass,
        intent.MatchTargetsConstraints(
            name=None if target.name == "all" else target.name or None,
            area_name=target.area or None,
            floor_name=target.floor or None,
            domains=set(target.domains) or set(domains),
            device_classes=set(target.device_classes) or None,
            assistant=assistant,
        ),
    )
    ids = {state.entity_id for state in found.states}
    return tuple(entity for entity in home.entities if entity.entity_id in ids)
