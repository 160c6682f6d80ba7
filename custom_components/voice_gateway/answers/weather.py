"""The weather that there is now."""

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..home.exposed import Home
from ..names.matching import words
from ..nlu.phrase_patterns import patterns_of
from ..nlu.subject_linking import SubjectLinker
from ..nlu.tokenizer import Text, TokenSequence
from .intervals import Interval
from .phrasing import Phrasing
from .question import HomeQuestion, QuestionType, tokens_in
from .token_consumer import TokenConsumer


class WeatherHandler:
    """Answers what the weather is like with what is exposed of it.

    Who asks whether it is sunny or cloudy is told which: a state is no yes or no.
    """

    def __init__(
        self, hass: HomeAssistant, home: Home, things: SubjectLinker, phrasing: Phrasing
    ) -> None:
        """Take the home, what it is called in the language spoken, and the words for an answer."""
        self._hass = hass
        self._entities = [each for each in home.entities if each.domain == "weather"]
        self._states = frozenset(word for name in things.states("weather") for word in words(name))
        self._phrasing = phrasing
        self._known = patterns_of(phrasing.language.code)

    def answer(self, question: HomeQuestion) -> str | None:
        """Return the answer to one way to understand a question; None where it is about more."""
        if not self._entities or question.form not in (QuestionType.WEATHER, QuestionType.WHETHER):
            return None
        left = self._left(question.words)
        if not left <= self._states or (question.form is QuestionType.WHETHER and not left):
            return None
        return self._told()

    def for_going_out(self, said: Text, span: Interval | None) -> str | None:
        """Return the weather as it is now to who asks what to wear; None where that is not asked.

        It is what is known where a service has no forecast.
        """
        if not self._entities or (span and not span.start <= dt_util.now() < span.end):
            return None
        wording = TokenConsumer(said, self._known)
        is_asked = wording.says("clothes", "umbrella", "nice")
        wording.says("outside", "weather", "beside_weather")
        return self._told() if is_asked and not wording.left else None

    def _told(self) -> str:
        return self._phrasing.states(
            (each.names[0], self._phrasing.shown(self._hass, each)) for each in self._entities
        )

    def _left(self, said: Text) -> frozenset[str]:
        """Return the words besides those that say nothing of the weather as it is now."""
        line = TokenSequence.of(said)
        beside = (self._known.conditions.get(each, ()) for each in ("is", "outside"))
        patterns = [*self._known.questions.get("beside_weather", ())]
        patterns += [pattern for listed in beside for pattern in listed]
        gone = tokens_in(line, patterns)
        left = (token.text for index, token in enumerate(line.tokens) if index not in gone)
        return frozenset(word for text in left for word in words(text))
