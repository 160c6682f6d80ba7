"""The answer to a question about the home, without a model."""

from dataclasses import dataclass

from homeassistant.core import Context, HomeAssistant, State

from ..heard.answers import async_conditions
from ..home.exposed import Home
from ..languages import language_of
from ..names.matching import words
from .lists import Lists
from .phrasing import Phrasing
from .question import Form, questions
from .states import States
from .values import Values
from .weather import Weather

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
    """Return the answer to a question about what is so now; None where nothing is certain.

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
    if not known.asks:
        return None
    conditions = await async_conditions(
        hass, home, known.code, speaker_area, "", user_id=context.user_id
    )
    things = conditions.things
    phrasing = Phrasing(known, things)
    values = Values(hass, home, conditions, phrasing, speaker_area)
    states = States(hass, home, conditions, phrasing)
    weather = Weather(hass, home, things, phrasing)
    lists = Lists(hass, home, phrasing, context)
    answers: dict[int, dict[str, Told]] = {}
    for question in questions(text, known.code):
        if question.much < max(answers, default=0):
            break
        if items := await lists.async_answer(question):
            told = Told(items)
        elif answer := (
            values.answer(question) or states.answer(question) or weather.answer(question)
        ):
            is_ours = question.form is not Form.PLAYING and not _quotes(hass, home, answer)
            told = Told(answer, is_ours)
        else:
            continue
        answers.setdefault(question.much, {}).setdefault(told.text, told)
    found = [*answers.get(max(answers, default=0), {}).values()]
    return found[0] if len(found) == 1 else None


def _quotes(hass: HomeAssistant, home: Home, answer: str) -> bool:
    """Tell whether an answer has a text in it that an entity shows."""
    said = answer.casefold()
    shown = (state for each in home.entities if (state := hass.states.get(each.entity_id)))
    return any(text.casefold() in said for state in shown for text in _texts(state))


def _texts(state: State) -> list[str]:
    titles = [str(state.attributes.get(each) or "") for each in ("media_title", "media_artist")]
    own = [state.state] if len(words(state.state)) >= _TEXT else []
    return [text for text in (*titles, *own) if text]
