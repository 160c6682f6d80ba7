"""The devices of the network, with the words that people use for them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
import json
import logging
from pathlib import Path
import re
from typing import Any

from zwave_js_server.const import CommandClass as CC, NodeStatus
from zwave_js_server.model.driver import Driver
from zwave_js_server.model.node import Node
from zwave_js_server.model.value import Value

from ..names.matching import Matcher
from .answers import NoAnswerError
from .readings import ValueReading, is_cover, readings

_LOGGER = logging.getLogger(__name__)

SWITCHES = (CC.SWITCH_BINARY, CC.SWITCH_MULTILEVEL)

OPENING = {CC.DOOR_LOCK, CC.LOCK, CC.BARRIER_OPERATOR}

# Command classes of a device's short state, and the values that need their names beside them.
STATES = {
    *SWITCHES,
    *OPENING,
    CC.WINDOW_COVERING,
    CC.THERMOSTAT_MODE,
    CC.NOTIFICATION,
    CC.SENSOR_BINARY,
    CC.SENSOR_MULTILEVEL,
}
UNCLEAR = {"none", "detected"}

# Other words for some types of devices.
SYNONYMS: dict[str, str] = {
    "lock": "door",
    "thermostat": "heating",
    "blind": "blinds shutter shutters shade curtain awning cover",
    "dimmer": "light lamp",
    "switch": "plug outlet socket",
    "door sensor": "window contact",
}


READ, CONTROL, OPEN = "read", "control", "open"
"""The permissions for a device; `OPEN` is for entry points."""
EVERYTHING = frozenset({READ, CONTROL, OPEN})


class Device:
    """A snapshot of a device, or of one of its outlets.

    Implements `names.matching.NamedThing`. It caches the device's reports, so it is created
    again after every event of the network.
    """

    def __init__(
        self,
        node: Node,
        name: str,
        location: str,
        endpoint: int | None = None,
        *,
        may: frozenset[str] = EVERYTHING,
        opens: bool = False,
    ) -> None:
        """Take a node with its name and room; `endpoint` is one of several outlets.

        `opens` marks an entry point that the device does not report itself.
        """
        self.node = node
        self.may = may
        self._is_said_to_open = opens
        self.name = name
        self.location = location
        self.endpoint = endpoint

    def __str__(self) -> str:
        """Return its name for an answer: "Coffee Machine (Kitchen)"."""
        return f"{self.name} ({self.location})" if self.location else self.name

    @cached_property
    def values(self) -> list[Value]:
        """All values that it reports or accepts."""
        values = self.node.values.values()
        return [
            value for value in values if self.endpoint is None or value.endpoint == self.endpoint
        ]

    def value(self, command_class: int, property_: str | int) -> Value | None:
        """Return its first value of a command class and property."""
        return next(iter(self.all_values(command_class, property_)), None)

    def all_values(self, command_class: int, property_: str | int) -> list[Value]:
        """Return its values of a command class and property, one for each outlet or slot."""
        return self._values_by_property.get((command_class, property_), [])

    @cached_property
    def _values_by_property(self) -> dict[tuple[int, str | int], list[Value]]:
        found: dict[tuple[int, str | int], list[Value]] = {}
        for value in self.values:
            found.setdefault((value.command_class, value.property_), []).append(value)
        return found

    @cached_property
    def readings(self) -> list[ValueReading]:
        """The values that it reports about itself and its surroundings, in words."""
        return readings(self.values)

    @cached_property
    def kind(self) -> str:
        """Its type, in a word or two."""
        classes = {value.command_class for value in self.values}
        named = {reading.name for reading in self.readings}
        specific = self.node.device_class.specific.label if self.node.device_class else ""
        if classes & {CC.DOOR_LOCK, CC.LOCK}:
            return "lock"
        if CC.BARRIER_OPERATOR in classes:
            return "garage door"
        if classes & {CC.THERMOSTAT_MODE, CC.THERMOSTAT_SETPOINT}:
            return "thermostat"
        if CC.WINDOW_COVERING in classes or is_cover(self.node):
            return "blind"
        if CC.SWITCH_MULTILEVEL in classes:
            return "fan" if specific == "Fan Switch" else "dimmer"
        if CC.SWITCH_BINARY in classes:
            return "switch"
        if "door" in named:
            return "door sensor"
        if "motion" in named:
            return "motion sensor"
        if classes & {CC.SENSOR_MULTILEVEL, CC.SENSOR_BINARY, CC.NOTIFICATION, CC.METER}:
            return "sensor"
        return self.node.device_class.generic.label.lower() if self.node.device_class else "device"

    @cached_property
    def keeps_out(self) -> bool:
        """Whether it is an entry point: a lock, a garage door."""
        classes = {value.command_class for value in self.values}
        return self._is_said_to_open or bool(classes & OPENING)

    @cached_property
    def hints(self) -> str:
        """Words that people may use for it besides its name and room."""
        measures = " ".join(reading.name.rstrip(" 0123456789") for reading in self.readings)
        sensor = (
            "sensor"
            if any(r.value.command_class == CC.SENSOR_MULTILEVEL for r in self.readings)
            else ""
        )
        product = self.node.device_config.description or self.node.label or ""
        number = "" if self.endpoint is not None else f"node {self.node.node_id}"
        return " ".join((self.kind, SYNONYMS.get(self.kind, ""), measures, sensor, product, number))

    @cached_property
    def state(self) -> str:
        """Its state in a few words: "on", "heat, 19.5 °C"; empty if unknown."""
        return ", ".join(
            str(reading) if reading.text in UNCLEAR else reading.text
            for reading in self.readings
            if reading.value.command_class in STATES
        )

    @property
    def trouble(self) -> str:
        """The reason why it cannot be used, or an empty string."""
        if self.node.status == NodeStatus.DEAD:
            return "dead"
        if not self.node.ready:
            return "not fully set up"
        return ""

    @property
    def asleep(self) -> bool:
        """Whether it only listens when it wakes up by itself."""
        return self.node.status == NodeStatus.ASLEEP


@dataclass(slots=True)
class Given:
    """Data about the devices from another source, a JSON file.

    The file has {"5": {"name": "Front Door", "location": "Hallway", "may": ["read", "control"],
    "opens": true}}, by node number; all keys are optional. It is read again after a change; without
    a file, the names are those of Z-Wave JS. With `only_exposed`, its permissions apply: a device
    that may not be read does not exist, and none exists if the file is unreadable. Otherwise
    everything is permitted.
    """

    file: Path | None = None
    only_exposed: bool = False
    _modified: int = 0
    _known: dict[str, dict[str, Any]] = field(default_factory=dict)

    def device(self, node: Node) -> Device | None:
        """Return a node as a device; None if it must not be read."""
        given = self._known.get(str(node.node_id), {})
        may = frozenset(given.get("may", ())) if self.only_exposed else EVERYTHING
        if READ not in may:
            return None
        name = given.get("name") or node.name or node.device_config.description
        location = given.get("location") or node.location or ""
        name = name or f"Node {node.node_id}"
        return Device(node, name, location, may=may, opens=bool(given.get("opens")))

    def refresh(self) -> int:
        """Read the file again if it changed; return the current version."""
        if self.file is None:
            return 0
        try:
            if (modified := self.file.stat().st_mtime_ns) == self._modified:
                return modified
            self._modified = modified
            given = json.loads(self.file.read_text(encoding="utf-8"))
            self._known = {node: dict(known) for node, known in dict(given).items()}
        except (OSError, ValueError, TypeError) as error:
            if self._modified >= 0:
                _LOGGER.warning("The names cannot be read: %s", error)
            self._modified = -1
            if self.only_exposed:
                self._known = {}
        return self._modified


def all_devices(driver: Driver, given: Given) -> list[Device]:
    """Return the network's devices by room and name, without the controller."""
    nodes = (node for node in driver.controller.nodes.values() if not node.is_controller_node)
    devices = filter(None, map(given.device, nodes))
    return sorted(devices, key=lambda device: (device.location, device.name, device.node.node_id))


