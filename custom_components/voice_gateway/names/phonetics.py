"""The phonetic distance of two names: a speech engine replaces a name that it does not know.

"The leaving room" is the Living Room, "bedroom too" is Bedroom 2. Words are compared by their
sounds, whose spellings are listed in `languages/`, under `sounds`.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, groupby
import math
import re
from typing import Final
import unicodedata

from ..languages import language_of

_VOWELS: Final = frozenset("aeiouy")
_NEAR: Final = ("pb", "tdT", "kg", "fvTw", "szSZT", "mn", "lr")
"""Consonants that engines confuse: T as in "three", S as in "she", Z as in "measure"."""
_APART: Final = ("pb", "td", "kg", "szSZ", "mn")
"""Groups whose sounds are neither confused with another group's nor hardly audible."""
_WEAK: Final = frozenset("hwr")
"""Sounds that are hardly audible, and easily missing."""
_SLIGHT: Final = 0.3
_FAINT: Final = 0.5
_WHOLE: Final = 1.0
_MISSING: Final = dict.fromkeys(_VOWELS | _WEAK, _FAINT)
"""The cost of a missing sound; by default `_WHOLE`."""
_ALIKE: Final = {
    letter: "".join(group for group in (*_NEAR, "".join(_VOWELS)) if letter in group)
    for letter in "".join((*_NEAR, *_VOWELS))
}
"""The sounds that each sound is confused with."""
_LONGEST: Final = 60
"""Letters that are compared; no spoken name is longer."""


@lru_cache(4096)
def sound(text: str, code: str) -> str:
    """Return the sounds of a text in a language, by its code: one letter each, without spaces.

    "Kitchen" is "kitSen". Without a list for the language, the spelling is returned.
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(each for each in plain if not unicodedata.combining(each))
    spoken = "".join(_sound_of(word, code) for word in re.findall(r"[^\W_]+", plain))
    return "".join(letter for letter, _ in groupby(spoken))[:_LONGEST]


def _sound_of(word: str, code: str) -> str:
    spellings, pattern = _spellings(code)
    if not spellings:
        return word
    return pattern.sub(lambda found: spellings[found[0]], f" {word} ").strip()


@lru_cache
def _spellings(code: str) -> tuple[dict[str, str], re.Pattern[str]]:
    """Return the sound of each spelling, and a pattern for the longest of them."""
    listed = language_of(code).sounds
    known = {
        "".join(c for c in unicodedata.normalize("NFKD", one) if not unicodedata.combining(c)): as_
        for as_, spellings in listed.items()
        for one in spellings
    }
    sounds = {spelling: "" if as_ == "-" else as_ for spelling, as_ in known.items()}
    longest = sorted(sounds, key=len, reverse=True)
    return sounds, re.compile("|".join(map(re.escape, longest)))


def unlikeness(one: str, other: str, most: float = math.inf) -> float:
    """Return the number of different sounds: 0 for homophones.

    If it is more than `most`, the result may be any larger number.

    Easily confused sounds count as a part of one: two vowels, two consonants with the same
    articulation, and sounds that are hardly audible.
    """
    missing = [_MISSING.get(wanted, _WHOLE) for wanted in other]
    row = [*accumulate(missing, initial=0.0)]
    # Each additional sound has a cost: cells far from the diagonal exceed the limit.
    band = int(min(most / _FAINT, len(one) + len(other))) + 1
    for at, letter in enumerate(one):
        extra, near = _MISSING.get(letter, _WHOLE), _ALIKE.get(letter, "")
        first, end = max(0, at - band), min(len(other), at + band)
        above, row = row, [math.inf] * len(row)
        row[first] = left = above[first] + extra
        diagonal = above[first]
        for place in range(first, end):
            wanted, over = other[place], above[place + 1]
            if letter != wanted:
                diagonal += _SLIGHT if wanted in near else _WHOLE
            row[place + 1] = left = min(diagonal, over + extra, left + missing[place])
            diagonal = over
        if min(row) > most:
            return math.inf
    return row[-1]


def at_least_unlike(one: str, other: str) -> float:
    """Return a lower bound of `unlikeness`, by the number of sounds in each group."""
    counts = zip(_counted(one), _counted(other), strict=True)
    # A sound that replaces one of another group counts twice: in each of the two groups.
    return sum(abs(mine - others) for mine, others in counts) / 2


@lru_cache(8192)
def _counted(spoken: str) -> tuple[int, ...]:
    return tuple(sum(letter in group for letter in spoken) for group in _APART)


def without_shared(one: Sequence[str], other: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the words of two names without their common first and last words."""
    shortest = min(len(one), len(other))
    first = next((place for place in range(shortest) if one[place] != other[place]), shortest)
    left = shortest - first
    last = next((place for place in range(left) if one[-1 - place] != other[-1 - place]), left)
    return one[first : len(one) - last], other[first : len(other) - last]
