"""Days and times of day in a language's words: "on Friday", "at 7:30 PM"."""

import datetime as dt
from typing import Any, Final

from . import Texts

_THIS_WEEK: Final = 7
"""Days for which the weekday alone is unambiguous."""
_FAR: Final = 300
"""Days after which the year is spoken."""


class Dates:
    """Expresses days and times of day in words, for the middle of a sentence."""

    def __init__(self, texts: Texts) -> None:
        """Take a language's words for them: its table `planned`."""
        self._texts = texts

    def day(self, day: dt.date, today: dt.date) -> str:
        """Return the words for a day; empty for today. A past day is given by its date."""
        days = (day - today).days
        if days == 0:
            return ""
        if days == 1:
            return self._texts["when"]["tomorrow"]
        if 0 < days < _THIS_WEEK:
            return self._texts["on_weekday"][str(day.weekday())]
        return self._date(day, days)

    def _date(self, day: dt.date, days: int) -> str:
        """Return the words for a date, with its year if it is far from now."""
        texts = self._texts["when"]
        key = self.variant("when", "on_date", str(day.day))
        date = texts[key].format(**self.date_slots(day))
        return texts["dated"].format(date=date, year=day.year) if abs(days) > _FAR else date

    def past_day(self, day: dt.date, today: dt.date) -> str:
        """Return the words for a past day; empty for today."""
        days = (today - day).days
        if days == 0:
            return ""
        if days == 1:
            return self._texts["when"]["yesterday"]
        if days < _THIS_WEEK:
            return self._texts["on_weekday"][str(day.weekday())]
        return self._date(day, days)

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
