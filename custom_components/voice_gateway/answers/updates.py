"""Which updates are there."""

from .handler import QuestionHandler
from .question import HomeQuestion
from .token_consumer import TokenConsumer

_DOMAIN = "update"


class UpdatesHandler(QuestionHandler):
    """Answers which updates are waiting, and whether there are any."""

    def answer(self, question: HomeQuestion) -> str | None:
        """Return the answer to one way to understand a question; None where it is about more."""
        said = TokenConsumer(question.words)
        updates = [each for each in self._home.entities if each.domain == _DOMAIN]
        if not updates or not said.says("updates"):
            return None
        said.says("available", "some")
        if said.left:
            return None
        waiting = [each for each in updates if self._hass.states.is_state(each.entity_id, "on")]
        return self._listed(question.form, waiting)
