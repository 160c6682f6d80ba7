"""Whether somebody is in a room, or out in the garden, as far as sensors there notice people."""

from collections.abc import Sequence

from ..home.exposed import Exposed
from ..names.matching import words
from ..nlu.state_semantics import state_means
from .handler import QuestionHandler
from .question import HomeQuestion, QuestionType
from .token_consumer import TokenConsumer

_DOMAIN = "binary_sensor"
_PEOPLE = ("occupancy", "presence")
_MOTION = ("motion",)
_MOST = 8


class PresenceHandler(QuestionHandler):
    """Answers whether somebody is there, by what notices people in an area.

    - Who lives here is where they are by their phones: that says nothing of a room.
    - What notices motion is told, with no yes and no no: it may be a cat, or somebody who sits still.
    - A sensor of occupancy may be that of cars: it tells of people where it is called so, or where its
      name says nothing else.
    """

    def answer(self, question: HomeQuestion) -> str | None:
        """Return the answer to one way to understand a question; None where it is about more."""
        if question.form is not QuestionType.WHETHER:
            return None
        said = TokenConsumer(question.words)
        if not said.says("anybody") or not said.left:
            return None
        areas = self._things.areas(" ".join(said.left))
        sensors = [
            each
            for each in self._home.entities
            if each.domain == _DOMAIN
            and each.area in areas
            and each.device_class in (*_PEOPLE, *_MOTION)
        ]
        if not 0 < len(sensors) <= _MOST:
            return None
        told = self._phrasing.all_shown(sensors)
        is_so = self._is_so(sensors)
        if is_so is False and len(areas) > 1:
            is_so = None  # Of a floor, not every room need have a sensor.
        return told if is_so is None else self._phrasing.yes(is_so, told)

    def _is_so(self, sensors: Sequence[Exposed]) -> bool | None:
        """Return True if people are there; None where nothing surely tells of them."""
        shown = {each: self._notices(each) for each in sensors}
        if any(shown[each] for each in sensors if self._sees_people(each)):
            return True
        is_seen = any(self._sees_people(each) for each in sensors)
        return False if is_seen and all(each is False for each in shown.values()) else None

    def _notices(self, sensor: Exposed) -> bool | None:
        state = self._state(sensor)
        return state_means(state, "on") if state else None

    def _sees_people(self, sensor: Exposed) -> bool:
        if sensor.device_class not in _PEOPLE:
            return False
        for name in sensor.names:
            said = self._read(name)
            if said.says("anybody", "people"):
                return True
            said.says("people_sensors")
            # What is left is where it is, or what it is called by its kind.
            if self._is_known(said.left, sensor):
                return True
        return False

    def _is_known(self, left: Sequence[str], sensor: Exposed) -> bool:
        area = self._home.areas.get(sensor.area)
        names = [area.name, *area.aliases] if area else []
        known = {word for name in names for word in words(name)}
        return {*left} <= known
