"""A PIN in a sentence: in figures or in words, digit by digit, in groups, or as one number."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
import re
from typing import Final

from ..names.matching import is_spaceless, words
from ..texts import without_region
from .numerals import number_forms
from .tokenizer import Text
from .tokens import fold

_GAP: Final = "[\\W_\u02bc]*"
"""Between the words of one number: spaces, hyphens, apostrophes."""
_BEGINS, _ENDS = r"(?<![^\W\d_])", r"(?![^\W\d_])"
"""Beside a number in words, in scripts with spaces: no letters."""


def hide_pin(text: Text, language: str, pin: str, instead: str) -> str:
    """Return a text with a substitute for a PIN, whatever words are between its digits.

    The first call for a language reads number words from a file: not for the event loop.
    """
    folded = [(each, at) for at, letter in enumerate(text) for each in fold(letter)]
    zeros = text.patterns.words_of("replies.zero")
    pattern, values = _numbers(pin, without_region(language), zeros)
    said, places = "".join(letter for letter, _ in folded), [*(at for _, at in folded), len(text)]
    found = [
        (number, values.get(_joined(number[0])) or str(int(number[0])))
        for number in pattern.finditer(said)
    ]
    for first in range(len(found)):
        digits = ""
        for number, value in found[first:]:
            if pin.startswith(digits + value):
                digits += value
            elif _joined(number[0]) not in zeros:
                break
            if digits == pin:
                begin, end = places[found[first][0].start()], places[number.end()]
                return f"{text[:begin]}{instead}{text[end:]}"
    return str(text)


@lru_cache(8)
def _numbers(
    pin: str, language: str, zeros: frozenset[str]
) -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return a pattern for figures and for the words of a PIN's numbers, and their digits."""
    spoken: dict[tuple[str, ...], str] = {(zero,): "0" for zero in zeros}
    for code in (language, "en"):
        spoken |= _spoken(pin, code)
    forms = sorted(map(_form, spoken), key=len, reverse=True)
    values = {_joined("".join(form)): digits for form, digits in spoken.items()}
    return re.compile("|".join((*forms, r"\d"))), values


def _spoken(pin: str, language: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the words of each number that a part of a PIN may be read as, with its digits."""
    parts = {pin[at:end] for at in range(len(pin)) for end in range(at + 1, len(pin) + 1)}
    numbers = (int(part) for part in parts if part == "0" or not part.startswith("0"))
    for number, forms in number_forms(numbers, language).items():
        for form in forms:
            yield tuple(map(fold, words(form.replace("\u02bc", "'")))), str(number)


def _form(spoken: tuple[str, ...]) -> str:
    """Return a pattern for the words of a number."""
    is_spaced = not any(map(is_spaceless, "".join(spoken)))
    form = _GAP.join(map(re.escape, spoken))
    return f"{_BEGINS}{form}{_ENDS}" if is_spaced else form


def _joined(number: str) -> str:
    """Return a number's words without spaces and hyphens."""
    return re.sub(_GAP, "", number)
