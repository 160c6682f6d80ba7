"""Durations, times of day and days, as the words of a moment say them."""

import datetime as dt
from functools import lru_cache
import re

from .templates import Templates, templates

_DIGIT = re.compile(r"\d")


class Times:
    """Reads values in the words of a moment, which stand between spaces as in a `Line`."""

    def __init__(self, known: Templates) -> None:
        """Take the templates of the language."""
        self._worth = {
            name: [(known.pattern(phrase), value) for phrase, value in table.items()]
            for name, table in known.values.items()
            if name != "clock"
        }
        self._clocks = known.clocks
        half = known.slot("half") if known.language.forms.get("half") else "(?!)"
        joined = known.slot("joined") if known.language.forms.get("joined") else "(?!)"
        self._amount = re.compile(
            f"(?<= )(?P<number>{known.slot('number')})(?P<half> {half})?"
            f" (?P<unit>{known.slot('units')})(?P<more> {half})?"
            rf"(?:(?: {joined})? (?P<rest>\d\d)(?= ))?(?= )"
        )
        self._digits = re.compile(rf"(?<= )(?:{known.slot('clock')}|{known.slot('dotted')})(?= )")
        self._hour = re.compile(f"(?<= ){known.slot('bare', 'hour')}(?= )")

    def seconds(self, words: str) -> float | None:
        """Return a duration; None where there is none, or nobody knows how long it is."""
        if fixed := self._first("durations", words):
            return float(fixed)
        total = 0.0
        for match in self._amount.finditer(words):
            if (number := self._number(match["number"])) is None:
                return None
            unit = float(self._value("units", match["unit"]) or 0)
            total += (number + (0.5 if match["half"] or match["more"] else 0)) * unit
            if match["rest"] and unit == 3600:
                total += 60 * float(match["rest"])
        return total or None

    def time(self, words: str) -> dt.time | None:
        """Return a time of day as it was said."""
        for pattern, offset in self._clocks:
            if match := pattern.search(words):
                said = match.groupdict()
                return self._clock(said, offset) if said else _of_minutes(int(offset))
        if digits := self._digits.search(words):
            hour, minute = re.split("[.:]", digits[0])
            return dt.time(int(hour) % 24, int(minute))
        if match := self._hour.search(words):
            return self._clock(match.groupdict(), "0")
        return None

    def meridiem(self, words: str) -> str:
        """Return am or pm, where that or a part of the day is said."""
        return self._first("parts", words)

    def sun(self, words: str) -> str:
        """Return what the sun does."""
        return self._first("sun", words)

    def day_offset(self, words: str) -> int | None:
        """Return how many days from today."""
        return int(days) if (days := self._first("days", words)) else None

    def weekdays(self, words: str) -> tuple[int, ...]:
        """Return all days of the week that are said."""
        said = [value for name in ("weekdays", "weekly") for _, value in self._found(name, words)]
        return tuple(sorted({int(digit) for value in said for digit in _DIGIT.findall(value)}))

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
        """Return what a phrase of a list is worth; empty where it is none."""
        return next((value for _, value in self._found(name, f" {said} ")), "")

    def _first(self, name: str, words: str) -> str:
        return next((value for _, value in self._found(name, words)), "")

    def _found(self, name: str, words: str) -> list[tuple[str, str]]:
        """Return the phrases of a list that stand in the words, the longest first."""
        found = [
            (match[0], value)
            for pattern, value in self._worth.get(name, ())
            if (match := pattern.search(words))
        ]
        return sorted(found, key=lambda each: -len(each[0]))


@lru_cache
def times(code: str) -> Times:
    """Return what reads the times of a language by its code; the first time, this takes a while."""
    return Times(templates(code))


def _of_minutes(minutes: int) -> dt.time:
    """Return the time so many minutes after midnight."""
    return dt.time(minutes // 60 % 24, minutes % 60)
