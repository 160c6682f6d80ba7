"""Scripts and scenes of a house: Home Assistant's own, made of their configuration."""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component

from bench.home import Home, HomeEntity

SCRIPT, SCENE = "script", "scene"
DOMAINS = frozenset({SCRIPT, SCENE})
# Who makes scenes of configuration.
_PLATFORMS = {SCRIPT: SCRIPT, SCENE: "homeassistant"}


async def async_configure(hass: HomeAssistant, home: Home) -> None:
    """Set up a house's scripts and scenes under their ids, as the file has them.

    Their attributes are their configuration. Raises RuntimeError for one that Home Assistant
    does not take.
    """
    entities = [entity for entity in home.entities if entity.domain in DOMAINS]
    registry = er.async_get(hass)
    for entity in entities:
        registry.async_get_or_create(
            entity.domain,
            _PLATFORMS[entity.domain],
            _own_id(entity),
            suggested_object_id=_own_id(entity),
        )
    scripts = {_own_id(each): _script(each) for each in entities if each.domain == SCRIPT}
    states = [_scene(each) for each in entities if each.domain == SCENE]
    scenes = states and [{"platform": _PLATFORMS[SCENE], "states": states}]
    for domain, config in ((SCRIPT, scripts), (SCENE, scenes)):
        if config and not await async_setup_component(hass, domain, {domain: config}):
            raise RuntimeError(f"{domain} could not be set up")
    await hass.async_block_till_done()
    if lost := [each.entity_id for each in entities if hass.states.get(each.entity_id) is None]:
        raise RuntimeError(f"{home.name}: Home Assistant does not take {', '.join(lost)}")


def _own_id(entity: HomeEntity) -> str:
    return entity.entity_id.partition(".")[2]


def _script(entity: HomeEntity) -> Mapping[str, Any]:
    return {"alias": entity.name, **entity.attributes}


def _scene(entity: HomeEntity) -> Mapping[str, Any]:
    return {"id": _own_id(entity), "name": entity.name, **entity.attributes}
