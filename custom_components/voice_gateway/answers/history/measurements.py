"""Past measurements and consumption."""

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
from ..query import RECKONED, SINGLE, Query, QueryType
from ..token_consumer import TokenConsumer
from ..values import QuantityQuery, ValuesHandler
from . import recorder
from .series import Consumption, Numbers

_MOST: Final = 4
"""Maximum number of entities in an answer."""
_COUNTING: Final = (SensorStateClass.TOTAL, SensorStateClass.TOTAL_INCREASING)


class MeasurementHistory(ValuesHandler):
    """Answers questions about past values: at a moment, or the minimum, the maximum and the mean.

    An answer only has exposed entities, names them, and reports missing recorder data.
    """

    async def async_told(self, query: Query) -> str | None:
        """Return the answer to a question; None if none is certain."""
        if query.type is QueryType.USED:
            return await self._async_used(query)
        if query.type is not QueryType.WAS or (span := query.span) is None:
            return None
        quantity, entities = self._asked(query)
        entities = [each for each in entities if self.measured(each, quantity)]
        if not 0 < len(entities) <= _MOST:
            return None
        told = [
            await self._async_measured(each, quantity, span, query.reckoned) for each in entities
        ]
        return "; ".join(told)

    async def async_summary(self, entity: Exposed, span: Interval) -> str | None:
        """Return a sensor's values or consumption in an interval; None if it has no number."""
        if self._counts(entity) and not span.is_point:
            return self._told_used(entity, span, await self._async_used_of(entity, span))
        quantity = entity.device_class or ""
        if entity.domain != "sensor" or not self.measured(entity, quantity):
            return None
        return await self._async_measured(entity, quantity, span, "")

    def _asked(self, query: Query) -> tuple[str, Sequence[Exposed]]:
        """Return the quantity and its entities; without a quantity, the one named sensor."""
        said = TokenConsumer(query.words)
        said.says("value", *(RECKONED if query.reckoned else ()))
        # "The coldest" and "average temperature" also express the quantity.
        named = [quantity for name, (_, quantity) in SINGLE.items() if said.says(name)]
        subject = said.subject.alike(
            " ".join((*map(self._things.quantity, named[:1]), said.subject))
        )
        # "How warm" may begin with the same words as "how much".
        if asked := self.quantity(subject) or self.quantity(query.words):
            is_set = asked.is_low or asked.quantity in SET
            return asked.quantity, () if is_set else self._measuring(asked)
        said = TokenConsumer(query.words)
        said.says("value", *RECKONED)
        spoken = {*said.subject.words}
        found = [
            each
            for each in self._things.link(said.subject, lambda each: each.domain == "sensor")
            if any({*words(name)} <= spoken for name in each.names)
        ]
        is_one = len(found) == 1 and not self._counts(found[0])
        return (found[0].device_class or "", found) if is_one else ("", ())

    def _measuring(self, asked: QuantityQuery) -> Sequence[Exposed]:
        meant, _ = self.entities(asked)
        if asked.subject or asked.place:
            return meant
        # "How warm was it" refers to outdoors, or to the speaker's area.
        outdoors = self._things.outdoors(lambda each: bool(self.measured(each, asked.quantity)))
        found = dict.fromkeys((*outdoors, *(meant if self._speaker_area else ())))
        return [*found] or meant

    async def _async_measured(
        self, entity: Exposed, quantity: str, span: Interval, reckoned: str
    ) -> str:
        unit = next((each.unit for each in self.measured(entity, quantity)), "")

        def of_attribute(state: State) -> float | None:
            found = values_of(state, quantity, self._unit)
            return next((each.value for each in found if each.unit == unit), None)

        value = None if entity.domain == "sensor" else of_attribute
        told, asked = "", (entity.entity_id, span, value)
        if span.is_point:
            if number := await recorder.async_read(self._hass, recorder.number, *asked):
                told = self._phrasing.number(number[0], unit)
                told = told if number[1] else self._phrasing.text("past", "about", value=told)
        elif numbers := await recorder.async_read(self._hass, recorder.numbers, *asked):
            told = self._reckoned(numbers, span, reckoned, unit)
        return self._phrasing.of(entity.names[0], span, told)

    def _reckoned(self, numbers: Numbers, span: Interval, reckoned: str, unit: str) -> str:
        phrasing = self._phrasing
        low, high, mean = (
            phrasing.number(each, unit) for each in (numbers.low, numbers.high, numbers.mean)
        )
        match reckoned:
            case "lowest" | "highest":
                at = numbers.low_at if reckoned == "lowest" else numbers.high_at
                told = low if reckoned == "lowest" else high
                if at:
                    told = f"{told}, {phrasing.in_(span, at)}"
            case "average":
                told = phrasing.text("past", "mean", value=mean)
            case _ if low == high:
                told = mean
            case _:
                ends = phrasing.text(
                    "forecast", "range", low=phrasing.number(numbers.low, ""), high=high
                )
                told = f"{ends}, {phrasing.text('past', 'mean', value=mean)}"
        return phrasing.since(told, numbers.since)

    # Consumption

    async def _async_used(self, query: Query) -> str | None:
        """Return the consumption; for two times, also whether it was more, if all meters agree."""
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
        """Return the meters that some words refer to."""
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
        state_class = state and state.attributes.get(ATTR_STATE_CLASS)
        return entity.domain == "sensor" and state_class in _COUNTING

    async def _async_used_of(self, entity: Exposed, span: Interval) -> Consumption | None:
        return await recorder.async_read(self._hass, recorder.used, entity.entity_id, span)

    def _told_used(self, entity: Exposed, span: Interval, used: Consumption | None) -> str:
        told, state = "", self._state(entity)
        if used:
            unit = state.attributes.get(ATTR_UNIT_OF_MEASUREMENT) if state else None
            amount = self._phrasing.number(used.amount, unit or "")
            told = self._phrasing.since(amount, used.since)
        return self._phrasing.of(entity.names[0], span, told)
