"""What devices do or notice that no word of commands means: heating, a leak, somebody there, updates."""

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

_MOST = 8
_CHARGED: Final = ("lawn_mower", "vacuum")
"""What charges in its dock, without saying so: its state is told, with no yes and no no."""
_ACTION = "hvac_action"
_PEOPLE: Final = ("occupancy", "presence")


@dataclass(frozen=True, slots=True)
class _Kind:
    """What shows it, and by which of its states."""

    domain: str
    device_class: str = ""
    states: frozenset[str] = frozenset((STATE_ON,))
    is_of_place: bool = False
    """Whether one sensor that notices it is enough: there is smoke."""
    is_listed: bool = False
    """Whether those of which it is so are told by their names, or counted: updates."""


_KINDS: Final[Mapping[str, _Kind]] = {
    "is_heating": _Kind("climate", states=frozenset(("heating", "preheating"))),
    "is_cooling": _Kind("climate", states=frozenset(("cooling",))),
    "is_charging": _Kind("binary_sensor", "battery_charging"),
    "leak": _Kind("binary_sensor", "moisture", is_of_place=True),
    "smoke": _Kind("binary_sensor", "smoke", is_of_place=True),
    "updates": _Kind("update", is_listed=True),
}
"""By their lists in `languages/`."""


class DetectionHandler(QuestionHandler):
    """Answers whether something heats, cools or charges, whether there is a leak or smoke, and which updates wait.

    What a thermostat does is what it says that it does, and not to what it is set.
    """

    def answer(self, query: Query) -> str | None:
        """Return the answer to one way to understand a question; None where it is about more."""
        if query.type not in (QueryType.HOW_MANY, QueryType.WHETHER, QueryType.WHICH):
            return None
        said = TokenConsumer(query.words)
        found = [name for name in _KINDS if said.says(name)]
        if len(found) != 1:
            return None
        kind = _KINDS[found[0]]
        if not kind.is_of_place and TokenConsumer(said.subject).says("on", "off"):
            return None  # "Is the heating on?"
        said.says("some", "detected", *(("available",) if kind.is_listed else ()))
        entities = self._meant(kind, said)
        shown = {each: self._is_so(kind, each) for each in entities}
        so = [each for each, is_so in shown.items() if is_so]
        if shown and kind.is_listed:
            return self._listed(query.type, so)
        if not 0 < len(shown) <= _MOST or query.type is QueryType.HOW_MANY:
            return None
        if query.type is QueryType.WHICH:
            return None if None in shown.values() else self._listed(query.type, so)
        told = self._phrasing.states(
            (each.names[0], self._told(each)) for each in (so if kind.is_of_place and so else shown)
        )
        is_so = True if so and kind.is_of_place else agreed(shown.values())
        return self._phrasing.yes(is_so, told)

    def _meant(self, kind: _Kind, said: TokenConsumer) -> Sequence[Exposed]:
        """Return what is asked about: all that can show it, that of a place, or what is named."""

        def fits(entity: Exposed) -> bool:
            is_of_class = kind.is_listed or (entity.device_class or "") == kind.device_class
            return entity.domain == kind.domain and is_of_class

        if not said.left:
            return [*filter(fits, self._home.entities)]
        if areas := self._things.areas(said.subject):
            return self._things.inside(areas, fits)
        if found := self._things.link(said.subject, fits, several=True):
            return found
        # "Robo Charging" tells it of Robo, whom somebody calls the vacuum.
        named = self._things.link(said.subject, lambda each: not fits(each))
        if len(named) != 1:
            return ()
        (device,) = named
        own = {*words(device.names[0])}
        sensors = [*filter(fits, self._home.entities)]
        return [each for each in sensors if any(own <= {*words(name)} for name in each.names)] or (
            [device] if device.domain in _CHARGED and kind is _KINDS["is_charging"] else []
        )

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
        if state is None:
            return None
        if state.domain != "climate":
            return state.state
        # One that is off does nothing, also where it does not say what it does.
        action = state.attributes.get(_ACTION)
        return str(action) if action else STATE_OFF if state.state == STATE_OFF else None


class PresenceHandler(QuestionHandler):
    """Answers whether somebody is there, by what notices people in an area.

    - Who lives here is where they are by their phones: that says nothing of a room.
    - What notices motion is told, with no yes and no no: it may be a cat, or somebody who sits still.
    - A sensor of occupancy may be that of cars: it tells of people where it is called so, or where its
      name says nothing else.
    """

    def answer(self, query: Query) -> str | None:
        """Return the answer to one way to understand a question; None where it is about more."""
        if query.type is not QueryType.WHETHER:
            return None
        said = TokenConsumer(query.words)
        if not said.says("anybody") or not said.left:
            return None
        areas = self._things.areas(" ".join(said.left))
        sensors = self._things.inside(
            areas,
            lambda each: (
                each.domain == "binary_sensor" and each.device_class in (*_PEOPLE, "motion")
            ),
        )
        if not 0 < len(sensors) <= _MOST:
            return None
        told = self._phrasing.all_shown(sensors)
        is_so = self._is_so(sensors)
        if is_so is False and len(areas) > 1:
            is_so = None  # Of a floor, not every room need have a sensor.
        return self._phrasing.yes(is_so, told)

    def _is_so(self, sensors: Sequence[Exposed]) -> bool | None:
        """Return True if people are there; None where nothing surely tells of them."""
        seeing = {each for each in sensors if self._sees_people(each)}
        states = {each: self._state(each) for each in sensors}
        shown = {each: state_means(state, "on") for each, state in states.items() if state}
        if any(shown.get(each) for each in seeing):
            return True
        is_empty = all(shown.get(each) is False for each in sensors)
        return False if seeing and is_empty else None

    def _sees_people(self, sensor: Exposed) -> bool:
        if sensor.device_class not in _PEOPLE:
            return False
        for name in sensor.names:
            said = self._read(name)
            if said.says("anybody", "people"):
                return True
            said.says("people_sensors")
            area = self._home.areas.get(sensor.area)
            places = [area.name, *area.aliases] if area else []
            # What is left is where it is, or what it is called by its kind.
            if {*said.left} <= {word for place in places for word in words(place)}:
                return True
        return False
