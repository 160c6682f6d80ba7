"""The time that has passed of which a question asks: "last night", "between six and eight"."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
import datetime as dt
from typing import Final

from ...nlu.clause import TimeExpression, TimeType
from ...nlu.phrase_patterns import PhrasePatterns, patterns_of
from ...nlu.time_expressions import time_parser
from ...nlu.time_resolution import DAY, candidate_times, to_instant, to_local
from ...nlu.tokenizer import Text, TokenSequence
from ..intervals import PARTS
from ..question import tokens_in

LONGEST: Final = 366 * DAY
"""The longest time that is looked at, and the earliest that is."""
_WEEK: Final = 7
_SATURDAY: Final = 5
_DAWN: Final = 6
"""The hour from which on the night before is "last night"."""
_LAST_NIGHT: Final = (-4, 6)
_NOON: Final = 12
_HOUR: Final = dt.timedelta(hours=1)
_PARTS_OF_YESTERDAY: Final = {
    "yesterday_morning": "morning",
    "yesterday_noon": "noon",
    "yesterday_afternoon": "afternoon",
    "yesterday_evening": "evening",
    "yesterday_night": "night",
}
_DAYS: Final = {"yesterday": -1, "before_yesterday": -2, **dict.fromkeys(_PARTS_OF_YESTERDAY, -1)}
_MAY_COME: Final = {"the_night": "last_night", "the_weekend": "last_weekend"}
"""Times that may be still to come, by the name of the one that is past."""
_NIGHTS: Final = ("last_night", "the_night")
_CALENDAR: Final = (
    *_MAY_COME,
    "last_night",
    "last_week",
    "this_week",
    "last_weekend",
    "last_month",
    "this_month",
    "last_year",
    "this_year",
)
_ROLLING: Final = ("recent", "ago")


@dataclass(frozen=True, slots=True)
class PastInterval:
    """From when to when, by the home's clock; nothing of it is still to come."""

    start: dt.datetime
    end: dt.datetime
    words: str = ""
    """As it was said; empty where that may be another one at another time: "at three"."""
    is_point: bool = False
    """Whether it is a moment: its start."""
    is_now: bool = False
    """Whether it lasts until now."""
    is_past: bool = False
    """Whether its words can't say of a time to come: "yesterday", and not "on Monday"."""


def past_span(text: Text, now: dt.datetime) -> tuple[PastInterval | None, Text] | None:
    """Return the time of which a question asks, if it says one, and its other words.

    None where it says one, and it is not certain which, or it is not past or too long ago.

    Args:
        text: a sentence that is known to ask something.
        now: when it was asked, by the home's clock.
    """
    found = _Reader(text, now).read()
    if found is None:
        return None
    span, rest = found
    if span and not (now - LONGEST <= span.start <= now and span.start <= span.end <= now):
        return None
    return span, rest


