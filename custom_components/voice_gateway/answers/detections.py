"""Answers about activity and detections: heating, charging, leaks, smoke, updates, presence."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from homeassistant.const import STATE_OFF, STATE_ON

from ..home.exposed import Exposed
from ..home.state_semantics import state_means
from ..names.matching import words
from .handler import QuestionHandler, agreed
from .query import Query, QueryType
from .token_consumer import TokenConsumer

_MOST: Final = 8
_ACTION: Final = "hvac_action"
_PEOPLE: Final = ("occupancy", "presence")


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of detection: its entities, and their states."""

    domain: str
    device_class: str = ""
    states: frozenset[str] = frozenset((STATE_ON,))
    is_of_place: bool = False
    """Whether one detecting sensor is enough: there is smoke."""
    is_listed: bool = False
    """Whether the answer lists or counts the matching entities: updates."""

    def fits(self, entity: Exposed) -> bool:
        """Return True if an entity can detect it."""
        is_of_class = self.is_listed or (entity.device_class or "") == self.device_class
        return entity.domain == self.domain and is_of_class


_KINDS: Final[Mapping[str, _Kind]] = {
    "is_heating": _Kind("climate", states=frozenset(("heating", "preheating"))),
    "is_cooling": _Kind("climate", states=frozenset(("cooling",))),
    "is_charging": _Kind("binary_sensor", "battery_charging"),
    "leak": _Kind("binary_sensor", "moisture", is_of_place=True),
    "smoke": _Kind("binary_sensor", "smoke", is_of_place=True),
    "updates": _Kind("update", is_listed=True),
}
"""The kinds, by their lists in `languages/`."""


class DetectionHandler(QuestionHandler):
    """Answers questions about heating, cooling, charging, leaks, smoke and pending updates.

    A thermostat's activity is the action that it reports, not its mode.
    """

    types = (QueryType.HOW_MANY, QueryType.WHETHER, QueryType.WHICH)

    def answer(self, query: Query) -> str | None:
        """Return the states of the entities that can detect it: all, of a place, or named ones."""
        said = TokenConsumer(query.words)
        found = [name for name in _KINDS if said.says(name)]
        if len(found) != 1:
            return None
        kind = _KINDS[found[0]]
        if not kind.is_of_place and TokenConsumer(said.subject).says("on", "off"):
            return None  # "Is the heating on?" is about a state.
        said.says("some", "detected", *(("available",) if kind.is_listed else ()))
        if not said.left:
            entities: Sequence[Exposed] = [*filter(kind.fits, self._home.entities)]
        elif areas := self._things.areas(said.subject):
            entities = self._things.inside(areas, kind.fits)
        else:
            entities = self._things.link(said.subject, kind.fits, several=True)
        shown = {each: self._is_so(kind, each) for each in entities}
        so = [each for each, is_so in shown.items() if is_so]
        if shown and kind.is_listed:
            return self._listed(query.type, so)
        if not 0 < len(shown) <= _MOST or query.type is not QueryType.WHETHER:
            return None
        is_so = True if so and kind.is_of_place else agreed(shown.values())
        told = self._phrasing.states(
            (each.names[0], self._told(each)) for each in (so if kind.is_of_place and so else shown)
        )
        return self._phrasing.yes(is_so, told)

    def _is_so(self, kind: _Kind, entity: Exposed) -> bool | None:
        shown = self._shown(entity)
        if entity.domain != "climate" and shown not in (STATE_ON, STATE_OFF):
            return None
        return shown in kind.states if shown else None

    def _told(self, entity: Exposed) -> str:
        if entity.domain == "climate" and (shown := self._shown(entity)):
            return self._things.attribute(entity, _ACTION, shown)
        return self._phrasing.shown(entity)

    def _shown(self, entity: Exposed) -> str | None:
        state = self._state(entity)
        if state is None or state.domain != "climate":
            return state.state if state else None
        # A thermostat that is off has no activity, even if it reports none.
        action = state.attributes.get(_ACTION)
        return str(action) if action else STATE_OFF if state.state == STATE_OFF else None


class PresenceHandler(QuestionHandler):
    """Answers whether a person is present in an area, by its sensors.

    - Person entities follow phones, which are not located in rooms.
    - Motion is reported without yes or no: it may be a cat, or a person may sit still.
    - An occupancy sensor may detect cars: it counts for people if its name mentions them, or
      nothing but the place.
    """

    types = (QueryType.WHETHER,)

    def answer(self, query: Query) -> str | None:
        """Return the states of an area's presence sensors, with yes or no if these are certain."""
        said = TokenConsumer(query.words)
        if not said.says("anybody") or not said.left:
            return None
        areas = self._things.areas(" ".join(said.left))
        sensors = [
            each
            for each in self._of_domain("binary_sensor")
            if each.area in areas and each.device_class in (*_PEOPLE, "motion")
        ]
        if not 0 < len(sensors) <= _MOST:
            return None
        seeing = [each for each in sensors if self._sees_people(each)]
        states = {each: self._state(each) for each in sensors}
        shown = {each: state_means(state, "on") for each, state in states.items() if state}
        # On a floor, not every room needs to have a sensor.
        is_empty = len(areas) == 1 and all(shown.get(each) is False for each in sensors)
        is_so = True if any(shown.get(each) for each in seeing) else None
        if seeing and is_empty:
            is_so = False
        return self._phrasing.yes(is_so, self._phrasing.all_shown(sensors))

    def _sees_people(self, sensor: Exposed) -> bool:
        area = self._home.areas.get(sensor.area)
        places = (
            {word for name in (area.name, *area.aliases) for word in words(name)} if area else set()
        )
        for name in sensor.names if sensor.device_class in _PEOPLE else ():
            said = self._read(name)
            is_of_people = said.says("anybody", "people")
            said.says("people_sensors")
            # The rest of the name may only be the place.
            if is_of_people or places.issuperset(said.left):
                return True
        return False
