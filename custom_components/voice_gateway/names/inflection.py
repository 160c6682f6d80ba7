"""Inflected and negated forms of words, judged by letters: "gutters", "lampce", "disarm"."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import takewhile
from typing import Final
import unicodedata

from ..languages import language_of

_STEM: Final = 5
"""Letters that forms of a word share at the beginning."""
_BEGINNING: Final = 4
"""Letters that a word and its derivation share at the beginning."""
_ENDING: Final = 3
_ENDINGS: Final = 5
"""Letters of each ending, and of both together: "courses" and "courgettes" are two words."""
_NEGATED: Final = 3
"""Letters of the shortest word that a prefix negates: "arm"."""
_NEGATING: Final = frozenset(("de", "des", "dis", "ent", "in", "ont", "un"))
_PLAIN: Final = frozenset(("", "be"))
"""Counterparts of a negating prefix: nothing, or the Germanic "be-"."""
_NONE: Final = "-"
_DECLINED: Final = 3
"""The fewest letters that two cases of a word share."""


def is_alike(one: str, other: str, stem: int = _STEM) -> bool:
    """Return True if two words are forms of one: they begin alike, and only an ending differs.

    Words shorter than `stem` letters have to be equal. Both are plain, as `words` returns them.
    """
    if one == other:
        return True
    same = _shared(one, other)
    ends = len(one) - same, len(other) - same
    return same >= stem and max(ends) <= _ENDING and sum(ends) <= _ENDINGS


def is_colour(word: str, colour: str) -> bool:
    """Return True if a word is a form of an adjective for a colour: "rote", "bianca".

    "Rosso" and "rosa" are two colours.
    """
    is_longer = word.startswith(colour) and len(word) - len(colour) < _ENDING
    is_declined = len(word) == len(colour) >= _BEGINNING and word[:-1] == colour[:-1]
    return is_longer or is_declined or is_alike(word, colour, _BEGINNING)


def is_like_any(word: str, known: Iterable[str], stem: int = _STEM) -> bool:
    """Return True if a word is a form of one of some words."""
    return any(is_alike(word, each, stem) for each in known)


class WordForms:
    """Words by their beginnings: finds the forms of a word among them."""

    def __init__(self, known: Iterable[str]) -> None:
        """Take the words."""
        self._by_stem: dict[str, list[str]] = {}
        for word in known:
            self._by_stem.setdefault(word[:_STEM], []).append(word)

    def of(self, word: str) -> frozenset[str]:
        """Return the forms of a word by `is_alike`."""
        return frozenset(
            each for each in self._by_stem.get(word[:_STEM], ()) if is_alike(word, each)
        )


def begins_alike(one: str, other: str) -> bool:
    """Return True if two words begin alike, as a derivation does: "kitchenette", "kitchen"."""
    return one[:_BEGINNING] == other[:_BEGINNING]


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


def is_case_of(word: str, other: str, code: str) -> bool:
    """Return True if two words are cases of one noun: Polish "lampę" and "Lampa".

    A plural that may also refer to others does not count. `case_endings` in `languages/` has the
    endings. Both words are plain; `code` is a language's code.
    """
    return any(
        bool(_stems(word, endings) & _stems(other, endings)) for endings in _declensions(code)
    )


def _stems(word: str, endings: tuple[str, ...]) -> set[str]:
    stems = {word.removesuffix(each) for each in endings if word.endswith(each)}
    return {stem for stem in stems if len(stem) >= _DECLINED}


@lru_cache
def _declensions(code: str) -> tuple[tuple[str, ...], ...]:
    """Return the endings that replace each other, by declension."""
    listed = sorted(language_of(code).case_endings)
    return tuple(tuple(map(_ending, each.split("|"))) for each in listed)


def _ending(listed: str) -> str:
    plain = unicodedata.normalize("NFKD", listed)
    return "" if listed == _NONE else "".join(c for c in plain if not unicodedata.combining(c))


def _shared(one: str, other: str) -> int:
    """Return the number of letters that two words share at the beginning."""
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
