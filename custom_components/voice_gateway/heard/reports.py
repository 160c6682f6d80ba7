"""Conditions that only what is to be read can decide: "if the forecast says rain, close it"."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from .mood import beginning
from .said import Clause, Kind, Moment
from .tagged import Tagged

_IFS: Final = frozenset((Kind.IF, Kind.UNLESS))
_PEOPLE: Final = ("persons", "own")


def of_report(tagged: Tagged, moment: Moment, first: int, end: int) -> Moment:
    """Return the moment of a condition as one that is found out, if its words say what a text says.

    What somebody says themselves is in no text.
    """
    own = range(first, end)
    says = {index for index, _ in tagged.forms("reported", own)}
    if moment.kind not in _IFS or not says or _is_of_people(tagged, own):
        return moment
    # "If somebody says": what may be an article elsewhere is none right before a verb.
    somebody = {end for _, end in _counted(tagged, ("some",))}
    return moment if says & somebody else replace(moment, of_answer=True)


def looked_at(tagged: Tagged) -> int:
    """Return where the condition begins that follows an order to look at some text; 0 where none does.

    "Look at the forecast, and if it pours, ...". Of a device it is its state that is looked at.
    """
    start = beginning(tagged, range(len(tagged)))
    # "Mira" is a polite word besides.
    leads = [*tagged.forms("looks_at", range(start[0] + 1))] if start else []
    if not leads:
        return 0
    first = next((each.first for each in tagged.pieces if each.opens and each.name in _IFS), 0)
    texts = [token.text for token in tagged.line.tokens]
    looked = range(leads[0][1], first)
    is_apart = any(tagged.is_comma(at) or tagged.is_joint(at) for at in (first - 1, first))
    is_apart = is_apart or texts[first] in tagged.known.language.joints
    does = any(True for form in ("verbs", "states") for _ in tagged.forms(form, looked))
    return first if is_apart and not does and tagged.known.kinds.isdisjoint(texts[:first]) else 0


def when_looked_at(tagged: Tagged, clause: Clause) -> Clause:
    """Return what is to be done after something was looked at, its conditions as those of that.

    `tagged` is the condition by itself. What it says of the home, and who is there, shows otherwise.
    """
    own = range(len(tagged))
    if any(map(tagged.is_thing, own)) or _is_of_people(tagged, own):
        return clause
    moments = (replace(each, of_answer=each.kind in _IFS) for each in clause.moments)
    return replace(clause, moments=tuple(moments))


def only_by_answers(clauses: Iterable[Clause]) -> list[Clause]:
    """Return the clauses, those that are for another moment besides without what is found out before it."""
    return [
        each
        if all(one.kind in _IFS for one in each.moments)
        else replace(each, moments=tuple(replace(one, of_answer=False) for one in each.moments))
        for each in clauses
    ]


def _is_of_people(tagged: Tagged, own: range) -> bool:
    if any(True for form in _PEOPLE for _ in tagged.forms(form, own)):
        return True
    return any(first in own for first, _ in _counted(tagged, ("everyone", "none")))


def _counted(tagged: Tagged, how: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield where words say how many: everybody, nobody or somebody."""
    patterns = (pattern for each in how for pattern in tagged.known.conditions.get(each, ()))
    return (span for pattern in patterns for span in tagged.line.find(pattern))
