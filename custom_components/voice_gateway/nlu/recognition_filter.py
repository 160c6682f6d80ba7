"""Whether Home Assistant's reading of a sentence as a command is to be believed.

Home Assistant takes words that it does not know for a name, so that it can say that there is no such
device: "turn on the sauna" is a command. "Turn on your charm" is none.
"""

from collections.abc import Collection

from homeassistant.components.climate import DOMAIN as CLIMATE

from ..languages import language_of
from ..names.matching import matcher, words
from .entity_linking import EntityLinker
from .home_assistant import IntentMatch
from .mentions import MentionIndex
from .numerals import remove_number
from .phrases import single_word_verbs

_NAMES = ("name", "area", "floor")


def is_plausible_command(reading: IntentMatch, mentioned: MentionIndex, language: str) -> bool:
    """Return True if a sentence is the command that Home Assistant reads in it.

    What it understands is. Where it met unknown words, these have to be a name that something may
    have; and where it wants one of a few words that it knows, such as a colour, an unknown one is
    believed only beside a device or a place of this home. Of a language without lists everything
    is believed.
    """
    unknown = reading.unknown
    if not unknown:
        return True
    if unknown.keys() - set(_NAMES) and not reading.slots.keys() & set(_NAMES):
        return False
    forms = language_of(language).forms
    unnamed, verbal = _words(forms.get("unnamed", ())), _words(forms.get("verbal", ()))
    for slot in _NAMES:
        named = words(unknown.get(slot, ""))
        if not verbal.isdisjoint(named):
            return False
        if _follows(named, unnamed) and not mentioned.is_about(unknown[slot]):
            return False
    return True


def may_be_temperature(reading: IntentMatch, said: EntityLinker) -> bool:
    """Return True if a number that is read as how bright a room is to be may be how warm: "set the den to 22".

    Nothing more is said than which room, and there is something in it that heats or cools.
    """
    much = reading.slots.get("brightness")
    is_of_room = "area" in reading.slots and "name" not in reading.slots
    if reading.intent_type != "HassLightSet" or not is_of_room or not isinstance(much, int | float):
        return False
    heated = {each.area for each in said.home.entities if each.domain == CLIMATE}
    known = (
        said.place_words
        | matcher(said.text.code).function_words
        | single_word_verbs(said.text.code)
    )
    rest = {*words(remove_number(said.text, [much]))} - known
    return "%" not in said.text and not rest and not heated.isdisjoint(said.areas)


def _follows(named: tuple[str, ...], unnamed: Collection[str]) -> bool:
    """Return True if words begin with one after which no name stands; before it, there may be a verb."""
    return any(word in unnamed for word in named[:-1][:2])


def _words(listed: Collection[str]) -> frozenset[str]:
    return frozenset(word for each in listed for word in words(each))
