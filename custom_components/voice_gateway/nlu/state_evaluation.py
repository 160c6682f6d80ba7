"""State evaluation: whether the states of the home satisfy a condition."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
import operator
from typing import Final

from astral.sun import elevation  # type: ignore[import-untyped]
from homeassistant.components.climate import ATTR_HVAC_ACTION
from homeassistant.components.sensor import DOMAIN as SENSOR
from homeassistant.const import ATTR_UNIT_OF_MEASUREMENT
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import sun
from homeassistant.helpers.translation import async_get_translations
from homeassistant.util.dt import utcnow

from ..home.exposed import Exposed, Home
from ..home.state_semantics import (
    ACTIVITIES,
    SET,
    Measurement,
    activity_of,
    attribute_values,
    can_mean,
    measurements,
    state_means,
)
from ..languages import Language, language_of
from ..names.matching import words
from .clause import Clause, DialogueAct, ParsedText, join_commands
from .conditions import StateQuery, longest_spans, parse_condition
from .entity_linking import EntityLinker
from .phrase_patterns import patterns_of
from .subject_linking import EntityFilter, SubjectLinker, load
from .time_resolution import TimeExpression, TimeType
from .tokenizer import NOTHING, Text, TokenSequence

_NIGHT = -6.0  # elevation of the sun in degrees below which it is certainly dark
_DAY = 6.0  # elevation above which it is certainly light
_SUN = ("dark", "sun_down", "sun_up")
_OF_PEOPLE = ("home", "not_home")
_OF_PLACES = ("motion", "still")
_OF_SPEAKER = {"speaker_home": "home", "speaker_not_home": "not_home"}
_OF_WEATHER = ("dry", "raining")
_WARMTH = ("colder", "warmer")
_BY_MEANING: Mapping[str, str] = {
    "brighter": "brightness",
    "darker": "brightness",
    "louder": "volume",
    "quieter": "volume",
    "faster": "speed",
    "slower": "speed",
}
"""Quantities that a comparative implies: "brighter than"."""
_COMPARED: Mapping[str, Callable[[float, float], bool]] = {
    **dict.fromkeys(("above", "brighter", "louder", "faster", "warmer"), operator.gt),
    **dict.fromkeys(("below", "darker", "quieter", "slower", "colder"), operator.lt),
    "at_least": operator.ge,
    "at_most": operator.le,
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """The truth of a condition, and the entity whose state decides it, if one does."""

    is_so: bool
    name: str = ""
    state: str = ""
    """Its state or number, in the user's language."""


@dataclass(frozen=True, slots=True)
class EntityState:
    """The truth of a query for one entity, and that entity's state."""

    is_so: bool | None
    entity: Exposed
    state: str


@dataclass(frozen=True, slots=True)
class Interpretation:
    """A query with the entities of a home that decide it."""

    query: StateQuery
    entities: tuple[Exposed, ...]
    """The subjects: several if the words are ambiguous, none for the sun."""


