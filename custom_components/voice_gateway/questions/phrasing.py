"""The sentences with which questions are answered."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from homeassistant.const import ATTR_UNIT_OF_MEASUREMENT
from homeassistant.core import HomeAssistant, State

from ..heard.shown import measured
from ..heard.things import Things
from ..home.exposed import Exposed
from ..languages import Language, joined

_MOST = 8
"""Names that are told one by one to who asks which."""


@dataclass(frozen=True, slots=True)
class Phrasing:
    """Puts what was found into a language's words."""

    language: Language
    things: Things

    def yes(self, is_so: bool, told: str = "") -> str:
        """Return "yes" or "no", with what is so."""
        key = ("yes" if is_so else "no") + ("_told" if told else "")
        return self._text("whether", key, told=told)

    def states(self, shown: Iterable[tuple[str, str]]) -> str:
        """Return names with their states or values; those that have the same, together."""
        told: list[str] = []
        for state, names in _by_state(shown).items():
            key = "many" if len(names) > 1 else "one"
            slots = {"names": self._all(names), "state": state, "lower": _lower(state)}
            told.append(self._text("states", key, **slots))
        return "; ".join(told)

    def values(self, shown: Iterable[tuple[str, str]]) -> str:
        """Return names with what they measure or are set to."""
        return "; ".join(
            self._text("states", "value", names=self._all(names), value=value)
            for value, names in _by_state(shown).items()
        )

    def names(self, names: Sequence[str]) -> str:
        """Return names, or that there are none."""
        return self._all(names) if names else self._text("states", "none")

    def count(self, names: Sequence[str]) -> str:
        """Return how many there are, and their names, if they are few."""
        if not names:
            return "0"
        count = str(len(names))
        if len(names) > _MOST:
            return count
        return self._text("states", "count", count=count, names=self._all(names))

    def items(self, name: str, items: Sequence[str]) -> str:
        """Return what is on a list."""
        if not items:
            return self._text("lists", "empty", name=name)
        return self._text("lists", "items", name=name, items=joined(self._code, items, len(items)))

    def shown(self, hass: HomeAssistant, entity: Exposed) -> str:
        """Return what an entity shows now: its state, and the number or title that belongs to it."""
        if (state := hass.states.get(entity.entity_id)) is None:
            return self.state(entity, "")
        said = self.state(entity, state.state)
        if state.domain == "sensor":
            return self._sensor(state) or said
        more = (
            self.number(each.value, each.unit)
            for each in measured(state, hass.config.units.temperature_unit)
            if each.value is not None
        )
        title = self.title(hass, entity)
        return ", ".join((said, *more, *([title] if title else ())))

    @staticmethod
    def title(hass: HomeAssistant, entity: Exposed) -> str:
        """Return what a player plays, and by whom; empty where it does not say."""
        state = hass.states.get(entity.entity_id)
        if state is None or state.state not in ("buffering", "paused", "playing"):
            return ""
        titles = (state.attributes.get(each) for each in ("media_title", "media_artist"))
        return ", ".join(str(each) for each in titles if each)

    def _sensor(self, state: State) -> str:
        unit = state.attributes.get(ATTR_UNIT_OF_MEASUREMENT) or ""
        try:
            return self.number(float(state.state), unit)
        except ValueError:
            return ""

    def state(self, entity: Exposed, state: str) -> str:
        """Return a state as it stands in a sentence."""
        if state in ("unavailable", "unknown", ""):
            return self._text("states", "unknown")
        return self.things.state(entity, state)

    def number(self, value: float, unit: str) -> str:
        """Return a number with its unit, of one decimal at most unless it is small."""
        rounded = round(value, 1 if abs(value) >= 1 else 3)
        text = f"{rounded:g}" if abs(rounded) < 1e6 else f"{rounded:.0f}"
        decimal = self.language.planned.get("when", {}).get("decimal", ".")
        gap = "" if unit == "%" and self._code == "en" else " "
        return f"{text.replace('.', decimal)}{gap}{unit}".strip()

    @property
    def _code(self) -> str:
        return self.language.code

    def _all(self, names: Sequence[str]) -> str:
        return joined(self._code, names, _MOST)

    def _text(self, table: str, key: str, **slots: str) -> str:
        texts: Mapping[str, str] = self.language.answers.get(table, {})
        return texts[key].format(**slots)


def _by_state(shown: Iterable[tuple[str, str]]) -> Mapping[str, Sequence[str]]:
    by_state: dict[str, list[str]] = {}
    for name, state in shown:
        by_state.setdefault(state, []).append(name)
    return by_state


def _lower(state: str) -> str:
    """Return a state in the middle of a sentence; a number keeps its unit as it is written."""
    return state if any(map(str.isdigit, state)) else state.lower()
