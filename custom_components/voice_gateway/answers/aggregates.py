"""What is reckoned of several values: the warmest room, the average, the total."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ..home.exposed import Exposed
from .handler import QuestionHandler
from .question import HomeQuestion, QuestionType
from .token_consumer import TokenConsumer, is_of_thing

_SINGLE: Final = {
    "warmest": ("highest", "temperature"),
    "coldest": ("lowest", "temperature"),
    "most_humid": ("highest", "humidity"),
    "driest": ("lowest", "humidity"),
    "average_temperature": ("average", "temperature"),
}
"""Words that say at once what is reckoned, and of what."""
_HOW: Final = ("highest", "lowest", "average", "total")
_OF_ROOMS: Final = ("humidity", "temperature")
"""What is asked of rooms: what is outdoors, or in none, does not count."""
_ADDED: Final = ("power", "energy", "water", "gas")
"""What may be added up."""
_OTHERS: Final = ("battery",)


@dataclass(frozen=True, slots=True)
class _Value:
    entity: Exposed
    value: float
    unit: str


class AggregateHandler(QuestionHandler):
    """Answers where a value is highest, and what it is on average or in total.

    Only values of one unit are compared, averaged or added, and none where one is missing: then
    nobody knows.
    """

    def answer(self, question: HomeQuestion) -> str | None:
        """Return the answer to one way to understand a question; None where nothing is certain."""
        if question.form not in (
            QuestionType.WHICH,
            QuestionType.WHERE,
            QuestionType.VALUE,
            QuestionType.WHETHER,
        ):
            return None
        said = TokenConsumer(question.words)
        asked = self._asked(said)
        if asked is None:
            return None
        how, quantity = asked
        said.says("measure", "rooms", "which", *(("devices",) if quantity in _OTHERS else ()))
        areas = self._things.areas(said.subject) if said.left else None
        if said.left and not areas:
            return None
        values = self._values(quantity, areas)
        if not values or len({each.unit for each in values}) != 1:
            return None
        return self._told(how, quantity, values)

    def of_rooms(self, quantity: str) -> Sequence[tuple[str, float, str]]:
        """Return the values of rooms with the rooms' names and units; none where one is not known."""
        return [
            (self._called(each.entity, quantity), each.value, each.unit)
            for each in self._values(quantity, None)
        ]

    def _asked(self, said: TokenConsumer) -> tuple[str, str] | None:
        """Return how something is reckoned, and of what; None where not one thing is."""
        found = [_SINGLE[each] for each in _SINGLE if said.says(each)]
        hows = [each for each in _HOW if said.says(each)]
        quantities = [each for each in (*_OF_ROOMS, *_OTHERS, *_ADDED) if said.says(each)]
        if len(found) == 1:
            ((how, quantity),) = found
            return (how, quantity) if {*hows} <= {how} and {*quantities} <= {quantity} else None
        if found or len(hows) != 1 or len(quantities) != 1:
            return None
        if hows[0] == "total" and quantities[0] not in _ADDED:
            return None
        return hows[0], quantities[0]

    def _values(self, quantity: str, areas: Iterable[str] | None) -> Sequence[_Value]:
        found = [
            (entity, each)
            for entity in self._measuring(quantity, areas)
            for each in self.measured(entity, quantity)
        ]
        if any(each.value is None for _, each in found):
            return ()
        return [_Value(entity, each.value or 0.0, each.unit) for entity, each in found]

    def _measuring(self, quantity: str, areas: Iterable[str] | None) -> Sequence[Exposed]:
        """Return what measures a quantity; of a room that says which of its own does, that one."""
        domains = ("climate", "sensor") if quantity in _OF_ROOMS else ("sensor",)
        entities = [each for each in self._home.entities if each.domain in domains]
        if areas is not None:
            entities = [each for each in entities if each.area in areas]
        if quantity not in _OF_ROOMS:
            return entities
        outdoors = self._things.outdoors(lambda each: each.domain in domains)
        own = {
            area.id: entity_id
            for area in self._home.areas.values()
            if (entity_id := getattr(area, f"{quantity}_entity_id", None))
        }
        return [
            each
            for each in entities
            if each.area and each not in outdoors and not self._is_no_room(each)
            if own.get(each.area, each.entity_id) == each.entity_id
        ]

    def _is_no_room(self, entity: Exposed) -> bool:
        """Return True if it is in an area outdoors, or in a thing that is colder or hotter: a fridge."""
        area = self._home.areas.get(entity.area)
        return self._read(area.name if area else "").says("places_outdoors") or (
            entity.domain != "climate"
            and is_of_thing(entity, self._home, self._phrasing.language.code)
        )

    def _told(self, how: str, quantity: str, values: Sequence[_Value]) -> str:
        numbers = [each.value for each in values]
        unit = values[0].unit
        if how in ("average", "total"):
            total = sum(numbers)
            value = total / len(numbers) if how == "average" else total
            return self._phrasing.text(
                "reckoned", how, value=self._phrasing.number(value, unit), count=len(numbers)
            )
        best = max(numbers) if how == "highest" else min(numbers)
        names = dict.fromkeys(
            self._called(each.entity, quantity) for each in values if each.value == best
        )
        return self._phrasing.values((name, self._phrasing.number(best, unit)) for name in names)

    def _called(self, entity: Exposed, quantity: str) -> str:
        area = self._home.areas.get(entity.area) if quantity in _OF_ROOMS else None
        return area.name if area else entity.names[0]
