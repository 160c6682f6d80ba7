"""A clause on its own: its moments, what it negates and excepts, and the command that is left."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from .clauses import Stretch
from .corrected import corrected
from .left_out import days_left_out
from .mood import beginning, mood_of, passes_on
from .referring import refers_back
from .reports import of_report
from .said import Clause, Kind, Moment, Mood
from .tagged import Piece, Tagged
from .times import Times

EVENTS = frozenset((Kind.WHEN, Kind.WHENEVER))
CONDITIONS = frozenset((Kind.IF, Kind.UNLESS)) | EVENTS
_OF_EVENTS = {
    Kind.IF: Kind.AT,
    Kind.WHEN: Kind.AT,
    Kind.WHENEVER: Kind.EVERY,
    Kind.UNTIL: Kind.UNTIL,
    Kind.BEFORE: Kind.BEFORE,
}
"""Kinds of conditions that may be events, and of what they are at the sun's time."""
_MERGED = frozenset(("at", "hour", "every"))
_OF_TIMERS = frozenset(("for", "at", "hour"))
_BARE = frozenset(("hour", "until_hour"))
_DROPPED = frozenset(("now", "plain", "because"))
_WHILES = frozenset((Kind.FOR, Kind.UNTIL))
_MAY_BE_TIMES = frozenset((Kind.IF, Kind.WHEN, Kind.WHENEVER, Kind.UNTIL))
_DOES = ("verbs", "states", "requests", "wishes", "orders")
_TOLD = ("notify", "remind", "tell")
_THEN = 2
"""Words among which "then" is, where it is not before them: some languages have the verb first."""
_LEFT_OUT = ("polite", "requests", "wishes", "then", "otherwise")


type _Words = tuple[int, int, str]
"""Some tokens, the first and the one after the last, and what sort of moment they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A clause before it is known what the others say for it."""

    clause: Clause
    stretch: Stretch
    front: tuple[Moment, ...]
    """Those of its moments that stand before its command."""
    tail: tuple[Moment, ...]
    """The condition at the end of a question, which may be the next command's: "how warm is it, if
    it is below 20, ..."."""
    says_now: bool
    again: bool
    """It takes back what was done: "and off again"."""
    follows: bool
    """It is done after what was said before it: "then lock the door", "schließ dann ab"."""
    refers_back: bool
    """It speaks of what was named before: "turn it off"."""
    otherwise: bool
    inverted: bool
    """It is a question that may be a condition: "is the door open, close it"."""
    passes_on: bool
    """What follows is what somebody else says: "Anna says, you shall..."."""
    left_alone: bool
    """It negates by words around what is to be left as it is: "leave the lamp alone"."""
    complains: bool
    """It is about what was done before: "not so bright"."""
    tells_when: bool
    """Its moment is what the user wants to be told: "tell me when the tram comes"."""

    @property
    def is_empty(self) -> bool:
        """Whether it has no command, but moments perhaps."""
        return not self.clause.command


def part_of(tagged: Tagged, stretch: Stretch, times: Times, *, led: bool) -> Part:
    """Read a clause of a sentence; `led`: after one that has only moments."""
    left_out = days_left_out(tagged, stretch, times)
    spans = left_out.without(_spans(tagged, stretch))
    taken = {index for first, end in spans.values() for index in range(first, end)}
    taken |= left_out.tokens
    excepted, its_words = _excepted(tagged, stretch, taken)
    taken |= its_words
    taken |= {index for index in _joints(tagged, stretch) if {index - 1, index + 1} <= taken}
    left = [index for index in range(stretch.first, stretch.end) if index not in taken]
    moments = _moments(tagged, spans, times)
    moments = [(first, left_out.of(moment)) for first, moment in moments]
    # "Every day except on holidays"
    is_vague = bool(its_words) and not any(map(tagged.is_thing, its_words))
    is_vague = is_vague and any(each.kind is Kind.EVERY for _, each in moments)
    if is_vague or times.are_left(tagged.line.canonical_of(left)):
        moments = [(first, replace(moment, unread=True)) for first, moment in moments]
    if any(moment.kind in _WHILES for _, moment in moments):
        left = _without_its_end(tagged, left)
    start = beginning(tagged, left)
    opening = range(stretch.first, start[0] + 1) if start else range(0)
    spoken = tagged.line.spoken(range(stretch.first, stretch.end))
    front = tuple(moment for first, moment in moments if not start or first < start[0])
    # "So do the chill out thing" asks nothing.
    led = led or bool(front) or stretch.hence
    mood = mood_of(tagged, left, asked=stretch.asked, led=led)
    if stretch.why and start:
        mood = Mood.STATEMENT
    is_remark = mood in (Mood.QUESTION, Mood.STATEMENT)
    telling = _opens_words(tagged, "tells_others", opening)
    # What somebody is to be told, or is to be remembered, denies nothing itself.
    own = [index for index in left if not telling or index < telling]
    negation = set() if is_remark else _negation(tagged, own, start)
    return Part(
        clause=Clause(
            text=spoken,
            command=spoken if is_remark else tagged.line.spoken(_command(tagged, start, negation)),
            mood=mood,
            moments=tuple(moment for _, moment in moments) if mood is not Mood.QUESTION else (),
            negated=bool(negation),
            excepted=excepted,
            stays=any(True for _ in tagged.forms("stays", own)),
            tells_others=telling > 0,
            is_of_text=_opens_words(tagged, "of_texts", opening) > 0,
        ),
        stretch=stretch,
        front=front,
        tail=_tail(tagged, spans, stretch, moments) if mood is Mood.QUESTION else (),
        says_now=any(piece.name == "now" for piece in spans),
        again=any(True for _ in tagged.forms("again", left)),
        follows=stretch.then or any(tagged.form("then", index) for index in start[:_THEN]),
        refers_back=refers_back(spoken, tagged.known.language.code),
        otherwise=bool(start and tagged.form("otherwise", start[0])),
        inverted=bool(start and tagged.form("inverted", start[0])),
        passes_on=is_remark and passes_on(tagged, stretch.end, start, mood),
        left_alone=not is_remark and any(True for _ in _around(tagged, left)),
        complains=bool(start) and _complains(tagged, left, start[0]),
        tells_when=bool(moments) and _only_tells(tagged, start),
    )


