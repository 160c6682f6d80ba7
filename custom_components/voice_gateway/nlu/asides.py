"""Asides and retractions: remarks beside a command, and words that cancel it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from .annotations import AnnotatedText
from .clause import DialogueAct
from .clause_analysis import ClauseAnalysis
from .clause_segmentation import Segment, denies_knowledge, is_removal_reason
from .dialogue_acts import content_tokens
from .replies import Reply, classify_reply
from .time_resolution import TimeType

_ORDERS = ("verbs", "requests", "wishes", "orders")


def mark_asides(
    annotated: AnnotatedText, parts: Sequence[ClauseAnalysis]
) -> Sequence[ClauseAnalysis]:
    """Return the parts of a text, with asides beside a command as statements.

    "I come home at six, turn it on then" gives the command's time, so it is not changed.
    """
    found = [*parts]
    for own in _sentences(parts):
        told = [*_told(annotated, own)]
        if any(each.is_sequel for each in own):
            continue
        for place, part in enumerate(found):
            if part in told:
                spoken = annotated.sequence.surface(part.segment.tokens)
                statement = replace(part.clause, command=spoken, act=DialogueAct.STATEMENT)
                statement = replace(statement, negated=False, keeps_state=False)
                found[place] = replace(part, clause=statement, is_alternative=False)
            elif (
                place
                and parts[place - 1] in told
                and starts_with_imperative(annotated, part.segment, part.clause.act)
            ):
                # "..., I hear nothing and turn it off"
                found[place] = replace(part, segment=replace(part.segment, is_coordinated=False))
    return found


def _sentences(parts: Sequence[ClauseAnalysis]) -> Sequence[Sequence[ClauseAnalysis]]:
    found: list[list[ClauseAnalysis]] = []
    for part in parts:
        if part.segment.starts_sentence or not found:
            found.append([])
        found[-1].append(part)
    return found


def _told(annotated: AnnotatedText, own: Sequence[ClauseAnalysis]) -> Iterator[ClauseAnalysis]:
    """Yield the asides of a sentence that also has a command."""
    consequences = (place for place, part in enumerate(own) if part.segment.is_consequence)
    last = max(consequences, default=-1)
    for place, part in enumerate(own):
        others = (each for each in own if each is not part)
        if part.is_empty or not any(each.clause.act is DialogueAct.COMMAND for each in others):
            continue
        if place and _is_ground(annotated, part):
            yield part
            continue
        if annotated.says(part.segment.tokens, "comes_home"):
            continue  # "I'm home at six, so turn on the heating" may be for six
        is_told = _tells(annotated, part) or (place > 0 and _is_own_wish(annotated, part))
        is_reason = place < last and _is_reason(annotated, part)
        if is_reason or (part.clause.times and is_told):
            yield part


def _is_ground(annotated: AnnotatedText, part: ClauseAnalysis) -> bool:
    """Return True if a part gives a consequence ("otherwise ..."), or denies an action or a wish.

    "Otherwise open it" is a command.
    """
    start = _words(annotated, part)
    if not start:
        return False
    if not part.is_alternative:
        return denies_knowledge(annotated, start[0], part.segment.tokens)
    said = start[1:]
    told = annotated.covered(said, "finite")
    return len(said) > 1 and told.issuperset(annotated.starts(said, *_ORDERS, "states"))


def _is_reason(annotated: AnnotatedText, part: ClauseAnalysis) -> bool:
    """Return True if a part only gives a reason: it has no entity, and does not begin a command.

    A question and a prohibition are none: "don't speak for an hour, so turn the radio off".
    """
    if part.clause.act is DialogueAct.QUESTION or part.clause.negated:
        return False
    own = part.segment.tokens
    left = [index for index in own if not annotated.is_inside(index)]
    # Of "my show starts at 8", the determiner begins: its noun is no verb.
    begins = annotated.says(content_tokens(annotated, left)[:1], *_ORDERS)
    return not (begins or annotated.names_thing(own))


def _tells(annotated: AnnotatedText, part: ClauseAnalysis) -> bool:
    """Return True if a part reports an arrival or a time, and gives no command."""
    own = part.segment.tokens
    inside = annotated.covered(own, "comings", "be")
    if not inside or annotated.names_thing(own):
        return False
    return inside.issuperset(annotated.starts(own, *_ORDERS))


def _is_own_wish(annotated: AnnotatedText, part: ClauseAnalysis) -> bool:
    """Return True if a part behind a command is the speaker's plan: "..., I want to read later".

    It names no entity and no state. An exact time may be the command's: "..., I want to have a
    bath at eight".
    """
    if any(each.type is not TimeType.UNCLEAR for each in part.clause.times):
        return False
    own, start = part.segment.tokens, _words(annotated, part)
    end = annotated.span_end("wishes", start[0]) if start else 0
    does = annotated.starts(own, "verbs", "states", "orders")
    wish = range(start[0], end) if end else range(0)
    return bool(wish) and not annotated.names_thing(own) and {*wish}.issuperset(does)


def _words(annotated: AnnotatedText, part: ClauseAnalysis) -> list[int]:
    """Return the content words of a part, without its time expressions."""
    left = [index for index in part.segment.tokens if not annotated.is_inside(index)]
    tokens, fillers = annotated.sequence.tokens, annotated.patterns.language.function_words
    return [
        index
        for index in content_tokens(annotated, left)
        if not tokens[index].is_mark and tokens[index].text not in fillers
    ]


_ASKS: Final = ("news", "looks_up")
_DOES: Final = ("requests", "wishes", "persons")
"""Forms for a question's own actions: "what is there to close and to lock"."""
_BEGINS: Final = ("verbs", "fronted", "bids")


