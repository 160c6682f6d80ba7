"""In which rooms something is so: "which rooms have lights on", "which rooms are below 19 degrees"."""

from ..heard.answers import Conditions, compares
from ..heard.asked import Asked
from ..heard.templates import templates
from .phrasing import Phrasing
from .question import Form, Question
from .reckoned import Reckoned
from .states import States
from .wording import Wording

_SOME = ("", "some")
_OF_PLACES = ("motion", "playing")
"""What is so of a room, also where no device is named."""
_WARMTH = ("above", "at_least", "at_most", "below", "colder", "warmer")


class Rooms:
    """Answers which rooms they are, by the devices there of which it is so.

    What is denied, and what is said of all devices of a room, has no answer.
    """

    def __init__(
        self, conditions: Conditions, phrasing: Phrasing, states: States, reckoned: Reckoned
    ) -> None:
        """Take what the home shows, the words, and what finds devices and values."""
        self._conditions = conditions
        self._home = phrasing.things.home
        self._phrasing = phrasing
        self._states = states
        self._reckoned = reckoned
        self._known = templates(phrasing.language.code)

    def answer(self, question: Question) -> str | None:
        """Return the answer to one way to understand a question; None where nothing is certain."""
        if question.form is not Form.ROOMS:
            return None
        answers = {self._told(asked) for asked in self._conditions.asked(question.words)} - {None}
        return answers.pop() if len(answers) == 1 else None

    def _told(self, asked: Asked) -> str | None:
        if asked.is_denied or asked.count not in _SOME or asked.place:
            return None
        if asked.limit is not None:
            return self._by_warmth(asked, asked.limit)
        if not (asked.subject or asked.meaning in _OF_PLACES):
            return None
        so, not_so = self._states.those(asked)
        if not (so or not_so) or any(each.area not in self._home.areas for each in so):
            return None
        rooms = dict.fromkeys(self._home.areas[each.area].name for each in so)
        return self._phrasing.names([*rooms])

    def _by_warmth(self, asked: Asked, limit: float) -> str | None:
        """Return the rooms that are so warm, of which all that measure it agree."""
        is_warmth = asked.unit == "degrees" or asked.meaning in ("colder", "warmer")
        said = Wording(asked.subject, self._known)
        said.says("temperature", "measure")
        if not is_warmth or asked.quantity or asked.meaning not in _WARMTH or said.left:
            return None
        known = [*self._reckoned.of_rooms("temperature")]
        rooms: dict[str, set[float]] = {}
        for name, value, _ in known:
            rooms.setdefault(name, set()).add(value)
        so = {
            name: {compares(asked.meaning, each, limit) for each in values}
            for name, values in rooms.items()
        }
        if not rooms or any(len(each) > 1 for each in so.values()):
            return None
        shown = [
            (name, self._phrasing.number(max(values), known[0][2]))
            for name, values in rooms.items()
            if True in so[name]
        ]
        return self._phrasing.values(shown) if shown else self._phrasing.names([])
