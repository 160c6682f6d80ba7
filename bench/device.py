"""What all played devices are, and how a house describes them."""

from collections.abc import Mapping
from datetime import date, datetime
import importlib
import re
from typing import Any, override

from homeassistant.components.calendar import CalendarEvent
from homeassistant.components.light import ColorMode
from homeassistant.components.todo import TodoItem
from homeassistant.helpers.entity import Entity, ToggleEntity

# A name of Home Assistant's own, as in `cover.CoverEntityFeature.OPEN`.
_MEMBER = re.compile(r"([a-z_]+)\.([A-Z]\w+)\.([A-Z_]+)")
# What an entity calls an attribute of its state.
_FIELDS = {
    ("climate", "unit_of_measurement"): "native_temperature_unit",
    ("climate", "current_temperature"): "native_current_temperature",
    ("climate", "target_temperature"): "native_target_temperature",
    ("climate", "target_temperature_high"): "native_target_temperature_high",
    ("climate", "target_temperature_low"): "native_target_temperature_low",
    ("cover", "current_position"): "current_cover_position",
    ("valve", "current_position"): "current_valve_position",
    ("weather", "temperature"): "native_temperature",
    ("weather", "temperature_unit"): "native_temperature_unit",
}


def _attribute(name: str, value: Any) -> Any:
    """Return an attribute as Home Assistant has it: enums for their names, tuples for colors."""
    match name, value:
        case "supported_features", list():
            return _features([_member(item) for item in value])
        case "supported_color_modes", list():
            return {ColorMode(mode) for mode in value}
        case "color_mode", [mode] | mode:
            return ColorMode(mode)
        case "todo_items", list():
            return [TodoItem(**item) for item in value]
        case "events", list():
            return [_event(**event) for event in value]
        case _, list() if name.endswith("_color"):
            return tuple(int(part) for part in value)
    return _member(value)


def _event(start: str, end: str, **more: Any) -> CalendarEvent:
    """Return an event; one without times takes whole days."""
    when = datetime if ":" in start else date
    return CalendarEvent(when.fromisoformat(start), when.fromisoformat(end), **more)


def _features(features: list[Any]) -> Any:
    first, *others = features
    for feature in others:
        first |= feature
    return first


def _member(value: Any) -> Any:
    if isinstance(value, str) and (match := _MEMBER.fullmatch(value)):
        domain, enum, member = match.groups()
        return getattr(importlib.import_module(f"homeassistant.components.{domain}"), enum)[member]
    return value


def is_on(state: str | bool | None) -> bool:
    """Tell whether a state is on."""
    return state in (True, "on")


class Device(Entity):
    """What is the same for all: they are not polled, and are in a state from the beginning."""

    _attr_should_poll = False

    def __init__(self) -> None:
        """Begin with nothing done."""
        self.deeds: list[Mapping[str, Any]] = []
        """What services made of it, each time that one was called."""

    def take(self, domain: str, attributes: Mapping[str, Any]) -> None:
        """Take attributes by the names that houses have for them."""
        for name, value in attributes.items():
            field = _FIELDS.get((domain, name), name)
            setattr(self, f"_attr_{field}", _attribute(name, value))

    def begin(self, state: Any) -> None:
        """Take the state that the house gives, None where it gives none."""

    def happen(self, state: Any, attributes: Mapping[str, Any]) -> None:
        """Be in another state without being told to, as when somebody flips a switch."""
        self.take(self.entity_id.partition(".")[0], attributes)
        self.begin(state)
        self.async_write_ha_state()

    def remember(self, before: Device) -> None:
        """Be as a device was before Home Assistant was restarted."""
        own = {name: value for name, value in vars(before).items() if "_attr_" in name}
        vars(self).update(own)

    def _now(self, **attributes: Any) -> None:
        """Be in another state, as a service wants it."""
        self.deeds.append(attributes)
        for name, value in attributes.items():
            setattr(self, f"_attr_{name}", value)
        self.async_write_ha_state()


class OnOff(Device, ToggleEntity):
    """What is on or off."""

    @override
    def begin(self, state: Any) -> None:
        self._attr_is_on = is_on(state)

    @override
    async def async_turn_on(self, **kwargs: Any) -> None:
        self._now(is_on=True)

    @override
    async def async_turn_off(self, **kwargs: Any) -> None:
        self._now(is_on=False)
