"""Values that may be third-party text: all but numbers, times, and states of a closed set."""

from collections.abc import Iterator, Mapping
import re
from typing import Any, Final

from homeassistant.components.sensor import SensorDeviceClass
from homeassistant.const import ATTR_DEVICE_CLASS, ATTR_UNIT_OF_MEASUREMENT, Platform
from homeassistant.util import dt as dt_util

from ..names.matching import is_spaceless, words

_OPEN: Final = frozenset((Platform.EVENT, Platform.NOTIFY, Platform.SENSOR, Platform.TEXT))
_HELPERS: Final = frozenset(
    (
        *("automation", "counter", "group", "input_boolean", "input_button", "input_datetime"),
        *("input_number", "input_select", "person", "plant", "schedule", "script", "sun"),
        *("timer", "zone"),
    )
)
_CLOSED: Final = {str(each) for each in Platform} - _OPEN | _HELPERS
"""Domains whose states Home Assistant, the owner or an integration's own list gives."""
_CLOSED_SENSORS: Final = frozenset(
    (SensorDeviceClass.DATE, SensorDeviceClass.ENUM, SensorDeviceClass.TIMESTAMP)
)
_STATE_WORDS: Final = frozenset(
    (
        *("on", "off", "true", "false", "yes", "no", "none", "unknown", "unavailable", "ok"),
        *("open", "opened", "opening", "closed", "closing", "locked", "unlocked", "home", "away"),
        *("not_home", "playing", "paused", "standby", "cleaning", "docked", "returning", "error"),
        *("problem", "running", "ready", "done", "finished", "stopped", "started", "active"),
        *("inactive", "online", "offline", "connected", "disconnected", "charging", "charged"),
        *("discharging", "full", "empty", "low", "medium", "high", "normal", "clean", "dirty"),
        *("wet", "dry", "heating", "cooling", "heat", "cool", "heat_cool", "auto", "eco", "idle"),
        "printing",
    )
)
_LONG: Final = 8
"""Words of a text that is too long for a name."""
_MARKED: Final = 4
"""Minimum words of a name with punctuation of a sentence that may be a message."""
_BESIDE: Final = 4
"""Words beside the name of another thing in a name."""
_MEASURED: Final = re.compile(r"^[-+]?[\d.,]+\s*\S{0,4}$")
"""A number with its unit."""
_MARKS: Final = frozenset(":;!?。！？：；؟、，،")


def is_written_state(domain: str, state: str, attributes: Mapping[str, Any]) -> bool:
    """Return True if an entity's state may be third-party text, of whatever length."""
    if domain in _CLOSED or attributes.get(ATTR_UNIT_OF_MEASUREMENT):
        return False
    return attributes.get(ATTR_DEVICE_CLASS) not in _CLOSED_SENSORS and is_written(state)


def is_written(value: str) -> bool:
    """Return True if a value has letters, and is neither a time nor a word for a state."""
    if value.casefold() in _STATE_WORDS or not any(map(str.isalpha, _MEASURED.sub("", value))):
        return False
    return dt_util.parse_datetime(value) is None and dt_util.parse_date(value) is None


def written_names(names: frozenset[str], places: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the names of a home that may contain a message: a guest's device brings its own.

    A message contains the name of another device. That of a place is common in names.
    """
    known = {f" {' '.join(words(name))} " for name in names - places}
    for name in names:
        size, own = _size(name), f" {' '.join(words(name))} "
        is_marked = size >= _MARKED and not _MARKS.isdisjoint(name)
        others = (each for each in known if each != own and each in own)
        is_of_another = size > _BESIDE and any(size - _size(each) >= _BESIDE for each in others)
        if size >= _LONG or is_marked or is_of_another:
            yield name


def leaves(data: Any, *, with_keys: bool = False) -> Iterator[object]:
    """Yield all values of some JSON that are neither objects nor lists; optionally, also keys."""
    match data:
        case Mapping():
            for key, value in data.items():
                if with_keys:
                    yield str(key)
                yield from leaves(value, with_keys=with_keys)
        case list() | tuple():
            for value in data:
                yield from leaves(value, with_keys=with_keys)
        case _:
            yield data


def _size(text: str) -> int:
    """Return the number of words in a text; in scripts without spaces, two letters are one."""
    wide = sum(each.isalpha() and is_spaceless(each) for each in text)
    return wide // 2 + sum(any(c.isalpha() for c in each) for each in text.split()) - bool(wide)
