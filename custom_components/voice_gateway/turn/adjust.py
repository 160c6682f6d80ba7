"""More or less of what was just set, and an end to what was just begun."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from homeassistant.components.media_player import MediaPlayerEntityFeature
from homeassistant.const import ATTR_SUPPORTED_FEATURES
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import intent

from ..home.exposed import Exposed, Home
from ..nlu.follow_ups import FollowUpAct
from ..tools.inverse_intents import ENDS
from .action_history import TurnRecord
from .repeat import RepeatedIntent


@dataclass(frozen=True, slots=True)
class _Dial:
    """What is set of devices of a domain, and by how much it changes at a time."""

    intent_type: str
    slot: str
    attribute: str
    step: float
    scale: float = 1
    """What the attribute is multiplied with to be as the slot is."""
    lowest: float | None = 0
    highest: float | None = 100
    digits: int = 0
    """Decimals of what is set: Home Assistant's tools take whole numbers of percent."""
    is_none_while_off: bool = True
    """What is off is neither bright nor fast; how warm or loud it will be, it alone knows."""

    def turned(self, state: State, by: int) -> float | int | None:
        """Return the value after so many steps; None where nobody knows the one before."""
        value = state.attributes.get(self.attribute)
        if value is None and not (self.is_none_while_off and state.state == "off"):
            return None
        found = round((value or 0) * self.scale + by * self.step, self.digits)
        if self.lowest is not None:
            found = max(self.lowest, found)
        if self.highest is not None:
            found = min(self.highest, found)
        return int(found) if float(found).is_integer() else found


_LIGHT: Final = _Dial("HassLightSet", "brightness", "brightness", 20, 100 / 255, 1)
_WARMTH: Final = _Dial(
    "HassClimateSetTemperature",
    "temperature",
    "temperature",
    1,
    lowest=None,
    highest=None,
    digits=1,
    is_none_while_off=False,
)
_VOLUME: Final = _Dial(
    "HassSetVolume", "volume_level", "volume_level", 10, 100, is_none_while_off=False
)
_SPEED: Final = _Dial("HassFanSetSpeed", "percentage", "percentage", 20)
_POSITION: Final = _Dial(intent.INTENT_SET_POSITION, "position", "current_position", 20)
_HUMIDITY: Final = _Dial("HassHumidifierSetpoint", "humidity", "humidity", 5)

_DIALS: Final[Mapping[str, _Dial]] = {
    "climate": _WARMTH,
    "cover": _POSITION,
    "fan": _SPEED,
    "humidifier": _HUMIDITY,
    "light": _LIGHT,
    "media_player": _VOLUME,
    "valve": _POSITION,
}
STEPS: Final[Mapping[FollowUpAct, tuple[str, int]]] = {
    FollowUpAct.BRIGHTER: ("light", 1),
    FollowUpAct.DARKER: ("light", -1),
    FollowUpAct.WARMER: ("climate", 1),
    FollowUpAct.COOLER: ("climate", -1),
    FollowUpAct.LOUDER: ("media_player", 1),
    FollowUpAct.QUIETER: ("media_player", -1),
    FollowUpAct.MORE: ("", 1),
    FollowUpAct.LESS: ("", -1),
}
"""The domain that each is said of, where it is one, and in which direction."""
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
"""What ends what a device does."""


def stepped(
    hass: HomeAssistant, follow: FollowUpAct, devices: Sequence[Exposed]
) -> Sequence[RepeatedIntent]:
    """Return what makes some devices brighter, louder and so on; nothing if that is unsure."""
    domain, by = STEPS[follow]
    domains = {each.domain for each in devices}
    if len(domains) != 1 or domains.isdisjoint([domain] if domain else _DIALS):
        return ()
    dial = _DIALS[devices[0].domain]
    found: dict[tuple[str, str, float | str], list[Exposed]] = {}
    for entity, state in _states(hass, devices):
        if (value := dial.turned(state, by)) is not None:
            step: tuple[str, str, float | str] = (dial.intent_type, dial.slot, value)
        elif dial is _VOLUME and _is_stepped(state):
            step = ("HassSetVolumeRelative", "volume_step", "up" if by > 0 else "down")
        else:
            return ()
        found.setdefault(step, []).append(entity)
    return [
        RepeatedIntent(intent_type, {slot: value}, each)
        for (intent_type, slot, value), each in found.items()
    ]


def _is_stepped(state: State) -> bool:
    """Return True if a player that does not say how loud it is has buttons for louder and quieter."""
    features = state.attributes.get(ATTR_SUPPORTED_FEATURES, 0)
    return state.state != "off" and bool(features & MediaPlayerEntityFeature.VOLUME_STEP)


def stopped(hass: HomeAssistant, devices: Sequence[Exposed]) -> Sequence[RepeatedIntent]:
    """Return what stops the devices that are running, or on their way."""
    found: dict[str, list[Exposed]] = {}
    for entity, state in _states(hass, devices):
        if ends := _ENDS.get((entity.domain, state.state)):
            found.setdefault(ends, []).append(entity)
    return [RepeatedIntent(ends, {}, each) for ends, each in found.items()]


def devices_of(proposed: TurnRecord, home: Home) -> Sequence[Exposed]:
    """Return the devices that a deed was done to."""
    ids = {each for act in proposed.acts for each in act.targets}
    return [entity for entity in home.entities if entity.entity_id in ids]


def _states(hass: HomeAssistant, devices: Sequence[Exposed]) -> Iterator[tuple[Exposed, State]]:
    for entity in devices:
        if state := hass.states.get(entity.entity_id):
            yield entity, state
