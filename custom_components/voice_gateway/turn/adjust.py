"""Quantities as intents: absolute and relative values, and stopping a running device."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from homeassistant.components.light import DOMAIN as LIGHT
from homeassistant.components.light.intent import INTENT_SET
from homeassistant.components.media_player import MediaPlayerEntityFeature
from homeassistant.const import ATTR_SUPPORTED_FEATURES, STATE_OFF
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import intent

from ..home.exposed import Exposed
from ..names.inflection import is_colour
from ..names.matching import words
from ..nlu.home_assistant import IntentMatch
from ..nlu.numerals import Quantity
from ..nlu.predicates import Predicate
from ..nlu.tokenizer import Text
from ..nlu.utterance import DeviceAction
from ..tools.inverse_intents import ENDS

_PERCENT: Final = "%"
_DEGREE: Final = "°"
_HALF: Final = 50


@dataclass(frozen=True, slots=True)
class _Dial:
    """The adjustable quantity of a domain, and its step."""

    quantity: str
    """As in `Quantity`."""
    unit: str
    intent_type: str
    slot: str
    attribute: str
    step: float
    scale: float = 1
    """The factor from the attribute to the slot."""
    lowest: float = 0
    """The lower limit of a step, in percent: a dimmed light stays on."""
    digits: int = 0
    """Decimals of the value: Home Assistant's tools take whole numbers of percent."""
    is_none_while_off: bool = True
    """Whether off means zero: for brightness and speed, not for color temperature and volume."""

    def fits(self, quantity: Quantity) -> bool:
        """Return True if a quantity has this name and unit; a bare number is not a percentage."""
        is_told = quantity.way or quantity.name or quantity.unit or self.unit != _PERCENT
        return (
            bool(is_told)
            and quantity.name in ("", self.quantity)
            and quantity.unit in ("", self.unit)
        )

    def turned(self, state: State, quantity: Quantity) -> float | int | None:
        """Return the value for a quantity; None if the current value is unknown."""
        found = quantity.amount
        if quantity.way:
            value = state.attributes.get(self.attribute)
            if value is None and not (self.is_none_while_off and state.state == "off"):
                return None
            step = self.step if quantity.amount is None else quantity.amount
            found = round((value or 0) * self.scale + quantity.way * step, self.digits)
            if self.unit == _PERCENT:
                found = min(100.0, max(self.lowest, found))
        if found is None or (self.unit == _PERCENT and not 0 <= found <= 100):
            return None
        return int(found) if float(found).is_integer() else found


_VOLUME: Final = _Dial(
    "volume", _PERCENT, "HassSetVolume", "volume_level", "volume_level", 10, 100,
    is_none_while_off=False,
)  # fmt: skip
_POSITION: Final = _Dial(
    "position", _PERCENT, intent.INTENT_SET_POSITION, "position", "current_position", 20
)
_DIALS: Final[Mapping[str, _Dial]] = {
    "climate": _Dial(
        "temperature", _DEGREE, "HassClimateSetTemperature", "temperature", "temperature", 1,
        digits=1, is_none_while_off=False,
    ),
    "cover": _POSITION,
    "fan": _Dial("speed", _PERCENT, "HassFanSetSpeed", "percentage", "percentage", 20),
    "humidifier": _Dial("humidity", _PERCENT, "HassHumidifierSetpoint", "humidity", "humidity", 5),
    "light": _Dial(
        "brightness", _PERCENT, INTENT_SET, "brightness", "brightness", 20, 100 / 255, lowest=1
    ),
    "media_player": _VOLUME,
    "valve": _POSITION,
}  # fmt: skip
MEASURED: Final = frozenset(_DIALS)
"""The domains with an adjustable quantity."""
DOMAIN_OF: Final[Mapping[str, str]] = {dial.quantity: domain for domain, dial in _DIALS.items()} | {
    "position": "cover"
}
"""The default domain of a quantity without a device."""
_ENDS: Final[Mapping[tuple[str, str], str]] = {
    ("cover", "closing"): intent.INTENT_STOP_MOVING,
    ("cover", "opening"): intent.INTENT_STOP_MOVING,
    ("lawn_mower", "mowing"): ENDS["lawn_mower"],
    ("media_player", "buffering"): "HassMediaPause",
    ("media_player", "playing"): "HassMediaPause",
    ("vacuum", "cleaning"): ENDS["vacuum"],
    ("valve", "closing"): intent.INTENT_STOP_MOVING,
    ("valve", "opening"): intent.INTENT_STOP_MOVING,
}
"""The intent that stops a device, by domain and state."""


