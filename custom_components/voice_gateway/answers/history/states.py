"""Past states: whether, when, how often and how long an entity was in a state."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
import datetime as dt
from typing import Final

from homeassistant.const import ATTR_DEVICE_CLASS
from homeassistant.core import State
from homeassistant.util import dt as dt_util

from ...home.exposed import Exposed, deciding_entities
from ...home.state_semantics import state_means, states_of
from ...home.written_text import is_written_state
from ...nlu.conditions import StateQuery
from ...nlu.tokenizer import Text
from ..handler import agreed, only
from ..intervals import LONGEST, Interval
from ..query import Query, QueryType
from ..states import SUN, StatesHandler
from . import recorder
from .series import StateHistory, StatePeriod

_MOST: Final = 4
"""Maximum number of entities in an answer."""
_MOST_LISTED: Final = 20
"""Maximum number of entities that are read to list those in a state."""
_STATES: Final = 6
"""Maximum number of an entity's states in a summary."""
_MINUTE: Final = dt.timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class _Course:
    """A question about an entity's past state, with its recorded history."""

    asked: StateQuery
    entity: Exposed
    history: StateHistory | None = None

    def is_so(self, state: str) -> bool:
        """Return True if a state is one of the requested ones."""
        device_class = self.entity.device_class
        attributes = {ATTR_DEVICE_CLASS: device_class} if device_class else {}
        shown = State(self.entity.entity_id, state, attributes)
        return bool(state_means(shown, self.asked.meaning))

    @property
    def so(self) -> Sequence[StatePeriod]:
        """The periods in the requested state."""
        return self.history.of(self.is_so) if self.history else ()

    @property
    def counted(self) -> Sequence[StatePeriod]:
        """The periods that count: for an event, those that began in the interval."""
        return [each for each in self.so if each.has_start] if self.asked.is_event else self.so


