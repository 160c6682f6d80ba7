"""The time and the polarity: deferred commands, negated commands, and states to keep."""

from collections.abc import Iterator, Sequence
from typing import Final

from ...nlu.anaphora import Anaphora
from ...nlu.clause import Clause, DialogueAct
from ...nlu.state_evaluation import Evidence
from ...nlu.time_resolution import TimeType as When
from ..journal import DirectReply
from .call import ComparedCall
from .divergence import Difference, Divergence
from .lists import ITEM_INTENTS
from .risk import contains_name
from .values import values_of

_CONDITIONS = frozenset((When.IF, When.UNLESS))
_AS_IT_IS: Final = "The user said to leave it as it is"
_NOT_TO: Final = "The user said not to do this"


def compare_rescheduling(call: ComparedCall) -> Difference | None:
    """Change nothing now if the utterance only reschedules a plan.

    Moving a blind to 50 % sets a value, and reschedules nothing.
    """
    clauses = call.clauses
    if not call.acts_on_devices or not clauses or values_of(call.arguments):
        return None
    if not all(each.text.begins("postpones") for each in clauses):
        return None
    told = "The user put off what is planned: nothing is to be done now"
    return Difference(Divergence.RESCHEDULED, told, DirectReply.LATER)


def compare_kept_value(call: ComparedCall) -> Difference | None:
    """A state that the user asked to keep gets no unsaid value, not even for a while."""
    if not values_of(call.arguments) or not call.clauses:
        return None
    if all(each.keeps_state and not each.text.numbers for each in call.clauses):
        return Difference(Divergence.KEPT, _AS_IT_IS, DirectReply.AS_SAID)
    return None


def compare_time(call: ComparedCall) -> Difference | None:
    """Defer a call whose clause names a later time; revert it if the clause names a duration.

    A negated action with an end is for that time: "don't lock it until eleven".
    """
    clauses = call.wanted
    if not call.can_wait:
        return None
    begins = call.clauses[0].invert_until() if len(call.clauses) == 1 else None
    if begins and call.agrees(begins) is not False:
        told = "The user said not to do this yet"
        return Difference(Divergence.LATER, told, DirectReply.LATER, clause=begins)
    if all(each.negated for each in clauses):
        return None
    if call.turn.journal.found_out:
        clauses = [each.without_answer_condition() for each in clauses]
    reply = deferral_reply(clauses, call.utterance.unmet_condition)
    if reply in (DirectReply.UNMET, DirectReply.SHOWN):
        told = "The user named a condition, which is not met"
        return Difference(Divergence.UNMET, told, reply)
    if reply is None:
        return None
    timed = next((each for each in clauses if each.times and not each.negated), None)
    told = "The user named another moment than now, or a condition"
    return Difference(Divergence.LATER, told, reply, clause=timed)


def compare_negation(call: ComparedCall) -> Difference | None:
    """Refuse a call that the user negated."""
    return (
        Difference(Divergence.NEGATED, _NOT_TO, DirectReply.AS_SAID) if _is_denied(call) else None
    )


def _is_denied(call: ComparedCall) -> bool:
    """Return True if the utterance negates a call's action."""
    clauses = call.clauses
    # A tool with unknown effects is not wanted then, either.
    if (
        not call.tool.annotations.read_only
        and clauses
        and all(each.negated and not _ends(each, call) for each in clauses)
        and not _is_taken_up(clauses[-1], call)
    ):
        return True
    if (call.acts_on_devices and call.is_left_out) or _leaves_item(call):
        return True
    denied = [each.command for each in _said_beside(call, after=True) if each.negated]
    # An exclusion without a whole and without names is a negation: "quieter, but not off".
    denied += [
        each.exclusion
        for each in clauses
        if each.exclusion and not call.utterance.link(each.exclusion).is_about_home
    ]
    # "Don't turn it off, dim the lamp"; but not "don't turn it off. Turn off the lamp".
    before = [each.command for each in _said_beside(call, after=False) if each.negated]
    if before and not any(call.is_wanted_by(each.command) for each in clauses):
        denied += before
    return any(map(call.is_wanted_by, denied))


def compare_kept_state(call: ComparedCall) -> Difference | None:
    """A state that the user asked to keep is not changed."""
    clauses = [each for each in call.wanted if not each.negated]
    later = (each for each in _said_beside(call, after=True) if not each.negated)
    if (clauses and all(_ends(each, call) for each in clauses)) or any(
        _ends(each, call) for each in later
    ):
        return Difference(Divergence.KEPT, _AS_IT_IS, DirectReply.AS_SAID)
    return None


def deferral_reply(clauses: Sequence[Clause], unmet: Evidence | None) -> DirectReply | None:
    """Return the reply to the user for a command that is not for now; None if it is.

    `unmet` is the actual state in place of an unmet condition.
    """
    moments = [each for clause in clauses for each in clause.times]
    if unmet and any(each.is_met is False for each in moments):
        return DirectReply.SHOWN if unmet.name else DirectReply.UNMET
    kinds = {each.type for each in moments}
    if kinds & _CONDITIONS:
        return DirectReply.CONDITION
    return DirectReply.LATER if kinds else None


def _ends(clause: Clause, call: ComparedCall) -> bool:
    """Return True if the call ends a state that the user asked to keep: "leave it on".

    A statement, such as "I left it on", does not count.
    """
    is_said = clause.keeps_state and clause.act is not DialogueAct.STATEMENT
    return is_said and call.agrees(clause) is False


def _leaves_item(call: ComparedCall) -> bool:
    """Return True if an item of a list is excluded by name: "everything but the milk"."""
    item = str(call.arguments.get("item") or "")
    clauses = call.utterance.parsed.clauses
    return call.intent_type in ITEM_INTENTS and any(
        contains_name(each.exclusion, item, whole=True) for each in clauses
    )


def _said_beside(call: ComparedCall, *, after: bool) -> Iterator[Clause]:
    """Yield the clauses after or before a call's own, for now, that name nothing else.

    "Turn the radio down, but not off", "turn it off. Oh no, leave it on".
    """
    clauses = call.utterance.parsed.clauses
    own = [*call.clauses]
    if not call.targets or not clauses or call.clause or own == [*clauses]:
        return
    first = min(clauses.index(each) for each in own)
    for each in clauses[first + 1 :] if after else clauses[:first]:
        if each not in own and each.is_immediate and not call.says_where(each):
            yield each


def _is_taken_up(clause: Clause, call: ComparedCall) -> bool:
    """Return True if the next clause requests the call: "we don't need it, turn it off".

    After the name of another device it is not the same: "not the lamp, I meant the fan, turn it
    off".
    """
    clauses = call.utterance.parsed.clauses
    later = clauses[clauses.index(clause) + 1 :] if clause in clauses else ()
    for each in later:
        if Anaphora.of(each.text).refers_back:
            if each.act is DialogueAct.COMMAND and not each.negated and call.agrees(each):
                return True
        elif call.is_of_others(each):
            return False
    return False
