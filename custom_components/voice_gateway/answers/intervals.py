"""The days and hours that a question is about: "tomorrow", "on Friday at three", "this weekend"."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
import datetime as dt
from itertools import product
from typing import Final

from homeassistant.util import dt as dt_util

from ..home.clock import DAY, to_instant
from ..nlu.time_expressions import time_parser
from ..nlu.time_resolution import TimeExpression, TimeType
from ..nlu.tokenizer import Text
from .token_consumer import TokenConsumer

_WEEK: Final = 7
_SATURDAY: Final = 5
_MONTH: Final = 31
_AHEAD: Final = 4
"""Days that are "the next days", with today."""
HOUR: Final = dt.timedelta(hours=1)
NO_TIME: Final = dt.timedelta()
PARTS: Final = {
    "am": (0, 12),
    "pm": (12, 24),
    "morning": (5, 12),
    "forenoon": (8, 12),
    "noon": (11, 14),
    "afternoon": (12, 18),
    "evening": (17, 24),
    "late": (17, 28),
    "night": (20, 30),
}
"""The hours of a part of the day, from midnight on; those that may be meant, rather than too few."""


@dataclass(frozen=True, slots=True)
class Interval:
    """From when to when, by the home's clock."""

    start: dt.datetime
    end: dt.datetime
    words: str = ""
    """As it was said; of what is past, empty where that may be another one at another time: "at three"."""
    is_day: bool = True
    """Whether it is of whole days, and no part of one."""
    is_point: bool = False
    """Whether it is a time of day; of what is past a moment: its start."""
    is_now: bool = False
    """Whether it lasts until now."""
    is_past: bool = False
    """Whether its words can't say of a time to come: "yesterday", and not "on Monday"."""

    @property
    def days(self) -> Iterator[dt.date]:
        """The days in which it is."""
        day, end = self.start.date(), self.end.replace(tzinfo=None)
        while day == self.start.date() or dt.datetime.combine(day, dt.time()) < end:
            yield day
            day += DAY


def today() -> Interval:
    """Return this day, which nobody said."""
    day = dt_util.now().date()
    return Interval(midnight(day), midnight(day + DAY))


def midnight(day: dt.date, after: dt.timedelta = NO_TIME) -> dt.datetime:
    """Return when a day begins by the home's clock, or when so much time is shown after that."""
    return dt_util.as_local(to_instant(day, after))


def calendar_days(name: str, today: dt.date) -> tuple[dt.date, dt.date]:
    """Return the first day of a time that has a name in `languages/`, and the one after its last."""
    monday = today - DAY * today.weekday()
    month, year = today.replace(day=1), today.replace(month=1, day=1)
    next_month = (month + DAY * _MONTH).replace(day=1)
    return {
        "ahead": (today, today + DAY * _AHEAD),
        "weekend": (monday + DAY * _SATURDAY, monday + DAY * _WEEK),
        "last_weekend": (monday - DAY * (_WEEK - _SATURDAY), monday),
        "this_week": (monday, monday + DAY * _WEEK),
        "next_week": (monday + DAY * _WEEK, monday + DAY * 2 * _WEEK),
        "last_week": (monday - DAY * _WEEK, monday),
        "this_month": (month, today + DAY),
        "next_month": (next_month, (next_month + DAY * _MONTH).replace(day=1)),
        "last_month": ((month - DAY).replace(day=1), month),
        "this_year": (year, today + DAY),
        "last_year": ((year - DAY).replace(month=1, day=1), year),
    }[name]


def span_of(text: Text, now: dt.datetime) -> tuple[Interval | None, Text] | None:
    """Return the span to come that a question says, if it says one, and its other words.

    None where it says one, and it is not certain which.

    Args:
        text: a sentence that is known to ask something.
        now: when it was asked, by the home's clock.
    """
    return _FutureReader(text, now).read()


