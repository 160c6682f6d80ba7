"""What the home's entities measure, and to what they are set."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from homeassistant.const import STATE_UNKNOWN
from homeassistant.core import HomeAssistant, State

from ..home.exposed import Exposed, Home
from ..nlu.phrase_patterns import PhrasePatterns, patterns_of
from ..nlu.state_evaluation import ConditionEvaluator
from ..nlu.state_semantics import SET, TARGET, attribute_values, measurements
from ..nlu.tokenizer import NOTHING, Text, TokenSequence
from ..nlu.tokens import fold_punctuation, tokenize
from .category_lookup import only_of_kind
from .phrasing import Phrasing
from .question import HomeQuestion, QuestionType, tokens_in
from .token_consumer import TokenConsumer, is_of_thing

_MOST = 4
"""Values that are told one by one."""
_WARMTH = "temperature"
_OF_ROOMS = ("carbon_dioxide", "humidity", _WARMTH)
"""What is asked of rooms: where nothing measures it, nobody knows."""
_PLACES = ("here", "outside")
_LOW = 20.0
"""Percent of a battery that is low, as Home Assistant's own blueprint has it."""
_OF_VALUES = (QuestionType.VALUE, QuestionType.WHETHER, QuestionType.WHICH)
"""Forms of which the words may be those of a value: "how warm is it", "what brightness"."""


@dataclass(frozen=True, slots=True)
class QuantityQuery:
    """A quantity that is asked for, and of what."""

    quantity: str
    """What is measured, by the name of a sensor's class."""
    subject: Text
    place: str
    """"here" or "outside", where one of them is said."""
    is_low: bool


@dataclass(frozen=True, slots=True)
class _Value:
    entity: Exposed
    text: str


@dataclass(frozen=True, slots=True)
class KnownValue:
    """The one value that is known of a place, or of what was named."""

    name: str
    value: float
    unit: str
    text: str


