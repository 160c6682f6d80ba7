"""What scripts, automations and scenes open for certain, as their configuration shows it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from homeassistant.components.automation.const import DATA_COMPONENT as AUTOMATIONS
from homeassistant.components.scene.const import DATA_COMPONENT as SCENES
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er

from .script_effects import ACTS, SECURE, STEPS, raw_config, targets_of

_DEEP: Final = 10
"""Routines that run each other."""
_OPENS: Final = frozenset(
    (
        "alarm_control_panel.alarm_disarm",
        "cover.open_cover",
        "cover.set_cover_position",
        "lock.open",
        "lock.unlock",
    )
)
_OF_DEVICES: Final = frozenset(("disarm", "open", "unlock"))
_OPEN: Final = frozenset(("disarmed", "open", "unlocked"))
_COMPONENTS: Final = {"automation": AUTOMATIONS, "script": "script"}


def opened_by_script(hass: HomeAssistant, entity_id: str, deep: int = _DEEP) -> Iterator[str]:
    """Yield the ids of what turning on, running or activating something opens; or but their domains."""
    domain = entity_id.partition(".")[0]
    if not deep:
        return
    if domain == "scene":
        yield from _of_scene(hass, entity_id)
    elif domain in _COMPONENTS:
        config = raw_config(hass, _COMPONENTS[domain], entity_id)
        for step in _steps(config if isinstance(config, Mapping) else {}):
            yield from _of_step(hass, step, deep - 1)


def _of_scene(hass: HomeAssistant, entity_id: str) -> Iterator[str]:
    component = hass.data.get(SCENES)
    scene = component.get_entity(entity_id) if component else None
    config = getattr(scene, "scene_config", None)
    states = config.states.values() if config else ()
    yield from (each.entity_id for each in states if each.domain in SECURE and each.state in _OPEN)


def _steps(part: Any) -> Iterator[Mapping[str, Any]]:
    """Yield a configuration and all steps in it, in whatever they are: not what is only looked at."""
    match part:
        case Mapping():
            yield part
            for key in STEPS:
                yield from _steps(part.get(key))
        case list() | tuple():
            for each in part:
                yield from _steps(each)


def _of_step(hass: HomeAssistant, step: Mapping[str, Any], deep: int) -> Iterator[str]:
    if step.get("type") in _OF_DEVICES and "condition" not in step:
        found = er.async_resolve_entity_id(er.async_get(hass), str(step.get("entity_id", "")))
        yield found or str(step.get("domain", ""))
    for action in (step[key] for key in ACTS if isinstance(step.get(key), str)):
        targets: Sequence[str] = [*targets_of(step)]
        if action in _OPENS and (step.get("data") or {}).get("position") != 0:
            yield from targets or (action.partition(".")[0],)
        elif action in ("script.turn_on", "scene.turn_on", "automation.trigger"):
            for each in targets:
                yield from opened_by_script(hass, each, deep)
        elif action.startswith("script."):
            yield from opened_by_script(hass, action, deep)
    if isinstance(step.get("scene"), str):
        yield from _of_scene(hass, step["scene"])
