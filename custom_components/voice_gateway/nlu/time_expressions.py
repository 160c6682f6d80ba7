"""The parser of time expressions: durations, times of day, days and excluded days."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
import datetime as dt
from functools import lru_cache
from itertools import pairwise
import re
from typing import Any

from .annotations import AnnotatedText, TimeSpan
from .clause_segmentation import Segment
from .phrase_patterns import PhrasePatterns, patterns_of
from .time_resolution import TimeExpression, TimeType

_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^ ]+")
_EARLY = re.compile(r"(?<= )0\d[:.]\d")
_DAY = 86400.0
_NIGHT = range(1, 5)
"""Hours at night at which hardly anybody is awake: a bare hour is in the afternoon."""
_MAY_REPEAT = frozenset((TimeType.AT, TimeType.EVERY))
_TELLING = ("days", "weekdays", "weekly", "daytimes", "rates")
"""Tables whose words must not remain in a command with a parsed time."""
_MOST = 8
"""The most words for excluded days."""
_DAYS = frozenset(range(7))
_DAILY = (None, _DAY)
"""The intervals of "every day" and "every weekday", in seconds."""
_NAMED = frozenset(("clock", "dates"))
"""Tables whose slots are read one by one."""


class TimeParser:
    """Parses the words of a time expression, which stand between spaces as in `TokenSequence`."""

    def __init__(self, known: PhrasePatterns) -> None:
        """Take the patterns of the language."""
        self._worth = {
            name: [(known.pattern(phrase), value) for phrase, value in table.items()]
            for name, table in known.values.items()
            if name not in _NAMED
        }
        self._clocks = known.clocks
        self._counts_twelve = known.language.twelve_hours
        self._dates = [
            known.pattern(phrase, named=True) for phrase in known.values.get("dates", {})
        ]
        self._telling = known.one_of(_TELLING)
        self._aside = known.forms.get("beside", [])
        part = known.slot("fractions") if known.values.get("fractions") else "(?!)"
        joined = known.slot("joined") if known.language.forms.get("joined") else "(?!)"
        self._amount = re.compile(
            f"(?<= )(?P<number>{known.slot('number')})(?: (?P<part>{part}))?"
            f" (?P<unit>{known.slot('units')})(?: (?P<more>{part}))?"
            rf"(?:(?: {joined})? (?P<rest>\d\d)(?= ))?(?= )"
        )
        self._bare = re.compile(f"(?<= ){known.slot('number')}(?= )")
        self._digits = re.compile(rf"(?<= )(?:{known.slot('clock')}|{known.slot('dotted')})(?= )")
        joint = "|".join(map(re.escape, sorted(known.language.conjunctions)))
        # Behind a time, with no other word left: "at seven and nine".
        self._more = re.compile(rf"  (?:{joint}) [\d:.]+  ")
        self._hour = re.compile(f"(?<= ){known.slot('bare', 'hour')}(?= )")

    def seconds(self, words: str, before: str = "") -> float | None:
        """Return a duration in seconds; None without one, or if it is indefinite.

        A bare number has the last unit of the words `before`: "in one hour on, and off in three".
        """
        found: list[tuple[re.Match[str], float]] = [
            (match, float(value)) for match, value in self._found("durations", words)
        ]
        for match in self._amount.finditer(words):
            if (amount := self._worth_of(match)) is None:
                return None
            found.append((match, amount))
        total, reached = 0.0, 0
        # "An hour and a quarter of an hour": the sum of all matches that do not overlap.
        for match, seconds in sorted(found, key=lambda each: (each[0].start(), -each[0].end())):
            if match.start() >= reached:
                total, reached = total + seconds, match.end()
        return total or self._of_last_unit(words, before)

    def _worth_of(self, amount: re.Match[str]) -> float | None:
        """Return the seconds of an amount; None if its number is invalid."""
        if (number := self._number(amount["number"])) is None:
            return None
        unit = float(self._value("units", amount["unit"]) or 0)
        parts = filter(None, amount.group("part", "more"))
        number += sum(float(self._value("fractions", part)) for part in parts)
        # "Two hours thirty" are minutes, "two minutes thirty" seconds.
        rest = float(amount["rest"]) if amount["rest"] and unit in (60, 3600) else 0
        return number * unit + rest * unit / 60

    def unit(self, words: str) -> float | None:
        """Return the seconds of the first unit; None without one."""
        return float(self._first("units", words) or 0) or None

    def has_time_of_day(self, words: str) -> bool:
        """Return True if words have a time of day, of the clock or the sun."""
        reading = _Reading(words)
        self._date(reading)
        self._only("daytimes", reading, hides=True)
        return bool(self._time(reading) or self._first("sun", words))

    def parse(self, moment: TimeExpression, words: str) -> TimeExpression:
        """Return a time expression with the days and times in its words."""
        reading = _Reading(words)
        seconds, sun = self._offset(reading)
        date = self._date(reading)
        rate, is_known = self._rate(moment, reading)
        values: dict[str, Any] = {
            "type": moment.type if rate is None and is_known else TimeType.EVERY,
            "daytime": self._only("daytimes", reading, hides=True),
            "time": self._time(reading),
            "sun": sun or self._only("sun", reading),
            "meridiem": self._meridiem(reading),
            "week": self._only("weeks", reading),
            "weekdays": self._weekdays(reading),
            **date,
        }
        match rate:
            case "month":
                is_known = bool(date) and not values["weekdays"]
            case float() if values["sun"]:
                is_known = rate == _DAY
            case float():
                seconds = rate
        day = self._only("days", reading)
        self._leave_aside(reading)
        moment = replace(
            moment,
            **values,
            seconds=seconds,
            day_offset=int(day) if day else None,
            is_unread=reading.is_unread or not is_known,
        )
        return replace(moment, meridiem="pm") if self._is_by_day(moment, words) else moment

    def _is_by_day(self, moment: TimeExpression, words: str) -> bool:
        """Return True if a bare hour of another day is in the afternoon: "every Saturday at three".

        Today, it is the next one. Digits as on a clock are exact: "3:15" is at night in
        languages with 24 hours.
        """
        is_day = moment.weekdays or moment.month_day or (moment.day_offset or 0) > 0
        if moment.part_of_day or moment.time is None or moment.time.hour not in _NIGHT:
            return False
        is_shown = not self._counts_twelve and self._digits.search(words)
        return not is_shown and bool(is_day or moment.type is TimeType.EVERY)

    def has_unread_time(self, words: str) -> bool:
        """Return True if the words of a command have a part of a time that was not parsed."""
        return bool(self._telling.search(words) or self._more.search(words))

    def _of_last_unit(self, words: str, before: str) -> float | None:
        units = [
            (match.end(), float(value))
            for pattern, value in self._worth.get("units", ())
            for match in pattern.finditer(before)
        ]
        number = self._bare.search(words)
        if not units or not number or self._first("units", words):
            return None
        return (self._number(number[0]) or 0) * max(units)[1] or None

    def _offset(self, reading: _Reading) -> tuple[float | None, str]:
        """Return the seconds from the sun event (negative before it), and the event."""
        for match, value in self._found("offsets", reading.left)[:1]:
            reading.take(match)
            seconds = self.seconds(_spaced(match))
            sun = self._first("sun", _spaced(match))
            return (-seconds if seconds and value == "before" else seconds), sun
        return None, ""

    def _rate(self, moment: TimeExpression, reading: _Reading) -> tuple[float | str | None, bool]:
        """Return the interval in seconds or "month", and whether it was parsed."""
        if moment.type not in _MAY_REPEAT:
            return None, True
        for match, value in self._found("rates", reading.words)[:1]:
            reading.take(match)
            if value == "month":
                return value, True
            seconds = self.seconds(_spaced(match)) if value == "each" else float(value)
            return seconds, seconds is not None
        return None, True

    def _date(self, reading: _Reading) -> dict[str, int]:
        """Return the day of a month, and the month, as far as given."""
        found = [match for pattern in self._dates if (match := pattern.search(reading.left))]
        if not found:
            return {}
        match = max(found, key=lambda each: len(each[0]))
        reading.take(match)
        day = self._value("ordinals", match["date"]) or self._number(match["date"])
        month = self._first("months", _spaced(match))
        date = {"month_day": int(day or 0)} if day else {}
        return {**date, "month": int(month)} if month else date

    def _time(self, reading: _Reading) -> dt.time | None:
        """Return a time of day, without regard to am or pm."""
        clocks = [
            (match, offset)
            for pattern, offset in self._clocks
            for match in pattern.finditer(reading.left)
            if not reading.is_hidden(match)
        ]
        if clocks:
            match, offset = min(clocks, key=lambda each: (each[0].start(), -each[0].end()))
            reading.take(match)
            said = match.groupdict()
            return self._clock(said, offset) if said else _of_minutes(int(offset))
        if digits := self._digits.search(reading.left):
            reading.take(digits)
            hour, minute = re.split("[.:]", digits[0])
            return dt.time(int(hour) % 24, int(minute))
        if hour := self._hour.search(reading.left):
            reading.take(hour)
            return self._clock(hour.groupdict(), "0")
        return None

    def _meridiem(self, reading: _Reading) -> str:
        """Return am or pm, or the part of the day: "07:30" is in the morning."""
        said = self._only("parts", reading)
        return said or ("am" if _EARLY.search(reading.words) else "")

    def _weekdays(self, reading: _Reading) -> tuple[int, ...]:
        """Return all days of the week, with those between the first and the last of a range."""
        days: set[int] = set()
        ends: list[tuple[int, int, int]] = []
        for name in ("weekdays", "weekly"):
            for match, value in self._found(name, reading.words):
                reading.cover(match)
                digits = [int(digit) for digit in _DIGIT.findall(value)]
                days.update(digits)
                ends.append((match.start(), match.end(), digits[0]))
        through = [match for match, _ in self._found("through", reading.words)]
        for (_, end, first), (start, _, last) in pairwise(sorted(ends)):
            for match in through:
                if end - 1 <= match.start() and match.end() <= start + 1:
                    reading.cover(match)
                    days.update(
                        (first + step) % len(_DAYS) for step in range((last - first) % len(_DAYS))
                    )
        return tuple(sorted(days))

    def _only(self, name: str, reading: _Reading, *, hides: bool = False) -> str:
        """Return the value of a list's only phrase; `hides`: a part of it is no day and no time."""
        said = ""
        for match, value in self._found(name, reading.words):
            if name == "days" and reading.is_hidden(match):
                continue
            if value == (said or value):
                (reading.cover if said or not hides else reading.hide)(match)
                said = value
        return said

    def _leave_aside(self, reading: _Reading) -> None:
        for pattern in self._aside:
            for match in pattern.finditer(reading.words):
                reading.cover(match)

    def _clock(self, said: dict[str, str], offset: str) -> dt.time | None:
        hour = self._number(said["hour"], "hours")
        minutes = float(said.get("minutes") or 0)
        if hour is None:
            return None
        match offset:
            case "+":
                minutes = hour * 60 + minutes
            case "-":
                minutes = hour * 60 - minutes
            case _:
                minutes += hour * 60 + int(offset)
        return _of_minutes(int(minutes))

    def _number(self, said: str, name: str = "numbers") -> float | None:
        if said[0].isdecimal():
            return float(said.replace(",", "."))
        value = self._value(name, said)
        return float(value) if value else None

    def _value(self, name: str, said: str) -> str:
        """Return the value of a phrase of a list; empty if it is not in the list."""
        return self._first(name, f" {said} ")

    def _first(self, name: str, words: str) -> str:
        return next((value for _, value in self._found(name, words)), "")

    def _found(self, name: str, words: str) -> Sequence[tuple[re.Match[str], str]]:
        """Return the phrases of a list in the words, the longest first."""
        found = [
            (match, value)
            for pattern, value in self._worth.get(name, ())
            for match in pattern.finditer(words)
        ]
        return sorted(found, key=lambda each: -len(each[0][0]))


