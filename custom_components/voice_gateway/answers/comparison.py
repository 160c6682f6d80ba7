"""Whether it is warmer in one place than in another."""

from collections.abc import Mapping
from typing import Final

from .aggregates import AggregateHandler
from .handler import QuestionHandler
from .phrasing import begun
from .question import HomeQuestion, QuestionType
from .token_consumer import TokenConsumer
from .values import KnownValues, ValuesHandler

_MORE: Final[Mapping[str, bool]] = {"is_warmer": True, "is_cooler": False}


class ComparisonHandler(QuestionHandler):
    """Answers where it is warmer, of two places of which each has one temperature.

    Both are told with the yes or the no. Of two that show the same, neither is warmer. Of which is the
    warmer one, that one comes first. "Inside" are all rooms: where not all agree, there is no answer.
    """

    def answer(self, question: HomeQuestion) -> str | None:
        """Return the answer to one way to understand a question; None where nothing is certain."""
        is_which = question.form in (QuestionType.WHICH, QuestionType.WHERE)
        if not (is_which or question.form is QuestionType.WHETHER):
            return None
        line = TokenConsumer(question.words)
        found = {each: tokens for each in _MORE if (tokens := line.tokens(each))}
        than = line.tokens("or_there" if is_which else "than_there")
        if len(found) != 1 or not than or max(than) - min(than) >= len(than):
            return None
        ((how, said),) = found.items()
        # "Which room is warmer, the kitchen or the bedroom?"
        first = max(said) + 1 if is_which else 0
        sides = ({*range(first, min(than))}, line.whole - {*range(max(than) + 1)})
        one, other = (self._place(line, each - said - than) for each in sides)
        if one is None or other is None or one.unit != other.unit or one.name == other.name:
            return None
        more = {value > limit for value in one.values for limit in other.values}
        less = {value < limit for value in one.values for limit in other.values}
        is_so = more if _MORE[how] else less
        if len(is_so) != 1:
            return None
        shown = [(one.name, one.text), (other.name, other.text)]
        if is_which:
            return self._phrasing.values(shown if True in is_so else reversed(shown))
        return self._phrasing.yes(True in is_so, self._phrasing.values(shown))

    def _place(self, line: TokenConsumer, tokens: set[int]) -> KnownValues | None:
        """Return how warm it is where some words say, or what they name is."""
        outside = line.tokens("conditions.outside") & tokens
        tokens -= line.tokens("conditions.is") | outside
        if inside := line.tokens("inside") & tokens:
            return self._inside(line.part(inside)) if inside == tokens else None
        place = "outside" if outside else ""
        return ValuesHandler(self._view).known("temperature", line.part(tokens), place)

    def _inside(self, said: str) -> KnownValues | None:
        """Return how warm it is in the rooms."""
        found = AggregateHandler(self._view).of_rooms("temperature")
        if len({unit for _, _, unit in found}) != 1:
            return None
        values = frozenset(value for _, value, _ in found)
        text = self._phrasing.range(min(values), max(values), found[0][2])
        return KnownValues(begun(said), values, found[0][2], text)
