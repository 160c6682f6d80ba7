"""What somebody may have forgotten: "did I forget to lock the front door"."""

from collections.abc import Iterator

from homeassistant.core import HomeAssistant

from ..nlu.conditions import StateQuery
from ..nlu.phrase_patterns import PhrasePatterns
from ..nlu.tokenizer import Text, TokenSequence
from .handler import QuestionHandler
from .phrasing import Phrasing
from .question import tokens_in
from .states import StatesHandler
from .token_consumer import TokenConsumer


class ForgottenHandler(QuestionHandler):
    """Answers whether somebody forgot to do something, or thought of it, with how it is now.

    It is no question about the past: it may have been done since, by whomever. So there is no yes
    and no no, which would say who did it.
    """

    def __init__(self, hass: HomeAssistant, phrasing: Phrasing, states: StatesHandler) -> None:
        """Take what things are called in the home, the words for an answer, and what is so now."""
        super().__init__(hass, phrasing)
        self._states = states

    def is_asked(self, text: Text) -> bool:
        """Return True if somebody asks that of something that can be done."""
        line = _line(text)
        return forgets(line, self._known) and any(self._deeds(line))

    def answer(self, text: Text) -> str | None:
        """Return how it is now; None where it is not certain of what it is asked."""
        line = _line(text)
        deeds = dict(self._deeds(line))
        gone = tokens_in(line, self._known.questions["forgotten"]).union(*deeds.values())
        said = TokenConsumer(
            line.surface(each for each in range(len(line.tokens)) if each not in gone), self._known
        )
        said.says("beside_forgotten")
        told = {self._told(StateQuery(each, subject=said.subject)) for each in deeds} - {None}
        return told.pop() if len(told) == 1 else None

    def _deeds(self, line: TokenSequence) -> Iterator[tuple[str, set[int]]]:
        """Yield what may have been done, by what is so afterwards, and the words for it."""
        known = self._known
        for meaning in known.past_event_verbs:
            found = set[int]()
            for table in (known.past_event_verbs, known.causative_verbs, known.state_phrases):
                # "Sperr {any} ab" has the thing in it.
                whole = [each for each in table.get(meaning, ()) if not each.has_group("any")]
                found |= tokens_in(line, whole)
            if found:
                yield meaning, found

    def _told(self, asked: StateQuery) -> str | None:
        found = self._states.entities(asked, several=False) if asked.subject else ()
        if len(found) != 1:
            return None
        (entity,) = found
        name = self._home.told_apart([entity])[0]
        return self._phrasing.states([(name, self._phrasing.shown(self._hass, entity))])


def forgets(line: TokenSequence, known: PhrasePatterns) -> bool:
    """Return True if it is asked if something was forgotten, or thought of."""
    return bool(tokens_in(line, known.questions.get("forgotten", ())))


def _line(text: Text) -> TokenSequence:
    return TokenSequence.of(text)
