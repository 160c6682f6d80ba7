"""Date, time, sunrise and sunset."""

from homeassistant.util import dt as dt_util

from ..home.clock import next_sun, sun_of_day
from ..languages.dates import begun
from .handler import QuestionHandler
from .query import Query, QueryType
from .token_consumer import TokenConsumer

_SUNS = ("sunset", "sunrise", "dusk", "dawn")


class AlmanacHandler(QuestionHandler):
    """Answers questions for the date, the time, sunrise and sunset.

    The sun's time is that of the day in the question, else the next one.
    """

    types = (QueryType.AHEAD, QueryType.SHOWN)

    def answer(self, query: Query) -> str | None:
        """Return the date, the time, sunrise or sunset; None if the question has other words."""
        said, span = TokenConsumer(query.words), query.span
        if span and not span.is_day:
            return None
        if said.says("which_day"):
            is_one = span is None or len([*span.days]) == 1
            day = (span.start if span else self._view.now).date()
            return begun(self._phrasing.weekday(day)) if is_one and not said.left else None
        if span is None and said.says("which_time") and not said.left:
            return self._phrasing.clock()
        suns = [each for each in _SUNS if said.says(f"when_{each}")]
        is_asked = said.says("questions.when") or query.type is QueryType.SHOWN
        if not is_asked or len(suns) != 1 or said.left:
            return None
        if span:
            at = sun_of_day(self._hass, suns[0], span.start.date(), 0)
        else:
            at = next_sun(self._hass, suns[0], self._view.now, 0)
        return begun(self._phrasing.at(dt_util.as_local(at))) if at else None