def is_coordinated_command(
    annotated: AnnotatedText,
    asked: Segment,
    segment: Segment,
    mood: DialogueAct,
    *,
    refers_back: bool,
) -> bool:
    """Return True if a clause coordinated with a question is a command, and not a part of it.

    `refers_back`: the clause has an anaphor.
    """
    if asked.has_question_mark or not starts_with_imperative(annotated, segment, mood):
        return False
    return (
        _is_of_the_world(annotated, asked, segment)
        or _asks_for_news(annotated, asked)
        or (refers_back and _asks_which(annotated, asked))
    )


def _is_of_the_world(annotated: AnnotatedText, asked: Segment, segment: Segment) -> bool:
    """Return True if a question is about neither people nor the home, and the next clause is.

    "How many minutes do eggs need and dim the kitchen light".
    """
    head, *rest = content_tokens(annotated, segment.tokens)
    # "Wer kommt und macht das Licht aus": the same verb form may continue the question.
    is_sure = not annotated.patterns.forms.get("bids_surely") or annotated.span_end(
        "bids_surely", head
    )
    is_of_others = annotated.says(asked.tokens, *_DOES)
    return (
        bool(is_sure and segment.is_coordinated and not is_of_others)
        and not annotated.names_thing(asked.tokens)
        # "To close and to lock": the verb may also be a category word.
        and annotated.names_thing(rest)
    )


def starts_with_imperative(annotated: AnnotatedText, segment: Segment, mood: DialogueAct) -> bool:
    """Return True if a clause is a command by its first word."""
    start = content_tokens(annotated, segment.tokens)
    begins = bool(start) and annotated.begins(start[0], *_BEGINS)
    return mood is DialogueAct.COMMAND and begins


def _asks_for_news(annotated: AnnotatedText, asked: Segment) -> bool:
    """Return True if a question only asks for news, about a subject that cannot act."""
    ends = [end for form in _ASKS for _, end in annotated.spans_among(form, asked.tokens)]
    if not ends:
        return False
    after = range(max(ends), asked.end)
    # Behind a question word, a verb belongs to its subject: "cuándo abre el museo". Behind an
    # article it is a noun: "what is in my water".
    tokens, fillers = annotated.sequence.tokens, annotated.patterns.language.function_words
    verbs = annotated.starts(after[1:], "verbs")
    does = any(
        tokens[at].text not in fillers
        and (tokens[at - 1].text not in fillers or annotated.span_end("subjects", at - 1))
        for at in verbs
    )
    return not does and not annotated.says(after, *_DOES)


def _asks_which(annotated: AnnotatedText, asked: Segment) -> bool:
    """Return True if a clause asks which entities match: "see which lamps have to be on".

    A coordinated part of that question has no "them"; a command for the entities found has one.
    """
    ends = {end for _, end in annotated.spans_among("looks_up", asked.tokens)}
    return any(end in ends for _, end in annotated.spans_among("which", asked.tokens))


def apply_retractions(
    annotated: AnnotatedText, parts: Sequence[ClauseAnalysis]
) -> Sequence[ClauseAnalysis]:
    """Return the parts of a text; a retraction negates the parts of its sentence before it.

    A retraction is a "no" up to the end of its own sentence: "no, I mean the fan" corrects
    a part of the utterance.
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
    """Yield the index of each command that a "no" and a command follow: "off, no, fan on"."""
    spoken = [place for place, part in enumerate(parts) if not part.is_empty]
    for place, after in pairwise(spoken):
        is_parted = after - place > 1 and not parts[after].clause.negated
        if is_parted and classify_reply(parts[place + 1].clause.text, ()) is Reply.NO:
            yield place


def _denied(part: ClauseAnalysis) -> ClauseAnalysis:
    """Return a part as a negated command, without its time."""
    clause = replace(
        part.clause, act=DialogueAct.COMMAND, negated=True, times=(), keeps_state=False
    )
    return replace(part, clause=clause, leading_times=(), trailing_condition=())


def _refusals(annotated: AnnotatedText) -> Iterator[tuple[int, int]]:
    """Yield the spans of retractions: from a "no" behind a mark to the end of its sentence."""
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
        # "Turn it off, no" may be a tag question without its question mark.
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
    """Return True if the speaker gives a reason for the "no" that begins the sentence.

    "No, turn it off, I changed my mind" cancels an earlier command.
    """
    if not annotated.begins(first, "own", "reports"):
        return False
    begin = next((at + 1 for at in range(first - 1, -1, -1) if annotated.is_stop(at)), 0)
    comma = next((at for at in range(begin, first - 1) if annotated.is_comma(at)), begin)
    said = annotated.sequence.surface(range(begin, comma))
    return bool(said) and classify_reply(said, ()) is Reply.NO
