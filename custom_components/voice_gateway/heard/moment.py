"""When, whether and what for: what a sentence says besides what is to be done.

Everything is read from data, the phrases of each language in `languages/`. A language that has none
has no moments, and nothing is certain of its sentences.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from ..languages import language_of
from ..names.matching import words
from .clauses import Stretch, stretches
from .days import on_the_same_day
from .news import orders_beside
from .parts import CONDITIONS, EVENTS, Part, happening, part_of
from .phrases import verbs
from .referring import refers_back
from .reply import reply
from .reports import looked_at, only_by_answers, when_looked_at
from .said import Clause, Kind, Moment, Mood, Said
from .tagged import Tagged
from .taken_back import without_taken_back
from .times import times
from .told import with_told
from .vocabulary import vocabulary

LONGEST = 1000
"""Characters of a sentence that is read; of a longer one nothing is certain."""

_SHORT = 100
"""Characters of a sentence that is read in a millisecond, on a small computer in a few."""
_at_hand: dict[str, Collection[str]] = {}
"""For each language that is loaded, the names in its last sentence."""

_OPPOSITE = {Kind.IF: Kind.UNLESS, Kind.UNLESS: Kind.IF}


def read(text: str, language: str | None, names: Collection[str]) -> Said:
    """Return what a sentence says, clause by clause.

    The first sentence of a language, or with these names, takes longer: `load` does that part.

    Args:
        text: what was said. Its cost is linear in its length, and bounded.
        language: the code of its language.
        names: names and aliases of the devices, areas and floors. A moment's words within a name
            are none: "Game Room 2 at the Entry".
    """
    known = language_of(language)
    vocabulary(known.code)
    _at_hand[known.code] = names
    if len(text) > LONGEST:
        unclear = Moment(kind=Kind.UNCLEAR)
        return _said([Clause(text=text, command=text, moments=(unclear,))])
    if not known.moments:
        return _said([Clause(text=text, command=text)])
    tagged = Tagged(text, known, names)
    clauses = _by_answer(tagged, names) or _by_look(tagged, names)
    clauses = clauses or only_by_answers(_clauses(tagged))
    return _said(clauses or [Clause(text=text, command="")])


def _clauses(tagged: Tagged) -> Sequence[Clause]:
    """Return the clauses of a sentence, with the moments that they say for each other."""
    text, code = tagged.line.said, tagged.known.language.code
    parts: list[Part] = []
    for stretch in stretches(tagged):
        led = bool(parts and parts[-1].is_empty and parts[-1].clause.moments)
        parts.append(part_of(tagged, stretch, times(code), led=led))
    parts = [*_conditions(tagged, _sparing(without_taken_back(tagged, with_told(tagged, parts))))]
    clauses = [*_kept(_led(parts), code)]
    clauses = [_forbidding(each, code) for clause in clauses for each in _each_time(clause)]
    if _asks_when(tagged, clauses):
        clauses = [Clause(text=text, command=text, mood=Mood.QUESTION)]
    return clauses


def _by_answer(tagged: Tagged, names: Collection[str]) -> Sequence[Clause]:
    """Return the clauses of a question and what is to be done by its answer: "... and if so, ...".

    None of any other sentence. Only the first such words part it: each part is read once.
    """
    line, language = tagged.line, tagged.known.language
    for first, end in tagged.spans("if_so"):
        asked = _clauses(Tagged(line.spoken(range(first)), language, names))
        if not asked or asked[-1].mood is not Mood.QUESTION:
            return ()
        so = line.spoken(range(first, end))
        condition = Moment(kind=Kind.IF, text=so, condition=so, of_answer=True)
        wanted = _clauses(Tagged(line.spoken(range(end, len(tagged))), language, names))
        return *asked, *(replace(each, moments=(condition, *each.moments)) for each in wanted)
    return ()


def _by_look(tagged: Tagged, names: Collection[str]) -> Sequence[Clause]:
    """Return the clauses of an order to look at a text, and of what is to be done by it; else none."""
    line, language = tagged.line, tagged.known.language
    if not (first := looked_at(tagged)):
        return ()
    looks = line.spoken(range(first))
    rest = _clauses(Tagged(line.spoken(range(first, len(tagged))), language, names))
    conditions = [each.condition for clause in rest[:1] for each in clause.moments]
    condition = Tagged(" ".join(conditions), language, names)
    wanted = [when_looked_at(condition, each) for each in rest]
    asked = Clause(text=looks, command=looks, mood=Mood.QUESTION)
    return asked, *only_by_answers(wanted)


def _kept(clauses: Iterable[Clause], code: str) -> list[Clause]:
    """Return the clauses, what is done for a while as one: "turn it on and leave it on till six"."""
    found: list[Clause] = []
    for clause in clauses:
        ends = clause.moments and all(
            each.kind in (Kind.FOR, Kind.UNTIL) for each in clause.moments
        )
        match found:
            case [
                *_,
                Clause(mood=Mood.COMMAND, moments=(), negated=False, stays=False) as before,
            ] if ends and clause.stays and not clause.negated and refers_back(clause.text, code):
                text = f"{before.text}, {clause.text}"
                found[-1] = replace(before, text=text, moments=clause.moments)
            case _:
                found.append(clause)
    return found


def _each_time(clause: Clause) -> Sequence[Clause]:
    """Return a clause for each time at which it is to be done: "at seven and at nine"."""
    times_said = [each for each in clause.moments if each.kind is Kind.AT]
    if len(times_said) < 2 or clause.negated or not all(each.time for each in times_said):
        return [clause]
    return [
        replace(clause, moments=tuple(m for m in clause.moments if m is one or m not in times_said))
        for one in times_said
    ]


def _forbidding(clause: Clause, code: str) -> Clause:
    """Return a clause that excepts something of nothing as what it is: "schalte bloß nicht das Licht aus"."""
    said = words(clause.command)
    if not clause.excepted or clause.negated or not said or not verbs(code).issuperset(said):
        return clause
    return replace(clause, command=f"{clause.command} {clause.excepted}", excepted="", negated=True)


def _asks_when(tagged: Tagged, clauses: Sequence[Clause]) -> bool:
    """Tell whether a sentence asks when something is so: "quand s'éteint la lumière".

    Its verb follows at once, and there is no command that would wait for it.
    """
    match clauses:
        case [Clause(command="", moments=(Moment(kind=Kind.WHEN),))]:
            ends = (piece.end for piece in tagged.pieces if piece.opens)
            return any(tagged.form("finite", end) for end in ends)
    return False


def load(language: str | None, names: Collection[str] = ()) -> None:
    """Prepare for sentences of a language, and for these names in them.

    It takes some tenths of a second: not for the event loop.
    """
    known = language_of(language)
    if known.moments:
        times(known.code)
        reply("", known.code, ())
    read("", language, names)


def is_quick(text: str, language: str | None, names: Collection[str]) -> bool:
    """Tell whether the event loop can wait for `read` with the same arguments."""
    return len(text) <= _SHORT and _at_hand.get(language_of(language).code) is names


def _said(clauses: Sequence[Clause]) -> Said:
    moods = {clause.mood for clause in clauses}
    order = (Mood.COMMAND, Mood.QUESTION, Mood.STATEMENT, Mood.UNKNOWN)
    return Said(mood=next(mood for mood in order if mood in moods), clauses=tuple(clauses))


def _sparing(parts: Sequence[Part]) -> Sequence[Part]:
    """Return the parts, where one is only an exception with it in the command that it belongs to.

    "Except for the kitchen, turn everything off", "turn everything off. Not the kitchen".
    """
    found = [*parts]
    for place, part in enumerate(parts):
        if not (part.is_empty and part.clause.excepted):
            continue
        after = [at for at in range(place + 1, len(parts)) if not parts[at].stretch.begins]
        at = next((at for at in (*after, place - 1) if at >= 0 and not parts[at].is_empty), None)
        if at is not None:
            spared = ", ".join(filter(None, (found[at].clause.excepted, part.clause.excepted)))
            found[at] = replace(found[at], clause=replace(found[at].clause, excepted=spared))
    return found


def _conditions(tagged: Tagged, parts: Sequence[Part]) -> Iterator[Part]:
    """Yield the parts, those that are questions in form as the conditions that they are.

    "Is the door open, then close it." A part that goes on after a question by "and" is one, too: but
    for a command after what only asks for news.
    """
    remark: Mood | None = None
    asked: Stretch | None = None
    command = passes_on = False
    for part, after in zip(parts, [*parts[1:], None], strict=False):
        clause = part.clause
        if part.inverted and clause.mood is Mood.QUESTION and after and _tells(tagged, part, after):
            clause = replace(clause, mood=Mood.STATEMENT)
            part = replace(part, clause=clause)  # noqa: PLW2901
        elif part.inverted and clause.mood is Mood.QUESTION and after and _is_answer(part, after):
            condition = _as_condition(tagged, part)
            clause = replace(clause, command="", mood=Mood.UNKNOWN, moments=(condition,))
            part = replace(part, clause=clause, front=(condition,))  # noqa: PLW2901
        elif asked and _orders_beside(tagged, asked, part):
            pass
        elif remark and (part.stretch.joined or (passes_on and not part.stretch.begins)):
            clause = replace(clause, mood=remark, negated=False)
            if remark is Mood.QUESTION:
                clause = replace(clause, moments=())
            part = replace(part, clause=clause)  # noqa: PLW2901
        elif command and clause.mood is Mood.UNKNOWN and not part.stretch.begins:
            # "Turn it down, it was too loud" gives a reason.
            told = tagged.form("reports", part.stretch.first)
            mood = Mood.STATEMENT if told else Mood.COMMAND
            negated = clause.negated and not told
            part = replace(part, clause=replace(clause, mood=mood, negated=negated))  # noqa: PLW2901
        passes_on = part.passes_on
        command = part.clause.mood is Mood.COMMAND
        asked = part.stretch if clause.mood is Mood.QUESTION else None
        remark = clause.mood if clause.mood in (Mood.QUESTION, Mood.STATEMENT) else None
        yield part


def _orders_beside(tagged: Tagged, asked: Stretch, part: Part) -> bool:
    mood, back = part.clause.mood, part.refers_back
    return orders_beside(tagged, asked, part.stretch, mood, refers_back=back)


def _tells(tagged: Tagged, part: Part, after: Part) -> bool:
    """Tell whether a part is no question, as a command follows it: "è buio, accendi la luce".

    A verb begins either in such a language.
    """
    is_told = tagged.known.language.verb_first and not part.stretch.asked
    return is_told and after.clause.mood is Mood.COMMAND and not after.stretch.begins


def _as_condition(tagged: Tagged, part: Part) -> Moment:
    """Return what a question in form is: "should it rain" is "if it rains"."""
    first, end = part.stretch.first, part.stretch.end
    first = next((after for _, after in tagged.forms("supposes", range(first, end)[:1])), first)
    words = tagged.line.spoken(range(first, end))
    condition = Moment(kind=Kind.IF, text=part.clause.text, condition=words)
    return happening(tagged, condition, first, end)


def _is_answer(part: Part, after: Part) -> bool:
    """Tell whether a part says what is to be done if the one before is so."""
    if after.stretch.then:
        return True
    same = not (after.stretch.begins or after.stretch.joined or part.stretch.asked)
    return same and after.clause.mood is Mood.COMMAND


def _led(parts: Sequence[Part]) -> Iterator[Clause]:
    """Yield the clauses with the moments that other clauses of their sentence say for them."""
    front: tuple[Moment, ...] = ()
    pending = begins = False
    sentence: list[tuple[Part, Clause]] = []
    for part in parts:
        # "Well, ..." begins a sentence, and is no part of it.
        begins |= part.stretch.begins
        if part.complains or (part.is_empty and not part.clause.moments):
            continue
        if begins and not pending:
            yield from _shared(sentence)
            sentence, front = [], ()
        begins = False
        whole, pending = pending, part.is_empty
        if part.is_empty:
            front = _front_of(part, front, anew=bool(sentence) and not whole)
            continue
        clause = _with_front(part, front, whole=whole)
        clause = on_the_same_day(clause, [before for _, before in sentence])
        if part.front and clause.mood is not Mood.STATEMENT:
            front = (*_conditions_of(front), *part.front)
        elif part.tail:
            front = part.tail
        sentence.append((part, clause))
    yield from _with_last(_shared(sentence), front if pending else (), parts)


def _front_of(part: Part, front: tuple[Moment, ...], *, anew: bool) -> tuple[Moment, ...]:
    """Return what is before the next command: another event takes the place of one `anew`."""
    moments = part.clause.moments
    if not (anew and any(each.kind in EVENTS for each in moments)):
        return (*front, *moments)
    return _at_its_own_event(part.clause, front).moments


def _with_front(part: Part, front: tuple[Moment, ...], *, whole: bool) -> Clause:
    """Return a clause with the moments before it: "tomorrow turn this on and open that".

    `whole`: nothing but moments is right before it, which are its own: "tomorrow, at eight open it".
    """
    clause = part.clause
    if clause.mood is Mood.QUESTION:
        return clause
    if part.otherwise:
        return replace(clause, moments=(*_opposites(front), *clause.moments))
    if not whole:
        front = _after(part, front)
    if any(each.kind in EVENTS for each in clause.moments):
        return _at_its_own_event(clause, front if whole else _conditions_of(front))
    timed = part.says_now or any(each.kind not in CONDITIONS for each in clause.moments)
    if timed and (part.says_now or not whole):
        front = _conditions_of(front)
    return replace(clause, moments=(*front, *clause.moments))


def _at_its_own_event(clause: Clause, front: tuple[Moment, ...]) -> Clause:
    """Return a clause with an event of its own: "when it opens, ..., and when it closes, ...".

    Where the first is meant each time, so is this one.
    """
    is_each = any(moment.kind is Kind.WHENEVER for moment in front)
    own = tuple(
        replace(each, kind=Kind.WHENEVER) if is_each and each.kind is Kind.WHEN else each
        for each in clause.moments
    )
    others = tuple(each for each in front if each.kind not in EVENTS)
    return replace(clause, moments=(*others, *own))


def _conditions_of(moments: Iterable[Moment]) -> tuple[Moment, ...]:
    return tuple(each for each in moments if each.kind in CONDITIONS)


def _opposites(front: Iterable[Moment]) -> tuple[Moment, ...]:
    """Return when "otherwise" is."""
    opposite = tuple(
        replace(each, kind=_OPPOSITE.get(each.kind, Kind.UNCLEAR)) for each in _conditions_of(front)
    )
    return opposite or (Moment(kind=Kind.UNCLEAR),)


def _with_last(
    clauses: Iterable[Clause], moments: tuple[Moment, ...], parts: Sequence[Part]
) -> Iterator[Clause]:
    """Yield the clauses, with moments after all commands, or of none."""
    found = [*clauses]
    if not moments:
        yield from found
    elif found:
        for clause in found:
            yield replace(clause, moments=(*clause.moments, *(m.for_others() for m in moments)))
    else:
        text = " ".join(part.clause.text for part in parts)
        yield Clause(text=text, command="", moments=moments)


def _shared(sentence: Sequence[tuple[Part, Clause]]) -> Iterator[Clause]:
    """Yield the clauses of a sentence, those without a moment with the nearest one's.

    "Turn this on and open that in ten minutes" may mean both.
    """
    for place, (part, clause) in enumerate(sentence):
        if clause.moments or part.says_now or clause.mood is Mood.QUESTION:
            yield clause
            continue
        moments = _earlier(part, sentence[:place]) or _later(sentence[place + 1 :])
        before = sentence[place - 1] if place and part.stretch.joined else None
        if before and before[1].negated and not (clause.negated or before[0].left_alone):
            moments = (*moments, Moment(kind=Kind.UNCLEAR))
        yield replace(clause, moments=tuple(each.for_others() for each in moments))


def _earlier(part: Part, before: Sequence[tuple[Part, Clause]]) -> tuple[Moment, ...]:
    """Return the moments of the clause before."""
    for _, clause in reversed(before):
        if clause.mood is Mood.STATEMENT or not clause.moments:
            continue
        return _after(part, clause.moments)
    return ()


def _after(part: Part, moments: tuple[Moment, ...]) -> tuple[Moment, ...]:
    """Return the moments of what is before a clause as it has them: at the end of what it follows.

    "Open it for ten minutes, then shut it again", "leave it on until ten, then lock up".
    """
    return tuple(map(_end_of, moments)) if part.again or part.follows else moments


def _end_of(moment: Moment) -> Moment:
    match moment.kind:
        case Kind.FOR:
            return replace(moment, kind=Kind.IN)
        case Kind.UNTIL:
            return replace(moment, kind=Kind.WHEN if moment.condition else Kind.AT)
    return moment


def _later(after: Sequence[tuple[Part, Clause]]) -> tuple[Moment, ...]:
    """Return the moments at the end of a clause after, if they may be meant for both."""
    for part, clause in after:
        if part.again or part.says_now or part.refers_back or part.tells_when:
            return ()
        if part.clause.moments and clause.mood is not Mood.STATEMENT:
            return tuple(each for each in part.clause.moments if each not in part.front)
    return ()
