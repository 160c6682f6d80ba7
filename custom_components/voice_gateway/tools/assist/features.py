"""Features that devices lack, and the calls that a model could make instead."""

from collections.abc import Mapping
from dataclasses import dataclass

from homeassistant.components.cover import CoverEntityFeature
from homeassistant.components.vacuum import VacuumEntityFeature
from homeassistant.components.vacuum.intent import INTENT_VACUUM_CLEAN_AREA
from homeassistant.components.valve import ValveEntityFeature
from homeassistant.const import ATTR_SUPPORTED_FEATURES
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent

from ...home.exposed import Home
from ...json_schema import Json
from .call_errors import Refusal, WrongTool


@dataclass(frozen=True, slots=True)
class _Need:
    """The feature that an intent needs, by domain, and the error text if it is missing."""

    features: Mapping[str, int]
    lacking: str


# Home Assistant learns only from the device's service that it supports none of these.
_MOVES = {
    intent.INTENT_SET_POSITION: _Need(
        {"cover": CoverEntityFeature.SET_POSITION, "valve": ValveEntityFeature.SET_POSITION},
        "has no positions",
    ),
    intent.INTENT_STOP_MOVING: _Need(
        {"cover": CoverEntityFeature.STOP, "valve": ValveEntityFeature.STOP},
        "cannot be stopped halfway",
    ),
}
# Home Assistant offers these where a device of the domain exists. Other abilities change with the
# device's state, and with them the prompt: those calls are left to Home Assistant to refuse.
_FOR_FEW: Mapping[str, Mapping[str, int]] = {
    INTENT_VACUUM_CLEAN_AREA: {"vacuum": VacuumEntityFeature.CLEAN_AREA},
}


def is_possible(hass: HomeAssistant, intent_type: str, home: Home) -> bool:
    """Return True if some device of a home may support an intent."""
    if (features := _FOR_FEW.get(intent_type)) is None:
        return True
    return any(
        state.attributes.get(ATTR_SUPPORTED_FEATURES, 0) & features[each.domain]
        for each in home.entities
        if each.domain in features and (state := hass.states.get(each.entity_id))
    )


def only_opens_and_closes(
    hass: HomeAssistant, intent_type: str, arguments: Json, home: Home
) -> Refusal | None:
    """Return the tools for the only possible target if it opens and closes, but has no position.

    The model chooses between the two: small ones take 100 for closed.
    """
    if (need := _MOVES.get(intent_type)) is None:
        return None
    match home.called(str(arguments.get("name"))):
        case [only] if only.domain in need.features and (state := hass.states.get(only.entity_id)):
            features = state.attributes.get(ATTR_SUPPORTED_FEATURES, 0)
            if not features & need.features[only.domain]:
                return Refusal(
                    f"{only.names[0]} {need.lacking}. HassTurnOn opens it, HassTurnOff closes it."
                )
    return None


def unmatched(err: intent.MatchFailedError, home: Home) -> Refusal | None:
    """Return the error for devices that exist: the feature is missing, or several match."""
    match err.result.no_match_reason:
        case intent.MatchFailedReason.FEATURE:
            what = err.constraints.name or "What is there"
            domain = next(iter(err.constraints.domains or ()), "")
            return WrongTool(f"{what} cannot do that.", domain)
        case intent.MatchFailedReason.MULTIPLE_TARGETS:
            found = {state.entity_id for state in err.result.states}
            fitting = [each for each in home.entities if each.entity_id in found]
            names = ", ".join(each.names[0] for each in fitting)
            return Refusal(f"Say which one is meant, by name: {names}", fitting, is_any=True)
    return None
