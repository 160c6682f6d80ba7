"""Conditions that only a text can decide: "if the forecast says rain, close it"."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from .annotations import AnnotatedText
from .clause import Clause
from .dialogue_acts import content_tokens
from .time_resolution import TimeExpression, TimeType

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
