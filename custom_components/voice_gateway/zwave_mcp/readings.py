"""The values that a device reports, in words: on, 19.5 °C, closed, 87 %."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from zwave_js_server.const import CommandClass as CC
from zwave_js_server.model.node import Node
from zwave_js_server.model.value import Value

LOCKED = 255  # Door Lock's mode "secured"
FULL = 99  # the highest level of Multilevel Switch and Window Covering


# Specific device classes whose level is a position, from the Z-Wave device class specification.
MOTORS = {
    "Motor Control Class A",
    "Motor Control Class B",
    "Motor Control Class C",
    "Multiposition Motor",
}


@dataclass(frozen=True, slots=True)
class ValueReading:
    """A value that a device reports.

    `name` is the quantity or function ("temperature", "door"), `text` the value in words
    ("19.5 °C", "closed"), `value` the source.
    """

    name: str
    text: str
    value: Value

    def __str__(self) -> str:
        """Return it as spoken: "temperature 19.5 °C", "no motion"."""
        if self.text == "none":
            return f"no {self.name}"
        return f"{self.name} {self.text}"

    @property
    def datum(self) -> float | str:
        """The value for programs: a number if it is one, else its text."""
        held: Any = self.value.value
        if self.value.command_class in (CC.SWITCH_MULTILEVEL, CC.WINDOW_COVERING):
            return percent(held)
        if isinstance(held, bool) or self.value.metadata.states:
            return self.text
        return held if isinstance(held, int | float) else self.text


def readings(values: Iterable[Value]) -> list[ValueReading]:
    """Return values in words: first functions of the device, then measurements.

    Devices often report the same in several ways; the clearest is kept. Unknown values are left
    out.
    """
    found = [
        (rank, ValueReading(*said, value))
        for value in values
        if (known := READERS.get(value.command_class))
        if (held := value.value) is not None
        for rank, property_, reader in [known]
        if property_ in (None, value.property_)
        if (said := reader(value, held))
    ]
    found.sort(key=lambda one: one[0])
    kept: dict[tuple[str, int | None], ValueReading] = {}
    for _, reading in found:
        kept.setdefault((reading.name, reading.value.endpoint), reading)
    names = Counter(name for name, _ in kept)
    return [
        reading if names[name] == 1 else replace(reading, name=f"{name} {endpoint}")
        for (name, endpoint), reading in kept.items()
    ]


def is_cover(node: Node) -> bool:
    """Return True if a device moves a cover: a blind, a shutter, an awning."""
    return bool(node.device_class and node.device_class.specific.label in MOTORS)


def number(value: float) -> str:
    """Return a number as spoken, with two decimals at most."""
    text = f"{value:.2f}"
    return text.rstrip("0").rstrip(".")


def percent(level: float) -> int:
    """Return a level of 0 to 99 as per cent: unchanged, but the highest as 100."""
    return 100 if level >= FULL else round(level)


type _Said = tuple[str, str] | None
type _Reader = Callable[[Value, Any], _Said]


def _switch(_: Value, held: Any) -> _Said:
    return "switch", "on" if held else "off"


def _level(value: Value, held: Any) -> _Said:
    if is_cover(value.node):
        return _position(value, held)
    return "level", f"{percent(held)} %" if held else "off"


def _position(_: Value, held: Any) -> _Said:
    match percent(held):
        case 0:
            return "position", "closed"
        case 100:
            return "position", "open"
        case level:
            return "position", f"{level} % open"


def _door_lock(_: Value, held: Any) -> _Said:
    return "lock", "locked" if held == LOCKED else "unlocked"


def _simple_lock(_: Value, held: Any) -> _Said:
    return "lock", "locked" if held else "unlocked"


def _labelled(name: str) -> _Reader:
    return lambda value, held: (name, _state(value, held))


def _setpoint(value: Value, held: Any) -> _Said:
    return f"{str(value.property_key_name).lower()} setpoint", _measured(value, held)


def _sensor(value: Value, held: Any) -> _Said:
    name = str(value.property_name).lower()
    return "temperature" if name == "air temperature" else name, _measured(value, held)


METERED = {"W": "power", "kWh": "energy", "V": "voltage", "A": "current"}


def _meter(value: Value, held: Any) -> _Said:
    unit = value.metadata.unit or ""
    return METERED.get(unit, str(value.metadata.label).lower()), _measured(value, held)


def _battery(value: Value, held: Any) -> _Said:
    match value.property_:
        case "level":
            return "battery", f"{number(held)} %"
        case "isLow" if held:
            return "battery warning", "low"
    return None


def _binary_sensor(value: Value, held: Any) -> _Said:
    name = str(value.property_name).lower()
    if name == "door/window":
        return "door", "open" if held else "closed"
    return name, "detected" if held else "none"


# Door states of the Access Control notification; the simple one combines the others.
DOORS = {"Door state (simple)", "Door state", "Opening state"}
TILTED = {0x1601, 2}


def _notification(value: Value, held: Any) -> _Said:
    label, states = str(value.metadata.label), value.metadata.states
    if not states:
        return None
    if label in DOORS:
        state = _state(value, held)
        return "door", "tilted" if held in TILTED else ("closed" if "closed" in state else "open")
    alarm = str(value.property_name).lower().removesuffix(" alarm")
    name = alarm if label.startswith("Sensor status") else label.lower()
    name = name.removesuffix(" status").removesuffix(" sensor")
    state = _state(value, held)
    if state == "idle":
        return name, "none"
    return name, "detected" if name == "motion" else state


def _state(value: Value, held: Any) -> str:
    return str(value.metadata.states.get(str(held), held)).lower()


def _measured(value: Value, held: Any) -> str:
    unit = value.metadata.unit
    unit = "lux" if unit == "Lux" else unit
    shown = number(held) if isinstance(held, int | float) else str(held)
    return f"{shown} {unit}" if unit else shown


# By command class: the rank in the result, the only property that counts, and the reader.
READERS: dict[int, tuple[int, str | None, _Reader]] = {
    CC.SWITCH_BINARY: (0, "currentValue", _switch),
    CC.SWITCH_MULTILEVEL: (0, "currentValue", _level),
    CC.WINDOW_COVERING: (0, "currentValue", _position),
    CC.DOOR_LOCK: (0, "currentMode", _door_lock),
    CC.LOCK: (0, None, _simple_lock),
    CC.BARRIER_OPERATOR: (0, "currentState", _labelled("door")),
    CC.THERMOSTAT_MODE: (1, "mode", _labelled("mode")),
    CC.NOTIFICATION: (2, None, _notification),
    CC.SENSOR_BINARY: (3, None, _binary_sensor),
    CC.SENSOR_MULTILEVEL: (4, None, _sensor),
    CC.METER: (5, "value", _meter),
    CC.THERMOSTAT_SETPOINT: (6, "setpoint", _setpoint),
    CC.THERMOSTAT_OPERATING_STATE: (7, "state", _labelled("activity")),
    CC.THERMOSTAT_FAN_MODE: (7, "mode", _labelled("fan")),
    CC.BATTERY: (8, None, _battery),
}
