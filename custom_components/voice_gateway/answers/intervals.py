"""The days and hours that a question is about: "tomorrow", "on Friday at three", "this weekend"."""

from collections.abc import Iterator
from dataclasses import dataclass
import datetime as dt
from typing import Final

from homeassistant.util import dt as dt_util

from ..nlu.clause import TimeExpression, TimeType
from ..nlu.phrase_patterns import PhrasePatterns, patterns_of
from ..nlu.time_expressions import time_parser
from ..nlu.time_resolution import DAY, candidate_days, candidate_times, to_instant, to_local
from ..nlu.tokenizer import Text, TokenSequence
from .question import tokens_in

_WEEK: Final = 7
_SATURDAY: Final = 5
_AHEAD: Final = 4
"""Days that are "the next days", with today."""
_HOUR: Final = dt.timedelta(hours=1)
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
    words: str
    """As it was said."""
    is_day: bool = True
    """Whether it is of whole days, and no part of one."""
    is_point: bool = False
    """Whether it is a time of day."""

    @property
    def days(self) -> Iterator[dt.date]:
        """The days in which it is."""
        day = self.start.date()
        while day == self.start.date() or dt.datetime.combine(day, dt.time()) < self._end:
            yield day
            day += DAY

    @property
    def _end(self) -> dt.datetime:
        return self.end.replace(tzinfo=None)


def span_of(text: Text, now: dt.datetime) -> tuple[Interval | None, Text] | None:
    """Return the span that a question says, if it says one, and its other words.

    None where it says one, and it is not certain which.

    Args:
        text: a sentence that is known to ask something.
        now: when it was asked, by the home's clock.
    """
    known = patterns_of(text.code)
    line = TokenSequence.of(text, known.numbers)
    whole = {*range(len(line.tokens))}
    for name in ("weekend", "next_week", "this_week", "ahead"):
        if said := tokens_in(line, known.questions.get(name, ())):
            rest = line.surface(sorted(whole - said))
            if _moments(TokenSequence.of(rest, known.numbers), known):
                return None
            return _of_week(name, line.surface(sorted(said)), now), rest
    said = _moments(line, known)
    if not said:
        return None if _says_days(line, text.code) else (None, text)
    words = line.normalized_of(sorted(said))
    moment = time_parser(text.code).parse(TimeExpression(type=TimeType.AT), words)
    rest = line.surface(sorted(whole - said))
    span = _of_moment(moment, line.surface(sorted(said)), now)
    return (span, rest) if span else None


def today() -> Interval:
    """Return this day, which nobody said."""
    day = dt_util.now().date()
    return Interval(_midnight(day), _midnight(day + DAY), "")


def _moments(line: TokenSequence, known: PhrasePatterns) -> set[int]:
    """Return the tokens that say at which time or on which day."""
    parts = tokens_in(line, known.questions.get("parts", ()))
    return tokens_in(line, known.time_patterns.get("at", ())) | parts


def _says_days(line: TokenSequence, code: str) -> bool:
    return time_parser(code).has_unread_time(line.normalized(0, len(line.tokens)))


def _of_week(name: str, words: str, now: dt.datetime) -> Interval:
    today = now.date()
    if name == "ahead":
        return Interval(_midnight(today), _midnight(today + DAY * _AHEAD), words)
    monday = today - DAY * today.weekday()
    first, days = {
        "weekend": (max(monday + DAY * _SATURDAY, today), 0),
        "this_week": (today, 0),
        "next_week": (monday + DAY * _WEEK, _WEEK),
    }[name]
    return Interval(_midnight(first), _midnight(monday + DAY * (_WEEK + days)), words)


def _of_moment(moment: TimeExpression, words: str, now: dt.datetime) -> Interval | None:
    today = now.date()
    if moment.type is not TimeType.AT or moment.is_unread or moment.sun or moment.seconds:
        return None
    if moment.week == "next" and not moment.weekdays:
        return None
    if len(moment.weekdays) > 1:
        return None
    has_day = moment.day_offset is not None or moment.weekdays or moment.month_day
    day = next(iter(candidate_days(moment, today)), None) if has_day else today
    if day is None:
        return None
    if moment.time:
        found = (to_local(to_instant(day, each)) for each in candidate_times(moment))
        at = next((each for each in found if each > now), None)
        return Interval(at, at + _HOUR, words, is_day=False, is_point=True) if at else None
    if part := moment.part_of_day:
        if part not in PARTS:
            return None
        first, end = (to_local(to_instant(day, _HOUR * each)) for each in PARTS[part])
        return Interval(first, end, words, is_day=False) if end > now else None
    return Interval(_midnight(day), _midnight(day + DAY), words)


def _midnight(day: dt.date) -> dt.datetime:
    return to_local(to_instant(day, dt.timedelta()))
