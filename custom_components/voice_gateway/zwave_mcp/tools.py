"""The implementation of the tools. Their names and arguments are in `definitions.py`."""

from collections.abc import Sequence
from itertools import groupby
import logging
import time
from typing import Any

from zwave_js_server.const import SecurityClass

from ..names.matching import Matcher, words
from .actions import DesiredAction, abilities, commands
from .answers import NoAnswerError, SpokenResult
from .configuration import settings, the_setting
from .confirmation import CommandOutcome, carry_out, ping
from .definitions import LOCK_ACTIONS, LOCK_TOOL
from .devices import CONTROL, OPEN, Device, Given, all_devices, meant, the_one
from .health import ago, check, connection, last_heard, problems_of
from .network import Network

_LOGGER = logging.getLogger(__name__)

# Names that models use instead of an action's.
SAID_INSTEAD = {
    "turn_on": "on",
    "turn_off": "off",
    "switch_on": "on",
    "switch_off": "off",
    "set": "set_level",
    "level": "set_level",
    "position": "set_level",
    "set_position": "set_level",
    "brightness": "set_level",
    "set_brightness": "set_level",
    "up": "open",
    "down": "close",
    "temperature": "set_temperature",
    "mode": "set_mode",
    "fan": "set_fan",
}
# Filters that models give when they want none.
EVERYTHING = {
    *("all", "any", "every", "everything", "none", "null"),
    *("device", "devices", "zwave", "room", "kind"),
}
MOST_SETTINGS = 20  # in one answer


