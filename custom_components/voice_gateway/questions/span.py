"""The days and hours that a question is about: "tomorrow", "on Friday at three", "this weekend"."""

from collections.abc import Iterator
from dataclasses import dataclass
import datetime as dt
from typing import Final

from homeassistant.util import dt as dt_util

from ..heard.dates import days_of, times_of_day
from ..heard.line import Line
from ..heard.local import DAY, instant, local
from ..heard.said import Kind, Moment
from ..heard.templates import Templates, templates
from ..heard.times import times
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
class Span:
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


def span_of(text: str, code: str, now: dt.datetime) -> tuple[Span | None, str] | None:
    """Return the span that a question says, if it says one, and its other words.

    None where it says one, and it is not certain which.

    Args:
        text: a sentence that is known to ask something.
        code: its language's code as `languages` has it.
        now: when it was asked, by the home's clock.
    """
    known = templates(code)
    line = Line.of(text, known.numbers)
    whole = {*range(len(line.tokens))}
    for name in ("weekend", "next_week", "this_week", "ahead"):
        if said := tokens_in(line, known.asks.get(name, ())):
            rest = line.spoken(sorted(whole - said))
            if _moments(Line.of(rest, known.numbers), known):
                return None
            return _of_week(name, line.spoken(sorted(said)), now), rest
    said = _moments(line, known)
    if not said:
        return None if _says_days(line, code) else (None, text)
    words = line.canonical_of(sorted(said))
    moment = times(code).timed(Moment(kind=Kind.AT), words)
    rest = line.spoken(sorted(whole - said))
    span = _of_moment(moment, line.spoken(sorted(said)), now)
    return (span, rest) if span else None


def today() -> Span:
    """Return this day, which nobody said."""
    day = dt_util.now().date()
    return Span(_midnight(day), _midnight(day + DAY), "")


def _moments(line: Line, known: Templates) -> set[int]:
    """Return the tokens that say at which time or on which day."""
    parts = tokens_in(line, known.asks.get("parts", ()))
    return tokens_in(line, known.moments.get("at", ())) | parts


def _says_days(line: Line, code: str) -> bool:
    return times(code).are_left(line.canonical(0, len(line.tokens)))


def _of_week(name: str, words: str, now: dt.datetime) -> Span:
    today = now.date()
    if name == "ahead":
        return Span(_midnight(today), _midnight(today + DAY * _AHEAD), words)
    monday = today - DAY * today.weekday()
    first, days = {
        "weekend": (max(monday + DAY * _SATURDAY, today), 0),
        "this_week": (today, 0),
        "next_week": (monday + DAY * _WEEK, _WEEK),
    }[name]
    return Span(_midnight(first), _midnight(monday + DAY * (_WEEK + days)), words)


def _of_moment(moment: Moment, words: str, now: dt.datetime) -> Span | None:
    today = now.date()
    if moment.kind is not Kind.AT or moment.unread or moment.sun or moment.seconds:
        return None
    if moment.week == "next" and not moment.weekdays:
        return None
    if len(moment.weekdays) > 1:
        return None
    has_day = moment.day_offset is not None or moment.weekdays or moment.month_day
    day = next(iter(days_of(moment, today)), None) if has_day else today
    if day is None:
        return None
    if moment.time:
        found = (local(instant(day, each)) for each in times_of_day(moment))
        at = next((each for each in found if each > now), None)
        return Span(at, at + _HOUR, words, is_day=False, is_point=True) if at else None
    if part := moment.part_of_day:
        if part not in PARTS:
            return None
        first, end = (local(instant(day, _HOUR * each)) for each in PARTS[part])
        return Span(first, end, words, is_day=False) if end > now else None
    return Span(_midnight(day), _midnight(day + DAY), words)


def _midnight(day: dt.date) -> dt.datetime:
    return local(instant(day, dt.timedelta()))
