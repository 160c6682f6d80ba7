"""Which day it is."""

from homeassistant.util import dt as dt_util

from ..heard.templates import templates
from .phrasing import Phrasing
from .span import Span
from .wording import Wording


class Days:
    """Answers which day it is, or which one tomorrow is: the day of the week, and the date."""

    def __init__(self, phrasing: Phrasing) -> None:
        """Take the words for an answer."""
        self._phrasing = phrasing
        self._known = templates(phrasing.language.code)

    def answer(self, text: str, span: Span | None) -> str | None:
        """Return the answer to a question without the words of its span; None where it is none."""
        said = Wording(text, self._known)
        if not said.says("which_day") or said.left:
            return None
        if span and not (span.is_day and len([*span.days]) == 1):
            return None
        day = span.start.date() if span else dt_util.now().date()
        return self._phrasing.weekday(day)
