"""A rule on how much: how bright, how warm, how loud. No call sets what nobody said."""

from dataclasses import replace

from homeassistant.helpers import intent, llm

from ..heard.sentences import Reading
from ..json_schema import Json
from .assist.target import TARGET
from .deed import Deed, Refused, Turn, Understood
from .opposites import is_end_of

_VALUES = frozenset(
    (
        "brightness",
        "color",
        "humidity",
        "mode",
        "percentage",
        "position",
        "temperature",
        "volume_level",
        "volume_step",
    )
)
_ON_OFF = (intent.INTENT_TURN_ON, intent.INTENT_TURN_OFF)


def unsaid_value(deed: Deed, turn: Turn) -> Refused | Understood | None:
    """No value is set that was not said: what was said is done without it.

    "Turn on the lamp" makes it no brighter than it was.
    """
    values = values_of(deed.arguments)
    if turn.plain is None or not values or not deed.acts_on_devices or _says_it(deed, turn.plain):
        return None
    if turn.plain.intent_type in _ON_OFF and isinstance(deed.tool, llm.IntentTool):
        target = {slot: value for slot, value in deed.arguments.items() if slot in TARGET}
        return Understood(replace(turn.plain, slots=target), deed.targets)
    meant = turn.manager.for_intent(turn.plain.intent_type)
    told = f": call {meant.name}" if meant else ""
    return Refused(f"The user said no {', '.join(sorted(values))}{told}")


def values_of(arguments: Json) -> frozenset[str]:
    """Return the values that a call sets."""
    return frozenset(
        slot
        for slot, value in arguments.items()
        if slot in _VALUES and not intent.is_blank_slot_value(value)
    )


def _says_it(deed: Deed, reading: Reading) -> bool:
    """Tell whether a call's only value says what was said in another way: 100 % open."""
    position = deed.arguments.get("position")
    return values_of(deed.arguments) == {"position"} and is_end_of(position, reading.intent_type)
