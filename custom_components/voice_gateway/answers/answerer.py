"""The answer to a question about the home, without a model."""

from dataclasses import dataclass

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.util import dt as dt_util

from ..home.exposed import Home, calendars
from ..languages import language_of
from ..names.matching import words
from ..nlu.phrase_patterns import patterns_of
from ..nlu.state_evaluation import ConditionEvaluator, async_condition_evaluator
from ..nlu.tokenizer import NOTHING, Text
from .aggregates import AggregateHandler
from .calendar import CalendarHandler
from .comparison import ComparisonHandler
from .dates import DateHandler
from .detections import DetectionHandler
from .engagements import EngagementHandler
from .forecast import ForecastHandler
from .forgotten import ForgottenHandler
from .history.answer import async_past_answer
from .intervals import span_of
from .named_states import NamedStateHandler
from .needs import NeedsHandler
from .past_actions import PastActionHandler
from .phrasing import Phrasing, begun
from .presence import PresenceHandler
from .question import HomeQuestion, QuestionType, questions
from .rooms import RoomsHandler
from .settings import OF_OTHERS, SettingsHandler
from .states import StatesHandler
from .sun import SunHandler
from .todo import TodoHandler
from .updates import UpdatesHandler
from .values import ValuesHandler
from .weather import WeatherHandler
from .why import CauseHandler

_LONGEST = 300
"""Characters of a sentence that may be such a question; a longer one is something else."""
_TEXT = 3
"""Words from which on a state is a text that somebody wrote."""


@dataclass(frozen=True, slots=True)
class HomeAnswer:
    """An answer to a question about the home."""

    text: str
    is_ours: bool = False
    """Whether nothing in it is a text of others: no item of a list, no title."""


async def async_answer(
    hass: HomeAssistant,
    text: Text,
    language: str,
    home: Home,
    *,
    speaker_area: str | None,
    context: Context,
) -> HomeAnswer | None:
    """Return the answer to a question about the home; None where nothing is certain.

    Only what is exposed is told, and all words of a question have to be understood.

    Args:
        hass: where the states are.
        text: a sentence that is known to ask something.
        language: that in which it was spoken.
        home: what is exposed.
        speaker_area: the id of the area where the speaker is, if that is known.
        context: of the user who speaks.
    """
    known = language_of(language)
    if not known.questions or len(text) > _LONGEST:
        return None
    conditions = await async_condition_evaluator(
        hass, home, known.code, speaker_area, NOTHING, user_id=context.user_id
    )
    phrasing = Phrasing(known, conditions.things)
    if why := await CauseHandler(hass, conditions, phrasing, context).async_answer(text):
        return HomeAnswer(why, is_ours=True)
    forgotten = ForgottenHandler(hass, phrasing, StatesHandler(hass, home, conditions, phrasing))
    if forgotten.is_asked(text):
        return HomeAnswer(told, is_ours=True) if (told := forgotten.answer(text)) else None
    if was := await async_past_answer(hass, text, conditions, phrasing, speaker_area):
        return HomeAnswer(was, is_ours=not _quotes(hass, home, was))
    now = _Now(hass, conditions, phrasing, speaker_area, context)
    return await now.async_answer(text) or await _async_ahead(hass, text, phrasing, context, home)


class _Now:
    """What is so now, and what stands on lists."""

    def __init__(
        self,
        hass: HomeAssistant,
        conditions: ConditionEvaluator,
        phrasing: Phrasing,
        speaker_area: str | None,
        context: Context,
    ) -> None:
        home = conditions.things.home
        self._hass = hass
        self._home = home
        self._code = phrasing.language.code
        self._lists = TodoHandler(hass, home, phrasing, context)
        values = ValuesHandler(hass, home, conditions, phrasing, speaker_area)
        states = StatesHandler(hass, home, conditions, phrasing)
        reckoned = AggregateHandler(hass, phrasing)
        self._answers = [
            each.answer
            for each in (
                ComparisonHandler(values, reckoned, phrasing, patterns_of(phrasing.language.code)),
                values,
                PresenceHandler(hass, phrasing),
                DetectionHandler(hass, phrasing),
                reckoned,
                RoomsHandler(conditions, phrasing, states, reckoned),
                UpdatesHandler(hass, phrasing),
                states,
                WeatherHandler(hass, home, conditions.things, phrasing),
                PastActionHandler(hass, phrasing, states),
                SettingsHandler(hass, phrasing),
                NamedStateHandler(hass, phrasing),
            )
        ]

    async def async_answer(self, text: Text) -> HomeAnswer | None:
        """Return the answer that the surest ways to understand a question have in common."""
        answers: dict[int, dict[str, HomeAnswer]] = {}
        for question in questions(text):
            if question.much < max(answers, default=0):
                break
            if told := await self._told(question):
                answers.setdefault(question.much, {}).setdefault(told.text, told)
        found = [*answers.get(max(answers, default=0), {}).values()]
        return found[0] if len(found) == 1 else None

    async def _told(self, question: HomeQuestion) -> HomeAnswer | None:
        if items := await self._lists.async_answer(question):
            return HomeAnswer(items)
        for each in self._answers:
            if answer := each(question):
                is_quoted = question.form is QuestionType.PLAYING or _quotes(
                    self._hass, self._home, answer
                )
                return HomeAnswer(answer, not is_quoted)
        return None


async def _async_ahead(
    hass: HomeAssistant,
    text: Text,
    phrasing: Phrasing,
    context: Context,
    home: Home,
) -> HomeAnswer | None:
    """Return the answer to a question about what is to come: weather, sun, lists, calendars."""
    if (read := span_of(text, dt_util.now())) is None:
        return None
    span, rest = read
    forecasts = ForecastHandler(hass, phrasing, context)
    if told := await forecasts.async_answer(rest, span):
        return HomeAnswer(begun(told), is_ours=True)
    if told := WeatherHandler(hass, home, phrasing.things, phrasing).for_going_out(rest, span):
        return HomeAnswer(begun(told), is_ours=True)
    if told := SunHandler(hass, phrasing).answer(rest, span):
        return HomeAnswer(begun(told), is_ours=True)
    if told := DateHandler(phrasing).answer(rest, span):
        return HomeAnswer(begun(told), is_ours=True)
    if needed := await NeedsHandler(
        TodoHandler(hass, home, phrasing, context), phrasing
    ).async_answer(rest):
        return HomeAnswer(needed)
    events = CalendarHandler(hass, calendars(hass, CONVERSATION), phrasing, context)
    found = await events.async_answer(rest, span)
    found = found or await EngagementHandler(hass, events, phrasing).async_answer(rest, span)
    return HomeAnswer(begun(found.text), is_ours=not found.is_quoted) if found else None


def _quotes(hass: HomeAssistant, home: Home, answer: str) -> bool:
    """Return True if an answer has a text in it that an entity shows."""
    said = answer.casefold()
    shown = (state for each in home.entities if (state := hass.states.get(each.entity_id)))
    return any(text.casefold() in said for state in shown for text in _texts(state))


def _texts(state: State) -> list[str]:
    titles = [str(state.attributes.get(each) or "") for each in OF_OTHERS]
    own = [state.state] if len(words(state.state)) >= _TEXT else []
    return [text for text in (*titles, *own) if text]
