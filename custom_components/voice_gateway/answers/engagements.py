"""What people have before them, asked in other words than for a calendar: "are we going out tonight"."""

from collections.abc import Sequence
import datetime as dt
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..names.matching import words
from ..nlu.phrase_patterns import patterns_of
from ..nlu.tokenizer import Text
from .calendar import FEW, FEW_AT_ALL, CalendarAnswer, CalendarEvent, CalendarHandler
from .intervals import Interval, today
from .phrasing import Phrasing
from .token_consumer import TokenConsumer

_WEEK: Final = dt.timedelta(days=7)
_ONLINE: Final = "://"
"""In a place that is none: a meeting on the web."""


class EngagementHandler:
    """Answers what people have before them with what is in the calendars then.

    - It is a question about who speaks, or about visitors; what else it says is in an event's title.
    - A list of what is planned answers it. That somebody goes out is said of what is at a place
      elsewhere, that nobody does where all that is planned is at home.
    """

    def __init__(self, hass: HomeAssistant, events: CalendarHandler, phrasing: Phrasing) -> None:
        """Take the calendars, and the words for an answer."""
        self._events = events
        self._phrasing = phrasing
        self._known = patterns_of(phrasing.language.code)
        self._own = frozenset(words(hass.config.location_name))

    async def async_answer(self, text: Text, span: Interval | None) -> CalendarAnswer | None:
        """Return the answer to a question without the words of its span; None where it is none."""
        said = TokenConsumer(text, self._known)
        is_asked_where = said.says("where")
        is_asked_when = said.says("when")
        is_of_speaker = said.says("speaker")
        goes_out, is_visit = said.says("going_out"), said.says("visits")
        is_plan = said.says("staying", "doings", "events", "any_event")
        is_of_anybody = said.says("anybody", "who", "whom")
        said.says("beside_events", "which", "event_verbs")
        topic = self._events.topic(said.left)
        if is_visit and not (is_of_speaker and goes_out):
            return await self._visits(topic, span) if span or is_of_anybody or topic else None
        if topic:
            is_asked = is_asked_when or is_asked_where or is_of_speaker or (is_plan and span)
            return await self._about(topic, span) if is_asked else None
        if not is_of_speaker or (is_of_anybody and not is_plan):
            return None
        if goes_out:
            return await self._outings(span, is_asked_when=is_asked_when)
        return await self._all(span) if is_plan and span else None

    async def _about(self, topic: Sequence[str], span: Interval | None) -> CalendarAnswer | None:
        found = await self._events.async_events(span, topic)
        return CalendarAnswer(self._events.told(found[:FEW]), is_quoted=True) if found else None

    async def _visits(self, topic: Sequence[str], span: Interval | None) -> CalendarAnswer | None:
        """Return the visits that are called so; where none is, all that there is, if it is little."""
        found = await self._events.async_events(span or _ahead(), topic)
        if found is None or (topic and not found):
            return None
        visits = [
            each
            for each in found
            if TokenConsumer(Text(each.title, self._known.language.code), self._known).says(
                "visits"
            )
        ]
        told = visits or found
        if not visits and len(found) > FEW_AT_ALL:
            return None
        if not told:
            return CalendarAnswer(self._events.none(span), is_quoted=False)
        return CalendarAnswer(self._events.told(told), is_quoted=True)

    async def _outings(
        self, span: Interval | None, *, is_asked_when: bool
    ) -> CalendarAnswer | None:
        """Return what is planned elsewhere, else that all is at home, else what is planned."""
        found = await self._events.async_events(span or (_ahead() if is_asked_when else today()))
        if found is None:
            return None
        away = [each for each in found if self._is_at_home(each) is False]
        if is_asked_when:
            return CalendarAnswer(self._events.told(away[:1]), is_quoted=True) if away else None
        if away:
            told = self._phrasing.yes(True, self._events.told(away))
            return CalendarAnswer(told, is_quoted=True)
        if not found:
            return CalendarAnswer(self._events.none(span), is_quoted=False)
        told = self._events.told(found)
        is_all_at_home = all(self._is_at_home(each) for each in found)
        return CalendarAnswer(
            self._phrasing.yes(False, told) if is_all_at_home else told, is_quoted=True
        )

    async def _all(self, span: Interval) -> CalendarAnswer | None:
        found = await self._events.async_events(span)
        if found is None:
            return None
        if not found:
            return CalendarAnswer(self._events.none(span), is_quoted=False)
        return CalendarAnswer(self._events.told(found), is_quoted=True)

    def _is_at_home(self, event: CalendarEvent) -> bool | None:
        """Return True if an event is at home; None where it has no place, or one on the web."""
        if not event.place or _ONLINE in event.place:
            return None
        place = frozenset(words(event.place))
        if self._own and place <= self._own:
            return True
        said = TokenConsumer(Text(event.place, self._known.language.code), self._known)
        return said.says("home") and not said.left


def _ahead() -> Interval:
    now = dt_util.now()
    return Interval(now, now + _WEEK, "")
