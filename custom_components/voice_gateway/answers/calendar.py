"""Answers about events in the home's calendars."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
import datetime as dt
from functools import cached_property
from itertools import groupby
from typing import Any, Final

from homeassistant.components.calendar import DOMAIN, SERVICE_GET_EVENTS
from homeassistant.util import dt as dt_util

from ..home.clock import DAY
from ..home.exposed import Exposed, calendars, one_line
from ..languages.dates import begun, sentences
from ..names.matching import words
from .handler import HomeAnswer, QuestionHandler, has_all
from .intervals import Interval, today
from .query import Query, QueryType
from .token_consumer import TokenConsumer

_MOST: Final = 6
"""Maximum number of events in an answer."""
_FEW: Final = 3
"""Maximum number of events in the answer to a search for one."""
_FEW_AT_ALL: Final = 5
"""Maximum number of all events that may answer a question for some of them."""
_ORDER: Final = {"first_event": 0, "last_event": -1}
_YEAR: Final = 366 * DAY
_WEEK: Final = 7 * DAY
_ONLINE: Final = "://"
"""Marks a location that is not a place: an online meeting."""
_LETTERS: Final = 3
"""Minimum letters before a word for an appointment in a compound: Zahnarzttermin."""


@dataclass(frozen=True, slots=True, order=True)
class CalendarEvent:
    """An event of a calendar."""

    start: dt.datetime
    end: dt.datetime
    title: str
    place: str
    is_all_day: bool


class CalendarHandler(QuestionHandler):
    """Answers questions about current and future events in the exposed calendars.

    - A question with more words than its day and its topic has no answer. Exception: the user asks
      for their own events, and the calendars are empty, which also holds for a part of them. Events
      in a city or a library are not the household's.
    - A search by title matches events whose title has all of its words.
    - Questions about engagements are about the user, or about visitors. An event at another place
      means that the user goes out; if all are at home, the answer is no.
    """

    types = (QueryType.AHEAD, QueryType.SHOWN)

    @cached_property
    def _calendars(self) -> Sequence[Exposed]:
        return calendars(self._hass, self._view.assistant)

    async def async_answer(self, query: Query) -> HomeAnswer | None:
        """Return the answer to a question; None if none is certain."""
        if not self._calendars:
            return None
        return await self._appointments(query) or await self._engagements(query)

    # Appointments

    async def _appointments(self, query: Query) -> HomeAnswer | None:
        said, span = TokenConsumer(query.words), query.span
        names_calendar = said.says("calendars")
        said.says("beside_events")
        is_about = said.says("appointments") or names_calendar
        is_busy = said.says("busy")
        if (is_busy or said.says("free")) and span and not said.left:
            return await self._free(span, is_denied=is_busy)
        is_when = said.says("when")
        is_next = is_about and span is None and said.says("next")
        if is_when and not is_next:
            topic = self._topic(said.left)
            return self._few(await self._events(span, topic)) if topic else None
        order = next((each for each in _ORDER if is_about and said.says(each)), "")
        if not (is_next or order):
            return await self._list(said, query, names_calendar=names_calendar, is_about=is_about)
        said.says("which", "value", "events", "speaker")
        topic, named = self._named(said, names_calendar)
        found = await self._events(None if is_next else span or today(), topic, named)
        if topic and not found:
            return None
        if is_next:
            return self._all_of([each for each in found if each.start > self._view.now][:1], None)
        # Prefer events with a time of day.
        some = [each for each in found if not each.is_all_day] or found
        return self._all_of([some[_ORDER[order]]] if some else [], span)

    async def _list(
        self, said: TokenConsumer, query: Query, *, names_calendar: bool, is_about: bool
    ) -> HomeAnswer | None:
        span = query.span
        is_count = said.says("how_many")
        if not is_about and not (span and said.says("events", "any_event")):
            return None
        is_told = said.says("events", "which", "value", "list", "who", "whom")
        is_whether = not (is_count or is_told or query.type is QueryType.SHOWN)
        is_of_household = said.says("speaker") or names_calendar
        said.says("some", "any_event", "events", "list")
        topic, named = self._named(said, names_calendar)
        everything = await self._events(span, (), named)
        found = [each for each in everything if has_all(each.title, topic)]
        if topic and not found and (everything or not (is_about and is_of_household)):
            if not names_calendar or query.type is QueryType.SHOWN:
                return None
            # Give all events if they are few: the user asks for some of them.
            end = span.end if span else self._view.now + _WEEK
            some = [each for each in everything if each.start < end]
            return self._few(some if len(some) <= _FEW_AT_ALL else (), _FEW_AT_ALL)
        if is_count and found:
            return HomeAnswer(f"{len(found)}. {begun(self._told(found))}")
        return self._whether(found, span) if is_whether else self._all_of(found, span)

    async def _free(self, span: Interval, *, is_denied: bool) -> HomeAnswer | None:
        """Return whether an interval has no events; with `is_denied`, whether it has any."""
        found = await self._events(span)
        if found and all(each.is_all_day for each in found):
            # An all-day event may be a birthday, which takes no time.
            return self._all_of(found, span)
        return self._whether(found, span, is_so=is_denied)

    def _named(
        self, said: TokenConsumer, names_calendar: bool
    ) -> tuple[Sequence[str], Sequence[Exposed]]:
        """Return the words beside the names of calendars, and the named calendars, else all."""
        left = self._topic(said.left)
        for calendar in self._calendars if names_calendar else ():
            own = self._topic(words(calendar.names[0]))
            if own and all(word in left for word in own):
                return [word for word in left if word not in own], [calendar]
        return left, self._calendars

    # Engagements

    async def _engagements(self, query: Query) -> HomeAnswer | None:
        said, span = TokenConsumer(query.words), query.span
        is_asked_where = said.says("where")
        is_asked_when = said.says("when")
        is_of_speaker = said.says("speaker")
        # "Who is coming to the meeting?" is not about a visit.
        is_visit = said.says("visits") and not said.tokens("appointments")
        goes_out = said.says("going_out")
        is_plan = said.says("doings", "events", "any_event")
        is_of_anybody = said.says("anybody", "who", "whom")
        said.says("beside_events", "which", "event_verbs")
        topic = self._topic(said.left)
        if is_visit and not (is_of_speaker and goes_out):
            return await self._visits(topic, span) if span or is_of_anybody or topic else None
        if topic:
            is_asked = is_asked_when or is_asked_where or is_of_speaker or (is_plan and span)
            return self._few(await self._events(span, topic)) if is_asked else None
        if not is_of_speaker or (is_of_anybody and not is_plan):
            return None
        if goes_out:
            return await self._outings(span, is_asked_when=is_asked_when)
        return self._all_of(await self._events(span), span) if is_plan and span else None

    async def _visits(self, topic: Sequence[str], span: Interval | None) -> HomeAnswer | None:
        """Return the events whose titles name a visit; if there are none, all, if they are few."""
        found = await self._events(span or self._week_ahead(), topic)
        if topic and not found:
            return None
        if visits := [each for each in found if self._read(each.title).says("visits")]:
            return self._all_of(visits, span)
        return self._all_of(found, span) if len(found) <= _FEW_AT_ALL else None

    async def _outings(self, span: Interval | None, *, is_asked_when: bool) -> HomeAnswer | None:
        """Return the events elsewhere, else that all are at home, else all events."""
        found = await self._events(span or (self._week_ahead() if is_asked_when else today()))
        places = {each: self._is_at_home(each) for each in found}
        away = [each for each in found if places[each] is False]
        if is_asked_when:
            return self._few(away, 1)
        if away or (found and all(places.values())):
            return self._whether(away or found, span, is_so=bool(away))
        return self._all_of(found, span)

    def _is_at_home(self, event: CalendarEvent) -> bool | None:
        """Return True if an event is at home; None if it has no location, or is online."""
        if not event.place or _ONLINE in event.place:
            return None
        own = frozenset(words(self._hass.config.location_name))
        if own and own.issuperset(words(event.place)):
            return True
        said = self._read(event.place)
        return said.says("home") and not said.left

    def _week_ahead(self) -> Interval:
        return Interval(self._view.now, self._view.now + _WEEK)

    # Reading and phrasing

    async def _events(
        self,
        span: Interval | None,
        topic: Sequence[str] = (),
        calendars: Sequence[Exposed] | None = None,
    ) -> Sequence[CalendarEvent]:
        """Return the events of an interval, else of the next year, by start; none that is over."""
        now = self._view.now
        begin = max(span.start, now) if span else now
        end = span.end if span else now + _YEAR
        read = await self._async_read(
            DOMAIN,
            SERVICE_GET_EVENTS,
            entity_id=[each.entity_id for each in calendars or self._calendars],
            start_date_time=begin.isoformat(),
            end_date_time=end.isoformat(),
        )
        events = {_event(each) for of in read.values() for each in of["events"]}
        return sorted(
            each
            for each in events
            if each.end > begin and each.start < end and has_all(each.title, topic)
        )

    def _topic(self, said: Iterable[str]) -> Sequence[str]:
        """Return words without those for appointments, which may be the end of a compound."""
        texts = self._phrasing.language.questions
        listed = (*texts.get("calendars", ()), *texts.get("appointments", ()))
        ends = {word for each in listed for part in each.split("|") for word in words(part)}
        topic: list[str] = []
        for word in said:
            end = next((e for e in ends if word.endswith(e) and len(word) >= len(e) + _LETTERS), "")
            topic.append(word.removesuffix(end))
        return [each for each in topic if each and each not in ends]

    def _few(self, found: Sequence[CalendarEvent], most: int = _FEW) -> HomeAnswer | None:
        """Return the first events; None if there are none."""
        return HomeAnswer(begun(self._told(found[:most]))) if found else None

    def _all_of(self, found: Sequence[CalendarEvent], span: Interval | None) -> HomeAnswer:
        """Return the events, or that there are none."""
        return self._few(found, len(found)) or HomeAnswer(begun(self._none(span)), is_ours=True)

    def _whether(
        self, found: Sequence[CalendarEvent], span: Interval | None, *, is_so: bool = True
    ) -> HomeAnswer:
        """Return "yes" with the events, or "no" without any; reversed if not `is_so`."""
        if found:
            return HomeAnswer(self._phrasing.yes(is_so, self._told(found)))
        return HomeAnswer(self._phrasing.yes(not is_so, self._none(span)), is_ours=True)

    def _none(self, span: Interval | None) -> str:
        """Return that there are no events; on a day that has begun, no more events."""
        has_begun = span and span.is_day and span.start <= self._view.now
        nothing = self._phrasing.text("events", "no_more" if has_begun else "none")
        return self._phrasing.said(span.words, nothing) if span and span.words else nothing

    def _told(self, events: Sequence[CalendarEvent]) -> str:
        """Return the events in words, grouped by day."""
        today = self._view.now.date()
        told = (
            self._phrasing.said(self._phrasing.day(day), *map(self._event_told, some))
            for day, some in groupby(events[:_MOST], lambda each: max(each.start.date(), today))
        )
        return self._phrasing.and_more(sentences(told), len(events) - _MOST)

    def _event_told(self, event: CalendarEvent) -> str:
        at = "" if event.is_all_day else f" {self._phrasing.at_time(event.start)}"
        return f"{event.title}{at} ({event.place})" if event.place else f"{event.title}{at}"


def _event(read: Mapping[str, Any]) -> CalendarEvent:
    is_all_day = "T" not in read["start"]
    start, end = (_moment(read[each]) for each in ("start", "end"))
    title, place = (one_line(str(read.get(each) or "")) for each in ("summary", "location"))
    return CalendarEvent(start, end if end > start else start + DAY, title, place, is_all_day)


def _moment(text: str) -> dt.datetime:
    if "T" in text:
        return dt_util.as_local(dt.datetime.fromisoformat(text))
    return dt_util.start_of_local_day(dt.date.fromisoformat(text))
