"""Whether two words are forms of one, as far as their letters tell: "gutter" and "gutters", "lampka" and "lampce"."""

from itertools import takewhile
from typing import Final

_STEM: Final = 5
"""Letters that forms of a word begin with."""
_ENDING: Final = 3
_ENDINGS: Final = 5
"""Letters that each may end with, and both together: "courses" and "courgettes" are two words."""
_NEGATED: Final = 3
"""Letters of the shortest word that a prefix negates: "arm"."""
_NEGATING: Final = frozenset(("de", "des", "dis", "ent", "in", "ont", "un"))
_PLAIN: Final = frozenset(("", "be"))
"""What stands in the place of a negating prefix: nothing, or the Germanic "be-"."""


def is_alike(one: str, other: str, stem: int = _STEM) -> bool:
    """Return True if two words are forms of one: they begin alike, and only an ending differs.

    Shorter words are the same. Both are plain, as `words` returns them.
    """
    if one == other:
        return True
    same = _shared(one, other)
    ends = len(one) - same, len(other) - same
    return same >= stem and max(ends) <= _ENDING and sum(ends) <= _ENDINGS


def is_negation(one: str, other: str) -> bool:
    """Return True if a prefix makes one of two words the opposite of the other: "arm", "disarm".

    The prefix may stand within a compound: "Luftbefeuchter", "Luftentfeuchter".
    """
    first = _shared(one, other)
    one, other = one[first:], other[first:]
    last = _shared(one[::-1], other[::-1])
    prefixes = {one[: len(one) - last], other[: len(other) - last]}
    is_negated = not (prefixes.isdisjoint(_NEGATING) or prefixes.isdisjoint(_PLAIN))
    return is_negated and last >= _NEGATED


def _shared(one: str, other: str) -> int:
    """Return how many letters two words begin with alike."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
