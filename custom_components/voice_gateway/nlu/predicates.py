"""Predicates: the action or state of a text, and whether a call agrees with it or opposes it."""

from collections.abc import Collection, Iterator, Mapping, Sequence, Set as AbstractSet
from functools import cached_property, lru_cache
from typing import Final, Self
import unicodedata

from homeassistant.components.cover import DOMAIN as COVER
from homeassistant.components.lock import DOMAIN as LOCK
from homeassistant.components.valve import DOMAIN as VALVE, ValveDeviceClass
from homeassistant.helpers import intent

from ..home.exposed import Exposed, Home
from ..languages import LANGUAGES
from ..names.matching import words
from .categories import find_categories
from .phrase_patterns import patterns_of
from .tokenizer import Text, TokenSequence
from .tokens import PhrasePattern, fold, fold_punctuation, tokenize

type _Sides = tuple[frozenset[str], frozenset[str]]
"""The states that "turn on" causes, and those that "turn off" causes."""

_WORKS: Final[_Sides] = (
    frozenset(("on", "running", "cleaning", "mowing")),
    frozenset(("off", "docked")),
)
_PLAYS: Final[_Sides] = frozenset(("on", "playing")), frozenset(("off", "paused"))
_ON_OFF: Final[_Sides] = frozenset(("on",)), frozenset(("off",))
_OF_DOMAIN: Final[Mapping[str, _Sides]] = {
    "cover": (frozenset(("open",)), frozenset(("closed",))),
    "lawn_mower": _WORKS,
    # "Close the front door" may also lock it.
    "lock": (frozenset(("locked", "closed")), frozenset(("unlocked", "open"))),
    "media_player": _PLAYS,
    "vacuum": _WORKS,
    "valve": (frozenset(("open", "on")), frozenset(("closed", "off"))),
}
_OF_INTENT: Final[Mapping[str, _Sides]] = {
    "HassLawnMowerStartMowing": _WORKS,
    "HassMediaPlayerMute": (frozenset(("muted",)), frozenset(("unmuted",))),
    # "Stop the music on the radio".
    "HassMediaUnpause": (frozenset(("playing",)), _PLAYS[1]),
    "HassVacuumStart": _WORKS,
}
_INVERSE: Final = {
    intent.INTENT_TURN_OFF: intent.INTENT_TURN_ON,
    "HassLawnMowerDock": "HassLawnMowerStartMowing",
    "HassMediaPause": "HassMediaUnpause",
    "HassMediaPlayerUnmute": "HassMediaPlayerMute",
    "HassVacuumReturnToBase": "HassVacuumStart",
}
_LEAVES_DOCK: Final = frozenset(("lawn_mower", "vacuum"))
"""Domains whose devices leave a dock to work: "out" is a direction, not off."""
_BARRED: Final = frozenset((COVER, LOCK))
"""Domains that are opened and closed with particular verbs."""
_BARRIER_STATES: Final = frozenset(("closed", "locked", "open", "unlocked"))
_SWITCHED_STATES: Final = frozenset(("on", "off"))
_SWITCHES: Final = frozenset(("input_boolean", "switch"))
_INSIDE: Final = "any"
_LEAST: Final = 4
"""The fewest letters of a part of a compound."""
_OPENS: Final = "access_verbs.opens"
_CLOSES: Final = "access_verbs.closes"
_ALARMS: Final = "access_verbs.alarms"
_TURNS_OFF: Final = "restatements.turns_off"


