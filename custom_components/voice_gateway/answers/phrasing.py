"""The sentences of answers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
import datetime as dt
from typing import Final

from homeassistant.const import ATTR_UNIT_OF_MEASUREMENT
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..home.exposed import Exposed
from ..home.state_semantics import finite_number, measurements
from ..languages import Language, joined
from ..languages.dates import Dates, within
from ..nlu.subject_linking import SubjectLinker
from .history.series import StatePeriod
from .intervals import Interval

_MOST: Final = 8
"""Maximum number of names in an answer."""
_WEEK: Final = 7
_MINUTE: Final = dt.timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Phrasing:
    """Phrases results in a language."""

    hass: HomeAssistant
    language: Language
    things: SubjectLinker
    now: dt.datetime
    """The current time, in the home's time zone."""

    def yes(self, is_so: bool | None, told: str = "") -> str:
        """Return "yes" or "no" with an explanation; the explanation alone if `is_so` is None."""
        if is_so is None:
            return told
        key = ("yes" if is_so else "no") + ("_told" if told else "")
        return self.text("whether", key, told=told)

    def states(self, shown: Iterable[tuple[str, str]]) -> str:
        """Return names with their states or values, grouped by value."""
        told: list[str] = []
        for state, names in _by_state(shown).items():
            key = "many" if len(names) > 1 else "one"
            # A number's unit keeps its case.
            lower = state if any(map(str.isdigit, state)) else state.lower()
            told.append(self.text("states", key, names=self._all(names), state=state, lower=lower))
        return "; ".join(told)

    def values(self, shown: Iterable[tuple[str, str]]) -> str:
        """Return names with their values; without names, a sentence that there are none."""
        told = "; ".join(
            self.text("states", "value", names=self._all(names), value=value)
            for value, names in _by_state(shown).items()
        )
        return told or self.names([])

    def names(self, names: Sequence[str]) -> str:
        """Return the names as a list; without names, a sentence that there are none."""
        return self._all(names) if names else self.text("states", "none")

    def count(self, names: Sequence[str]) -> str:
        """Return the number of names, and the names themselves if they are few."""
        if not names:
            return "0"
        count = str(len(names))
        if len(names) > _MOST:
            return count
        return self.values([(count, self._all(names))])

    def items(self, name: str, items: Sequence[str], *, is_done: bool = False) -> str:
        """Return the items of a list, or the completed ones."""
        if not items:
            return self.names([]) if is_done else self.text("lists", "empty", name=name)
        told = self._all(items, len(items))
        return (
            self.text("lists", "done", name=name, items=told)
            if is_done
            else self.values([(name, told)])
        )

    # Causes

    def changed(self, entity: Exposed, meaning: str, state: str, at: dt.datetime, by: str) -> str:
        """Return the sentence about an entity's change.

        Args:
            entity: the changed entity.
            meaning: the meaning of the new state in the question.
            state: the new state.
            at: the time of the change.
            by: the actor in words; empty if unknown.
        """
        key = meaning if meaning in self.language.answers["changed"] else "other"
        at = dt_util.as_local(at)
        is_yesterday = (self._today - at.date()).days == 1
        day = (self._dates.past_day if is_yesterday else self._dates.day)(at.date(), self._today)
        slots = {"name": entity.names[0], "state": self.state(entity, state), "by": by}
        text = self.text("changed", key, at=f"{day} {self.at_time(at)}", **slots)
        return " ".join(text.split())

    # Days

    def weekday(self, day: dt.date) -> str:
        """Return the weekday and the date."""
        date = self.text("past", "bare_date", **self._dates.date_slots(day))
        return f"{self.text('weekdays', str(day.weekday()))}, {date}"

    def clock(self) -> str:
        """Return the current time."""
        return self._dates.clock(self.now.time())

    def at(self, at: dt.datetime) -> str:
        """Return a day and a time of day, within a sentence."""
        return f"{self.day(at.date())} {self.at_time(at)}"

    def at_time(self, at: dt.datetime) -> str:
        """Return a time of day, within a sentence."""
        return self._dates.at(at.time())

    def said(self, words: str, *told: str) -> str:
        """Return statements about a time, which is phrased in the user's own words."""
        return self.text("days", "on", when=within(words), told=self._all(told, len(told)))

    def and_more(self, text: str, count: int) -> str:
        """Return a text, followed by the number of further items."""
        if count <= 0:
            return text
        more = self.language.confirmations["names"]["more"].format(count=count)
        return f"{text}. {more}"

    def range(self, low: float | None, high: float, unit: str) -> str:
        """Return a range of values with its unit."""
        shown = self.number(high, unit)
        if low is None or round(low) == round(high):
            return shown
        return self.text("forecast", "range", low=self.number(low, ""), high=shown)

    def all_shown(self, entities: Iterable[Exposed]) -> str:
        """Return the names of entities with their current states."""
        return self.states((each.names[0], self.shown(each)) for each in entities)

    def shown(self, entity: Exposed) -> str:
        """Return an entity's current state, with the number or title that belongs to it."""
        if (state := self.hass.states.get(entity.entity_id)) is None:
            return self.state(entity, "")
        said = self.state(entity, state.state)
        if state.domain == "sensor":
            number = finite_number(state.state)
            unit = state.attributes.get(ATTR_UNIT_OF_MEASUREMENT) or ""
            return said if number is None else self.number(number, unit)
        more = (
            self.number(each.value, each.unit)
            for each in measurements(state, self.hass.config.units.temperature_unit)
            if each.value is not None
        )
        title = self.title(entity)
        return ", ".join((said, *more, *([title] if title else ())))

    def title(self, entity: Exposed) -> str:
        """Return a media player's title and artist; empty if it reports none."""
        state = self.hass.states.get(entity.entity_id)
        if state is None or state.state not in ("buffering", "paused", "playing"):
            return ""
        titles = (state.attributes.get(each) for each in ("media_title", "media_artist"))
        return ", ".join(str(each) for each in titles if each)

    def state(self, entity: Exposed, state: str) -> str:
        """Return the words for a state."""
        if state in ("unavailable", "unknown", ""):
            return self.text("states", "unknown")
        return self.things.state(entity, state)

    def lower_state(self, entity: Exposed, state: str) -> str:
        """Return the words for a state, within a sentence."""
        return self.lowered(self.state(entity, state))

    def number(self, value: float, unit: str) -> str:
        """Return a number with its unit; with one decimal at most, unless it is small."""
        rounded = round(value, 1 if abs(value) >= 1 else 3)
        text = f"{rounded:g}" if abs(rounded) < 1e6 else f"{rounded:.0f}"
        decimal = self.language.planned["when"]["decimal"]
        gap = "" if unit == "%" and self.language.code == "en" else " "
        return f"{text.replace('.', decimal)}{gap}{unit}".strip()

    def text(self, table: str, key: str, **slots: object) -> str:
        """Return one of the language's texts of `answers`."""
        texts: Mapping[str, str] = self.language.answers[table]
        return texts[key].format(**slots)

    # The past

    def of(self, name: str, span: Interval | None, told: str = "") -> str:
        """Return a statement about an entity in an interval; if it is empty, that there is no data."""
        told = told or self.text("past", "not_recorded")
        if span is None:
            return self.values([(name, told)])
        return self.text("past", "when", name=name, when=self.when(span), told=told)

    def when(self, span: Interval) -> str:
        """Return an interval as the user expressed it, else by its day and its hours."""
        if span.words:
            return within(span.words)
        return self.at(span.start) if span.is_point else self._from_to(span.start, span.end)

    def segment(self, entity: Exposed, segment: StatePeriod) -> str:
        """Return a state with the period in which it held."""
        state = self.lower_state(entity, segment.state)
        return self.text("past", "interval", state=state, when=self._interval(segment))

    def times(self, state: str, count: int) -> str:
        """Return how often a state occurred."""
        if not count:
            return self.text("past", "never", state=state)
        return self.text("past", "once" if count == 1 else "times", state=state, count=str(count))

    def amount(self, lasted: dt.timedelta) -> str:
        """Return a duration, in minutes from one minute on."""
        is_long = lasted >= _MINUTE
        seconds = 60 * round(lasted / _MINUTE) if is_long else round(lasted.total_seconds())
        return self._all(self._dates.amounts(seconds))

    def _from(self, at: dt.datetime) -> str:
        """Return the same after a word such as "since", without another preposition."""
        days = (self._today - at.date()).days
        if days <= 1:
            return self.at(at)
        day = self.text("weekdays", str(at.weekday()))
        if days >= _WEEK:
            day = self.text("past", "bare_date", **self._dates.date_slots(at.date()))
        return f"{day} {self.at_time(at)}"

    def in_(self, span: Interval, at: dt.datetime) -> str:
        """Return the time of day of a moment in an interval, and its day if there are several."""
        last = span.end - dt.timedelta(seconds=1)
        local = dt_util.as_local(at)
        return self._dates.at(local.time()) if span.start.date() == last.date() else self.at(local)

    def since(self, told: str, since: dt.datetime | None) -> str:
        """Return a statement, with the start of the recorded data if that is incomplete."""
        if since is None:
            return told
        start = self._from(dt_util.as_local(since))
        return self.text("past", "recorded_since", told=told, start=start)

    def _interval(self, segment: StatePeriod) -> str:
        start, end = dt_util.as_local(segment.start), dt_util.as_local(segment.end)
        if segment.has_end:
            if segment.has_start:
                return self._from_to(start, end)
            return self.text("past", "until", end=self._from(end))
        is_now = end >= self.now
        if segment.has_start and not is_now:
            return self.at(start)
        key = "since" if segment.has_start else "since_before" if is_now else "before"
        return self.text("past", key, start=self._from(start))

    def _from_to(self, start: dt.datetime, end: dt.datetime) -> str:
        if start.date() != end.date():
            return self.text("past", "from_to", start=self._from(start), end=self._from(end))
        first, last = (self._dates.clock(each.time()) for each in (start, end))
        if first == last:
            return self.at(start)
        return self.text("past", "day_from_to", day=self.day(start.date()), start=first, end=last)

    def lowered(self, state: str) -> str:
        """Return the words for a state in lower case, within a sentence."""
        return self.text("states", "state", state=state, lower=state.lower())

    def day(self, day: dt.date) -> str:
        """Return a day, within a sentence."""
        told = self._dates.past_day if day < self._today else self._dates.day
        return told(day, self._today) or self.text("days", "today")

    @property
    def _today(self) -> dt.date:
        return self.now.date()

    @property
    def _dates(self) -> Dates:
        return Dates(self.language.planned)

    def _all(self, items: Sequence[str], most: int = _MOST) -> str:
        return joined(self.language.code, items, most)


def _by_state(shown: Iterable[tuple[str, str]]) -> Mapping[str, Sequence[str]]:
    by_state: dict[str, list[str]] = {}
    for name, state in shown:
        by_state.setdefault(state, []).append(name)
    return by_state
