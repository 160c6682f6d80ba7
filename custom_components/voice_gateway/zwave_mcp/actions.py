"""The actions of devices, and the commands for them."""

from dataclasses import dataclass

from zwave_js_server.const import CommandClass as CC
from zwave_js_server.const.command_class.barrier_operator import BarrierState
from zwave_js_server.const.command_class.multilevel_switch import SET_TO_PREVIOUS_VALUE
from zwave_js_server.const.command_class.thermostat import (
    THERMOSTAT_MODE_SETPOINT_MAP,
    ThermostatSetpointType,
)
from zwave_js_server.model.value import Value

from .answers import NoAnswerError
from .confirmation import Command
from .definitions import WORDS
from .devices import Device
from .readings import FULL, LOCKED, number


@dataclass(frozen=True, slots=True)
class DesiredAction:
    """The action that the user wants of a device."""

    action: str
    level: int | None = None
    temperature: float | None = None
    mode: str | None = None


def abilities(device: Device) -> dict[str, str]:
    """Return the actions of a device, each with the words to offer it."""
    can: dict[str, str] = {}
    if device.value(CC.DOOR_LOCK, "targetMode") or device.value(CC.LOCK, "locked"):
        can |= _offered("lock", "unlock")
    if device.value(CC.BARRIER_OPERATOR, "targetState"):
        can |= _offered("open", "close")
    switched = _offered("on", "off", "toggle")
    if _level_targets(device):
        can |= _offered("open", "close", "stop") if device.kind == "blind" else switched
        can |= dict.fromkeys(("set_level", "dim"), "set to a level from 0 to 100")
    elif device.value(CC.SWITCH_BINARY, "targetValue"):
        can |= switched
    if setpoints := device.all_values(CC.THERMOSTAT_SETPOINT, "setpoint"):
        can["set_temperature"] = f"set to a temperature {_limits(setpoints[0])}".rstrip()
    for action, command_class in (
        ("set_mode", CC.THERMOSTAT_MODE),
        ("set_fan", CC.THERMOSTAT_FAN_MODE),
    ):
        if value := device.value(command_class, "mode"):
            modes = ", ".join(str(label).lower() for label in value.metadata.states.values())
            can |= {each: f"{words} ({modes})" for each, words in _offered(action).items()}
    return can


def _offered(*actions: str) -> dict[str, str]:
    return {action: WORDS[action].removeprefix("be ") for action in actions}


def commands(device: Device, wish: DesiredAction) -> list[Command]:
    """Return the commands for an action; raises NoAnswerError if impossible or incomplete."""
    can = abilities(device)
    if wish.action not in can:
        raise NoAnswerError(_cannot(device, wish, can))
    match wish.action:
        case "lock" | "unlock":
            return _lock(device, lock=wish.action == "lock")
        case "set_temperature":
            return [_setpoint(device, wish.temperature)]
        case "set_mode":
            return [_mode(device, CC.THERMOSTAT_MODE, wish.mode, "is now in {} mode")]
        case "set_fan":
            return [_mode(device, CC.THERMOSTAT_FAN_MODE, wish.mode, "has its fan set to {}")]
        case "open" | "close" if barriers := device.all_values(CC.BARRIER_OPERATOR, "targetState"):
            return [_barrier(device, barriers[0], opening=wish.action == "open")]
        case "stop":
            return [_stop(device)]
        case "toggle":
            on = any(value.value for value in _switch_states(device))
            return _switch(device, on=not on)
        case "on" | "off" if not (wish.action == "on" and wish.level and _level_targets(device)):
            return _switch(device, on=wish.action == "on")
    return [_level(device, target, _wanted_level(wish)) for target in _level_targets(device)]


def _cannot(device: Device, wish: DesiredAction, can: dict[str, str]) -> str:
    what = device.kind
    article = "an" if what[:1] in "aeiou" else "a"
    if not can:
        return f"{device} is {article} {what}: it can be read, not controlled."
    said = WORDS.get(wish.action, f"do “{wish.action}”")
    options = list(dict.fromkeys(can.values()))
    listed = options[0] if len(options) == 1 else f"{', '.join(options[:-1])} or {options[-1]}"
    return f"{device} is {article} {what}: it cannot {said}. It can be {listed}."


def _switch_states(device: Device) -> list[Value]:
    return [
        value
        for command_class in (CC.SWITCH_MULTILEVEL, CC.SWITCH_BINARY)
        for value in device.all_values(command_class, "currentValue")
    ]


def _level_targets(device: Device) -> list[Value]:
    covering = device.all_values(CC.WINDOW_COVERING, "targetValue")
    return covering[:1] or device.all_values(CC.SWITCH_MULTILEVEL, "targetValue")


