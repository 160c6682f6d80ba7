"""What is reckoned of several values: the warmest room, the average, whether it is warmer here than there."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import product
from operator import gt, lt
from typing import ClassVar, Final

from ..home.exposed import Exposed
from ..nlu.conditions import StateQuery
from ..nlu.state_evaluation import compares
from .handler import agreed, only
from .phrasing import begun
from .query import RECKONED, SINGLE, Query, QueryType
from .states import StatesHandler
from .token_consumer import TokenConsumer, is_room
from .values import KnownValues, ValuesHandler

_HOW: Final = (*RECKONED, "total")
_OF_ROOMS: Final = ("humidity", "temperature")
"""What is asked of rooms: what is outdoors, or in none, does not count."""
_ADDED: Final = ("power", "energy", "water", "gas")
"""What may be added up."""
_OTHERS: Final = ("battery",)
_OF_DEVICES: Final = (*_OTHERS, *_ADDED)
_MORE: Final = {"steps.temperature_more": gt, "steps.temperature_less": lt}
_SOME: Final = ("", "some")
_OF_PLACES: Final = ("motion", "playing")
"""What is so of a room, also where no device is named."""
_WARMTH: Final = ("above", "at_least", "at_most", "below", "colder", "warmer")

type _Value = tuple[str, float, str]
"""The name of what has a value, that, and its unit."""
type _Shown = tuple[str, str]
"""The name of a room, and how warm it is."""


class AggregateHandler(ValuesHandler):
    """Answers where a value is highest, and what it is on average or in total.

    Only values of one unit are compared, averaged or added, and none where one is missing: then
    nobody knows.
    """

    types: ClassVar[Collection[QueryType]] = (
        *(QueryType.SHOWN, QueryType.WHICH, QueryType.WHERE, QueryType.VALUE),
        QueryType.WHETHER,
    )

    def answer(self, query: Query) -> str | None:
        """Return what is reckoned of the values of some rooms or devices."""
        said = TokenConsumer(query.words)
        if (asked := self._asked(said)) is None:
            return None
        how, quantity = asked
        said.says("measure", "rooms", "which", *(("devices",) if quantity in _OF_DEVICES else ()))
        areas = self._things.areas(said.subject) if said.left else None
        if said.left and not areas:
            return None
        values = self._values(quantity, areas)
        unit = agreed(unit for _, _, unit in values)
        return None if unit is None else self._told(how, values, unit)

    def _asked(self, said: TokenConsumer) -> tuple[str, str] | None:
        """Return how something is reckoned, and of what; None where not one thing is."""
        found = [SINGLE[each] for each in SINGLE if said.says(each)]
        hows = [each for each in _HOW if said.says(each)]
        quantities = [each for each in (*_OF_ROOMS, *_OTHERS, *_ADDED) if said.says(each)]
        if len(found) == 1:
            ((how, quantity),) = found
            return (how, quantity) if {*hows} <= {how} and {*quantities} <= {quantity} else None
        if len(quantities) > 1:
            # "Which device uses the most water?" Of what is used, power is only the first guess.
            measured = [each for each in quantities if self._values(each)]
            quantities = [each for each in measured if each != "power"] or measured
        if found or len(hows) != 1 or len(quantities) != 1:
            return None
        if hows[0] == "total" and quantities[0] not in _ADDED:
            return None
        return hows[0], quantities[0]

    def _values(self, quantity: str, areas: Iterable[str] | None = None) -> Sequence[_Value]:
        """Return what is measured in some areas, or all; nothing where one value is not known."""
        found = [
            (self._called(entity, quantity), each.value, each.unit)
            for entity in self._measuring(quantity, areas)
            for each in self.measured(entity, quantity)
        ]
        known = [(name, value, unit) for name, value, unit in found if value is not None]
        return known if len(known) == len(found) else ()

    def _measuring(self, quantity: str, areas: Iterable[str] | None) -> Sequence[Exposed]:
        """Return what measures a quantity; of a room that says which of its own does, that one."""
        is_of_rooms = quantity in _OF_ROOMS
        domains = ("climate", "sensor") if is_of_rooms else ("sensor",)
        entities = self._of_domain(*domains)
        if areas is not None:
            entities = [each for each in entities if each.area in areas]
        if not is_of_rooms:
            return entities
        outdoors = self._things.outdoors(lambda each: each.domain in domains)
        own = self._chosen(quantity)
        return [
            each
            for each in entities
            if (area := self._home.areas.get(each.area)) and each not in outdoors
            if not (self._read(area.name).says("places_outdoors") or self._is_of_thing(each))
            if own.get(each.area, each.entity_id) == each.entity_id
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

    def _called(self, entity: Exposed, quantity: str) -> str:
        area = self._home.areas.get(entity.area) if quantity in _OF_ROOMS else None
        return area.name if area else entity.names[0]


class ComparisonHandler(AggregateHandler):
    """Answers where it is warmer, of two places of which each has one temperature.

    Both are told with the yes or the no. Of two that show the same, neither is warmer. Of which is the
    warmer one, that one comes first. "Inside" are all rooms: where not all agree, there is no answer.
    """

    types = (QueryType.WHETHER, QueryType.WHICH, QueryType.WHERE)

    def answer(self, query: Query) -> str | None:
        """Return whether it is warmer at the one place, or at which it is."""
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
        sides = ({*range(first, min(than))}, line.whole - {*range(max(than) + 1)})
        one, other = (self._place(line, each - said - than) for each in sides)
        if one is None or other is None or one.unit != other.unit or one.name == other.name:
            return None
        is_so = agreed(_MORE[how](*each) for each in product(one.values, other.values))
        if is_so is None:
            return None
        shown = [(one.name, one.text), (other.name, other.text)]
        if is_which:
            return self._phrasing.values(shown if is_so else reversed(shown))
        return self._phrasing.yes(is_so, self._phrasing.values(shown))

    def _place(self, line: TokenConsumer, tokens: set[int]) -> KnownValues | None:
        """Return how warm it is where some words say, or what they name is."""
        outside = line.tokens("conditions.outside") & tokens
        tokens -= line.tokens("conditions.is") | outside
        if inside := line.tokens("inside") & tokens:
            return self._indoors(line.part(inside)) if inside == tokens else None
        place = "outside" if outside else ""
        return self.known("temperature", line.part(tokens), place)

    def _indoors(self, said: str) -> KnownValues | None:
        """Return how warm it is in the rooms."""
        found = self._values("temperature")
        if (unit := agreed(unit for _, _, unit in found)) is None:
            return None
        values = frozenset(value for _, value, _ in found)
        text = self._phrasing.range(min(values), max(values), unit)
        return KnownValues(begun(said), values, unit, text)


class RoomsHandler(AggregateHandler):
    """Answers which rooms they are, by the devices there of which it is so.

    What is denied, and what is said of all devices of a room, has no answer.
    """

    types = (QueryType.WHETHER, QueryType.ROOMS)

    def answer(self, query: Query) -> str | None:
        """Return in which rooms it is so, or whether some or all are so warm."""
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
        """Return whether some or all rooms are so warm."""
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
        """Return the rooms that are so warm, and the others; None where two sensors disagree."""
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
