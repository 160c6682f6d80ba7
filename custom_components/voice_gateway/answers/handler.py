"""Base of all handlers of questions: the view of the home, and shared helpers."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
import datetime as dt
from typing import Any, ClassVar, Final, Self

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.util import dt as dt_util

from ..home.exposed import Exposed, Home
from ..home.state_semantics import Measurement, values_of
from ..home.written_text import is_written_state
from ..languages import Language
from ..names.inflection import is_like_any
from ..names.matching import words
from ..nlu.categories import find_categories
from ..nlu.state_evaluation import ConditionEvaluator, async_condition_evaluator
from ..nlu.subject_linking import EntityFilter
from ..nlu.tokenizer import NOTHING, Text
from .phrasing import Phrasing
from .query import Query, QueryType
from .token_consumer import TokenConsumer

OF_OTHERS: Final = (
    "app_name", "changed_by", "media_album_name", "media_artist", "media_channel", "media_episode",
    "media_playlist", "media_series_title", "media_title", "source",
)  # fmt: skip
"""Attributes that may hold third-party text."""


@dataclass(frozen=True, slots=True)
class HomeAnswer:
    """An answer to a question about the home."""

    text: str
    is_ours: bool = False
    """Whether it has no third-party text, such as an item of a list, or a title."""


@dataclass(frozen=True, slots=True)
class HomeView:
    """The exposed home at the time of a question, with its language and the user's context."""

    hass: HomeAssistant
    conditions: ConditionEvaluator
    phrasing: Phrasing
    context: Context
    speaker_area: str | None
    """The id of the speaker's area; None if unknown."""
    assistant: str

    @classmethod
    async def async_of(
        cls,
        hass: HomeAssistant,
        home: Home,
        language: Language,
        *,
        context: Context | None = None,
        speaker_area: str | None = None,
        assistant: str = CONVERSATION,
    ) -> Self:
        """Return the view of a home in a language, for the user of a context."""
        context = context or Context()
        conditions = await async_condition_evaluator(
            hass, home, language.code, speaker_area, NOTHING, user_id=context.user_id
        )
        phrasing = Phrasing(hass, language, conditions.things, dt_util.now())
        return cls(hass, conditions, phrasing, context, speaker_area, assistant)

    async def async_without(self, exclusion: Text) -> HomeView | None:
        """Return the view without the entities that an exclusion refers to; None if it has none."""
        things = self.conditions.things
        # "Except the ones in the bedrooms"
        words = TokenConsumer(exclusion).without("rooms")
        areas = things.areas(words)
        gone = {*things.link(words, lambda _: True, several=True)}
        gone.update(each for each in things.home.entities if each.area in areas)
        left = tuple(each for each in things.home.entities if each not in gone)
        if not gone:
            return None
        return await HomeView.async_of(
            self.hass,
            replace(things.home, entities=left),
            self.phrasing.language,
            context=self.context,
            speaker_area=self.speaker_area,
            assistant=self.assistant,
        )

    async def async_run[*Ts, T](self, said: Text, work: Callable[[*Ts], T], *arguments: *Ts) -> T:
        """Return the result of `work` on a text; run it in a thread if it takes long."""
        if self.conditions.things.home.is_quick(said.words):
            return work(*arguments)
        return await self.hass.async_add_executor_job(work, *arguments)

    @property
    def now(self) -> dt.datetime:
        """The time of the question, in the home's time zone."""
        return self.phrasing.now


def agreed[T](values: Iterable[T]) -> T | None:
    """Return the common value; None if the values differ, or there are none."""
    found = {*values}
    return found.pop() if len(found) == 1 else None


def only(answers: Iterable[str | None]) -> str | None:
    """Return the common answer of the interpretations that have one; None if they differ."""
    return agreed(each for each in answers if each is not None)


def has_all(text: str, topic: Iterable[str]) -> bool:
    """Return True if a text contains all of some words, or forms of them."""
    known = frozenset(words(text))
    return all(is_like_any(each, known) for each in topic)