class Tools:
    """The tools on one network: public methods, by their names.

    Each takes the arguments of its definition, already of the right types, and returns an answer or
    raises `NoAnswerError`. Read-only tools wait for nothing but the connection.
    """

    def __init__(self, network: Network, given: Given, matcher: Matcher) -> None:
        """Take the network, the data about its devices, and the matcher that finds devices."""
        self._network = network
        self._given = given
        self._matcher = matcher
        self._known: list[Device] = []
        self._known_at = (-1, -1)

    async def list_zwave_devices(
        self,
        filter: str = "",
        includeInactive: bool = False,
    ) -> SpokenResult:
        """List the devices by room; those that cannot be reached are named at the end."""
        devices = await self._devices()
        wanted = (
            {*self._matcher.correct_spelling(self._matcher.tokens(filter), devices)} - EVERYTHING
            if filter
            else set()
        )
        chosen = [device for device in devices if wanted <= _words(device)] if wanted else devices
        active = [device for device in chosen if includeInactive or not device.trouble]
        inactive = [device for device in chosen if not includeInactive and device.trouble]
        if not chosen:
            return SpokenResult(
                f"No Z-Wave device fits “{filter}”; there are {len(devices)} in all."
            )
        plural = "" if len(active) == 1 else "s"
        lines = [f"{len(active)} Z-Wave device{plural}{f' for {filter}' if wanted else ''}:"]
        for room, members in groupby(active, key=lambda device: device.location):
            lines.append(f"{room or 'No room'}: {', '.join(map(_described, members))}")
        if inactive:
            reasons = (f"{device} is {device.trouble}" for device in inactive)
            lines.append(f"Not working: {', '.join(reasons)}")
        return SpokenResult("\n".join(lines))

    async def list_devices(self, limit: int = 10, offset: int = 0) -> SpokenResult:
        """List a page of `limit` devices from `offset` on."""
        devices = await self._devices()
        page = devices[offset : offset + limit]
        last = offset + len(page)
        text = f"Z-Wave devices {offset + 1} to {last} of {len(devices)}:"
        if not page:
            text = f"There are {len(devices)} Z-Wave devices, none from {offset + 1} on."
        lines = [text, *(f"{device}: {device.kind}, {_status(device)}" for device in page)]
        if last < len(devices) and page:
            lines.append(f"More from offset {last}.")
        data = {"total": len(devices), "devices": [_record(device) for device in page]}
        return SpokenResult("\n".join(lines), data)

    async def verify_device(self, deviceName: str) -> SpokenResult:
        """Report whether a device exists."""
        found = meant(deviceName, await self._devices(), self._matcher)
        if len(found) > 1:
            return SpokenResult(f"{len(found)} Z-Wave devices fit: {', '.join(map(str, found))}.")
        return SpokenResult(f"Yes: {found[0]}, {found[0].kind}, {_status(found[0])}.")

    async def control_zwave_device(
        self,
        deviceName: str,
        action: str,
        level: int | None = None,
        temperature: float | None = None,
        mode: str | None = None,
    ) -> SpokenResult:
        """Control a device and report the result."""
        name = "_".join(words(action))
        wish = DesiredAction(SAID_INSTEAD.get(name, name), level, temperature, mode)
        device = _able(deviceName, wish.action, await self._devices(), self._matcher)
        if device.keeps_out:
            raise NoAnswerError(
                f"{device} keeps people out: {LOCK_TOOL} is for it, if you have it."
            )
        return await self._control(device, wish)

    async def control_zwave_lock(self, deviceName: str, action: str) -> SpokenResult:
        """Lock or unlock, open or close an entry point, and report the result."""
        devices = await self._devices()
        name = "_".join(words(action))
        wish = DesiredAction(SAID_INSTEAD.get(name, name))
        if wish.action not in LOCK_ACTIONS:
            raise NoAnswerError(f"This tool takes {', '.join(LOCK_ACTIONS)}, not {action}.")
        device = _able(deviceName, wish.action, devices, self._matcher)
        if not device.keeps_out:
            raise NoAnswerError(f"{device} is a {device.kind}: control_zwave_device is for it.")
        return await self._control(device, wish)

    async def _control(self, device: Device, wish: DesiredAction) -> SpokenResult:
        _check(device)
        wanted = commands(device, wish)
        started = time.perf_counter()
        can_wait = wish.action.startswith("set_") and device.kind == "thermostat"
        outcome = await carry_out(self._network, device, wanted, can_wait=can_wait)
        elapsed = (time.perf_counter() - started) * 1000
        _LOGGER.info("%s: %s %s in %.0f ms", device, wish.action, outcome.value, elapsed)
        said = {
            CommandOutcome.DONE: f"{device} {wanted[0].done}.",
            CommandOutcome.UNDER_WAY: f"{device} {wanted[0].under_way}.",
            CommandOutcome.QUEUED: f"{device} is asleep. It gets the command when it wakes up.",
        }[outcome]
        return SpokenResult(
            said, {"name": device.name, "node": device.node.node_id, "outcome": outcome.value}
        )

    async def get_device_sensor_data(self, deviceName: str) -> SpokenResult:
        """Report all readings of a device, or of all devices of a room."""
        devices = await self._devices()
        found = meant(deviceName, devices, self._matcher)
        tokens = self._matcher.tokens
        if len(found) > 1 and {*tokens(deviceName)} != {*tokens(found[0].location)}:
            found = [the_one(deviceName, devices, self._matcher)]
        await self._network.ages_known()
        answers = [self._readings(device) for device in found]
        data = [reading for _, readings in answers for reading in readings]
        return SpokenResult("\n".join(text for text, _ in answers), {"readings": data})

    async def check_zwave_health(self) -> SpokenResult:
        """Report the problems of the network."""
        devices = await self._devices()
        return check((await self._network.driver()).controller, devices)

    async def ping_device(self, deviceName: str) -> SpokenResult:
        """Report whether a device answers."""
        device = the_one(deviceName, await self._devices(), self._matcher)
        if device.asleep:
            utterance = last_heard(device.node)
            raise NoAnswerError(f"{device} is asleep to save its battery, {utterance}.")
        started = time.perf_counter()
        if not await ping(self._network, device):
            raise NoAnswerError(f"{device} does not answer, {last_heard(device.node)}.")
        elapsed = (time.perf_counter() - started) * 1000
        return SpokenResult(f"{device} answers, in {elapsed:.0f} ms.")

    async def get_device_details(self, deviceName: str) -> SpokenResult:
        """Report a device's product, connection, state and settings."""
        devices = await self._devices()
        device = the_one(deviceName, devices, self._matcher)
        node, config = device.node, device.node.device_config
        product = " ".join(filter(None, (config.manufacturer, config.label, config.description)))
        problems = ", ".join(problem.text for problem in problems_of(device))
        can = ", ".join(dict.fromkeys(abilities(device).values()))
        known = {
            "Product": product,
            "Firmware": node.firmware_version,
            "Security": _security(node.highest_security_class),
            "Status": f"{node.status.name.lower()}, {last_heard(node)}",
            "Problems": problems,
            "Connection": connection(node, devices),
            "State": ", ".join(map(str, device.readings)),
            "Can be": can,
            "Settings": "; ".join(map(str, settings(device)[:MOST_SETTINGS])),
        }
        head = f"{device}: {device.kind}, node {node.node_id}"
        return SpokenResult(
            "\n".join([head, *(f"{key}: {text}" for key, text in known.items() if text)])
        )

    async def set_device_config(self, deviceName: str, parameter: str, value: str) -> SpokenResult:
        """Change a setting of a device and report the result."""
        device = the_one(deviceName, await self._devices(), self._matcher)
        _check(device)
        command = the_setting(device, parameter, self._matcher).change(value)
        outcome = await carry_out(self._network, device, [command], can_wait=True)
        if outcome is CommandOutcome.QUEUED:
            return SpokenResult(f"{device} is asleep. It gets the setting when it wakes up.")
        return SpokenResult(f"{device} {command.done}.")

    async def _devices(self) -> list[Device]:
        driver = await self._network.driver()
        at = (self._network.revision, self._given.refresh())
        if at != self._known_at:
            self._known, self._known_at = all_devices(driver, self._given), at
        if not self._known:
            why = "that may be used: none is exposed" if self._given.only_exposed else "yet"
            raise NoAnswerError(f"There is no Z-Wave device {why}.")
        return self._known

    def _readings(self, device: Device) -> tuple[str, list[dict[str, Any]]]:
        """Return a device's readings as text and as data."""
        lines, data = [], []
        for reading in device.readings:
            age = self._network.age(reading.value)
            lines.append(f"{reading}, {ago(age)}" if age is not None else str(reading))
            data.append(
                {
                    "device": device.name,
                    "name": reading.name,
                    "value": reading.datum,
                    "unit": reading.value.metadata.unit,
                    "age": None if age is None else round(age),
                }
            )
        head = f"{device}, {device.trouble}" if device.trouble else str(device)
        return f"{head}: {'; '.join(lines) or 'reports nothing'}.", data


