"""What is in the home's calendars."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
import datetime as dt
from itertools import groupby
from typing import Any, Final

from homeassistant.components.calendar import DOMAIN, SERVICE_GET_EVENTS
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util

from ..home.exposed import Exposed, one_line
from ..names.inflection import is_like_any
from ..names.matching import words
from ..nlu.phrase_patterns import patterns_of
from ..nlu.time_resolution import DAY
from ..nlu.tokenizer import Text
from .intervals import Interval, today
from .phrasing import Phrasing, begun
from .token_consumer import TokenConsumer

_MOST: Final = 6
"""Events that are told one by one."""
FEW: Final = 3
"""Events of which one is looked for that are told."""
FEW_AT_ALL: Final = 5
"""Events that are told to who asks for some of them."""
_ORDER: Final = {"first_event": 0, "last_event": -1}
_YEAR: Final = 366
_WEEK: Final = 7
_LETTERS: Final = 3
"""Of a word that a word for an appointment ends: Zahnarzttermin."""


@dataclass(frozen=True, slots=True, order=True)
class CalendarEvent:
    """What is in a calendar."""

    start: dt.datetime
    end: dt.datetime
    title: str
    place: str
    is_all_day: bool


@dataclass(frozen=True, slots=True)
class _Asked:
    """What of some calendars is asked."""

    calendars: Sequence[Exposed]
    topic: Sequence[str]
    """The words that an event's title has to have."""
    is_about: bool
    """It is said that it is about calendars or appointments."""
    names_calendar: bool
    is_count: bool
    is_whether: bool


@dataclass(frozen=True, slots=True)
class CalendarAnswer:
    """What is told of calendars, and whether somebody has written a part of it."""

    text: str
    is_quoted: bool


