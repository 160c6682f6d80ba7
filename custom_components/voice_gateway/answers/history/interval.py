"""The time that has passed of which a question asks: "last night", "between six and eight"."""

from collections.abc import Collection, Iterable
from dataclasses import replace
import datetime as dt
from itertools import product
from typing import Final

from homeassistant.util import dt as dt_util

from ...home.clock import DAY
from ...nlu.time_resolution import TimeExpression, TimeType
from ...nlu.tokenizer import Text
from ..intervals import HOUR, PARTS, Interval, TimeReader, calendar_days, midnight

LONGEST: Final = 366 * DAY
"""The longest time that is looked at, and the earliest that is."""
_WEEK: Final = 7
_DAWN: Final = 6
"""The hour from which on the night before is "last night"."""
_LAST_NIGHT: Final = (-4, 6)
_NOON: Final = 12
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


def past_span(text: Text, now: dt.datetime) -> tuple[Interval | None, Text] | None:
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


class _Reader(TimeReader):
    def read(self) -> tuple[Interval | None, Text] | None:
        name, tokens = self._named() or ("", set[int]())
        between = self._said.tokens("between") - tokens
        # "At seven" may be a level only where something is set to it.
        moments = self._said.tokens(
            "time_patterns.at", "time_patterns.hour", "parts", "last_weekday", "time"
        )
        since = self._since(tokens | moments) - tokens
        moments -= tokens | between | since
        said = tokens | since | between | moments
        if not said:
            return self._without_time()
        if (span := self._span(name, tokens, between, moments, is_since=bool(since))) is None:
            return None
        if since:
            span = replace(span, end=self._now, is_point=False)
        end = min(span.end, self._now)
        words = self._said.part(said) if span.words else ""
        is_past = bool(name and name not in _MAY_COME and not name.startswith("this_"))
        span = replace(span, end=end, words=words, is_now=end == self._now, is_past=is_past)
        return span, self._said.part(self._said.whole - said)

    def _since(self, time: Collection[int]) -> set[int]:
        """Return the words for "since" that stand before a time: "da" is in names, too."""
        since = self._said.tokens("since") - self._said.tokens("since_when")
        ends = (self._said.whole | {len(self._said.whole)}) - since
        return {each for each in since if min(end for end in ends if end > each) in time}

    def _named(self) -> tuple[str, set[int]] | None:
        """Return the name of a time that has one, and its words: of two, the longer one."""
        found = [(name, self._said.tokens(name)) for name in (*_DAYS, *_CALENDAR, *_ROLLING)]
        return max((each for each in found if each[1]), key=lambda each: len(each[1]), default=None)

    def _span(
        self, name: str, tokens: set[int], between: set[int], moments: set[int], *, is_since: bool
    ) -> Interval | None:
        if name in _ROLLING:
            return None if between or moments else self._rolling(name, tokens)
        if name in _CALENDAR:
            span = self._calendar(_MAY_COME.get(name, name))
            if not (between or moments):
                return span
            return self._of_night(span, between, moments) if name in _NIGHTS and span else None
        day = self._today + DAY * _DAYS[name] if name else None
        moment = self._moment(moments)
        if moment is None:
            return None
        moment = replace(moment, daytime=_PARTS_OF_YESTERDAY.get(name, moment.daytime))
        own = self._day_of(moment)
        if (own and day) or (own is None and moment.has_day):
            return None
        day = day or own
        if between:
            return None if moment.time else self._between(between, moment, day)
        if moment.time:
            return self._last(moment, moment, day)
        return self._of_day(day or self._today, moment.part_of_day, is_since=is_since)

    def _moment(self, tokens: Collection[int]) -> TimeExpression | None:
        moment = super()._moment(tokens)
        if moment is None or moment.week == "next" or (moment.day_offset or 0) > 0:
            return None
        return moment

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

    def _last(
        self,
        first: TimeExpression,
        last: TimeExpression,
        day: dt.date | None,
        within: Interval | None = None,
    ) -> Interval | None:
        """Return the last time between two times of day, the shortest that they may mean.

        Of a day, or of the days that may be meant; where both are one, it is a moment.
        """
        found: list[Interval] = []
        for each in (day,) if day else (self._today, self._today - DAY):
            is_another = -1 if day and day != self._today else first.day_offset
            starts, ends = (replace(one, day_offset=is_another).times() for one in (first, last))
            for start, end in product(starts, ends):
                end_ = midnight(each, end if end >= start else end + DAY)
                found.append(Interval(midnight(each, start), end_, is_point=first is last))
        inside = (
            each
            for each in found
            if each.end <= self._now
            and (within is None or within.start <= each.start <= each.end <= within.end)
        )
        return min(
            inside, key=lambda each: (each.end - each.start, self._now - each.end), default=None
        )

    def _between(
        self,
        tokens: Iterable[int],
        moment: TimeExpression,
        day: dt.date | None,
        within: Interval | None = None,
    ) -> Interval | None:
        """Return the last time between the two that are said."""
        both = self._both(tokens, moment)
        return self._last(*both, day, within) if both else None

    def _of_night(self, night: Interval, between: set[int], moments: set[int]) -> Interval | None:
        """Return the one time of last night that is said: "last night at three"."""
        if between and moments:
            return None
        if between:
            return self._between(between, TimeExpression(type=TimeType.AT), None, within=night)
        moment = self._moment(moments)
        if moment is None or moment.time is None or moment.has_day:
            return None
        return self._last(moment, moment, None, within=night)

    def _of_day(self, day: dt.date, part: str, *, is_since: bool) -> Interval | None:
        if part and part not in PARTS:
            return None
        # "Since noon" is from twelve on.
        first, end = (_NOON, _NOON) if part == "noon" and is_since else PARTS.get(part, (0, 24))
        return self._hours(day, first, end)

    def _hours(self, day: dt.date, first: int, end: int) -> Interval:
        return Interval(midnight(day, HOUR * first), midnight(day, HOUR * end), words="said")

    def _calendar(self, name: str) -> Interval | None:
        if name == "last_night":
            return self._hours(self._today, *_LAST_NIGHT) if self._now.hour >= _DAWN else None
        first, end = calendar_days(name, self._today)
        return Interval(midnight(first), midnight(end), words="said")

    def _rolling(self, name: str, tokens: Iterable[int]) -> Interval | None:
        seconds = self._lasting(tokens)
        if not seconds or seconds > LONGEST.total_seconds():
            return None
        start = dt_util.as_local(self._now.astimezone(dt.UTC) - dt.timedelta(seconds=seconds))
        if name == "ago":
            return Interval(start, start, is_point=True)
        return Interval(start, self._now, words="said")

    def _lasting(self, tokens: Iterable[int]) -> float | None:
        """Return how many seconds are said; None of "the last days": nobody knows how many."""
        words = self._said.line.normalized_of(sorted(tokens))
        if seconds := self._times.seconds(words):
            return seconds
        unit = self._times.unit(words) or 0.0
        # "Ces 3 derniers jours"
        numbers = [each for each in words.split() if each.isdigit()]
        if numbers:
            return unit * float(numbers[0]) if len(numbers) == 1 else None
        return unit if self._said.tokens("one") & {*tokens} else None


def _is_date(day: dt.date, moment: TimeExpression) -> bool:
    return day.day == moment.month_day and moment.month in (None, day.month)
