"""The days on which a recurring command is not to be done: "every day except on Sundays"."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from .clauses import Stretch
from .said import Kind, Moment
from .tagged import Piece, Tagged
from .times import Times

_MOST: Final = 8
"""Words that may say which days."""
_DAYS: Final = frozenset(range(7))
_DAILY: Final = (None, 86400.0)
"""What "every day" and "every weekday" come to."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Days of the week, Monday is 0, and the tokens that say that they are left out."""

    days: frozenset[int] = frozenset()
    tokens: frozenset[int] = frozenset()

    def without(self, spans: Mapping[Piece, tuple[int, int]]) -> dict[Piece, tuple[int, int]]:
        """Return the pieces of a clause without the words for these days."""
        kept = {
            piece: [index for index in range(first, end) if index not in self.tokens]
            for piece, (first, end) in spans.items()
        }
        return {piece: (own[0], own[-1] + 1) for piece, own in kept.items() if own}

    def of(self, moment: Moment) -> Moment:
        """Return a moment without these days; one that has none of them is not certain."""
        if not self.days:
            return moment
        days = {*(moment.weekdays or _DAYS)} - self.days
        if moment.kind is not Kind.EVERY or moment.seconds not in _DAILY or not days:
            return replace(moment, unread=True)
        return replace(moment, weekdays=tuple(sorted(days)), seconds=None)


def days_left_out(tagged: Tagged, stretch: Stretch, times: Times) -> LeftOut:
    """Return the days that a clause excepts."""
    days: set[int] = set()
    tokens: set[int] = set()
    for first, end in tagged.forms("except", range(stretch.first, stretch.end)):
        found: tuple[int, ...] = ()
        until = end
        for after in range(end + 1, min(end + _MOST, stretch.end) + 1):
            if tagged.is_thing(after - 1):
                break
            said = times.timed(Moment(kind=Kind.EVERY), tagged.line.canonical(end, after))
            if said.time or said.sun or said.seconds:
                break
            if not said.unread and len(said.weekdays) > len(found):
                found, until = said.weekdays, after
        if found:
            days.update(found)
            tokens.update(range(first, until))
    return LeftOut(frozenset(days), frozenset(tokens))
