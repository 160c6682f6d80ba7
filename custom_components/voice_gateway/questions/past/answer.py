"""The answer to a question about what was so in the home, without a model."""

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ...heard.answers import Conditions
from ..phrasing import Phrasing, begun
from ..states import States
from ..values import Values
from .asked import past_question
from .numbers import PastNumbers
from .recorded import Recorded, Unread
from .states import PastStates
from .wording import PastWording


async def async_past_answer(
    hass: HomeAssistant,
    text: str,
    conditions: Conditions,
    phrasing: Phrasing,
    speaker_area: str | None,
) -> str | None:
    """Return the answer to a question about what was so; None where nothing is certain.

    Only what is exposed is told, and all words of a question have to be understood. Where there is
    no recorder, the answer is that nothing is recorded.

    Args:
        hass: where the recorder and the states are.
        text: a sentence that is known to ask something.
        conditions: what the home shows of conditions in its language.
        phrasing: the words for an answer.
        speaker_area: the id of the area where the speaker is, if that is known.
    """
    now = dt_util.now()
    code = phrasing.language.code
    if (question := past_question(text, code, now)) is None:
        return None
    home = conditions.things.home
    wording = PastWording(phrasing, now)
    recorded = Recorded(hass)
    states = States(hass, home, conditions, phrasing)
    values = Values(hass, home, conditions, phrasing, speaker_area)
    try:
        answers = {
            await PastNumbers(hass, values, recorded, wording, speaker_area).async_answer(question),
            await PastStates(conditions, states, recorded, wording).async_answer(question),
        } - {None}
    except Unread:
        return None
    answer = answers.pop() if len(answers) == 1 else None
    return begun(answer) if answer else None
