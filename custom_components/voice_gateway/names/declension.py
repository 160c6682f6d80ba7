"""Whether a word is a form of another one by its ending alone: "lampę" is the Lampa, in Polish.

Only forms of case count, and no plural that may be said of others: `case_endings` in `languages/`.
"""

from functools import lru_cache
from typing import Final

from ..languages import language_of
from .matching import words

_NONE: Final = "-"
_STEM: Final = 3
"""Letters that two forms have in common at least."""


def is_form(word: str, other: str, code: str) -> bool:
    """Return True if one of two words is the other one in another case, by a language's code.

    Both are as `words` has them: in lower case, without accents.
    """
    return any(
        bool(_stems(word, endings) & _stems(other, endings)) for endings in _declensions(code)
    )


def _stems(word: str, endings: tuple[str, ...]) -> set[str]:
    stems = {word.removesuffix(each) for each in endings if word.endswith(each)}
    return {stem for stem in stems if len(stem) >= _STEM}


@lru_cache
def _declensions(code: str) -> tuple[tuple[str, ...], ...]:
    """Return the endings that a word may have in the place of each other, for each kind of words."""
    listed = sorted(language_of(code).case_endings)
    return tuple(tuple(map(_plain, each.split("|"))) for each in listed)


def _plain(ending: str) -> str:
    return "" if ending == _NONE else "".join(words(ending))
