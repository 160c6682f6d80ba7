"""Clause analysis: times, polarity, exclusion and command of a clause."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .anaphora import Anaphora
from .annotations import AnnotatedText, TimeSpan
from .clause import Clause, DialogueAct
from .clause_segmentation import Segment
from .dialogue_acts import as_reported_condition, classify_act, content_tokens, introduces_quote
from .repairs import find_repairs
from .time_expressions import TimeParser, find_excluded_days
from .time_resolution import TimeExpression, TimeType
from .tokenizer import NOTHING, Text

EVENTS = frozenset((TimeType.WHEN, TimeType.WHENEVER))
CONDITIONS = frozenset((TimeType.IF, TimeType.UNLESS)) | EVENTS
_OF_EVENTS = {
    TimeType.IF: TimeType.AT,
    TimeType.WHEN: TimeType.AT,
    TimeType.WHENEVER: TimeType.EVERY,
    TimeType.UNTIL: TimeType.UNTIL,
    TimeType.BEFORE: TimeType.BEFORE,
}
"""Types of conditions that may be events, and the type of the same event at a time of the sun."""
_MERGED = frozenset(("at", "hour", "every"))
_OF_TIMERS = frozenset(("for", "at", "hour"))
_BARE = frozenset(("hour", "until_hour"))
_DROPPED = frozenset(("now", "plain", "because", "past"))
_WHILES = frozenset((TimeType.FOR, TimeType.UNTIL))
_DOES = ("verbs", "states", "requests", "wishes", "orders")
_THEN = 2
"""Words in which "then" is looked for: in some languages the verb precedes it."""
_LEFT_OUT = ("polite", "requests", "wishes", "then", "otherwise")


type _Words = tuple[int, int, str]
"""Some tokens, the first and the one after the last, and the form of their time expression."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseAnalysis:
    """A clause before the clauses of its sentence are combined."""

    clause: Clause
    segment: Segment
    leading_times: tuple[TimeExpression, ...]
    """The times before its command."""
    trailing_condition: tuple[TimeExpression, ...]
    """The condition at the end of a question, which may be the next command's: "how warm is it, if
    it is below 20, ..."."""
    says_now: bool
    reverts: bool
    """It reverts an action: "and off again"."""
    is_sequel: bool
    """It depends on the clause before it: "then lock the door", "schließ dann ab"."""
    has_anaphor: bool
    """It refers to an earlier mention: "turn it off"."""
    is_alternative: bool
    is_inverted: bool
    """It is a question that may be a condition: "is the door open, close it"."""
    introduces_quote: bool
    """A quotation follows: "Anna says, you shall..."."""
    is_left_alone: bool
    """It is negated by words around its object: "leave the lamp alone"."""
    is_complaint: bool
    """It complains about an earlier action: "not so bright"."""
    is_of_home: bool
    """It names a device, the action of one, or everything."""

    @property
    def is_empty(self) -> bool:
        """Whether it has no command; it may have times."""
        return not self.clause.command

    @property
    def may_order(self) -> bool:
        """Whether it may be a command that has neither content nor recipient."""
        clause = self.clause
        is_remark = clause.act in (DialogueAct.QUESTION, DialogueAct.STATEMENT)
        return not (is_remark or clause.has_content or clause.has_recipient)

    @property
    def is_for_devices(self) -> bool:
        """Whether it may be a command for an entity of the home."""
        return self.may_order and self.is_of_home


