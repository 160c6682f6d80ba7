"""How alike two names sound: a speech engine that does not know a name writes another that sounds so.

"The leaving room" is the Living Room, "bedroom too" is Bedroom 2. Letters are compared by how they
are spoken, which spellings are listed for in `languages/`, under `sounds`.
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
"""Consonants that engines take for one another: T as in "three", S as in "she", Z as in "measure"."""
_APART: Final = ("pb", "td", "kg", "szSZ", "mn")
"""Groups of which no sound is near one of another group, or hardly heard."""
_WEAK: Final = frozenset("hwr")
"""What is hardly heard, and easily missing."""
_SLIGHT: Final = 0.3
_FAINT: Final = 0.5
_WHOLE: Final = 1.0
_MISSING: Final = dict.fromkeys(_VOWELS | _WEAK, _FAINT)
"""What it costs that a sound is missing; that of others is a whole one."""
_ALIKE: Final = {
    letter: "".join(group for group in (*_NEAR, "".join(_VOWELS)) if letter in group)
    for letter in "".join((*_NEAR, *_VOWELS))
}
"""The sounds that each is taken for."""
_LONGEST: Final = 60
"""Letters that are compared; nobody says a longer name."""


@lru_cache(4096)
def sound(text: str, code: str) -> str:
    """Return how a text sounds in a language, by its code: a letter for each sound, and no spaces.

    "Kitchen" is "kitSen". Of a language without a list, it is as it is written.
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
    """Return the sound of each spelling, and what finds the longest of them."""
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
    """Return how many sounds are another: 0 for what sounds the same.

    Where it is more than `most`, that is all that is certain of it.

    What is easily mistaken counts as a part of one: a vowel for another, a consonant for one that is
    spoken with the same lips and tongue, and what is hardly heard.
    """
    missing = [_MISSING.get(wanted, _WHOLE) for wanted in other]
    row = [*accumulate(missing, initial=0.0)]
    # Each sound that one has more than the other costs something: far from the diagonal, too much.
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
    """Return what `unlikeness` can't be below: by how many sounds of each group there are, at once."""
    counts = zip(_counted(one), _counted(other), strict=True)
    # One that is taken for another of another group is one too many here, and one too few there.
    return sum(abs(mine - others) for mine, others in counts) / 2


@lru_cache(8192)
def _counted(spoken: str) -> tuple[int, ...]:
    return tuple(sum(letter in group for letter in spoken) for group in _APART)


def without_shared(one: Sequence[str], other: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return the words of two names without those with which both begin and end."""
    shortest = min(len(one), len(other))
    first = next((place for place in range(shortest) if one[place] != other[place]), shortest)
    left = shortest - first
    last = next((place for place in range(left) if one[-1 - place] != other[-1 - place]), left)
    return one[first : len(one) - last], other[first : len(other) - last]