def meant(spoken: str, devices: Sequence[Device], matcher: Matcher) -> list[Device]:
    """Return the devices that match, or one outlet of a device: several if ambiguous.

    Raises NoAnswerError with the three most similar names if none matches.
    """
    number = re.fullmatch(r"\s*(?:node\s*)?#?\s*(\d+)\s*", spoken, re.IGNORECASE)
    numbered = [each for each in devices if number and each.node.node_id == int(number[1])]
    if found := (
        numbered or matcher.find(spoken, devices) or matcher.find(spoken, list(_outlets(devices)))
    ):
        return found
    similar = ", ".join(str(device) for device in matcher.nearest(spoken, devices))
    raise NoAnswerError(f"No Z-Wave device is called {spoken}. The nearest are: {similar}.")


def the_one(spoken: str, devices: Sequence[Device], matcher: Matcher) -> Device:
    """Return the only device that matches; raises NoAnswerError for none or several."""
    found = meant(spoken, devices, matcher)
    if len(found) > 1:
        options = ", ".join(str(device) for device in found)
        raise NoAnswerError(f"Several Z-Wave devices fit {spoken}: {options}. Which one?")
    return found[0]


def _outlets(devices: Iterable[Device]) -> Iterable[Device]:
    """Return the outlets of devices that have several: "Double Plug 1", "Double Plug 2"."""
    for device in devices:
        switched = {value.endpoint for value in device.values if value.command_class in SWITCHES}
        if len(switched) > 1:
            for endpoint in sorted(index for index in switched if index):
                name = f"{device.name} {endpoint}"
                yield Device(
                    device.node,
                    name,
                    device.location,
                    endpoint,
                    may=device.may,
                    opens=device.keeps_out,
                )
