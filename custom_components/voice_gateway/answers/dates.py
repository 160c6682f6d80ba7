"""Which day it is."""

from homeassistant.util import dt as dt_util

from ..nlu.phrase_patterns import patterns_of
from ..nlu.tokenizer import Text
from .intervals import Interval
from .phrasing import Phrasing
from .token_consumer import TokenConsumer


class DateHandler:
    """Answers which day it is, or which one tomorrow is: the day of the week, and the date."""

    def __init__(self, phrasing: Phrasing) -> None:
        """Take the words for an answer."""
        self._phrasing = phrasing
        self._known = patterns_of(phrasing.language.code)

    def answer(self, text: Text, span: Interval | None) -> str | None:
        """Return the answer to a question without the words of its span; None where it is none."""
        said = TokenConsumer(text, self._known)
        if not said.says("which_day") or said.left:
            return None
        if span and not (span.is_day and len([*span.days]) == 1):
            return None
        day = span.start.date() if span else dt_util.now().date()
        return self._phrasing.weekday(day)
