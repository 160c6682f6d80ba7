"""In which rooms something is so: "which rooms have lights on", "which rooms are below 19 degrees"."""

from collections.abc import Sequence

from ..nlu.conditions import StateQuery
from ..nlu.state_evaluation import compares
from ..nlu.tokenizer import Text
from .aggregates import AggregateHandler
from .handler import QuestionHandler, only
from .question import HomeQuestion, QuestionType
from .states import StatesHandler
from .token_consumer import TokenConsumer, is_room

_SOME = ("", "some")
_OF_PLACES = ("motion", "playing")
"""What is so of a room, also where no device is named."""
_WARMTH = ("above", "at_least", "at_most", "below", "colder", "warmer")


type _Shown = tuple[str, str]
"""The name of a room, and how warm it is."""


class RoomsHandler(QuestionHandler):
    """Answers which rooms they are, by the devices there of which it is so.

    What is denied, and what is said of all devices of a room, has no answer.
    """

    def answer(self, question: HomeQuestion) -> str | None:
        """Return the answer to one way to understand a question; None where nothing is certain."""
        if question.form is QuestionType.WHETHER:
            return self._whether(question.words)
        if question.form is not QuestionType.ROOMS:
            return None
        return only(map(self._told, self._conditions.parse_queries(question.words)))

    def _whether(self, words: Text) -> str | None:
        """Return whether some or all rooms are so warm: "is any room below 19 degrees"."""
        found = {
            self._of_all(asked)
            for asked in self._conditions.parse_queries(words)
            if asked.limit is not None and not asked.is_denied and not asked.place
            if asked.count in ("everyone", "some") and is_room(asked.subject)
        }
        return found.pop() if len(found) == 1 else None

    def _of_all(self, asked: StateQuery) -> str | None:
        rooms = self._warm(asked, asked.limit or 0.0)
        if rooms is None:
            return None
        so, not_so = rooms
        if asked.count == "everyone":
            return self._phrasing.yes(not not_so, self._phrasing.values(not_so or so))
        return self._phrasing.yes(bool(so), self._phrasing.values(so) if so else "")

    def _told(self, asked: StateQuery) -> str | None:
        if asked.is_denied or asked.count not in _SOME or asked.place:
            return None
        if asked.limit is not None:
            return self._by_warmth(asked, asked.limit)
        if not (asked.subject or asked.meaning in _OF_PLACES):
            return None
        so, not_so = StatesHandler(self._view).those(asked)
        if not (so or not_so) or any(each.area not in self._home.areas for each in so):
            return None
        rooms = dict.fromkeys(self._home.areas[each.area].name for each in so)
        return self._phrasing.names([*rooms])

    def _by_warmth(self, asked: StateQuery, limit: float) -> str | None:
        """Return the rooms that are so warm: "which rooms are colder than 19 degrees"."""
        said = TokenConsumer(asked.subject)
        said.says("temperature", "measure")
        rooms = None if said.left else self._warm(asked, limit)
        if rooms is None:
            return None
        so, _ = rooms
        return self._phrasing.values(so) if so else self._phrasing.names([])

    def _warm(
        self, asked: StateQuery, limit: float
    ) -> tuple[Sequence[_Shown], Sequence[_Shown]] | None:
        """Return the rooms that are so warm, and the others; None where two sensors disagree."""
        is_warmth = asked.unit == "degrees" or asked.meaning in ("colder", "warmer")
        known = AggregateHandler(self._view).of_rooms("temperature")
        if not (is_warmth and known) or asked.quantity or asked.meaning not in _WARMTH:
            return None
        rooms: dict[str, set[float]] = {}
        for name, value, _ in known:
            rooms.setdefault(name, set()).add(value)
        so: list[_Shown] = []
        not_so: list[_Shown] = []
        for name, values in rooms.items():
            is_so = {compares(asked.meaning, each, limit) for each in values}
            if len(is_so) > 1:
                return None
            text = self._phrasing.number(max(values), known[0][2])
            (so if True in is_so else not_so).append((name, text))
        return so, not_so