def adjusted(
    hass: HomeAssistant, quantity: Quantity, devices: Sequence[Exposed]
) -> Sequence[DeviceAction]:
    """Return the intents that set or change a quantity of devices; none if a value is unknown."""
    domains = {each.domain for each in devices}
    if len(domains) != 1 or domains.isdisjoint(_DIALS):
        return ()
    dial = _DIALS[devices[0].domain]
    if not dial.fits(quantity):
        return ()
    found: dict[tuple[str, str, float | str], list[Exposed]] = {}
    known = [*_states(hass, devices)]
    if quantity.way and dial.is_none_while_off:
        # A device that is off gets no darker, and no brighter if another one is on.
        on = [(entity, state) for entity, state in known if state.state != STATE_OFF]
        known = on or (known if quantity.way > 0 else [])
    for entity, state in known:
        if (value := dial.turned(state, quantity)) is not None:
            step: tuple[str, str, float | str] = (dial.intent_type, dial.slot, value)
        elif dial is _VOLUME and quantity.way and _is_stepped(state):
            step = ("HassSetVolumeRelative", "volume_step", "up" if quantity.way > 0 else "down")
        else:
            return ()
        found.setdefault(step, []).append(entity)
    return [
        DeviceAction(intent_type, {slot: value}, (*each,))
        for (intent_type, slot, value), each in found.items()
    ]


def _is_stepped(state: State) -> bool:
    """Return True if a player without a volume level has volume buttons."""
    features = state.attributes.get(ATTR_SUPPORTED_FEATURES, 0)
    return state.state != "off" and bool(features & MediaPlayerEntityFeature.VOLUME_STEP)


def stopped(hass: HomeAssistant, devices: Sequence[Exposed]) -> Sequence[DeviceAction]:
    """Return the intents that stop the devices that are running or moving."""
    found: dict[str, list[Exposed]] = {}
    for entity, state in _states(hass, devices):
        if ends := _ENDS.get((entity.domain, state.state)):
            found.setdefault(ends, []).append(entity)
    return [DeviceAction(ends, {}, (*each,)) for ends, each in found.items()]


def _states(hass: HomeAssistant, devices: Sequence[Exposed]) -> Iterator[tuple[Exposed, State]]:
    for entity in devices:
        if state := hass.states.get(entity.entity_id):
            yield entity, state


def halved(rest: Text, domain: str) -> IntentMatch | None:
    """Return the intent that half opens a cover, if the rest of a command means only that."""
    left = [word for word in rest.spoken if rest.halves.isdisjoint(words(word))]
    if domain != "cover" or len(left) == len(rest.spoken):
        return None
    if not Predicate.of(rest.alike(" ".join(left))).has_no_object:
        return None
    return IntentMatch.of(intent.INTENT_SET_POSITION, {"position": _HALF})


def lit(rest: Text, domain: str) -> IntentMatch | None:
    """Return the intent that gives lights the only colour, or white, that a command says."""
    if domain != LIGHT:
        return None
    known, spoken = rest.patterns, rest.spoken
    said = ["".join(words(word)) for word in spoken]
    found: dict[tuple[str, str | int], tuple[str, ...]] = {}
    for is_same in (str.__eq__, is_colour):
        for colour, value in known.light_values.items():
            for first in range(len(said) - len(colour) + 1):
                end = first + len(colour)
                if all(map(is_same, said[first:end], colour, strict=True)):
                    found[value] = (*spoken[:first], *spoken[end:])
        if found:
            break  # an inflected word may be another one: "świeci", "świeca"
    # "Warm white" is no "white".
    least = min(map(len, found.values()), default=0)
    match [(value, left) for value, left in found.items() if len(left) == least]:
        case [((slot, shade), left)]:
            becomes = known.words_of("value_names", "conditions.becomes")
            others = rest.alike(" ".join(word for word in left if becomes.isdisjoint(words(word))))
            set_to = Predicate.of(others)
            if not others or set_to.has_no_object or set_to.is_whole:
                return IntentMatch.of(INTENT_SET, {slot: shade})
    return None
