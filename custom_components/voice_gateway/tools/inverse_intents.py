"""Intents that are inverse to each other."""

from collections.abc import Mapping
from typing import Final

from homeassistant.helpers import intent

from ..json_schema import Json

_PAIRS = (
    (intent.INTENT_TURN_ON, intent.INTENT_TURN_OFF),
    (intent.INTENT_PAUSE_TIMER, intent.INTENT_UNPAUSE_TIMER),
    (intent.INTENT_INCREASE_TIMER, intent.INTENT_DECREASE_TIMER),
    ("HassLawnMowerStartMowing", "HassLawnMowerDock"),
    ("HassListAddItem", "HassListRemoveItem"),
    ("HassMediaNext", "HassMediaPrevious"),
    ("HassMediaPause", "HassMediaUnpause"),
    ("HassMediaPlayerMute", "HassMediaPlayerUnmute"),
    ("HassVacuumStart", "HassVacuumReturnToBase"),
)
_OPPOSITES = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
BEGINS = {
    "lawn_mower": "HassLawnMowerStartMowing",
    "vacuum": "HassVacuumStart",
    "valve": intent.INTENT_TURN_ON,
}
"""The intents by which devices of a domain begin their work."""
ENDS = {
    "lawn_mower": "HassLawnMowerDock",
    "vacuum": "HassVacuumReturnToBase",
    "valve": intent.INTENT_TURN_OFF,
}
"""The intents by which they end it; turning off and stopping are equivalent."""
PERCENT = ("brightness", "position")
_ENDS: Final[Mapping[float, str]] = {0: intent.INTENT_TURN_OFF, 100: intent.INTENT_TURN_ON}


def equivalent_intent(arguments: Json) -> str | None:
    """Return the intent that is equivalent to an end position; None for other calls."""
    position = arguments.get("position")
    return _ENDS.get(position) if isinstance(position, int | float) else None


def has_inverse(intent_type: str) -> bool:
    """Return True if an intent has an inverse: it needs no value then."""
    return intent_type in _OPPOSITES


def inverse_of(intent_type: str) -> str:
    """Return the inverse of an intent; empty if there is none."""
    return _OPPOSITES.get(intent_type, "")


def is_inverse(intent_type: str, arguments: Json, asked_for: str) -> bool:
    """Return True if a call is inverse to an intent: 0 % is off or closed, 100 % on or open."""
    values = (arguments.get(slot) for slot in PERCENT)
    ends = (_ENDS[value] for value in values if isinstance(value, int) and value in _ENDS)
    wanted = _of_any_list(asked_for)
    return any(_OPPOSITES.get(each) == wanted for each in (_of_any_list(intent_type), *ends))


def _of_any_list(intent_type: str) -> str:
    """Return the general list intent for an intent of the shopping list, which has its own."""
    return intent_type.replace("HassShoppingList", "HassList")


def is_end_of(percent: object, intent_type: str) -> bool:
    """Return True if a percentage equals an intent: 0 % is off or closed, 100 % on or open."""
    return isinstance(percent, int) and _ENDS.get(percent) == intent_type
