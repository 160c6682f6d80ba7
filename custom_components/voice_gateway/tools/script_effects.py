"""What scripts, scenes, automations and buttons lead to, as far as their configuration shows."""

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
"""Routines that run each other."""
_GUARDED_COVERS: Final = frozenset(("door", "garage", "gate"))
_CLOSING: Final = frozenset(
    (
        "alarm_control_panel.alarm_arm_away",
        "alarm_control_panel.alarm_arm_custom_bypass",
        "alarm_control_panel.alarm_arm_home",
        "alarm_control_panel.alarm_arm_night",
        "alarm_control_panel.alarm_arm_vacation",
        "alarm_control_panel.alarm_trigger",
        "cover.close_cover",
        "cover.close_cover_tilt",
        "cover.stop_cover",
        "cover.stop_cover_tilt",
        "lock.lock",
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
"""What these are told to do, nobody sees: a sentence, a code that opens a gate."""
HELPERS: Final = frozenset(
    (
        *("counter", "input_boolean", "input_button", "input_datetime", "input_number"),
        *("input_select", "input_text", "schedule", "timer"),
    )
)
"""What does nothing by itself, and what automations listen to."""
# What Home Assistant does by itself, besides what its entities do: nothing that opens anything.
_HARMLESS: Final = frozenset(
    (
        *(platform.value for platform in Platform if platform not in _UNSEEN),
        "counter",
        "frontend",
        "group",
        "homeassistant",
        "input_boolean",
        "input_datetime",
        "input_number",
        "input_select",
        "input_text",
        "logbook",
        "logger",
        "media_player",
        "notify",
        "persistent_notification",
        "recorder",
        "schedule",
        "system_log",
        "timer",
        "tts",
        "zone",
    )
)
_RUNS: Final = frozenset(("automation", "button", "input_button", "scene", "script"))
SECURE: Final = {
    "lock": ("locked", "locking"),
    "cover": ("closed", "closing"),
    "alarm_control_panel": ("armed", "arming", "triggered", "pending"),
}
_KNOWN_BUTTONS: Final = frozenset(ButtonDeviceClass)
STEPS: Final = (
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
ACTS: Final = ("action", "service", "service_template")
_OF_DEVICES: Final = ("device_id", "area_id", "floor_id", "label_id")


class EffectAnalyzer:
    """Tells of routines whether they open what keeps people out.

    What can't be seen may lead there: it is told so.
    """

    def __init__(self, hass: HomeAssistant) -> None:
        """Take where the configurations are."""
        self._hass = hass

    def may_open(self, entity_id: str) -> bool:
        """Return True if to turn on, run, activate or press something may open what keeps people out."""
        return self._may_open(entity_id, ())

    def action_may_open(self, step: Mapping[str, Any]) -> bool:
        """Return the same for an action, as it stands in a script."""
        return self._of_step(step, ())

    def _may_open(self, entity_id: str, through: Sequence[str]) -> bool:
        if entity_id in through:
            return False
        if len(through) >= _DEEP:
            return True
        through = (*through, entity_id)
        match split_entity_id(entity_id)[0]:
            case "script":
                return self._of_config(raw_config(self._hass, "script", entity_id), through)
            case "automation":
                return self._of_config(raw_config(self._hass, AUTOMATIONS, entity_id), through)
            case "scene":
                return self._of_scene(entity_id, through)
            case "button":
                return self._of_button(entity_id)
            case domain if domain in HELPERS:
                return self._of_listeners(entity_id, through)
        return False

    def _of_config(self, config: Any, through: Sequence[str]) -> bool:
        """Tell it of a script's or an automation's configuration; None is not to be seen."""
        if not isinstance(config, Mapping):
            return True
        steps = [config[key] for key in ("sequence", "actions", "action") if key in config]
        return not steps or any(self._of_steps(each, through) for each in steps)

    def _of_steps(self, steps: Any, through: Sequence[str]) -> bool:
        match steps:
            case Mapping():
                return self._of_step(steps, through)
            case list() | tuple():
                return any(self._of_steps(each, through) for each in steps)
        return False

    def _of_step(self, step: Mapping[str, Any], through: Sequence[str]) -> bool:
        for key in ACTS:
            if isinstance(action := step.get(key), str) and self._of_action(action, step, through):
                return True
        if "scene" in step and self._may_open(str(step["scene"]), through):
            return True
        if "event" in step and self._of_listeners(str(step["event"]), through):
            return True
        # "If the door is locked" names the device, too, and does nothing to it.
        is_of_device = "device_id" in step and "type" in step and "condition" not in step
        if is_of_device and self._of_device_action(step):
            return True
        return any(
            self._of_steps(step[key], through)
            for key in STEPS
            if not isinstance(step.get(key), str) and key in step
        )

    def _of_action(self, action: str, step: Mapping[str, Any], through: Sequence[str]) -> bool:
        """Tell it of an action with its target."""
        domain, _, service = action.partition(".")
        if "{" in action or not service:
            return True
        if action in _CLOSING:
            return False
        targets = [*targets_of(step)]
        if domain == "script" and service not in ("turn_on", "toggle", "turn_off", "reload"):
            return self._may_open(action, through)
        if domain == "cover":
            return self._of_cover_action(service, step, targets)
        if domain in SECURE:
            return True
        if domain in HELPERS:
            return any(each == "" or self._may_open(each, through) for each in targets or ("",))
        if domain in _RUNS or domain == "homeassistant":
            return self._of_running(domain, service, targets, through)
        return domain not in _HARMLESS

    def _of_cover_action(
        self, service: str, step: Mapping[str, Any], targets: Sequence[str]
    ) -> bool:
        if service == "set_cover_position" and (step.get("data") or {}).get("position") == 0:
            return False
        return any(each == "" or self._is_guarded_cover(each) for each in targets or ("",))

    def _is_guarded_cover(self, entity_id: str) -> bool:
        state = self._hass.states.get(entity_id)
        return state is None or device_class_of(self._hass, state) in _GUARDED_COVERS

    def _of_running(
        self, domain: str, service: str, targets: Sequence[str], through: Sequence[str]
    ) -> bool:
        """Tell it of what turns on, runs or presses other things, or whatever they are."""
        if service in ("reload", "stop") or (service == "turn_off" and domain in _RUNS):
            return False
        return any(self._of_target(each, service, through) for each in targets or ("",))

    def _of_target(self, entity_id: str, service: str, through: Sequence[str]) -> bool:
        if "." not in entity_id:
            return True
        domain = split_entity_id(entity_id)[0]
        if domain == "lock":
            return service != "turn_on"
        if domain == "cover":
            return service != "turn_off" and self._is_guarded_cover(entity_id)
        if domain == "alarm_control_panel":
            return True
        return service != "turn_off" and self._may_open(entity_id, through)

    def _of_device_action(self, step: Mapping[str, Any]) -> bool:
        """Tell it of an action of a device, as the automation editor writes it."""
        domain, what = str(step.get("domain", "")), str(step["type"])
        if domain == "cover":
            return what not in ("close", "close_tilt", "stop")
        if domain == "lock":
            return what != "lock"
        if domain == "alarm_control_panel":
            return not what.startswith(("arm", "trigger"))
        return domain not in _HARMLESS

    def _of_scene(self, entity_id: str, through: Sequence[str]) -> bool:
        component = self._hass.data.get(SCENES)
        scene = component.get_entity(entity_id) if component else None
        config = getattr(scene, "scene_config", None)
        if config is None:
            return not self._is_of_harmless(entity_id)
        return any(self._of_state(state, through) for state in config.states.values())

    def _of_state(self, state: State, through: Sequence[str]) -> bool:
        """Return True if a scene that brings about a state opens something."""
        if state.domain == "cover":
            return self._is_guarded_cover(state.entity_id) and state.state not in SECURE["cover"]
        if state.domain in SECURE:
            return not state.state.startswith(SECURE[state.domain])
        return state.state not in ("off", "unavailable", "unknown") and self._may_open(
            state.entity_id, through
        )

    def _of_button(self, entity_id: str) -> bool:
        """Tell it of a button: only a device's own integration knows what it does."""
        state = self._hass.states.get(entity_id)
        if state is not None and state.attributes.get(ATTR_DEVICE_CLASS) in _KNOWN_BUTTONS:
            return False
        # A doorbell that opens the door has nothing else that does.
        is_called_so = any(map(is_access_name, self._own_names(entity_id)))
        return is_called_so or not self._is_of_harmless(entity_id)

    def _own_names(self, entity_id: str) -> Sequence[str]:
        """Return what a thing is called by itself, without its device: that may be in a garage.

        Who calls the buzzer "Postman" has not changed what it does.
        """
        entry = er.async_get(self._hass).async_get(entity_id)
        return [each for each in (entry.name, entry.original_name) if each] if entry else []

    def _is_of_harmless(self, entity_id: str) -> bool:
        """Return True if a thing's device has others beside it, of which none keeps people out.

        A scene of a bridge is for what is at the bridge.
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

    def _of_listeners(self, what: str, through: Sequence[str]) -> bool:
        """Tell it of an entity that only automations listen to, or of an event: by the automations that do."""
        component = self._hass.data.get(AUTOMATIONS)
        for automation in component.entities if component else ():
            config = automation.raw_config
            if config is None:
                return True
            triggers = config.get("triggers", config.get("trigger", config))
            if _mentions(triggers, what) and self._may_open(automation.entity_id, through):
                return True
        return False


def raw_config(hass: HomeAssistant, component: Any, entity_id: str) -> Any:
    """Return a configuration as it was written, with a blueprint's filled in; None if not to be had."""
    found = hass.data.get(component)
    entity = found.get_entity(entity_id) if found else None
    return getattr(entity, "raw_config", None)


def targets_of(step: Mapping[str, Any]) -> Iterator[str]:
    """Yield the entities that an action is for; an empty text where it can't be told."""
    for where in (step, step.get("target"), step.get("data"), step.get("data_template")):
        if isinstance(where, str):
            yield ""
        if not isinstance(where, Mapping):
            continue
        if any(each in where for each in _OF_DEVICES):
            yield ""
        match where.get(ATTR_ENTITY_ID):
            case None:
                pass
            case str(listed):
                yield from (_one(each) for each in listed.split(","))
            case list(listed):
                yield from (_one(str(each)) for each in listed)
            case _:
                yield ""


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
