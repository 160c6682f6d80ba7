"""The certain intent of an utterance: the command and its targets."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from homeassistant.components.cover import DOMAIN as COVER
from homeassistant.components.lock import DOMAIN as LOCK
from homeassistant.components.valve import DOMAIN as VALVE
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent

from ..home.exposed import Exposed
from ..nlu.clause import DialogueAct, join_commands
from ..nlu.disambiguation import locks_to_lock_up
from ..nlu.home_assistant import IntentMatch, unlinked
from ..nlu.numerals import Quantity
from ..nlu.predicates import entities_for_sense
from ..nlu.requests import QUERY, SEARCH, is_named_item, parse_media_request
from ..nlu.utterance import RecognitionStatus, Utterance
from .assist.intents import IntentTool
from .assist.media import player_for
from .assist.target import LISTS, TARGET, Target
from .assist.target_preview import reached_by
from .inverse_intents import BEGINS, ENDS, has_inverse
from .manager import ToolManager


@dataclass(frozen=True, slots=True)
class Replace:
    """A certain intent of an utterance: it replaces calls that deviate from it."""

    reading: IntentMatch
    targets: Sequence[Exposed]
    """The target devices; empty if it has none, or they are not known yet."""


def certainly(
    hass: HomeAssistant, utterance: Utterance, manager: ToolManager, assistant: str
) -> Replace | None:
    """Return the certain intent of an utterance, if there is a tool for it."""
    if utterance.antecedents and utterance.intent_match:
        is_there = manager.for_intent(utterance.intent_match.intent_type) is not None
        return Replace(utterance.intent_match, utterance.antecedents) if is_there else None
    if wanted := parse_media_request(utterance):
        return _to_play(hass, utterance, manager, assistant, wanted)
    if locks := _locked_up(utterance, manager):
        return locks
    if utterance.intent_match and utterance.intent_match.intent_type == SEARCH:
        # "Passe l'aspirateur": any words would be a title.
        return _by_verb(utterance, manager)
    return _as_read(hass, utterance, manager, assistant) or _by_verb(utterance, manager)


def _locked_up(utterance: Utterance, manager: ToolManager) -> Replace | None:
    """Return the intent to lock all locks, or those of an area, for the command "lock up"."""
    if utterance.exact_command or utterance.asks or len(utterance.parsed.clauses) != 1:
        return None
    (clause,) = utterance.parsed.clauses
    if (
        clause.act is not DialogueAct.COMMAND
        or clause.negated
        or clause.exclusion
        or clause.keeps_state
    ):
        return None
    locks = locks_to_lock_up(utterance.link(clause.command))
    if not locks or manager.for_intent(intent.INTENT_TURN_ON) is None:
        return None
    reading = IntentMatch(
        intent.INTENT_TURN_ON, {"domain": [LOCK]}, None, is_exact=True, begins_unknown=False
    )
    return Replace(reading, locks)


def _to_play(
    hass: HomeAssistant, utterance: Utterance, manager: ToolManager, assistant: str, wanted: str
) -> Replace | None:
    """Return the intent to play media, if exactly one player is possible."""
    tool = manager.for_intent(SEARCH)
    if not isinstance(tool, IntentTool):
        return None
    reading = utterance.exact_command or IntentMatch.of(SEARCH)
    is_told = not {"name", "area", "floor"}.isdisjoint(reading.slots)
    possible = reached_by(hass, utterance.home, tool, reading.slots, assistant)
    found = player_for(hass, utterance, possible, is_told=is_told)
    if len(found) != 1:
        return None
    slots = {**reading.slots, QUERY: wanted}
    return Replace(replace(reading, response="default", slots=slots), found)


def _as_read(
    hass: HomeAssistant, utterance: Utterance, manager: ToolManager, assistant: str
) -> Replace | None:
    """Return Home Assistant's literal reading, completed with targets that the words determine.

    "The water in the yard", or a garage door that Home Assistant does not read as a "garage".
    """
    reading = utterance.intent_match
    tool = manager.for_intent(reading.intent_type) if reading else None
    if reading is None or tool is None or reading.is_question:
        return None
    is_exact = utterance.exact_command is not None
    home = utterance.home
    domains = set((isinstance(tool, IntentTool) and tool.domains(hass, home)) or ())
    if LISTS.issuperset(domains):
        # For items of lists, single or several, the model's call is better.
        item = str(reading.slots.get("item", ""))
        is_one = is_named_item(utterance.text, utterance.text.alike(item))
        return Replace(reading, ()) if is_exact and is_one else None
    assert isinstance(tool, IntentTool)
    if is_exact and (found := reached_by(hass, home, tool, reading.slots, assistant)):
        return _of_its_sort(utterance, reading, found)
    domains = set(Target.of(reading.slots).domains) or domains
    if not is_exact:
        domains &= reading.domains_told(domains)
    if domains and (is_exact or _is_plain(utterance, reading)):
        possible = [each for each in home.entities if each.domain in domains]
        said = utterance.link(join_commands(utterance.parsed.clauses))
        aimed = said.resolve(possible)
        # Of "the lamp and the coffee maker", the partial reading covers one.
        if aimed and (is_exact or said.names_only(aimed)):
            return Replace(reading if is_exact else replace(reading, slots={}), aimed)
    return Replace(reading, ()) if is_exact else None


def _of_its_sort(utterance: Utterance, reading: IntentMatch, found: Sequence[Exposed]) -> Replace:
    """Restrict the intent for a target with only a kind and a place: "the lamp in the hall".

    Home Assistant reads that as every light there.
    """
    if Target.of(reading.slots).name:
        return Replace(reading, found)
    some = utterance.link(join_commands(utterance.parsed.clauses)).filter_hyponym(found)
    if len(some) == len(found):
        return Replace(reading, found)
    slots = {slot: value for slot, value in reading.slots.items() if slot not in TARGET}
    return Replace(replace(reading, response="default", slots=slots), some)


def _by_verb(utterance: Utterance, manager: ToolManager) -> Replace | None:
    """Return the intent of the verb, if one device in the home can do it: "start cleaning"."""
    if utterance.status is not RecognitionStatus.COMMAND or len(utterance.parsed.clauses) != 1:
        return None
    said = utterance.link(join_commands(utterance.parsed.clauses))
    for domain in said.sense_domains:
        doers = entities_for_sense(domain, said.home, said.text.code, certainly=True)
        # A coffee machine is a switch, which is turned on.
        wanted = BEGINS.get(domain, intent.INTENT_TURN_ON)
        if said.predicate.opposes(wanted, doers):
            # "Send the vacuum home"
            wanted = ENDS.get(domain, "")
        if len(said.sense_domains) == len(doers) == 1 and manager.for_intent(wanted):
            return Replace(IntentMatch.of(wanted), doers)
    return None


def without_values(utterance: Utterance) -> IntentMatch | None:
    """Return the reading of a command that certainly has no value: brightness, temperature, volume.

    Turning on and off, opening and closing, starting and stopping need none; and each of the other
    words is a name, a place or a kind. Without word lists for the language nothing is certain.
    """
    reading = utterance.intent_match
    if (
        reading is None
        or utterance.status is not RecognitionStatus.COMMAND
        or not _is_plain(utterance, reading)
    ):
        return None
    if (
        utterance.exact_command
        or utterance.link(utterance.text.alike(" ".join(reading.unknown.values()))).only_mentions
    ):
        return reading
    return None


def _is_plain(utterance: Utterance, reading: IntentMatch) -> bool:
    """Return True if an utterance without a complete reading is one command without values.

    A word that Home Assistant takes for a name must not be a verb: "switch the lights off".
    """
    if (
        reading.begins_unknown
        or utterance.status is not RecognitionStatus.COMMAND
        or len(utterance.parsed.clauses) != 1
    ):
        return False
    meant = utterance.link(join_commands(utterance.parsed.clauses))
    command = meant.predicate
    target = frozenset(Target.of(reading.slots).domains)
    # "Lumière éteinte" is no "on".
    if not command.is_expressed or command.agrees(reading.intent_type, target) is False:
        return False
    # "Lower the lights" is about brightness; the same of blinds closes them.
    domains = {each.domain for each in meant.named}.union(
        *(kind.domains for kind in meant.categories)
    )
    if domains.isdisjoint((COVER, VALVE)) and Quantity.of(unlinked(meant, [*meant.named])):
        return False
    doing = utterance.text.patterns.verbs | utterance.text.patterns.states
    said = utterance.link(utterance.text.alike(" ".join(reading.unknown.values())))
    # The water may be turned on, though one waters a garden.
    unread = {*said.text.words} - {word for kind in said.categories for word in kind.words}
    # "Lower the blind halfway" is less than closing it.
    if not said.text.halves.isdisjoint(said.text.words):
        return False
    return bool(doing) and doing.isdisjoint(unread) and has_inverse(reading.intent_type)