class _Reader:
    """Reads the words for a time."""

    def __init__(self, text: Text, now: dt.datetime) -> None:
        self._known: PhrasePatterns = patterns_of(text.code)
        self._times = time_parser(text.code)
        self._now = now
        self._today = now.date()
        self._line = TokenSequence.of(text, self._known.numbers)

    def read(self) -> tuple[PastInterval | None, Text] | None:
        name, tokens = self._named() or ("", set[int]())
        between = self._tokens("between") - tokens
        moments = self._moments()
        since = self._since(tokens | moments) - tokens
        moments -= tokens | between | since
        said = tokens | since | between | moments
        if not said:
            left = self._line.normalized(0, len(self._line.tokens))
            return None if self._times.has_unread_time(left) else (None, self._line.source)
        rest = self._line.surface(index for index in self._all() if index not in said)
        if (span := self._span(name, tokens, between, moments, is_since=bool(since))) is None:
            return None
        if since:
            span = replace(span, end=self._now, is_point=False)
        end = min(span.end, self._now)
        words = self._line.surface(sorted(said)) if span.words else ""
        is_past = bool(name and name not in _MAY_COME and not name.startswith("this_"))
        return replace(span, end=end, words=words, is_now=end == self._now, is_past=is_past), rest

    def _all(self) -> range:
        return range(len(self._line.tokens))

    def _tokens(self, name: str) -> set[int]:
        table = self._known.questions if name == "this_week" else self._known.past
        return tokens_in(self._line, table.get(name, ()))

    def _since(self, time: Collection[int]) -> set[int]:
        """Return the words for "since" that stand before a time: "da" is in names, too."""
        since = self._tokens("since") - self._tokens("since_when")
        nexts = {
            each: next(
                after for after in range(each, len(self._line.tokens) + 1) if after not in since
            )
            for each in since
        }
        return {each for each, after in nexts.items() if after in time}

    def _named(self) -> tuple[str, set[int]] | None:
        """Return the name of a time that has one, and its words: of two, the longer one."""
        found = [(name, self._tokens(name)) for name in (*_DAYS, *_CALENDAR, *_ROLLING)]
        return max((each for each in found if each[1]), key=lambda each: len(each[1]), default=None)

    def _moments(self) -> set[int]:
        moments = self._known.time_patterns
        # "At seven" may be a level only where something is set to it.
        at = tokens_in(self._line, (*moments.get("at", ()), *moments.get("hour", ())))
        parts = tokens_in(self._line, self._known.questions.get("parts", ()))
        return at | parts | self._tokens("last_weekday") | self._tokens("time")

    def _span(
        self, name: str, tokens: set[int], between: set[int], moments: set[int], *, is_since: bool
    ) -> PastInterval | None:
        if name in _ROLLING:
            return None if between or moments else self._rolling(name, tokens)
        if name in _CALENDAR:
            span = self._calendar(_MAY_COME.get(name, name))
            if not (between or moments):
                return span
            return self._of_night(span, between, moments) if name in _NIGHTS and span else None
        day = self._today + DAY * _DAYS[name] if name else None
        part = _PARTS_OF_YESTERDAY.get(name, "")
        moment = (
            self._moment(moments, part) if moments or part else TimeExpression(type=TimeType.AT)
        )
        if moment is None:
            return None
        own = self._day_of(moment)
        if (own and day) or (own is None and _has_day(moment)):
            return None
        day = day or own
        if between:
            return None if moment.time else self._between(between, moment, day)
        if moment.time:
            at = self._at(moment, day)
            return PastInterval(at, at, is_point=True) if at else None
        return self._of_day(day or self._today, moment.part_of_day, is_since=is_since)

    def _moment(self, tokens: Collection[int], part: str) -> TimeExpression | None:
        """Return what some words say of a day and a time; None where that is not certain."""
        words = self._line.normalized_of(sorted(tokens))
        moment = (
            self._times.parse(TimeExpression(type=TimeType.AT), words)
            if tokens
            else TimeExpression(type=TimeType.AT)
        )
        if moment.type is not TimeType.AT or moment.is_unread or moment.sun or moment.seconds:
            return None
        if moment.week == "next" or len(moment.weekdays) > 1 or (moment.day_offset or 0) > 0:
            return None
        return replace(moment, daytime=part) if part else moment

    def _day_of(self, moment: TimeExpression) -> dt.date | None:
        """Return the last day that a moment may mean, if it says one."""
        if moment.day_offset is not None:
            return self._today
        if moment.month_day:
            days = (self._today - DAY * each for each in range(LONGEST.days))
            return next((each for each in days if _is_date(each, moment)), None)
        if moment.weekdays:
            back = (self._today.weekday() - moment.weekdays[0]) % _WEEK or _WEEK
            return self._today - DAY * back
        return None

    def _at(self, moment: TimeExpression, day: dt.date | None) -> dt.datetime | None:
        """Return the last time at which it was so late."""
        return max(
            (at for at, _ in self._candidates(moment, moment, day) if at <= self._now), default=None
        )

    def _candidates(
        self, first: TimeExpression, last: TimeExpression, day: dt.date | None
    ) -> Iterator[tuple[dt.datetime, dt.datetime]]:
        """Yield from when to when two times of a day may be, or of the days that may be meant."""
        for each in (day,) if day else (self._today, self._today - DAY):
            is_another = -1 if day and day != self._today else first.day_offset
            for start in candidate_times(replace(first, day_offset=is_another)):
                for end in candidate_times(replace(last, day_offset=is_another)):
                    end_ = end if end >= start else end + DAY
                    yield to_local(to_instant(each, start)), to_local(to_instant(each, end_))

    def _between(
        self,
        tokens: Iterable[int],
        moment: TimeExpression,
        day: dt.date | None,
        within: PastInterval | None = None,
    ) -> PastInterval | None:
        """Return the last time between two times of day; the shortest that they may mean."""
        inside = sorted(set(tokens) - self._tokens("from"))
        joints = [index for index in inside if index in self._tokens("to")]
        if not joints:
            return None
        first, last = (
            self._moment(part, "")
            for part in (
                [each for each in inside if each < joints[0]],
                [each for each in inside if each > joints[-1]],
            )
        )
        if first is None or last is None or not (first.time and last.time):
            return None
        part = moment.part_of_day
        last = replace(last, daytime=last.daytime or part)
        if not first.part_of_day:
            first = replace(first, daytime=last.daytime, meridiem=last.meridiem)
        found = [
            (start, end)
            for start, end in self._candidates(first, last, day)
            if end <= self._now and (within is None or within.start <= start <= end <= within.end)
        ]
        start, end = min(
            found, key=lambda each: (each[1] - each[0], self._now - each[1]), default=(None, None)
        )
        return PastInterval(start, end) if start and end else None

    def _of_night(
        self, night: PastInterval, between: set[int], moments: set[int]
    ) -> PastInterval | None:
        """Return the one time of last night that is said: "last night at three"."""
        if between and moments:
            return None
        if between:
            return self._between(between, TimeExpression(type=TimeType.AT), None, within=night)
        moment = self._moment(moments, "")
        if moment is None or moment.time is None or _has_day(moment):
            return None
        found = {at for at, _ in self._candidates(moment, moment, None)}
        inside = [at for at in found if night.start <= at <= night.end]
        return PastInterval(inside[0], inside[0], is_point=True) if len(inside) == 1 else None

    def _of_day(self, day: dt.date, part: str, *, is_since: bool) -> PastInterval | None:
        if part and part not in PARTS:
            return None
        # "Since noon" is from twelve on.
        first, end = (_NOON, _NOON) if part == "noon" and is_since else PARTS.get(part, (0, 24))
        return self._hours(day, first, end)

    def _hours(self, day: dt.date, first: int, end: int) -> PastInterval:
        return PastInterval(
            to_local(to_instant(day, _HOUR * first)),
            to_local(to_instant(day, _HOUR * end)),
            words="said",
        )

    def _days(self, first: dt.date, end: dt.date) -> PastInterval:
        return PastInterval(
            self._hours(first, 0, 0).start, self._hours(end, 0, 0).start, words="said"
        )

    def _calendar(self, name: str) -> PastInterval | None:
        today = self._today
        monday = today - DAY * today.weekday()
        month = today.replace(day=1)
        match name:
            case "last_night":
                return self._hours(today, *_LAST_NIGHT) if self._now.hour >= _DAWN else None
            case "this_week":
                return self._days(monday, today + DAY)
            case "last_week":
                return self._days(monday - DAY * _WEEK, monday)
            case "last_weekend":
                return self._days(monday - DAY * (_WEEK - _SATURDAY), monday)
            case "this_month":
                return self._days(month, today + DAY)
            case "last_month":
                return self._days((month - DAY).replace(day=1), month)
            case "this_year":
                return self._days(today.replace(month=1, day=1), today + DAY)
        year = today.replace(month=1, day=1)
        return self._days((year - DAY).replace(month=1, day=1), year)

    def _rolling(self, name: str, tokens: Iterable[int]) -> PastInterval | None:
        seconds = self._lasting(tokens)
        if not seconds or seconds > LONGEST.total_seconds():
            return None
        start = to_local(self._now.astimezone(dt.UTC) - dt.timedelta(seconds=seconds))
        if name == "ago":
            return PastInterval(start, start, is_point=True)
        return PastInterval(start, self._now, words="said")

    def _lasting(self, tokens: Iterable[int]) -> float | None:
        """Return how many seconds are said; None of "the last days": nobody knows how many."""
        words = self._line.normalized_of(sorted(tokens))
        if seconds := self._times.seconds(words):
            return seconds
        unit = self._times.unit(words) or 0.0
        # "Ces 3 derniers jours"
        numbers = [each for each in words.split() if each.isdigit()]
        if numbers:
            return unit * float(numbers[0]) if len(numbers) == 1 else None
        return unit if self._tokens("one") & {*tokens} else None


def _has_day(moment: TimeExpression) -> bool:
    return bool(moment.day_offset is not None or moment.month_day or moment.weekdays)


def _is_date(day: dt.date, moment: TimeExpression) -> bool:
    return day.day == moment.month_day and moment.month in (None, day.month)
