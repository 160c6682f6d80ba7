"""When, how often and how long something was so, and whether it was."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
import datetime as dt
from typing import Final

from homeassistant.const import ATTR_DEVICE_CLASS
from homeassistant.core import State

from ...home.exposed import Exposed
from ...names.matching import words
from ...nlu.categories import find_categories
from ...nlu.conditions import StateQuery
from ...nlu.state_semantics import state_means, states_of
from ...nlu.triggers import deciding_entities
from ..handler import only
from ..intervals import Interval
from ..states import StatesHandler
from .handler import HistoryHandler
from .interval import LONGEST
from .question import HistoryQuestion, HistoryQuestionType
from .series import IsSo, StateHistory, StatePeriod

_MOST: Final = 4
"""Entities that are told one by one."""
_STATES: Final = 6
"""States of an entity that are told."""
_TEXT: Final = 3
"""Words from which on a state is a text that somebody wrote."""
_MINUTE: Final = dt.timedelta(minutes=1)
_SUN: Final = ("dark", "sun_down", "sun_up")


class StateHistoryHandler(HistoryHandler):
    """Answers what was open, on, at home and the like.

    - An answer is of exposed entities alone, and names them.
    - What is not recorded is said to be so; "no" is only said where all of the time is recorded.
    - Where not all of a question is understood, or two ways to understand it are answered
      otherwise, there is none.
    """

    async def async_answer(self, question: HistoryQuestion) -> str | None:
        """Return the answer to a question; None where nothing is certain."""
        tells = self._telling(question)
        if tells is None or question.reckoned:
            return None
        found = [(each, self._entities(each)) for each in self._asked(question)]
        return only([await tells(*each, question) for each in found if each[1]])

    async def async_summary(self, entity: Exposed, span: Interval) -> str:
        """Return how often and for how long an entity was in which state, and since when in its last.

        A state that is a text is left out: others may have written it. Of nothing but such it is
        empty.
        """
        second = replace(span, end=span.start + dt.timedelta(seconds=1))
        course = await self._async_course(entity, second if span.is_point else span)
        missing = self._not_recorded(entity, span)
        if course is None:
            return missing
        told: list[str] = []
        for state in dict.fromkeys(each.state for each in course.stretches if each.is_known):
            if len(words(state)) >= _TEXT or len(told) >= _STATES:
                continue
            found = course.of(state.__eq__)
            said = self._wording.state(entity, state)
            amount = self._wording.amount(course.lasted(state.__eq__))
            long = self._wording.text(
                "long", state=self._wording.times(said, len(found)), amount=amount
            )
            told.append(
                said if span.is_point else f"{long} ({self._wording.segment(entity, found[-1])})"
            )
        if not told:
            return "" if any(each.is_known for each in course.stretches) else missing
        return self._complete(self._wording.of(entity.names[0], span, "; ".join(told)), course)

    def _asked(self, question: HistoryQuestion) -> Sequence[StateQuery]:
        """Return the ways to understand the words; of a word for both, what it says there.

        "Opened" is how it was ("how long was it opened") or what happened ("when was it opened").
        """
        happens = question.form in (
            HistoryQuestionType.LAST,
            HistoryQuestionType.FIRST,
            HistoryQuestionType.COUNT,
        )
        ways = [*self._conditions.parse_queries(question.words, has_happened=True)]
        both = {replace(each, is_event=False) for each in ways if each.is_event}
        both &= {each for each in ways if not each.is_event}
        only = [each for each in ways if replace(each, is_event=False) not in both]
        if question.form is HistoryQuestionType.OTHER and question.span is None:
            # "Has the washer finished": without a time, only what happens is asked for.
            return [each for each in only if each.is_event]
        return [each for each in ways if each.is_event is happens or each in only]

    def _telling(
        self, question: HistoryQuestion
    ) -> Callable[[StateQuery, Sequence[Exposed], HistoryQuestion], Awaitable[str]] | None:
        match question.form:
            case (
                HistoryQuestionType.LAST | HistoryQuestionType.LONG | HistoryQuestionType.OTHER
            ) if question.span is None:
                return self._async_latest
            case HistoryQuestionType.USED:
                return None
        if question.span is None:
            return None
        if question.form is HistoryQuestionType.OTHER:
            return self._async_at if question.span.is_point else self._async_whether
        return None if question.span.is_point else self._async_each

    def _entities(self, asked: StateQuery) -> Sequence[Exposed]:
        if asked.is_denied or asked.limit is not None or asked.count in ("none", "everyone"):
            return ()
        if asked.meaning in _SUN:
            return ()
        many = any(each.is_plural for each in find_categories(asked.subject))
        found = StatesHandler(self._view).entities(asked, several=many or bool(asked.count))
        entities = deciding_entities(tuple(found))
        return entities if len(entities) <= _MOST else ()

    # One after the other

    async def _async_latest(
        self, asked: StateQuery, entities: Sequence[Exposed], _: HistoryQuestion
    ) -> str:
        return "; ".join([await self._async_latest_of(asked, each) for each in entities])

    async def _async_latest_of(self, asked: StateQuery, entity: Exposed) -> str:
        is_so = _is_so(asked, entity)
        course = await self._recorded.async_latest(entity.entity_id, is_so, self._view.now, LONGEST)
        return self._told(entity, None, course, asked)

    async def _async_each(
        self, asked: StateQuery, entities: Sequence[Exposed], question: HistoryQuestion
    ) -> str:
        return "; ".join([await self._async_of(asked, each, question) for each in entities])

    async def _async_of(self, asked: StateQuery, entity: Exposed, question: HistoryQuestion) -> str:
        assert question.span
        span, is_so = question.span, _is_so(asked, entity)
        course = await self._async_course(entity, span)
        match question.form:
            case HistoryQuestionType.LAST:
                return self._told(entity, span, course, asked)
            case HistoryQuestionType.FIRST:
                return self._told(entity, span, course, asked, is_first=True)
        if course is None:
            return self._not_recorded(entity, span)
        state = self._state_asked(asked, entity, course.of(is_so))
        if question.form is HistoryQuestionType.COUNT:
            told = self._wording.times(state, len(_begun(course.of(is_so), asked)))
        elif lasted := course.lasted(is_so):
            told = self._wording.text("long", state=state, amount=self._wording.amount(lasted))
        else:
            told = self._wording.text("never", state=state)
        return self._complete(self._wording.of(entity.names[0], span, told), course)

    # Whether it was so

    async def _async_whether(
        self, asked: StateQuery, entities: Sequence[Exposed], question: HistoryQuestion
    ) -> str:
        """Return "yes" with each that was so, and "no" where certainly none was."""
        assert question.span
        span = question.span
        courses = [(each, await self._async_course(each, span)) for each in entities]
        so = [
            (entity, course)
            for entity, course in courses
            if course and _begun(course.of(_is_so(asked, entity)), asked)
        ]
        tells = [self._told(entity, span, course, asked) for entity, course in so or courses]
        told = "; ".join(tells)
        if so:
            return self._phrasing.yes(True, told)
        surely = all(
            course and not course.since and not course.unknown and not course.of(is_so)
            for entity, course in courses
            for is_so in (_is_so(asked, entity),)
        )
        return self._phrasing.yes(False, told) if surely else told

    async def _async_at(
        self, asked: StateQuery, entities: Sequence[Exposed], question: HistoryQuestion
    ) -> str:
        """Return whether it was so at a moment, and which state there was."""
        assert question.span
        span = question.span
        second = replace(span, end=span.start + dt.timedelta(seconds=1))
        shown: list[bool | None] = []
        told: list[str] = []
        for entity in entities:
            course = await self._async_course(entity, second)
            first = course.stretches[0] if course and course.since is None else None
            if first is None or not first.is_known:
                shown.append(None)
                told.append(self._not_recorded(entity, span))
                continue
            shown.append(_is_so(asked, entity)(first.state))
            state = self._wording.state(entity, first.state)
            told.append(self._wording.of(entity.names[0], span, state))
        text = "; ".join(told)
        if None in shown or (len({*shown}) > 1 and not asked.count):
            return text
        return self._phrasing.yes(any(shown), text)

    # How it is told

    def _told(
        self,
        entity: Exposed,
        span: Interval | None,
        course: StateHistory | None,
        asked: StateQuery,
        *,
        is_first: bool = False,
    ) -> str:
        """Return from when to when it was so: of several times, the last, or the first."""
        if course is None:
            return self._not_recorded(entity, span)
        found = course.of(_is_so(asked, entity))
        if chosen := _begun(found, asked) or found:
            told = self._wording.segment(entity, chosen[0 if is_first else -1])
            return self._wording.of(entity.names[0], None, told)
        never = self._wording.text("never", state=self._state_asked(asked, entity, ()))
        return self._complete(self._wording.of(entity.names[0], span, never), course)

    def _complete(self, told: str, course: StateHistory) -> str:
        """Return what is told, and of which part of the time nothing is known."""
        told = self._wording.since(told, course.since)
        if course.unknown >= _MINUTE:
            amount = self._wording.amount(course.unknown)
            return self._wording.text("unknown", told=told, amount=amount)
        return told

    def _state_asked(self, asked: StateQuery, entity: Exposed, found: Sequence[StatePeriod]) -> str:
        """Return the state that is asked about, as Home Assistant calls it."""
        if found:
            return self._wording.state(entity, found[-1].state)
        states = sorted(states_of(entity.domain, entity.device_class, asked.meaning))
        is_named_so = asked.meaning in states or not states
        return self._wording.state(entity, asked.meaning if is_named_so else states[0])

    async def _async_course(self, entity: Exposed, span: Interval) -> StateHistory | None:
        return await self._recorded.async_course(entity.entity_id, span.start, span.end)


def _is_so(asked: StateQuery, entity: Exposed) -> IsSo:
    attributes = {ATTR_DEVICE_CLASS: entity.device_class} if entity.device_class else {}

    def is_so(state: str) -> bool:
        return bool(state_means(State(entity.entity_id, state, attributes), asked.meaning))

    return is_so


def _begun(found: Sequence[StatePeriod], asked: StateQuery) -> Sequence[StatePeriod]:
    """Return the times that count: of what happens, those that began in the time."""
    return [each for each in found if each.has_start] if asked.is_event else found