def analyse_clause(
    annotated: AnnotatedText, segment: Segment, times: TimeParser, *, led: bool
) -> ClauseAnalysis:
    """Analyse a clause of a sentence; `led`: after one that has only times."""
    left_out = find_excluded_days(annotated, segment, times)
    spans = left_out.without(_spans(annotated, segment))
    taken = {index for first, end in spans.values() for index in range(first, end)}
    taken |= left_out.tokens
    excepted, its_words = _excepted(annotated, segment, taken)
    taken |= its_words
    joints = filter(annotated.is_conjunction, segment.tokens)
    taken |= {index for index in joints if {index - 1, index + 1} <= taken}
    left = [index for index in segment.tokens if index not in taken]
    moments = _moments(annotated, spans, times)
    moments = [(first, left_out.of(moment)) for first, moment in moments]
    # "Every day except on holidays"
    is_vague = bool(its_words) and not annotated.names_thing(its_words)
    if is_vague or times.has_unread_time(annotated.sequence.normalized_of(left)):
        moments = [(first, replace(moment, is_unread=True)) for first, moment in moments]
    if any(moment.type in _WHILES for _, moment in moments):
        left = _without_its_end(annotated, left)
    start = content_tokens(annotated, left)
    opening = range(segment.first, start[0] + 1) if start else range(0)
    spoken = annotated.sequence.surface(segment.tokens)
    front = tuple(moment for first, moment in moments if not start or first < start[0])
    # "So do the chill out thing" is no question.
    led = led or bool(front) or segment.is_consequence
    mood = classify_act(annotated, left, asked=segment.has_question_mark, led=led)
    if segment.is_reason and start:
        mood = DialogueAct.STATEMENT
    is_remark = mood in (DialogueAct.QUESTION, DialogueAct.STATEMENT)
    telling = _opens_words(annotated, "tells_others", opening)
    # A negation in a message or a reminder does not negate the clause.
    own = [index for index in left if not telling or index < telling]
    negation = set() if is_remark else _negation(annotated, own, start)
    stays = annotated.starts(own, "stays")
    return ClauseAnalysis(
        clause=Clause(
            text=spoken,
            command=spoken
            if is_remark
            else annotated.sequence.surface(_command(annotated, start, negation)),
            act=mood,
            times=tuple(moment for _, moment in moments)
            if mood is not DialogueAct.QUESTION
            else (),
            negated=bool(negation),
            exclusion=excepted,
            # "Laat de stofzuiger zuigen" lets it work, not be.
            keeps_state=any(not _lets_work(annotated, index) for index in stays)
            and not annotated.patterns.sets_value(annotated.sequence.normalized_of(own)),
            has_recipient=telling > 0,
            has_content=_opens_words(annotated, "of_texts", opening) > 0,
        ),
        segment=segment,
        leading_times=front,
        trailing_condition=_tail(annotated, spans, moments) if mood is DialogueAct.QUESTION else (),
        says_now=any(piece.name == "now" for piece in spans),
        reverts=annotated.says(left, "again"),
        is_sequel=segment.follows_then
        or any(annotated.span_end("then", index) for index in start[:_THEN])
        or annotated.says(left, "at_that"),
        has_anaphor=Anaphora.of(spoken).refers_back,
        is_alternative=bool(start and annotated.span_end("otherwise", start[0])),
        is_inverted=bool(start and annotated.span_end("inverted", start[0])),
        introduces_quote=is_remark and introduces_quote(annotated, segment.end, start, mood),
        is_left_alone=any(True for _ in _around(annotated, left)),
        is_complaint=annotated.says(start[:1], "complaints") and not annotated.says(left, "verbs"),
        is_of_home=_is_of_home(annotated, left),
    )


def _is_of_home(annotated: AnnotatedText, left: Collection[int]) -> bool:
    """Return True if some tokens name a device, the action of one, or everything."""
    known, tokens = annotated.patterns, annotated.sequence.tokens
    everything = known.language.universal_quantifiers
    if any(annotated.is_thing(index) or tokens[index].text in everything for index in left):
        return True
    return any(first in left for first, _ in _works(annotated))


def _lets_work(annotated: AnnotatedText, index: int) -> bool:
    """Return True if a verb that may keep a state begins a phrase for an action."""
    end = annotated.span_end("stays", index)
    return any(first == index and after > end for first, after in _works(annotated))


def _works(annotated: AnnotatedText) -> Iterator[tuple[int, int]]:
    """Yield the spans of phrases for the actions of devices."""
    known, line = annotated.patterns, annotated.sequence
    for table in (known.agent_verbs, known.causative_verbs):
        for patterns in table.values():
            for each in patterns:
                yield from line.find(each)


def _opens_words(annotated: AnnotatedText, form: str, opening: range) -> int:
    """Return where the content begins that a form opens without naming a device, or 0."""
    # "Tell the lamp to go off" is for the lamp.
    spans = annotated.spans_among(form, opening)
    return next((end for at, end in spans if not annotated.names_thing(range(at, end))), 0)


def _without_its_end(annotated: AnnotatedText, left: list[int]) -> list[int]:
    """Return the tokens of a clause without a final remark on its end: "..., then off again"."""
    for at in annotated.starts(left[1:], "then"):
        behind = [index for index in left if index >= at]
        said = annotated.covered(behind, "then", "again", "states", "polite")
        if said.issuperset(behind):
            return left[: left.index(at)]
    return left


