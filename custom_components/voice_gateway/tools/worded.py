"""Rules on what a command's words can be said of: no blind is off, and a TV that is muted is on."""

from typing import Final

from homeassistant.components.cover import DOMAIN as COVER
from homeassistant.components.lock import DOMAIN as LOCK
from homeassistant.helpers import intent, llm

from ..heard.contrary import states_brought
from ..heard.said import commands
from ..json_schema import Json
from ..languages import language_of
from ..names.matching import words
from .deed import Deed, Only, Refused, Turn
from .targets import is_command

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


def not_switched(deed: Deed, turn: Turn) -> Only | None:
    """Who turns everything off neither closes the blinds nor unlocks the doors."""
    barred = [each for each in deed.targets if each.domain in _BARRED]
    if not _turns(deed) or not barred or len(barred) == len(deed.targets) or not is_command(turn):
        return None
    said = turn.heard.meant(commands(turn.clauses(deed)))
    # "Oben" is a place there, and no open blind.
    states = states_brought(said.text, said.code, said.place_words)
    assert isinstance(deed.tool, llm.IntentTool)
    if not states & _SWITCHED or states & _MOVED[deed.tool.intent_type]:
        return None
    left = [each for each in barred if each not in said.named and not said.says_kind_of(each)]
    return Only([each for each in deed.targets if each not in left]) if left else None


def muted(deed: Deed, turn: Turn) -> Refused | None:
    """Where only the sound is said to be off, or on again, nothing is turned so: no player, no light."""
    if not _turns(deed):
        return None
    code = language_of(turn.heard.language).code
    names = [name for each in deed.targets for name in each.names]
    states = states_brought(commands(turn.clauses(deed)), code, names)
    found = _SOUND.keys() & states
    # "Turn it off instead of muting it" says both.
    if len(found) != 1 or states & _SWITCHED:
        return None
    return turn.refused_for(_SOUND[found.pop()], "The user spoke of the sound")


def degrees(deed: Deed, turn: Turn) -> Refused | None:
    """Of a place that is to be so warm, no lights, blinds and all else are turned on."""
    domains = {each.domain for each in deed.targets}
    if not _turns(deed) or len(domains) < 2 or _name(deed.arguments):
        return None
    language = language_of(turn.heard.language)
    said = words(commands(turn.clauses(deed)))
    of_degrees = {word for each in language.degrees for word in words(each)}
    if of_degrees.isdisjoint(said) and "°" not in turn.heard.text:
        return None
    return turn.refused_for(_WARMTH, "The user said how warm")


def _turns(deed: Deed) -> bool:
    return isinstance(deed.tool, llm.IntentTool) and deed.tool.intent_type in _MOVED


def _name(arguments: Json) -> bool:
    return not intent.is_blank_slot_value(arguments.get("name"))
