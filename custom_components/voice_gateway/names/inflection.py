"""Whether two words are forms of one, as far as their letters tell: "gutter" and "gutters", "lampka" and "lampce"."""

from itertools import takewhile
from typing import Final

_STEM: Final = 5
"""Letters that forms of a word begin with."""
_ENDING: Final = 3
_ENDINGS: Final = 5
"""Letters that each may end with, and both together: "courses" and "courgettes" are two words."""


def is_alike(one: str, other: str, stem: int = _STEM) -> bool:
    """Return True if two words are forms of one: they begin alike, and only an ending differs.

    Shorter words are the same. Both are plain, as `words` returns them.
    """
    if one == other:
        return True
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    ends = len(one) - same, len(other) - same
    return same >= stem and max(ends) <= _ENDING and sum(ends) <= _ENDINGS