class QuestionHandler:
    """Answers one kind of question from the exposed home."""

    types: ClassVar[Collection[QueryType]] = QueryType
    """The types of queries that it may answer."""

    def __init__(self, view: HomeView) -> None:
        """Take the view of the home."""
        self._view = view
        self._hass = view.hass
        self._conditions = view.conditions
        self._things = view.conditions.things
        self._home = self._things.home
        self._phrasing = view.phrasing
        self._speaker_area = view.speaker_area
        self._unit = str(view.hass.config.units.temperature_unit)
        self._fillers = view.phrasing.language.function_words

    async def async_answer(self, query: Query) -> HomeAnswer | None:
        """Return the answer to one interpretation of a question; None if none is certain.

        Raises HomeAssistantError if a list, a calendar or a forecast can't be read.
        """
        told = await self._view.async_run(query.words, self.answer, query)
        return self.answered(told, query) if told else None

    def answer(self, query: Query) -> str | None:
        """Return the answer if it needs no I/O and has no items of lists."""
        raise NotImplementedError

    def answered(self, told: str, query: Query) -> HomeAnswer:
        """Return a HomeAnswer, which is ours if it contains no text of an entity."""
        shown = filter(None, map(self._state, self._home.entities))
        texts = (_in_words(text) for state in shown for text in _texts(state))
        is_quoted = query.type is QueryType.PLAYING or any(map(_in_words(told).count, texts))
        return HomeAnswer(told, is_ours=not is_quoted)

    def _state(self, entity: Exposed) -> State | None:
        return self._hass.states.get(entity.entity_id)

    def _of_domain(self, *domains: str) -> Sequence[Exposed]:
        return [each for each in self._home.entities if each.domain in domains]

    def measured(self, entity: Exposed, quantity: str) -> Sequence[Measurement]:
        """Return an entity's values of a quantity, measured or set."""
        state = self._state(entity)
        return [*values_of(state, quantity, self._unit)] if state else ()

    def _read(self, text: str) -> TokenConsumer:
        """Return the words of a text of the home: a name or a title."""
        return TokenConsumer(Text(text, self._phrasing.language.code))

    def _names(self, entities: Sequence[Exposed]) -> str:
        return self._phrasing.names(self._home.told_apart(entities))

    def _listed(self, form: QueryType, so: Sequence[Exposed]) -> str | None:
        """Return the names of the matching entities, their number, or whether there are any."""
        match form:
            case QueryType.WHICH:
                return self._names(so)
            case QueryType.HOW_MANY:
                return self._phrasing.count(self._home.told_apart(so))
            case QueryType.WHETHER:
                return self._phrasing.yes(bool(so), self._names(so) if so else "")
        return None

    def _content_words(self, text: str) -> Sequence[str]:
        return [word for word in words(text) if word not in self._fillers]

    def _with_names(
        self, entities: Iterable[Exposed], is_spoken: Callable[[str], bool]
    ) -> Mapping[Exposed, frozenset[str]]:
        """Return the entities of which a whole name was spoken, with its words; longest names."""
        found: dict[Exposed, frozenset[str]] = {}
        for each in entities:
            for own in map(frozenset, map(self._content_words, each.names)):
                if len(own) > len(found.get(each, ())) and all(map(is_spoken, own)):
                    found[each] = own
        most = max(map(len, found.values()), default=0)
        return {each: own for each, own in found.items() if len(own) == most}

    def _of_kind(self, subject: Text, fits: EntityFilter) -> Sequence[Exposed]:
        """Return the fitting entities that a category refers to, with or without a place."""
        kinds = find_categories(subject)
        if len({kind.domains for kind in kinds}) != 1:
            return ()
        place = {*subject.words}.union(*(kind.modifiers for kind in kinds))
        place -= self._fillers.union(*(kind.words for kind in kinds))
        areas = self._things.areas(" ".join(place))
        return [
            each
            for each in filter(fits, self._of_domain(*kinds[0].domains))
            if not place or each.area in areas
        ]

    async def _async_read(self, domain: str, service: str, **data: Any) -> Any:
        """Return the response of an action that reads. Raises HomeAssistantError if it fails."""
        return await self._hass.services.async_call(
            domain, service, data, context=self._view.context, blocking=True, return_response=True
        )


def _texts(state: State) -> list[str]:
    titles = [str(state.attributes.get(each) or "") for each in OF_OTHERS]
    is_own = is_written_state(state.domain, state.state, state.attributes)
    return [text for text in (*titles, state.state if is_own else "") if text]


def _in_words(text: str) -> str:
    """Return the words of a text with spaces around them, to be found in other words."""
    return f" {' '.join(words(text))} "