class ConditionEvaluator:
    """Evaluates spoken conditions by the states of a home."""

    def __init__(
        self,
        hass: HomeAssistant,
        language: Language,
        things: SubjectLinker,
        speaker_area: str | None,
        *,
        command: EntityLinker,
        user_id: str | None,
    ) -> None:
        """Take the home, the area where the speaker is, the command, and the user."""
        self._hass = hass
        self._user_id = user_id
        self._language = language
        self.things = things
        self._command = command
        self._areas = {"here": frozenset(filter(None, (speaker_area,))), "there": command.areas}
        self._unit = hass.config.units.temperature_unit

    def evaluate(self, moment: TimeExpression) -> Evidence | None:
        """Return the truth of an IF or UNLESS condition; None if uncertain."""
        is_exception = moment.type is TimeType.UNLESS
        found = [
            self.evaluate_interpretation(way)
            for way in self.interpret(moment.condition, is_exception=is_exception)
        ]
        return found[0] if len({each and each.is_so for each in found}) == 1 else None

    def find_subjects(self, moment: TimeExpression) -> Sequence[Exposed]:
        """Return the subjects of an IF or UNLESS condition in all interpretations."""
        ways = self.interpret(moment.condition, is_exception=moment.type is TimeType.UNLESS)
        return [each for way in ways for each in way.entities]

    def interpret(
        self, words: Text, *, is_exception: bool = False, may_happen: bool = False
    ) -> Sequence[Interpretation]:
        """Return the interpretations of a condition that entities here can decide.

        `is_exception`: it follows "unless"; `may_happen`: it may also be an event.
        """
        every = [*self.parse_queries(words, is_exception=is_exception, may_happen=may_happen)]
        if is_exception and any(each.is_denied or each.count == "none" for each in every):
            return ()  # "A meno che non ci sia nessuno": the double negation may be single
        return [way for asked in every if (way := self.resolve(asked))]

    def evaluate_interpretation(self, way: Interpretation) -> Evidence | None:
        """Return the truth of an interpretation now; None if uncertain."""
        asked = way.query
        if asked.meaning in _SUN:
            return self._sun(asked)
        return _counted([self.state_of(asked, entity) for entity in way.entities], asked)

    def parse_queries(
        self,
        words: Text,
        *,
        is_exception: bool = False,
        may_happen: bool = False,
        has_happened: bool = False,
    ) -> Iterator[StateQuery]:
        """Yield the queries that the words of a condition may be."""
        names = self.things.home.names_of_entities
        for asked in parse_condition(
            words,
            names,
            is_exception=is_exception,
            may_happen=may_happen,
            has_happened=has_happened,
        ):
            if asked.limit is not None:
                # No trigger reports when a lamp exceeds a brightness.
                yield from () if may_happen else self._set_to(asked)
                if asked.meaning in _BY_MEANING:
                    continue
            # "There is motion": not all of several sensors need to detect it.
            if asked.meaning == "motion" and not asked.count:
                count = "none" if asked.is_denied else "some"
                yield replace(asked, count=count, is_denied=False)
            else:
                yield asked

    def _set_to(self, asked: StateQuery) -> Iterator[StateQuery]:
        """Yield a comparison with a set value; the words name its quantity."""
        if quantity := _BY_MEANING.get(asked.meaning):
            yield replace(asked, quantity=quantity)
            return
        known = patterns_of(self._language.code)
        line = TokenSequence.of(asked.subject)
        for quantity in SET:
            found = longest_spans(line, known.quantities.get(quantity, ()))
            gone = {each for first, end in found.items() for each in range(first, end)}
            if gone:
                subject = line.surface(each for each in range(len(line.tokens)) if each not in gone)
                says_nothing = {*subject.words} <= self._language.function_words
                yield replace(
                    asked, quantity=quantity, subject=NOTHING if says_nothing else subject
                )

    def resolve(self, asked: StateQuery) -> Interpretation | None:
        """Return the interpretation of a query; None if no entity can decide it."""
        if asked.meaning in _SUN:
            is_alone = not (asked.subject or asked.count or asked.place not in ("", "outside"))
            return Interpretation(asked, ()) if is_alone else None
        if meaning := _OF_SPEAKER.get(asked.meaning):
            speaker = None if asked.subject or asked.place else self._speaker()
            return Interpretation(replace(asked, meaning=meaning), (speaker,)) if speaker else None
        entities = tuple(self.link_subject(asked))
        if asked.meaning == "reaches":
            asked = replace(asked, meaning=self._direction(asked, entities))
        return Interpretation(asked, entities) if entities else None

    def _speaker(self) -> Exposed | None:
        """Return the person who speaks: by the user, else the only one there is."""
        people = [each for each in self.things.home.entities if each.domain == "person"]
        users = {each: self._user_of(each) for each in people}
        if own := [each for each in people if self._user_id and users[each] == self._user_id]:
            return own[0]
        is_another = self._user_id and any(users.values())
        return people[0] if len(people) == 1 and not is_another else None

    def _user_of(self, person: Exposed) -> str | None:
        state = self._hass.states.get(person.entity_id)
        return state.attributes.get("user_id") if state else None

    def _direction(self, asked: StateQuery, entities: Sequence[Exposed]) -> str:
        """Return how a number compares once it reaches a limit: from below, or from above."""
        states = (self._hass.states.get(each.entity_id) for each in entities)
        found = [each.value for state in states if state for each in self._measured(asked, state)]
        limit = asked.limit or 0.0
        is_above = any(value is not None and value > limit for value in found)
        return "at_most" if is_above else "at_least"

    def link_subject(self, asked: StateQuery) -> Sequence[Exposed]:
        """Return the subjects of a query: several if the words are ambiguous."""
        fits = self.fits(asked)
        things, subject = self.things, asked.subject
        meant = things.link(subject, fits)
        if asked.place:
            there = self._there(asked.place, fits)
            return [each for each in there if not subject or each in meant]
        if meant:
            return meant
        is_of_place = asked.meaning in (*_OF_PLACES, *_WARMTH) or asked.unit == "degrees"
        if is_of_place or (asked.quantity and subject):
            return things.inside(things.areas(subject), fits)
        is_raining = asked.meaning in _OF_WEATHER
        if not subject and (is_raining or (asked.meaning in _OF_PEOPLE and asked.count)):
            return [*filter(fits, things.home.entities)]
        if asked.quantity and not (subject or self._command.text):
            return [*filter(fits, things.home.entities)]
        is_it = not (subject or asked.count or asked.meaning in _OF_PEOPLE)
        # "Close the garage door if it is open", "turn off the speaker if the volume is above 50"
        if is_it and (asked.limit is None or asked.quantity):
            return self._command.resolve(filter(fits, things.home.entities))
        return ()

    def _there(self, place: str, fits: EntityFilter) -> Sequence[Exposed]:
        if place == "outside":
            return self.things.outdoors(fits)
        return self.things.inside(self._areas[place], fits)

    def fits(self, asked: StateQuery) -> EntityFilter:
        """Return a filter for the entities that can decide a query."""
        return partial(self._fits, asked)

    def state_of(self, asked: StateQuery, entity: Exposed) -> EntityState:
        """Return the truth of a query for one entity now."""
        return (self._state if asked.limit is None else self._compared)(asked, entity)

    def _fits(self, asked: StateQuery, entity: Exposed) -> bool:
        """Return True if an entity can decide a query."""
        if asked.limit is None:
            return can_mean(entity.domain, entity.device_class, asked.meaning)
        state = self._hass.states.get(entity.entity_id)
        return bool(state and [*self._measured(asked, state)])

    def _measured(self, asked: StateQuery, state: State) -> Iterator[Measurement]:
        """Yield the numbers of an entity that a query may compare."""
        if asked.quantity:
            for each in attribute_values(state, asked.quantity, self._unit):
                if asked.unit in ("", "percent" if each.is_percentage else "degrees"):
                    yield each
            return
        is_warmth = asked.meaning in _WARMTH or asked.unit == "degrees"
        for each in measurements(state, self._unit):
            if is_warmth and not (each.is_temperature and each.quantity == "temperature"):
                continue
            if asked.unit == "percent" and not each.is_percentage:
                continue
            # "The thermostat is above 20" may be about its target.
            if (
                state.domain == "sensor"
                or asked.meaning in _WARMTH
                or self.things.speaks_of(asked.subject, each.quantity)
            ):
                yield each

    def _state(self, asked: StateQuery, entity: Exposed) -> EntityState:
        if (state := self._hass.states.get(entity.entity_id)) is None:
            return EntityState(None, entity, "")
        told = self.things.state(entity, state.state)
        if asked.meaning in ACTIVITIES:
            told = self.things.attribute(entity, ATTR_HVAC_ACTION, activity_of(state))
        return EntityState(state_means(state, asked.meaning), entity, told)

    def _compared(self, asked: StateQuery, entity: Exposed) -> EntityState:
        state = self._hass.states.get(entity.entity_id)
        found = [*self._measured(asked, state)] if state else []
        if len(found) != 1 or asked.limit is None or (value := found[0].value) is None:
            return EntityState(None, entity, "")
        is_so = compares(asked.meaning, value, asked.limit)
        return EntityState(is_so, entity, f"{value:g} {found[0].unit}".strip())

    def _sun(self, asked: StateQuery) -> Evidence | None:
        """Return the truth of a query about the sun, which needs no entity."""
        now = utcnow()
        if asked.meaning != "dark":
            is_so = sun.is_up(self._hass, now) == (asked.meaning == "sun_up")
            return Evidence(is_so is not asked.is_denied)
        degrees = elevation(sun.get_astral_observer(self._hass), now)
        if _NIGHT < degrees < _DAY:
            return None
        return Evidence((degrees <= _NIGHT) is not asked.is_denied)


