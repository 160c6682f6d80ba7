"""The effects of scripts, scenes, automations and buttons, as far as their configuration shows."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from homeassistant.components.automation.const import DATA_COMPONENT as AUTOMATIONS
from homeassistant.components.button import ButtonDeviceClass
from homeassistant.components.scene.const import DATA_COMPONENT as SCENES
from homeassistant.const import ATTR_DEVICE_CLASS, ATTR_ENTITY_ID, Platform
from homeassistant.core import HomeAssistant, State, split_entity_id
from homeassistant.helpers import entity_registry as er

from ..home.exposed import device_class_of
from ..nlu.predicates import is_access_name

_DEEP: Final = 10
"""Maximum depth of routines that run each other."""
_GUARDED_COVERS: Final = frozenset(("door", "garage", "gate"))
_ARMED: Final = ("away", "custom_bypass", "home", "night", "vacation")
_CLOSING: Final = frozenset(
    (
        *(f"alarm_control_panel.alarm_arm_{how}" for how in _ARMED),
        "alarm_control_panel.alarm_trigger",
        *("cover.close_cover", "cover.close_cover_tilt", "cover.stop_cover"),
        *("cover.stop_cover_tilt", "lock.lock"),
    )
)
_UNSEEN: Final = frozenset(
    (
        Platform.AI_TASK,
        Platform.CONVERSATION,
        Platform.INFRARED,
        Platform.RADIO_FREQUENCY,
        Platform.REMOTE,
    )
)
"""The effect of actions on these is unknown: a sentence, or a code that opens a gate."""
HELPERS: Final = frozenset(
    (
        *("counter", "input_boolean", "input_button", "input_datetime", "input_number"),
        *("input_select", "input_text", "schedule", "timer"),
    )
)
"""Entities without effects of their own, to which automations listen."""
# Home Assistant's own actions, besides those of its entities: none of them opens anything.
_HARMLESS: Final = frozenset(
    (
        *(platform.value for platform in Platform if platform not in _UNSEEN),
        *(HELPERS - {"input_button"}),
        *("frontend", "group", "homeassistant", "logbook", "logger", "persistent_notification"),
        *("recorder", "system_log", "zone"),
    )
)
_RUNS: Final = frozenset(("automation", "button", "input_button", "scene", "script"))
SECURE: Final = {
    "lock": ("locked", "locking"),
    "cover": ("closed", "closing"),
    "alarm_control_panel": ("armed", "arming", "triggered", "pending"),
}
_CLOSING_TYPES: Final = {
    "lock": ("lock",),
    "cover": ("close", "stop"),
    "alarm_control_panel": ("arm", "trigger"),
}
"""The prefixes of actions that open nothing."""
UNSEEN: Final = ""
_KNOWN_BUTTONS: Final = frozenset(ButtonDeviceClass)
_STEPS: Final = (
    "sequence",
    "actions",
    "action",
    "then",
    "else",
    "default",
    "choose",
    "parallel",
    "repeat",
)
_ACTS: Final = ("action", "service", "service_template")
_OF_DEVICES: Final = ("device_id", "area_id", "floor_id", "label_id")


class EffectAnalyzer:
    """Finds the entry points that routines open.

    Unknown effects may open anything: they are reported as `UNSEEN`.
    """

    def __init__(self, hass: HomeAssistant) -> None:
        """Take the instance with the configurations."""
        self._hass = hass

    def may_open(self, entity_id: str) -> bool:
        """Return True if turning on, running or pressing an entity may open an entry point."""
        return any(True for _ in self.opened_by(entity_id))

    def action_may_open(self, step: Mapping[str, Any]) -> bool:
        """Return the same for an action in a script's format."""
        return any(True for _ in self._of_step(step, ()))

    def opened_by(self, entity_id: str, through: Sequence[str] = ()) -> Iterator[str]:
        """Yield the ids, or only the domains, that a routine opens; `through` are its callers."""
        if entity_id in through:
            return
        if len(through) >= _DEEP:
            yield UNSEEN
            return
        through = (*through, entity_id)
        match split_entity_id(entity_id)[0]:
            case "script":
                yield from self._of_config(_raw_config(self._hass, "script", entity_id), through)
            case "automation":
                yield from self._of_config(_raw_config(self._hass, AUTOMATIONS, entity_id), through)
            case "scene":
                yield from self._of_scene(entity_id, through)
            case "button" if self._is_opener(entity_id):
                yield UNSEEN
            case domain if domain in HELPERS:
                yield from self._of_listeners(entity_id, through)

    def _of_config(self, config: Any, through: Sequence[str]) -> Iterator[str]:
        """Yield the same for a script's or an automation's configuration; None is unreadable."""
        keys = ("sequence", "actions", "action")
        steps = (
            [config[key] for key in keys if key in config] if isinstance(config, Mapping) else []
        )
        if not steps:
            yield UNSEEN
        yield from self._of_steps(steps, through)

    def _of_steps(self, steps: Any, through: Sequence[str]) -> Iterator[str]:
        match steps:
            case Mapping():
                yield from self._of_step(steps, through)
            case list() | tuple():
                for each in steps:
                    yield from self._of_steps(each, through)

    def _of_step(self, step: Mapping[str, Any], through: Sequence[str]) -> Iterator[str]:
        for key in _ACTS:
            if isinstance(action := step.get(key), str):
                yield from self._of_action(action, step, through)
        if "scene" in step:
            yield from self.opened_by(str(step["scene"]), through)
        if "event" in step:
            yield from self._of_listeners(str(step["event"]), through)
        # "If the door is locked" names the device, too, and does nothing to it.
        if "device_id" in step and "type" in step and "condition" not in step:
            yield from self._of_device_action(step)
        for key in _STEPS:
            if key in step and not isinstance(step[key], str):
                yield from self._of_steps(step[key], through)

    def _of_action(
        self, action: str, step: Mapping[str, Any], through: Sequence[str]
    ) -> Iterator[str]:
        """Yield the same for an action with its target."""
        domain, _, service = action.partition(".")
        targets = [*_targets_of(step)] or [UNSEEN]
        if "{" in action or not service:
            yield UNSEEN
        elif action in _CLOSING:
            return
        elif domain == "script" and service not in ("turn_on", "toggle", "turn_off", "reload"):
            yield from self.opened_by(action, through)
        elif domain == "cover":
            if service != "set_cover_position" or (step.get("data") or {}).get("position") != 0:
                yield from filter(self._is_guarded_cover, targets)
        elif domain in SECURE:
            yield from (each or domain for each in targets)
        elif domain in HELPERS or domain in _RUNS or domain == "homeassistant":
            ends = service in ("reload", "stop") or (service == "turn_off" and domain in _RUNS)
            for each in () if ends and domain not in HELPERS else targets:
                yield from self._of_target(each, service, through)
        elif domain not in _HARMLESS:
            yield UNSEEN

    def _is_guarded_cover(self, entity_id: str) -> bool:
        state = self._hass.states.get(entity_id) if entity_id else None
        return state is None or device_class_of(self._hass, state) in _GUARDED_COVERS

    def _of_target(self, entity_id: str, service: str, through: Sequence[str]) -> Iterator[str]:
        """Yield the same for any entity that is turned on, run or pressed."""
        match entity_id.partition(".")[0]:
            case "":
                yield UNSEEN
            case "lock" if service != "turn_on":
                yield entity_id
            case "cover" if service != "turn_off" and self._is_guarded_cover(entity_id):
                yield entity_id
            case "alarm_control_panel":
                yield entity_id
            case domain if service != "turn_off" or domain in HELPERS:
                yield from self.opened_by(entity_id, through)

    def _of_device_action(self, step: Mapping[str, Any]) -> Iterator[str]:
        """Yield the same for a device action, as the automation editor writes it."""
        domain, what = str(step.get("domain", "")), str(step["type"])
        closes = _CLOSING_TYPES.get(domain)
        if closes and not what.startswith(closes):
            registry = er.async_get(self._hass)
            yield er.async_resolve_entity_id(registry, str(step.get("entity_id", ""))) or domain
        elif closes is None and domain not in _HARMLESS:
            yield UNSEEN

    def _of_scene(self, entity_id: str, through: Sequence[str]) -> Iterator[str]:
        component = self._hass.data.get(SCENES)
        scene = component.get_entity(entity_id) if component else None
        config = getattr(scene, "scene_config", None)
        if config is None and not self._is_of_harmless(entity_id):
            yield UNSEEN
        for state in config.states.values() if config else ():
            yield from self._of_state(state, through)

    def _of_state(self, state: State, through: Sequence[str]) -> Iterator[str]:
        """Yield the same for a state that a scene sets."""
        if state.domain in SECURE:
            is_guarded = state.domain != "cover" or self._is_guarded_cover(state.entity_id)
            if is_guarded and not state.state.startswith(SECURE[state.domain]):
                yield state.entity_id
        elif state.state not in ("off", "unavailable", "unknown"):
            yield from self.opened_by(state.entity_id, through)

    def _is_opener(self, entity_id: str) -> bool:
        """Return True if a button may open something: only its integration knows its effect."""
        state = self._hass.states.get(entity_id)
        if state is not None and state.attributes.get(ATTR_DEVICE_CLASS) in _KNOWN_BUTTONS:
            return False
        # The name of its device proves nothing: the device may be in a garage. Renaming the buzzer
        # "Postman" does not change its effect, and a doorbell that opens has no other entity that
        # does.
        entry = er.async_get(self._hass).async_get(entity_id)
        names = (entry.name, entry.original_name) if entry else ()
        is_called_so = any(is_access_name(each) for each in names if each)
        return is_called_so or not self._is_of_harmless(entity_id)

    def _is_of_harmless(self, entity_id: str) -> bool:
        """Return True if an entity's device has other entities, none of which is an entry point.

        A scene of a bridge is for the devices of the bridge.
        """
        registry = er.async_get(self._hass)
        if (entry := registry.async_get(entity_id)) is None:
            return False
        if entry.device_id is not None:
            others = er.async_entries_for_device(registry, entry.device_id)
        elif entry.config_entry_id is not None:
            others = er.async_entries_for_config_entry(registry, entry.config_entry_id)
        else:
            return False
        others = [each for each in others if each.domain not in _RUNS]
        return bool(others) and not any(
            each.domain in ("lock", "alarm_control_panel")
            or (each.domain == "cover" and self._is_guarded_cover(each.entity_id))
            for each in others
        )

    def _of_listeners(self, what: str, through: Sequence[str]) -> Iterator[str]:
        """Yield the same for a helper or an event: by the automations that listen to it."""
        component = self._hass.data.get(AUTOMATIONS)
        for automation in component.entities if component else ():
            if (config := automation.raw_config) is None:
                yield UNSEEN
            elif _mentions(config.get("triggers", config.get("trigger", config)), what):
                yield from self.opened_by(automation.entity_id, through)