def _spans(annotated: AnnotatedText, segment: Segment) -> dict[TimeSpan, tuple[int, int]]:
    """Return the time expressions of a clause with their spans, which include conditions."""
    timed = any(annotated.span_end("timers", index) for index in segment.tokens)
    levelled = _is_level(annotated, segment)
    spans: dict[TimeSpan, tuple[int, int]] = {}
    reached = segment.first
    for piece in annotated.time_spans:
        if not reached <= piece.first < segment.end or piece.name == "kept":
            continue
        if (timed and piece.name in _OF_TIMERS) or (levelled and piece.name in _BARE):
            continue
        if piece.name == "for" and annotated.span_end("not_steps", piece.first - 1) > piece.first:
            continue  # "set the washing cycle to fifty minutes"
        reached = piece.end
        if piece.opens:
            behind = range(piece.end, segment.end)
            reached = next((at for at in behind if annotated.is_comma(at)), segment.end)
        spans[piece] = (piece.first, reached)
    return spans


def _tail(
    annotated: AnnotatedText,
    spans: Mapping[TimeSpan, tuple[int, int]],
    moments: Iterable[tuple[int, TimeExpression]],
) -> tuple[TimeExpression, ...]:
    """Return the condition at the end of a clause, behind a comma."""
    parted = {
        first
        for piece, (first, _) in spans.items()
        if piece.opens and first and annotated.is_comma(first - 1)
    }
    return tuple(each for first, each in moments if first in parted)


def _is_level(annotated: AnnotatedText, segment: Segment) -> bool:
    """Return True if a bare number may be a level: "set the volume at 8"."""
    return any(annotated.span_end("levels", index) for index in segment.tokens) and not any(
        annotated.sequence.tokens[index].text[0].isdigit()
        for index in segment.tokens
        if not annotated.is_inside(index)
    )


def _moments(
    annotated: AnnotatedText, spans: dict[TimeSpan, tuple[int, int]], times: TimeParser
) -> list[tuple[int, TimeExpression]]:
    """Return the times of a clause, each with its first token."""
    found: list[tuple[int, TimeExpression]] = []
    merged: list[_Words] = []
    for piece, (first, end) in spans.items():
        if piece.name in _MERGED and not piece.opens:
            merged.append((first, end, piece.name))
        elif piece.name not in _DROPPED:
            found.append((first, _moment(annotated, piece, end, times)))
    found += _at(annotated, merged, times)
    # "For a second" is no duration.
    told = [(at, one) for at, one in found if one.type is not TimeType.FOR or one.seconds != 1]
    return sorted(told, key=lambda each: each[0])


def _moment(
    annotated: AnnotatedText, piece: TimeSpan, end: int, times: TimeParser
) -> TimeExpression:
    follows = piece.name == "after"
    moment = TimeExpression(
        type=TimeType.IN if follows else TimeType(piece.name.removesuffix("_hour")),
        text=annotated.sequence.surface(range(piece.first, end)),
        follows=follows,
    )
    if piece.opens:
        return _opened(annotated, moment, (piece.end, end), times)
    words = annotated.sequence.normalized(piece.first, end)
    if moment.type in (TimeType.UNTIL, TimeType.BEFORE):
        return times.parse(moment, words)
    before = annotated.sequence.normalized(0, piece.first)
    return replace(moment, seconds=times.seconds(words, before))


def _opened(
    annotated: AnnotatedText, moment: TimeExpression, span: tuple[int, int], times: TimeParser
) -> TimeExpression:
    """Return a time with its condition, which may itself be a time: "when the sun sets"."""
    moment = replace(moment, condition=annotated.sequence.surface(range(*span)))
    moment = as_reported_condition(annotated, as_event(annotated, moment, *span), *span)
    if not moment.condition:
        return moment
    timed = times.parse(moment, annotated.sequence.normalized(*span))
    return moment if timed.is_unread or not timed.time else timed


def as_event(
    annotated: AnnotatedText, moment: TimeExpression, first: int, end: int
) -> TimeExpression:
    """Return a condition as an event if its words say that something happens.

    Sunrise, sunset and the like become times.
    """
    if moment.type not in _OF_EVENTS:
        return moment
    if sun := annotated.events.sun_event(first, end):
        return replace(moment, type=_OF_EVENTS[moment.type], sun=sun, condition=NOTHING)
    if moment.type is TimeType.IF and annotated.events.is_event(first, end):
        return replace(moment, type=TimeType.WHEN)
    return moment


