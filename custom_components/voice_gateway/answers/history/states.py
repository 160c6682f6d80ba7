"""When, how often and how long something was so, and whether it was."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
import datetime as dt
from typing import Final

from homeassistant.const import ATTR_DEVICE_CLASS
from homeassistant.core import State
from homeassistant.util import dt as dt_util

from ...home.exposed import Exposed, deciding_entities
from ...home.state_semantics import state_means, states_of
from ...names.matching import words
from ...nlu.conditions import StateQuery
from ...nlu.tokenizer import Text
from ..handler import agreed, only
from ..intervals import Interval
from ..query import Query, QueryType
from ..states import StatesHandler
from .handler import HistoryHandler
from .interval import LONGEST
from .series import StateHistory, StatePeriod

_MOST: Final = 4
"""Entities that are told one by one."""
_MOST_LISTED: Final = 20
"""Entities that are looked at to tell which were so."""
_STATES: Final = 6
"""States of an entity that are told."""
_TEXT: Final = 3
"""Words from which on a state is a text that somebody wrote."""
_SECOND: Final = dt.timedelta(seconds=1)
_MINUTE: Final = dt.timedelta(minutes=1)
_HOME: Final = "home"
_PERSON: Final = "person"
_SUN: Final = ("dark", "sun_down", "sun_up")


@dataclass(frozen=True, slots=True)
class _Course:
    """What is recorded of an entity of which it is asked whether, when or how often it was so."""

    asked: StateQuery
    entity: Exposed
    history: StateHistory | None = None

    def is_so(self, state: str) -> bool:
        """Return True if a state is one of those that are asked about."""
        device_class = self.entity.device_class
        attributes = {ATTR_DEVICE_CLASS: device_class} if device_class else {}
        shown = State(self.entity.entity_id, state, attributes)
        return bool(state_means(shown, self.asked.meaning))

    @property
    def so(self) -> Sequence[StatePeriod]:
        """When it was so."""
        return self.history.of(self.is_so) if self.history else ()

    @property
    def counted(self) -> Sequence[StatePeriod]:
        """The times that count: of what happens, those that began in the time."""
        return [each for each in self.so if each.has_start] if self.asked.is_event else self.so


class StateHistoryHandler(HistoryHandler):
    """Answers what was open, on, at home and the like.

    - An answer is of exposed entities alone, and names them.
    - What is not recorded is said to be so; "no" is only said where all of the time is recorded.
    - Where not all of a question is understood, or two ways to understand it are answered
      otherwise, there is none.
    """

    async def async_told(self, query: Query) -> str | None:
        """Return the answer to a question; None where nothing is certain."""
        if query.reckoned or query.type is QueryType.USED:
            return None
        if query.departed is not None:
            query = replace(query, span=await self._async_departure(query.departed))
        if query.listed and query.span:
            understood = self._conditions.parse_queries(query.item)
            return only(
                [await self._async_listed(each, query.listed, query.span) for each in understood]
            )
        ways = [(each, self._entities(each)) for each in self._asked(query)]
        return only([await self._async_told(*each, query) for each in ways if each[1]])

    async def async_summary(self, entity: Exposed, span: Interval) -> str:
        """Return how often and for how long an entity was in which state, and since when in its last.

        A state that is a text is left out: others may have written it. Of nothing but such it is
        empty.
        """
        course = await self._async_history(entity, span)
        missing = self._not_recorded(entity, span)
        if course is None:
            return missing
        told: list[str] = []
        for state in dict.fromkeys(each.state for each in course.stretches if each.is_known):
            if len(words(state)) >= _TEXT or len(told) >= _STATES:
                continue
            found = course.of(state.__eq__)
            said = self._phrasing.lower_state(entity, state)
            amount = self._phrasing.amount(course.lasted(state.__eq__))
            long = self._phrasing.past(
                "long", state=self._phrasing.times(said, len(found)), amount=amount
            )
            told.append(
                said if span.is_point else f"{long} ({self._phrasing.segment(entity, found[-1])})"
            )
        if not told:
            return "" if any(each.is_known for each in course.stretches) else missing
        return self._complete(self._phrasing.of(entity.names[0], span, "; ".join(told)), course)

    def _asked(self, query: Query) -> Sequence[StateQuery]:
        """Return the ways to understand the words; of a word for both, what it says there.

        "Opened" is how it was ("how long was it opened") or what happened ("when was it opened").
        """
        happens = query.type in (
            QueryType.LAST,
            QueryType.FIRST,
            QueryType.HOW_OFTEN,
        )
        ways = [*self._conditions.parse_queries(query.words, has_happened=True)]
        both = {replace(each, is_event=False) for each in ways if each.is_event}
        both &= {each for each in ways if not each.is_event}
        only = [each for each in ways if replace(each, is_event=False) not in both]
        if query.type is QueryType.WAS and query.span is None:
            # "Has the washer finished": without a time, only what happens is asked for.
            return [each for each in only if each.is_event]
        return [each for each in ways if each.is_event is happens or each in only]

    def _entities(self, asked: StateQuery) -> Sequence[Exposed]:
        if asked.is_denied or asked.limit is not None or asked.count in ("none", "everyone"):
            return ()
        if asked.meaning in _SUN:
            return ()
        entities = deciding_entities(tuple(StatesHandler(self._view).entities(asked)))
        return entities if len(entities) <= _MOST else ()

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
            return "; ".join(self._told(each, form, span) for each in read)
        return (self._at if span.is_point else self._whether)(read, span)

    async def _async_listed(
        self, asked: StateQuery, listed: QueryType, span: Interval
    ) -> str | None:
        """Return of which entities it was so at a moment, or of how many."""
        if not span.is_point or asked.is_denied or asked.limit is not None or asked.count:
            return None
        found = StatesHandler(self._view).entities(asked, several=True)
        entities = deciding_entities(tuple(found))
        if not 0 < len(entities) <= _MOST_LISTED or asked.meaning in _SUN:
            return None
        states = {each: await self._async_state_at(each, span) for each in entities}
        so = [each for each, state in states.items() if state and _Course(asked, each).is_so(state)]
        told = [self._listed(listed, so)] if so or any(states.values()) else []
        told += [self._not_recorded(each, None) for each, state in states.items() if not state]
        return self._phrasing.said(self._phrasing.when(span), "; ".join(filter(None, told)))

    async def _async_state_at(self, entity: Exposed, span: Interval) -> str:
        """Return the state of an entity at a moment; empty where that is not known."""
        return _first_state(await self._async_history(entity, span))

    async def _async_departure(self, who: Text) -> Interval | None:
        """Return the last moment when the last one left home of some people, of all where nobody is said."""
        people = [each for each in self._home.entities if each.domain == _PERSON]
        if who:
            people = [*self._things.link(who, people.__contains__)]
        now = self._view.now
        read = [
            await self._recorded.async_course(each.entity_id, now - LONGEST, now) for each in people
        ]
        stays = sorted(
            (each.start, each.end) for course in read if course for each in course.of(_HOME.__eq__)
        )
        left = until = None
        for start, end in (*stays, (now, now)) if all(read) else ():
            left = until if until and start > until else left
            until = max(until or end, end)
        return Interval(dt_util.as_local(left), left, is_point=True) if left else None

    async def _async_latest(self, course: _Course) -> _Course:
        entity_id, now = course.entity.entity_id, self._view.now
        history = await self._recorded.async_latest(entity_id, course.is_so, now, LONGEST)
        return replace(course, history=history)

    async def _async_history(self, entity: Exposed, span: Interval) -> StateHistory | None:
        end = span.start + _SECOND if span.is_point else span.end
        return await self._recorded.async_course(entity.entity_id, span.start, end)

    # Whether it was so

    def _whether(self, courses: Sequence[_Course], span: Interval) -> str:
        """Return "yes" with each that was so, and "no" where certainly none was."""
        so = [each for each in courses if each.counted]
        told = "; ".join(self._period(each, span) for each in so or courses)
        surely_not = all(
            each.history and not (each.history.since or each.history.unknown or each.so)
            for each in courses
        )
        return self._phrasing.yes(True if so else False if surely_not else None, told)

    def _at(self, courses: Sequence[_Course], span: Interval) -> str:
        """Return whether it was so at a moment, and which state there was."""
        shown: list[bool | None] = []
        told: list[str] = []
        for course in courses:
            if not (first := _first_state(course.history)):
                shown.append(None)
                told.append(self._not_recorded(course.entity, span))
                continue
            shown.append(course.is_so(first))
            state = self._phrasing.lower_state(course.entity, first)
            told.append(self._phrasing.of(course.entity.names[0], span, state))
        is_any = courses[0].asked.count and None not in shown
        return self._phrasing.yes(any(shown) if is_any else agreed(shown), "; ".join(told))

    # How it is told

    def _told(self, course: _Course, form: QueryType, span: Interval) -> str:
        """Return when, how often or for how long it was so in a time."""
        if form in (QueryType.LAST, QueryType.FIRST):
            return self._period(course, span, is_first=form is QueryType.FIRST)
        if course.history is None:
            return self._not_recorded(course.entity, span)
        state, lasted = self._state_asked(course), course.history.lasted(course.is_so)
        if form is QueryType.HOW_OFTEN:
            told = self._phrasing.times(state, len(course.counted))
        elif lasted:
            told = self._phrasing.past("long", state=state, amount=self._phrasing.amount(lasted))
        else:
            told = self._phrasing.times(state, 0)
        told = self._phrasing.of(course.entity.names[0], span, told)
        return self._complete(told, course.history)

    def _period(self, course: _Course, span: Interval | None, *, is_first: bool = False) -> str:
        """Return from when to when it was so: of several times, the last, or the first."""
        entity = course.entity
        if course.history is None:
            return self._not_recorded(entity, span)
        if chosen := course.counted or course.so:
            told = self._phrasing.segment(entity, chosen[0 if is_first else -1])
            return self._phrasing.of(entity.names[0], None, told)
        never = self._phrasing.times(self._state_asked(course), 0)
        return self._complete(self._phrasing.of(entity.names[0], span, never), course.history)

    def _complete(self, told: str, course: StateHistory) -> str:
        """Return what is told, and of which part of the time nothing is known."""
        told = self._phrasing.since(told, course.since)
        if course.unknown >= _MINUTE:
            amount = self._phrasing.amount(course.unknown)
            return self._phrasing.past("unknown", told=told, amount=amount)
        return told

    def _state_asked(self, course: _Course) -> str:
        """Return the state that is asked about, as Home Assistant calls it."""
        entity, meaning = course.entity, course.asked.meaning
        states = sorted(states_of(entity.domain, entity.device_class, meaning))
        state = meaning if meaning in states or not states else states[0]
        return self._phrasing.lower_state(entity, course.so[-1].state if course.so else state)


def _first_state(history: StateHistory | None) -> str:
    """Return the state with which a history begins; empty where it is not known."""
    first = history.stretches[0] if history and history.since is None else None
    return first.state if first and first.is_known else ""
