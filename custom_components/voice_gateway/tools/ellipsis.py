"""What a sentence adds to the user's command before it, or to what plays: "the pond pump too", "quieter".

By itself it is no command that covers a call, after others' texts were read.
"""

from collections.abc import Sequence
from typing import Any, Final

from homeassistant.components.media_player import DOMAIN as MEDIA_PLAYER
from homeassistant.const import STATE_PLAYING

from ..home.exposed import Exposed
from ..nlu.clause import Clause, DialogueAct
from ..nlu.disambiguation import pick_candidates
from ..nlu.follow_ups import FollowUpAct, FollowUpParser
from ..nlu.numerals import parse_numbers
from ..nlu.requests import SEARCH
from .access_policy import opened_targets
from .proposed_call import ComparedCall
from .value_policy import values_of, without_values

_VOLUME: Final = "HassSetVolumeRelative"
_LEVEL: Final = "HassSetVolume"
_PAUSE: Final = "HassMediaPause"
_TRANSPORT: Final = frozenset(("HassMediaNext", "HassMediaPause", "HassMediaPrevious"))
_STEPS: Final = {"up": 1, "down": -1}


def completes(call: ComparedCall) -> bool:
    """Return True if a sentence only says with what the command before it is to be done: "the left one"."""
    before = _command_before(call)
    if before is None or not all(each.is_plain for each in call.utterance.parsed.clauses):
        return False
    is_same = before.predicate.agrees(call.intent_type, call.domains)
    return bool(is_same) and {*_which(call)}.issuperset(call.targets)


def sets_what_was_turned_on(call: ComparedCall) -> bool:
    """Return True if a sentence only says how much of what the command before it did: "to sixty percent"."""
    before, text = _command_before(call), call.utterance.text
    if before is None or not values_of(call.arguments):
        return False
    left, known = without_values(text, call.arguments), text.patterns
    empty = known.single_words("percent") | known.single_words("degrees") | text.function_words
    # "A bit less bright, say forty".
    steps = known.words_of("stumbles", "polite", *(f"steps.{each}" for each in known.steps))
    if left == text or not {*left.words} <= empty | steps:
        return False
    meant = call.utterance.link(call.utterance.context.before)
    return [*meant.resolve(call.targets)] == [*call.targets]


def _command_before(call: ComparedCall) -> Clause | None:
    """Return the command right before a sentence that may go on with it, for a call that opens no door."""
    utterance = call.utterance
    if utterance.asks or not call.targets or opened_targets(call):
        return None
    return utterance.context.command


def steers_what_plays(call: ComparedCall) -> bool:
    """Return True if a call is for the only thing that plays, and what was said of nothing else.

    "A bit quieter", "next one, please".
    """
    utterance = call.utterance
    if not (call.targets and _is_steered(call)):
        return False
    playing = [each for each in utterance.home.entities if _plays(each, call)]
    here = [each for each in playing if utterance.area_id and each.area == utterance.area_id]
    return [*call.targets] == (here or playing)


def _is_steered(call: ComparedCall) -> bool:
    """Return True if a call makes louder or quieter, pauses, or goes on to another title, as was said."""
    utterance, intent_type = call.utterance, call.intent_type
    if intent_type == _VOLUME:
        follow_up = FollowUpParser(utterance.text).parse()
        wanted = follow_up.quantity if follow_up else None
        step = _step(call.arguments.get("volume_step"))
        return wanted is not None and wanted.name in ("", "volume") and wanted.way == step
    if utterance.link(utterance.text).has_mention:
        return False
    read_as = utterance.intent_match.intent_type if utterance.intent_match else ""
    if intent_type == _LEVEL:
        # "Volume fifteen" is taken for a step.
        return read_as in (_LEVEL, _VOLUME) and _says_level(call)
    if intent_type == _PAUSE and _says_pause(call):
        return True
    return intent_type in _TRANSPORT and read_as == intent_type


def _says_level(call: ComparedCall) -> bool:
    """Return True if the only number that was said is how loud it is to be."""
    return parse_numbers(call.utterance.text) == {call.arguments.get("volume_level")}


def _says_pause(call: ComparedCall) -> bool:
    """Return True if a pause is all that a command says, and nothing that Home Assistant knows otherwise.

    It takes "mets en pause" for a title that is to be played.
    """
    utterance = call.utterance
    if utterance.exact_command and utterance.exact_command.intent_type not in (_PAUSE, SEARCH):
        return False
    match utterance.parsed.clauses:
        case [Clause(act=DialogueAct.COMMAND) as only] if only.is_plain:
            return only.predicate.states() == {"paused"}
    return False


def _which(call: ComparedCall) -> Sequence[Exposed]:
    """Return the devices that a sentence names, where it says nothing else."""
    utterance = call.utterance
    wanted = FollowUpParser(utterance.text).parse()
    if wanted is None:
        before = utterance.link(utterance.context.before)
        possible = [each for each in before.home.entities if each.domain in call.domains]
        possible = [each for each in possible if before.has_mention and before.is_candidate(each)]
        return pick_candidates(utterance.link(utterance.text), possible)
    if wanted.act is not FollowUpAct.ALSO or not wanted.which:
        return ()
    said = utterance.link(wanted.which)
    return said.resolve(said.home.entities) if said.only_mentions else ()


def _step(step: Any) -> int:
    """Return which way a step of the volume goes, a word or so much of it: 1, -1, or 0 where unknown."""
    if isinstance(step, int | float):
        return 1 if step > 0 else -1
    return _STEPS.get(str(step), 0)


def _plays(entity: Exposed, call: ComparedCall) -> bool:
    state = call.hass.states.get(entity.entity_id)
    return entity.domain == MEDIA_PLAYER and state is not None and state.state == STATE_PLAYING
