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
from .proposed_call import PolicyContext, ProposedCall
from .value_policy import values_of, without_values

_VOLUME: Final = "HassSetVolumeRelative"
_LEVEL: Final = "HassSetVolume"
_PAUSE: Final = "HassMediaPause"
_TRANSPORT: Final = frozenset(("HassMediaNext", "HassMediaPause", "HassMediaPrevious"))
_STEPS: Final = {"up": 1, "down": -1}


def completes(proposed: ProposedCall, turn: PolicyContext) -> bool:
    """Return True if a sentence only says with what the command before it is to be done: "the left one"."""
    before = _command_before(proposed, turn)
    if before is None or not all(each.is_plain for each in turn.utterance.parsed.clauses):
        return False
    is_same = before.predicate.agrees(proposed.intent_type, proposed.domains)
    return bool(is_same) and {*_which(proposed, turn)}.issuperset(proposed.targets)


def sets_what_was_turned_on(proposed: ProposedCall, turn: PolicyContext) -> bool:
    """Return True if a sentence only says how much of what the command before it did: "to sixty percent"."""
    before, text = _command_before(proposed, turn), turn.utterance.text
    if before is None or not values_of(proposed.arguments):
        return False
    left, known = without_values(text, proposed.arguments), text.patterns
    empty = known.single_words("percent") | known.single_words("degrees") | text.function_words
    # "A bit less bright, say forty".
    steps = known.words_of("stumbles", "polite", *(f"steps.{each}" for each in known.steps))
    if left == text or not {*left.words} <= empty | steps:
        return False
    meant = turn.utterance.link(turn.utterance.context.before)
    return [*meant.resolve(proposed.targets)] == [*proposed.targets]


def _command_before(proposed: ProposedCall, turn: PolicyContext) -> Clause | None:
    """Return the command right before a sentence that may go on with it, for a call that opens no door."""
    utterance = turn.utterance
    if utterance.asks or not proposed.targets or opened_targets(proposed):
        return None
    return utterance.context.command


def steers_what_plays(proposed: ProposedCall, turn: PolicyContext) -> bool:
    """Return True if a call is for the only thing that plays, and what was said of nothing else.

    "A bit quieter", "next one, please".
    """
    utterance = turn.utterance
    if not (proposed.targets and _is_steered(proposed, turn)):
        return False
    playing = [each for each in utterance.home.entities if _plays(each, turn)]
    here = [each for each in playing if utterance.area_id and each.area == utterance.area_id]
    return [*proposed.targets] == (here or playing)


def _is_steered(proposed: ProposedCall, turn: PolicyContext) -> bool:
    """Return True if a call makes louder or quieter, pauses, or goes on to another title, as was said."""
    utterance, intent_type = turn.utterance, proposed.intent_type
    if intent_type == _VOLUME:
        follow_up = FollowUpParser(utterance.text).parse()
        wanted = follow_up.quantity if follow_up else None
        step = _step(proposed.arguments.get("volume_step"))
        return wanted is not None and wanted.name in ("", "volume") and wanted.way == step
    if utterance.link(utterance.text).has_mention:
        return False
    read_as = utterance.intent_match.intent_type if utterance.intent_match else ""
    if intent_type == _LEVEL:
        # "Volume fifteen" is taken for a step.
        return read_as in (_LEVEL, _VOLUME) and _says_level(proposed, turn)
    if intent_type == _PAUSE and _says_pause(turn):
        return True
    return intent_type in _TRANSPORT and read_as == intent_type


def _says_level(proposed: ProposedCall, turn: PolicyContext) -> bool:
    """Return True if the only number that was said is how loud it is to be."""
    return parse_numbers(turn.utterance.text) == {proposed.arguments.get("volume_level")}


def _says_pause(turn: PolicyContext) -> bool:
    """Return True if a pause is all that a command says, and nothing that Home Assistant knows otherwise.

    It takes "mets en pause" for a title that is to be played.
    """
    utterance = turn.utterance
    if utterance.exact_command and utterance.exact_command.intent_type not in (_PAUSE, SEARCH):
        return False
    match utterance.parsed.clauses:
        case [Clause(act=DialogueAct.COMMAND) as only] if only.is_plain:
            return only.predicate.states() == {"paused"}
    return False


def _which(proposed: ProposedCall, turn: PolicyContext) -> Sequence[Exposed]:
    """Return the devices that a sentence names, where it says nothing else."""
    utterance = turn.utterance
    wanted = FollowUpParser(utterance.text).parse()
    if wanted is None:
        before = utterance.link(utterance.context.before)
        possible = [each for each in before.home.entities if each.domain in proposed.domains]
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


def _plays(entity: Exposed, turn: PolicyContext) -> bool:
    state = turn.hass.states.get(entity.entity_id)
    return entity.domain == MEDIA_PLAYER and state is not None and state.state == STATE_PLAYING
