"""The sentences with which questions are answered."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
import datetime as dt
import math

from homeassistant.const import ATTR_UNIT_OF_MEASUREMENT
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..home.exposed import Exposed
from ..home.state_semantics import measurements
from ..languages import Language, joined
from ..languages.dates import Dates
from ..nlu.subject_linking import SubjectLinker

_MOST = 8
"""Names that are told one by one to who asks which."""


@dataclass(frozen=True, slots=True)
class Phrasing:
    """Puts what was found into a language's words."""

    hass: HomeAssistant
    language: Language
    things: SubjectLinker
    now: dt.datetime
    """By the home's clock."""

    def yes(self, is_so: bool | None, told: str = "") -> str:
        """Return "yes" or "no", with what is so; that alone where it is neither."""
        if is_so is None:
            return told
        key = ("yes" if is_so else "no") + ("_told" if told else "")
        return self.text("whether", key, told=told)

    def states(self, shown: Iterable[tuple[str, str]]) -> str:
        """Return names with their states or values; those that have the same, together."""
        told: list[str] = []
        for state, names in _by_state(shown).items():
            key = "many" if len(names) > 1 else "one"
            slots = {"names": self._all(names), "state": state, "lower": _lower(state)}
            told.append(self.text("states", key, **slots))
        return "; ".join(told)

    def values(self, shown: Iterable[tuple[str, str]]) -> str:
        """Return names with what they measure or are set to, or that there are none."""
        told = "; ".join(
            self.text("states", "value", names=self._all(names), value=value)
            for value, names in _by_state(shown).items()
        )
        return told or self.names([])

    def names(self, names: Sequence[str]) -> str:
        """Return names, or that there are none."""
        return self._all(names) if names else self.text("states", "none")

    def count(self, names: Sequence[str]) -> str:
        """Return how many there are, and their names, if they are few."""
        if not names:
            return "0"
        count = str(len(names))
        if len(names) > _MOST:
            return count
        return self.values([(count, self._all(names))])

    def items(self, name: str, items: Sequence[str]) -> str:
        """Return what is on a list."""
        if not items:
            return self.text("lists", "empty", name=name)
        return self.values([(name, joined(self._code, items, len(items)))])

    def done(self, name: str, items: Sequence[str]) -> str:
        """Return what is done of a list."""
        if not items:
            return self.names([])
        return self.text("lists", "done", name=name, items=joined(self._code, items, len(items)))

    # Causes

    def changed(
        self, entity: Exposed, meaning: str, change: tuple[str, dt.datetime], by: str
    ) -> str:
        """Return what was done to an entity.

        Args:
            entity: it.
            meaning: what it has become, as it was asked.
            change: the state in which it came then, and when.
            by: who or what that was, in words; empty where nobody knows.
        """
        state, at = change
        key = meaning if meaning in self.language.answers["changed"] else "other"
        slots = {"name": entity.names[0], "state": self.state(entity, state), "by": by}
        text = self.text("changed", key, at=self.was(at), **slots)
        return " ".join(text.split())

    def was(self, at: dt.datetime) -> str:
        """Return a day that was and a time of day, in the middle of a sentence; of today the time."""
        at = dt_util.as_local(at)
        is_yesterday = (self._today - at.date()).days == 1
        told = self._dates.past_day if is_yesterday else self._dates.day
        return f"{told(at.date(), self._today)} {self._dates.at(at.time())}".strip()

    # Days

    def on_day(self, day: dt.date, told: Sequence[str]) -> str:
        """Return what is on a day, in the middle of a sentence."""
        return self.text(
            "days", "on", when=self._day(day), told=joined(self._code, told, len(told))
        )

    def weekday(self, day: dt.date) -> str:
        """Return the day of the week, and the date."""
        date = self.text("past", "bare_date", **self._dates.date_slots(day))
        return f"{self.text('weekdays', str(day.weekday()))}, {date}"

    def clock(self) -> str:
        """Return what time it is."""
        return self._dates.clock(self.now.time())

    def at(self, at: dt.datetime) -> str:
        """Return a day and a time of day, in the middle of a sentence."""
        return f"{self._day(at.date())} {self._dates.at(at.time())}"

    def said(self, words: str, told: str) -> str:
        """Return what is so in a time that is called as the user has called it."""
        return self.text("days", "on", when=f"{words[:1].lower()}{words[1:]}", told=told)

    def event(self, title: str, at: dt.time | None, place: str) -> str:
        """Return what is in a calendar, at what time if it has one, and where."""
        event = f"{title} {self._dates.at(at)}" if at else title
        return f"{event} ({place})" if place else event

    def nothing_ahead(self, words: str, *, more: bool) -> str:
        """Return that nothing, or nothing more, is in the calendar in a time."""
        nothing = self.text("events", "no_more" if more else "none")
        return self.said(words, nothing) if words else nothing

    def and_more(self, text: str, count: int) -> str:
        """Return a text, and how many more there are than it tells."""
        if count <= 0:
            return text
        more = self.language.confirmations["names"]["more"].format(count=count)
        return f"{text}. {more}"

    def outlook(self, state: str, degrees: str, chance: float | None, rain: str) -> str:
        """Return what the weather will be: what is known of it."""
        parts = [self.lowered(state)] if state else []
        parts += [degrees] if degrees else []
        if chance is not None:
            parts.append(self.text("forecast", "chance", chance=self.number(chance, "%")))
        return ", ".join([*parts, *([rain] if rain else ())])

    def range(self, low: float | None, high: float, unit: str) -> str:
        """Return from how many degrees to how many."""
        shown = self.number(high, unit)
        if low is None or round(low) == round(high):
            return shown
        return self.text("forecast", "range", low=self.number(low, ""), high=shown)

    def all_shown(self, entities: Iterable[Exposed]) -> str:
        """Return names with what the entities show now."""
        return self.states((each.names[0], self.shown(each)) for each in entities)

    def shown(self, entity: Exposed) -> str:
        """Return what an entity shows now: its state, and the number or title that belongs to it."""
        if (state := self.hass.states.get(entity.entity_id)) is None:
            return self.state(entity, "")
        said = self.state(entity, state.state)
        if state.domain == "sensor":
            number = finite(state.state)
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
        """Return what a player plays, and by whom; empty where it does not say."""
        state = self.hass.states.get(entity.entity_id)
        if state is None or state.state not in ("buffering", "paused", "playing"):
            return ""
        titles = (state.attributes.get(each) for each in ("media_title", "media_artist"))
        return ", ".join(str(each) for each in titles if each)

    def state(self, entity: Exposed, state: str) -> str:
        """Return a state as it stands in a sentence."""
        if state in ("unavailable", "unknown", ""):
            return self.text("states", "unknown")
        return self.things.state(entity, state)

    def lowered(self, state: str) -> str:
        """Return a state in the middle of a sentence."""
        return self.text("states", "state", state=state, lower=state.lower())

    def number(self, value: float, unit: str) -> str:
        """Return a number with its unit, of one decimal at most unless it is small."""
        rounded = round(value, 1 if abs(value) >= 1 else 3)
        text = f"{rounded:g}" if abs(rounded) < 1e6 else f"{rounded:.0f}"
        decimal = self.language.planned.get("when", {}).get("decimal", ".")
        gap = "" if unit == "%" and self._code == "en" else " "
        return f"{text.replace('.', decimal)}{gap}{unit}".strip()

    def _day(self, day: dt.date) -> str:
        told = self._dates.past_day if day < self._today else self._dates.day
        return told(day, self._today) or self.text("days", "today")

    @property
    def _today(self) -> dt.date:
        return self.now.date()

    @property
    def _dates(self) -> Dates:
        return Dates(self.language.planned)

    @property
    def _code(self) -> str:
        return self.language.code

    def _all(self, names: Sequence[str]) -> str:
        return joined(self._code, names, _MOST)

    def text(self, table: str, key: str, **slots: object) -> str:
        """Return one of the language's texts of `answers`."""
        texts: Mapping[str, str] = self.language.answers.get(table, {})
        return texts[key].format(**slots)


def finite(text: str) -> float | None:
    """Return the number that a state is; None where it is none."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def begun(text: str) -> str:
    """Return a text as a sentence begins."""
    return f"{text[:1].upper()}{text[1:]}"


def _by_state(shown: Iterable[tuple[str, str]]) -> Mapping[str, Sequence[str]]:
    by_state: dict[str, list[str]] = {}
    for name, state in shown:
        by_state.setdefault(state, []).append(name)
    return by_state


def _lower(state: str) -> str:
    """Return a state in the middle of a sentence; a number keeps its unit as it is written."""
    return state if any(map(str.isdigit, state)) else state.lower()