def _switch(device: Device, *, on: bool) -> list[Command]:
    done = "is now on" if on else "is now off"
    levels = _level_targets(device)
    to = (SET_TO_PREVIOUS_VALUE if on else 0) if levels else on
    return [
        Command(
            target, to, _reported(device, target, "currentValue"), lambda v: bool(v) is on, done
        )
        for target in levels or device.all_values(CC.SWITCH_BINARY, "targetValue")
    ]


def _wanted_level(wish: DesiredAction) -> int:
    match wish.action:
        case "open":
            return 100
        case "close":
            return 0
    if wish.level is None:
        raise NoAnswerError("Which level? It takes a level from 0 to 100.")
    return wish.level


def _level(device: Device, target: Value, wanted: int) -> Command:
    level = min(wanted, FULL)
    if device.kind == "blind":
        done = {0: "is now closed", FULL: "is now open"}.get(level, f"is now {wanted} % open")
        under_way = {0: "is closing", FULL: "is opening"}.get(
            level, f"is moving to {wanted} % open"
        )
    else:
        done, under_way = f"is now at {wanted} %", f"is changing to {wanted} %"
        if not wanted:
            done = "is now off"
    current = _reported(device, target, "currentValue")
    # Motors and dimmers may stop one step off.
    return Command(target, level, current, lambda v: abs(v - level) <= 1, done, under_way)


def _stop(device: Device) -> Command:
    target = next(
        value
        for command_class, names in (
            (CC.WINDOW_COVERING, ("levelChangeUp", "levelChangeDown")),
            (CC.SWITCH_MULTILEVEL, ("Up", "Down", "Open", "Close", "On", "Off")),
        )
        for name in names
        if (value := device.value(command_class, name))
    )
    return Command(target, False, None, bool, "has stopped", "was told to stop")


def _lock(device: Device, *, lock: bool) -> list[Command]:
    done = "is now locked" if lock else "is now unlocked"
    under_way = "is locking" if lock else "is unlocking"
    if target := device.value(CC.DOOR_LOCK, "targetMode"):
        current = _reported(device, target, "currentMode")
        to = LOCKED if lock else 0
        return [Command(target, to, current, lambda v: (v == LOCKED) is lock, done, under_way)]
    return [
        Command(target, lock, target, lambda v: v is lock, done, under_way)
        for target in device.all_values(CC.LOCK, "locked")
    ]


def _barrier(device: Device, target: Value, *, opening: bool) -> Command:
    to = BarrierState.OPEN if opening else BarrierState.CLOSED
    done, under_way = ("is now open", "is opening") if opening else ("is now closed", "is closing")
    current = _reported(device, target, "currentState")
    return Command(target, to, current, lambda v: v == to, done, under_way)


def _setpoint(device: Device, temperature: float | None) -> Command:
    setpoints = {
        value.property_key: value for value in device.all_values(CC.THERMOSTAT_SETPOINT, "setpoint")
    }
    mode = device.value(CC.THERMOSTAT_MODE, "mode")
    used = THERMOSTAT_MODE_SETPOINT_MAP.get(mode.value or 0, []) if mode else []
    preferred = [*used, ThermostatSetpointType.HEATING, *setpoints]
    target = next(setpoints[key] for key in preferred if key in setpoints)
    limits = _limits(target)
    if temperature is None:
        raise NoAnswerError(f"Which temperature? It takes one {limits}.")
    low, high = target.metadata.min, target.metadata.max
    if (low is not None and temperature < low) or (high is not None and temperature > high):
        raise NoAnswerError(f"{device} takes a temperature {limits}, not {number(temperature)}.")
    name = str(target.property_key_name).lower()
    done = f"is set to {number(temperature)} {target.metadata.unit or '°'} for {name}"
    if mode and not mode.value:
        done += ", but its mode is off"
    return Command(target, temperature, target, lambda v: abs(v - temperature) < 0.05, done)


def _limits(setpoint: Value) -> str:
    low, high = setpoint.metadata.min, setpoint.metadata.max
    if low is None or high is None:
        return ""
    return f"from {number(low)} to {number(high)} {setpoint.metadata.unit or '°'}"


def _mode(device: Device, command_class: int, wanted: str | None, done: str) -> Command:
    target = device.all_values(command_class, "mode")[0]
    modes = {str(label).lower(): int(key) for key, label in target.metadata.states.items()}
    mode = (wanted or "").strip().lower()
    if mode not in modes:
        raise NoAnswerError(f"Which mode? {device} takes {', '.join(modes)}.")
    to = modes[mode]
    return Command(target, to, target, lambda v: v == to, done.format(mode))


def _reported(device: Device, target: Value, property_: str) -> Value | None:
    """Return the value in which the device reports the result of `target`."""
    return next(
        (
            value
            for value in device.all_values(target.command_class, property_)
            if (value.endpoint, value.property_key) == (target.endpoint, target.property_key)
        ),
        None,
    )
