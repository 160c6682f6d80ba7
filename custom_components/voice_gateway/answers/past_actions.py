"""What somebody may have done, where nothing is recorded: "did I lock the front door"."""

from homeassistant.core import HomeAssistant

from ..nlu.conditions import StateQuery
from ..nlu.tokenizer import TokenSequence
from .handler import QuestionHandler
from .phrasing import Phrasing
from .question import HomeQuestion, QuestionType, tokens_in
from .states import StatesHandler
from .token_consumer import TokenConsumer


class PastActionHandler(QuestionHandler):
    """Answers whether somebody did something with what has come of it: how it is now.

    That they did it themselves nobody knows, so that there is no yes and no no.
    """

    def __init__(self, hass: HomeAssistant, phrasing: Phrasing, states: StatesHandler) -> None:
        """Take what things are called in the home, the words for an answer, and what is so now."""
        super().__init__(hass, phrasing)
        self._states = states

    def answer(self, question: HomeQuestion) -> str | None:
        """Return the answer to one way to understand a question; None where nothing is certain."""
        said = TokenConsumer(question.words, self._known)
        if question.form is not QuestionType.WHETHER or not (
            said.says("did") and said.says("speaker")
        ):
            return None
        line = TokenSequence.of(said.subject)
        whole = {*range(len(line.tokens))}
        told: set[str] = set()
        for meaning, patterns in self._known.past_event_verbs.items():
            if done := tokens_in(line, patterns):
                asked = StateQuery(meaning, subject=line.surface(sorted(whole - done)))
                found = self._states.entities(asked, several=False) if asked.subject else ()
                shown = [
                    (self._home.told_apart([each])[0], self._phrasing.shown(self._hass, each))
                    for each in found
                ]
                told |= {self._phrasing.states(shown)} if len(shown) == 1 else set()
        return told.pop() if len(told) == 1 else None
