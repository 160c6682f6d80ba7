"""States of entities that are named in full: "what's the house mode", "is the dryer finished"."""

from collections.abc import Iterator, Sequence
from typing import Final

from homeassistant.core import State

from ..home.exposed import Exposed
from ..home.state_semantics import finite_number, state_means
from ..names.matching import words
from ..nlu.tokenizer import Text
from .change_log import ON_THE_WAY
from .handler import QuestionHandler
from .query import Query, QueryType
from .states import STATELESS
from .token_consumer import TokenConsumer

_OF_VALUES: Final = frozenset(("input_select", "input_text", "select", "sensor", "text"))
"""Domains whose state is a custom text, which is quoted."""
_MEANINGS: Final = ("done", "running", "paused", "docked", "cleaning", "mowing", "stopped")
"""Possible meanings of a custom state, by the language's lists of words."""
_NOWHERE: Final = ("unavailable", "unknown")


class NamedStateHandler(QuestionHandler):
    """Answers which state an entity with a given name has, and whether it has a given state.

    - A question for the state consists of the entity's whole name.
    - "Yes" requires the same state, or a synonym; "no" another one of its states. For any other
      word, the answer is the state alone.
    """

    types = (
        *(QueryType.VALUE, QueryType.WHICH, QueryType.HOW_MANY, QueryType.STATE),
        QueryType.WHETHER,
    )

    def answer(self, query: Query) -> str | None:
        """Return the state of the named entity, or whether it is the one in the question."""
        is_whether = query.type is QueryType.WHETHER
        return self._whether(query.words) if is_whether else self._what(query)

    def _what(self, query: Query) -> str | None:
        spoken = self._bare(query.words)
        found = [
            each
            for each in self._stating()
            # "What's on TV?" is not answered by "playing".
            if each.domain != "media_player"
            and any(
                spoken <= {*words(name)} and spoken == self._bare(query.words.alike(name))
                for name in each.names
            )
        ]
        if len(found) != 1:
            return None
        (entity,) = found
        is_number = _is_number(self._state(entity))
        if query.type is QueryType.HOW_MANY and not is_number:
            return None
        if entity.domain in _OF_VALUES or is_number:
            return self._phrasing.values([(entity.names[0], self._phrasing.shown(entity))])
        return self._phrasing.all_shown([entity])

    def _bare(self, text: Text) -> frozenset[str]:
        """Return words without those that are redundant with a value; all if these are a name."""
        said = TokenConsumer(text)
        said.says("measure")
        return frozenset(said.left or self._content_words(text))

    def _whether(self, text: Text) -> str | None:
        entity, said = self._named(text)
        state = self._state(entity) if entity else None
        if not (entity and said) or state is None or state.state in _NOWHERE:
            return None
        told = self._phrasing.all_shown([entity])
        if (is_so := self._is_so(entity, state, said)) is not None:
            return self._phrasing.yes(is_so, told)
        if entity.domain == "binary_sensor":
            return None  # "Is the balcony door broken?" has no state of the entity.
        rest = self._read(" ".join(said))
        return told if rest.says("conditions_of_things") and not rest.left else None

    def _is_so(self, entity: Exposed, state: State, said: Sequence[str]) -> bool | None:
        """Return True if a state is the one in the question; None if that is undecided."""
        if _is_number(state):
            return None
        options = state.attributes.get("options")
        listed = map(str, options) if isinstance(options, list) else ()
        states = {*listed, *self._things.states(entity.domain).values(), state.state}
        matching = [
            each
            for each in states
            if {*words(self._things.state(entity, each).replace("_", " "))} == {*said}
        ]
        if entity.domain == "lock":
            # A locked door may stand open; a lock is "open" if it is unlatched.
            return state.state in matching if ON_THE_WAY.intersection(matching) else None
        if matching:
            return state.state in matching
        shown = self._things.state(entity, state.state).replace("_", " ")
        now, asked = self._meanings(shown), self._meanings(" ".join(said))
        if not (now and asked):
            return None
        # A docked vacuum is done.
        return bool(now & asked) or any(state_means(state, each) for each in asked)

    def _meanings(self, text: str) -> frozenset[str]:
        said = self._read(text)
        return frozenset(
            meaning
            for meaning in _MEANINGS
            for table in ("state_phrases", "event_verbs")
            if said.whole and said.tokens(f"{table}.{meaning}") == said.whole
        )

    def _named(self, text: Text) -> tuple[Exposed | None, Sequence[str]]:
        """Return the only entity whose whole name occurs, and the other words."""
        spoken = TokenConsumer(text).left
        best = self._with_names(self._stating(), {*spoken}.__contains__)
        if len(best) == 1:
            ((entity, own),) = best.items()
            area = self._home.areas.get(entity.area)
            gone = own.union(words(area.name) if area else ())
            return entity, [word for word in spoken if word not in gone]
        # The only entity of a category that refers to it: the vacuum, the robot.
        stating = {*self._stating()}
        by_word = {word: self._things.link(word, stating.__contains__) for word in {*spoken}}
        entities = {each for meant in by_word.values() for each in meant}
        if len(entities) != 1:
            return None, ()
        return entities.pop(), [word for word in spoken if not by_word[word]]

    def _stating(self) -> Iterator[Exposed]:
        return (each for each in self._home.entities if each.domain not in STATELESS)


def _is_number(state: State | None) -> bool:
    return state is not None and finite_number(state.state) is not None
