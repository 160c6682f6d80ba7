"""What a home shows of what a condition asks: "the garage door is open".

A condition is understood only where every one of its words is: those of a state or of a number, those
that say nothing, and for the rest the name, the place or the kind of what it asks about. Where
there is more than one way to understand it, or more than one device that may be meant, all of
them have to agree; else nothing is certain.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from astral.sun import elevation  # type: ignore[import-untyped]
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import sun
from homeassistant.helpers.translation import async_get_translations
from homeassistant.util.dt import utcnow

from ..home.exposed import Exposed, Home
from ..languages import Language, language_of
from ..names.matching import words
from .asked import Asked, asked_by, spans
from .attributes import SET, attributes
from .line import Line
from .meant import Meant
from .said import Kind, Moment
from .shown import Measured, can_mean, means, measured
from .templates import templates
from .things import Fits, Things, load

_NIGHT = -6.0  # degrees that the sun is below the horizon where it is certainly dark
_DAY = 6.0  # degrees above it where it is certainly not
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
"""What is compared by words that say so: "brighter than"."""
_COMPARED: Mapping[str, Callable[[float, float], bool]] = {
    "above": lambda value, limit: value > limit,
    "at_least": lambda value, limit: value >= limit,
    "at_most": lambda value, limit: value <= limit,
    "below": lambda value, limit: value < limit,
    "brighter": lambda value, limit: value > limit,
    "darker": lambda value, limit: value < limit,
    "louder": lambda value, limit: value > limit,
    "quieter": lambda value, limit: value < limit,
    "faster": lambda value, limit: value > limit,
    "slower": lambda value, limit: value < limit,
    "colder": lambda value, limit: value < limit,
    "warmer": lambda value, limit: value > limit,
}


@dataclass(frozen=True, slots=True)
class Shown:
    """What is so, and the entity whose state decides it, if one does."""

    is_so: bool
    name: str = ""
    state: str = ""
    """Its state, or the number that it shows, in the language that was spoken."""


@dataclass(frozen=True, slots=True)
class One:
    """What an entity shows of what is asked."""

    is_so: bool | None
    entity: Exposed
    state: str


@dataclass(frozen=True, slots=True)
class Way:
    """A way to understand a condition in a home."""

    asked: Asked
    entities: tuple[Exposed, ...]
    """Those that it asks about: several where it is not said which, none for the sun."""


class Conditions:
    """What a home shows of the conditions that are spoken in a language."""

    def __init__(
        self,
        hass: HomeAssistant,
        language: Language,
        things: Things,
        speaker_area: str | None,
        *,
        command: Meant,
        user_id: str | None,
    ) -> None:
        """Take the home, the area where the speaker is, what is to be done, and who said so."""
        self._hass = hass
        self._user_id = user_id
        self._language = language
        self.things = things
        self._command = command
        self._areas = {"here": frozenset(filter(None, (speaker_area,))), "there": command.areas}
        self._unit = hass.config.units.temperature_unit

    def shown(self, moment: Moment) -> Shown | None:
        """Return what is shown of the condition of IF or UNLESS; None where that is not certain."""
        is_exception = moment.kind is Kind.UNLESS
        found = [self.answer(way) for way in self.ways(moment.condition, is_exception=is_exception)]
        return found[0] if len({each and each.is_so for each in found}) == 1 else None

    def about(self, moment: Moment) -> Sequence[Exposed]:
        """Return what the condition of IF or UNLESS is about, however it is understood."""
        ways = self.ways(moment.condition, is_exception=moment.kind is Kind.UNLESS)
        return [each for way in ways for each in way.entities]

    def ways(
        self, words: str, *, is_exception: bool = False, may_happen: bool = False
    ) -> Sequence[Way]:
        """Return the ways to understand a condition, less those that nothing here shows.

        `is_exception`: it follows "unless"; `may_happen`: it may be an event as well.
        """
        every = [*self.asked(words, is_exception=is_exception, may_happen=may_happen)]
        if is_exception and any(each.is_denied or each.count == "none" for each in every):
            return ()  # "A meno che non ci sia nessuno": it may be said twice, and meant once
        return [way for asked in every if (way := self.way(asked))]

    def answer(self, way: Way) -> Shown | None:
        """Return what is shown of one way now, None where that is uncertain."""
        asked = way.asked
        if asked.meaning in _SUN:
            return self._sun(asked)
        return _counted([self.one(asked, entity) for entity in way.entities], asked)

    def asked(
        self,
        words: str,
        *,
        is_exception: bool = False,
        may_happen: bool = False,
        has_happened: bool = False,
    ) -> Iterator[Asked]:
        """Yield the ways to understand a condition by its words alone."""
        names = self.things.home.names_of_entities
        for asked in asked_by(
            words,
            self._language,
            names,
            is_exception=is_exception,
            may_happen=may_happen,
            has_happened=has_happened,
        ):
            if asked.limit is not None:
                # Nothing tells when a lamp becomes brighter than that.
                yield from () if may_happen else self._set_to(asked)
                if asked.meaning in _BY_MEANING:
                    continue
            # "There is motion": several sensors need not all see it.
            if asked.meaning == "motion" and not asked.count:
                count = "none" if asked.is_denied else "some"
                yield replace(asked, count=count, is_denied=False)
            else:
                yield asked

    def _set_to(self, asked: Asked) -> Iterator[Asked]:
        """Yield a comparison with what something is set to: its words say what that is."""
        if quantity := _BY_MEANING.get(asked.meaning):
            yield replace(asked, quantity=quantity)
            return
        known = templates(self._language.code)
        line = Line.of(asked.subject)
        for quantity in SET:
            found = spans(line, known.quantities.get(quantity, ()))
            gone = {each for first, end in found.items() for each in range(first, end)}
            if gone:
                subject = line.spoken(each for each in range(len(line.tokens)) if each not in gone)
                says_nothing = {*words(subject)} <= self._language.fillers
                yield replace(asked, quantity=quantity, subject="" if says_nothing else subject)

    def way(self, asked: Asked) -> Way | None:
        """Return a way with what shows it; None where nothing does."""
        if asked.meaning in _SUN:
            is_alone = not (asked.subject or asked.count or asked.place not in ("", "outside"))
            return Way(asked, ()) if is_alone else None
        if meaning := _OF_SPEAKER.get(asked.meaning):
            speaker = None if asked.subject or asked.place else self._speaker()
            return Way(replace(asked, meaning=meaning), (speaker,)) if speaker else None
        entities = tuple(self.asked_about(asked))
        if asked.meaning == "reaches":
            asked = replace(asked, meaning=self._direction(asked, entities))
        return Way(asked, entities) if entities else None

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

    def _direction(self, asked: Asked, entities: Sequence[Exposed]) -> str:
        """Return how a number compares once it has reached a limit: from below, or from above."""
        states = (self._hass.states.get(each.entity_id) for each in entities)
        found = [each.value for state in states if state for each in self._measured(asked, state)]
        limit = asked.limit or 0.0
        is_above = any(value is not None and value > limit for value in found)
        return "at_most" if is_above else "at_least"

    def asked_about(self, asked: Asked) -> Sequence[Exposed]:
        """Return the entities that are asked about: several where it is not said which."""
        fits = self.fits(asked)
        things, subject = self.things, asked.subject
        meant = things.meant(subject, fits)
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
            return self._command.aims_at(filter(fits, things.home.entities))
        return ()

    def _there(self, place: str, fits: Fits) -> Sequence[Exposed]:
        if place == "outside":
            return self.things.outdoors(fits)
        return self.things.inside(self._areas[place], fits)

    def fits(self, asked: Asked) -> Fits:
        """Return what tells whether an entity can show what is asked."""
        return partial(self._fits, asked)

    def one(self, asked: Asked, entity: Exposed) -> One:
        """Return what an entity shows now of what is asked."""
        return (self._state if asked.limit is None else self._compared)(asked, entity)

    def _fits(self, asked: Asked, entity: Exposed) -> bool:
        """Tell whether an entity can show what is asked."""
        if asked.limit is None:
            return can_mean(entity.domain, entity.device_class, asked.meaning)
        state = self._hass.states.get(entity.entity_id)
        return bool(state and [*self._measured(asked, state)])

    def _measured(self, asked: Asked, state: State) -> Iterator[Measured]:
        """Yield the numbers of an entity that may be asked about."""
        if asked.quantity:
            for each in attributes(state, asked.quantity, self._unit):
                if asked.unit in ("", "percent" if each.is_percentage else "degrees"):
                    yield each
            return
        is_warmth = asked.meaning in _WARMTH or asked.unit == "degrees"
        for each in measured(state, self._unit):
            if is_warmth and not (each.is_temperature and each.quantity == "temperature"):
                continue
            if asked.unit == "percent" and not each.is_percentage:
                continue
            # "The thermostat is above 20": it may be what it is set to.
            if (
                state.domain == "sensor"
                or asked.meaning in _WARMTH
                or self.things.speaks_of(asked.subject, each.quantity)
            ):
                yield each

    def _state(self, asked: Asked, entity: Exposed) -> One:
        state = self._hass.states.get(entity.entity_id)
        is_so = means(state, asked.meaning) if state else None
        return One(is_so, entity, self.things.state(entity, state.state) if state else "")

    def _compared(self, asked: Asked, entity: Exposed) -> One:
        state = self._hass.states.get(entity.entity_id)
        found = [*self._measured(asked, state)] if state else []
        if len(found) != 1 or asked.limit is None or (value := found[0].value) is None:
            return One(None, entity, "")
        is_so = compares(asked.meaning, value, asked.limit)
        return One(is_so, entity, f"{value:g} {found[0].unit}".strip())

    def _sun(self, asked: Asked) -> Shown | None:
        """Return what the sun does, which needs no entity."""
        now = utcnow()
        if asked.meaning != "dark":
            is_so = sun.is_up(self._hass, now) == (asked.meaning == "sun_up")
            return Shown(is_so is not asked.is_denied)
        degrees = elevation(sun.get_astral_observer(self._hass), now)
        if _NIGHT < degrees < _DAY:
            return None
        return Shown((degrees <= _NIGHT) is not asked.is_denied)


def compares(meaning: str, value: float, limit: float) -> bool:
    """Tell whether a number compares with a limit as it is said: "above", "colder"."""
    return _COMPARED[meaning](value, limit)


def _counted(ones: Sequence[One], asked: Asked) -> Shown | None:
    """Return what several entities show together; None where they do not tell."""
    so, not_so, unclear = (
        [each for each in ones if each.is_so is is_so] for is_so in (True, False, None)
    )
    if asked.count and asked.is_denied:
        return None  # "not all", "not any", "no one is not": it depends on how it was said
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


def _shown(is_so: bool, one: One) -> Shown:
    return Shown(is_so, one.entity.names[0], one.state)


async def async_conditions(
    hass: HomeAssistant,
    home: Home,
    code: str,
    speaker_area: str | None,
    command: str,
    *,
    user_id: str | None = None,
) -> Conditions:
    """Return what a home shows, of conditions that are spoken in a language.

    Args:
        hass: where the states are.
        home: what is exposed.
        code: the language's code as `languages` has it.
        speaker_area: the id of the area where the speaker is, if that is known.
        command: the words for what is to be done.
        user_id: the id of the user who speaks, if that is known.
    """
    await hass.async_add_executor_job(load, code)
    translations = await async_get_translations(hass, code, "entity_component", home.domains)
    language = language_of(code)
    things = Things(home, language, translations, speaker_area)
    meant = Meant(command, code, home, speaker_area)
    return Conditions(hass, language, things, speaker_area, command=meant, user_id=user_id)
