"""Predicates: the states that a command brings about, and whether they contradict a call."""

from collections.abc import Collection, Iterator, Mapping
from typing import Final

from homeassistant.helpers import intent

from ..names.matching import words
from .access_predicates import access_direction
from .phrase_patterns import PhrasePatterns, patterns_of
from .phrases import phrases_of_form
from .switch_states import GOING, PLAYS, WORKS, SwitchStates, switch_states
from .tokenizer import Text, TokenSequence
from .verb_senses import find_verb_sense, own_tokens

_BEGINS: Final[Mapping[str, SwitchStates]] = {
    "HassLawnMowerStartMowing": WORKS,
    "HassMediaPlayerMute": (frozenset(("muted",)), frozenset(("unmuted",))),
    # "Stop the music on the radio".
    "HassMediaUnpause": (frozenset(("playing",)), PLAYS[1]),
    "HassVacuumStart": WORKS,
}
_ENDS: Final = {
    intent.INTENT_TURN_OFF: intent.INTENT_TURN_ON,
    "HassLawnMowerDock": "HassLawnMowerStartMowing",
    "HassMediaPause": "HassMediaUnpause",
    "HassMediaPlayerUnmute": "HassMediaPlayerMute",
    "HassVacuumReturnToBase": "HassVacuumStart",
}
_BARRED: Final = frozenset(("cover", "lock"))
"""What is opened and closed in words of its own, besides those of other devices."""


def contradicts(command: Text, intent_type: str, domain: str, names: Collection[str] = ()) -> bool:
    """Return True if a command says the opposite of what an intent does to a device, and not that.

    Args:
        command: the words of the command.
        code: the language's code as `languages` has it; of one without such words it says nothing.
        intent_type: Home Assistant's intent that would be called.
        domain: the device's.
        names: what the device is called, of which no word says what is to be done.
    """
    known = patterns_of(command.code)
    begins = _ENDS.get(intent_type, intent_type)
    if begins == intent.INTENT_TURN_ON:
        sides = switch_states(domain)
    elif begins in _BEGINS:
        sides = _BEGINS[begins]
    else:
        return False
    if not known.causative_verbs:
        return False
    wanted, other = sides if begins == intent_type else sides[::-1]
    said = {
        state
        for state, places in _brought(command, known, names)
        if domain not in GOING or not _goes_out(command, places)
    }
    said.update(_worded(command, domain))
    return bool(said & other) and not said & wanted


def desired_states(command: Text, names: Collection[str] = ()) -> frozenset[str]:
    """Return the states that a command's words bring about; those of `names` say none."""
    known = patterns_of(command.code)
    return frozenset(state for state, _ in _brought(command, known, names))


def sole_desired_state(command: Text) -> str:
    """Return the one state that all words of a command bring about; empty where some say more.

    It is a command without the device that it is for: "send back to base".
    """
    found = [*_brought(command, patterns_of(command.code))]
    empty = command.language.function_words
    left = {place for place, each in enumerate(command.tokens) if each.text not in empty}
    states = {state for state, _ in found}
    if len(states) != 1 or not left <= frozenset[int]().union(*(places for _, places in found)):
        return ""
    return states.pop()


def _goes_out(command: Text, places: frozenset[int]) -> bool:
    """Return True if some of a command's words only say that something leaves its dock."""
    return tuple(command.tokens[place].text for place in sorted(places)) in phrases_of_form(
        command.code, "goes_out"
    )


def begins_with_state_verb(command: Text) -> bool:
    """Return True if a text begins with what brings something about: "unbolt the door"."""
    return any(0 in found for _, found in _brought(command, patterns_of(command.code)))


def mentions_state(command: Text) -> bool:
    """Return True if a word of a command says what is to become of something: "off", "open", "locked"."""
    return any(True for _ in _brought(command, patterns_of(command.code)))


def _brought(
    command: Text, known: PhrasePatterns, names: Collection[str] = ()
) -> Iterator[tuple[str, frozenset[int]]]:
    """Yield the states that a command's words say, and the places of these words.

    Each word says one, if not by what it shows besides; and those of the names alone say none.
    """
    line = TokenSequence.of(command)
    own = {word for name in names for word in words(name)}
    idle = {place for place, each in enumerate(line.tokens) if own.issuperset(words(each.text))}
    told: set[int] = set()
    for table in (known.causative_verbs, known.state_phrases):
        for state, patterns in table.items():
            spans = [span for pattern in patterns for span in own_tokens(line, pattern)]
            found = [span for span in spans if not span <= idle and told.isdisjoint(span)]
            if found:
                yield state, frozenset[int]().union(*found)
            if table is known.causative_verbs:
                told.update(*found)


def _worded(command: Text, domain: str) -> Iterator[str]:
    """Yield what a command says by words that are of some devices alone, or by its first one."""
    if any(command.words[: len(stop)] == stop for stop in phrases_of_form(command.code, "stops")):
        yield from ("off", "paused")
    elif domain in find_verb_sense(command).domains:
        yield "on"
    is_opened = access_direction(command) if domain in _BARRED else None
    if is_opened is not None:
        yield from ("open", "unlocked") if is_opened else ("closed", "locked")
