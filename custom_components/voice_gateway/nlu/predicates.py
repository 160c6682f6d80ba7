"""Predicates: the states that a command's words bring about, and whether they fit or contradict a call."""

from collections.abc import Collection, Iterator, Mapping, Sequence, Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
import unicodedata

from homeassistant.components.valve import DOMAIN as VALVE, ValveDeviceClass
from homeassistant.helpers import intent

from ..home.exposed import Exposed, Home
from ..languages import LANGUAGES
from ..names.matching import matcher, words
from .phrase_pattern import PhrasePattern
from .phrase_patterns import PhrasePatterns, patterns_of
from .phrases import contains_any_gapped, contains_phrase, phrases_of_form, reply_phrases
from .tokenizer import Text, TokenSequence, fold_punctuation, tokenize

type SwitchStates = tuple[frozenset[str], frozenset[str]]
"""The states that words say of what was turned on, and of what was turned off."""

WORKS: Final[SwitchStates] = (
    frozenset(("on", "running", "cleaning", "mowing")),
    frozenset(("off", "docked")),
)
PLAYS: Final[SwitchStates] = frozenset(("on", "playing")), frozenset(("off", "paused"))
_OPENS: Final[SwitchStates] = frozenset(("open",)), frozenset(("closed",))
_ON_OFF: Final[SwitchStates] = frozenset(("on",)), frozenset(("off",))
_OF_DOMAIN: Final[Mapping[str, SwitchStates]] = {
    "cover": _OPENS,
    "lawn_mower": WORKS,
    "lock": (frozenset(("locked",)), frozenset(("unlocked",))),
    "media_player": PLAYS,
    "vacuum": WORKS,
    "valve": (frozenset(("open", "on")), frozenset(("closed", "off"))),
}
GOING: Final = frozenset(("lawn_mower", "vacuum"))
"""Domains whose devices leave their dock to work: "out" is where they go, and not off."""


def switch_states(domain: str) -> SwitchStates:
    """Return the states of a domain's devices that are turned on, and of those turned off."""
    return _OF_DOMAIN.get(domain, _ON_OFF)


def access_direction(text: Text) -> bool | None:
    """Return True if a text says to open what keeps people out; None where it says neither or both."""
    code = text.language.code
    does, undoes = (
        contains_phrase(text, reply_phrases(code, form)) for form in ("opens", "closes")
    )
    return does if does != undoes else None


def is_access_name(name: str) -> bool:
    """Return True if a button's name, of whatever language, says that it lets somebody in.

    "Door Buzzer" does; "Close the garage" says that it closes.
    """
    if any(access_direction(Text(name, code)) is False for code in LANGUAGES):
        return False
    forms = ("ways_in", "opens")
    return any(
        contains_phrase(name, reply_phrases(code, form)) for code in LANGUAGES for form in forms
    )


def is_disarming(text: Text) -> bool:
    """Return True if a text says of an alarm that it is to be off, in whatever words."""
    return access_direction(text) is True or contains_any_gapped(
        text, reply_phrases(text.code, "turns_off")
    )


def words_beside_access(text: Text) -> frozenset[str]:
    """Return the words of a text that do not say to open, to disarm or nothing: what is to be opened."""
    forms = ("opens", "opens_up", "turns_off", "beside")
    empty = {word for form in forms for phrase in reply_phrases(text.code, form) for word in phrase}
    return (
        frozenset(text.words) - (empty - alarm_words(text.code)) - matcher(text.code).function_words
    )


def alarm_words(code: str) -> frozenset[str]:
    """Return the words of what an alarm of a home is called: "burglar", "alarm"."""
    return frozenset(word for phrase in reply_phrases(code, "alarms") for word in phrase)


_INSIDE: Final = "any"
_LEAST: Final = 4
"""Letters of a part of a compound."""
_SWITCHES: Final = frozenset(("input_boolean", "switch"))


@dataclass(frozen=True, slots=True)
class VerbSense:
    """What a command says is to be done, as far as only devices of some kinds do it."""

    domains: frozenset[str]
    """Of those devices; empty where others do it, too."""
    agent_words: frozenset[str]
    """The words that say so."""
    rest: frozenset[str]
    """Its other words, but for those that say to what it is done, if that is no room."""


def find_verb_sense(text: Text) -> VerbSense:
    """Return what a command says by its verb.

    Args:
        text: a command, or a part of one.
        code: the language's code as `languages` has it; of a language without such verbs it says
            nothing.
    """
    known = patterns_of(text.code)
    line = TokenSequence.of(text)
    found = {
        domain: {index for each in patterns for own in own_tokens(line, each) for index in own}
        for domain, patterns in known.agent_verbs.items()
    }
    domains = frozenset(domain for domain, indexes in found.items() if indexes)
    said = {index for indexes in found.values() for index in indexes}
    done_to = {
        index
        for domain in domains
        for pattern in known.agent_objects.get(domain, ())
        for own in own_tokens(line, pattern)
        for index in own
    }
    rest = set(range(len(line.tokens))) - said - done_to
    return VerbSense(domains, _words(line, said), _words(line, rest))


