"""Numerals and quantities: numbers in digits and words; absolute and relative quantities."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
import re
from typing import Final, Self

from hassil.numbers import get_rbnf_engine
from homeassistant.core import HomeAssistant

from ..languages import language_of
from ..texts import without_region
from .phrase_patterns import PhrasePatterns
from .tokenizer import Text, TokenSequence
from .tokens import PhrasePattern, Token, fold

_SHORTEST: Final = 3  # letters of an adjective
_HIGHEST = 100  # in words; higher numbers are written in digits


async def async_to_number(hass: HomeAssistant, text: str, language: str | None) -> float | None:
    """Return the number that a text is, with or without a unit, in digits or in words.

    Words are those of the language, or English. None if the text has other words.
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


@lru_cache
def _units(language: str) -> tuple[str, ...]:
    """Return the words of a language and of English for "%" and "°", the longest first."""
    known = (language_of(language), language_of("en"))
    units = {unit for each in known for unit in each.percent | each.degrees}
    return tuple(sorted(units, key=lambda unit: (-len(unit), unit)))


@lru_cache
def _digits(language: str) -> re.Pattern[str]:
    """Return a pattern for a number in digits with a unit; group 2 is C, F or K."""
    units = "|".join(re.escape(unit) for unit in _units(language))
    return re.compile(rf"\s*([+-]?\d+(?:[.,]\d+)?)\s*(?:%|{units}|°?\s*([CFK])?)\s*", re.IGNORECASE)


@lru_cache
def number_words(language: str) -> dict[str, int]:
    """Return the whole numbers of a language by their words; empty if it has no rules."""
    spoken = number_forms(range(_HIGHEST, -1, -1), language)
    return {_plain(word): number for number, words in spoken.items() for word in words}


@lru_cache
def folded_number_words(language: str) -> frozenset[str]:
    """Return the words of whole numbers of a language, without accents."""
    return frozenset(map(fold, number_words(language)))


def number_forms(numbers: Iterable[int], language: str) -> Mapping[int, Collection[str]]:
    """Return the words of whole numbers, by each ruleset; empty if a language has no rules."""
    try:
        # Unicode's rules for Bokmål are those for Norwegian; the engine's file for it is empty.
        engine = get_rbnf_engine("no" if language == "nb" else language)
        return {each: engine.format_number(each).text_by_ruleset.values() for each in numbers}
    except ValueError:
        return {}


async def async_spoken_numbers(hass: HomeAssistant, language: str | None) -> Mapping[int, str]:
    """Return the words for the whole numbers up to a hundred; empty for an unknown language."""
    code = without_region(language or "en")
    return await hass.async_add_executor_job(_spoken_numbers, code)


@lru_cache
def _spoken_numbers(language: str) -> Mapping[int, str]:
    return {number: word for word, number in reversed(number_words(language).items())}


def _without_unit(said: str, language: str) -> str:
    """Return a number's words, as `_plain` returns them, without a unit."""
    units = (_plain(unit) for unit in _units(language))
    unit = next((unit for unit in units if said.endswith(unit)), "")
    return said.removesuffix(unit)


def _plain(text: str) -> str:
    """Return a number's words without spaces, hyphens and apostrophes: "twenty-five", "п'ять"."""
    return re.sub("[\\W_\u02bc]", "", text.casefold())