class _Reading:
    """The words of a time expression, and which of them are parsed."""

    def __init__(self, words: str) -> None:
        self.words = words
        self.left = words
        """The words with spaces in the place of parsed numbers."""
        self._covered = bytearray(len(words))
        self._hidden = (0, 0)

    def take(self, match: re.Match[str]) -> None:
        """Mark the words of a match in `left` as parsed, and remove them from it."""
        first, end = match.span()
        self.cover(match)
        gap = " " * (end - first)
        self.left = f"{self.left[:first]}{gap}{self.left[end:]}"

    def cover(self, match: re.Match[str]) -> None:
        """Mark words as parsed that other lists may also match."""
        first, end = match.span()
        self._covered[first:end] = b"\1" * (end - first)

    def hide(self, match: re.Match[str]) -> None:
        """Cover words whose parts have no meaning: "Morgen" in "am Morgen" is not tomorrow."""
        self.cover(match)
        self._hidden = match.span()

    def is_hidden(self, match: re.Match[str]) -> bool:
        """Return True if a match is a part of hidden words."""
        first, end = self._hidden
        return first <= match.start() and match.end() <= end and match.span() != self._hidden

    @property
    def is_unread(self) -> bool:
        """Whether there are words that are not parsed."""
        return any(
            not all(self._covered[word.start() : word.end()])
            for word in _WORD.finditer(self.words)
            if word[0][0].isalnum()
        )


