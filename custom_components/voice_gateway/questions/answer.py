"""The answer to a question about the home, without a model."""

from homeassistant.core import Context, HomeAssistant

from ..heard.answers import async_conditions
from ..home.exposed import Home
from ..languages import language_of
from .lists import Lists
from .phrasing import Phrasing
from .question import questions
from .states import States
from .values import Values
from .weather import Weather


async def async_answer(
    hass: HomeAssistant,
    text: str,
    language: str,
    home: Home,
    *,
    speaker_area: str | None,
    context: Context,
) -> str | None:
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
    answers: dict[int, set[str]] = {}
    for question in questions(text, known.code):
        if question.much < max(answers, default=0):
            break
        answer = (
            await lists.async_answer(question)
            or values.answer(question)
            or states.answer(question)
            or weather.answer(question)
        )
        if answer:
            answers.setdefault(question.much, set()).add(answer)
    found = answers.get(max(answers, default=0), set())
    return found.pop() if len(found) == 1 else None
