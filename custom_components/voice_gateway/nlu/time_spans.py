"""Times and conditions with an exception: excluded days, and conditions that only a text can decide."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from .annotations import AnnotatedText, TimeSpan
from .clause import Clause, TimeExpression, TimeType
from .clause_segmentation import Segment
from .dialogue_acts import content_tokens
from .time_expressions import TimeParser

_MOST: Final = 8
"""Words that may say which days."""
_DAYS: Final = frozenset(range(7))
_DAILY: Final = (None, 86400.0)
"""What "every day" and "every weekday" come to."""


@dataclass(frozen=True, slots=True)
class ExcludedDays:
    """Days of the week, Monday is 0, and the tokens that say that they are left out."""

    days: frozenset[int] = frozenset()
    tokens: frozenset[int] = frozenset()

    def without(self, spans: Mapping[TimeSpan, tuple[int, int]]) -> dict[TimeSpan, tuple[int, int]]:
        """Return the pieces of a clause without the words for these days."""
        kept = {
            piece: [index for index in range(first, end) if index not in self.tokens]
            for piece, (first, end) in spans.items()
        }
        return {piece: (own[0], own[-1] + 1) for piece, own in kept.items() if own}

    def of(self, moment: TimeExpression) -> TimeExpression:
        """Return a moment without these days; one that has none of them is not certain."""
        if not self.days:
            return moment
        days = {*(moment.weekdays or _DAYS)} - self.days
        if moment.type is not TimeType.EVERY or moment.seconds not in _DAILY or not days:
            return replace(moment, is_unread=True)
        return replace(moment, weekdays=tuple(sorted(days)), seconds=None)


def find_excluded_days(
    annotated: AnnotatedText, segment: Segment, times: TimeParser
) -> ExcludedDays:
    """Return the days that a clause excepts."""
    days: set[int] = set()
    tokens: set[int] = set()
    for first, end in annotated.spans_among("except", range(segment.first, segment.end)):
        found: tuple[int, ...] = ()
        until = end
        for after in range(end + 1, min(end + _MOST, segment.end) + 1):
            if annotated.is_thing(after - 1):
                break
            said = times.parse(
                TimeExpression(type=TimeType.EVERY), annotated.sequence.normalized(end, after)
            )
            if said.time or said.sun or said.seconds:
                break
            if not said.is_unread and len(said.weekdays) > len(found):
                found, until = said.weekdays, after
        if found:
            days.update(found)
            tokens.update(range(first, until))
    return ExcludedDays(frozenset(days), frozenset(tokens))


_IFS: Final = frozenset((TimeType.IF, TimeType.UNLESS))
_PEOPLE: Final = ("persons", "own")


def as_reported_condition(
    annotated: AnnotatedText, moment: TimeExpression, first: int, end: int
) -> TimeExpression:
    """Return the moment of a condition as one that is found out, if its words say what a text says.

    What somebody says themselves is in no text.
    """
    own = range(first, end)
    says = {index for index, _ in annotated.spans_among("reported", own)}
    if moment.type not in _IFS or not says or _is_of_people(annotated, own):
        return moment
    # "If somebody says": what may be an article elsewhere is none right before a verb.
    somebody = {end for _, end in _counted(annotated, ("some",))}
    return moment if says & somebody else replace(moment, depends_on_answer=True)


def condition_after_lookup(annotated: AnnotatedText) -> int:
    """Return where the condition begins that follows an order to look at some text; 0 where none does.

    "Look at the forecast, and if it pours, ...". Of a device it is its state that is looked at.
    """
    start = content_tokens(annotated, range(len(annotated)))
    # "Mira" is a polite word besides.
    leads = [*annotated.spans_among("looks_at", range(start[0] + 1))] if start else []
    if not leads:
        return 0
    first = next(
        (each.first for each in annotated.time_spans if each.opens and each.name in _IFS), 0
    )
    texts = [token.text for token in annotated.sequence.tokens]
    looked = range(leads[0][1], first)
    is_apart = any(
        annotated.is_comma(at) or annotated.is_conjunction(at) for at in (first - 1, first)
    )
    is_apart = is_apart or texts[first] in annotated.patterns.language.conjunctions
    does = any(True for form in ("verbs", "states") for _ in annotated.spans_among(form, looked))
    return (
        first
        if is_apart and not does and annotated.patterns.category_words.isdisjoint(texts[:first])
        else 0
    )


def as_lookup_condition(annotated: AnnotatedText, clause: Clause) -> Clause:
    """Return what is to be done after something was looked at, its conditions as those of that.

    `tagged` is the condition by itself. What it says of the home, and who is there, shows otherwise.
    """
    own = range(len(annotated))
    if any(map(annotated.is_thing, own)) or _is_of_people(annotated, own):
        return clause
    moments = (replace(each, depends_on_answer=each.type in _IFS) for each in clause.times)
    return replace(clause, times=tuple(moments))


def keep_answer_conditions(clauses: Iterable[Clause]) -> list[Clause]:
    """Return the clauses, those that are for another moment besides without what is found out before it."""
    return [
        each
        if all(one.type in _IFS for one in each.times)
        else replace(each, times=tuple(replace(one, depends_on_answer=False) for one in each.times))
        for each in clauses
    ]


def _is_of_people(annotated: AnnotatedText, own: range) -> bool:
    if any(True for form in _PEOPLE for _ in annotated.spans_among(form, own)):
        return True
    return any(first in own for first, _ in _counted(annotated, ("everyone", "none")))


def _counted(annotated: AnnotatedText, how: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield where words say how many: everybody, nobody or somebody."""
    patterns = (pattern for each in how for pattern in annotated.patterns.conditions.get(each, ()))
    return (span for pattern in patterns for span in annotated.sequence.find(pattern))
