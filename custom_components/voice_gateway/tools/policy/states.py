"""The predicate: the state in the utterance, against a call's effect."""

from typing import Final

from homeassistant.components.cover import DOMAIN as COVER
from homeassistant.components.lock import DOMAIN as LOCK
from homeassistant.helpers import intent, llm

from ...json_schema import Json
from ...names.matching import words
from ...nlu.clause import DialogueAct
from ...nlu.home_assistant import unlinked
from ...nlu.numerals import Quantity
from ..inverse_intents import BEGINS, PERCENT, equivalent_intent, inverse_of, is_inverse
from ..journal import Outcome
from .call import ComparedCall
from .divergence import Difference, Divergence, listed

_OPPOSITE = "The user asked for the opposite"
_SEVERAL: Final = 2
_ANYTHING = frozenset(("automation", "button", "input_button", "scene"))
_SWITCHES = frozenset(("input_boolean", "switch"))
_STEPPED_OPPOSITES = {intent.INTENT_TURN_OFF: 1, intent.INTENT_TURN_ON: -1}
"""The direction of a step that a call contradicts."""
_BARRED: Final = frozenset((COVER, LOCK))
"""Domains that are opened and closed, and neither on nor off."""
_SWITCHED: Final = frozenset(("on", "off"))
_MOVED: Final = {
    intent.INTENT_TURN_ON: frozenset(("open", "locked")),
    intent.INTENT_TURN_OFF: frozenset(("closed", "unlocked")),
}
"""The states of these domains after turning on, and off."""
_SOUND: Final = {"muted": "HassMediaPlayerMute", "unmuted": "HassMediaPlayerUnmute"}
_WARMTH: Final = "HassClimateSetTemperature"


def compare_opposite(call: ComparedCall) -> Difference | None:
    """Refuse the opposite of Home Assistant's reading, or else of the predicate."""
    understood, wanted = call.utterance.exact_command, ""
    if not isinstance(call.tool, llm.IntentTool):
        return None
    if understood and is_inverse(call.intent_type, call.arguments, understood.intent_type):
        wanted = understood.intent_type
    elif _is_opposite(intent_type := _done(call), call):
        wanted = inverse_of(intent_type)
    else:
        return None
    return Difference(Divergence.OPPOSITE, call.work_of(wanted, _OPPOSITE))


def _done(call: ComparedCall) -> str:
    """Return the intent of a call: setting a cover to 100 % opens it, if no number was said."""
    is_numeric = any(map(str.isdigit, call.text))
    return (not is_numeric and equivalent_intent(call.arguments)) or call.intent_type


def _is_opposite(intent_type: str, call: ComparedCall) -> bool:
    """Return True if commands say the opposite of an intent. Negated commands do not count."""
    understood, clauses = call.resolved, call.clauses
    is_read = understood is not None and understood.reading.intent_type == call.intent_type
    if not call.targets or is_read or not clauses or any(each.negated for each in clauses):
        return False
    # "Grandma wrote which lights are on, switch those off": her text is no command.
    is_order = len(call.utterance.parsed.clauses) == 1 and call.is_command
    is_order |= all(each.act is DialogueAct.COMMAND for each in clauses)
    if not (is_order or call.predicate.is_first):
        return False
    if call.predicate.opposes(intent_type, call.targets):
        return True
    if intent_type not in _STEPPED_OPPOSITES:
        return False
    # "Dreh die Heizung auf" may turn it on, and certainly not off.
    quantity = Quantity.of(unlinked(call.reference, call.targets))
    return quantity is not None and quantity.way == _STEPPED_OPPOSITES[intent_type]


def compare_switching(call: ComparedCall) -> Difference | None:
    """Turning everything off neither closes the blinds nor unlocks the doors."""
    barred = [each for each in call.targets if each.domain in _BARRED]
    if call.intent_type not in _MOVED or not call.is_command or not barred:
        return None
    said = call.reference
    # "Oben" is a place there, and no open blind.
    states = said.predicate.states(said.place_words)
    if not states & _SWITCHED or states & _MOVED[call.intent_type]:
        return None
    left = [
        each for each in barred if each not in said.named and not said.mentions_category_of(each)
    ]
    others = [each for each in call.targets if each not in left]
    if not left or len(barred) == len(call.targets):
        return None
    return Difference(Divergence.NOT_SWITCHED, targets=others)


def compare_sound_and_warmth(call: ComparedCall) -> Difference | None:
    """A command about sound only, or about a temperature, turns nothing on or off."""
    if call.intent_type not in _MOVED:
        return None
    states = call.predicate.states(call.target_names)
    sound = _SOUND.keys() & states
    # "Turn it off instead of muting it" contains both.
    if len(sound) == 1 and not states & _SWITCHED:
        told = call.work_of(_SOUND[sound.pop()], "The user spoke of the sound")
    elif _says_how_warm(call):
        told = call.work_of(_WARMTH, "The user said how warm")
    else:
        return None
    return Difference(Divergence.OTHER_STATE, told)


def _says_how_warm(call: ComparedCall) -> bool:
    """Return True if a temperature is for a place, and a call for all kinds of devices there."""
    is_named = not intent.is_blank_slot_value(call.arguments.get("name"))
    if len(call.target_domains) < _SEVERAL or is_named:
        return False
    degrees = {word for each in call.text.language.degrees for word in words(each)}
    return "°" in call.utterance.text or not degrees.isdisjoint(call.text.words)


def compare_work(call: ComparedCall) -> Difference | None:
    """A verb such as cleaning or mowing selects the devices for that work: no music.

    The effects of buttons and scenes are unknown; so are those of switches, if no other device
    does the work.
    """
    clauses = [
        call.utterance.link(each.command or each.text) for each in call.utterance.parsed.clauses
    ]
    if (
        not call.acts_on_devices
        or not call.targets
        or not all(each.sense_domains for each in clauses)
    ):
        return None
    doers = {domain for said in clauses for domain in said.sense_domains}
    is_there = bool(doers & call.utterance.home.domains)
    free = _ANYTHING if is_there else _ANYTHING | _SWITCHES
    if all(
        entity.domain in free or any(said.fits_sense(entity) for said in clauses)
        for entity in call.targets
    ):
        return None
    find = call.turn.manager.for_intent
    tools = (find(BEGINS[each]) for each in sorted(doers) if each in BEGINS)
    told = ", ".join(tool.name for tool in tools if tool)
    work = f"That is no work for {listed(call.targets)}, but for a {' or '.join(sorted(doers))}"
    return Difference(Divergence.OTHER_WORK, f"{work}: call {told}" if told and is_there else work)


def compare_journal(call: ComparedCall) -> Difference | None:
    """A call that the model writes as text does not revert an earlier call of the turn."""
    if not (call.is_written and isinstance(call.tool, llm.IntentTool)):
        return None
    for before in call.turn.journal.entries:
        if (
            isinstance(before.tool, llm.IntentTool)
            and before.outcome not in (Outcome.REFUSED, Outcome.FAILED)
            and _acts_alike(before.arguments, call.arguments)
            and is_inverse(call.tool.intent_type, call.arguments, before.tool.intent_type)
        ):
            told = f"You called the opposite before: {before.tool.name}"
            return Difference(Divergence.UNDONE, told)
    return None


def _acts_alike(arguments: Json, others: Json) -> bool:
    """Return True if two calls have the same target: all arguments but the value."""

    def what(said: Json) -> dict[str, object]:
        return {slot: value for slot, value in said.items() if value and slot not in PERCENT}

    return what(arguments) == what(others)