def _only_tells(tagged: Tagged, start: Sequence[int]) -> bool:
    """Tell whether a clause says, besides its moment, nothing but that the user is to be told."""
    if not start:
        return False
    patterns = (each for lead in _TOLD for each in tagged.known.plans.get(lead, ()))
    spans = (span for pattern in patterns for span in tagged.line.find(pattern))
    return any(first <= start[0] and start[-1] < end for first, end in spans)


def _opens_words(tagged: Tagged, form: str, opening: range) -> int:
    """Return where the words follow with which a clause does something, and with no device; else 0."""
    return next(
        (
            end
            for first, end in tagged.forms(form, opening)
            if not any(map(tagged.is_thing, range(first, end)))
        ),
        0,
    )


def _without_its_end(tagged: Tagged, left: list[int]) -> list[int]:
    """Return the tokens of a clause without what only says that its while is over: "..., then off again"."""
    for at, _ in tagged.forms("then", left[1:]):
        behind = [index for index in left if index >= at]
        said = {
            index
            for form in ("then", "again", "states", "polite")
            for first, end in tagged.forms(form, behind)
            for index in range(first, end)
        }
        is_told = any(True for _ in tagged.forms("states", behind))
        if is_told and all(each in said or tagged.line.tokens[each].is_mark for each in behind):
            return left[: left.index(at)]
    return left


def _spans(tagged: Tagged, stretch: Stretch) -> dict[Piece, tuple[int, int]]:
    """Return the pieces of a clause with the tokens that belong to each."""
    timed = any(tagged.form("timers", index) for index in range(stretch.first, stretch.end))
    levelled = _is_level(tagged, stretch)
    spans: dict[Piece, tuple[int, int]] = {}
    reached = stretch.first
    for piece in tagged.pieces:
        if not reached <= piece.first < stretch.end or piece.name == "kept":
            continue
        if (timed and piece.name in _OF_TIMERS) or (levelled and piece.name in _BARE):
            continue
        reached = piece.end
        if piece.opens:
            reached = _comma(tagged, piece.end, stretch.end)
        spans[piece] = (piece.first, reached)
    return spans


def _tail(
    tagged: Tagged,
    spans: Mapping[Piece, tuple[int, int]],
    stretch: Stretch,
    moments: Iterable[tuple[int, Moment]],
) -> tuple[Moment, ...]:
    """Return the condition that a clause ends with, where a pause or a joint parts it from the rest."""
    parted = {
        first
        for piece, (first, end) in spans.items()
        if piece.opens and end == stretch.end and first > stretch.first and _is_apart(tagged, first)
    }
    return tuple(each for first, each in moments if first in parted and each.kind in CONDITIONS)


def _is_apart(tagged: Tagged, first: int) -> bool:
    return tagged.is_comma(first - 1) or tagged.is_joint(first - 1)


def _joints(tagged: Tagged, stretch: Stretch) -> Iterator[int]:
    return (index for index in range(stretch.first, stretch.end) if tagged.is_joint(index))


def _is_level(tagged: Tagged, stretch: Stretch) -> bool:
    """Tell whether a bare number may be how much: "set the volume at 8"."""
    own = range(stretch.first, stretch.end)
    return any(tagged.form("levels", index) for index in own) and not any(
        tagged.line.tokens[index].text[0].isdigit() for index in own if not tagged.is_inside(index)
    )


