"""When the sun rises and sets."""

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..nlu.phrase_patterns import patterns_of
from ..nlu.time_resolution import next_sun, sun_of_day, to_local
from ..nlu.tokenizer import Text
from .intervals import Interval
from .phrasing import Phrasing
from .token_consumer import TokenConsumer

_SUNS = ("sunset", "sunrise", "dusk", "dawn")


class SunHandler:
    """Answers when the sun rises or sets: on the day that was said, else the next time."""

    def __init__(self, hass: HomeAssistant, phrasing: Phrasing) -> None:
        """Take where the home is, and the words for an answer."""
        self._hass = hass
        self._phrasing = phrasing
        self._known = patterns_of(phrasing.language.code)

    def answer(self, text: Text, span: Interval | None) -> str | None:
        """Return the answer to a question without the words of its span; None where it is none."""
        said = TokenConsumer(text, self._known)
        if not said.says("when") or (span and not span.is_day):
            return None
        suns = [each for each in _SUNS if said.says(f"when_{each}")]
        if len(suns) != 1 or said.left:
            return None
        now = dt_util.now()
        if span:
            at = sun_of_day(self._hass, suns[0], span.start.date(), 0)
        else:
            at = next_sun(self._hass, suns[0], now, 0)
        return self._phrasing.at(to_local(at), now.date()) if at else None
