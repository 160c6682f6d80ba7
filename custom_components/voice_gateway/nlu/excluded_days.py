"""Excluded days of a recurrence: "every day except on Sundays"."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from .annotations import AnnotatedText, TimeSpan
from .clause import TimeExpression, TimeType
from .clause_segmentation import Segment
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
