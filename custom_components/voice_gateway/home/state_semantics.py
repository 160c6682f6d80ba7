"""State semantics: the meanings of an entity's state and attributes."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
import math
from typing import Final

from homeassistant.components.climate import ATTR_HVAC_ACTION
from homeassistant.const import (
    ATTR_DEVICE_CLASS,
    ATTR_UNIT_OF_MEASUREMENT,
    PERCENTAGE,
    STATE_OFF,
    STATE_UNAVAILABLE,
    STATE_UNKNOWN,
    UnitOfTemperature,
)
from homeassistant.core import State

type _Means = Mapping[str, frozenset[str]]
"""The states of a domain by meaning; meanings are keys of `state_phrases` in `languages/`."""


def _means(**states: str) -> dict[str, frozenset[str]]:
    return {meaning: frozenset(listed.split()) for meaning, listed in states.items()}


_ON_OFF = _means(on="on", off="off")
_RUNS = _means(on="on", off="off", running="on", stopped="off")
_WORKS = _means(on="on", off="off", running="on", stopped="off", done="off")
_DETECTS = _means(on="on", off="off", triggered="on", ringing="on")
_OPENS = _means(open="open", closed="closed")
_OPENING = _means(open="on", closed="off")
_ACTIVE = "auto cool dry fan_only heat heat_cool"
_HEATS = "eco electric gas heat_pump high_demand performance"
_ARMED = "armed_away armed_custom_bypass armed_home armed_night armed_vacation"
_MEANINGS: Mapping[str, _Means] = {
    # An alarm that "goes off" is triggered, so it has no meaning "off".
    "alarm_control_panel": _means(
        armed=_ARMED, disarmed="disarmed", triggered="triggered", on=f"{_ARMED} triggered"
    ),
    "binary_sensor": _DETECTS,
    "binary_sensor.battery_charging": _DETECTS | _means(is_charging="on"),
    "binary_sensor.door": _OPENING,
    "binary_sensor.garage_door": _OPENING,
    "binary_sensor.lock": _means(unlocked="on", locked="off"),
    "binary_sensor.moisture": _DETECTS | _means(leak="on"),
    "binary_sensor.motion": _means(motion="on", still="off", on="on", off="off"),
    "binary_sensor.opening": _OPENING,
    "binary_sensor.power": _WORKS,
    "binary_sensor.running": _WORKS,
    "binary_sensor.smoke": _DETECTS | _means(smoke="on"),
    "binary_sensor.window": _OPENING,
    "climate": _means(
        on=_ACTIVE, running=_ACTIVE, off="off", stopped="off",
        is_heating="heating preheating", is_cooling="cooling",
    ),
    "cover": _OPENS,
    "fan": _RUNS,
    "humidifier": _RUNS,
    "input_boolean": _ON_OFF,
    "lawn_mower": _means(
        mowing="mowing", running="mowing", paused="paused", docked="docked", done="docked",
        stopped="docked paused returning",
    ),
    "light": _RUNS,
    "lock": _means(locked="locked", unlocked="unlocked open"),
    "media_player": _means(
        on="buffering idle on paused playing",
        off="off standby",
        playing="buffering playing",
        running="buffering on playing",
        paused="paused",
        stopped="idle off paused standby",
    ),
    "siren": _means(on="on", off="off", running="on", stopped="off", triggered="on"),
    "switch": _WORKS,
    "update": _means(updates="on", up_to_date="off"),
    "vacuum": _means(
        cleaning="cleaning", running="cleaning", paused="paused", docked="docked", done="docked",
        stopped="docked idle paused returning",
    ),
    # "Turn on" opens a valve, in Home Assistant's sentences too.
    "valve": _means(
        open="open", closed="closed", on="open", off="closed", running="open", stopped="closed"
    ),
    "water_heater": _means(on=_HEATS, running=_HEATS, off="off", stopped="off"),
    "weather": _means(
        raining="lightning-rainy pouring rainy snowy-rainy",
        dry="clear-night cloudy fog lightning partlycloudy snowy sunny windy windy-variant",
    ),
}  # fmt: skip
ACTIVITIES = ("is_cooling", "is_heating")
"""Meanings of a thermostat's action, whatever its mode."""
_DOMAINS = frozenset(key.partition(".")[0] for key in _MEANINGS)
_NOWHERE = frozenset((STATE_UNAVAILABLE, STATE_UNKNOWN, ""))
_TEMPERATURES = frozenset(UnitOfTemperature) - {UnitOfTemperature.KELVIN}
_ATTRIBUTES = {
    "climate": {"temperature": "current_temperature", "humidity": "current_humidity"},
    "humidifier": {"humidity": "current_humidity"},
    "weather": {
        "temperature": "temperature",
        "humidity": "humidity",
        "wind_speed": "wind_speed",
    },
}
"""The attributes with the measurements of entities that are no sensors."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """A number of an entity, with its quantity (a sensor's device class) and unit."""

    quantity: str
    value: float | None
    """None if it is unknown now."""
    unit: str

    @property
    def is_temperature(self) -> bool:
        """Whether it is in degrees Celsius or Fahrenheit."""
        return self.unit in _TEMPERATURES

    @property
    def is_percentage(self) -> bool:
        """Whether it is in percent."""
        return self.unit == PERCENTAGE


def has_state_meanings(domain: str) -> bool:
    """Return True if the states of a domain have known meanings, apart from people's places."""
    return domain in _DOMAINS


def can_mean(domain: str, device_class: str | None, meaning: str) -> bool:
    """Return True if such an entity has a state with a meaning."""
    return bool(states_of(domain, device_class, meaning))


def states_of(domain: str, device_class: str | None, meaning: str) -> frozenset[str]:
    """Return the states of such an entity with a meaning; for "not_home", those without."""
    if _is_place(meaning):
        return frozenset(("home",)) if domain == "person" else frozenset()
    return _known(domain, device_class).get(meaning, frozenset())


def state_means(state: State, meaning: str) -> bool | None:
    """Return True if a state has a meaning, False if it excludes it, else None."""
    if state.state in _NOWHERE:
        return None
    if _is_place(meaning):
        return (state.state == "home") == (meaning == "home")
    known = _known(state.domain, state.attributes.get(ATTR_DEVICE_CLASS))
    if meaning in ACTIVITIES:
        action = activity_of(state)
        return action in known.get(meaning, ()) if action else None
    if meaning not in known or state.state not in chain.from_iterable(known.values()):
        return None
    return state.state in known[meaning]


def activity_of(state: State) -> str:
    """Return a thermostat's action, "off" if it is off without one; empty if unknown."""
    action = state.attributes.get(ATTR_HVAC_ACTION)
    return str(action) if action else state.state * (state.state == STATE_OFF)


def measurements(state: State, temperature_unit: str) -> Iterable[Measurement]:
    """Yield the measurements of an entity; `temperature_unit`: the home's."""
    if state.domain == "sensor":
        unit = state.attributes.get(ATTR_UNIT_OF_MEASUREMENT) or ""
        quantity = state.attributes.get(ATTR_DEVICE_CLASS) or ""
        value = finite_number(state.state)
        if value is not None or (unit and state.state in _NOWHERE):
            yield Measurement(quantity, value, unit)
        return
    for quantity, attribute in _ATTRIBUTES.get(state.domain, {}).items():
        value = finite_number(state.attributes.get(attribute))
        if value is not None or state.state == STATE_UNAVAILABLE:
            unit = temperature_unit if quantity == "temperature" else PERCENTAGE
            if state.domain == "weather" and quantity != "humidity":
                unit = state.attributes.get(f"{quantity}_unit", unit)
            yield Measurement(quantity, value, unit)


def _known(domain: str, device_class: str | None) -> _Means:
    return _MEANINGS.get(f"{domain}.{device_class}") or _MEANINGS.get(domain, {})


def _is_place(meaning: str) -> bool:
    return meaning in ("home", "not_home")


def finite_number(value: object) -> float | None:
    """Return the number in a state or an attribute; None if it is not a finite one."""
    try:
        number = float(str(value))
    except ValueError:
        return None
    return number if math.isfinite(number) else None


PERCENT: Final[Mapping[str, float]] = {
    "brightness": 100 / 255,
    "current_position": 1,
    "percentage": 1,
    "volume_level": 100,
}
"""The attributes that are set in percent, and the percentage of one unit of each."""
_SHOWN: Final[Mapping[str, Mapping[str, str]]] = {
    "brightness": {"light": "brightness"},
    "position": {"cover": "current_position", "valve": "current_position"},
    "speed": {"fan": "percentage"},
    "volume": {"media_player": "volume_level"},
}
"""The attribute of PERCENT for a quantity, by domain."""
HEATING: Final = ("climate", "water_heater")
TARGET: Final = "target"
"""A target temperature, in degrees."""
SET: Final = (*_SHOWN, TARGET)
"""The quantities that can be set, as keys of `quantities` in `languages/`."""


def percentage_quantity(domains: Iterable[str]) -> str:
    """Return the only quantity that entities of some domains are set to in percent, or empty."""
    wanted = {*domains}
    found = [quantity for quantity, of in _SHOWN.items() if not wanted.isdisjoint(of)]
    return found[0] if len(found) == 1 and wanted <= {*_SHOWN[found[0]]} else ""


def attribute_values(state: State, quantity: str, temperature_unit: str) -> Iterator[Measurement]:
    """Yield the value that an entity is set to; nothing if it has no such attribute.

    Args:
        state: the entity's state. An entity that is off has 0 %.
        quantity: one of SET.
        temperature_unit: the home's.
    """
    if quantity == TARGET:
        names = ("temperature",), ("target_temp_low", "target_temp_high")
        given = ([state.attributes.get(each) for each in own] for own in names)
        for each in next((values for values in given if None not in values), ()):
            if state.domain in HEATING and each is not None:
                yield Measurement(quantity, float(each), temperature_unit)
    elif attribute := _SHOWN.get(quantity, {}).get(state.domain):
        value = state.attributes.get(attribute)
        if value is not None:
            yield Measurement(quantity, round(float(value) * PERCENT[attribute]), PERCENTAGE)
        elif state.state in (STATE_UNAVAILABLE, STATE_UNKNOWN):
            yield Measurement(quantity, None, PERCENTAGE)
        elif state.state == STATE_OFF:
            yield Measurement(quantity, 0.0, PERCENTAGE)


def values_of(state: State, quantity: str, temperature_unit: str) -> Iterator[Measurement]:
    """Return the values of an entity for a quantity: measured or set."""
    if quantity in SET:
        return attribute_values(state, quantity, temperature_unit)
    return (each for each in measurements(state, temperature_unit) if each.quantity == quantity)
