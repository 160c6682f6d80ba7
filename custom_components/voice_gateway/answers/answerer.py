"""The answer to a question about the home, without a model."""

from dataclasses import replace
from typing import Final

from homeassistant.core import Context, HomeAssistant, State

from ..home.exposed import Home
from ..languages import language_of
from ..names.matching import words
from ..nlu.tokenizer import Text
from .aggregates import AggregateHandler, ComparisonHandler, RoomsHandler
from .almanac import AlmanacHandler
from .calendar import CalendarHandler, EngagementHandler
from .compiler import past_query, present_queries, query_ahead
from .deeds import DeedHandler
from .detections import DetectionHandler, PresenceHandler, UpdatesHandler
from .handler import HomeAnswer, HomeView, agreed, only
from .history.measurements import MeasurementHistory
from .history.recorder_reader import HistoryUnavailable
from .history.states import StateHistoryHandler
from .named_states import NamedStateHandler
from .phrasing import begun
from .provenance import CauseHandler
from .query import QueryType
from .settings import OF_OTHERS, SettingsHandler
from .states import StatesHandler
from .todo import NeedsHandler, TodoHandler
from .token_consumer import TokenConsumer
from .values import ValuesHandler
from .weather import WeatherHandler

_LONGEST: Final = 300
"""Characters of a sentence that may be such a question; a longer one is something else."""
_TEXT: Final = 3
"""Words from which on a state is a text that somebody wrote."""
_NOW: Final = (
    ComparisonHandler,
    ValuesHandler,
    PresenceHandler,
    DetectionHandler,
    AggregateHandler,
    RoomsHandler,
    UpdatesHandler,
    StatesHandler,
    WeatherHandler,
    DeedHandler,
    SettingsHandler,
    NamedStateHandler,
)
"""What tells what is so now: the first that has an answer to a way to understand a question."""
_PAST: Final = (MeasurementHistory, StateHistoryHandler)
_AHEAD: Final = (
    WeatherHandler,
    AlmanacHandler,
    NeedsHandler,
    CalendarHandler,
    EngagementHandler,
)
"""What tells what is to come, in the same order."""


_NAMED: Final = (WeatherHandler, AlmanacHandler, CalendarHandler)
"""What tells what of that is only named."""


async def async_answer(
    hass: HomeAssistant,
    text: Text,
    language: str,
    home: Home,
    *,
    is_question: bool = True,
    is_named: bool = False,
    speaker_area: str | None,
    context: Context,
) -> HomeAnswer | None:
    """Return the answer to a question about the home; None where nothing is certain.

    Only what is exposed is told, and all words of a question have to be understood.

    Args:
        hass: where the states are.
        text: a sentence.
        language: that in which it was spoken.
        home: what is exposed.
        is_question: whether the sentence is known to ask something.
        is_named: whether it may only say what is to be told: "the humidity", "show me the weather".
        speaker_area: the id of the area where the speaker is, if that is known.
        context: of the user who speaks.
    """
    known = language_of(language)
    if not known.questions or len(text) > _LONGEST:
        return None
    view = await HomeView.async_of(hass, home, known, context=context, speaker_area=speaker_area)
    if is_question and (found := await _async_asked(view, text)):
        return found
    if not is_named:
        return None
    return await _async_now(view, text, is_question=False) or await _async_named(view, text)


async def _async_asked(view: HomeView, text: Text) -> HomeAnswer | None:
    """Return the answer to a question, by what it is about: causes, oversights, the past, now, times to come."""
    if why := await CauseHandler(view).async_answer(text):
        return HomeAnswer(why, is_ours=True)
    deeds = DeedHandler(view)
    if deeds.is_forgotten(text):
        return HomeAnswer(told, is_ours=True) if (told := deeds.answer_forgotten(text)) else None
    # Where nothing is recorded, how it is now tells at least that: "did I lock the door?"
    is_recorded = "recorder" in view.hass.config.components
    if is_recorded and (was := await _async_past(view, text)):
        return was
    return (
        await _async_now(view, text)
        or (None if is_recorded else await _async_past(view, text))
        or await _async_ahead(view, text)
    )


async def _async_past(view: HomeView, text: Text) -> HomeAnswer | None:
    """Return the answer to a question about what was so.

    Where there is no recorder, the answer is that nothing is recorded.
    """
    if (query := past_query(text, view.now)) is None:
        return None
    try:
        answer = only([await each(view).async_answer(query) for each in _PAST])
    except HistoryUnavailable:
        return None
    if not answer:
        return None
    told, home = begun(answer), view.conditions.things.home
    return HomeAnswer(told, is_ours=not _quotes(view.hass, home, told))


async def _async_now(view: HomeView, text: Text, *, is_question: bool = True) -> HomeAnswer | None:
    """Return the answer that the surest ways to understand a question have in common."""
    handlers = [each(view) for each in _NOW]
    answers: dict[int, dict[str, HomeAnswer]] = {}
    for query in present_queries(text, is_question=is_question):
        if query.certainty < max(answers, default=0):
            break
        if items := await TodoHandler(view).async_answer(query):
            found = HomeAnswer(items)
        elif told := next(filter(None, (each.answer(query) for each in handlers)), None):
            is_quoted = query.type is QueryType.PLAYING
            home = view.conditions.things.home
            found = HomeAnswer(told, not (is_quoted or _quotes(view.hass, home, told)))
        else:
            continue
        answers.setdefault(query.certainty, {}).setdefault(found.text, found)
    return agreed(answers.get(max(answers, default=0), {}).values())


async def _async_ahead(view: HomeView, text: Text) -> HomeAnswer | None:
    """Return the answer to a question about what is to come: weather, sun, lists, calendars."""
    if (query := query_ahead(text, view.now)) is None:
        return None
    for handler in _AHEAD:
        if found := await handler(view).async_answer(query):
            return found
    return None


async def _async_named(view: HomeView, text: Text) -> HomeAnswer | None:
    """Return what of a time to come is only named: the weather, the sun, a calendar."""
    query = query_ahead(text, view.now)
    if query is None:
        return None
    said = TokenConsumer(query.words)
    said.says("around", "shows")
    query = replace(query, type=QueryType.SHOWN, words=said.subject)
    for handler in _NAMED:
        if found := await handler(view).async_answer(query):
            return found
    return None


def _quotes(hass: HomeAssistant, home: Home, answer: str) -> bool:
    """Return True if an answer has a text in it that an entity shows."""
    said = answer.casefold()
    shown = (state for each in home.entities if (state := hass.states.get(each.entity_id)))
    return any(text.casefold() in said for state in shown for text in _texts(state))


def _texts(state: State) -> list[str]:
    titles = [str(state.attributes.get(each) or "") for each in OF_OTHERS]
    own = [state.state] if len(words(state.state)) >= _TEXT else []
    return [text for text in (*titles, *own) if text]