def _comma(tagged: Tagged, first: int, end: int) -> int:
    return next((index for index in range(first, end) if tagged.is_comma(index)), end)


def _moments(
    tagged: Tagged, spans: dict[Piece, tuple[int, int]], times: Times
) -> list[tuple[int, Moment]]:
    """Return the moments of a clause, each with its first token."""
    found: list[tuple[int, Moment]] = []
    merged: list[_Words] = []
    for piece, (first, end) in spans.items():
        if piece.name in _MERGED and not piece.opens:
            merged.append((first, end, piece.name))
        elif piece.name not in _DROPPED:
            found.append((first, _moment(tagged, piece, end, times)))
    found += _at(tagged, merged, times)
    return sorted(found, key=lambda each: each[0])


def _moment(tagged: Tagged, piece: Piece, end: int, times: Times) -> Moment:
    moment = Moment(
        kind=Kind(piece.name.removesuffix("_hour")),
        text=tagged.line.spoken(range(piece.first, end)),
    )
    if piece.opens:
        return _opened(tagged, moment, (piece.end, end), times)
    words = tagged.line.canonical(piece.first, end)
    if moment.kind in (Kind.UNTIL, Kind.BEFORE):
        return times.timed(moment, words)
    before = tagged.line.canonical(0, piece.first) if moment.kind is Kind.IN else ""
    return replace(moment, seconds=times.seconds(words, before))


def _opened(tagged: Tagged, moment: Moment, span: tuple[int, int], times: Times) -> Moment:
    """Return a moment with what it opens, which may be a time: "when the sun sets"."""
    moment = replace(moment, condition=tagged.line.spoken(range(*span)))
    moment = of_report(tagged, happening(tagged, moment, *span), *span)
    if moment.sun or moment.kind not in _MAY_BE_TIMES or not moment.condition:
        return moment
    timed = times.timed(moment, tagged.line.canonical(*span))
    return moment if timed.unread or not (timed.time or timed.sun) else timed


def happening(tagged: Tagged, moment: Moment, first: int, end: int) -> Moment:
    """Return the moment of a condition as that of an event, if its words say what happens.

    It may be that the sun sets, which is a time.
    """
    if moment.kind not in _OF_EVENTS:
        return moment
    if sun := tagged.happening.of_sun(first, end):
        return replace(moment, kind=_OF_EVENTS[moment.kind], sun=sun, condition="")
    if moment.kind is Kind.IF and tagged.happening.is_event(first, end):
        return replace(moment, kind=Kind.WHEN)
    return moment


def _at(tagged: Tagged, merged: Sequence[_Words], times: Times) -> Iterator[tuple[int, Moment]]:
    """Yield the moments at days and times, which may stand apart: "tomorrow turn it on at seven"."""
    days: list[_Words] = []
    clocks: list[list[_Words]] = []
    for each in merged:
        words = tagged.line.canonical(each[0], each[1])
        (clocks.append([each]) if times.says_when(words) else days.append(each))
    groups = _each_day(tagged, days, clocks, times)
    for group in groups or [[*days, *each] for each in clocks or [[]]]:
        if not group:
            return
        pieces = sorted(group)
        kind = Kind.EVERY if any(name == "every" for *_, name in pieces) else Kind.AT
        indexes = [index for first, end, _ in pieces for index in range(first, end)]
        words = " ".join(tagged.line.canonical(first, end) for first, end, _ in pieces)
        moment = times.timed(Moment(kind=kind, text=tagged.line.spoken(indexes)), words)
        if not _is_today(moment):
            yield pieces[0][0], moment


def _each_day(
    tagged: Tagged, days: Sequence[_Words], clocks: Sequence[Sequence[_Words]], times: Times
) -> list[list[_Words]]:
    """Return the pieces for each of some days with a time in common.

    "Tomorrow and on Friday at eight"; nothing where there are no such days.
    """
    if len(clocks) != 1 or any(name == "every" for *_, name in days):
        return []
    (first, end, name), *_ = clocks[0]
    for at in range(first + 1, end if days else first):
        if _is_day(tagged, first, at, times) and times.says_when(tagged.line.canonical(at, end)):
            days, first = sorted([*days, (first, at, name)]), at
            break
    joined = all(tagged.is_joint(each[0] - 1) or tagged.is_comma(each[0] - 1) for each in days[1:])
    if len(days) < 2 or not joined or not all(_is_day(tagged, *each[:2], times) for each in days):
        return []
    return [[each, (first, end, name)] for each in days]


def _is_day(tagged: Tagged, first: int, end: int, times: Times) -> bool:
    said = times.timed(Moment(kind=Kind.AT), tagged.line.canonical(first, end))
    return not said.time and bool(said.weekdays or said.month_day or said.day_offset is not None)


