"""The sentences with which is told what was."""

from dataclasses import dataclass
import datetime as dt

from homeassistant.util import dt as dt_util

from ...home.exposed import Exposed
from ...languages import joined
from ..intervals import Interval
from ..phrasing import Phrasing
from .series import StatePeriod

_WEEK = 7
_MINUTE = dt.timedelta(minutes=1)
_UNITS = (("hour", 3600), ("minute", 60), ("second", 1))


@dataclass(frozen=True, slots=True)
class HistoryPhrasing(Phrasing):
    """Puts what was into a language's words, as it is to be told now."""

    def of(self, name: str, span: Interval | None, told: str) -> str:
        """Return what is told of an entity, or of a place, in a time."""
        if span is None:
            return self.values([(name, told)])
        return self.past("when", name=name, when=self.when(span), told=told)

    def when(self, span: Interval) -> str:
        """Return a time as it was said; its day and its hours, where it was not said which."""
        if span.words:
            return f"{span.words[:1].lower()}{span.words[1:]}"
        if span.is_point:
            return self.at(span.start)
        return self._from_to(span.start, span.end)

    def lower_state(self, entity: Exposed, state: str) -> str:
        """Return a state in the middle of a sentence."""
        return self.lowered(self.state(entity, state))

    def segment(self, entity: Exposed, segment: StatePeriod) -> str:
        """Return a state, and from when to when it was so."""
        return self.past(
            "interval", state=self.lower_state(entity, segment.state), when=self._interval(segment)
        )

    def times(self, state: str, count: int) -> str:
        """Return how often it was so."""
        if not count:
            return self.past("never", state=state)
        return self.past("once" if count == 1 else "times", state=state, count=str(count))

    def amount(self, lasted: dt.timedelta) -> str:
        """Return how long something lasted: of what is a minute and more, in minutes."""
        seconds = round(lasted.total_seconds())
        if lasted >= _MINUTE:
            seconds = 60 * round(lasted / _MINUTE)
        parts: list[str] = []
        for unit, worth in _UNITS:
            number, seconds = divmod(seconds, worth)
            if number:
                parts.append(self._number_of(unit, number))
        return joined(self._code, parts or [self._number_of("second", 0)])

    def _from(self, at: dt.datetime) -> str:
        """Return the same behind a word such as "since", where no other one may follow."""
        days = (self._today - at.date()).days
        if days <= 1:
            return self.at(at)
        day = self.text("weekdays", str(at.weekday()))
        if days >= _WEEK:
            day = self.past("bare_date", **self._dates.date_slots(at.date()))
        return f"{day} {self._dates.at(at.time())}"

    def in_(self, span: Interval, at: dt.datetime) -> str:
        """Return a moment in a time that has been told: its day where there may be another one."""
        last = span.end - dt.timedelta(seconds=1)
        local = dt_util.as_local(at)
        return self._dates.at(local.time()) if span.start.date() == last.date() else self.at(local)

    def past(self, key: str, **slots: object) -> str:
        """Return one of the language's texts on what is past."""
        return self.text("past", key, **slots)

    def since(self, told: str, since: dt.datetime | None) -> str:
        """Return what is told, and from when on that is recorded, if it is not all of it."""
        if since is None:
            return told
        return self.past("recorded_since", told=told, start=self._from(dt_util.as_local(since)))

    def _interval(self, segment: StatePeriod) -> str:
        start, end = dt_util.as_local(segment.start), dt_util.as_local(segment.end)
        if not segment.has_end:
            is_now = end >= self.now
            if not segment.has_start:
                return self.past("since_before" if is_now else "before", start=self._from(start))
            return self.past("since", start=self._from(start)) if is_now else self.at(start)
        if not segment.has_start:
            return self.past("until", end=self._from(end))
        return self._from_to(start, end)

    def _from_to(self, start: dt.datetime, end: dt.datetime) -> str:
        if start.date() != end.date():
            return self.past("from_to", start=self._from(start), end=self._from(end))
        clock = self._dates.clock
        if clock(start.time()) == clock(end.time()):
            return self.at(start)
        return self.past(
            "day_from_to",
            day=self._day(start.date()),
            start=clock(start.time()),
            end=clock(end.time()),
        )

    def _number_of(self, unit: str, number: int) -> str:
        texts = self.language.planned["amounts"]
        if number == 1:
            return texts[unit]
        return texts[self._dates.few("amounts", f"{unit}s", number)].format(number=number)
