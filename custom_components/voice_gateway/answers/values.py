"""Answers about measured values and setpoints."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from ..home.exposed import Exposed
from ..home.state_semantics import HEATING, SET, TARGET
from ..names.matching import words
from ..nlu.tokenizer import NOTHING, Text
from .handler import QuestionHandler, agreed
from .query import Query, QueryType
from .token_consumer import TokenConsumer, is_of_thing

_MOST = 4
"""Maximum number of values in an answer."""
_WARMTH = "temperature"
_OF_ROOMS = ("carbon_dioxide", "humidity", _WARMTH)
"""Quantities of rooms: without a sensor in the room, they are unknown."""
_PLACES = {"here": "conditions.here", "outside": "conditions.outside", "inside": "questions.inside"}
"""Lists of words for places that are not areas."""
_BATTERY = "battery"
_LOW = 20.0
"""Percentage of a low battery, from Home Assistant's own blueprint."""
_OF_VALUES = (
    QueryType.SHOWN,
    QueryType.STATE,
    QueryType.VALUE,
    QueryType.WHETHER,
    QueryType.WHICH,
)
"""Types of questions whose words may ask for a value: "how warm is it", "what brightness"."""


@dataclass(frozen=True, slots=True)
class QuantityQuery:
    """A question for a quantity, with its subject."""

    quantity: str
    """The quantity, as a sensor's device class."""
    subject: Text
    place: str
    """One of `_PLACES`; empty without one."""
    is_low: bool


