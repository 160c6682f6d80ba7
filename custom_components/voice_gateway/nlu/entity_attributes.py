"""Entity attributes: brightness, volume, position, temperature of entities that are no sensors."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from homeassistant.const import PERCENTAGE, STATE_OFF, STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import State

from .state_semantics import Measurement

PERCENT: Final[Mapping[str, float]] = {
    "brightness": 100 / 255,
    "current_position": 1,
    "percentage": 1,
    "volume_level": 100,
}
"""The attributes that show what is set in percent, and how much one of them is."""
_SHOWN: Final[Mapping[str, Mapping[str, str]]] = {
    "brightness": {"light": "brightness"},
    "position": {"cover": "current_position", "valve": "current_position"},
    "speed": {"fan": "percentage"},
    "volume": {"media_player": "volume_level"},
}
"""The attribute of PERCENT that shows a quantity, by domain."""
_HEATING: Final = ("climate", "water_heater")
TARGET: Final = "target"
"""To how many degrees something is set."""
SET: Final = (*_SHOWN, TARGET)
"""The quantities, as `quantities` in `languages/` names them."""


def percentage_quantity(domains: Iterable[str]) -> str:
    """Return the one quantity to which entities of some domains are set in percent, if it is one."""
    wanted = {*domains}
    found = [quantity for quantity, of in _SHOWN.items() if not wanted.isdisjoint(of)]
    return found[0] if len(found) == 1 and wanted <= {*_SHOWN[found[0]]} else ""


def attribute_values(state: State, quantity: str, temperature_unit: str) -> Iterator[Measurement]:
    """Yield to what an entity is set; nothing where it is not of that kind, or does not tell.

    Args:
        state: the entity's. What is off has 0 %.
        quantity: one of SET.
        temperature_unit: that of the home.
    """
    if quantity == TARGET:
        set_to = state.attributes.get("temperature")
        if state.domain in _HEATING and set_to is not None:
            yield Measurement(quantity, float(set_to), temperature_unit)
    elif attribute := _SHOWN.get(quantity, {}).get(state.domain):
        value = state.attributes.get(attribute)
        if value is not None:
            yield Measurement(quantity, round(float(value) * PERCENT[attribute]), PERCENTAGE)
        elif state.state in (STATE_UNAVAILABLE, STATE_UNKNOWN):
            yield Measurement(quantity, None, PERCENTAGE)
        elif state.state == STATE_OFF:
            yield Measurement(quantity, 0.0, PERCENTAGE)