def compares(meaning: str, value: float, limit: float) -> bool:
    """Return True if a number satisfies a comparison: "above", "colder"."""
    return _COMPARED[meaning](value, limit)


def _counted(ones: Sequence[EntityState], asked: StateQuery) -> Evidence | None:
    """Return the truth of a query over several entities; None if they leave it open."""
    so, not_so, unclear = (
        [each for each in ones if each.is_so is is_so] for is_so in (True, False, None)
    )
    if asked.count and asked.is_denied:
        return None  # "not all", "not any", "no one is not": the scope of the negation is ambiguous
    match asked.count:
        case "some" | "none" if so:
            return _shown(asked.count == "some", so[0])
        case "everyone" if not_so:
            return _shown(False, not_so[0])
    if unclear or (so and not_so):
        return None
    if asked.count == "none":
        return _shown(True, not_so[0])
    return _shown(bool(so) is not asked.is_denied, ones[0])


def _shown(is_so: bool, one: EntityState) -> Evidence:
    return Evidence(is_so, one.entity.names[0], one.state)


async def async_condition_evaluator(
    hass: HomeAssistant,
    home: Home,
    code: str,
    speaker_area: str | None,
    command: Text,
    *,
    user_id: str | None = None,
) -> ConditionEvaluator:
    """Return an evaluator for conditions in a language.

    `speaker_area` and `user_id` are the speaker's, if known; "it" and "there" refer to entities of
    `command`.
    """
    await hass.async_add_executor_job(load, code)
    translations = await async_get_translations(hass, code, "entity_component", home.domains)
    language = language_of(code)
    things = SubjectLinker(home, language, translations, speaker_area)
    meant = EntityLinker(command, home, speaker_area)
    return ConditionEvaluator(hass, language, things, speaker_area, command=meant, user_id=user_id)