def entities_for_sense(
    domain: str, home: Home, code: str, *, certainly: bool = False
) -> Sequence[Exposed]:
    """Return the devices of a home that do the work of a domain: those of it, else switches called so.

    No gas is for a garden. `certainly`: of valves only those that are called by that work, or by what
    it is done to, or are in such a place: another may shut off the whole house.
    """
    own = [
        each
        for each in home.entities
        if each.domain == domain and each.device_class != ValveDeviceClass.GAS
    ]
    if not own:
        switches = (each for each in home.entities if each.domain in _SWITCHES)
        return [each for each in switches if _is_called_by(domain, each.names, code)]
    if not certainly or domain != VALVE:
        return own
    return [
        each for each in own if _is_called_by(domain, (*each.names, *_places(each, home)), code)
    ]


def sole_entities_for_sense(domains: Collection[str], home: Home, code: str) -> frozenset[Exposed]:
    """Return the devices of a home that alone do the work of one of some domains."""
    doers = (entities_for_sense(each, home, code) for each in domains)
    return frozenset(each for [each] in (found for found in doers if len(found) == 1))


def _places(entity: Exposed, home: Home) -> Sequence[str]:
    area = home.areas.get(entity.area)
    return (area.name, *area.aliases) if area else ()


def _is_called_by(domain: str, names: Sequence[str], code: str) -> bool:
    """Return True if a name has a word of some work, be it within a compound: "Gartenbewässerung"."""
    texts = (fold_punctuation(unicodedata.normalize("NFC", name)) for name in names)
    return any(_is_of_work(token.text, domain, code) for text in texts for token in tokenize(text))


@lru_cache(1024)  # a home's names are of few words
def _is_of_work(word: str, domain: str, code: str) -> bool:
    known = patterns_of(code)
    patterns = (*known.agent_names.get(domain, ()), *known.agent_objects.get(domain, ()))
    parts = [f" {word[begin:]} " for begin in (0, *range(_LEAST, len(word) - _LEAST))]
    return any(pattern.search(part) for part in parts for pattern in patterns)


def own_tokens(line: TokenSequence, pattern: PhrasePattern) -> Iterator[frozenset[int]]:
    """Yield a pattern's tokens for each place where it is, but those that are any words between its own."""
    inside: set[int] = set()
    if pattern.has_group(_INSIDE):
        inside.update(index for span in line.find(pattern, _INSIDE) for index in range(*span))
    for first, end in line.find(pattern):
        yield frozenset(range(first, end)) - inside


def _words(line: TokenSequence, indexes: set[int]) -> frozenset[str]:
    return frozenset(word for index in indexes for word in words(line.tokens[index].text))


_BEGINS: Final[Mapping[str, SwitchStates]] = {
    "HassLawnMowerStartMowing": WORKS,
    "HassMediaPlayerMute": (frozenset(("muted",)), frozenset(("unmuted",))),
    # "Stop the music on the radio".
    "HassMediaUnpause": (frozenset(("playing",)), PLAYS[1]),
    "HassVacuumStart": WORKS,
}
_ENDS: Final = {
    intent.INTENT_TURN_OFF: intent.INTENT_TURN_ON,
    "HassLawnMowerDock": "HassLawnMowerStartMowing",
    "HassMediaPause": "HassMediaUnpause",
    "HassMediaPlayerUnmute": "HassMediaPlayerMute",
    "HassVacuumReturnToBase": "HassVacuumStart",
}
_BARRED: Final = frozenset(("cover", "lock"))
"""What is opened and closed in words of its own, besides those of other devices."""


def contradicts(command: Text, intent_type: str, domain: str, names: Collection[str] = ()) -> bool:
    """Return True if a command says the opposite of what an intent does to a device, and not that.

    Args:
        command: the words of the command.
        code: the language's code as `languages` has it; of one without such words it says nothing.
        intent_type: Home Assistant's intent that would be called.
        domain: the device's.
        names: what the device is called, of which no word says what is to be done.
    """
    known = patterns_of(command.code)
    begins = _ENDS.get(intent_type, intent_type)
    if begins == intent.INTENT_TURN_ON:
        sides = switch_states(domain)
    elif begins in _BEGINS:
        sides = _BEGINS[begins]
    else:
        return False
    if not known.causative_verbs:
        return False
    wanted, other = sides if begins == intent_type else sides[::-1]
    said = {
        state
        for state, places in _brought(command, known, names)
        if domain not in GOING or not _goes_out(command, places)
    }
    said.update(_worded(command, domain))
    return bool(said & other) and not said & wanted


def desired_states(command: Text, names: Collection[str] = ()) -> frozenset[str]:
    """Return the states that a command's words bring about; those of `names` say none."""
    known = patterns_of(command.code)
    return frozenset(state for state, _ in _brought(command, known, names))


