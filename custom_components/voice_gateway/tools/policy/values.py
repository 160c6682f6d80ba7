"""The quantity: brightness, temperature, volume. No call sets an unsaid value."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from homeassistant.components.light import ATTR_SUPPORTED_COLOR_MODES, brightness_supported
from homeassistant.components.light.intent import INTENT_SET
from homeassistant.const import STATE_OFF
from homeassistant.helpers import intent, llm

from ...home.exposed import Exposed
from ...home.state_semantics import PERCENT
from ...json_schema import Json
from ...nlu.home_assistant import IntentMatch
from ...nlu.numerals import Quantity
from ...nlu.tokenizer import Text
from ..assist.target import TARGET
from ..inverse_intents import is_end_of
from ..resolved_intent import Replace
from .call import ComparedCall
from .divergence import Difference, Divergence

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
_SHOWN: Final = {"position": "current_position"}
"""The attribute with a slot's value, if it has another name."""
_NUMBERS: Final = ("humidity", "position", "temperature", *(PERCENT.keys() & _VALUES))
"""The slots with numbers."""
_NEAR: Final = 1
"""Tolerance between values: they are rounded."""
_ON_OFF = (intent.INTENT_TURN_ON, intent.INTENT_TURN_OFF)


def compare_unsaid_value(call: ComparedCall) -> Difference | None:
    """No unsaid value is set: the command is executed without it.

    "Turn on the lamp" does not change its brightness.
    """
    values, plain = values_of(call.arguments), call.turn.plain
    if plain is None or not values or not call.acts_on_devices or _says_it(call, plain):
        return None
    meant = None
    if plain.intent_type in _ON_OFF and isinstance(call.tool, llm.IntentTool):
        target = {slot: value for slot, value in call.arguments.items() if slot in TARGET}
        meant = Replace(replace(plain, slots=target), call.targets)
    told = call.work_of(plain.intent_type, f"The user said no {', '.join(sorted(values))}")
    return Difference(Divergence.UNSAID_VALUE, told, meant=meant)


def compare_ability(call: ComparedCall) -> Difference | None:
    """Lights without dimming get no brightness: Home Assistant would confirm it nevertheless."""
    if call.intent_type != INTENT_SET or "brightness" not in call.arguments:
        return None
    states = [call.hass.states.get(each.entity_id) for each in call.targets]
    modes = [each.attributes.get(ATTR_SUPPORTED_COLOR_MODES) if each else None for each in states]
    if not modes or any(each is None or brightness_supported(each) for each in modes):
        return None
    names = ", ".join(each.names[0] for each in call.targets)
    told = f"{names} can only be turned on and off: tell the user"
    return Difference(Divergence.NO_SUCH_VALUE, told)


def compare_value(call: ComparedCall) -> Difference | None:
    """A step is not a value: "by 5 degrees" does not set 5.

    After third-party text was read, no unsaid number is set: "dim the lamp to 30 percent" never
    sets 100, "30 percent darker" subtracts that much, and "a bit darker" never makes it brighter.
    """
    if not call.acts_on_devices:
        return None
    set_to = {
        slot: value
        for slot in _NUMBERS
        if isinstance(value := call.arguments.get(slot), int | float)
        and not isinstance(value, bool)
    }
    text, is_tainted = call.text, call.taint.is_there
    is_by = bool(set_to) and not is_tainted and bool(Quantity.directions(text, only_by=True))
    if not (is_by and text.numbers) and not is_tainted:
        return None
    ways = Quantity.directions(text)
    # "Lamp 2" contains no value.
    numbered = (each for each in call.utterance.home.names if any(map(str.isdigit, each)))
    said = text.numbers.difference(*(text.alike(each).numbers for each in numbered))
    for slot, value in set_to.items():
        has_set = bool(ways) and _has_set(slot, call.targets, call)
        shown = [*_shown(call, slot, with_off=is_tainted)] if ways and not has_set else []
        if said:
            stepped = [now + way * each for now in shown for way in ways for each in said]
            right = stepped if is_by else [*said, *stepped]
            is_other = bool(right or not is_by) and all(abs(value - e) > _NEAR for e in right)
        else:
            is_other = has_set or any(
                all((value - now) * way <= 0 for way in ways) for now in shown
            )
        if is_other:
            return Difference(Divergence.OTHER_VALUE, f"The user did not say {slot} {value}")
    return None


def _has_set(slot: str, devices: Sequence[Exposed], call: ComparedCall) -> bool:
    """Return True if this turn may have set one of some devices: a second step is not made then."""
    ids = {each.entity_id for each in devices}
    set_before = [
        each for each in call.turn.journal.entries if slot in each.arguments and each.may_have_acted
    ]
    return any(each.response is None or not ids.isdisjoint(each.reached) for each in set_before)


def _shown(call: ComparedCall, slot: str, *, with_off: bool) -> Iterator[float]:
    """Yield the current values of a call's devices, in the unit of its slot.

    `with_off`: a device that is off has the value 0.
    """
    attribute = _SHOWN.get(slot, slot)
    for each in call.targets:
        state = call.hass.states.get(each.entity_id)
        now = state.attributes.get(attribute) if state else None
        if isinstance(now, int | float):
            yield now * PERCENT.get(attribute, 1)
        elif with_off and attribute in PERCENT and state and state.state == STATE_OFF:
            yield 0


def values_of(arguments: Json) -> frozenset[str]:
    """Return the values that a call sets."""
    return frozenset(
        slot
        for slot, value in arguments.items()
        if slot in _VALUES and not intent.is_blank_slot_value(value)
    )


def without_values(text: Text, arguments: Json) -> Text:
    """Return a text without the number that a call sets: "ventuno" distinguishes no thermostats."""
    values = [each for slot in _NUMBERS if isinstance(each := arguments.get(slot), int | float)]
    return text.without_number(values) if values else text


def _says_it(call: ComparedCall, reading: IntentMatch) -> bool:
    """Return True if a call's only value is a paraphrase of the utterance: 100 % open."""
    position = call.arguments.get("position")
    return values_of(call.arguments) == {"position"} and is_end_of(position, reading.intent_type)


def is_of_a_part(call: ComparedCall) -> bool:
    """Return True if a call does just what a clause says: "read my mail, and pause the music"."""
    given = {slot for slot, value in call.arguments.items() if value not in (None, "", [])}
    return bool(call.targets) and any(
        each.reading.intent_type == call.intent_type
        and {*each.targets}.issuperset(call.targets)
        and same_values(call, each.reading)
        and given <= {*each.reading.slots, *TARGET}
        for each in call.of_parts
    )


def same_values(call: ComparedCall, reading: IntentMatch) -> bool:
    """Return True if a call has the values in the utterance: brightness, temperature."""
    said = {slot: value for slot, value in reading.slots.items() if slot not in TARGET}
    return all(
        str(call.arguments.get(slot)).casefold() == str(value).casefold()
        for slot, value in said.items()
    )
