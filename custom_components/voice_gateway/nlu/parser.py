"""The parser: the clauses of an utterance, each with its own times and those it inherits.

Without phrases for the language, the act is unknown.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from ..languages import language_of
from .anaphora import Anaphora
from .annotations import AnnotatedText
from .asides import apply_retractions, is_coordinated_command, mark_asides
from .clause import Clause, DialogueAct, ParsedText
from .clause_analysis import CONDITIONS, EVENTS, ClauseAnalysis, analyse_clause, as_event
from .clause_segmentation import Segment, segment_clauses
from .dialogue_acts import as_lookup_condition, condition_after_lookup, keep_answer_conditions
from .replies import classify_reply
from .time_expressions import time_parser
from .time_resolution import TimeExpression, TimeType
from .tokenizer import NOTHING, Text, joined

LONGEST = 1000
"""The most characters of an utterance that is parsed; a longer one has an unclear time."""

_TO_SPEAKER = ("plans.tell", "plans.notify")
"""Requests to be informed: their content is for the speaker."""
_OPPOSITE = {TimeType.IF: TimeType.UNLESS, TimeType.UNLESS: TimeType.IF}


def parse(text: Text, names: Collection[str]) -> ParsedText:
    """Return the clauses of an utterance.

    The first utterance in a language, or with these names, takes longer: `load` prepares them.

    Args:
        text: an utterance. The cost is linear in its length, and bounded.
        names: the names of devices, areas and floors. Within a name, no word is a time: "Game
            Room 2 at the Entry".
    """
    known = text.language
    _ = text.patterns.vocabulary, text.patterns.light_values  # may read files, off the event loop
    if len(text) > LONGEST:
        unclear = TimeExpression(type=TimeType.UNCLEAR)
        return _said([Clause(text=text, command=text, times=(unclear,))])
    if not known.time_patterns:
        return _said([Clause(text=text, command=text)])
    annotated = AnnotatedText(text, known, names)
    clauses = _by_answer(annotated, names) or _by_look(annotated, names)
    clauses = clauses or keep_answer_conditions(_clauses(annotated))
    return _said(clauses or [Clause(text=text, command=NOTHING)])


def _clauses(annotated: AnnotatedText) -> Sequence[Clause]:
    """Return the clauses of a sentence, with the times that they share."""
    text, times = annotated.sequence.source, time_parser(annotated.patterns.language.code)
    parts: list[ClauseAnalysis] = []
    for segment in segment_clauses(annotated):
        led = bool(parts and parts[-1].is_empty)
        parts.append(analyse_clause(annotated, segment, times, led=led))
    told = apply_retractions(annotated, mark_asides(annotated, parts))
    parts = [*_conditions(annotated, _sparing(told))]
    clauses = [each for clause in _kept(_led(parts)) for each in _each_time(clause)]
    if _asks_when(annotated, clauses):
        clauses = [Clause(text=text, command=text, act=DialogueAct.QUESTION)]
    return clauses


def _by_answer(annotated: AnnotatedText, names: Collection[str]) -> Sequence[Clause]:
    """Return the clauses of a question and a command on its answer: "... and if so, ...".

    Empty for any other sentence. Only the first "if so" splits it: each part is parsed once.
    """
    line, language = annotated.sequence, annotated.patterns.language
    for first, end in annotated.spans("if_so"):
        asked = _clauses(AnnotatedText(line.surface(range(first)), language, names))
        if not asked or asked[-1].act is not DialogueAct.QUESTION:
            return ()
        so = line.surface(range(first, end))
        condition = TimeExpression(type=TimeType.IF, text=so, condition=so, depends_on_answer=True)
        wanted = _clauses(AnnotatedText(line.surface(range(end, len(annotated))), language, names))
        return *asked, *(replace(each, times=(condition, *each.times)) for each in wanted)
    return ()


def _by_look(annotated: AnnotatedText, names: Collection[str]) -> Sequence[Clause]:
    """Return the clauses of an order to look at a text, and of commands on its content; or none."""
    line, language = annotated.sequence, annotated.patterns.language
    if not (first := condition_after_lookup(annotated)):
        return ()
    looks = line.surface(range(first))
    rest = _clauses(AnnotatedText(line.surface(range(first, len(annotated))), language, names))
    conditions = [each.condition for clause in rest[:1] for each in clause.times]
    condition = AnnotatedText(line.source.alike(" ".join(conditions)), language, names)
    wanted = [as_lookup_condition(condition, each) for each in rest]
    asked = Clause(text=looks, command=looks, act=DialogueAct.QUESTION)
    return asked, *keep_answer_conditions(wanted)


def _kept(clauses: Iterable[Clause]) -> list[Clause]:
    """Return the clauses; "turn it on and leave it on till six" becomes one with a duration."""
    found: list[Clause] = []
    for clause in clauses:
        before = found[-1] if found else None
        if (
            before is not None
            and before.act is DialogueAct.COMMAND
            and before.is_immediate
            and not (before.negated or before.keeps_state or clause.negated)
            and clause.keeps_state
            and clause.times
            and clause.starts_now
            and Anaphora.of(clause.text).refers_back
        ):
            text = clause.text.alike(f"{before.text}, {clause.text}")
            found[-1] = replace(before, text=text, times=clause.times)
        else:
            found.append(clause)
    return found


def _each_time(clause: Clause) -> Sequence[Clause]:
    """Return a copy of a clause for each of its times of day: "at seven and at nine"."""
    times_said = [each for each in clause.times if each.type is TimeType.AT]
    if len(times_said) < 2 or clause.negated or not all(each.time for each in times_said):
        return [clause]
    return [
        replace(clause, times=tuple(m for m in clause.times if m is one or m not in times_said))
        for one in times_said
    ]


def _asks_when(annotated: AnnotatedText, clauses: Sequence[Clause]) -> bool:
    """Return True if a sentence asks for the time of an event: "quand s'éteint la lumière".

    The verb directly follows the question word, and no command depends on the event.
    """
    match clauses:
        case [Clause(command="", times=(TimeExpression(type=TimeType.WHEN),))]:
            ends = (piece.end for piece in annotated.time_spans if piece.opens)
            return any(annotated.span_end("finite", end) for end in ends)
    return False


def load(language: str | None, names: Collection[str] = ()) -> None:
    """Prepare for utterances in a language, and for these names in them.

    This takes some tenths of a second: call it off the event loop.
    """
    known, nothing = language_of(language), Text("", language)
    if known.time_patterns:
        time_parser(known.code)
        classify_reply(nothing, ())
    parse(nothing, names)


def _said(clauses: Sequence[Clause]) -> ParsedText:
    moods = {clause.act for clause in clauses}
    order = (DialogueAct.COMMAND, DialogueAct.QUESTION, DialogueAct.STATEMENT, DialogueAct.UNKNOWN)
    return ParsedText(act=next(mood for mood in order if mood in moods), clauses=tuple(clauses))


def _sparing(parts: Sequence[ClauseAnalysis]) -> Sequence[ClauseAnalysis]:
    """Return the parts; one that is only an exception becomes the exclusion of its command.

    "Except for the kitchen, turn everything off", "turn everything off. Not the kitchen".
    """
    found = [*parts]
    for place, part in enumerate(parts):
        if not (part.is_empty and part.clause.exclusion):
            continue
        after = [at for at in range(place + 1, len(parts)) if not parts[at].segment.starts_sentence]
        for at in (*after, place - 1)[:1]:
            if at >= 0:
                clause = found[at].clause
                spared = ", ".join(filter(None, (clause.exclusion, part.clause.exclusion)))
                clause = replace(clause, exclusion=part.clause.text.alike(spared))
                found[at] = replace(found[at], clause=clause)
    return found


def _conditions(
    annotated: AnnotatedText, parts: Sequence[ClauseAnalysis]
) -> Iterator[ClauseAnalysis]:
    """Yield the parts; inverted questions before a command become conditions.

    "Is the door open, then close it." A part that "and" joins to a question is also a question,
    except a command behind a question for news.
    """
    remark: DialogueAct | None = None
    asked: Segment | None = None
    command = passes_on = dictated = False
    for part, after in zip(parts, [*parts[1:], None], strict=False):
        if dictated:
            part = replace(part, clause=replace(part.clause, has_recipient=True))  # noqa: PLW2901
        clause = part.clause
        dictated = dictated or _dictates(annotated, part)
        is_question = part.is_inverted and clause.act is DialogueAct.QUESTION
        if is_question and after and _tells(annotated, part, after):
            clause = replace(clause, act=DialogueAct.STATEMENT)
            part = replace(part, clause=clause)  # noqa: PLW2901
        elif is_question and after and _is_answer(part, after):
            condition = _as_condition(annotated, part)
            clause = replace(clause, command=NOTHING, act=DialogueAct.UNKNOWN, times=(condition,))
            part = replace(part, clause=clause, leading_times=(condition,))  # noqa: PLW2901
        elif asked and is_coordinated_command(
            annotated, asked, part.segment, clause.act, refers_back=part.has_anaphor
        ):
            pass
        elif remark and (
            part.segment.is_coordinated or (passes_on and not part.segment.starts_sentence)
        ):
            clause = replace(clause, act=remark, negated=False)
            if remark is DialogueAct.QUESTION:
                clause = replace(clause, times=())
            part = replace(part, clause=clause)  # noqa: PLW2901
        elif command and clause.act is DialogueAct.UNKNOWN and not part.segment.starts_sentence:
            # "Turn it down, it was too loud" gives a reason.
            told = annotated.span_end("reports", part.segment.first)
            mood = DialogueAct.STATEMENT if told else DialogueAct.COMMAND
            negated = clause.negated and not told
            part = replace(part, clause=replace(clause, act=mood, negated=negated))  # noqa: PLW2901
        passes_on = part.introduces_quote
        command = part.clause.act is DialogueAct.COMMAND
        asked = part.segment if clause.act is DialogueAct.QUESTION else None
        remark = clause.act if clause.act in (DialogueAct.QUESTION, DialogueAct.STATEMENT) else None
        yield part


def _dictates(annotated: AnnotatedText, part: ClauseAnalysis) -> bool:
    """Return True if a colon ends a request to send something to others: "text Bob: ..."."""
    clause, end = part.clause, part.segment.end
    return (
        end < len(annotated)
        and annotated.sequence.tokens[end].text == ":"
        and clause.text.says("tool_verbs.sends")
        and not any(map(clause.text.says, _TO_SPEAKER))
        and not part.is_of_home
    )


def _tells(annotated: AnnotatedText, part: ClauseAnalysis, after: ClauseAnalysis) -> bool:
    """Return True if an inverted verb begins a statement before a command: "è buio, accendi".

    This is possible in languages where a verb begins statements as well as questions.
    """
    is_told = annotated.patterns.language.verb_first and not after.segment.starts_sentence
    return is_told and after.clause.act is DialogueAct.COMMAND


def _as_condition(annotated: AnnotatedText, part: ClauseAnalysis) -> TimeExpression:
    """Return the condition of an inverted question: "should it rain" is "if it rains"."""
    first, end = part.segment.first, part.segment.end
    first = next(
        (after for _, after in annotated.spans_among("supposes", range(first, end)[:1])), first
    )
    words = annotated.sequence.surface(range(first, end))
    condition = TimeExpression(type=TimeType.IF, text=part.clause.text, condition=words)
    return as_event(annotated, condition, first, end)


def _is_answer(part: ClauseAnalysis, after: ClauseAnalysis) -> bool:
    """Return True if a part is the command for an inverted condition before it."""
    if after.segment.follows_then:
        return True
    same = not (
        after.segment.starts_sentence
        or after.segment.is_coordinated
        or part.segment.has_question_mark
    )
    return same and after.clause.act is DialogueAct.COMMAND


def _led(parts: Sequence[ClauseAnalysis]) -> Iterator[Clause]:
    """Yield the clauses, each with its own times and those that other clauses share with it."""
    front: tuple[TimeExpression, ...] = ()
    pending = begins = False
    last: Clause | None = None
    sentence: list[tuple[ClauseAnalysis, Clause]] = []
    for part in parts:
        # "Well, ..." is not part of the sentence that it begins.
        begins |= part.segment.starts_sentence
        if part.is_complaint or (part.is_empty and not part.clause.times):
            continue
        if begins and not pending:
            yield from _shared(sentence)
            sentence, front = [], ()
        begins = False
        whole, pending = pending, part.is_empty
        if part.is_empty:
            front = _front_of(part, front, anew=bool(sentence))
            continue
        clause = _with_front(part, front, whole=whole)
        clause = clause.inherit_day([before for _, before in sentence])
        clause = _counted_from(clause, last)
        last = clause
        if part.leading_times and clause.act is DialogueAct.COMMAND:
            front = (*_conditions_of(front), *part.leading_times)
        elif part.trailing_condition:
            front = part.trailing_condition
        sentence.append((part, clause))
    yield from _with_last(_shared(sentence), front if pending else (), parts)


def _counted_from(clause: Clause, before: Clause | None) -> Clause:
    """Return a clause with the time that it counts from, the previous one's: "an hour later"."""
    if before is None or not any(each.follows for each in clause.times):
        return clause
    begins = tuple(_end_of(each) for each in before.times if each.type not in CONDITIONS)
    return replace(clause, times=(*begins, *clause.times))