_DIMS: Final = "dims"
_VERBS: Final = frozenset(("raises", "lowers", _DIMS, "sets", "beside"))
"""Lists of `steps` without a comparative."""
_MOST: Final = "most"
_ALL: Final = 100.0
"""Percent: the maximum of a quantity."""
_WAYS: Final = {"more": 1, "raises": 1, "less": -1, "lowers": -1}
_MEASURED: Final = ("brightness", "humidity", "position", "speed", "temperature", "volume")
"""Quantities that devices can be set to, as keys of `quantities` in `languages/`."""
_FILLERS: Final = ("steps.sets", "steps.beside", "steps", "not_steps")
"""Lists of words beside a quantity that add nothing to it."""
_HALF: Final = "50"
_COLD: Final = 5
"""A temperature below which no room is set."""
_PERCENT: Final = "%"
_DEGREE: Final = "°"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity in a command, with its target value or its change."""

    name: str = ""
    """A key of `quantities` in `languages/`; empty for "more" or "less" alone."""
    way: int = 0
    """1 to increase, -1 to decrease; 0 for a target value."""
    amount: float | None = None
    """The target value, or the size of the change."""
    unit: str = ""
    """"%" or "°"."""

    @classmethod
    def of(cls, text: Text) -> Self | None:
        """Return the quantity that a text consists of; None with other words or both directions."""
        text = text.without_clitics
        line = TokenSequence(text, text.counted)
        _count_half(line)
        _count_one(line)
        says, covered = set[str](), _fillers(line)
        for key, tokens in _steps(line):
            says.add(key)
            covered |= tokens
        ways = {*map(_way, says), int(_MOST in says)} - {0}
        names = {key.rpartition("_")[0] for key in says} - {""}
        for name, patterns in _named_by(text.patterns):
            if found := line.covered(patterns):
                names.add(name)
                covered |= found
        if _DIMS in says:
            names.add("brightness")
            # "Dim it to the maximum" has both directions.
            ways = ways | {-1} if _MOST in says else ways or {-1}
        numbers = [at for at, each in enumerate(line.tokens) if _is_number(each.text)]
        if any(len(each) > 1 for each in (names, ways, numbers)) or not (ways or numbers):
            return None
        way, amount, unit = _without_number(says, ways)
        for at in numbers:
            amount = float(line.tokens[at].text.replace(",", "."))
            unit, units = _unit(line, at + 1)
            covered |= {at, *units}
            is_step = _says(line, "steps")
            # "Dim it 20 percent" is the target; "raise it 22 degrees" may be either, 2 is a step.
            if _says(line, "not_steps") or (says == {_DIMS} and not is_step):
                way = 0
            elif (
                way and not is_step and says <= _VERBS and not (unit == _DEGREE and amount < _COLD)
            ):
                return None
        if any(at not in covered and not each.is_mark for at, each in enumerate(line.tokens)):
            return None
        return cls(next(iter(names), ""), way, amount, unit)

    @staticmethod
    def topics(text: Text) -> Collection[str]:
        """Return the quantities that a remark is about: "it's too loud", "I'm cold"."""
        known = text.patterns
        said = {each for each in text.words if len(each) >= _SHORTEST} - known.empty_words
        own = {name: known.words_of(f"quantities.{name}") for name in _MEASURED}
        every = Counter(word for words in own.values() for word in words)
        found = {
            name for name, words in own.items() if any(every[word] == 1 for word in said & words)
        }
        return found | ({"volume"} if text.says("music") else set())

    @staticmethod
    def directions(text: Text, *, only_by: bool = False) -> Collection[int]:
        """Return the directions of a number in a text: 1 for up, -1 for down; both if unclear.

        "Two degrees warmer" is 1; "warmer, to 22" and "dim it to the maximum" are no change, so the
        result is empty. `only_by`: it is also empty without a word for a change, as in "raise it 22
        degrees".
        """
        line = TokenSequence(text, text.counted)
        is_by, said = _says(line, "steps"), {key for key, _ in _steps(line)}
        if _says(line, "not_steps") or _MOST in said or (only_by and not is_by):
            return ()
        ways = {-1 if key == _DIMS else _way(key) for key in said} - {0}
        return sorted(ways, reverse=True) or ((1, -1) if is_by else ())


def _named_by(known: PhrasePatterns) -> Iterator[tuple[str, Sequence[PhrasePattern]]]:
    """Yield the quantities of devices with phrases for them; of music, it is the volume."""
    for name in _MEASURED:
        yield name, known.quantities.get(name, ())
    yield "volume", known.forms.get("music", ())


def _count_half(line: TokenSequence) -> None:
    """Replace a half by a percentage: "set it to half (brightness)", not "half as bright"."""
    known = line.source.patterns
    names = line.covered(pattern for each in known.quantities.values() for pattern in each)
    for pattern in known.conditions.get("half", ()):
        for first, end in reversed([*line.find(pattern)]):
            behind = range(end, len(line.tokens))
            if all(at in names or line.tokens[at].is_mark for at in behind):
                start, stop = line.tokens[first].start, line.tokens[end - 1].end
                line.replace(first, end, [Token(each, start, stop) for each in (_HALF, _PERCENT)])


def _count_one(line: TokenSequence) -> None:
    """Replace an article before a unit by a number: "a degree warmer"."""
    ones = frozenset(line.source.language.values.get("numbers", {}).get("1", ()))
    units = line.source.language.percent | line.source.language.degrees
    for at, (token, unit) in enumerate(pairwise(line.tokens)):
        if token.text in ones and unit.text in units:
            line.replace(at, at + 1, [Token("1", token.start, token.end)])


def _without_number(says: set[str], ways: set[int]) -> tuple[int, float | None, str]:
    """Return the direction, amount and unit of words without a number: more, or the maximum."""
    return (0, _ALL, _PERCENT) if _MOST in says else (next(iter(ways), 0), None, "")


def _says(line: TokenSequence, form: str) -> bool:
    patterns = line.source.patterns.forms.get(form, ())
    return any(any(line.find(pattern)) for pattern in patterns)


def _steps(line: TokenSequence) -> Iterator[tuple[str, frozenset[int]]]:
    """Yield the lists of `steps` that a line has phrases of, with their tokens.

    Of overlapping phrases the longer one counts: "plus sombre" is not more.
    """
    found = [
        (key, frozenset(range(*span)))
        for key, patterns in line.source.patterns.steps.items()
        for pattern in patterns
        for span in line.find(pattern)
    ]
    for key, tokens in found:
        if not any(tokens < other for _, other in found):
            yield key, tokens


def _way(key: str) -> int:
    """Return 1 for a list of increases, -1 for one of decreases, else 0."""
    return _WAYS.get(key.rpartition("_")[2], 0)


def _is_number(token: str) -> bool:
    return token.replace(",", ".").replace(".", "", 1).isdecimal()


def _unit(line: TokenSequence, first: int) -> tuple[str, frozenset[int]]:
    """Return the unit that begins at a token, and its tokens; both empty if none does."""
    language = line.source.language
    units = {_PERCENT: _PERCENT, _DEGREE: _DEGREE}
    units |= dict.fromkeys(language.percent, _PERCENT) | dict.fromkeys(language.degrees, _DEGREE)
    for end in (first + 2, first + 1):
        said = " ".join(each.text for each in line.tokens[first:end])
        if said in units:
            return units[said], frozenset(range(first, end))
    return "", frozenset()


def _fillers(line: TokenSequence) -> set[int]:
    """Return the tokens that add nothing to a quantity."""
    known = line.source.patterns
    empty = known.words_of(*_FILLERS) | known.empty_words
    return {at for at, each in enumerate(line.tokens) if fold(each.text).strip("'") in empty}
