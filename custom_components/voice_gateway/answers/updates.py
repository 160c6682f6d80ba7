"""Which updates are there."""

from .handler import QuestionHandler
from .question import HomeQuestion, QuestionType
from .token_consumer import TokenConsumer

_DOMAIN = "update"


class UpdatesHandler(QuestionHandler):
    """Answers which updates are waiting, and whether there are any."""

    def answer(self, question: HomeQuestion) -> str | None:
        """Return the answer to one way to understand a question; None where it is about more."""
        said = TokenConsumer(question.words, self._known)
        updates = [each for each in self._home.entities if each.domain == _DOMAIN]
        if not updates or not said.says("updates"):
            return None
        said.says("available", "some")
        if said.left:
            return None
        waiting = [each for each in updates if self._hass.states.is_state(each.entity_id, "on")]
        names = self._home.told_apart(waiting)
        match question.form:
            case QuestionType.WHICH:
                return self._phrasing.names(names)
            case QuestionType.HOW_MANY:
                return self._phrasing.count(names)
            case QuestionType.WHETHER:
                told = self._phrasing.names(names) if names else ""
                return self._phrasing.yes(bool(names), told)
        return None
