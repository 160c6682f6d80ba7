"""The answer to a question about what was so in the home, without a model."""

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ...nlu.state_evaluation import ConditionEvaluator
from ...nlu.tokenizer import Text
from ..phrasing import Phrasing, begun
from ..states import StatesHandler
from ..values import ValuesHandler
from .measurements import MeasurementHistory
from .phrasing import HistoryPhrasing
from .question import past_question
from .recorder_reader import HistoryUnavailable, RecorderReader
from .states import StateHistoryHandler


async def async_past_answer(
    hass: HomeAssistant,
    text: Text,
    conditions: ConditionEvaluator,
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
    if (question := past_question(text, now)) is None:
        return None
    home = conditions.things.home
    wording = HistoryPhrasing(phrasing, now)
    recorded = RecorderReader(hass)
    states = StatesHandler(hass, home, conditions, phrasing)
    values = ValuesHandler(hass, home, conditions, phrasing, speaker_area)
    try:
        answers = {
            await MeasurementHistory(hass, values, recorded, wording, speaker_area).async_answer(
                question
            ),
            await StateHistoryHandler(conditions, states, recorded, wording).async_answer(question),
        } - {None}
    except HistoryUnavailable:
        return None
    answer = answers.pop() if len(answers) == 1 else None
    return begun(answer) if answer else None
