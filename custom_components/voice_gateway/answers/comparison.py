"""Whether it is warmer in one place than in another."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ..nlu.phrase_patterns import PhrasePatterns
from ..nlu.tokenizer import TokenSequence
from .aggregates import AggregateHandler
from .phrasing import Phrasing, begun
from .question import HomeQuestion, QuestionType, tokens_in
from .values import ValuesHandler

_MORE: Final[Mapping[str, bool]] = {"is_warmer": True, "is_cooler": False}


@dataclass(frozen=True, slots=True)
class _Side:
    """One of two places."""

    name: str
    values: tuple[float, ...]
    unit: str
    text: str


class ComparisonHandler:
    """Answers where it is warmer, of two places of which each has one temperature.

    Both are told with the yes or the no. Of two that show the same, neither is warmer. Of which is the
    warmer one, that one comes first. "Inside" are all rooms: where not all agree, there is no answer.
    """

    def __init__(
        self,
        values: ValuesHandler,
        reckoned: AggregateHandler,
        phrasing: Phrasing,
        known: PhrasePatterns,
    ) -> None:
        """Take the values of the home and of its rooms, and the words."""
        self._values = values
        self._reckoned = reckoned
        self._phrasing = phrasing
        self._known = known

    def answer(self, question: HomeQuestion) -> str | None:
        """Return the answer to one way to understand a question; None where nothing is certain."""
        is_which = question.form in (QuestionType.WHICH, QuestionType.WHERE)
        if not (is_which or question.form is QuestionType.WHETHER):
            return None
        text = question.words
        line = TokenSequence.of(text, self._known.numbers)
        found = {each: self._tokens(line, each) for each in _MORE}
        said = [each for each, tokens in found.items() if tokens]
        than = self._tokens(line, "or_there" if is_which else "than_there")
        if len(said) != 1 or not than or max(than) - min(than) >= len(than):
            return None
        (how,) = said
        gone = found[how] | than
        # "Which room is warmer, the kitchen or the bedroom?"
        first = max(found[how]) + 1 if is_which else 0
        one = self._place(line, {*range(first, min(than))} - gone)
        other = self._place(line, {*range(max(than) + 1, len(line.tokens))} - gone)
        if one is None or other is None or one.unit != other.unit or one.name == other.name:
            return None
        more = _is_more(one, other) if _MORE[how] else _is_more(other, one)
        if more is None:
            return None
        shown = [(one.name, one.text), (other.name, other.text)]
        if is_which:
            return self._phrasing.values(shown if more else reversed(shown))
        return self._phrasing.yes(more, self._phrasing.values(shown))

    def _tokens(self, line: TokenSequence, name: str) -> set[int]:
        return tokens_in(line, self._known.questions.get(name, ()))

    def _place(self, line: TokenSequence, tokens: set[int]) -> _Side | None:
        """Return how warm it is where some words say, or what they name is."""
        conditions = self._known.conditions
        outside = tokens_in(line, conditions.get("outside", ())) & tokens
        tokens -= tokens_in(line, conditions.get("is", ())) | outside
        if inside := self._tokens(line, "inside") & tokens:
            return self._inside(line.surface(sorted(inside))) if inside == tokens else None
        subject = line.surface(sorted(tokens))
        one = self._values.one("temperature", subject, "outside" if outside else "")
        return _Side(one.name, (one.value,), one.unit, one.text) if one else None

    def _inside(self, said: str) -> _Side | None:
        """Return how warm it is in the rooms."""
        found = [*self._reckoned.of_rooms("temperature")]
        if len({unit for _, _, unit in found}) != 1:
            return None
        values = [value for _, value, _ in found]
        unit = found[0][2]
        text = self._phrasing.range(min(values), max(values), unit)
        return _Side(begun(said), tuple(values), unit, text)


def _is_more(one: _Side, other: _Side) -> bool | None:
    """Return True if all values of one side are more than those of the other; None where some are."""
    more = {value > limit for value in one.values for limit in other.values}
    return more.pop() if len(more) == 1 else None
