"""Time expressions, and the instants that they can denote by the home's clock and sun."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
import datetime as dt
from enum import StrEnum
from typing import Final, Self

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..home.clock import DAY, sun_of_day, to_instant
from .tokenizer import NOTHING, Text

_NOON: Final = 12
_HALF_DAY: Final = dt.timedelta(hours=12)
_ONE_PM: Final = dt.timedelta(hours=13)
_SMALL: Final = dt.timedelta(hours=7)
"""Hours before this may also be in the afternoon: "today at 5" is hardly at night."""
_MONTHS: Final = 8 * 12 + 1
"""Months from now that include any date, also 29 February."""
_PARTS: Final[dict[str, tuple[int, int | None]]] = {
    "am": (0, None),
    "pm": (12, None),
    "small_hours": (0, None),
    "morning": (0, 8),
    "forenoon": (0, 10),
    "noon": (10, 12),
    "afternoon": (12, 15),
    "evening": (13, 19),
    "late": (16, 20),
    "night": (18, 22),
}
"""The hour at which a part of the day's twelve hours begin, and its hour if none is given.

"2 at night" is 26 o'clock, counted from midnight before the night. "late" is the evening or the
night: "tonight", "esta noche"."""


class TimeType(StrEnum):
    """The temporal relation of a command; the values are the lists' names in `languages/`."""

    IN = "in"
    """After a duration: "in ten minutes"."""
    AT = "at"
    """At a time of day, on a day, or both: "tomorrow at seven", "on Monday", "at sunset"."""
    FOR = "for"
    """At once, reverted after a duration: "for ten minutes"."""
    UNTIL = "until"
    """At once, reverted at a time or an event: "until ten", "until the film is over"."""
    EVERY = "every"
    """Repeatedly, at times, on days, or at an interval: "on weekdays at six"."""
    WHEN = "when"
    """At the next occurrence of an event: "as soon as I get home"."""
    WHENEVER = "whenever"
    """At each occurrence of an event: "whenever somebody rings"."""
    IF = "if"
    """If a condition holds: "if the window is open"."""
    UNLESS = "unless"
    """If a condition does not hold: "unless the window is open"."""
    BEFORE = "before"
    """Before a time or an event: "before I go to bed", "by eight"."""
    UNCLEAR = "unclear"
    """At an unspecified time, possibly not now: "later", "while I cook"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeExpression:
    """A time, duration or condition. Unknown values are None or empty."""

    type: TimeType
    text: Text = NOTHING
    """The words, as spoken."""
    seconds: float | None = None
    """The delay of IN, the duration of FOR, the interval of EVERY; negative before a sun event.

    EVERY also has an interval in days or weeks: 1209600 for "every other Monday"."""
    time: dt.time | None = None
    """The time of day as given: 8 may be in the evening if `meridiem` is empty."""
    meridiem: str = ""
    """"am" or "pm", given or implied by a part of the day."""
    day_offset: int | None = None
    """Days from today: 1 for "tomorrow"."""
    daytime: str = ""
    """The part of the day: a key of `values.daytimes`, as `en.toml` explains them."""
    weekdays: tuple[int, ...] = ()
    """Days of the week, Monday is 0."""
    week: str = ""
    """"next" for a day of the next week, "coming" for the first such day after today, "either" for
    "next Friday", which may be both."""
    month_day: int | None = None
    """The day of a month: 24 for "on the 24th"."""
    month: int | None = None
    """The month of that, January is 1."""
    sun: str = ""
    """"sunrise", "sunset", "dawn" or "dusk"."""
    condition: Text = NOTHING
    """The words of the condition or the event: "the garage door is open"."""
    is_met: bool | None = None
    """Whether an IF or UNLESS condition holds, if exposed states decide it."""
    depends_on_answer: bool = False
    """The condition is the question before it: "see whether it rains, and if so, ..."."""
    is_unread: bool = False
    """Some of its words are not parsed."""
    follows: bool = False
    """It counts from the time of the clause before: "ten minutes later"."""
    is_shared: bool = False
    """It belongs to another clause of the sentence, and may apply to this one, too."""

    @property
    def part_of_day(self) -> str:
        """The part of the day, or am or pm, if given."""
        return self.daytime or self.meridiem

    @property
    def has_day(self) -> bool:
        """Whether it has a day or a week."""
        return bool(self.day_offset is not None or self.weekdays or self.month_day or self.week)

    @property
    def has_time(self) -> bool:
        """Whether it has a time of day: of the clock, of the sun, or a part of the day."""
        return bool(self.time is not None or self.sun or self.daytime)

    @property
    def names_day(self) -> bool:
        """Whether it specifies the day or the days of the command."""
        if self.type is TimeType.EVERY:
            return not self.seconds or self.seconds % DAY.total_seconds() == 0
        return self.type is TimeType.AT and self.has_day

    def as_shared(self) -> Self:
        """Return it as shared with the other clauses of its sentence."""
        return replace(self, is_shared=True)

    def on_day_of(self, day: TimeExpression) -> Self:
        """Return a time of day on the day that another one names: "at eight pm ... at ten".

        If it would precede the other one, its day is uncertain.
        """
        if self.type is not TimeType.AT or not (self.time or self.sun):
            return self
        if day.part_of_day and not self.part_of_day and self.time and self.time.hour <= _NOON:
            # A bare hour is in the same half of the day.
            return replace(self, meridiem=day.meridiem, daytime=day.daytime).on_day_of(day)
        # Every day has all of its times; on a single day, only later ones remain.
        daily = day.type is TimeType.EVERY and not (day.weekdays or day.month_day)
        return replace(
            self,
            type=day.type,
            seconds=self.seconds if self.sun else day.seconds,
            day_offset=day.day_offset,
            weekdays=day.weekdays,
            week=day.week,
            month_day=day.month_day,
            month=day.month,
            is_unread=self.is_unread or day.is_unread or not (daily or self._is_after(day)),
        )

    def _is_after(self, other: TimeExpression) -> bool:
        """Return True if its time is after another of the same day."""
        own, theirs = self._minutes, other._minutes
        return own is None or theirs is None or own > theirs

    @property
    def _minutes(self) -> int | None:
        """Its time in minutes after midnight, or after noon if am or pm is open."""
        if not self.time:
            return None
        hour = self.time.hour
        if self.meridiem:
            hour = hour % 12 + 12 * (self.meridiem == "pm")
        return hour * 60 + self.time.minute

    # Instants

    def next_instant(self, now: dt.datetime, hass: HomeAssistant) -> dt.datetime | None:
        """Return the first instant of it after `now`, in UTC.

        None if it has no time, several weekdays, or is in the past.
        """
        if not self.has_time or len(self.weekdays) > 1:
            return None
        days = [*self.days(dt_util.as_local(now).date())]
        if self.sun:
            found = (sun_of_day(hass, self.sun, day, self.seconds or 0) for day in days)
        else:
            times = self.times()
            found = (to_instant(day, time) for day in days for time in times)
        return next((each for each in found if each and each > now), None)

    def days(self, today: dt.date) -> Iterator[dt.date]:
        """Yield the days that it may denote, the first one first; none if they contradict."""
        dates: Iterator[dt.date] | Sequence[dt.date]
        if self.day_offset is not None:
            # After midnight, "tonight" is the night that has begun.
            is_late = self.time is not None and (self.after_midnight or DAY) > DAY
            first = -1 if self.day_offset == 0 and is_late else 0
            dates = [today + DAY * (self.day_offset + each) for each in range(first, 1)]
        elif self.month_day:
            dates = self._dates(today)
        elif self.weekdays:
            dates = self._on_weekday(today)
        elif self.week:
            return
        else:
            dates = [today + DAY * each for each in (-1, 0, 1)]
        yield from (day for day in dates if not self.weekdays or day.weekday() in self.weekdays)

    def _on_weekday(self, today: dt.date) -> Sequence[dt.date]:
        (weekday,) = self.weekdays
        coming = today + DAY * ((weekday - today.weekday()) % 7)
        if self.week == "coming" and coming == today:
            return (coming + 7 * DAY,)
        if self.week in ("", "coming"):
            return coming, coming + 7 * DAY
        of_next_week = today + DAY * (7 - today.weekday() + weekday)
        if self.week == "either" and coming not in (today, of_next_week):
            return ()
        return (of_next_week,)

    def _dates(self, today: dt.date) -> Iterator[dt.date]:
        """Yield the days that match a date, from today on for some years."""
        for months in range(_MONTHS):
            year, month = divmod(today.year * 12 + today.month - 1 + months, 12)
            if self.month in (None, month + 1):
                try:
                    day = dt.date(year, month + 1, self.month_day or 0)
                except ValueError:
                    continue
                if day >= today:
                    yield day

    @property
    def after_midnight(self) -> dt.timedelta | None:
        """Its time of day, counted from midnight; more than a day late at night.

        None without a time of day, or for an impossible one: "17 in the morning".
        """
        first, usual = _PARTS.get(self.part_of_day, (None, None))
        if self.time is None:
            return None if usual is None else dt.timedelta(hours=usual)
        said = dt.datetime.combine(dt.date.min, self.time) - dt.datetime.min
        if first is None:
            return said
        begins = dt.timedelta(hours=first)
        if said >= _ONE_PM:
            return said if begins <= said < begins + _HALF_DAY else None
        return begins + (said - begins) % _HALF_DAY

    def times(self) -> Sequence[dt.timedelta]:
        """Return the times after midnight that it may denote."""
        time = self.after_midnight
        another = bool(self.day_offset or self.month_day or self.weekdays)
        if time is None or (another and (time >= DAY or not time)):
            return ()  # midnight may belong to either of two days
        if self.time is None or self.part_of_day or another or time >= _ONE_PM:
            return (time,)
        if self.day_offset is None:
            return (time, time + _HALF_DAY) if self.time.hour else (time,)
        if not self.time.hour:
            return (time, time + DAY)
        return (time, time + _HALF_DAY) if time < _SMALL else (time,)
