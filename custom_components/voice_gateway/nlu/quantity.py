"""Quantities: what is to be set of something, to how much, or by how much more or less than now."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final, Self

from .phrase_patterns import patterns_of
from .tokenizer import Text, TokenSequence
from .tokens import fold

_DIMS: Final = "dims"
_VERBS: Final = frozenset(("raises", "lowers", _DIMS, "sets", "beside"))
"""Lists of `steps` of which no phrase compares."""
_WAYS: Final = {"more": 1, "raises": 1, "less": -1, "lowers": -1}
_MEASURED: Final = ("brightness", "humidity", "position", "speed", "temperature", "volume")
"""What is set of devices in the home, as `quantities` in `languages/` names it."""
_FILLERS: Final = (
    "pronouns",
    "steps.sets",
    "steps.beside",
    "steps",
    "not_steps",
    "conditions.here",
)
"""Lists of what stands beside a quantity and says no other."""
_PERCENT: Final = "%"
_DEGREE: Final = "°"


@dataclass(frozen=True, slots=True)
class Quantity:
    """What a command says that is to be set, besides of what."""

    name: str = ""
    """A key of `quantities` in `languages/`; empty where only more or less is said."""
    way: int = 0
    """1 for more than now, -1 for less; 0 where an amount is said, from wherever."""
    amount: float | None = None
    """To how much, or with a way by how much."""
    unit: str = ""
    """"%" or "°" behind the amount."""

    @classmethod
    def of(cls, text: Text) -> Self | None:
        """Return what a command without its devices says; None where it says anything else, or both ways."""
        line = TokenSequence.of(text, patterns_of(text.code).numbers)
        says, covered = set[str](), _fillers(line)
        for key, tokens in _steps(line):
            says.add(key)
            covered |= tokens
        ways = {*map(_way, says)} - {0}
        names = {key.rpartition("_")[0] for key in says} - {""}
        for name in _MEASURED:
            if found := line.covered(text.patterns.quantities.get(name, ())):
                names.add(name)
                covered |= found
        if _DIMS in says:
            names.add("brightness")
            ways = ways or {-1}
        numbers = [at for at, each in enumerate(line.tokens) if _is_number(each.text)]
        if any(len(each) > 1 for each in (names, ways, numbers)) or not (ways or numbers):
            return None
        way, amount, unit = next(iter(ways), 0), None, ""
        for at in numbers:
            amount = float(line.tokens[at].text.replace(",", "."))
            unit, units = _unit(line, at + 1)
            covered |= {at, *units}
            is_step = _says(line, "steps")
            # "Dim it 20 percent" says how much is left; "raise it 22 degrees" one or the other.
            if _says(line, "not_steps") or (says == {_DIMS} and not is_step):
                way = 0
            elif way and not is_step and says <= _VERBS:
                return None
        if any(at not in covered and not each.is_mark for at, each in enumerate(line.tokens)):
            return None
        return cls(next(iter(names), ""), way, amount, unit)


def parse_step_directions(text: Text, *, only_by: bool = False) -> Collection[int]:
    """Return which way a number of a text goes from what is now: 1 for up, -1 for down, or maybe both.

    Of "two degrees warmer" it is 1; nothing of "warmer, to 22", which is no step. `only_by`: nothing
    either where no word says that it is by so much, as in "raise it 22 degrees".
    """
    line = TokenSequence.of(text, patterns_of(text.code).numbers)
    is_by = _says(line, "steps")
    if _says(line, "not_steps") or (only_by and not is_by):
        return ()
    ways = {_way(key) for key, _ in _steps(line)} - {0}
    return sorted(ways, reverse=True) or ((1, -1) if is_by else ())


def _says(line: TokenSequence, form: str) -> bool:
    patterns = line.source.patterns.forms.get(form, ())
    return any(any(line.find(pattern)) for pattern in patterns)


def _steps(line: TokenSequence) -> Iterator[tuple[str, frozenset[int]]]:
    """Yield the lists of `steps` that a line has phrases of, and the tokens of these.

    Of two phrases the longer one counts: "plus sombre" is not more.
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
    """Return 1 for a list of more, -1 for one of less, else 0."""
    return _WAYS.get(key.rpartition("_")[2], 0)


def _is_number(token: str) -> bool:
    return token.replace(",", ".").replace(".", "", 1).isdecimal()


def _unit(line: TokenSequence, first: int) -> tuple[str, frozenset[int]]:
    """Return the unit that begins at a token, and its tokens; neither where none does."""
    language = line.source.language
    units = {_PERCENT: _PERCENT, _DEGREE: _DEGREE}
    units |= dict.fromkeys(language.percent, _PERCENT) | dict.fromkeys(language.degrees, _DEGREE)
    for end in (first + 2, first + 1):
        said = " ".join(each.text for each in line.tokens[first:end])
        if said in units:
            return units[said], frozenset(range(first, end))
    return "", frozenset()


def _fillers(line: TokenSequence) -> set[int]:
    """Return the tokens that say nothing beside a quantity."""
    empty = line.source.patterns.words_of(*_FILLERS) | line.source.function_words
    return {at for at, each in enumerate(line.tokens) if fold(each.text).strip("'") in empty}