def _at(
    annotated: AnnotatedText, merged: Sequence[_Words], times: TimeParser
) -> Iterator[tuple[int, TimeExpression]]:
    """Yield the dates and times, which may stand apart: "tomorrow turn it on at seven"."""
    days: list[_Words] = []
    clocks: list[list[_Words]] = []
    for each in merged:
        words = annotated.sequence.normalized(each[0], each[1])
        (clocks.append([each]) if times.has_time_of_day(words) else days.append(each))
    for group in [[*days, *each] for each in clocks or [[]]]:
        if not group:
            return
        pieces = sorted(group)
        kind = TimeType.EVERY if any(name == "every" for *_, name in pieces) else TimeType.AT
        indexes = [index for first, end, _ in pieces for index in range(first, end)]
        words = " ".join(annotated.sequence.normalized(first, end) for first, end, _ in pieces)
        moment = times.parse(
            TimeExpression(type=kind, text=annotated.sequence.surface(indexes)), words
        )
        if not _is_today(moment):
            yield pieces[0][0], moment


def _is_today(moment: TimeExpression) -> bool:
    """Return True if a time is only "today", which includes now."""
    return moment.day_offset == 0 and not (moment.has_time or moment.meridiem)


def _excepted(annotated: AnnotatedText, segment: Segment, taken: set[int]) -> tuple[Text, set[int]]:
    """Return the exclusion of a clause, and all of its tokens."""
    own = [index for index in segment.tokens if index not in taken]
    start = content_tokens(annotated, own)[:1]
    words: list[int] = []
    gone: set[int] = set()
    for first, end in annotated.spans_among("except", own):
        if [first] == start and (
            annotated.span_end("not", first) or annotated.span_end("not_first", first)
        ):
            continue  # "not the lamp, the radio": it is the whole clause
        until = _exception_end(annotated, segment, own, first, end)
        words += range(end, until)
        gone.update(range(first, until))
    for pattern in annotated.patterns.forms.get("except_around", ()):
        for (first, end), inside in zip(
            annotated.sequence.find(pattern), annotated.sequence.find(pattern, "any"), strict=True
        ):
            if set(range(first, end)) <= set(own):
                words += range(*inside)
                gone.update(range(first, end))
    for thing, taken_back in find_repairs(annotated, own):
        words += thing
        gone.update(thing, taken_back)
    all_words = annotated.patterns.language.universal_quantifiers
    for first, end in annotated.spans_among("but", own):
        is_all = any(annotated.sequence.tokens[index].text in all_words for index in own)
        until = _exception_end(annotated, segment, own, first, end)
        excepted = range(end, until)
        does = any(annotated.begins(index, *_DOES) or annotated.denies(index) for index in excepted)
        # "Turn everything off but the lamp"
        if is_all and not does and annotated.names_thing(excepted):
            words += excepted
            gone.update(range(first, until))
    polite = annotated.covered(words, "polite")
    return annotated.sequence.surface(index for index in words if index not in polite), gone


def _exception_end(
    annotated: AnnotatedText, segment: Segment, own: Sequence[int], first: int, end: int
) -> int:
    """Return where an exception ends: before the command that follows.

    "All but the lamp off", "except the lamp turn everything off".
    """
    free = set(own)
    until = next(
        (i for i in range(end, segment.end) if i not in free or annotated.is_comma(i)), segment.end
    )
    does = annotated.says((index for index in own if index < first), *_DOES)
    all_words = annotated.patterns.language.universal_quantifiers
    return next(
        (
            index
            for index in range(end + 1, until)
            if annotated.sequence.tokens[index].text in all_words
            or (annotated.begins(index, *_DOES) and not does)
        ),
        until,
    )


def _negation(annotated: AnnotatedText, left: Sequence[int], start: Sequence[int]) -> set[int]:
    """Return the tokens that negate a clause."""
    if not start:
        return set()
    found = [each for each in annotated.spans_among("not", left) if not annotated.is_part(each[0])]
    if end := annotated.span_end("not_first", start[0]):
        found.append((start[0], end))
    found += _around(annotated, left)
    return {
        index
        for first, end in found
        if first > start[0] or end <= left[-1]
        for index in range(first, end)
    }


def _around(annotated: AnnotatedText, left: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the spans of a negation around its object: "leave the lamp alone"."""
    for pattern in annotated.patterns.forms.get("left_alone", ()):
        for (first, end), (inner, after) in zip(
            annotated.sequence.find(pattern), annotated.sequence.find(pattern, "any"), strict=True
        ):
            # A time may stand within: "leave the lamp alone today".
            if {*range(first, inner), *range(after, end)} <= set(left):
                yield first, inner
                yield after, end


def _command(annotated: AnnotatedText, start: Sequence[int], negation: set[int]) -> Iterator[int]:
    end = 0
    for index in start:
        end = max(end, *(annotated.span_end(form, index) for form in _LEFT_OUT))
        is_inside = annotated.span_end("inside", index) and annotated.follows("heres", index)
        if index >= end and index not in negation and not is_inside:
            yield index
