"""What all answers to questions about the home have at hand: the home, its words, and who asks."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
import datetime as dt
from typing import Any, ClassVar, Final, Self

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import dt as dt_util

from ..home.exposed import Exposed, Home
from ..home.state_semantics import Measurement, values_of
from ..languages import Language
from ..names.inflection import is_like_any
from ..names.matching import words
from ..nlu.categories import find_categories
from ..nlu.state_evaluation import ConditionEvaluator, async_condition_evaluator
from ..nlu.subject_linking import EntityFilter
from ..nlu.tokenizer import NOTHING, Text
from .history.recorder_reader import RecorderReader
from .phrasing import Phrasing
from .query import Query, QueryType
from .token_consumer import TokenConsumer

TEXT: Final = 3
"""Words from which on a state is a text that somebody wrote."""
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
    """Whether nothing in it is a text of others: no item of a list, no title."""


@dataclass(frozen=True, slots=True)
class HomeView:
    """The exposed home at the moment of a question, the words to tell of it, and who asks."""

    hass: HomeAssistant
    conditions: ConditionEvaluator
    phrasing: Phrasing
    context: Context
    speaker_area: str | None
    """The id of the area where the speaker is, if that is known."""
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

    async def async_run[*Ts, T](self, said: Text, work: Callable[[*Ts], T], *arguments: *Ts) -> T:
        """Return what is worked out of a text: in a thread where that takes long."""
        if self.conditions.things.home.is_quick(said.words):
            return work(*arguments)
        return await self.hass.async_add_executor_job(work, *arguments)

    @property
    def now(self) -> dt.datetime:
        """When it was asked, by the home's clock."""
        return self.phrasing.now


def agreed[T](values: Iterable[T]) -> T | None:
    """Return the value that all of some are; None where they differ, or there are none."""
    found = {*values}
    return found.pop() if len(found) == 1 else None


def only(answers: Iterable[str | None]) -> str | None:
    """Return the answer that all ways to understand a question have, where there is one."""
    return agreed(each for each in answers if each is not None)


def has_all(text: str, topic: Iterable[str]) -> bool:
    """Return True if all of some words, or forms of them, are in a text."""
    known = frozenset(words(text))
    return all(is_like_any(each, known) for each in topic)


class QuestionHandler:
    """Answers one kind of question, from the home as the agent sees it."""

    types: ClassVar[Collection[QueryType]] = QueryType
    """The types of queries that it may answer."""

    def __init__(self, view: HomeView) -> None:
        """Take the home and the words for an answer."""
        self._view = view
        self._hass = view.hass
        self._conditions = view.conditions
        self._things = view.conditions.things
        self._home = self._things.home
        self._phrasing = view.phrasing
        self._recorded = RecorderReader(view.hass)
        self._speaker_area = view.speaker_area
        self._unit = str(view.hass.config.units.temperature_unit)
        self._fillers = view.phrasing.language.function_words

    async def async_answer(self, query: Query) -> HomeAnswer | None:
        """Return the answer to one way to understand a question; None where nothing is certain."""
        told = await self._view.async_run(query.words, self.answer, query)
        return self.answered(told, query) if told else None

    def answer(self, query: Query) -> str | None:
        """Return the same where nothing has to be read for it, and no item of a list is in it."""
        raise NotImplementedError

    def answered(self, told: str, query: Query) -> HomeAnswer:
        """Return an answer, which is ours if no text that an entity shows is in it."""
        shown = filter(None, map(self._state, self._home.entities))
        texts = (text.casefold() for state in shown for text in _texts(state))
        is_quoted = query.type is QueryType.PLAYING or any(map(told.casefold().count, texts))
        return HomeAnswer(told, is_ours=not is_quoted)

    def _state(self, entity: Exposed) -> State | None:
        return self._hass.states.get(entity.entity_id)

    def _of_domain(self, *domains: str) -> Sequence[Exposed]:
        return [each for each in self._home.entities if each.domain in domains]

    def measured(self, entity: Exposed, quantity: str) -> Sequence[Measurement]:
        """Return the numbers that an entity shows of a quantity: as it measures it, or is set to it."""
        state = self._state(entity)
        return [*values_of(state, quantity, self._unit)] if state else ()

    def _read(self, text: str) -> TokenConsumer:
        """Return the words of what stands in the home: a name or a title."""
        return TokenConsumer(Text(text, self._phrasing.language.code))

    def _listed(self, form: QueryType, so: Sequence[Exposed]) -> str | None:
        """Return which entities are as asked, how many, or whether any is."""
        names = self._home.told_apart(so)
        match form:
            case QueryType.WHICH:
                return self._phrasing.names(names)
            case QueryType.HOW_MANY:
                return self._phrasing.count(names)
            case QueryType.WHETHER:
                return self._phrasing.yes(bool(so), self._phrasing.names(names) if so else "")
        return None

    def _of_kind(self, subject: Text, fits: EntityFilter) -> Sequence[Exposed]:
        """Return what fits of what is called by its kind alone, or by that and its place: the heating."""
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
        """Return the response of an action that reads; None where it fails."""
        try:
            return await self._hass.services.async_call(
                domain,
                service,
                data,
                context=self._view.context,
                blocking=True,
                return_response=True,
            )
        except HomeAssistantError:
            return None


def _texts(state: State) -> list[str]:
    titles = [str(state.attributes.get(each) or "") for each in OF_OTHERS]
    own = [state.state] if len(words(state.state)) >= TEXT else []
    return [text for text in (*titles, *own) if text]
