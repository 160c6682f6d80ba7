"""Settings of devices: Z-Wave's configuration parameters, by name or number."""

from collections.abc import Iterable
from dataclasses import dataclass
import re

from zwave_js_server.const import CommandClass as CC
from zwave_js_server.model.value import AllowedRangeValue, AllowedSingleValue, Value

from ..names.matching import Matcher
from .answers import NoAnswerError
from .confirmation import Command
from .devices import Device


@dataclass(frozen=True, slots=True)
class Setting:
    """A configuration parameter. Implements `names.matching.NamedThing`."""

    value: Value
    location: str = ""

    @property
    def name(self) -> str:
        """The manufacturer's name of it."""
        return self.value.metadata.label or f"Parameter {self.value.property_}"

    @property
    def hints(self) -> str:
        """Its number."""
        return f"parameter {self.value.property_}"

    def __str__(self) -> str:
        """Return its name, value and range: "LED indicator = 1 (0 to 1)"."""
        label = self.value.metadata.states.get(str(self.value.value), self.value.value)
        return f"{self.name} = {label} ({self.allowed})"

    @property
    def allowed(self) -> str:
        """The allowed values, in words."""
        metadata = self.value.metadata
        if metadata.writeable is False:
            return "read only"
        if metadata.states:
            return ", ".join(f"{key} {label}" for key, label in metadata.states.items())
        if metadata.allowed:
            return ", ".join(_words(each) for each in metadata.allowed)
        if metadata.min is None or metadata.max is None:
            return "a number"
        return f"{metadata.min} to {metadata.max}"

    def change(self, wanted: str) -> Command:
        """Return the command that sets it; raises NoAnswerError if the value is not allowed."""
        if self.value.metadata.writeable is False:
            raise NoAnswerError(f"{self.name} can be read, not changed.")
        to = self._parse(wanted.strip())
        if to is None or not self._takes(to):
            raise NoAnswerError(f"{self.name} takes {self.allowed}, not {wanted}.")
        shown = self.value.metadata.states.get(str(to), to)
        done = f"has {self.name} set to {shown}"
        return Command(self.value, to, self.value, lambda v: v == to, done)

    def _parse(self, wanted: str) -> int | None:
        states = self.value.metadata.states
        named = {str(label).casefold(): int(key) for key, label in states.items()}
        if wanted.casefold() in named:
            return named[wanted.casefold()]
        return int(wanted) if re.fullmatch(r"[+-]?\d+", wanted) else None

    def _takes(self, number: int) -> bool:
        metadata = self.value.metadata
        if metadata.states and not metadata.allow_manual_entry:
            return str(number) in metadata.states
        if metadata.allowed:
            return any(_allows(each, number) for each in metadata.allowed)
        low, high = metadata.min, metadata.max
        return (low is None or number >= low) and (high is None or number <= high)


def settings(device: Device) -> list[Setting]:
    """Return a device's settings."""
    return [Setting(value) for value in device.values if value.command_class == CC.CONFIGURATION]


def the_setting(device: Device, parameter: str, matcher: Matcher) -> Setting:
    """Return the setting with a name or number; raises NoAnswerError for none or several."""
    if not (all_settings := settings(device)):
        raise NoAnswerError(f"{device} has no settings.")
    if number := re.fullmatch(r"\s*(?:parameter\s*)?#?(\d+)\s*", parameter, re.IGNORECASE):
        found = [each for each in all_settings if each.value.property_ == int(number[1])]
    else:
        found = matcher.find(parameter, all_settings)
    if not found:
        names = _listed(matcher.nearest(parameter, all_settings))
        raise NoAnswerError(f"{device} has no setting {parameter}. The nearest are: {names}.")
    if len(found) > 1:
        raise NoAnswerError(f"Several settings fit {parameter}: {_listed(found)}. Which one?")
    return found[0]


def _listed(found: Iterable[Setting]) -> str:
    return ", ".join(each.name for each in found)


def _words(allowed: AllowedSingleValue | AllowedRangeValue) -> str:
    match allowed:
        case AllowedSingleValue(value):
            return str(value)
        case AllowedRangeValue(low, high, step):
            return f"{low} to {high}" + (f" in steps of {step}" if step and step > 1 else "")


def _allows(allowed: AllowedSingleValue | AllowedRangeValue, number: int) -> bool:
    match allowed:
        case AllowedSingleValue(value):
            return number == value
        case AllowedRangeValue(low, high, step):
            return low <= number <= high and (number - low) % (step or 1) == 0