class StateHistoryHandler(StatesHandler):
    """Answers which entities were open, on, at home, or in another state.

    - An answer only has exposed entities, and names them.
    - It reports missing data; "no" requires data for the whole interval.
    - There is no answer if a part of the question is not understood, or if its interpretations have
      different answers.
    """

    async def async_told(self, query: Query) -> str | None:
        """Return the answer to a question; None if none is certain."""
        if query.reckoned or query.type is QueryType.USED:
            return None
        if query.departed is not None:
            query = replace(query, span=await self._async_departure(query.departed))
        if query.listed and query.span:
            queries = self._conditions.parse_queries(query.item)
            return only([await self._async_listed(each, query) for each in queries])
        ways = await self._view.async_run(
            query.words,
            lambda: [(each, self._deciding(each)) for each in self._understood(query)],
        )
        return only([await self._async_told(*each, query) for each in ways if each[1]])

    async def async_summary(self, entity: Exposed, span: Interval) -> str:
        """Return number and duration of an entity's periods in each state, and its last period.

        States that may be third-party text are left out; the summary is empty if no other remains.
        """
        course = await self._async_history(entity, span)
        known = [each.state for each in course.stretches if each.is_known] if course else []
        if course is None or not known:
            return self._phrasing.of(entity.names[0], span)
        now = self._state(entity)
        attributes = now.attributes if now else {}
        states = [
            each
            for each in dict.fromkeys(known)
            if not is_written_state(entity.domain, each, attributes)
        ][:_STATES]
        told: list[str] = []
        for state in states:
            found = course.of(state.__eq__)
            said = self._phrasing.lower_state(entity, state)
            if not span.is_point:
                times = self._phrasing.times(said, len(found))
                amount = self._phrasing.amount(course.lasted(state.__eq__))
                said = self._phrasing.text("past", "long", state=times, amount=amount)
                said = f"{said} ({self._phrasing.segment(entity, found[-1])})"
            told.append(said)
        if not told:
            return ""
        return self._complete(self._phrasing.of(entity.names[0], span, "; ".join(told)), course)

    def _understood(self, query: Query) -> Sequence[StateQuery]:
        """Return the interpretations of the words; for an ambiguous word, those that fit the type.

        "Opened" is a state ("how long was it opened") or an event ("when was it opened").
        """
        happens = query.type in (QueryType.LAST, QueryType.FIRST, QueryType.HOW_OFTEN)
        ways = [*self._conditions.parse_queries(query.words, has_happened=True)]
        both = {replace(each, is_event=False) for each in ways if each.is_event}
        both &= {each for each in ways if not each.is_event}
        only = [each for each in ways if replace(each, is_event=False) not in both]
        if query.type is QueryType.WAS and query.span is None:
            # "Has the washer finished": without a time, only an event is possible.
            return [each for each in only if each.is_event]
        return [each for each in ways if each.is_event is happens or each in only]

    def _deciding(
        self, asked: StateQuery, most: int = _MOST, *, several: bool | None = None
    ) -> Sequence[Exposed]:
        """Return the entities that a question refers to; none if they are too many."""
        is_other = asked.is_denied or asked.limit is not None or asked.count in ("none", "everyone")
        if is_other or asked.meaning in SUN:
            return ()
        entities = deciding_entities(tuple(self.entities(asked, several=several)))
        return entities if len(entities) <= most else ()

    async def _async_told(
        self, asked: StateQuery, entities: Sequence[Exposed], query: Query
    ) -> str | None:
        form, span = query.type, query.span
        courses = [_Course(asked, each) for each in entities]
        if span is None:
            if form in (QueryType.FIRST, QueryType.HOW_OFTEN):
                return None
            latest = [await self._async_latest(each) for each in courses]
            return "; ".join(self._period(each, None) for each in latest)
        if form is not QueryType.WAS and span.is_point:
            return None
        read = [
            replace(each, history=await self._async_history(each.entity, span)) for each in courses
        ]
        if form is not QueryType.WAS:
            return "; ".join(self._told_of(each, form, span) for each in read)
        return (self._at if span.is_point else self._was)(read, span)

    async def _async_listed(self, asked: StateQuery, query: Query) -> str | None:
        """Return the entities that were in a state at a moment, or their number."""
        span = query.span
        entities = () if asked.count else self._deciding(asked, _MOST_LISTED, several=True)
        if not entities or span is None or query.listed is None or not span.is_point:
            return None
        histories = {each: await self._async_history(each, span) for each in entities}
        states = {each: history.first if history else "" for each, history in histories.items()}
        so = [each for each, state in states.items() if state and _Course(asked, each).is_so(state)]
        told = [self._listed(query.listed, so)] if so or any(states.values()) else []
        told += [
            self._phrasing.of(each.names[0], None) for each, state in states.items() if not state
        ]
        return self._phrasing.said(self._phrasing.when(span), "; ".join(filter(None, told)))

    async def _async_departure(self, who: Text) -> Interval | None:
        """Return the last moment at which all named persons, else all persons, had left home."""
        people = [each for each in self._home.entities if each.domain == "person"]
        if who:
            people = [*self._things.link(who, people.__contains__)]
        now = self._view.now
        read = [await self._async_history(each, Interval(now - LONGEST, now)) for each in people]
        stays = sorted(
            (each.start, each.end) for course in read if course for each in course.of("home".__eq__)
        )
        left = until = None
        for start, end in (*stays, (now, now)) if all(read) else ():
            left = until if until and start > until else left
            until = max(until or end, end)
        return Interval(dt_util.as_local(left), left, is_point=True) if left else None

    async def _async_latest(self, course: _Course) -> _Course:
        span = Interval(self._view.now - LONGEST, self._view.now)
        history = await recorder.async_read(
            self._hass, recorder.latest, course.entity.entity_id, span, course.is_so
        )
        return replace(course, history=history)

    async def _async_history(self, entity: Exposed, span: Interval) -> StateHistory | None:
        return await recorder.async_read(self._hass, recorder.course, entity.entity_id, span)

    # Phrasing

    def _was(self, courses: Sequence[_Course], span: Interval) -> str:
        """Return "yes" with the entities that were in the state, "no" if certainly none was."""
        so = [each for each in courses if each.counted]
        told = "; ".join(self._period(each, span) for each in so or courses)
        surely_not = all(
            each.history and not (each.history.since or each.history.unknown or each.so)
            for each in courses
        )
        return self._phrasing.yes(True if so else False if surely_not else None, told)

    def _at(self, courses: Sequence[_Course], span: Interval) -> str:
        """Return whether the state held at a moment, with the states at that moment."""
        shown: list[bool | None] = []
        told: list[str] = []
        for course in courses:
            first = course.history.first if course.history else ""
            shown.append(course.is_so(first) if first else None)
            state = self._phrasing.lower_state(course.entity, first) if first else ""
            told.append(self._phrasing.of(course.entity.names[0], span, state))
        is_any = courses[0].asked.count and None not in shown
        return self._phrasing.yes(any(shown) if is_any else agreed(shown), "; ".join(told))

    def _told_of(self, course: _Course, form: QueryType, span: Interval) -> str:
        """Return when, how often or how long the state held in an interval."""
        if form in (QueryType.LAST, QueryType.FIRST) or course.history is None:
            return self._period(course, span, is_first=form is QueryType.FIRST)
        state, lasted = self._state_asked(course), course.history.lasted(course.is_so)
        if form is QueryType.HOW_LONG and lasted:
            amount = self._phrasing.amount(lasted)
            told = self._phrasing.text("past", "long", state=state, amount=amount)
        else:
            count = len(course.counted) if form is QueryType.HOW_OFTEN else 0
            told = self._phrasing.times(state, count)
        told = self._phrasing.of(course.entity.names[0], span, told)
        return self._complete(told, course.history)

    def _period(self, course: _Course, span: Interval | None, *, is_first: bool = False) -> str:
        """Return the last period in the state, or the first one."""
        name = course.entity.names[0]
        if course.history is None:
            return self._phrasing.of(name, span)
        if chosen := course.counted or course.so:
            told = self._phrasing.segment(course.entity, chosen[0 if is_first else -1])
            return self._phrasing.of(name, None, told)
        never = self._phrasing.times(self._state_asked(course), 0)
        return self._complete(self._phrasing.of(name, span, never), course.history)

    def _complete(self, told: str, course: StateHistory) -> str:
        """Return a statement, followed by the duration without data."""
        told = self._phrasing.since(told, course.since)
        if course.unknown < _MINUTE:
            return told
        amount = self._phrasing.amount(course.unknown)
        return self._phrasing.text("past", "unknown", told=told, amount=amount)

    def _state_asked(self, course: _Course) -> str:
        """Return the requested state in Home Assistant's words."""
        entity, meaning = course.entity, course.asked.meaning
        states = sorted(states_of(entity.domain, entity.device_class, meaning))
        state = meaning if meaning in states or not states else states[0]
        return self._phrasing.lower_state(entity, course.so[-1].state if course.so else state)
