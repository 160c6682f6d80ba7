"""Entailment: whether a call does what a command says, or the opposite: "leave the light on"."""

from collections.abc import Set as AbstractSet
from typing import Final

from homeassistant.helpers import intent

from ..names.matching import words
from .phrase_patterns import patterns_of
from .phrases import phrases_of_form
from .switch_states import GOING, SwitchStates, switch_states
from .tokenizer import Text, TokenSequence

# "Close the front door" is said of its lock, too.
_BOLTED: Final[SwitchStates] = frozenset(("locked", "closed")), frozenset(("unlocked", "open"))
_TURNS = (intent.INTENT_TURN_ON, intent.INTENT_TURN_OFF)


def switched_intent(command: Text, domain: str) -> str:
    """Return whether a command says that a device of a domain is to be on, or off, as an intent.

    Empty where it says neither, or both. The arguments are those of `entails`.
    """
    is_on = entails(command, intent.INTENT_TURN_ON, frozenset((domain,)))
    if is_on is None:
        return ""
    return intent.INTENT_TURN_ON if is_on else intent.INTENT_TURN_OFF


def awning_intent(command: Text) -> str:
    """Return whether a command that is left of an awning's draws it out or in, as an intent."""
    said = command.words
    if said in phrases_of_form(command.code, "draws_out"):
        return intent.INTENT_TURN_ON
    return intent.INTENT_TURN_OFF if said in phrases_of_form(command.code, "draws_in") else ""


def only_locks(command: Text) -> bool:
    """Return True if a command that is left of a lock's says nothing but to lock it: "ferme à clé"."""
    return command.words in phrases_of_form(command.code, "locks")


def entails(
    command: Text, intent_type: str, domains: AbstractSet[str] = frozenset()
) -> bool | None:
    """Return True if the state that a command says is the one that an intent brings about.

    False where it ends it, None where the command says neither of them, or both.

    Args:
        command: the words of the command.
        code: the language's code as `languages` has it.
        intent_type: Home Assistant's intent that would be called.
        domains: those of what it would act upon.
    """
    known = patterns_of(command.code)
    if intent_type not in _TURNS or not known.state_phrases:
        return None
    outwards = phrases_of_form(command.code, "goes_out")
    line = TokenSequence.of(command, known.numbers)
    said = {
        state
        for table in (known.state_phrases, known.event_verbs)
        for state, patterns in table.items()
        for pattern in patterns
        for span in line.find(pattern)
        if not (domains and domains <= GOING and (*words(line.surface(range(*span))),) in outwards)
    }
    pairs = [_states(domain) for domain in domains or ("",)]
    begun = _TURNS.index(intent_type)
    begins = any(said & pair[begun] for pair in pairs)
    ends = any(said & pair[1 - begun] for pair in pairs)
    return begins if begins != ends else None


def _states(domain: str) -> SwitchStates:
    """Return the states that words may say of a domain's devices: turned on, and turned off."""
    return _BOLTED if domain == "lock" else switch_states(domain)
