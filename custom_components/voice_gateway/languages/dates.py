"""Days, times of day and durations in a language's words: "on Friday", "5 minutes"."""

from collections.abc import Iterable
import datetime as dt
from typing import Any, Final

from . import Texts

_THIS_WEEK: Final = 7
"""Days for which the weekday alone is unambiguous."""
_FAR: Final = 300
"""Days after which the year is spoken."""
_UNITS: Final = {"hour": 3600, "minute": 60, "second": 1}


def begun(text: str) -> str:
    """Return a text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def sentences(texts: Iterable[str]) -> str:
    """Return sentences, joined; the first one may be the rest of a sentence."""
    first, *others = texts
    return ". ".join((first, *map(begun, others)))


def within(text: str) -> str:
    """Return a text with its first letter in lower case, for the middle of a sentence."""
    return text[:1].lower() + text[1:]


def unit_of(seconds: float) -> tuple[str, int]:
    """Return the largest unit of which a duration is a whole number, and that number."""
    whole = (each for each, worth in _UNITS.items() if seconds and seconds % worth == 0)
    unit = next(whole, "second")
    return unit, round(seconds) // _UNITS[unit]


class Dates:
    """Expresses days, times of day and durations, for the middle of a sentence."""

    def __init__(self, texts: Texts) -> None:
        """Take a language's words for them: its table `planned`."""
        self._texts = texts

    def day(self, day: dt.date, today: dt.date) -> str:
        """Return the words for a day; empty for today. A past day is given by its date."""
        return self._day(day, (day - today).days, "tomorrow")

    def past_day(self, day: dt.date, today: dt.date) -> str:
        """Return the words for a past day; empty for today."""
        return self._day(day, (today - day).days, "yesterday")

    def _day(self, day: dt.date, days: int, nearest: str) -> str:
        """Return the words for a day some days away, with its year if it is far from now."""
        texts = self._texts["when"]
        if days in (0, 1):
            return texts[nearest] if days else ""
        if 0 < days < _THIS_WEEK:
            return self._texts["on_weekday"][str(day.weekday())]
        key = self.variant("when", "on_date", str(day.day))
        date = texts[key].format(**self.date_slots(day))
        return texts["dated"].format(date=date, year=day.year) if abs(days) > _FAR else date

    def at(self, time: dt.time) -> str:
        """Return the words for a time of day, with "at"."""
        key = self.variant("when", "at", str(time.hour))
        return self._texts["when"][key].format(time=self.clock(time))

    def clock(self, time: dt.time) -> str:
        """Return the words for a time of day."""
        texts = self._texts["when"]
        key = "on_the_hour" if time.minute == 0 and "on_the_hour" in texts else "clock"
        return texts[key].format(
            hour=time.hour,
            hour12=time.hour % 12 or 12,
            minute=f"{time.minute:02}",
            half=texts.get("am" if time.hour < 12 else "pm", ""),
        )

    def amount(self, seconds: float, *, alone: bool = False) -> str:
        """Return a duration as a single number of hours, minutes or seconds.

        `alone`: without a preposition, which governs another case in Polish.
        """
        unit, number = unit_of(seconds)
        key = self.few("amounts", f"{unit}s", number)
        if number == 1:
            key = self.variant("amounts", unit, "alone") if alone else unit
        return self._texts["amounts"][key].format(number=number)

    def amounts(self, seconds: int, *, alone: bool = False) -> list[str]:
        """Return a duration as numbers of hours, minutes and seconds."""
        parts: list[str] = []
        for worth in _UNITS.values():
            rest = seconds % worth
            if seconds > rest:
                parts.append(self.amount(seconds - rest, alone=alone))
            seconds = rest
        return parts or [self.amount(0)]

    def date_slots(self, day: dt.date) -> dict[str, Any]:
        """Return the day and the month of a date."""
        return {"day": day.day, "month": self._texts["months"][str(day.month)]}

    def variant(self, table: str, key: str, variant: str) -> str:
        """Return the key of a variant's text, if the language has one, else the general key."""
        own = f"{key}_{variant}"
        return own if own in self._texts[table] else key

    def few(self, table: str, key: str, number: int) -> str:
        """Return the key of the text for a number: in Polish, 2 to 4 have their own."""
        is_few = number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14)
        return self.variant(table, key, "few") if is_few else key