def _front_of(
    part: ClauseAnalysis, front: tuple[TimeExpression, ...], *, anew: bool
) -> tuple[TimeExpression, ...]:
    """Return the times before the next command; another event replaces the one before (`anew`)."""
    moments = part.clause.times
    if not (anew and any(each.type in EVENTS for each in moments)):
        return (*front, *moments)
    return _at_its_own_event(part.clause, front).times


def _with_front(part: ClauseAnalysis, front: tuple[TimeExpression, ...], *, whole: bool) -> Clause:
    """Return a clause with the times before it: "tomorrow turn this on and open that".

    `whole`: only times directly precede it, and belong to it: "tomorrow, at eight open it".
    """
    clause = part.clause
    if clause.act is DialogueAct.QUESTION:
        return clause
    if part.is_alternative:
        return replace(clause, times=(*_opposites(front), *clause.times))
    if not whole:
        front = _after(part, front)
    if any(each.type in EVENTS for each in clause.times):
        return _at_its_own_event(clause, _conditions_of(front))
    timed = part.says_now or any(each.type not in CONDITIONS for each in clause.times)
    if timed and (part.says_now or not whole):
        front = _conditions_of(front)
    return replace(clause, times=(*front, *clause.times))


def _at_its_own_event(clause: Clause, front: tuple[TimeExpression, ...]) -> Clause:
    """Return a clause with an event of its own: "when it opens, ..., and when it closes, ...".

    If the first event recurs, so does this one.
    """
    is_each = any(moment.type is TimeType.WHENEVER for moment in front)
    own = tuple(
        replace(each, type=TimeType.WHENEVER) if is_each and each.type in EVENTS else each
        for each in clause.times
    )
    others = tuple(each for each in front if each.type not in EVENTS)
    return replace(clause, times=(*others, *own))


