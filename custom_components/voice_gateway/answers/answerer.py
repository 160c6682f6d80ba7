"""Answer questions about the home without a model."""

from collections.abc import Sequence
from typing import Final

from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError

from ..const import LOGGER
from ..home.exposed import Home
from ..languages import language_of
from ..languages.dates import begun
from ..nlu.tokenizer import Text
from .aggregates import AggregateHandler, ComparisonHandler, RoomsHandler
from .almanac import AlmanacHandler
from .calendar import CalendarHandler
from .compiler import past_query, present_queries, query_ahead
from .deeds import DeedHandler
from .detections import DetectionHandler, PresenceHandler
from .handler import HomeAnswer, HomeView, QuestionHandler, agreed, only
from .history.measurements import MeasurementHistory
from .history.recorder import HistoryUnavailable
from .history.states import StateHistoryHandler
from .named_states import NamedStateHandler
from .provenance import CauseHandler
from .query import Query
from .settings import SettingsHandler
from .states import StatesHandler
from .todo import TodoHandler
from .values import ValuesHandler
from .weather import WeatherHandler

_LONGEST: Final = 300
"""Maximum characters of such a question."""
_NOW: Final = (
    TodoHandler,
    ComparisonHandler,
    ValuesHandler,
    PresenceHandler,
    DetectionHandler,
    AggregateHandler,
    RoomsHandler,
    StatesHandler,
    WeatherHandler,
    DeedHandler,
    SettingsHandler,
    NamedStateHandler,
)
"""Handlers for the present, in order: the first one with an answer to an interpretation counts."""
_PAST: Final = (MeasurementHistory, StateHistoryHandler)
_AHEAD: Final = (
    WeatherHandler,
    AlmanacHandler,
    TodoHandler,
    CalendarHandler,
)
"""Handlers for the future, in order."""


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
    """Return the answer to a question about the home; None if none is certain.

    An answer only has exposed entities, and requires that all words of the question are understood.

    Args:
        hass: the Home Assistant instance with the states.
        text: the utterance, in `language`.
        language: the language code.
        home: the exposed entities.
        is_question: whether the utterance is certainly a question.
        is_named: whether it may consist of its subject: "the humidity", "show me the weather".
        speaker_area: the id of the speaker's area; None if unknown.
        context: the user's context.
    """
    known = language_of(language)
    if not (known.questions and (is_question or is_named)) or len(text) > _LONGEST:
        return None
    view = await HomeView.async_of(hass, home, known, context=context, speaker_area=speaker_area)
    found = await _async_asked(view, text) if is_question else None
    if is_named and not found:
        found = await _async_now(view, text, is_question=False)
        found = found or await _async_ahead(view, text, is_question=False)
    return found


async def _async_asked(view: HomeView, text: Text) -> HomeAnswer | None:
    """Return the answer to a question about causes, oversights, the past, the present or later."""
    if why := await CauseHandler(view).async_cause(text):
        return HomeAnswer(why, is_ours=True)
    if (forgotten := DeedHandler(view).forgotten(text)) is not None:
        return HomeAnswer(forgotten, is_ours=True) if forgotten else None
    was = await _async_past(view, text)
    # Without a recorder, the current state helps more: "did I lock the door?"
    if was and "recorder" in view.hass.config.components:
        return was
    return await _async_now(view, text) or was or await _async_ahead(view, text)


async def _async_past(view: HomeView, text: Text) -> HomeAnswer | None:
    """Return the answer to a question about the past; without a recorder, that it has no data."""
    if (query := await view.async_run(text, past_query, text, view.now)) is None:
        return None
    handlers = [each(view) for each in _PAST]
    try:
        answer = only([await each.async_told(query) for each in handlers])
    except HistoryUnavailable:
        return None
    return handlers[0].answered(begun(answer), query) if answer else None


async def _async_now(view: HomeView, text: Text, *, is_question: bool = True) -> HomeAnswer | None:
    """Return the answer on which the most certain interpretations of a question agree."""
    answers: dict[str, HomeAnswer] = {}
    certainty = 0
    for query in present_queries(text, is_question=is_question):
        if answers and query.certainty < certainty:
            break
        left = await view.async_without(query.exclusion) if query.exclusion else view
        if left and (found := await _async_first(left, query, _NOW)):
            answers.setdefault(found.text, found)
            certainty = query.certainty
    return agreed(answers.values())


async def _async_ahead(
    view: HomeView, text: Text, *, is_question: bool = True
) -> HomeAnswer | None:
    """Return the answer to a question about the future: weather, sun, lists, calendars."""
    query = query_ahead(text, view.now, is_question=is_question)
    return await _async_first(view, query, _AHEAD) if query else None


async def _async_first(
    view: HomeView, query: Query, handlers: Sequence[type[QuestionHandler]]
) -> HomeAnswer | None:
    """Return the answer of the first handler that has one."""
    for each in handlers:
        try:
            if query.type in each.types and (found := await each(view).async_answer(query)):
                return found
        except HomeAssistantError as err:
            LOGGER.debug("Not answered, as a read failed: %r", err)
    return None