def _spaced(match: re.Match[str]) -> str:
    """Return the words of a match in spaces, to search in them."""
    return f" {match[0].strip()} "


@lru_cache
def time_parser(code: str) -> TimeParser:
    """Return the parser of a language by its code; the first call takes a while."""
    return TimeParser(patterns_of(code))


def _of_minutes(minutes: int) -> dt.time:
    """Return the time of day at some minutes after midnight."""
    return dt.time(minutes // 60 % 24, minutes % 60)


@dataclass(frozen=True, slots=True)
class ExcludedDays:
    """Excluded days of the week, Monday is 0, and the tokens of their exception."""

    days: frozenset[int] = frozenset()
    tokens: frozenset[int] = frozenset()

    def without(self, spans: Mapping[TimeSpan, tuple[int, int]]) -> dict[TimeSpan, tuple[int, int]]:
        """Return the time expressions of a clause without the words for these days."""
        kept = {
            piece: [index for index in range(first, end) if index not in self.tokens]
            for piece, (first, end) in spans.items()
        }
        return {piece: (own[0], own[-1] + 1) for piece, own in kept.items() if own}

    def of(self, moment: TimeExpression) -> TimeExpression:
        """Return a time without these days; uncertain if it does not include them."""
        if not self.days:
            return moment
        days = {*(moment.weekdays or _DAYS)} - self.days
        if moment.type is not TimeType.EVERY or moment.seconds not in _DAILY or not days:
            return replace(moment, is_unread=True)
        return replace(moment, weekdays=tuple(sorted(days)), seconds=None)


def find_excluded_days(
    annotated: AnnotatedText, segment: Segment, times: TimeParser
) -> ExcludedDays:
    """Return the days that a clause excludes."""
    days: set[int] = set()
    tokens: set[int] = set()
    for first, end in annotated.spans_among("except", range(segment.first, segment.end)):
        found: tuple[int, ...] = ()
        until = end
        for after in range(end + 1, min(end + _MOST, segment.end) + 1):
            said = times.parse(
                TimeExpression(type=TimeType.EVERY), annotated.sequence.normalized(end, after)
            )
            if not said.is_unread and len(said.weekdays) > len(found):
                found, until = said.weekdays, after
        if found:
            days.update(found)
            tokens.update(range(first, until))
    return ExcludedDays(frozenset(days), frozenset(tokens))