def _conditions_of(moments: Iterable[TimeExpression]) -> tuple[TimeExpression, ...]:
    return tuple(each for each in moments if each.type in CONDITIONS)


def _opposites(front: Iterable[TimeExpression]) -> tuple[TimeExpression, ...]:
    """Return the times of "otherwise"."""
    opposite = tuple(
        replace(each, type=_OPPOSITE.get(each.type, TimeType.UNCLEAR))
        for each in _conditions_of(front)
    )
    return opposite or (TimeExpression(type=TimeType.UNCLEAR),)


def _with_last(
    clauses: Iterable[Clause], moments: tuple[TimeExpression, ...], parts: Sequence[ClauseAnalysis]
) -> Iterator[Clause]:
    """Yield the clauses; times behind all commands become shared times of each, or a clause."""
    found = [*clauses]
    for clause in found:
        yield replace(clause, times=(*clause.times, *(m.as_shared() for m in moments)))
    if moments and not found:
        text = joined([part.clause.text for part in parts])
        yield Clause(text=text, command=NOTHING, times=moments)


def _shared(sentence: Sequence[tuple[ClauseAnalysis, Clause]]) -> Iterator[Clause]:
    """Yield the clauses of a sentence; those without a time share the nearest one's.

    "Turn this on and open that in ten minutes" may delay both.
    """
    for place, (part, clause) in enumerate(sentence):
        if clause.times or part.says_now or not part.may_order:
            yield clause
            continue
        moments = _earlier(part, sentence[:place]) or _later(sentence[place + 1 :])
        before = sentence[place - 1] if place and part.segment.is_coordinated else None
        if before and before[1].negated and not (clause.negated or before[0].is_left_alone):
            moments = (*moments, TimeExpression(type=TimeType.UNCLEAR))
        yield replace(clause, times=tuple(each.as_shared() for each in moments))


