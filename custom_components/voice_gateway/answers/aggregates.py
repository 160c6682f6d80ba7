"""Aggregates and comparisons of several values: extremes, means, totals, warmer or colder."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import product
from operator import gt, lt
from typing import ClassVar, Final

from ..home.exposed import Exposed
from ..languages.dates import begun
from ..nlu.conditions import StateQuery
from ..nlu.state_evaluation import compares
from .handler import agreed, only
from .query import RECKONED, SINGLE, Query, QueryType
from .states import StatesHandler
from .token_consumer import TokenConsumer, is_room
from .values import QuantityQuery, ValuesHandler

_HOW: Final = (*RECKONED, "total")
_OF_ROOMS: Final = ("humidity", "temperature")
"""Quantities of rooms: sensors outdoors or without an area are ignored."""
_ADDED: Final = ("power", "energy", "water", "gas")
"""Quantities that can be added up."""
_OTHERS: Final = ("battery",)
_OF_DEVICES: Final = (*_OTHERS, *_ADDED)
_MORE: Final = {"steps.temperature_more": gt, "steps.temperature_less": lt}
_SOME: Final = ("", "some")
_OF_PLACES: Final = ("motion", "playing")
"""Conditions of a room, for which a question need not name a device."""
_WARMTH: Final = ("above", "at_least", "at_most", "below", "colder", "warmer")

type _Value = tuple[str, float, str]
"""The name of the room or device, its value, and the unit."""
type _Shown = tuple[str, str]
"""The name of a room, and its temperature as text."""


class AggregateHandler(ValuesHandler):
    """Answers where a value is highest or lowest, and gives means and totals.

    Only values of one unit are aggregated. If one value is missing, there is no answer.
    """

    types: ClassVar[Collection[QueryType]] = (
        *(QueryType.SHOWN, QueryType.WHICH, QueryType.WHERE, QueryType.VALUE),
        QueryType.WHETHER,
    )

    def answer(self, query: Query) -> str | None:
        """Return an aggregate of the values of some rooms or devices."""
        said = TokenConsumer(query.words)
        if (asked := self._asked(said)) is None:
            return None
        how, quantity = asked
        said.says("measure", "rooms", "which", *(("devices",) if quantity in _OF_DEVICES else ()))
        areas = self._things.areas(said.subject) if said.left else None
        values = self._values(quantity, areas)
        unit = agreed(unit for _, _, unit in values)
        return None if unit is None else self._told(how, values, unit)

    def _asked(self, said: TokenConsumer) -> tuple[str, str] | None:
        """Return the aggregate and the quantity of a question; None unless it has one of each."""
        found = [SINGLE[each] for each in SINGLE if said.says(each)]
        hows = [each for each in _HOW if said.says(each)]
        quantities = [each for each in (*_OF_ROOMS, *_OTHERS, *_ADDED) if said.says(each)]
        if len(found) == 1:
            ((how, quantity),) = found
            return (how, quantity) if {*hows} <= {how} and {*quantities} <= {quantity} else None
        if len(quantities) > 1:
            # "Which device uses the most water?" The verb also stands for power.
            measured = [each for each in quantities if self._values(each)]
            quantities = [each for each in measured if each != "power"] or measured
        if found or len(hows) != 1 or len(quantities) != 1:
            return None
        if hows[0] == "total" and quantities[0] not in _ADDED:
            return None
        return hows[0], quantities[0]

    def _values(self, quantity: str, areas: Collection[str] | None = None) -> Sequence[_Value]:
        """Return the values in some areas, or in all; empty if any value is unknown."""
        is_of_rooms = quantity in _OF_ROOMS
        entities = self._of_rooms(quantity) if is_of_rooms else self._of_domain("sensor")
        found = [
            (self._home.areas[each.area].name if is_of_rooms else each.names[0], measured)
            for each in entities
            if areas is None or each.area in areas
            for measured in self.measured(each, quantity)
        ]
        known = [(name, each.value, each.unit) for name, each in found if each.value is not None]
        return known if len(known) == len(found) else ()

    def _of_rooms(self, quantity: str) -> Sequence[Exposed]:
        """Return the sensors of rooms; of a room with a configured sensor, only that one."""
        measuring = [e for e in self.measuring(quantity) if e.domain in ("climate", "sensor")]
        outdoors = self._things.outdoors(measuring.__contains__)
        return [
            each
            for area_id, area in self._home.areas.items()
            if not self._read(area.name).says("places_outdoors")
            for each in self._inside({area_id}, quantity, measuring)
            if each not in outdoors and not self._is_of_thing(each)
        ]

    def _told(self, how: str, values: Sequence[_Value], unit: str) -> str:
        numbers = [value for _, value, _ in values]
        if how in ("average", "total"):
            value = sum(numbers) / (len(numbers) if how == "average" else 1)
            told = self._phrasing.number(value, unit)
            return self._phrasing.text("reckoned", how, value=told, count=len(numbers))
        best = max(numbers) if how == "highest" else min(numbers)
        names = dict.fromkeys(name for name, value, _ in values if value == best)
        return self._phrasing.values((name, self._phrasing.number(best, unit)) for name in names)


class ComparisonHandler(AggregateHandler):
    """Answers which of two places is warmer, if each has one temperature.

    The answer gives both temperatures, after a "which" question the warmer place first. If they are
    equal, neither is warmer. "Inside" means all rooms: if they disagree, there is no answer.
    """

    types = (QueryType.WHETHER, QueryType.WHICH, QueryType.WHERE)

    def answer(self, query: Query) -> str | None:
        """Return whether the first place is warmer, or which one is."""
        line = TokenConsumer(query.words)
        # "Is it warmer inside or outside?"
        is_which = query.type is not QueryType.WHETHER or (
            bool(line.tokens("forms.alternatives")) and not line.tokens("past.than")
        )
        found = {each: tokens for each in _MORE if (tokens := line.tokens(each))}
        than = line.tokens("forms.alternatives" if is_which else "past.than")
        if len(found) != 1 or not than or max(than) - min(than) >= len(than):
            return None
        ((how, said),) = found.items()
        # "Which room is warmer, the kitchen or the bedroom?"
        first = max(said) + 1 if is_which and max(said) < min(than) else 0
        places = ({*range(first, min(than))}, line.whole - {*range(max(than) + 1)})
        sides = [self._side(line, each - said - than) for each in places]
        names = {name for side in sides for name, _, _ in side}
        unit = agreed(unit for side in sides for _, _, unit in side)
        numbers = [[value for _, value, _ in side] for side in sides]
        is_so = agreed(_MORE[how](*each) for each in product(*numbers))
        if unit is None or is_so is None or len(names) == 1:
            return None
        shown = [
            (side[0][0], self._phrasing.range(min(values), max(values), unit))
            for side, values in zip(sides, numbers, strict=True)
        ]
        if is_which:
            return self._phrasing.values(shown if is_so else reversed(shown))
        return self._phrasing.yes(is_so, self._phrasing.values(shown))

    def _side(self, line: TokenConsumer, tokens: set[int]) -> Sequence[_Value]:
        """Return the one temperature that some tokens refer to, or those of all rooms."""
        outside = line.tokens("conditions.outside") & tokens
        tokens -= line.tokens("conditions.is") | outside
        if inside := line.tokens("inside") & tokens:
            name = begun(line.part(inside))
            values = self._values("temperature") if inside == tokens else ()
            return [(name, value, unit) for _, value, unit in values]
        subject = self._content(line.part(tokens))
        if not (subject or outside):
            return ()
        place = "outside" if outside else ""
        found, name = self.entities(QuantityQuery("temperature", subject, place, is_low=False))
        if subject and self._things.areas(subject) and self._are_of_things(found, "temperature"):
            return ()
        known = {
            (each.value, each.unit): name or entity.names[0]
            for entity in found
            for each in self.measured(entity, "temperature")
        }
        shown = [(name, value, unit) for (value, unit), name in known.items() if value is not None]
        return shown if len(known) == 1 else ()


class RoomsHandler(AggregateHandler):
    """Answers which rooms have devices in a state, or a temperature.

    Negated questions, and those about all devices of a room, have no answer.
    """

    types = (QueryType.WHETHER, QueryType.ROOMS, QueryType.WHERE)

    def answer(self, query: Query) -> str | None:
        """Return the rooms where the condition holds, or whether some or all are that warm."""
        ways = self._conditions.parse_queries(query.words)
        if query.type is QueryType.WHETHER:
            # "Is any room below 19 degrees?"
            of_rooms = (
                each
                for each in ways
                if each.count in ("everyone", "some") and is_room(each.subject)
                if not (each.limit is None or each.is_denied or each.place)
            )
            return agreed(map(self._of_all, of_rooms))
        return only(map(self._rooms, ways))

    def _of_all(self, asked: StateQuery) -> str | None:
        """Return whether some or all rooms meet a condition on temperature."""
        if (rooms := self._warm(asked)) is None:
            return None
        so, not_so = rooms
        if asked.count == "everyone":
            return self._phrasing.yes(not not_so, self._phrasing.values(not_so or so))
        return self._phrasing.yes(bool(so), self._phrasing.values(so) if so else "")

    def _rooms(self, asked: StateQuery) -> str | None:
        if asked.is_denied or asked.count not in _SOME or asked.place:
            return None
        if asked.limit is not None:
            said = TokenConsumer(asked.subject)
            said.says("temperature", "measure")
            rooms = None if said.left else self._warm(asked)
            return None if rooms is None else self._phrasing.values(rooms[0])
        if not (asked.subject or asked.meaning in _OF_PLACES):
            return None
        shown = StatesHandler(self._view).shown(replace(asked, count=""), several=True)
        areas = [self._home.areas.get(each.entity.area) for each in shown[0]]
        if not any(shown) or None in areas:
            return None
        return self._phrasing.names([*dict.fromkeys(each.name for each in areas if each)])

    def _warm(self, asked: StateQuery) -> tuple[Sequence[_Shown], Sequence[_Shown]] | None:
        """Return the rooms that meet a condition on temperature, and the others.

        Returns None if two sensors of a room disagree.
        """
        is_warmth = asked.unit == "degrees" or asked.meaning in ("colder", "warmer")
        known = self._values("temperature")
        if not (is_warmth and known) or asked.quantity or asked.meaning not in _WARMTH:
            return None
        rooms: dict[str, set[float]] = {}
        for name, value, _ in known:
            rooms.setdefault(name, set()).add(value)
        shown: dict[bool | None, list[_Shown]] = {True: [], False: []}
        for name, values in rooms.items():
            is_so = agreed(compares(asked.meaning, each, asked.limit or 0.0) for each in values)
            text = self._phrasing.number(max(values), known[0][2])
            shown.setdefault(is_so, []).append((name, text))
        return None if None in shown else (shown[True], shown[False])