class CalendarHandler:
    """Answers what is in the calendars that are exposed, from now on.

    - Where a question says more than its day and what it is about, there is no answer, but where
      nothing at all is in the calendars: then that is so of anything.
    - What is looked for by its title is found where all of its words are in the title.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        calendars: Sequence[Exposed],
        phrasing: Phrasing,
        context: Context,
    ) -> None:
        """Take the calendars, the words for an answer, and on whose behalf they are read."""
        self._hass = hass
        self._calendars = calendars
        self._phrasing = phrasing
        self._context = context
        self._known = patterns_of(phrasing.language.code)
        self._now = dt_util.now()

    async def async_answer(self, text: Text, span: Interval | None) -> CalendarAnswer | None:
        """Return the answer to a question without the words of its span; None where none is certain."""
        if not self._calendars:
            return None
        said = TokenConsumer(text, self._known)
        names_calendar = said.says("calendars")
        said.says("beside_events")
        is_about = said.says("appointments") or names_calendar
        if said.says("free") and span and not said.left:
            return await self._free(span)
        if said.says("busy") and span and not said.left:
            return await self._free(span, is_denied=True)
        if said.says("when"):
            return await self._when(said, span, is_about=is_about)
        if is_about and span is None and said.says("next"):
            said.says("which", "value", "events")
            return self._first(await self._events(None, *self._named(said, names_calendar)))
        if is_about and (order := next((each for each in _ORDER if said.says(each)), "")):
            said.says("which", "value", "events")
            found = await self._events(span or today(), *self._named(said, names_calendar))
            return self._one(found, span, order)
        asked = self._asked(said, span, names_calendar=names_calendar, is_about=is_about)
        return await self._list(asked, span) if asked else None

    def _asked(
        self, said: TokenConsumer, span: Interval | None, *, names_calendar: bool, is_about: bool
    ) -> _Asked | None:
        """Return what of a calendar is asked; None where it is not certainly one."""
        is_count = said.says("how_many")
        if not is_about and not (span and said.says("events", "any_event")):
            return None
        is_whether = not is_count and not said.says("events", "which", "value", "list")
        said.says("some", "any_event", "events", "list")
        calendars, topic = self._named(said, names_calendar)
        return _Asked(calendars, topic, is_about, names_calendar, is_count, is_whether)

    async def _list(self, asked: _Asked, span: Interval | None) -> CalendarAnswer | None:
        everything = await self._events(span, asked.calendars, ())
        if everything is None:
            return None
        found = [each for each in everything if _is_called(each, asked.topic)]
        if asked.topic and not found and (everything or not asked.is_about):
            return self._of_the_week(everything, span) if asked.names_calendar else None
        if not found:
            none = self.none(span)
            return CalendarAnswer(
                self._phrasing.yes(False, none) if asked.is_whether else none, False
            )
        told = self.told(found)
        if asked.is_count:
            return CalendarAnswer(f"{len(found)}. {begun(told)}", True)
        return CalendarAnswer(self._phrasing.yes(True, told) if asked.is_whether else told, True)

    def _of_the_week(
        self, events: Sequence[CalendarEvent], span: Interval | None
    ) -> CalendarAnswer | None:
        """Return all that is ahead, where that is little: somebody asks for a part of it."""
        end = span.end if span else self._now + dt.timedelta(days=_WEEK)
        some = [each for each in events if each.start < end]
        return CalendarAnswer(self.told(some), True) if 0 < len(some) <= FEW_AT_ALL else None

    async def _free(self, span: Interval, *, is_denied: bool = False) -> CalendarAnswer | None:
        """Return whether nothing is in a span; `is_denied`: whether something is."""
        found = await self._events(span, self._calendars, ())
        if found is None:
            return None
        if not found:
            return CalendarAnswer(self._phrasing.yes(not is_denied, self.none(span)), False)
        told = self.told(found)
        # A whole day may be a birthday, for which nobody has to go anywhere.
        is_busy = not all(each.is_all_day for each in found)
        return CalendarAnswer(self._phrasing.yes(is_denied, told) if is_busy else told, True)

    async def _when(
        self, said: TokenConsumer, span: Interval | None, *, is_about: bool
    ) -> CalendarAnswer | None:
        if is_about and span is None and said.says("next") and not said.left:
            return self._first(await self._events(None, self._calendars, ()))
        topic = self.topic(said.left)
        if not topic:
            return None
        found = await self._events(span, self._calendars, topic)
        return CalendarAnswer(self.told(found[:FEW]), True) if found else None

    def _first(self, found: Sequence[CalendarEvent] | None) -> CalendarAnswer | None:
        if found is None:
            return None
        ahead = [each for each in found if each.start > self._now]
        return (
            CalendarAnswer(self.told(ahead[:1]), True)
            if ahead
            else CalendarAnswer(self.none(None), False)
        )

    def _one(
        self, found: Sequence[CalendarEvent] | None, span: Interval | None, order: str
    ) -> CalendarAnswer | None:
        """Return the first or the last event: of those that have a time, if any has."""
        if found is None:
            return None
        some = [each for each in found if not each.is_all_day] or found
        if not some:
            return CalendarAnswer(self.none(span), False)
        return CalendarAnswer(self.told([some[_ORDER[order]]]), True)

    def _named(
        self, said: TokenConsumer, names_calendar: bool
    ) -> tuple[Sequence[Exposed], Sequence[str]]:
        """Return the calendars that are named, all where none is, and what else is said."""
        left = self.topic(said.left)
        if names_calendar:
            for calendar in self._calendars:
                own = self.topic(words(calendar.names[0]))
                if own and all(word in left for word in own):
                    return [calendar], [word for word in left if word not in own]
        return self._calendars, left

    def topic(self, said: Iterable[str]) -> Sequence[str]:
        """Return words without those for appointments, of which one may end another word."""
        listed = ("calendars", "appointments")
        ends = {
            word
            for name in listed
            for each in self._phrasing.language.questions.get(name, ())
            for part in each.split("|")
            for word in words(part)
        }
        topic: list[str] = []
        for word in said:
            end = next((e for e in ends if word.endswith(e) and len(word) >= len(e) + _LETTERS), "")
            topic.append(word.removesuffix(end))
        return [each for each in topic if each and each not in ends]

    async def async_events(
        self, span: Interval | None, topic: Sequence[str] = ()
    ) -> Sequence[CalendarEvent] | None:
        """Return what is ahead in all calendars, in its order; None if unread."""
        return await self._events(span, self._calendars, topic)

    async def _events(
        self, span: Interval | None, calendars: Sequence[Exposed], topic: Sequence[str]
    ) -> Sequence[CalendarEvent] | None:
        """Return what is not over of a span, else of the year ahead, in its order; None if unread."""
        begin = max(span.start, self._now) if span else self._now
        end = span.end if span else self._now + dt.timedelta(days=_YEAR)
        data: dict[str, Any] = {
            "entity_id": [each.entity_id for each in calendars],
            "start_date_time": begin.isoformat(),
            "end_date_time": end.isoformat(),
        }
        try:
            read: Any = await self._hass.services.async_call(
                DOMAIN,
                SERVICE_GET_EVENTS,
                data,
                context=self._context,
                blocking=True,
                return_response=True,
            )
        except HomeAssistantError:
            return None
        events = {_event(each) for of in (read or {}).values() for each in of["events"]}
        return sorted(
            each
            for each in events
            if each.end > begin and each.start < end and _is_called(each, topic)
        )

    def none(self, span: Interval | None) -> str:
        """Return that nothing is to come; of today, there may have been something."""
        begins = span and span.is_day and span.start <= self._now
        return self._phrasing.nothing_ahead(span.words if span else "", more=bool(begins))

    def told(self, events: Sequence[CalendarEvent]) -> str:
        """Return events by their days."""
        today = self._now.date()
        told = (
            self._phrasing.on_day(day, today, [self._named_event(each) for each in some])
            for day, some in groupby(events[:_MOST], lambda each: max(each.start.date(), today))
        )
        first, *others = told
        text = ". ".join((first, *map(begun, others)))
        return self._phrasing.and_more(text, len(events) - _MOST)

    def _named_event(self, event: CalendarEvent) -> str:
        at = None if event.is_all_day else event.start.time()
        return self._phrasing.event(event.title, at, event.place)


def _event(read: Mapping[str, Any]) -> CalendarEvent:
    is_all_day = "T" not in read["start"]
    start, end = (_moment(read[each]) for each in ("start", "end"))
    title, place = (one_line(str(read.get(each) or "")) for each in ("summary", "location"))
    return CalendarEvent(start, end if end > start else start + DAY, title, place, is_all_day)


def _moment(text: str) -> dt.datetime:
    if "T" in text:
        return dt_util.as_local(dt.datetime.fromisoformat(text))
    return dt_util.start_of_local_day(dt.date.fromisoformat(text))


def _is_called(event: CalendarEvent, topic: Sequence[str]) -> bool:
    title = frozenset(words(event.title))
    return all(is_like_any(word, title) for word in topic)
