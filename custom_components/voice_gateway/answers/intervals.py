"""Time expressions of questions: "tomorrow", "on Friday at three", "last night"."""

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

LONGEST: Final = 366 * DAY
"""The longest interval in the past, and how far back it may begin."""
_WEEK: Final = 7
_SATURDAY: Final = 5
_MONTH: Final = 31
_AHEAD: Final = 4
"""Number of days in "the next days", including today."""
_DAWN: Final = 6
"""The hour from which on the previous night is "last night"."""
_NOON: Final = 12
_HOUR: Final = dt.timedelta(hours=1)
_NO_TIME: Final = dt.timedelta()
_PARTS: Final = {
    "": (0, 24),
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
"""The hours of a part of the day, counted from midnight; rather too many than too few."""
_PARTS_OF_YESTERDAY: Final = {
    f"yesterday_{each}": each for each in ("morning", "noon", "afternoon", "evening", "night")
}
_DAYS: Final = {"yesterday": -1, "before_yesterday": -2, **dict.fromkeys(_PARTS_OF_YESTERDAY, -1)}
_MAY_COME: Final = {"the_night": "last_night", "the_weekend": "last_weekend"}
"""Expressions that may refer to the future, with their counterparts in the past."""
_NIGHTS: Final = ("last_night", "the_night")
_ROLLING: Final = ("recent", "ago")
_NAMES: Final = (
    *_DAYS,
    *_MAY_COME,
    *("last_night", "last_week", "this_week", "last_weekend", "last_month", "this_month"),
    *("last_year", "this_year"),
    *_ROLLING,
)
"""The lists of `languages/` for past times."""
_NAMES_AHEAD: Final = ("weekend", "next_week", "next_month", "this_week", "ahead")
_MOMENTS: Final = (
    *("time_patterns.at", "time_patterns.hour", "parts", "last_weekday"),
    "time",  # only in commands, "at seven" may be a level
)
_MOMENTS_AHEAD: Final = ("time_patterns.at", "questions.parts")


@dataclass(frozen=True, slots=True)
class Interval:
    """A span of time, in the home's time zone."""

    start: dt.datetime
    end: dt.datetime
    words: str = ""
    """The expression as spoken; empty for a past time that it leaves ambiguous: "at three"."""
    is_day: bool = True
    """Whether it consists of whole days."""
    is_point: bool = False
    """Whether it is a time of day; in the past, the moment is its start."""
    is_past: bool = False
    """Whether its words exclude the future: "yesterday", unlike "on Monday"."""

    @property
    def days(self) -> Iterator[dt.date]:
        """The days that it covers."""
        day, end = self.start.date(), self.end.replace(tzinfo=None)
        while day == self.start.date() or dt.datetime.combine(day, dt.time()) < end:
            yield day
            day += DAY


def today() -> Interval:
    """Return the current day, without words."""
    return _of_days(dt_util.now().date(), DAY)


def future_interval(text: Text, now: dt.datetime) -> tuple[Interval | None, Text] | None:
    """Return the future time that a question mentions, if any, and its other words.

    Returns None if the time is ambiguous. `now`: the time of the question, in the home's time zone.
    """
    return _Reader(text, now, is_past=False).read()


def past_interval(text: Text, now: dt.datetime) -> tuple[Interval | None, Text] | None:
    """Return the same for a past time; None also if it is longer ago than `LONGEST`."""
    found = _Reader(text, now, is_past=True).read()
    span = found and found[0]
    if span and not now - LONGEST <= span.start <= span.end <= now:
        return None
    return found


class _Reader:
    """Reads a time expression: the next time that it may refer to, or the last one."""

    def __init__(self, text: Text, now: dt.datetime, *, is_past: bool) -> None:
        self._said = TokenConsumer(text)
        self._times = time_parser(text.code)
        self._now = now
        self._today = now.date()
        self._is_past = is_past

    def read(self) -> tuple[Interval | None, Text] | None:
        said = self._said
        # The longer of two matching names counts.
        by_name = {each: said.tokens(each) for each in (_NAMES if self._is_past else _NAMES_AHEAD)}
        name = max(by_name, key=lambda each: len(by_name[each]))
        named = by_name[name]
        between = said.tokens("between") - named
        moments = said.tokens(*(_MOMENTS if self._is_past else _MOMENTS_AHEAD))
        since = self._since(named | moments) - named if self._is_past else set[int]()
        moments -= named | between | since
        time = named | since | between | moments
        if not time:
            words = said.line.normalized(0, len(said.whole))
            return None if self._times.has_unread_time(words) else (None, said.text)
        name = name if named else ""
        span = self._span(name, named, between, moments, is_since=bool(since))
        if span is None or (span.end <= self._now and not self._is_past):
            return None
        span = replace(span, words=said.part(time) if span.words or not self._is_past else "")
        if self._is_past:
            if since:
                span = replace(span, end=self._now, is_point=False)
            is_past = bool(name and name not in _MAY_COME and not name.startswith("this_"))
            span = replace(span, end=min(span.end, self._now), is_past=is_past)
        return span, said.part(said.whole - time)

    def _since(self, time: Collection[int]) -> set[int]:
        """Return the words for "since" before a time: "da" also occurs in names."""
        since = self._said.tokens("since") - self._said.tokens("since_when")
        ends = (self._said.whole | {len(self._said.whole)}) - since
        return {each for each in since if min(end for end in ends if end > each) in time}

    def _span(
        self, name: str, named: set[int], between: set[int], moments: set[int], *, is_since: bool
    ) -> Interval | None:
        whole = None
        if name and name not in _DAYS:
            whole = self._rolling(name, named) if name in _ROLLING else self._calendar(name)
            if not (between or moments):
                return whole
            if name not in _NIGHTS or whole is None:
                return None
        moment = self._moment(moments)
        if moment is None:
            return None
        moment = replace(moment, daytime=_PARTS_OF_YESTERDAY.get(name, moment.daytime))
        day = self._today + DAY * _DAYS[name] if name in _DAYS else None
        own = self._day_of(moment)
        if moment.has_day and (own is None or day or whole):
            return None
        day = day or own
        if between:
            ends = None if moment.time else self._both(between, moment)
        elif moment.time:
            ends = moment, moment
        elif whole or moment.part_of_day not in _PARTS:
            return None
        else:
            return self._of_day(day or self._today, moment.part_of_day, is_since=is_since)
        return self._nearest(*ends, day, whole) if ends else None

    def _moment(self, tokens: Collection[int]) -> TimeExpression | None:
        """Return the day and the time that some words express; None if that is not certain."""
        words = self._said.line.normalized_of(sorted(tokens))
        moment = self._times.parse(TimeExpression(type=TimeType.AT), words)
        is_unclear = moment.is_unread or moment.sun or moment.seconds or len(moment.weekdays) > 1
        is_ahead = moment.week == "next" or (moment.day_offset or 0) > 0
        if moment.type is not TimeType.AT or is_unclear or (is_ahead and self._is_past):
            return None
        return moment

    def _day_of(self, moment: TimeExpression) -> dt.date | None:
        """Return the next or the last day of a time expression, if it has one."""
        if not self._is_past:
            return next(moment.days(self._today), None) if moment.has_day else None
        if moment.day_offset is not None:
            return self._today
        if moment.month_day:
            days = (self._today - DAY * each for each in range(LONGEST.days))
            return next((each for each in days if _is_date(each, moment)), None)
        if moment.weekdays:
            back = (self._today.weekday() - moment.weekdays[0]) % _WEEK or _WEEK
            return self._today - DAY * back
        return None

    def _both(
        self, tokens: Iterable[int], moment: TimeExpression
    ) -> tuple[TimeExpression, TimeExpression] | None:
        """Return the two times of "between"; `moment` has the words beside them."""
        inside = sorted({*tokens} - self._said.tokens("from"))
        joints = [index for index in inside if index in self._said.tokens("to")]
        if not joints:
            return None
        first = self._moment([each for each in inside if each < joints[0]])
        last = self._moment([each for each in inside if each > joints[-1]])
        if first is None or last is None or not (first.time and last.time):
            return None
        last = replace(last, daytime=last.daytime or moment.part_of_day)
        if not first.part_of_day:
            first = replace(first, daytime=last.daytime, meridiem=last.meridiem)
        return first, last

    def _nearest(
        self,
        first: TimeExpression,
        last: TimeExpression,
        day: dt.date | None,
        within: Interval | None,
    ) -> Interval | None:
        """Return the nearest interval between two times of day, the shortest possible one.

        It is on `day`, or on any possible day; if both times are equal, it is a moment.
        """
        offset, is_point = first.day_offset, first is last
        if self._is_past and day and day != self._today:
            offset = -1
        starts, ends = (replace(each, day_offset=offset).times() for each in (first, last))
        days = [day or self._today, *([self._today - DAY] if self._is_past and not day else ())]
        found: list[Interval] = []
        for each, start, end in product(days, starts, ends):
            if end >= start or self._is_past:
                until = _midnight(each, end if end >= start else end + DAY)
                begin = _midnight(each, start)
                found.append(Interval(begin, until, is_day=False, is_point=is_point))
        inside = [
            each
            for each in found
            if (each.end <= self._now) is self._is_past
            and (within is None or within.start <= each.start <= each.end <= within.end)
        ]
        span = min(
            inside,
            key=lambda each: (each.end - each.start, abs(self._now - each.end)),
            default=None,
        )
        is_hour = span and is_point and not self._is_past
        return replace(span, end=span.start + _HOUR) if span and is_hour else span

    def _of_day(self, day: dt.date, part: str, *, is_since: bool = False) -> Interval:
        # "Since noon" begins at twelve.
        hours = (_NOON, _NOON) if part == "noon" and is_since else _PARTS[part]
        start, end = (_midnight(day, _HOUR * each) for each in hours)
        return Interval(start, end, words="said", is_day=not part)

    def _calendar(self, name: str) -> Interval | None:
        """Return a time that has a name in `languages/`, such as "last week"."""
        today = self._today
        if (name := _MAY_COME.get(name, name)) == "last_night":
            return self._of_day(today - DAY, "night") if self._now.hour >= _DAWN else None
        monday = today - DAY * today.weekday()
        month, year = today.replace(day=1), today.replace(month=1, day=1)
        next_month = (month + DAY * _MONTH).replace(day=1)
        first, end = {
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
        first = first if self._is_past else max(first, today)
        return replace(_of_days(first, end - first), words="said")

    def _rolling(self, name: str, tokens: Iterable[int]) -> Interval | None:
        """Return a duration until now, or the moment that long ago; None for "the last days"."""
        words = self._said.line.normalized_of(sorted(tokens))
        numbers = [each for each in words.split() if each.isdigit()]
        if not (seconds := self._times.seconds(words) or 0.0):
            # "Ces 3 derniers jours"
            number = float(numbers[0]) if len(numbers) == 1 else 0.0
            is_one = not numbers and self._said.tokens("one") & {*tokens}
            seconds = (self._times.unit(words) or 0.0) * (1.0 if is_one else number)
        if not 0 < seconds <= LONGEST.total_seconds():
            return None
        start = dt_util.as_local(self._now.astimezone(dt.UTC) - dt.timedelta(seconds=seconds))
        if name == "ago":
            return Interval(start, start, is_point=True)
        return Interval(start, self._now, words="said")


def _midnight(day: dt.date, after: dt.timedelta = _NO_TIME) -> dt.datetime:
    """Return the local time when a day begins, plus `after` by the wall clock."""
    return dt_util.as_local(to_instant(day, after))


def _of_days(first: dt.date, lasting: dt.timedelta) -> Interval:
    return Interval(_midnight(first), _midnight(first + lasting))


def _is_date(day: dt.date, moment: TimeExpression) -> bool:
    return day.day == moment.month_day and moment.month in (None, day.month)
