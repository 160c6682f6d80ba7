"""Something that is asked about by its own name: "what's the house mode", "is the dryer finished"."""

from collections.abc import Iterator, Sequence
from typing import Final

from homeassistant.core import State

from ..home.exposed import Exposed
from ..home.state_semantics import state_means
from ..names.matching import words
from ..nlu.tokenizer import Text
from .change_log import ON_THE_WAY
from .handler import QuestionHandler
from .phrasing import finite
from .query import Query, QueryType
from .states import STATELESS
from .token_consumer import TokenConsumer

_OF_VALUES: Final = frozenset(("input_select", "input_text", "select", "sensor", "text"))
"""What shows a text of its own: told as it is written."""
_MEANINGS: Final = ("done", "running", "paused", "docked", "cleaning", "mowing", "stopped")
"""What a state of somebody's own may mean, by the language's words for it."""
_NOWHERE: Final = ("unavailable", "unknown")


class NamedStateHandler(QuestionHandler):
    """Answers what the state of something is whose name was said, and whether it is as somebody says.

    - Who asks what something is says its whole name, and nothing else.
    - A yes needs the very state, or one that means the same; a no, one of its other states. Of all
      else that is said of a state, the state is told, with no yes and no no.
    """

    def answer(self, query: Query) -> str | None:
        """Return the answer to one way to understand a question; None where nothing is certain."""
        match query.type:
            case QueryType.VALUE | QueryType.WHICH | QueryType.HOW_MANY | QueryType.STATE:
                return self._what(query)
            case QueryType.WHETHER:
                return self._whether(query.words)
        return None

    # What it is

    def _what(self, query: Query) -> str | None:
        spoken = self._bare(query.words)
        found = [
            each
            for each in self._stating()
            # "What's on TV?" That it plays is no answer.
            if each.domain != "media_player"
            and any(
                spoken & {*words(name)} and spoken == self._bare(query.words.alike(name))
                for name in each.names
            )
        ]
        if len(found) != 1:
            return None
        (entity,) = found
        state = self._state(entity)
        if query.type is QueryType.HOW_MANY and (not _is_number(state)):
            return None
        if entity.domain in _OF_VALUES or _is_number(state):
            return self._phrasing.values([(entity.names[0], self._phrasing.shown(entity))])
        return self._phrasing.all_shown([entity])

    def _bare(self, text: Text) -> frozenset[str]:
        """Return words without those that say nothing beside a value; all where these are a name."""
        said = TokenConsumer(text)
        said.says("measure")
        own = [each for each in text.words if each not in self._fillers]
        return frozenset(said.left or own)

    # Whether it is so

    def _whether(self, text: Text) -> str | None:
        if (named := self._named(text)) is None:
            return None
        entity, said = named
        state = self._state(entity)
        if not said or state is None or state.state in _NOWHERE:
            return None
        told = self._phrasing.all_shown([entity])
        if (is_so := self._is_so(entity, state, said)) is not None:
            return self._phrasing.yes(is_so, told)
        if entity.domain == "binary_sensor":
            return None  # "Is the balcony door broken?"
        rest = self._read(" ".join(said))
        return told if rest.says("conditions_of_things", "too") and not rest.left else None

    def _is_so(self, entity: Exposed, state: State, said: Sequence[str]) -> bool | None:
        """Return True if a state is what words say; None where it is neither."""
        if _is_number(state):
            return None
        matching = [
            each
            for each in self._states(entity, state)
            if {*words(self._things.state(entity, each).replace("_", " "))} == {*said}
        ]
        if entity.domain == "lock":
            # A door that is locked may stand open; a lock is open where it is unlatched.
            return state.state in matching if ON_THE_WAY.intersection(matching) else None
        if matching:
            return state.state in matching
        shown = self._things.state(entity, state.state).replace("_", " ")
        now, asked = self._meanings(shown), self._meanings(" ".join(said))
        if not (now and asked):
            return None
        # A vacuum in its dock is done.
        return bool(now & asked) or any(state_means(state, each) for each in asked)

    def _states(self, entity: Exposed, state: State) -> Sequence[str]:
        """Return the states that something may be in."""
        own = state.attributes.get("options")
        listed = own if isinstance(own, list) else ()
        return [*{*map(str, listed), *self._things.states(entity.domain).values(), state.state}]

    def _meanings(self, text: str) -> frozenset[str]:
        said = self._read(text)
        return frozenset(
            meaning
            for meaning in _MEANINGS
            for table in ("state_phrases", "event_verbs")
            if said.whole and said.tokens(f"{table}.{meaning}") == said.whole
        )

    def _named(self, text: Text) -> tuple[Exposed, Sequence[str]] | None:
        """Return the one thing whose whole name was said, and the words that are left."""
        spoken = TokenConsumer(text).left
        found: dict[Exposed, frozenset[str]] = {}
        for each in self._stating():
            for name in each.names:
                own = frozenset(word for word in words(name) if word not in self._fillers)
                if own and own <= {*spoken} and len(own) > len(found.get(each, ())):
                    found[each] = own
        most = max(map(len, found.values()), default=0)
        best = [each for each, own in found.items() if len(own) == most]
        if len(best) != 1:
            return self._only(spoken)
        (entity,) = best
        area = self._home.areas.get(entity.area)
        place = frozenset(words(area.name)) if area else frozenset()
        left = [word for word in spoken if word not in found[entity] | place]
        return entity, left

    def _only(self, spoken: Sequence[str]) -> tuple[Exposed, Sequence[str]] | None:
        """Return the only one of a kind that is named by it: the vacuum, the robot."""
        by_word = {
            word: self._things.link(word, lambda each: each.domain not in STATELESS)
            for word in dict.fromkeys(spoken)
        }
        kinds = {word: found for word, found in by_word.items() if found}
        entities = {each for found in kinds.values() for each in found}
        if len(entities) != 1:
            return None
        return entities.pop(), [word for word in spoken if word not in kinds]

    def _stating(self) -> Iterator[Exposed]:
        return (each for each in self._home.entities if each.domain not in STATELESS)


def _is_number(state: State | None) -> bool:
    return state is not None and finite(state.state) is not None
