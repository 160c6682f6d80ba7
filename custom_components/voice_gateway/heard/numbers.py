"""Numbers as models write them where a number is wanted: "50%", "21 °C", "fifty"."""

from functools import lru_cache
import re

from hassil.numbers import get_rbnf_engine
from homeassistant.core import HomeAssistant

from .sentences import without_region

_NUMBER = re.compile(
    r"\s*([+-]?\d+(?:[.,]\d+)?)\s*(?:%|percent|kelvin|degrees|°?\s*([CFK])?)\s*", re.IGNORECASE
)
_HIGHEST = 100  # in words; more is written in digits


async def async_to_number(hass: HomeAssistant, text: str, language: str | None) -> float | None:
    """Return the number that a text is, with or without a unit, in digits or in words.

    Words are those of the language, or English. None where the text says anything else.
    """
    if written := _NUMBER.fullmatch(text):
        unit = (written[2] or "").upper()
        if unit in ("C", "F") and not hass.config.units.temperature_unit.endswith(unit):
            return None
        number = float(written[1].replace(",", "."))
        return int(number) if number.is_integer() else number
    said = _plain(text)
    for each in dict.fromkeys((without_region(language or "en"), "en")):
        words = await hass.async_add_executor_job(_number_words, each)
        if said in words:
            return words[said]
    return None


@lru_cache
def _number_words(language: str) -> dict[str, int]:
    """Return the whole numbers of a language by their words; none where it is not known."""
    try:
        engine = get_rbnf_engine(language)
    except ValueError:
        return {}
    return {
        _plain(word): number
        for number in range(_HIGHEST, -1, -1)
        for word in engine.format_number(number).text_by_ruleset.values()
    }


def _plain(text: str) -> str:
    """Return a number's words without what is written in one way or another: "twenty-five"."""
    return re.sub(r"[\W_]|percent$", "", text.casefold())
