"""What a sentence says for certain: what is to be done, and to which devices."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from homeassistant.components.lock import DOMAIN as LOCK
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent

from ..heard.contradicting import fits
from ..heard.doers import those_who_do
from ..heard.heard import Heard, Kind
from ..heard.items import is_unbroken, stands_for
from ..heard.locking_up import locked_up
from ..heard.music import QUERY, SEARCH, media_wanted
from ..heard.phrases import verbs
from ..heard.said import Mood, commands
from ..heard.sentences import Reading
from ..heard.vocabulary import halves
from ..home.exposed import Exposed
from ..languages import language_of
from ..names.matching import words
from .assist.intents import IntentTool
from .assist.media import player_for
from .assist.reach import reached_by
from .assist.target import LISTS, TARGET, Target
from .deed import Understood
from .manager import ToolManager
from .opposites import BEGINS, domains_told, has_opposite


def certainly(
    hass: HomeAssistant, heard: Heard, manager: ToolManager, assistant: str
) -> Understood | None:
    """Return what a sentence says for certain, if there is a tool that does it."""
    if heard.referred and heard.reading:
        is_there = manager.for_intent(heard.reading.intent_type) is not None
        return Understood(heard.reading, heard.referred) if is_there else None
    if wanted := media_wanted(heard):
        return _to_play(hass, heard, manager, assistant, wanted)
    if locks := _locked_up(heard, manager):
        return locks
    if heard.reading and heard.reading.intent_type == SEARCH:
        # "Passe l'aspirateur": any words would be a title.
        return _by_verb(heard, manager)
    return _as_read(hass, heard, manager, assistant) or _by_verb(heard, manager)


def _locked_up(heard: Heard, manager: ToolManager) -> Understood | None:
    """Return that all locks are locked, or those of a place, where that is what is said: "lock up"."""
    if heard.understood or heard.asks or len(heard.said.clauses) != 1:
        return None
    (clause,) = heard.said.clauses
    if clause.mood is not Mood.COMMAND or clause.negated or clause.excepted or clause.stays:
        return None
    locks = locked_up(heard.meant(clause.command))
    if not locks or manager.for_intent(intent.INTENT_TURN_ON) is None:
        return None
    reading = Reading(
        intent.INTENT_TURN_ON, {"domain": [LOCK]}, None, is_exact=True, begins_unknown=False
    )
    return Understood(reading, locks)


def _to_play(
    hass: HomeAssistant, heard: Heard, manager: ToolManager, assistant: str, wanted: str
) -> Understood | None:
    """Return that what is wanted is played, where one player can that may be meant."""
    tool = manager.for_intent(SEARCH)
    if not isinstance(tool, IntentTool):
        return None
    reading = heard.understood or Reading.of(SEARCH)
    is_told = not {"name", "area", "floor"}.isdisjoint(reading.slots)
    possible = reached_by(hass, heard.mentioned.home, tool, reading.slots, assistant)
    found = player_for(hass, heard, possible, is_told=is_told)
    if len(found) != 1:
        return None
    slots = {**reading.slots, QUERY: wanted}
    return Understood(replace(reading, response="default", slots=slots), found)


def _as_read(
    hass: HomeAssistant, heard: Heard, manager: ToolManager, assistant: str
) -> Understood | None:
    """Return what Home Assistant reads word by word, or what it reads of which the words tell to what.

    "The water in the yard", or a garage door that is no "garage" for it.
    """
    reading = heard.reading
    tool = manager.for_intent(reading.intent_type) if reading else None
    if reading is None or tool is None or reading.is_question:
        return None
    is_exact = heard.understood is not None
    home = heard.mentioned.home
    domains = set((isinstance(tool, IntentTool) and tool.domains(hass, home)) or ())
    if LISTS.issuperset(domains):
        # What is put on lists, one by one or together, the model knows better.
        item = str(reading.slots.get("item", ""))
        is_one = is_unbroken(heard.text, item) and not stands_for(item, heard.language)
        return Understood(reading, ()) if is_exact and is_one else None
    assert isinstance(tool, IntentTool)
    if is_exact and (found := reached_by(hass, home, tool, reading.slots, assistant)):
        return _of_its_sort(heard, reading, found)
    domains = set(Target.of(reading.slots).domains) or domains
    if not is_exact:
        domains &= domains_told(reading.response, domains)
    if domains and (is_exact or _is_plain(heard, reading)):
        possible = [each for each in home.entities if each.domain in domains]
        said = heard.meant(commands(heard.said.clauses))
        aimed = said.aims_at(possible)
        # Of "the lamp and the coffee maker", what is half read is about one.
        if aimed and (is_exact or said.names_only(aimed)):
            return Understood(reading if is_exact else replace(reading, slots={}), aimed)
    return Understood(reading, ()) if is_exact else None


def _of_its_sort(heard: Heard, reading: Reading, found: Sequence[Exposed]) -> Understood:
    """Return what is done to what is told by its kind and its place alone: "the lamp in the hall".

    For Home Assistant that is each light there.
    """
    if Target.of(reading.slots).name:
        return Understood(reading, found)
    some = heard.meant(commands(heard.said.clauses)).sort_of(found)
    if len(some) == len(found):
        return Understood(reading, found)
    slots = {slot: value for slot, value in reading.slots.items() if slot not in TARGET}
    return Understood(replace(reading, response="default", slots=slots), some)


def _by_verb(heard: Heard, manager: ToolManager) -> Understood | None:
    """Return what the verb says, where the home has one device that does that: "start cleaning"."""
    if heard.kind is not Kind.COMMAND or len(heard.said.clauses) != 1:
        return None
    said = heard.meant(commands(heard.said.clauses))
    for domain in said.doers & BEGINS.keys():
        doers = those_who_do(domain, said.home, said.code, certainly=True)
        if len(said.doers) == len(doers) == 1 and manager.for_intent(BEGINS[domain]):
            return Understood(Reading.of(BEGINS[domain]), doers)
    return None


def without_values(heard: Heard) -> Reading | None:
    """Return how a command is read that certainly says no value: how bright, how warm, how loud.

    To turn on and off, to open and close, to start and stop need none; and of the rest each word is a
    name, a place or a kind. Of a language without lists nothing is certain.
    """
    reading = heard.reading
    if reading is None or heard.kind is not Kind.COMMAND or not _is_plain(heard, reading):
        return None
    if heard.understood or heard.meant(" ".join(reading.unknown.values())).only_tells:
        return reading
    return None


def _is_plain(heard: Heard, reading: Reading) -> bool:
    """Tell whether a sentence that is not understood as a whole is one command without values.

    What Home Assistant takes for a name must not say what is to be done: "switch the lights off".
    """
    if reading.begins_unknown or heard.kind is not Kind.COMMAND or len(heard.said.clauses) != 1:
        return False
    if _says_opposite(heard, reading):
        return False
    doing = _doing(language_of(heard.language).code)
    said = heard.meant(" ".join(reading.unknown.values()))
    # The water may be turned on, though one waters a garden.
    unread = {*words(said.text)} - {word for kind in said.kinds for word in kind.words}
    # "Lower the blind halfway" is less than to close it.
    if not halves(said.code).isdisjoint(words(said.text)):
        return False
    return bool(doing) and doing.isdisjoint(unread) and has_opposite(reading.intent_type)


def _says_opposite(heard: Heard, reading: Reading) -> bool:
    """Tell whether the words say a state that what was read would end: "lumière éteinte" is no "on"."""
    code, domains = language_of(heard.language).code, frozenset(Target.of(reading.slots).domains)
    return fits(commands(heard.said.clauses), code, reading.intent_type, domains) is False


@lru_cache
def _doing(code: str) -> frozenset[str]:
    """Return the words of a language that say what is to be done."""
    states = language_of(code).forms.get("states", ())
    return verbs(code) | {word for phrase in states for word in words(phrase)}
