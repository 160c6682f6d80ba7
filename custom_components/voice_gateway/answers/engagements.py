"""What people have before them, asked in other words than for a calendar: "are we going out tonight"."""

from collections.abc import Sequence
from typing import Final

from ..names.matching import words
from .calendar import FEW, FEW_AT_ALL, WEEK, CalendarEvent, CalendarReader
from .handler import HomeAnswer
from .intervals import Interval, today
from .query import Query
from .token_consumer import TokenConsumer

_ONLINE: Final = "://"
"""In a place that is none: a meeting on the web."""


class EngagementHandler(CalendarReader):
    """Answers what people have before them with what is in the calendars then.

    - It is a question about who speaks, or about visitors; what else it says is in an event's title.
    - A list of what is planned answers it. That somebody goes out is said of what is at a place
      elsewhere, that nobody does where all that is planned is at home.
    """

    async def async_answer(self, query: Query) -> HomeAnswer | None:
        """Return the answer to a question; None where it is none."""
        said, span = TokenConsumer(query.words), query.span
        is_asked_where = said.says("where")
        is_asked_when = said.says("when")
        is_of_speaker = said.says("speaker")
        goes_out, is_visit = said.says("going_out"), said.says("visits")
        is_plan = said.says("staying", "doings", "events", "any_event")
        is_of_anybody = said.says("anybody", "who", "whom")
        said.says("beside_events", "which", "event_verbs")
        topic = self._topic(said.left)
        if is_visit and not (is_of_speaker and goes_out):
            return await self._visits(topic, span) if span or is_of_anybody or topic else None
        if topic:
            is_asked = is_asked_when or is_asked_where or is_of_speaker or (is_plan and span)
            found = await self._events(span, topic) if is_asked else None
            return self._quoted(found[:FEW]) if found else None
        if not is_of_speaker or (is_of_anybody and not is_plan):
            return None
        if goes_out:
            return await self._outings(span, is_asked_when=is_asked_when)
        return self._all_of(await self._events(span), span) if is_plan and span else None

    async def _visits(self, topic: Sequence[str], span: Interval | None) -> HomeAnswer | None:
        """Return the visits that are called so; where none is, all that there is, if it is little."""
        found = await self._events(span or self._ahead(), topic)
        if found is None or (topic and not found):
            return None
        if visits := [each for each in found if self._read(each.title).says("visits")]:
            return self._quoted(visits)
        return self._all_of(found, span) if len(found) <= FEW_AT_ALL else None

    async def _outings(self, span: Interval | None, *, is_asked_when: bool) -> HomeAnswer | None:
        """Return what is planned elsewhere, else that all is at home, else what is planned."""
        found = await self._events(span or (self._ahead() if is_asked_when else today()))
        if found is None:
            return None
        places = {each: self._is_at_home(each) for each in found}
        away = [each for each in found if places[each] is False]
        if is_asked_when:
            return self._quoted(away[:1]) if away else None
        if not found or not (away or all(places.values())):
            return self._all_of(found, span)
        told = self._told(away or found)
        return HomeAnswer.quoting(self._phrasing.yes(bool(away), told))

    def _is_at_home(self, event: CalendarEvent) -> bool | None:
        """Return True if an event is at home; None where it has no place, or one on the web."""
        if not event.place or _ONLINE in event.place:
            return None
        place = frozenset(words(event.place))
        own = frozenset(words(self._hass.config.location_name))
        if own and place <= own:
            return True
        said = self._read(event.place)
        return said.says("home") and not said.left

    def _ahead(self) -> Interval:
        now = self._view.now
        return Interval(now, now + WEEK, "")