def _raw_config(hass: HomeAssistant, component: Any, entity_id: str) -> Any:
    """Return a raw configuration, with a blueprint's filled in; None if it is unavailable."""
    found = hass.data.get(component)
    entity = found.get_entity(entity_id) if found else None
    return getattr(entity, "raw_config", None)


def _targets_of(step: Mapping[str, Any]) -> Iterator[str]:
    """Yield the entities that an action targets; `UNSEEN` if they are unknown."""
    for where in (step, step.get("target"), step.get("data"), step.get("data_template")):
        if isinstance(where, str):
            yield UNSEEN
        if not isinstance(where, Mapping):
            continue
        if any(each in where for each in _OF_DEVICES):
            yield UNSEEN
        match where.get(ATTR_ENTITY_ID):
            case None:
                pass
            case str(listed):
                yield from (_one(each) for each in listed.split(","))
            case list(listed):
                yield from (_one(str(each)) for each in listed)
            case _:
                yield UNSEEN


def _one(listed: str) -> str:
    entity_id = listed.strip()
    return "" if "{" in entity_id or "." not in entity_id else entity_id


def _mentions(config: Any, entity_id: str) -> bool:
    match config:
        case str():
            return entity_id in config or "{" in config
        case Mapping():
            return any(_mentions(each, entity_id) for each in config.values())
        case list() | tuple():
            return any(_mentions(each, entity_id) for each in config)
    return False
