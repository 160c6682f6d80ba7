"""Sends commands to devices, and checks whether they were executed."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from zwave_js_server.const import SetValueStatus
from zwave_js_server.model.value import Value

from .answers import NoAnswerError
from .devices import Device
from .network import Network, NotConfirmedError, NotReachedError

COMMAND_TIMEOUT = 10.0  # seconds for the driver's result; it gives a silent device about 4
WATCH = 5.0  # seconds to watch a device that reports no success
PING_TIMEOUT = 5.0  # seconds


class CommandOutcome(Enum):
    """The outcome of a command; anything worse is an error."""

    DONE = "confirmed"
    UNDER_WAY = "under way"
    QUEUED = "waiting for the device to wake up"


@dataclass(frozen=True, slots=True)
class Command:
    """A value to set, and how to check the result.

    The device reports the result in `current`, and `reached` is true of it on success. `done` and
    `under_way` complete a sentence that begins with the device.
    """

    target: Value
    to: Any
    current: Value | None
    reached: Callable[[Any], bool]
    done: str
    under_way: str = "is working on it"


async def carry_out(
    network: Network, device: Device, commands: Iterable[Command], *, can_wait: bool = False
) -> CommandOutcome:
    """Send commands to a device; raises NoAnswerError if it failed, or if that is unknown.

    A device that reports success is believed; any other is polled, because an acknowledgement is no
    execution. With `can_wait`, a sleeping device receives the commands when it wakes up.
    """
    if device.asleep:
        if not can_wait:
            raise NoAnswerError(f"{device} is asleep to save its battery. It hears nothing now.")
        for command in commands:
            await command.target.node.async_set_value(
                command.target, command.to, wait_for_result=False
            )
        return CommandOutcome.QUEUED
    if device.trouble == "dead" and not await ping(network, device):
        raise NoAnswerError(f"{device} did not react: it is dead. Check its power.")
    outcome = CommandOutcome.DONE
    for command in commands:
        try:
            if await _one(network, command) is CommandOutcome.UNDER_WAY:
                outcome = CommandOutcome.UNDER_WAY
        except NotReachedError as error:
            raise NoAnswerError(f"{device} did not react: {error}.") from error
        except NotConfirmedError as error:
            raise NoAnswerError(f"{device} may or may not have done it: {error}.") from error
        except NoAnswerError as error:
            raise NoAnswerError(f"{device} did not do it: {error}.") from error
    return outcome


async def ping(network: Network, device: Device) -> bool:
    """Return True if a device answers."""
    try:
        return await network.ask(device.node.async_ping(), PING_TIMEOUT)
    except NotReachedError, NotConfirmedError:
        return False


async def _one(network: Network, command: Command) -> CommandOutcome:
    setting = command.target.node.async_set_value(command.target, command.to, wait_for_result=True)
    result = await network.ask(setting, COMMAND_TIMEOUT)
    match result and result.status:
        case SetValueStatus.SUCCESS:
            return CommandOutcome.DONE
        case SetValueStatus.WORKING:
            return CommandOutcome.UNDER_WAY
        case SetValueStatus.SUCCESS_UNSUPERVISED:
            return await _watched(network, command)
        case SetValueStatus.FAIL:
            raise NoAnswerError("it refused the command")
        case SetValueStatus.NO_DEVICE_SUPPORT:
            raise NoAnswerError("it does not support the command")
    raise NoAnswerError(f"Z-Wave JS says {result}")


async def _watched(network: Network, command: Command) -> CommandOutcome:
    """Return whether a device that only acknowledged a command executes it.

    The driver assumes success, so only the device's own report counts.
    """
    if (current := command.current) is None:
        return CommandOutcome.UNDER_WAY
    changed = asyncio.Event()

    def notice(event: dict[str, Any]) -> None:
        if event["value"] is current:
            changed.set()

    unsubscribe = current.node.on("value updated", notice)
    try:
        at_first = at_last = await _polled(network, current)
        async with asyncio.timeout(WATCH):
            while not command.reached(at_last := current.value):
                changed.clear()
                await changed.wait()
    except TimeoutError:
        at_last = await _polled(network, current)
    finally:
        unsubscribe()
    if command.reached(at_last):
        return CommandOutcome.DONE
    if at_last != at_first:
        return CommandOutcome.UNDER_WAY
    raise NoAnswerError("it took the command and nothing changed")


async def _polled(network: Network, value: Value) -> Any:
    """Return the value that the device itself reports, not the driver's assumption."""
    try:
        held = await network.poll(value, COMMAND_TIMEOUT)
    except NotReachedError:
        held = None
    if held is None:
        raise NotConfirmedError("it took the command and then fell silent")
    return held
