"""Numerals: numbers in digits and in words, "50%", "21 °C", "fifty"."""

from collections.abc import Collection, Mapping
from functools import lru_cache
import re

from hassil.numbers import get_rbnf_engine
from homeassistant.core import HomeAssistant

from ..languages import language_of
from ..texts import without_region
from .phrase_patterns import patterns_of
from .tokenizer import Text, TokenSequence
from .tokens import fold_punctuation, tokenize, with_numbers

_HIGHEST = 100  # in words; more is written in digits
_NUMBER = re.compile(r"\d{1,9}(\.\d{1,9})?")


async def async_to_number(hass: HomeAssistant, text: str, language: str | None) -> float | None:
    """Return the number that a text is, with or without a unit, in digits or in words.

    Words are those of the language, or English. None where the text says anything else.
    """
    language = without_region(language or "en")
    if written := _digits(language).fullmatch(text):
        unit = (written[2] or "").upper()
        if unit in ("C", "F") and not hass.config.units.temperature_unit.endswith(unit):
            return None
        number = float(written[1].replace(",", "."))
        return int(number) if number.is_integer() else number
    said = _without_unit(_plain(text), language)
    for each in dict.fromkeys((language, "en")):
        words = await hass.async_add_executor_job(number_words, each)
        if said in words:
            return words[said]
    return None


def parse_numbers(text: Text) -> frozenset[float]:
    """Return the numbers of a text, in digits or in the words of a language.

    "Pour cent" and its like are none, though "cent" is one.
    """
    code = text.language.code
    bare = _percent(code).sub(" % ", fold_punctuation(text))
    tokens = with_numbers(tokenize(bare), patterns_of(code).numbers)
    found = (each.text.replace(",", ".") for each in tokens)
    return frozenset(float(each) for each in found if _NUMBER.fullmatch(each))


def remove_number(text: Text, numbers: Collection[float]) -> Text:
    """Return a text without the one of some numbers that it has, in digits or in words; else as it is."""
    line = TokenSequence.of(text, patterns_of(text.code).numbers)
    match [at for at, each in enumerate(line.tokens) if _is_one_of(each.text, numbers)]:
        case [only]:
            return line.surface(at for at in range(len(line.tokens)) if at != only)
    return text


def _is_one_of(word: str, numbers: Collection[float]) -> bool:
    word = word.replace(",", ".")
    return bool(_NUMBER.fullmatch(word)) and float(word) in numbers


@lru_cache
def _units(language: str) -> tuple[str, ...]:
    """Return what a language and English say instead of "%" and "°", the longest first."""
    known = (language_of(language), language_of("en"))
    units = {unit for each in known for unit in each.percent | each.degrees}
    return tuple(sorted(units, key=lambda unit: (-len(unit), unit)))


@lru_cache
def _percent(code: str) -> re.Pattern[str]:
    """Return what finds the words that a language says instead of "%"."""
    known = sorted(language_of(code).percent, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, known)) or '(?!)'})\b", re.IGNORECASE)


@lru_cache
def _digits(language: str) -> re.Pattern[str]:
    """Return what finds a number in digits, and its unit if that is not one of all units."""
    units = "|".join(re.escape(unit) for unit in _units(language))
    return re.compile(rf"\s*([+-]?\d+(?:[.,]\d+)?)\s*(?:%|{units}|°?\s*([CFK])?)\s*", re.IGNORECASE)


@lru_cache
def number_words(language: str) -> dict[str, int]:
    """Return the whole numbers of a language by their words; none where it is not known."""
    try:
        engine = get_rbnf_engine(language)
    except ValueError:
        return {}
    return {
        _plain(word): number
        for number in range(_HIGHEST, -1, -1)
        for word in engine.format_number(number).text_by_ruleset.values()
    }


async def async_spoken_numbers(hass: HomeAssistant, language: str | None) -> Mapping[int, str]:
    """Return how the whole numbers up to a hundred are spoken; nothing of an unknown language."""
    code = without_region(language or "en")
    return await hass.async_add_executor_job(_spoken_numbers, code)


@lru_cache
def _spoken_numbers(language: str) -> Mapping[int, str]:
    return {number: word for word, number in reversed(number_words(language).items())}


def _without_unit(said: str, language: str) -> str:
    """Return a number's words, as `_plain` makes them, without the unit after them."""
    units = (_plain(unit) for unit in _units(language))
    unit = next((unit for unit in units if said.endswith(unit)), "")
    return said.removesuffix(unit)


def _plain(text: str) -> str:
    """Return a number's words without what is written in one way or another: "twenty-five"."""
    return re.sub(r"[\W_]", "", text.casefold())