def _earlier(
    part: ClauseAnalysis, before: Sequence[tuple[ClauseAnalysis, Clause]]
) -> tuple[TimeExpression, ...]:
    """Return the times that a clause inherits from one before it."""
    follows = part.is_sequel or part.segment.is_consequence
    for earlier, clause in reversed(before):
        if not (follows or earlier.is_for_devices):
            break
        if clause.times and earlier.may_order:
            moments = _after(part, clause.times)
            return moments if follows else tuple(m for m in moments if m.type is not TimeType.FOR)
    return ()


def _after(part: ClauseAnalysis, moments: tuple[TimeExpression, ...]) -> tuple[TimeExpression, ...]:
    """Return inherited times as of a clause; a sequel begins at the end of a duration.

    "Open it for ten minutes, then shut it again", "leave it on until ten, then lock up".
    """
    return tuple(map(_end_of, moments)) if part.reverts or part.is_sequel else moments


def _end_of(moment: TimeExpression) -> TimeExpression:
    match moment.type:
        case TimeType.FOR:
            return replace(moment, type=TimeType.IN)
        case TimeType.UNTIL:
            return replace(moment, type=TimeType.WHEN if moment.condition else TimeType.AT)
    return moment


def _later(after: Sequence[tuple[ClauseAnalysis, Clause]]) -> tuple[TimeExpression, ...]:
    """Return the times at the end of a later clause, if they may apply to both."""
    for part, _ in after:
        if part.reverts or part.says_now or part.has_anaphor or not part.is_for_devices:
            return ()
        if moments := part.clause.times:
            return tuple(each for each in moments if each not in part.leading_times)
    return ()
