"""The answer to a question about the home, without a model."""

from dataclasses import dataclass

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.util import dt as dt_util

from ..heard.answers import Conditions, async_conditions
from ..heard.templates import templates
from ..home.exposed import Home, calendars
from ..languages import language_of
from ..names.matching import words
from .compared import Compared
from .days import Days
from .did import Did
from .engagements import Engagements
from .events import Events
from .forecast import Forecasts
from .forgotten import Forgotten
from .lists import Lists
from .named import Named
from .needs import Needs
from .noticed import Noticed
from .past.answer import async_past_answer
from .phrasing import Phrasing, begun
from .presence import Presence
from .question import Form, Question, questions
from .reckoned import Reckoned
from .rooms import Rooms
from .settings import OF_OTHERS, Settings
from .span import span_of
from .states import States
from .sun import Sun
from .updates import Updates
from .values import Values
from .weather import Weather
from .why import Why

_LONGEST = 300
"""Characters of a sentence that may be such a question; a longer one is something else."""
_TEXT = 3
"""Words from which on a state is a text that somebody wrote."""


@dataclass(frozen=True, slots=True)
class Told:
    """An answer to a question about the home."""

    text: str
    is_ours: bool = False
    """Whether nothing in it is a text of others: no item of a list, no title."""


async def async_answer(
    hass: HomeAssistant,
    text: str,
    language: str,
    home: Home,
    *,
    speaker_area: str | None,
    context: Context,
) -> Told | None:
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
    if not known.asks or len(text) > _LONGEST:
        return None
    conditions = await async_conditions(
        hass, home, known.code, speaker_area, "", user_id=context.user_id
    )
    phrasing = Phrasing(known, conditions.things)
    if why := await Why(hass, conditions, phrasing, context).async_answer(text):
        return Told(why, is_ours=True)
    forgotten = Forgotten(hass, phrasing, States(hass, home, conditions, phrasing))
    if forgotten.is_asked(text):
        return Told(told, is_ours=True) if (told := forgotten.answer(text)) else None
    if was := await async_past_answer(hass, text, conditions, phrasing, speaker_area):
        return Told(was, is_ours=not _quotes(hass, home, was))
    now = _Now(hass, conditions, phrasing, speaker_area, context)
    return await now.async_answer(text) or await _async_ahead(hass, text, phrasing, context, home)


class _Now:
    """What is so now, and what stands on lists."""

    def __init__(
        self,
        hass: HomeAssistant,
        conditions: Conditions,
        phrasing: Phrasing,
        speaker_area: str | None,
        context: Context,
    ) -> None:
        home = conditions.things.home
        self._hass = hass
        self._home = home
        self._code = phrasing.language.code
        self._lists = Lists(hass, home, phrasing, context)
        values = Values(hass, home, conditions, phrasing, speaker_area)
        states = States(hass, home, conditions, phrasing)
        reckoned = Reckoned(hass, phrasing)
        self._answers = [
            each.answer
            for each in (
                Compared(values, reckoned, phrasing, templates(phrasing.language.code)),
                values,
                Presence(hass, phrasing),
                Noticed(hass, phrasing),
                reckoned,
                Rooms(conditions, phrasing, states, reckoned),
                Updates(hass, phrasing),
                states,
                Weather(hass, home, conditions.things, phrasing),
                Did(hass, phrasing, states),
                Settings(hass, phrasing),
                Named(hass, phrasing),
            )
        ]

    async def async_answer(self, text: str) -> Told | None:
        """Return the answer that the surest ways to understand a question have in common."""
        answers: dict[int, dict[str, Told]] = {}
        for question in questions(text, self._code):
            if question.much < max(answers, default=0):
                break
            if told := await self._told(question):
                answers.setdefault(question.much, {}).setdefault(told.text, told)
        found = [*answers.get(max(answers, default=0), {}).values()]
        return found[0] if len(found) == 1 else None

    async def _told(self, question: Question) -> Told | None:
        if items := await self._lists.async_answer(question):
            return Told(items)
        for each in self._answers:
            if answer := each(question):
                is_quoted = question.form is Form.PLAYING or _quotes(self._hass, self._home, answer)
                return Told(answer, not is_quoted)
        return None


async def _async_ahead(
    hass: HomeAssistant,
    text: str,
    phrasing: Phrasing,
    context: Context,
    home: Home,
) -> Told | None:
    """Return the answer to a question about what is to come: weather, sun, lists, calendars."""
    if (read := span_of(text, phrasing.language.code, dt_util.now())) is None:
        return None
    span, rest = read
    forecasts = Forecasts(hass, phrasing, context)
    if told := await forecasts.async_answer(rest, span):
        return Told(begun(told), is_ours=True)
    if told := Weather(hass, home, phrasing.things, phrasing).for_going_out(rest, span):
        return Told(begun(told), is_ours=True)
    if told := Sun(hass, phrasing).answer(rest, span):
        return Told(begun(told), is_ours=True)
    if told := Days(phrasing).answer(rest, span):
        return Told(begun(told), is_ours=True)
    if needed := await Needs(Lists(hass, home, phrasing, context), phrasing).async_answer(rest):
        return Told(needed)
    events = Events(hass, calendars(hass, CONVERSATION), phrasing, context)
    found = await events.async_answer(rest, span)
    found = found or await Engagements(hass, events, phrasing).async_answer(rest, span)
    return Told(begun(found.text), is_ours=not found.is_quoted) if found else None


def _quotes(hass: HomeAssistant, home: Home, answer: str) -> bool:
    """Tell whether an answer has a text in it that an entity shows."""
    said = answer.casefold()
    shown = (state for each in home.entities if (state := hass.states.get(each.entity_id)))
    return any(text.casefold() in said for state in shown for text in _texts(state))


def _texts(state: State) -> list[str]:
    titles = [str(state.attributes.get(each) or "") for each in OF_OTHERS]
    own = [state.state] if len(words(state.state)) >= _TEXT else []
    return [text for text in (*titles, *own) if text]