def _is_today(moment: Moment) -> bool:
    """Tell whether a moment is nothing but "today", which now is, too."""
    said = moment.time or moment.meridiem or moment.daytime or moment.sun or moment.weekdays
    return moment.kind is Kind.AT and moment.day_offset == 0 and not (said or moment.unread)


def _excepted(tagged: Tagged, stretch: Stretch, taken: set[int]) -> tuple[str, set[int]]:
    """Return what a clause leaves out, and the tokens that say so."""
    own = [index for index in range(stretch.first, stretch.end) if index not in taken]
    start = beginning(tagged, own)[:1]
    words: list[int] = []
    gone: set[int] = set()
    for first, end in tagged.forms("except", own):
        if [first] == start and (tagged.form("not", first) or tagged.form("not_first", first)):
            continue  # "not the lamp, the radio": it is the whole clause
        until = _exception_end(tagged, stretch, own, first, end)
        words += [index for index in range(end, until) if index not in gone]
        gone.update(range(first, until))
    for pattern in tagged.known.forms.get("except_around", ()):
        for (first, end), inside in zip(
            tagged.line.find(pattern), tagged.line.find(pattern, "any"), strict=True
        ):
            if set(range(first, end)) <= set(own):
                words += range(*inside)
                gone.update(range(first, end))
    for thing, taken_back in corrected(tagged, own):
        words += thing
        gone.update(thing, taken_back)
    for first, end in _all_but(tagged, own):
        until = _exception_end(tagged, stretch, own, first, end)
        if not any(_tells(tagged, index) or tagged.denies(index) for index in range(end, until)):
            words += range(end, until)
            gone.update(range(first, until))
    polite = {i for first, end in tagged.forms("polite", words) for i in range(first, end)}
    return tagged.line.spoken(index for index in words if index not in polite), gone


def _all_but(tagged: Tagged, own: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield what may open an exception after all of something: "turn everything off but the lamp"."""
    all_words = tagged.known.language.all
    for first, end in tagged.forms("but", own):
        before, after = ([i for i in own if i < first], [i for i in own if i >= end])
        is_all = any(tagged.line.tokens[index].text in all_words for index in before)
        if is_all and any(map(tagged.is_thing, after)):
            yield first, end


def _exception_end(
    tagged: Tagged, stretch: Stretch, own: Sequence[int], first: int, end: int
) -> int:
    """Return where the words of an exception end: before the command that follows.

    "All but the lamp off", "except the lamp turn everything off".
    """
    free = set(own)
    until = next(
        (i for i in range(end, stretch.end) if i not in free or tagged.is_comma(i)), stretch.end
    )
    if any(_tells(tagged, index) for index in own if index < first):
        return until
    named = end
    if any(index < first for index in own):
        named = next((index for index in range(end, until) if tagged.is_thing(index)), end)
    all_words = tagged.known.language.all
    return next(
        (
            index
            for index in range(named + 1, until)
            if tagged.line.tokens[index].text in all_words or _tells(tagged, index)
        ),
        until,
    )


def _tells(tagged: Tagged, index: int) -> bool:
    """Tell whether a token says what is to be done, or how something is to be."""
    return any(tagged.form(form, index) for form in _DOES)


def _negation(tagged: Tagged, left: Sequence[int], start: Sequence[int]) -> set[int]:
    """Return the tokens that negate a clause."""
    if not start:
        return set()
    found = [each for each in tagged.forms("not", left) if not tagged.is_part(each[0])]
    if end := tagged.form("not_first", start[0]):
        found.append((start[0], end))
    found += _around(tagged, left)
    return {
        index
        for first, end in found
        if first > start[0] or (end <= left[-1] and not tagged.line.tokens[end].is_mark)
        for index in range(first, end)
    }


def _around(tagged: Tagged, left: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield where words stand around what is to be left as it is: "leave the lamp alone"."""
    for pattern in tagged.known.forms.get("left_alone", ()):
        for (first, end), (inner, after) in zip(
            tagged.line.find(pattern), tagged.line.find(pattern, "any"), strict=True
        ):
            # A moment may stand within: "leave the lamp alone today".
            if {*range(first, inner), *range(after, end)} <= set(left):
                yield first, inner
                yield after, end


def _complains(tagged: Tagged, left: Sequence[int], first: int) -> bool:
    return bool(tagged.form("complaints", first)) and not any(
        True for _ in tagged.forms("verbs", left)
    )


def _command(tagged: Tagged, start: Sequence[int], negation: set[int]) -> Iterator[int]:
    end = 0
    for index in start:
        end = max(end, *(tagged.form(form, index) for form in _LEFT_OUT))
        is_inside = tagged.form("inside", index) and tagged.follows("heres", index)
        if index >= end and index not in negation and not is_inside:
            yield index
