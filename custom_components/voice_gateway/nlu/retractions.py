"""Retractions: what is taken back at once: "turn off the lamp. No, leave it"."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from .annotations import AnnotatedText
from .clause import DialogueAct
from .clause_analysis import ClauseAnalysis
from .clause_segmentation import is_removal_reason
from .replies import Reply, classify_reply


def apply_retractions(
    annotated: AnnotatedText, parts: Sequence[ClauseAnalysis]
) -> Sequence[ClauseAnalysis]:
    """Return the parts of a text, those of a sentence that a no follows as not to be done.

    It is a no that says nothing else, up to the end of its own sentence: "no, I mean the fan" corrects
    a part of what was said before.
    """
    found = [*parts]
    for first, end in _refusals(annotated):
        found = [each for each in found if not first <= each.segment.first < end]
        before = [place for place, each in enumerate(found) if each.segment.first < first]
        for place in reversed(before):
            if found[place].clause.act in (DialogueAct.COMMAND, DialogueAct.UNKNOWN):
                found[place] = _denied(found[place])
            if found[place].segment.starts_sentence:
                break
    for place in _replaced(found, annotated.patterns.language.code):
        found[place] = _denied(found[place])
    return found


def _replaced(parts: Sequence[ClauseAnalysis], code: str) -> Iterator[int]:
    """Yield the place of each command that a no and another command follow: "off, no, turn on the fan"."""
    spoken = [place for place, part in enumerate(parts) if not part.is_empty]
    for place, after in pairwise(spoken):
        is_replaced = (
            after - place > 1
            and parts[place].clause.act is parts[after].clause.act is DialogueAct.COMMAND
            and not parts[after].clause.negated
        )
        if is_replaced and classify_reply(parts[place + 1].clause.text, ()) is Reply.NO:
            yield place


def _denied(part: ClauseAnalysis) -> ClauseAnalysis:
    """Return a part as one that is not to be done, whenever that was."""
    clause = replace(
        part.clause, act=DialogueAct.COMMAND, negated=True, times=(), keeps_state=False
    )
    return replace(part, clause=clause, leading_times=(), trailing_condition=())


def _refusals(annotated: AnnotatedText) -> Iterator[tuple[int, int]]:
    """Yield where a no begins that follows a mark, and where its sentence ends."""
    all_words = annotated.patterns.language.universal_quantifiers
    tokens, reached = annotated.sequence.tokens, 0
    for first in range(1, len(annotated)):
        is_stop = annotated.is_stop(first - 1)
        if first < reached or not (is_stop or annotated.is_comma(first - 1)):
            continue
        end = next(
            (at for at in range(first, len(annotated)) if annotated.is_stop(at)), len(annotated)
        )
        said = [each for each in tokens[first:end] if not each.is_mark]
        # "Turn it off, no" may ask for a yes, without its question mark.
        if len(said) < 1 + (not is_stop) or any(each.text in all_words for each in said):
            continue
        if any(annotated.span_end("states", at) for at in range(first, end)):
            continue  # "turn it on. Leave it on"
        if not is_stop and _explains_a_no(annotated, first):
            continue
        if is_removal_reason(annotated, range(first, end)):
            continue  # "bórralo, ya no hace falta"
        text = annotated.sequence.source.source[
            said[0].start : tokens[min(end, len(annotated) - 1)].end
        ]
        if classify_reply(annotated.sequence.source.alike(text), ()) is Reply.NO:
            yield first, end
            reached = end


def _explains_a_no(annotated: AnnotatedText, first: int) -> bool:
    """Return True if the speaker gives a reason for the no that begins the sentence.

    "No, turn it off, I changed my mind" takes back what was said before it.
    """
    if not any(annotated.span_end(form, first) for form in ("own", "reports")):
        return False
    begin = next((at + 1 for at in range(first - 1, -1, -1) if annotated.is_stop(at)), 0)
    comma = next((at for at in range(begin, first - 1) if annotated.is_comma(at)), begin)
    said = annotated.sequence.surface(range(begin, comma))
    return bool(said) and classify_reply(said, ()) is Reply.NO