def _check(device: Device) -> None:
    """Raise NoAnswerError if no control of a device is exposed."""
    if (OPEN if device.keeps_out else CONTROL) not in device.may:
        raise NoAnswerError(f"{device} can only be read: no control of it is exposed.")


def _able(spoken: str, action: str, devices: Sequence[Device], matcher: Matcher) -> Device:
    """Return the device that matches; if any matching device can do the action, only these count.

    "Lock the front door" refers to its lock, though the door's sensor has exactly that name.
    """
    able = [device for device in meant(spoken, devices, matcher) if action in abilities(device)]
    if not able:
        capable = [device for device in devices if action in abilities(device)]
        able = matcher.find(spoken, capable, mistakes=False)
    return able[0] if len(able) == 1 else the_one(spoken, able or devices, matcher)


def _words(device: Device) -> set[str]:
    text = f"{device.name} {device.location} {device.hints} {device.state} {device.trouble}"
    return set(words(text))


def _described(device: Device) -> str:
    return (
        f"{device.name} ({', '.join(filter(None, (device.kind, device.trouble or device.state)))})"
    )


def _status(device: Device) -> str:
    state = device.trouble or device.state or "state unknown"
    return f"{state}, asleep" if device.asleep and not device.trouble else state


def _record(device: Device) -> dict[str, Any]:
    return {
        "node": device.node.node_id,
        "name": device.name,
        "location": device.location,
        "kind": device.kind,
        "status": device.node.status.name.lower(),
        "state": device.state,
    }


def _security(security: SecurityClass | None) -> str:
    match security:
        case None:
            return ""
        case SecurityClass.NONE:
            return "none"
    return security.name.replace("_", " ").title().replace("S0 Legacy", "S0")
