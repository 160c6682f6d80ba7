"""What entities that are no sensors are set to: how bright, how loud, how far open, how warm."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from homeassistant.const import PERCENTAGE, STATE_OFF, STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import State

from .shown import Measured

_SHOWN: Final[Mapping[str, Mapping[str, tuple[str, float]]]] = {
    "brightness": {"light": ("brightness", 100 / 255)},
    "position": {"cover": ("current_position", 1), "valve": ("current_position", 1)},
    "speed": {"fan": ("percentage", 1)},
    "volume": {"media_player": ("volume_level", 100)},
}
"""The attributes that show a quantity in percent, and how much one of them is."""
_HEATING: Final = ("climate", "water_heater")
TARGET: Final = "target"
"""To how many degrees something is set."""
SET: Final = (*_SHOWN, TARGET)
"""The quantities, as `quantities` in `languages/` names them."""


def in_percent(domains: Iterable[str]) -> str:
    """Return the one quantity to which entities of some domains are set in percent, if it is one."""
    wanted = {*domains}
    found = [quantity for quantity, of in _SHOWN.items() if not wanted.isdisjoint(of)]
    return found[0] if len(found) == 1 and wanted <= {*_SHOWN[found[0]]} else ""


def attributes(state: State, quantity: str, temperature_unit: str) -> Iterator[Measured]:
    """Yield to what an entity is set; nothing where it is not of that kind, or does not tell.

    Args:
        state: the entity's. What is off has 0 %.
        quantity: one of SET.
        temperature_unit: that of the home.
    """
    if quantity == TARGET:
        set_to = state.attributes.get("temperature")
        if state.domain in _HEATING and set_to is not None:
            yield Measured(quantity, float(set_to), temperature_unit)
    elif own := _SHOWN.get(quantity, {}).get(state.domain):
        attribute, each = own
        value = state.attributes.get(attribute)
        if value is not None:
            yield Measured(quantity, round(float(value) * each), PERCENTAGE)
        elif state.state in (STATE_UNAVAILABLE, STATE_UNKNOWN):
            yield Measured(quantity, None, PERCENTAGE)
        elif state.state == STATE_OFF:
            yield Measured(quantity, 0.0, PERCENTAGE)