class ValuesHandler(QuestionHandler):
    """Answers how warm, how bright, or how full an entity or a place is.

    An answer is the value of an exposed entity; an unknown value is reported as unknown.
    """

    def answer(self, query: Query) -> str | None:
        """Return the value that the question asks for, or the low batteries."""
        asked = self.quantity(query.words)
        if asked and asked.is_low and not asked.subject:
            return self._low(asked, query.type)
        if query.type not in _OF_VALUES:
            return None
        return (self._value(asked) if asked else None) or self._of_two(query.words)

    def _of_two(self, text: Text) -> str | None:
        """Return the values of two quantities: "the humidity and the temperature"."""
        said = TokenConsumer(text)
        spans = [each for each in self._quantities(said) if each[1] != TARGET]
        for (first, one), (second, other) in product(spans, spans):
            between = {said.line.tokens[at].text for at in range(max(first) + 1, min(second))}
            if one == other or max(first) >= min(second) or between - self._fillers:
                continue
            asked = [self.quantity(said.part(said.whole - each)) for each in (second, first)]
            values = [self._value(each) for each in asked if each]
            return None if len(values) < 2 or None in values else "; ".join(filter(None, values))
        return None

    def quantity(self, text: Text) -> QuantityQuery | None:
        """Return the quantity with the longest phrase in some words; None if it is ambiguous."""
        said = TokenConsumer(text)
        if not (spans := [*self._quantities(said)]) and (parts := self._parts(text)):
            said = TokenConsumer(parts)
            spans = [*self._quantities(said)]
        named = {quantity for _, quantity in spans}
        if named & {*SET} - {TARGET}:
            # "What is the volume set to?"
            spans = [each for each in spans if each[1] != TARGET]
        elif TARGET in named:
            # "To what temperature is the thermostat set?" asks for the setpoint.
            spans = [(span, TARGET if each == _WARMTH else each) for span, each in spans]
        if not spans and (percentage := said.tokens("percentage")):
            spans = [(percentage, _BATTERY)]
        longest = max((len(span) for span, _ in spans), default=0)
        quantity = agreed(quantity for span, quantity in spans if len(span) == longest)
        if quantity is None:
            return None
        gone = said.tokens("conditions.is", "measure", "much_or_little")
        gone = gone.union(*(span for span, each in spans if each == quantity))
        low = said.tokens("low")
        if low:
            # "Is any battery low?"
            gone |= said.tokens("conditions.some", "devices")
        places = {place: said.tokens(list_) for place, list_ in _PLACES.items()}
        subject = said.part(said.whole - gone.union(low, *places.values()))
        place = next((place for place, tokens in places.items() if tokens), "")
        return QuantityQuery(quantity, self._content(subject), place, is_low=bool(low))

    def _content(self, subject: Text) -> Text:
        """Return some words; nothing if they are all function words."""
        return NOTHING if {*subject.words} <= self._fillers else subject

    def _quantities(self, said: TokenConsumer) -> Iterator[tuple[set[int], str]]:
        """Yield the phrases for quantities, in the language's words or in Home Assistant's."""
        for quantity in said.names("quantities"):
            yield from ((span, quantity) for span, _ in said.matches(f"quantities.{quantity}"))
        yield from ((span, _WARMTH) for span, _ in said.matches("warm"))
        classes = {each.device_class for each in self._home.entities if each.domain == "sensor"}
        for quantity in sorted(filter(None, classes)):
            if name := self._things.quantity(quantity):
                yield from ((span, quantity) for span in said.places(name))

    def _parts(self, text: Text) -> Text | None:
        """Return words with compounds of a room and a quantity split: "Küchentemperatur"."""
        rooms = {"".join(words(each.name)) for each in self._home.areas.values()}
        parts = [
            (word, f"{room} {word.removeprefix(room)}")
            for word in text.words
            for room in rooms
            if word.startswith(room) and [*self._quantities(self._read(word.removeprefix(room)))]
        ]
        return text.alike(text.casefold().replace(*parts[0])) if len(parts) == 1 else None

    def _value(self, asked: QuantityQuery) -> str | None:
        found, place = self.entities(asked)
        if not found and (unknown := self._unmeasured(asked)):
            return self._phrasing.values([(unknown, self._phrasing.text("states", "unknown"))])
        values = [
            (each.names[0], text) for each in found if (text := self._shown(each, asked.quantity))
        ]
        texts = {text for _, text in values}
        if place and len(texts) == 1:
            return self._phrasing.values([(place, text) for text in texts])
        return self._phrasing.values(values) if 0 < len(values) <= _MOST else None

    def _unmeasured(self, asked: QuantityQuery) -> str:
        """Return the name of the one room in the question, if it has no sensor of the quantity.

        Outdoor places are excluded, as the weather may answer for them. Also the name of a heater
        without a setpoint.
        """
        if asked.quantity == TARGET:
            heaters = self._things.link(asked.subject, self._of_domain(*HEATING).__contains__)
            return heaters[0].names[0] if len(heaters) == 1 else ""
        rooms = self._things.areas(asked.subject) if asked.quantity in _OF_ROOMS else ()
        if len(rooms) != 1 or asked.place:
            return ""
        name = self._home.areas[min(rooms)].name
        is_outdoors = TokenConsumer(asked.subject.alike(name)).says("places_outdoors")
        return "" if is_outdoors else name

    def measuring(self, quantity: str) -> Sequence[Exposed]:
        """Return the entities with a value; a low-battery sensor only beside no percentage."""
        found = [each for each in self._home.entities if self._shown(each, quantity) is not None]
        numeric = {(each.names[0], each.area) for each in found if each.domain == "sensor"}
        return [
            each
            for each in found
            if each.domain != "binary_sensor" or (each.names[0], each.area) not in numeric
        ]

    def entities(self, asked: QuantityQuery) -> tuple[Sequence[Exposed], str]:
        """Return the entities with the value, and the name of their place if all are in one."""
        things, subject = self._things, asked.subject
        measuring = self.measuring(asked.quantity)
        fits = {*measuring}.__contains__
        here = frozenset(filter(None, (self._speaker_area,)))
        if asked.place == "outside":
            return () if subject else things.outdoors(fits), ""
        if asked.place == "here" and subject:
            return [each for each in things.link(subject, fits) if each.area in here], ""
        areas = things.areas(subject) if subject else here
        if found := self._inside(areas, asked.quantity, measuring):
            # The hot tub's temperature is not that of the deck.
            is_room = len(areas) == 1 and not self._are_of_things(found, asked.quantity)
            return found, self._home.areas[min(areas)].name if is_room else ""
        if not subject:
            outdoors = things.outdoors(fits) if asked.place == "inside" else ()
            return [
                each for each in measuring if asked.place != "here" and each not in outdoors
            ], ""
        found = things.link(subject, fits)
        if not found and asked.quantity in SET:
            of_kind = self._of_kind(subject, fits)
            found = of_kind if len(of_kind) == 1 else ()
        elif not found and asked.quantity == _BATTERY:
            # "The battery of the blinds" is a sensor that is named after them.
            owners = tuple(each.names[0] for each in self._of_kind(subject, lambda _: True))
            found = [each for each in measuring if owners and each.names[0].startswith(owners)]
        return found, ""

    def _inside(
        self, areas: Collection[str], quantity: str, measuring: Iterable[Exposed]
    ) -> Sequence[Exposed]:
        """Return the sensors in some areas; the areas' configured ones, if there are any."""
        found = [each for each in measuring if each.area in areas]
        own = {getattr(self._home.areas.get(each), f"{quantity}_entity_id", None) for each in areas}
        if chosen := [each for each in found if each.entity_id in own]:
            return chosen
        if quantity != _WARMTH:
            return found
        return [each for each in found if not self._is_of_thing(each)] or found

    def _are_of_things(self, found: Sequence[Exposed], quantity: str) -> bool:
        return quantity == _WARMTH and all(map(self._is_of_thing, found))

    def _is_of_thing(self, entity: Exposed) -> bool:
        """Return True if it measures the temperature of a thing, such as a fridge, not the room."""
        area = self._home.areas.get(entity.area)
        place, code = area.name if area else "", self._phrasing.language.code
        return entity.domain == "sensor" and any(
            is_of_thing(name, place, code) for name in entity.names
        )

    def _shown(self, entity: Exposed, quantity: str) -> str | None:
        """Return an entity's value of a quantity in words; None if it has none."""
        if measured := self.measured(entity, quantity):
            low, *_, high = (measured[0], *measured)
            if low.value is None or high.value is None:
                return self._phrasing.text("states", "unknown")
            return self._phrasing.range(low.value, high.value, high.unit)
        state = self._state(entity)
        is_battery = quantity == _BATTERY == entity.device_class
        if state and is_battery and entity.domain == "binary_sensor":
            return self._phrasing.state(entity, state.state)
        return None

    def _low(self, asked: QuantityQuery, form: QueryType) -> str | None:
        if asked.quantity != _BATTERY or asked.place:
            return None
        batteries = self.measuring(_BATTERY)
        return self._listed(form, [*filter(self._is_low, batteries)]) if batteries else None

    def _is_low(self, entity: Exposed) -> bool:
        if entity.domain == "binary_sensor":
            return self._hass.states.is_state(entity.entity_id, "on")
        found = self.measured(entity, _BATTERY)
        return any(each.value is not None and each.value <= _LOW for each in found)
