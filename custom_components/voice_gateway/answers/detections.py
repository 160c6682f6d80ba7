"""Answers about activity and detections: heating, charging, leaks, smoke, updates, presence."""

from typing import Final

from ..home.exposed import Exposed
from ..home.state_semantics import state_means
from ..names.matching import words
from ..nlu.conditions import StateQuery
from ..nlu.tokenizer import NOTHING
from .handler import QuestionHandler
from .query import Query, QueryType
from .states import MOST, StatesHandler
from .token_consumer import TokenConsumer

_DETECTED: Final = ("is_heating", "is_cooling", "is_charging", "leak", "smoke", "updates")
"""Meanings of states, as lists in `languages/`."""
_OF_PLACES: Final = ("leak", "smoke")
"""One detecting sensor is enough: there is smoke."""
_LISTED: Final = "updates"
_PEOPLE: Final = ("occupancy", "presence")


class DetectionHandler(StatesHandler):
    """Answers questions about heating, cooling, charging, leaks, smoke and pending updates.

    A thermostat's activity is the action that it reports, not its mode.
    """

    types = (QueryType.HOW_MANY, QueryType.WHETHER, QueryType.WHICH)

    def answer(self, query: Query) -> str | None:
        """Return the states of the entities that can detect it: all, of a place, or named ones."""
        said = TokenConsumer(query.words)
        found = [each for each in _DETECTED if said.says(each)]
        if len(found) != 1:
            return None
        (meaning,) = found
        if meaning not in _OF_PLACES and TokenConsumer(said.subject).says("on", "off"):
            return None  # "Is the heating on?" is about a state.
        said.says("some", "detected", *(("available",) if meaning == _LISTED else ()))
        subject = said.subject if said.left else NOTHING
        shown = self.shown(StateQuery(meaning, subject=subject), several=True)
        if meaning == _LISTED:
            so = [each.entity for each in shown.so]
            return self._listed(query.type, so) if any(shown) else None
        if query.type is not QueryType.WHETHER or not any(shown):
            return None
        return self._yes(shown, is_any=meaning in _OF_PLACES)


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
        if not 0 < len(sensors) <= MOST:
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
