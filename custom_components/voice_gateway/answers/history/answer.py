"""The answer to a question about what was so in the home, without a model."""

from ...nlu.tokenizer import Text
from ..handler import HomeView, only
from ..phrasing import begun
from .measurements import MeasurementHistory
from .question import past_question
from .recorder_reader import HistoryUnavailable
from .states import StateHistoryHandler


async def async_past_answer(view: HomeView, text: Text) -> str | None:
    """Return the answer to a question about what was so; None where nothing is certain.

    Only what is exposed is told, and all words of a question have to be understood. Where there is
    no recorder, the answer is that nothing is recorded.

    Args:
        view: the home, and who asks.
        text: a sentence that is known to ask something.
    """
    if (question := past_question(text, view.now)) is None:
        return None
    handlers = (MeasurementHistory(view), StateHistoryHandler(view))
    try:
        answer = only([await each.async_answer(question) for each in handlers])
    except HistoryUnavailable:
        return None
    return begun(answer) if answer else None
