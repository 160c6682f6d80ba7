"""Rules on what a command's words can be said of: no blind is off, and a TV that is muted is on."""

from typing import Final

from homeassistant.components.cover import DOMAIN as COVER
from homeassistant.components.lock import DOMAIN as LOCK
from homeassistant.helpers import intent, llm

from ..json_schema import Json
from ..languages import language_of
from ..names.matching import words
from .decisions import Narrow, Refuse
from .proposed_call import ComparedCall

_BARRED: Final = frozenset((COVER, LOCK))
"""What is opened and closed, and neither on nor off."""
_SWITCHED: Final = frozenset(("on", "off"))
_MOVED: Final = {
    intent.INTENT_TURN_ON: frozenset(("open", "locked")),
    intent.INTENT_TURN_OFF: frozenset(("closed", "unlocked")),
}
"""What is said of these by who turns them on, and off."""
_SOUND: Final = {"muted": "HassMediaPlayerMute", "unmuted": "HassMediaPlayerUnmute"}
_WARMTH: Final = "HassClimateSetTemperature"


def refuse_not_switchable(call: ComparedCall) -> Narrow | None:
    """Who turns everything off neither closes the blinds nor unlocks the doors."""
    barred = [each for each in call.targets if each.domain in _BARRED]
    if not _turns(call) or not barred or len(barred) == len(call.targets) or not call.is_command:
        return None
    said = call.reference
    # "Oben" is a place there, and no open blind.
    states = said.predicate.states(said.place_words)
    assert isinstance(call.tool, llm.IntentTool)
    if not states & _SWITCHED or states & _MOVED[call.tool.intent_type]:
        return None
    left = [
        each for each in barred if each not in said.named and not said.mentions_category_of(each)
    ]
    return Narrow([each for each in call.targets if each not in left]) if left else None


def refuse_switch_for_mute(call: ComparedCall) -> Refuse | None:
    """Where only the sound is said to be off, or on again, nothing is turned so: no player, no light."""
    if not _turns(call):
        return None
    names = [name for each in call.targets for name in each.names]
    states = call.predicate.states(names)
    found = _SOUND.keys() & states
    # "Turn it off instead of muting it" says both.
    if len(found) != 1 or states & _SWITCHED:
        return None
    return call.refused_for(_SOUND[found.pop()], "The user spoke of the sound")


def refuse_non_climate(call: ComparedCall) -> Refuse | None:
    """Of a place that is to be so warm, no lights, blinds and all else are turned on."""
    domains = {each.domain for each in call.targets}
    if not _turns(call) or len(domains) < 2 or _name(call.arguments):
        return None
    language = language_of(call.utterance.language)
    said = words(call.text)
    of_degrees = {word for each in language.degrees for word in words(each)}
    if of_degrees.isdisjoint(said) and "°" not in call.utterance.text:
        return None
    return call.refused_for(_WARMTH, "The user said how warm")


def _turns(call: ComparedCall) -> bool:
    return isinstance(call.tool, llm.IntentTool) and call.tool.intent_type in _MOVED


def _name(arguments: Json) -> bool:
    return not intent.is_blank_slot_value(arguments.get("name"))
