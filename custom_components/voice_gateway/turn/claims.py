"""What a model says of a command of which nothing was done: whether it may be spoken."""

from collections.abc import Iterable
from functools import lru_cache
import re

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, translation

from ..heard.sentences import async_phrases, without_region
from ..languages import language_of
from ..names.matching import words

_WORD = re.compile(r"[^\W_]+")
# Words that are no coincidence. "There is no device Sauna", of fewer, is an answer.
_REPEATED = 9


def repeats(text: str, told: Iterable[str]) -> bool:
    """Tell whether a text is nothing but what the model was told: its instructions, or an error."""
    said = " ".join(words(text)).removeprefix("error ")
    return len(said.split()) >= _REPEATED and any(said in " ".join(words(each)) for each in told)


def denies(language: str, text: str) -> bool:
    """Tell whether an answer to a command asks something, or says what is not."""
    return "?" in text or not _words(text).isdisjoint(language_of(language).denials)


async def async_claims(hass: HomeAssistant, language: str, text: str) -> bool:
    """Tell whether an answer to a command says that it was carried out.

    It does in Home Assistant's words for what was done and for the state that devices are in then,
    unless it denies something. In a language whose denials are not known nothing is a claim.
    """
    if not language_of(language).denials or denies(language, text):
        return False
    if (phrases := await async_phrases(hass, language)) is None:
        return False
    states = await translation.async_get_translations(
        hass, without_region(language), "entity_component", ("cover", "light", "lock")
    )
    done = {
        stem
        for name in (
            intent.INTENT_TURN_ON,
            intent.INTENT_TURN_OFF,
            intent.INTENT_SET_POSITION,
            "HassLightSet",
        )
        for sentence in phrases.intent_responses.get(name, {}).values()
        for stem in _stems(_plain(sentence))
    }
    common = {stem for error in phrases.error_responses.values() for stem in _stems(_plain(error))}
    is_so = {stem for key, name in states.items() if "_.state." in key for stem in _stems(name)}
    return not _stems(text).isdisjoint(done - common | is_so)


@lru_cache(1024)
def _plain(sentence: str) -> str:
    """Return what a template says whatever its values are."""
    return re.sub(r"\{[{%].*?[%}]\}", " ", sentence, flags=re.DOTALL)


@lru_cache(1024)
def _stems(text: str) -> frozenset[str]:
    """Return words without what grammar makes of their ends: locked, locking."""
    return frozenset(word[: max(4, len(word) - 3)] for word in _words(text))


@lru_cache(1024)
def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))