_READ: Final = frozenset(("event", "image", "input_text", "text", "todo", "weather"))
"""Domains whose content is a text, whatever their state."""


@dataclass(frozen=True, slots=True)
class ResolvedConditions:
    """An utterance with evaluated conditions."""

    said: ParsedText
    """Without satisfied conditions; unsatisfied ones are marked."""
    met: Sequence[Text] = ()
    """The words of satisfied conditions."""
    unmet: Evidence | None = None
    """The evidence against an unsatisfied condition."""
    about: tuple[Exposed, ...] = ()
    """The subjects of the only command's conditions, if these are satisfied."""


async def async_resolve_conditions(
    hass: HomeAssistant, said: ParsedText, home: Home, code: str, speaker_area: str | None
) -> ResolvedConditions:
    """Return an utterance with its conditions evaluated now.

    `code` is the language's, `speaker_area` the id of the area where the speaker is.
    """
    if not any(map(_is_conditional, said.clauses)):
        return ResolvedConditions(said)
    command = join_commands(said.clauses)
    conditions = await async_condition_evaluator(hass, home, code, speaker_area, command)
    said = replace(said, clauses=tuple(_by_states(hass, said.clauses, home)))
    decided = [_decided(clause, conditions) for clause in said.clauses]
    is_met = len(decided) == 1 and not decided[0][0].times
    moments = said.clauses[0].times if is_met else ()
    return ResolvedConditions(
        replace(said, clauses=tuple(clause for clause, _ in decided)),
        met=[
            each.condition
            for before, (after, _) in zip(said.clauses, decided, strict=True)
            for each in before.times
            if not after.times
        ],
        unmet=next((shown for _, shown in decided if shown), None),
        about=tuple(
            dict.fromkeys(each for one in moments for each in conditions.find_subjects(one))
        ),
    )


def _by_states(hass: HomeAssistant, clauses: Sequence[Clause], home: Home) -> Iterator[Clause]:
    """Yield the clauses; conditions that a device's state decides depend on no answer."""
    looked: list[str] = []
    for clause in clauses:
        looked += [clause.text] if clause.act is DialogueAct.QUESTION else []
        asked = " ".join((*looked, *(each.condition for each in clause.times)))
        reads = any(each.depends_on_answer for each in clause.times)
        if not (reads and any(map(partial(_shows, hass), _named(asked, home)))):
            yield clause
            continue
        moments = (replace(each, depends_on_answer=False) for each in clause.times)
        yield replace(clause, times=tuple(moments))


def _named(text: str, home: Home) -> Iterator[Exposed]:
    """Yield the entities whose whole name is in a text."""
    said = f" {' '.join(words(text))} "
    for each in home.entities:
        if any(f" {' '.join(words(name))} " in said for name in each.names if words(name)):
            yield each


def _shows(hass: HomeAssistant, entity: Exposed) -> bool:
    """Return True if an entity's state is an enumerated value or a number, not a text."""
    if entity.domain in _READ:
        return False
    state = hass.states.get(entity.entity_id)
    is_measured = state is None or ATTR_UNIT_OF_MEASUREMENT in state.attributes
    return entity.domain != SENSOR or entity.device_class is not None or is_measured


def _is_conditional(clause: Clause) -> bool:
    """Return True if a clause applies now under a condition."""
    return bool(clause.times) and all(
        each.type in (TimeType.IF, TimeType.UNLESS) for each in clause.times
    )


def _decided(clause: Clause, conditions: ConditionEvaluator) -> tuple[Clause, Evidence | None]:
    """Return a clause without its conditions if all are met, else with the evidence against one."""
    if not _is_conditional(clause):
        return clause, None
    shown = [conditions.evaluate(each) for each in clause.times]
    met = [
        each.is_so is (moment.type is TimeType.IF) if each else None
        for each, moment in zip(shown, clause.times, strict=True)
    ]
    if all(met):
        return replace(clause, text=clause.command, times=()), None
    moments = zip(clause.times, met, strict=True)
    clause = replace(
        clause,
        times=tuple(
            replace(
                each, is_met=is_met, depends_on_answer=each.depends_on_answer and is_met is None
            )
            for each, is_met in moments
        ),
    )
    return clause, next(
        (each for each, is_met in zip(shown, met, strict=True) if is_met is False), None
    )