class Predicate:
    """The action or state of a text, parsed once per text.

    Without lists of verbs and states for the language, it is empty.
    """

    def __init__(self, text: Text) -> None:
        """Take a command or a part of one."""
        self.text = text
        self._known = text.patterns
        self._line = TokenSequence.of(text)

    @classmethod
    def of(cls, text: Text) -> Self:
        """Return the predicate of a text."""
        return text.layer(cls)

    @cached_property
    def is_expressed(self) -> bool:
        """Whether the text has a verb of a command or a desired state.

        A verb that is also a category word counts only at the beginning: "lock the door", not "the
        kitchen light".
        """
        first, *others = [each.casefold() for each in self.text.spoken] or [""]
        said = {first, *(each for each in others if each not in self._known.category_words)}
        doing = self._known.verbs | self._known.states
        return any(
            each in doing or fold(each) in doing or self._known.verb_stem(each) for each in said
        )

    @property
    def is_all(self) -> bool:
        """Whether the text has only states, function words and at most one verb: "turn it off"."""
        language = self.text.language
        left = self._besides(language.function_words | language.conjunctions)
        return len(left) <= 1 and self._known.verbs.issuperset(left.values())

    @property
    def has_no_object(self) -> bool:
        """Whether the same is true of a text without particles: "do turn it off, will you"."""
        return self._is_only_verb(self._besides(self._known.empty_words))

    def _besides(self, empty: AbstractSet[str]) -> Mapping[int, str]:
        """Return the words besides states and empty words, by their places."""
        known = self._known.states | empty
        return {
            place: fold(each)
            for place, each in enumerate(self.text.spoken)
            if known.isdisjoint((fold(each), each.casefold()))
        }

    def _is_only_verb(self, left: Mapping[int, str]) -> bool:
        """Return True if no words are left, or one verb: at the beginning, any imperative."""
        known = self._known.imperatives if 0 in left else self._known.verbs
        return len(left) <= 1 and known.issuperset(left.values())

    @property
    def complement(self) -> Text:
        """The text without its first verb, if that is also a category word: "switch it off"."""
        first, _, rest = self.text.strip().partition(" ")
        is_both = (
            first.casefold() in self._known.category_words and fold(first) in self._known.verbs
        )
        return self.text.alike(rest) if is_both else self.text

    # States

    def states(self, names: Collection[str] = ()) -> frozenset[str]:
        """Return the states that the text causes; words of `names` are ignored.

        The states are keys of `state_phrases` and `causative_verbs` in `languages/`.
        """
        return frozenset(state for state, _ in self._brought(names))

    @cached_property
    def is_whole(self) -> bool:
        """Whether the text consists of a predicate: a command without its objects.

        "Send back to base", "schalten Sie ein"; one word may be a verb without a state of its own.
        """
        empty = self._known.empty_words | self.text.language.universal_quantifiers
        empty |= self._known.words_of("again")
        said = frozenset[int]().union(*(places for _, places in self._brought()))
        left = {
            place: fold(each.text)
            for place, each in enumerate(self._line.tokens)
            if not (place in said or fold(each.text) in empty or each.is_mark)
        }
        return bool(said) and self._is_only_verb(left)

    @property
    def is_first(self) -> bool:
        """Whether the text begins with its predicate: "unbolt the door"."""
        return any(0 in places for _, places in self._brought())

    def _brought(self, names: Collection[str] = ()) -> Iterator[tuple[str, frozenset[int]]]:
        """Yield the states of the text with their tokens.

        A verb's tokens have no second state; words that only belong to names have none.
        """
        own = {word for name in names for word in words(name)}
        tokens = self._line.tokens if own else ()
        idle = {place for place, each in enumerate(tokens) if own.issuperset(words(each.text))}
        told: set[int] = set()
        for state, spans, is_verb in self._spans:
            found = [span for span in spans if not span <= idle and told.isdisjoint(span)]
            if found:
                yield state, frozenset[int]().union(*found)
            if is_verb:
                told.update(*found)

    @cached_property
    def _spans(self) -> Sequence[tuple[str, Sequence[frozenset[int]], bool]]:
        """The states with their tokens, and whether verbs express them."""
        tables = (self._known.causative_verbs, self._known.state_phrases)
        found = (
            (
                state,
                [each for pattern in patterns for each in self._own(pattern)],
                table is tables[0],
            )
            for table in tables
            for state, patterns in table.items()
        )
        return [each for each in found if each[1]]

    def _own(self, pattern: PhrasePattern) -> Iterator[frozenset[int]]:
        """Yield the tokens of each match of a pattern, without open words between its own."""
        inside: set[int] = set()
        if pattern.has_group(_INSIDE):
            inside.update(
                each for span in self._line.find(pattern, _INSIDE) for each in range(*span)
            )
        for first, end in self._line.find(pattern):
            yield frozenset(range(first, end)) - inside

    # Calls

    def agrees(
        self, intent_type: str, domains: Collection[str] = (), names: Collection[str] = ()
    ) -> bool | None:
        """Return True if an intent causes the state of the text, False if the opposite one.

        None if the text has neither of them, or both. `domains` and `names` are those of the
        targets; words of the names are no predicate.
        """
        begins = _INVERSE.get(intent_type, intent_type)
        if begins not in _OF_INTENT and begins != intent.INTENT_TURN_ON:
            return None
        does = undoes = False
        for domain in domains or ("",):
            wanted, other = _OF_INTENT.get(begins) or _OF_DOMAIN.get(domain, _ON_OFF)
            said = {*self._states_of(domain, names, is_sole=len(domains) == 1)}
            does |= bool(said & wanted)
            undoes |= bool(said & other)
        return None if does == undoes else does == (begins == intent_type)

    def opposes(self, intent_type: str, entities: Collection[Exposed]) -> bool:
        """Return True if the text has the opposite of an intent's effect on an entity."""
        return any(
            self.agrees(intent_type, (each.domain,), each.names) is False for each in entities
        )

    def wants(self, intent_type: str, entities: Collection[Exposed]) -> bool:
        """Return True if the text has an intent's effect on each of some entities."""
        return bool(entities) and all(
            self.agrees(intent_type, (each.domain,), each.names) for each in entities
        )

    def _states_of(self, domain: str, names: Collection[str], *, is_sole: bool) -> Iterator[str]:
        """Yield the states of the text for a domain; `is_sole`: the call has no other domain.

        Verbs that open an entry point may also apply to an alarm or other devices: "deactivate".
        """
        is_of_access = is_sole or self._moves_barrier
        if is_of_access and domain in _BARRED and self.opens is not None:
            yield from ("open", "unlocked") if self.opens else ("closed", "locked")
            if domain == LOCK:
                return  # "schließ die Tür auf"
        states = [
            state
            for state, places in (*self._brought(names), *self._happening)
            if domain not in _LEAVES_DOCK
            or not self._line.surface(sorted(places)).says_only("goes_out")
        ]
        yield from states
        if self.text.phrase_end(0, "stops"):
            yield from ("off", "paused")
        elif not states and domain in self.domains:
            # Its work is a predicate by itself only: "send the vacuum home" names a device.
            yield "on"

    @property
    def _moves_barrier(self) -> bool:
        """Whether all of its verbs open, close, lock or unlock."""
        return bool(self._verbal_states) and self._verbal_states <= _BARRIER_STATES

    @property
    def _switches(self) -> bool:
        """Whether all of its verbs turn on or off."""
        return bool(self._verbal_states) and self._verbal_states <= _SWITCHED_STATES

    @property
    def _verbal_states(self) -> AbstractSet[str]:
        return {state for state, _, is_verb in self._spans if is_verb}

    @cached_property
    def _happening(self) -> Sequence[tuple[str, frozenset[int]]]:
        """The states of event verbs, with their tokens: "goes off"."""
        return [
            (state, place)
            for state, patterns in self._known.event_verbs.items()
            for pattern in patterns
            for place in self._own(pattern)
        ]

    @property
    def awning_intent(self) -> str:
        """The intent that extends or retracts an awning, if the text is only that; or empty."""
        if self.text.says_only("draws_out"):
            return intent.INTENT_TURN_ON
        return intent.INTENT_TURN_OFF if self.text.says_only("draws_in") else ""

    # Entry points

    @cached_property
    def opens(self) -> bool | None:
        """Whether the text opens an entry point; None for neither or both directions."""
        if self._switches and not self.text.says(_ALARMS) and self._is_of_covers:
            return None  # "activate the garage" arms nothing
        does, undoes = self.text.says(_OPENS), self.text.says(_CLOSES)
        if does and undoes:
            rest = self._without_nouns
            does, undoes = rest.says(_OPENS), rest.says(_CLOSES)
        return does if does != undoes else None

    @property
    def _is_of_covers(self) -> bool:
        """Whether its category words are for covers, and none for a lock."""
        domains = [kind.domains for kind in find_categories(self.text)]
        return bool(domains) and all(COVER in each and LOCK not in each for each in domains)

    @property
    def _without_nouns(self) -> Text:
        """The text without category words behind a verb of access: "disengage the lock"."""
        nouns = self._known.category_words
        verbs = self._known.words_of(_OPENS, _CLOSES) - nouns
        is_verb = [fold(each) in verbs for each in self.text.spoken]
        left = (
            each
            for place, each in enumerate(self.text.spoken)
            if fold(each) not in nouns or not any(is_verb[:place])
        )
        return self.text.alike(" ".join(left))

    @property
    def disarms(self) -> bool:
        """Whether the text turns an alarm off, in any words."""
        return self.opens is True or self.text.says(_TURNS_OFF, gapped=True)

    @property
    def access_words(self) -> frozenset[str]:
        """The words for the door, lock or alarm system, without the verb."""
        verbs = ("restatements.opens_up", _TURNS_OFF, "replies.beside")
        empty = self._known.words_of(_OPENS, *verbs) - self._known.words_of(_ALARMS)
        return frozenset(self.text.words) - empty - self.text.function_words

    # Work that only some domains do

    @cached_property
    def _agents(self) -> Mapping[str, frozenset[int]]:
        found = {
            domain: frozenset[int]().union(*(each for one in patterns for each in self._own(one)))
            for domain, patterns in self._known.agent_verbs.items()
        }
        return {domain: places for domain, places in found.items() if places}

    @property
    def does_nothing_else(self) -> bool:
        """Whether it has only this work and one verb for it: "send it out to clean"."""
        work = frozenset[int]().union(*self._agents.values())
        said = (fold(each.text) for at, each in enumerate(self._line.tokens) if at not in work)
        return self._known.empty_words.union(self._known.imperatives).issuperset(said)

    @property
    def domains(self) -> frozenset[str]:
        """The domains of the devices that alone do its work; empty if others do it, too."""
        return frozenset(self._agents)

    @cached_property
    def agent_words(self) -> frozenset[str]:
        """The words for the work of these domains."""
        return self._words(frozenset[int]().union(*self._agents.values()))

    @cached_property
    def other_words(self) -> frozenset[str]:
        """The other words, without objects of the work that are no rooms."""
        objects = (self._known.agent_objects.get(domain, ()) for domain in self._agents)
        done_to = (own for listed in objects for pattern in listed for own in self._own(pattern))
        said = frozenset[int]().union(*self._agents.values(), *done_to)
        return self._words(frozenset(range(len(self._line.tokens))) - said)

    def _words(self, places: frozenset[int]) -> frozenset[str]:
        return frozenset(word for each in places for word in words(self._line.tokens[each].text))