class ValuesHandler:
    """Answers how warm, how bright, how full something is.

    An answer is a value that an exposed entity shows; where it is not known, that is said.
    """

    def __init__(
        self,
        hass: HomeAssistant,
        home: Home,
        conditions: ConditionEvaluator,
        phrasing: Phrasing,
        speaker_area: str | None,
    ) -> None:
        """Take the home, what it shows of conditions, the words, and the area of the speaker."""
        self._hass = hass
        self._home = home
        self._conditions = conditions
        self._things = conditions.things
        self._phrasing = phrasing
        self._speaker_area = speaker_area
        self._known = patterns_of(phrasing.language.code)

    def answer(self, question: HomeQuestion) -> str | None:
        """Return the answer to one way to understand a question; None where nothing is certain."""
        asked = self.quantity(question.words)
        if asked is None:
            return None
        if asked.quantity == "brightness" and self._is_lit(asked):
            asked = replace(asked, quantity="illuminance")
        if asked.is_low and not asked.subject:
            return self._low(asked, question.form)
        return self._value(asked) if question.form in _OF_VALUES else None

    def _is_lit(self, asked: QuantityQuery) -> bool:
        """Return True if it is asked how bright a place is where that is measured."""
        areas = self._things.areas(asked.subject)
        return bool(areas and self._inside(areas, replace(asked, quantity="illuminance")))

    def quantity(self, words: Text) -> QuantityQuery | None:
        """Return what quantity some words ask for, if there is one."""
        return _quantity(words, self._known, self._class_names())

    def _value(self, asked: QuantityQuery) -> str | None:
        found, place = self.entities(asked)
        if not found and (room := self._unmeasured(asked)):
            return self._phrasing.values([(room, self._phrasing.unknown)])
        found = most_telling(found)
        values = [value for each in found if (value := self._shown(each, asked.quantity))]
        texts = dict.fromkeys(each.text for each in values)
        if place and len(texts) == 1:
            return self._phrasing.values([(place, next(iter(texts)))])
        if not 0 < len(values) <= _MOST:
            return None
        names = (self._home.told_apart([each.entity])[0] for each in values)
        return self._phrasing.values(zip(names, (each.text for each in values), strict=True))

    def _unmeasured(self, asked: QuantityQuery) -> str:
        """Return the name of the one room that is asked about, if nothing there measures it.

        Of what is outdoors the weather may tell.
        """
        rooms = self._things.areas(asked.subject) if asked.quantity in _OF_ROOMS else ()
        if len(rooms) != 1 or asked.place:
            return ""
        name = self._home.areas[min(rooms)].name
        is_outdoors = TokenConsumer(asked.subject.alike(name), self._known).says("places_outdoors")
        return "" if is_outdoors else name

    def one(self, quantity: str, subject: Text, place: str) -> KnownValue | None:
        """Return the value that some words mean, where there is one; `place`: "outside", or nothing."""
        if {*subject.words} <= self._known.language.function_words:
            subject = NOTHING
        if not (subject or place):
            return None
        found, name = self.entities(QuantityQuery(quantity, subject, place, is_low=False))
        if subject and self._things.areas(subject) and self._are_of_things(found, quantity):
            return None
        states = [(each, self._hass.states.get(each.entity_id)) for each in most_telling(found)]
        numbers = {
            pair: each for each, state in states if state for pair in self._numbers(state, quantity)
        }
        if len(numbers) != 1:
            return None
        (((value, unit), entity),) = numbers.items()
        if value is None:
            return None
        name = name or self._home.told_apart([entity])[0]
        return KnownValue(name, value, unit, self._phrasing.number(value, unit))

    def entities(self, asked: QuantityQuery) -> tuple[Sequence[Exposed], str]:
        """Return whose value is meant, and the name of the place that is meant, if one is."""
        things = self._things

        def fits(entity: Exposed) -> bool:
            return self._shown(entity, asked.quantity) is not None

        if asked.place == "outside":
            if asked.subject:
                return (), ""
            return things.outdoors(fits) or self._weather(asked.quantity), ""
        if asked.place == "here" or not asked.subject:
            if asked.subject:
                return (), ""
            if self._speaker_area and (here := self._inside({self._speaker_area}, asked)):
                return here, self._home.areas[self._speaker_area].name
            everywhere = () if asked.place else [*filter(fits, self._home.entities)]
            return everywhere, ""
        areas = things.areas(asked.subject)
        if areas and (found := self._inside(areas, asked)):
            # The hot tub on the deck is not how warm the deck is.
            is_room = len(areas) == 1 and not self._are_of_things(found, asked.quantity)
            return found, self._home.areas[min(areas)].name if is_room else ""
        found = things.link(asked.subject, fits)
        if not found and asked.quantity in SET:
            found = only_of_kind(asked.subject, things, fits)
        return found, ""

    def _weather(self, quantity: str) -> Sequence[Exposed]:
        """Return the weather services that tell a quantity."""
        services = (each for each in self._home.entities if each.domain == "weather")
        return [each for each in services if self._shown(each, quantity)]

    def _inside(self, areas: set[str] | frozenset[str], asked: QuantityQuery) -> Sequence[Exposed]:
        """Return what measures in some areas: of each, what Home Assistant was told measures it."""
        found = self._things.inside(
            areas, lambda each: self._shown(each, asked.quantity) is not None
        )
        own = {
            getattr(self._home.areas[area], f"{asked.quantity}_entity_id", None) for area in areas
        }
        if chosen := [each for each in found if each.entity_id in own]:
            return chosen
        return [each for each in found if not self._is_of_thing(each, asked.quantity)] or found

    def _are_of_things(self, found: Sequence[Exposed], quantity: str) -> bool:
        return all(self._is_of_thing(each, quantity) for each in found)

    def _is_of_thing(self, entity: Exposed, quantity: str) -> bool:
        """Return True if it measures how warm it is in a fridge, and not in the room."""
        if quantity != _WARMTH or entity.domain != "sensor":
            return False
        area = self._home.areas.get(entity.area)
        place = area.name if area else ""
        return any(is_of_thing(name, place, self._known.language.code) for name in entity.names)

    def _shown(self, entity: Exposed, quantity: str) -> _Value | None:
        """Return what an entity shows of a quantity; None where it can't show it."""
        state = self._hass.states.get(entity.entity_id)
        if state is None:
            return None
        for value, unit in self._numbers(state, quantity):
            if value is None:
                return _Value(entity, self._phrasing.state(entity, STATE_UNKNOWN))
            return _Value(entity, self._phrasing.number(value, unit))
        if (quantity == "battery" and entity.domain == "binary_sensor") and (
            entity.device_class == quantity
        ):
            return _Value(entity, self._phrasing.state(entity, state.state))
        return None

    def _numbers(self, state: State, quantity: str) -> Iterator[tuple[float | None, str]]:
        if quantity in SET:
            yield from (
                (each.value, each.unit) for each in attribute_values(state, quantity, self._unit)
            )
            return
        for each in measurements(state, self._unit):
            if each.quantity == quantity:
                yield each.value, each.unit

    @property
    def _unit(self) -> str:
        return str(self._hass.config.units.temperature_unit)

    def _class_names(self) -> Mapping[str, str]:
        """Return Home Assistant's names for what sensors measure, by the name of their class."""
        classes = {each.device_class for each in self._home.entities if each.domain == "sensor"}
        return {
            each: name
            for each in sorted(filter(None, classes))
            if (name := self._things.quantity(each))
        }

    # Which batteries are low

    def _low(self, asked: QuantityQuery, form: QuestionType) -> str | None:
        if asked.quantity != "battery" or asked.place:
            return None
        batteries = [
            each
            for each in self._home.entities
            if each.device_class == "battery" and each.domain in ("binary_sensor", "sensor")
        ]
        low = most_telling([each for each in batteries if self._is_low(each)])
        names = self._home.told_apart(low)
        if not batteries:
            return None
        match form:
            case QuestionType.WHICH:
                return self._phrasing.names(names)
            case QuestionType.HOW_MANY:
                return self._phrasing.count(names)
            case QuestionType.WHETHER:
                return self._phrasing.yes(bool(low), self._phrasing.names(names) if low else "")
        return None

    def _is_low(self, entity: Exposed) -> bool:
        state = self._hass.states.get(entity.entity_id)
        if state is None:
            return False
        if entity.domain == "binary_sensor":
            return state.state == "on"
        return any(
            value is not None and value <= _LOW for value, _ in self._numbers(state, "battery")
        )


