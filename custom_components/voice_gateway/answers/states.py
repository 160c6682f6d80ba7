"""Answers about the current states of entities: which, how many, and whether."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final, NamedTuple

from homeassistant.const import STATE_OFF

from ..home.exposed import Exposed, deciding_entities
from ..home.state_semantics import percentage_quantity, state_means
from ..names.matching import words
from ..nlu.categories import find_categories
from ..nlu.conditions import StateQuery
from ..nlu.state_evaluation import EntityState
from ..nlu.subject_linking import EntityFilter
from ..nlu.tokenizer import NOTHING, Text
from .handler import QuestionHandler, only
from .query import Query, QueryType
from .token_consumer import TokenConsumer, is_room

MOST: Final = 8
"""Maximum number of entities in an answer."""
SUN: Final = ("dark", "sun_down", "sun_up")
_PEOPLE = ("home", "not_home")
_ON_OFF = ("off", "on", "running", "stopped")
_LESS = ("at_most", "below", "darker", "quieter", "slower")
_ON_BY_DOMAIN = {"cover": "open", "valve": "open"}
"""The state of an entity whose value is not zero, if that is not "on"."""
_NEVER_OF_USE = ("alarm_control_panel", "binary_sensor")
STATELESS: Final = frozenset(
    ("button", "conversation", "event", "image", "input_button", "scene", "todo")
)
"""Domains whose entities have no state that users ask for."""


class Shown(NamedTuple):
    """Entities, grouped by whether they are in the requested state."""

    so: Sequence[EntityState]
    not_so: Sequence[EntityState]
    unclear: Sequence[EntityState]


class StatesHandler(QuestionHandler):
    """Answers which entities are on, open, locked, at home, or in another state.

    - An answer names the entities, and only exposed ones.
    - There is no answer if a part of the question is not understood, or if its interpretations have
      different answers.
    - If a reference is ambiguous, the answer covers all of its entities.
    """

    def answer(self, query: Query) -> str | None:
        """Return the entities in the state, or their states."""
        said = query.words
        match query.type:
            case QueryType.WHETHER:
                return self._only(said, lambda asked: self._whether(asked, is_some=query.is_some))
            case QueryType.WHICH:
                return self._only(said, lambda asked: self._those(asked, query.type))
            case QueryType.HOW_MANY:
                found = self._only(said, lambda asked: self._those(asked, query.type))
                return found or self._total(said)
            case QueryType.WHO:
                return self._only(said, self._who) or self._at_place(said)
            case QueryType.WHERE:
                return self._where(said)
            case QueryType.STATE if query.item:
                return self._only(said, lambda asked: self._told([*chain(*self.shown(asked))]))
            case QueryType.STATE:
                return self._states(said)
            case QueryType.PLAYING:
                return self._playing(said)
        return None

    def _only(self, said: Text, answer: Callable[[StateQuery], str | None]) -> str | None:
        """Return the common answer of all interpretations of some words; None if they differ."""
        ways = (
            way for asked in self._conditions.parse_queries(said) for way in self._set_to(asked)
        )
        return only(map(answer, ways))

    def _set_to(self, asked: StateQuery) -> Iterator[StateQuery]:
        """Yield a comparison with its quantities: "over 20 percent open", "lights above half"."""
        said = TokenConsumer(asked.subject)
        if asked.limit is None or asked.quantity or asked.unit != "percent":
            yield asked
            return
        if said.says("closed"):
            return  # No entity has a percentage for how far it is closed.
        if said.says("open"):
            yield replace(asked, quantity="position", subject=said.subject)
            return
        yield asked
        for kind in find_categories(asked.subject):
            if quantity := percentage_quantity(kind.domains):
                yield replace(asked, quantity=quantity)

    # Yes-no questions

    def _whether(self, asked: StateQuery, *, is_some: bool) -> str | None:
        if is_some and not asked.count:
            asked = replace(asked, count="some")
        if asked.is_denied or asked.count == "none":
            return None  # "Isn't it open?" The meaning of "yes" depends on the language.
        if asked.meaning in SUN:
            way = self._conditions.resolve(asked)
            found = self._conditions.evaluate_interpretation(way) if way else None
            return self._phrasing.yes(found.is_so) if found else None
        shown = self.shown(asked)
        if not any(shown):
            if asked.count or asked.place:
                return None
            # "The heating", "the water": it may heat or cool, so the answer is its state, not yes.
            those = self._of_kind(asked.subject, self._conditions.fits(asked))
            return self._told([self._conditions.state_of(asked, each) for each in those])
        return (
            self._counted(shown, is_some=asked.count == "some") if asked.count else self._yes(shown)
        )

    def _yes(self, shown: Shown, *, is_any: bool = False) -> str | None:
        """Return the states, with yes or no if they agree; with `is_any`, one is enough."""
        so, not_so, unclear = shown
        if (is_any and so) or not (unclear or (so and not_so)):
            told = self._told(so or not_so)
            return told and self._phrasing.yes(bool(so), told)
        return self._told((*so, *not_so, *unclear))

    def _counted(self, shown: Shown, *, is_some: bool) -> str | None:
        """Return whether some entities, or all, are in the state."""
        so, not_so, unclear = shown
        if so and is_some:
            return self._phrasing.yes(True, self._names([each.entity for each in so]))
        if not_so and not is_some:
            return self._phrasing.yes(False, self._told(not_so) or "")
        if unclear:
            return self._told(unclear)
        told = "" if is_some else self._names([each.entity for each in so])
        return self._phrasing.yes(not is_some, told)

    # Which, how many, who

    def _those(self, asked: StateQuery, type_: QueryType) -> str | None:
        """Return the matching entities in words."""
        denied, asked = asked.is_denied, replace(asked, is_denied=False, count="")
        said = TokenConsumer(asked.subject)
        said.says("people", "devices")
        if not said.left:
            asked = replace(asked, subject=NOTHING)
        so, not_so, unclear = self.shown(asked, several=True)
        if asked.subject and not self._is_plural(asked) and len((*so, *not_so, *unclear)) == 1:
            return None  # "What's on TV?" A question for an entity does not name it.
        # It is undecided whether a lamp that is off is dim.
        is_less = asked.quantity in ("brightness", "speed", "volume") and asked.meaning in _LESS
        states = self._hass.states
        if is_less and any(states.is_state(each.entity.entity_id, STATE_OFF) for each in so):
            return None
        those = not_so if denied else so
        if unclear and not those:
            return self._told(unclear)
        return self._listed(type_, [each.entity for each in those]) if so or not_so else None

    def _total(self, said: Text) -> str | None:
        """Return the number of the devices of a kind: "how many lights are there"."""
        found = self._of_kind(TokenConsumer(said).without("inside", "total"), lambda _: True)
        return self._listed(QueryType.HOW_MANY, found) if found else None

    @staticmethod
    def _is_plural(asked: StateQuery) -> bool:
        return any(kind.is_plural for kind in find_categories(asked.subject))

    def _at_place(self, said: Text) -> str | None:
        """Return the persons at a place; None for a place without any, which may be unknown."""
        place = frozenset(TokenConsumer(said).left)
        states = ((each, self._state(each)) for each in self._of_domain("person"))
        found = [each for each, state in states if state and place == {*words(state.state)}]
        return self._names(found) if found else None

    def _who(self, asked: StateQuery) -> str | None:
        is_of_people = asked.meaning in _PEOPLE and not (asked.subject or asked.count)
        return self._those(asked, QueryType.WHICH) if is_of_people else None

    def shown(self, asked: StateQuery, *, several: bool | None = None) -> Shown:
        """Return the entities in the state, those in another one, and the undecided ones."""
        entities = deciding_entities(tuple(self.entities(asked, several=several)))
        if asked.quantity and self._is_more_on(asked, entities):
            entities = ()
        ones = [self._conditions.state_of(asked, each) for each in entities]
        return Shown(
            *([one for one in ones if one.is_so is is_so] for is_so in (True, False, None))
        )

    def _is_more_on(self, asked: StateQuery, found: Sequence[Exposed]) -> bool:
        """Return True if a further possible referent is on, but does not report the quantity."""
        domains = {each.domain for each in found}
        others = self._things.link(
            asked.subject,
            lambda each: each.domain in domains and each not in found,
            several=True,
        )
        states = (self._state(each) for each in others)
        return any(
            state and state_means(state, _ON_BY_DOMAIN.get(state.domain, "on")) for state in states
        )

    def entities(self, asked: StateQuery, *, several: bool | None = None) -> Sequence[Exposed]:
        """Return the entities that a question refers to.

        `several`: whether not all of them need to fit; None means that the words decide.
        """
        if several is None:
            several = self._is_plural(asked) or bool(asked.count)
        fits = self._conditions.fits(asked)
        if asked.limit is not None and asked.count and is_room(asked.subject):
            return ()  # "Is any room below 19 degrees?" is not about an entity named "room".
        if not asked.place and several:
            if not asked.subject:
                return self._everything(asked)
            found = self._things.link(asked.subject, fits, several=True)
            if areas := self._things.areas(asked.subject):
                # "What is on in the kitchen": not only entities with "kitchen" in their names.
                there = self._things.inside(areas, fits)
                return _of_use(asked, dict.fromkeys((*found, *there)))
            if found:
                return found
        return self._conditions.link_subject(asked) or self._locks(asked, fits)

    def _locks(self, asked: StateQuery, fits: EntityFilter) -> Sequence[Exposed]:
        """Return the locks that are named after a door in the question: "Haustürschloss"."""
        said = {*asked.subject.words} - self._fillers
        return [
            each
            for each in self._of_domain("lock")
            if said and not asked.place and fits(each)
            for name in each.names
            if any(said <= {*kind.modifiers} for kind in find_categories(asked.subject.alike(name)))
        ]

    def _everything(self, asked: StateQuery) -> Sequence[Exposed]:
        """Return all entities that can be in the state: "is anything open"."""
        if asked.limit is not None:
            return ()
        people = asked.meaning in _PEOPLE
        fitting = filter(self._conditions.fits(asked), self._home.entities)
        return _of_use(asked, [each for each in fitting if (each.domain == "person") is people])

    # States

    def _where(self, said: str) -> str | None:
        for domain in ("person", "device_tracker"):
            if found := self._things.link(said, self._of_domain(domain).__contains__):
                return self._few(found)
        return None

    def _states(self, said: str) -> str | None:
        if self._things.areas(said):
            return None  # An area alone names no entity.
        return self._few(self._things.link(said, lambda each: each.domain not in STATELESS))

    def _playing(self, said: str) -> str | None:
        """Return the titles that players report."""
        players = self._of_domain("media_player")
        meant = self._things.link(said, players.__contains__, several=True)
        if areas := self._things.areas(said):
            meant = self._things.inside(areas, players.__contains__)
        shown = [
            (each.names[0], title)
            for each in meant or ([] if words(said) else players)
            if (title := self._phrasing.title(each))
        ]
        return self._phrasing.values(shown) if 0 < len(shown) <= MOST else None

    def _few(self, found: Sequence[Exposed]) -> str | None:
        """Return the states of entities; None if they are too many, or none."""
        return self._phrasing.all_shown(found) if 0 < len(found) <= MOST else None

    def _told(self, ones: Sequence[EntityState]) -> str | None:
        """Return the states that answer a question; None if they are too many, or none."""
        if not 0 < len(ones) <= MOST:
            return None
        return self._phrasing.states(
            (
                each.entity.names[0],
                (each.state if each.is_so is not None else "") or self._phrasing.shown(each.entity),
            )
            for each in ones
        )


def _of_use(asked: StateQuery, found: Iterable[Exposed]) -> Sequence[Exposed]:
    """Return entities without those whose "on" is a detection or an armed alarm."""
    is_noticed = asked.meaning in _ON_OFF
    return [each for each in found if not (is_noticed and each.domain in _NEVER_OF_USE)]