def is_access_name(name: str) -> bool:
    """Return True if a button's name, in any language, is that of an entry point.

    "Door Buzzer" is; "Close the garage" is not, as it only closes one.
    """
    texts = [Text(name, code) for code in LANGUAGES]
    return all(Predicate(each).opens is not False for each in texts) and any(
        each.says("access_verbs.ways_in", _OPENS) for each in texts
    )


def entities_for_sense(
    domain: str, home: Home, code: str, *, certainly: bool = False
) -> Sequence[Exposed]:
    """Return the devices that do a domain's work: those of the domain, else switches named so.

    Gas valves are excluded. `certainly`: only valves that are named for the work or its object, or
    are in such a place, as another valve may shut off the whole house.
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
    places = {each.id: (each.name, *each.aliases) for each in home.areas.values()}
    return [
        each
        for each in own
        if _is_called_by(domain, (*each.names, *places.get(each.area, ())), code)
    ]


def _is_called_by(domain: str, names: Sequence[str], code: str) -> bool:
    """Return True if a name has a word for some work, also in a compound: "Gartenbewässerung"."""
    texts = (fold_punctuation(unicodedata.normalize("NFC", name)) for name in names)
    return any(_is_of_work(token.text, domain, code) for text in texts for token in tokenize(text))


@lru_cache(1024)  # a home's names repeat few words
def _is_of_work(word: str, domain: str, code: str) -> bool:
    known = patterns_of(code)
    patterns = (*known.agent_names.get(domain, ()), *known.agent_objects.get(domain, ()))
    parts = [f" {word[begin:]} " for begin in (0, *range(_LEAST, len(word) - _LEAST))]
    return any(pattern.search(part) for part in parts for pattern in patterns)