def most_telling(found: Sequence[Exposed]) -> Sequence[Exposed]:
    """Return entities without those that only say "low" of a battery whose percents are there."""
    measured_ = {(each.names[0], each.area) for each in found if each.domain == "sensor"}
    return [
        each
        for each in found
        if each.domain != "binary_sensor" or (each.names[0], each.area) not in measured_
    ]


def _quantity(words: Text, known: PhrasePatterns, names: Mapping[str, str]) -> QuantityQuery | None:
    """Return what quantity some words ask for: the one of which most is said, if there is one."""
    line = TokenSequence.of(words, known.numbers)
    spans = [*_spans(line, known, names)]
    if any(quantity in SET and quantity != TARGET for _, _, quantity in spans):
        # "What is the volume set to?"
        spans = [each for each in spans if each[2] != TARGET]
    elif any(quantity == TARGET for _, _, quantity in spans):
        # "To what temperature is the thermostat set?" It is not how warm it is.
        spans = [(first, end, TARGET if each == _WARMTH else each) for first, end, each in spans]
    longest = max((end - first for first, end, _ in spans), default=0)
    found = {quantity for first, end, quantity in spans if end - first == longest}
    if len(found) != 1:
        return None
    (quantity,) = found
    gone = {index for first, end, each in spans if each == quantity for index in range(first, end)}
    saying = [known.questions.get(each, ()) for each in ("measure", "much_or_little")]
    for saying_nothing in (known.conditions.get("is", ()), *saying):
        gone |= tokens_in(line, saying_nothing)
    low = tokens_in(line, known.questions.get("low", ()))
    if low:
        # "Is any battery low?"
        gone |= tokens_in(line, known.conditions.get("some", ()))
        gone |= tokens_in(line, known.questions.get("devices", ()))
    places = {place: tokens_in(line, known.conditions.get(place, ())) for place in _PLACES}
    gone |= low.union(*places.values())
    subject = line.surface(index for index in range(len(line.tokens)) if index not in gone)
    if {*subject.words} <= known.language.function_words:
        subject = NOTHING
    place = next((place for place, tokens in places.items() if tokens), "")
    return QuantityQuery(quantity, subject, place, bool(low))


def _spans(
    line: TokenSequence, known: PhrasePatterns, names: Mapping[str, str]
) -> Iterator[tuple[int, int, str]]:
    """Yield where quantities are said: in the language's words, or in Home Assistant's."""
    for quantity, patterns in known.quantities.items():
        for pattern in patterns:
            for first, end in line.find(pattern):
                yield first, end, quantity
    for pattern in known.questions.get("warm", ()):
        for first, end in line.find(pattern):
            yield first, end, "temperature"
    texts = [token.text for token in line.tokens]
    for quantity, name in names.items():
        own = [token.text for token in tokenize(fold_punctuation(name))]
        for first in range(len(texts) - len(own) + 1):
            if texts[first : first + len(own)] == own:
                yield first, first + len(own), quantity
