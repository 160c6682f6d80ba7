"""What answers questions about the home as it is now: what all of them have at hand."""

from homeassistant.core import HomeAssistant

from ..nlu.phrase_patterns import patterns_of
from .phrasing import Phrasing


class QuestionHandler:
    """Answers one kind of question, from the home as the agent sees it."""

    def __init__(self, hass: HomeAssistant, phrasing: Phrasing) -> None:
        """Take what things are called in the home, and the words for an answer."""
        self._hass = hass
        self._home = phrasing.things.home
        self._things = phrasing.things
        self._phrasing = phrasing
        self._known = patterns_of(phrasing.language.code)
