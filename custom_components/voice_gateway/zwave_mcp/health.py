"""Problems of the network, and the quality of a device's connection."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from zwave_js_server.const import CommandClass as CC, ControllerStatus, RssiError
from zwave_js_server.model.controller import Controller
from zwave_js_server.model.node import Node

from .answers import SpokenResult
from .devices import Device

LOW_BATTERY = 20  # per cent; many devices themselves warn too late
SILENT = 24 * 3600.0  # seconds without a message from a device that always listens
MISSED_WAKE_UPS = 3  # of a sleeping device
SLOW = 1000.0  # milliseconds between a command and its answer; a good route takes under 100
LOST = 0.1  # of the commands
ENOUGH = 20  # commands for a judgement
WEAK = -90  # dBm; receivers end at about -100


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem of a device: its type, the device, and a description."""

    kind: str
    device: Device
    text: str


def check(controller: Controller, devices: Sequence[Device]) -> SpokenResult:
    """Return all problems of the network, the worst first, and its traffic."""
    problems = [problem for device in devices for problem in problems_of(device)]
    problems.sort(key=lambda problem: KINDS.index(problem.kind))
    lines = [f"{problem.device}: {problem.text}." for problem in problems]
    if controller.status != ControllerStatus.READY:
        state = controller.status.name.replace("_", " ").lower()
        lines.insert(0, f"The Z-Wave controller is {state}.")
    count = f"{len(devices)} devices"
    match len(lines):
        case 0:
            lines.insert(0, f"Z-Wave is fine: {count}, no problems.")
        case 1:
            lines.insert(0, f"Z-Wave has one problem among {count}.")
        case many:
            lines.insert(0, f"Z-Wave has {many} problems among {count}.")
    lines.append(_traffic(controller, devices))
    data = {
        "devices": len(devices),
        "controller": controller.status.name.lower(),
        "problems": [
            {"kind": each.kind, "node": each.device.node.node_id, "name": each.device.name}
            for each in problems
        ],
    }
    return SpokenResult("\n".join(lines), data)


KINDS = ["dead", "interview", "silent", "battery", "signal"]


def problems_of(device: Device) -> list[Problem]:
    """Return the problems of a device."""
    node = device.node
    if device.trouble == "dead":
        return [Problem("dead", device, f"dead, {last_heard(node)}")]
    found = []
    if not node.ready:
        text = "not fully set up"
        if node.interview_stage == "Failed":
            text += ", its interview failed"
        elif device.asleep:
            text += ", wake it up to finish"
        found.append(Problem("interview", device, text))
    elif (age := _silence(node)) is not None and age > _patience(device):
        found.append(Problem("silent", device, f"silent, {last_heard(node)}"))
    if low := _low_battery(device):
        found.append(Problem("battery", device, low))
    if weak := _weakness(node):
        found.append(Problem("signal", device, weak))
    return found


def connection(node: Node, devices: Sequence[Device]) -> str:
    """Return the round-trip time, signal and route of a device, as far as known.

    Devices on the route are named if they are among `devices`.
    """
    statistics = node.statistics
    known = []
    if statistics.rtt is not None:
        known.append(f"answers in {statistics.rtt:.0f} ms")
    if (signal := _signal(node)) is not None:
        known.append(f"signal {signal} dBm")
    if route := statistics.lwr:
        known_by = {device.node.node_id: device.name for device in devices}
        passed = (known_by.get(each.node_id, "another device") for each in route.repeaters)
        names = ", ".join(passed)
        known.append(f"through {names}" if names else "direct")
    if statistics.commands_tx:
        lost = statistics.commands_dropped_tx + statistics.timeout_response
        known.append(f"{lost} of {statistics.commands_tx} commands lost")
    return ", ".join(known)


def last_heard(node: Node) -> str:
    """Return in words how long ago a device sent its last message."""
    age = _silence(node)
    return "never heard" if age is None else f"last heard {ago(age)}"


def ago(seconds: float) -> str:
    """Return a past duration in words."""
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if count := int(seconds // size):
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def _silence(node: Node) -> float | None:
    if node.last_seen is None:
        return None
    return max(0.0, (datetime.now(UTC) - node.last_seen).total_seconds())


def _patience(device: Device) -> float:
    interval = device.value(CC.WAKE_UP, "wakeUpInterval")
    if device.node.is_listening or not interval or not interval.value:
        return SILENT
    return max(SILENT, MISSED_WAKE_UPS * float(interval.value))


def _low_battery(device: Device) -> str:
    level = device.value(CC.BATTERY, "level")
    warns = device.value(CC.BATTERY, "isLow")
    if level and level.value is not None and level.value <= LOW_BATTERY:
        return f"battery at {level.value} %"
    return "battery low" if warns and warns.value else ""


def _weakness(node: Node) -> str:
    statistics = node.statistics
    lost = statistics.commands_dropped_tx + statistics.timeout_response
    if statistics.commands_tx >= ENOUGH and lost > LOST * statistics.commands_tx:
        return f"bad connection, {lost} of {statistics.commands_tx} commands lost"
    if statistics.rtt is not None and statistics.rtt > SLOW:
        return f"slow connection, {statistics.rtt / 1000:.1f} seconds for an answer"
    if (signal := _signal(node)) is not None and signal < WEAK:
        return f"weak signal, {signal} dBm"
    return ""


def _signal(node: Node) -> int | None:
    rssi = node.statistics.data.get("rssi")
    return None if rssi is None or rssi in set(RssiError) else rssi


def _traffic(controller: Controller, devices: Sequence[Device]) -> str:
    """Return the traffic of the network, and its routes."""
    statistics = controller.statistics
    lost = statistics.messages_dropped_tx + statistics.timeout_ack + statistics.timeout_callback
    said = f"Controller: {statistics.messages_tx} messages sent, {lost} lost."
    routes = [route for device in devices if (route := device.node.statistics.lwr)]
    if routes:
        direct = sum(not route.repeaters for route in routes)
        said += f" Routes: {direct} direct, {len(routes) - direct} through other devices."
    timed = [(rtt, device) for device in devices if (rtt := device.node.statistics.rtt) is not None]
    if timed:
        slowest, device = max(timed, key=lambda each: each[0])
        said += f" Slowest: {device}, {slowest:.0f} ms."
    return said