def sole_desired_state(command: Text) -> str:
    """Return the one state that all words of a command bring about; empty where some say more.

    It is a command without the device that it is for: "send back to base".
    """
    found = [*_brought(command, patterns_of(command.code))]
    empty = command.language.function_words
    left = {place for place, each in enumerate(command.tokens) if each.text not in empty}
    states = {state for state, _ in found}
    if len(states) != 1 or not left <= frozenset[int]().union(*(places for _, places in found)):
        return ""
    return states.pop()


def _goes_out(command: Text, places: frozenset[int]) -> bool:
    """Return True if some of a command's words only say that something leaves its dock."""
    return tuple(command.tokens[place].text for place in sorted(places)) in phrases_of_form(
        command.code, "goes_out"
    )


def begins_with_state_verb(command: Text) -> bool:
    """Return True if a text begins with what brings something about: "unbolt the door"."""
    return any(0 in found for _, found in _brought(command, patterns_of(command.code)))


def mentions_state(command: Text) -> bool:
    """Return True if a word of a command says what is to become of something: "off", "open", "locked"."""
    return any(True for _ in _brought(command, patterns_of(command.code)))


def _brought(
    command: Text, known: PhrasePatterns, names: Collection[str] = ()
) -> Iterator[tuple[str, frozenset[int]]]:
    """Yield the states that a command's words say, and the places of these words.

    Each word says one, if not by what it shows besides; and those of the names alone say none.
    """
    line = TokenSequence.of(command)
    own = {word for name in names for word in words(name)}
    idle = {place for place, each in enumerate(line.tokens) if own.issuperset(words(each.text))}
    told: set[int] = set()
    for table in (known.causative_verbs, known.state_phrases):
        for state, patterns in table.items():
            spans = [span for pattern in patterns for span in own_tokens(line, pattern)]
            found = [span for span in spans if not span <= idle and told.isdisjoint(span)]
            if found:
                yield state, frozenset[int]().union(*found)
            if table is known.causative_verbs:
                told.update(*found)


def _worded(command: Text, domain: str) -> Iterator[str]:
    """Yield what a command says by words that are of some devices alone, or by its first one."""
    if any(command.words[: len(stop)] == stop for stop in phrases_of_form(command.code, "stops")):
        yield from ("off", "paused")
    elif domain in find_verb_sense(command).domains:
        yield "on"
    is_opened = access_direction(command) if domain in _BARRED else None
    if is_opened is not None:
        yield from ("open", "unlocked") if is_opened else ("closed", "locked")


# "Close the front door" is said of its lock, too.
_BOLTED: Final[SwitchStates] = frozenset(("locked", "closed")), frozenset(("unlocked", "open"))
_TURNS = (intent.INTENT_TURN_ON, intent.INTENT_TURN_OFF)


def switched_intent(command: Text, domain: str) -> str:
    """Return whether a command says that a device of a domain is to be on, or off, as an intent.

    Empty where it says neither, or both. The arguments are those of `entails`.
    """
    is_on = entails(command, intent.INTENT_TURN_ON, frozenset((domain,)))
    if is_on is None:
        return ""
    return intent.INTENT_TURN_ON if is_on else intent.INTENT_TURN_OFF


def awning_intent(command: Text) -> str:
    """Return whether a command that is left of an awning's draws it out or in, as an intent."""
    said = command.words
    if said in phrases_of_form(command.code, "draws_out"):
        return intent.INTENT_TURN_ON
    return intent.INTENT_TURN_OFF if said in phrases_of_form(command.code, "draws_in") else ""


def only_locks(command: Text) -> bool:
    """Return True if a command that is left of a lock's says nothing but to lock it: "ferme à clé"."""
    return command.words in phrases_of_form(command.code, "locks")


def entails(
    command: Text, intent_type: str, domains: AbstractSet[str] = frozenset()
) -> bool | None:
    """Return True if the state that a command says is the one that an intent brings about.

    False where it ends it, None where the command says neither of them, or both.

    Args:
        command: the words of the command.
        code: the language's code as `languages` has it.
        intent_type: Home Assistant's intent that would be called.
        domains: those of what it would act upon.
    """
    known = patterns_of(command.code)
    if intent_type not in _TURNS or not known.state_phrases:
        return None
    outwards = phrases_of_form(command.code, "goes_out")
    line = TokenSequence.of(command, known.numbers)
    said = {
        state
        for table in (known.state_phrases, known.event_verbs)
        for state, patterns in table.items()
        for pattern in patterns
        for span in line.find(pattern)
        if not (domains and domains <= GOING and (*words(line.surface(range(*span))),) in outwards)
    }
    pairs = [_states(domain) for domain in domains or ("",)]
    begun = _TURNS.index(intent_type)
    begins = any(said & pair[begun] for pair in pairs)
    ends = any(said & pair[1 - begun] for pair in pairs)
    return begins if begins != ends else None


def _states(domain: str) -> SwitchStates:
    """Return the states that words may say of a domain's devices: turned on, and turned off."""
    return _BOLTED if domain == "lock" else switch_states(domain)
