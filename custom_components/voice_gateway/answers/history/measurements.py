"""How warm it was, and how much was used."""

from collections.abc import Sequence
from typing import Final

from homeassistant.components.sensor import ATTR_STATE_CLASS, SensorStateClass
from homeassistant.const import ATTR_UNIT_OF_MEASUREMENT
from homeassistant.core import State

from ...home.exposed import Exposed
from ...home.state_semantics import SET, values_of
from ...names.matching import words
from ...nlu.tokenizer import Text
from ..compiler import METERED
from ..handler import agreed
from ..intervals import Interval
from ..phrasing import finite
from ..query import RECKONED, SINGLE, Query, QueryType
from ..token_consumer import TokenConsumer
from ..values import QuantityQuery, ValuesHandler, most_telling
from .handler import HistoryHandler
from .series import Consumption, Numbers, Value

_MOST: Final = 4
"""Entities that are told one by one."""
_COUNTING: Final = (SensorStateClass.TOTAL, SensorStateClass.TOTAL_INCREASING)


class MeasurementHistory(HistoryHandler):
    """Answers how warm, how humid it was: at a moment, or the lowest, the highest and the mean.

    An answer is of exposed entities alone, names them, and says where nothing is recorded.
    """

    async def async_told(self, query: Query) -> str | None:
        """Return the answer to a question; None where nothing is certain."""
        if query.type is QueryType.USED:
            return await self._async_used(query)
        if query.type is not QueryType.WAS or (span := query.span) is None:
            return None
        asked = self._quantity(query)
        if asked is None:
            named = self._named(query)
            return await self._async_measured(named, span, query.reckoned) if named else None
        if asked.is_low or asked.quantity in SET:
            return None
        shown = asked.quantity
        entities = [each for each in self._entities(asked) if self.measured(each, shown)]
        if not 0 < len(entities) <= _MOST:
            return None
        told = [await self._async_told(each, shown, span, query.reckoned) for each in entities]
        return "; ".join(told)

    async def async_summary(self, entity: Exposed, span: Interval) -> str | None:
        """Return what a sensor measured or counted in a time; None of what shows no number."""
        if self._counts(entity) and not span.is_point:
            return self._told_used(entity, span, await self._async_used_of(entity, span))
        return await self._async_measured(entity, span, "")

    async def _async_measured(self, entity: Exposed, span: Interval, reckoned: str) -> str | None:
        quantity = entity.device_class or ""
        if entity.domain != "sensor" or not self.measured(entity, quantity):
            return None
        return await self._async_told(entity, quantity, span, reckoned)

    def _named(self, query: Query) -> Exposed | None:
        """Return the one sensor whose whole name is said: "Außentemperatur"."""
        said = TokenConsumer(query.words)
        said.says("value", *RECKONED)
        spoken = {*said.subject.words}
        found = [
            each
            for each in self._things.link(said.subject, lambda each: each.domain == "sensor")
            if any({*words(name)} <= spoken for name in each.names)
        ]
        return found[0] if len(found) == 1 and not self._counts(found[0]) else None

    def _quantity(self, query: Query) -> QuantityQuery | None:
        said = TokenConsumer(query.words)
        said.says("value")
        if query.reckoned:
            said.says(*RECKONED)
        # "The coldest" and "average temperature" say of what it is, too.
        named = [quantity for name, (_, quantity) in SINGLE.items() if said.says(name)]
        subject = said.subject.alike(
            " ".join((*map(self._things.quantity, named[:1]), said.subject))
        )
        values = ValuesHandler(self._view)
        # "How warm" may begin with the words of any value: "how much".
        return values.quantity(subject) or values.quantity(query.words)

    def _entities(self, asked: QuantityQuery) -> Sequence[Exposed]:
        meant, _ = ValuesHandler(self._view).entities(asked)
        if asked.subject or asked.place:
            return most_telling(meant)
        # "How warm was it": outdoors, or where the speaker is.
        outdoors = self._things.outdoors(lambda each: bool(self.measured(each, asked.quantity)))
        found = dict.fromkeys((*outdoors, *(meant if self._speaker_area else ())))
        return most_telling([*found] or meant)

    async def _async_told(
        self, entity: Exposed, quantity: str, span: Interval, reckoned: str
    ) -> str:
        unit = next((each.unit for each in self.measured(entity, quantity)), "")
        value = self._value(entity, quantity, unit)
        in_attributes = entity.domain != "sensor"
        if span.is_point:
            number = await self._recorded.async_number(
                entity.entity_id, span.start, value, in_attributes=in_attributes
            )
            told = self._number(*number, unit) if number else ""
        else:
            numbers = await self._recorded.async_numbers(
                entity.entity_id, span.start, span.end, value, in_attributes=in_attributes
            )
            told = self._reckoned(numbers, span, reckoned, unit) if numbers else ""
        if not told:
            return self._not_recorded(entity, span)
        return self._phrasing.of(entity.names[0], span, told)

    def _number(self, value: float, is_exact: bool, unit: str) -> str:
        told = self._phrasing.number(value, unit)
        return told if is_exact else self._phrasing.past("about", value=told)

    def _reckoned(self, numbers: Numbers, span: Interval, reckoned: str, unit: str) -> str:
        number = self._phrasing.number
        low, high, mean = numbers.low, numbers.high, numbers.mean
        match reckoned:
            case "lowest" | "highest":
                at = numbers.low_at if reckoned == "lowest" else numbers.high_at
                told = number(low if reckoned == "lowest" else high, unit)
                if at:
                    told = f"{told}, {self._phrasing.in_(span, at)}"
            case "average":
                told = self._phrasing.past("mean", value=number(mean, unit))
            case _ if number(low, unit) == number(high, unit):
                told = number(mean, unit)
            case _:
                slots = {"low": number(low, ""), "high": number(high, unit)}
                ends = self._phrasing.text("forecast", "range", **slots)
                told = f"{ends}, {self._phrasing.past('mean', value=number(mean, unit))}"
        return self._phrasing.since(told, numbers.since)

    def _value(self, entity: Exposed, quantity: str, unit: str) -> Value:
        """Return what reads a quantity of a recorded state."""

        def of_sensor(state: State) -> float | None:
            return finite(state.state)

        def of_others(state: State) -> float | None:
            found = values_of(state, quantity, self._unit)
            return next((each.value for each in found if each.unit == unit), None)

        return of_sensor if entity.domain == "sensor" else of_others

    # What was used

    async def _async_used(self, query: Query) -> str | None:
        """Return how much was used; of two times, whether it was more, where all meters agree."""
        entities = self._meters(query.words)
        if query.span is None or query.span.is_point or not 0 < len(entities) <= _MOST:
            return None
        spans = [each for each in (query.span, query.other) if each]
        told: list[str] = []
        more: set[bool | None] = set()
        for entity in entities:
            used = [(each, await self._async_used_of(entity, each)) for each in spans]
            told += [self._told_used(entity, *each) for each in used]
            match [each.amount for _, each in used if each and not each.since]:
                case [first, second]:
                    more.add((first > second) is query.is_more)
                case _:
                    more.add(None)
        return self._phrasing.yes(agreed(more), "; ".join(told))

    def _meters(self, words: Text) -> Sequence[Exposed]:
        """Return what counts what is used, by the words for that."""
        said = TokenConsumer(words)
        said.says("value")
        found = [name for name, lists in METERED.items() if said.says(*lists)]
        subject = said.subject if said.left else ""
        if len(found) > 1 or not (found or subject):
            return ()

        def counts(entity: Exposed) -> bool:
            return entity.device_class in (found or METERED) and self._counts(entity)

        if subject:
            return self._things.link(subject, counts)
        return [*filter(counts, self._home.entities)]

    def _counts(self, entity: Exposed) -> bool:
        state = self._state(entity)
        return bool(
            entity.domain == "sensor"
            and state
            and state.attributes.get(ATTR_STATE_CLASS) in _COUNTING
        )

    async def _async_used_of(self, entity: Exposed, span: Interval) -> Consumption | None:
        return await self._recorded.async_used(entity.entity_id, span.start, span.end)

    def _told_used(self, entity: Exposed, span: Interval, used: Consumption | None) -> str:
        if used is None:
            return self._not_recorded(entity, span)
        state = self._state(entity)
        unit = state.attributes.get(ATTR_UNIT_OF_MEASUREMENT) if state else None
        amount = self._phrasing.number(used.amount, unit or "")
        return self._phrasing.of(entity.names[0], span, self._phrasing.since(amount, used.since))
