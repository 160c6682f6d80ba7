"""The policy: one comparison of a call with the utterance, and one table, for every caller.

Each comparison checks one field of the utterance (dialogue act, time, polarity, predicate,
quantity, theme, provenance, risk) and finds at most one difference. `DECISIONS` has the verdict on
it. The first that refuses, defers or replaces decides; a narrowed call is narrowed for those after
it.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Final

from .access import compare_access
from .acts import (
    DECLINED,
    compare_act,
    compare_content,
    compare_known,
    compare_parsing,
    compare_reply,
    compare_request,
)
from .antecedents import compare_answer, refers_to_answer
from .call import ComparedCall
from .coverage import compare_coverage, is_agreed
from .decisions import Ask, Decision, Defer, Narrow, Refuse
from .divergence import Difference, Provenance, Verdict, verdict_on
from .egress import compare_recipients, compare_sent_words
from .lists import compare_list
from .risk import compare_risk
from .routines import compare_leading, compare_run_beside, compare_script
from .states import (
    compare_journal,
    compare_opposite,
    compare_sound_and_warmth,
    compare_switching,
    compare_work,
)
from .targets import compare_exclusion, compare_mentions, compare_resolved, compare_untargeted
from .timing import (
    compare_kept_state,
    compare_kept_value,
    compare_negation,
    compare_rescheduling,
    compare_time,
)
from .values import compare_ability, compare_unsaid_value, compare_value, is_of_a_part

type Comparison = Callable[[ComparedCall], Difference | None]
"""Finds a difference in one field; None if there is none."""
type Step = tuple[Difference, Verdict, ComparedCall]
"""A difference, the verdict on it, and the remaining call."""

COMPARISONS: Final[tuple[Comparison, ...]] = (
    compare_act,
    compare_reply,
    compare_content,
    compare_request,
    compare_known,
    compare_parsing,
    compare_rescheduling,
    compare_kept_value,
    compare_time,
    compare_negation,
    compare_kept_state,
    compare_resolved,
    compare_switching,
    compare_opposite,
    compare_sound_and_warmth,
    compare_journal,
    compare_unsaid_value,
    compare_value,
    compare_ability,
    compare_list,
    compare_untargeted,
    compare_access,
    compare_run_beside,
    compare_leading,
    compare_script,
    compare_exclusion,
    compare_work,
    compare_answer,
    compare_mentions,
)
AFTER_READING: Final[tuple[Comparison, ...]] = (
    compare_coverage,
    compare_sent_words,
    compare_recipients,
)
"""Without third-party text, their differences are allowed."""


def divergences(call: ComparedCall) -> Iterator[Step]:
    """Yield a call's differences from the utterance, each with its verdict and the call after it.

    A narrowed call is compared further; after a decision there are no more differences.
    """
    reading = AFTER_READING if call.provenance is not Provenance.OWN else ()
    for compare in chain(COMPARISONS, reading, (compare_risk,)):
        if (found := compare(call)) is None:
            continue
        verdict = verdict_on(found.kind, call.provenance)
        if verdict is Verdict.NARROW and not found.targets:
            verdict = Verdict.REFUSE
        if verdict is Verdict.NARROW:
            leaves = found.leaves_scripts or call.leaves_scripts
            call = replace(call, targets=found.targets, leaves_scripts=leaves)
        yield found, verdict, call
        if verdict in (Verdict.REPLACE, Verdict.DEFER, Verdict.REFUSE):
            return


def decide(whole: ComparedCall) -> Decision:
    """Return the decision about a call; None if it may be made as it is."""
    call = whole
    asked: Ask | None = None
    for found, verdict, call in divergences(whole):
        match verdict:
            case Verdict.REPLACE if found.meant:
                return found.meant
            case Verdict.DEFER if found.clause:
                return Defer(found.clause, found.refusal)
            case Verdict.ASK:
                asked = asked or found.ask
            case Verdict.REPLACE | Verdict.DEFER | Verdict.REFUSE:
                about = found.about or tuple(each.names[0] for each in call.targets)
                return replace(found.refusal, about=about)
    if asked:
        return _question(replace(asked, targets=call.targets), call)
    is_narrowed = call.leaves_scripts or set(call.targets) != set(whole.targets)
    # Else the whole utterance corrects a written call: it says more than a clause or a yes covers.
    is_told = call.is_written and (
        is_of_a_part(call) or is_agreed(call) or refers_to_answer(call) is not None
    )
    return Narrow(call.targets) if is_narrowed or is_told else None


def _question(ask: Ask, call: ComparedCall) -> Ask | Refuse:
    """Return a question, if a user can be asked who has not just declined it."""
    if not call.utterance.text:
        return Refuse("That is done only if a user says yes to it, and nobody can be asked here")
    if call.is_declined:
        return Refuse(DECLINED)
    return ask
