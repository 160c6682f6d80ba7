"""A sentence with the name of something in the home in the place of words that sound like it.

    turn off the bedroom free light     turn off the Bedroom 3 Light
    switch the tiny room light on       switch the Dining Room Light on

A speech engine writes what it knows; names are what it does not. Which words were misheard, nobody
knows before: of the sentence that is left, somebody else says whether it is a command.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
import re
from typing import Final

from ..home.exposed import Home
from ..languages import language_of
from ..names.matching import words
from ..names.sounding import sound, unlikeness, without_shared
from .meant import ONLY_READ

_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_MOST: Final = 14
"""Words of a sentence; in a longer one too much sounds like something."""
_MORE: Final = 2
"""Words by which what was heard may be longer or shorter than a name."""
_SHARE: Final = 0.4
"""Of the sounds that may be others; names that have nothing to do with each other have more."""
_SHORTEST: Final = 3
"""Sounds of what may be misheard: two letters sound like anything."""
HOMOPHONE: Final = 0.15
"""What sounds the same: only doubled letters may tell it apart."""


@dataclass(frozen=True, slots=True)
class Resembling:
    """A sentence as it may have been meant."""

    text: str
    name: str
    """What of the home it names."""
    unlike: float
    """In how many sounds that differs from what was heard."""
    misheard: Sequence[str]
    """The words that the name does not have."""

    @property
    def sounds_the_same(self) -> bool:
        """Whether a listener could not have told them apart."""
        return self.unlike <= HOMOPHONE


def resembling(
    text: str, home: Home, language: str, numbers: Mapping[int, str]
) -> Sequence[Resembling]:
    """Return a sentence with each name that a part of it sounds like, the likeliest first.

    Numbers are compared as they are spoken: `numbers` has their words.
    """
    code = language_of(language).code
    said = [(found[0], found.span()) for found in _WORD.finditer(text)]
    if len(said) > _MOST:
        return ()
    heard = [_spelled(word, numbers) for word, _ in said]
    found: list[Resembling] = []
    for name in _names(home):
        own = _spelled(name, numbers)
        for start, end in _places(len(heard), len(own)):
            there = [word for each in heard[start:end] for word in each]
            misheard, meant = without_shared(there, own)
            unlike = _unlike(misheard, meant, code)
            left, right = text[: said[start][1][0]], text[said[end - 1][1][1] :]
            mended = f"{left}{name}{right}".rstrip(" .!?…")
            if unlike is not None and words(mended) != words(text):
                found.append(Resembling(mended, name, unlike, misheard))
    return sorted(found, key=lambda each: (each.unlike, -len(each.name)))


def _names(home: Home) -> Iterator[str]:
    """Yield what devices that one can do something with, areas and floors are called."""
    names: dict[str, None] = {}
    for entity in home.entities:
        if entity.domain not in ONLY_READ:
            names.update(dict.fromkeys(entity.names))
    for area in home.areas.values():
        names.update(dict.fromkeys((area.name, *area.aliases)))
    for floor in home.floors.values():
        names.update(dict.fromkeys((floor.name, *floor.aliases)))
    yield from names


def _spelled(text: str, numbers: Mapping[int, str]) -> Sequence[str]:
    """Return the words of a text, with numbers as words."""
    spelled = (
        words(numbers.get(int(word), word)) if word.isdecimal() else (word,) for word in words(text)
    )
    return [word for each in spelled for word in each]


def _places(count: int, own: int) -> Iterator[tuple[int, int]]:
    """Yield where a name of so many words may stand among so many."""
    for start in range(count):
        for length in range(max(1, own - _MORE), own + _MORE + 1):
            if start + length <= count:
                yield start, start + length


def _unlike(heard: Sequence[str], meant: Sequence[str], code: str) -> float | None:
    """Return in how many sounds what was heard differs from a name; None where it is another one.

    They are given without the words that both have: of "porch light" only the porch is compared with
    the kitchen.
    """
    if not heard and not meant:
        return 0.0
    one, other = sound(" ".join(heard), code), sound(" ".join(meant), code)
    longest = max(len(one), len(other))
    if not (one and other) or abs(len(one) - len(other)) > longest * _SHARE * 2:
        return None
    unlike = unlikeness(one, other)
    is_short = longest < _SHORTEST and unlike > HOMOPHONE
    return None if is_short or unlike > longest * _SHARE else unlike