class TimeReader:
    """Reads the words for a time."""

    def __init__(self, text: Text, now: dt.datetime) -> None:
        """Take a question, and when it was asked, by the home's clock."""
        self._said = TokenConsumer(text)
        self._times = time_parser(text.code)
        self._now = now
        self._today = now.date()

    def _moment(self, tokens: Collection[int]) -> TimeExpression | None:
        """Return what some words say of a day and a time; None where that is not certain."""
        words = self._said.line.normalized_of(sorted(tokens))
        moment = self._times.parse(TimeExpression(type=TimeType.AT), words)
        if moment.type is not TimeType.AT or moment.is_unread or moment.sun or moment.seconds:
            return None
        return moment if len(moment.weekdays) <= 1 else None

    def _both(
        self, tokens: Iterable[int], moment: TimeExpression
    ) -> tuple[TimeExpression, TimeExpression] | None:
        """Return the two times between which something is; `moment`: what is said beside them."""
        inside = sorted(set(tokens) - self._said.tokens("from"))
        joints = [index for index in inside if index in self._said.tokens("to")]
        if not joints:
            return None
        first, last = (
            self._moment(part)
            for part in (
                [each for each in inside if each < joints[0]],
                [each for each in inside if each > joints[-1]],
            )
        )
        if first is None or last is None or not (first.time and last.time):
            return None
        last = replace(last, daytime=last.daytime or moment.part_of_day)
        if not first.part_of_day:
            first = replace(first, daytime=last.daytime, meridiem=last.meridiem)
        return first, last

    def _without_time(self) -> tuple[None, Text] | None:
        """Return a question that says no time; None where it says one that is not understood."""
        words = self._said.line.normalized(0, len(self._said.whole))
        return None if self._times.has_unread_time(words) else (None, self._said.text)


class _FutureReader(TimeReader):
    def read(self) -> tuple[Interval | None, Text] | None:
        for name in ("weekend", "next_week", "next_month", "this_week", "ahead"):
            if tokens := self._said.tokens(name):
                rest = self._said.without(name)
                if _moments(TokenConsumer(rest)):
                    return None
                first, end = calendar_days(name, self._today)
                begin = midnight(max(first, self._today))
                return Interval(begin, midnight(end), self._said.part(tokens)), rest
        if not (tokens := _moments(self._said)):
            return self._without_time()
        span = self._span(tokens, self._said.part(tokens))
        return (span, self._said.part(self._said.whole - tokens)) if span else None

    def _span(self, tokens: Collection[int], words: str) -> Interval | None:
        between = self._said.tokens("between")
        moment = self._moment({*tokens} - between)
        if moment is None or (moment.week == "next" and not moment.weekdays):
            return None
        day = next(moment.days(self._today), None) if moment.has_day else self._today
        if day is None:
            return None
        if between:
            return None if moment.time else self._between(between, moment, day, words)
        if moment.time:
            found = (midnight(day, each) for each in moment.times())
            at = next((each for each in found if each > self._now), None)
            return Interval(at, at + HOUR, words, is_day=False, is_point=True) if at else None
        if part := moment.part_of_day:
            if part not in PARTS:
                return None
            first, end = (midnight(day, HOUR * each) for each in PARTS[part])
            return Interval(first, end, words, is_day=False) if end > self._now else None
        return Interval(midnight(day), midnight(day + DAY), words)

    def _between(
        self, tokens: Iterable[int], moment: TimeExpression, day: dt.date, words: str
    ) -> Interval | None:
        """Return the first time to come between the two that are said, the shortest that they may mean."""
        if (both := self._both(tokens, moment)) is None:
            return None
        found = (
            Interval(midnight(day, start), midnight(day, end), words, is_day=False)
            for start, end in product(*(each.times() for each in both))
            if start < end and midnight(day, end) > self._now
        )
        return min(found, key=lambda each: (each.end - each.start, each.start), default=None)


def _moments(said: TokenConsumer) -> set[int]:
    """Return the tokens that say at which time or on which day."""
    return said.tokens("time_patterns.at", "questions.parts", "between")
