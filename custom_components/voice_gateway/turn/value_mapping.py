"""How much is to be set of one device, where Home Assistant's sentences do not know the device for it."""

from collections.abc import Mapping
from typing import Final

from homeassistant.components.cover import DOMAIN as COVER
from homeassistant.helpers import intent

from ..names.matching import words
from ..nlu.entity_linking import EntityLinker
from ..nlu.home_assistant import IntentMatch
from ..nlu.predicates import Predicate
from ..nlu.tokenizer import Text
from ..tools.assist.target import TARGET

_PERCENT: Final[Mapping[str, tuple[str, str]]] = {
    "cover": (intent.INTENT_SET_POSITION, "position"),
    "fan": ("HassFanSetSpeed", "percentage"),
    "light": ("HassLightSet", "brightness"),
    "media_player": ("HassSetVolume", "volume_level"),
}
"""How so many percent of a device are set. A humidifier would be turned on by it, too."""
_DEGREES: Final = {"climate": ("HassClimateSetTemperature", "temperature")}
_HALF: Final = 50


def amount(reading: IntentMatch | None, meant: EntityLinker, domain: str) -> IntentMatch | None:
    """Return how so much of a device is set, by what is read of another: 45 % of a fan.

    All that is not understood of the sentence tells the device.
    """
    if reading is None or reading.is_exact or (reading.begins_unknown and not meant.named):
        return None
    values = {slot: value for slot, value in reading.slots.items() if slot not in TARGET}
    unread = " ".join(reading.unknown.values())
    if (
        len(values) != 1
        or not EntityLinker(meant.text.alike(unread), meant.home, None).only_mentions
    ):
        return None
    ((read_as, value),) = values.items()
    for dials in (_PERCENT, _DEGREES):
        slots = {slot for _, slot in dials.values()}
        if read_as in slots and domain in dials and isinstance(value, int | float):
            intent_type, slot = dials[domain]
            return IntentMatch.of(intent_type, {slot: value})
    return None


def halved(rest: Text, domain: str) -> IntentMatch | None:
    """Return how a cover is set to its half, where what is left of a command says so, and no more."""
    left = [word for word in rest.spoken if rest.halves.isdisjoint(words(word))]
    if domain != COVER or len(left) == len(rest.spoken):
        return None
    if not Predicate.of(rest.alike(" ".join(left))).is_all:
        return None
    return IntentMatch.of(intent.INTENT_SET_POSITION, {"position": _HALF})
