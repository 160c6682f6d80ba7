"""Entry points: the calls that open them, and the words that such a call requires."""

from collections.abc import Collection, Sequence

from homeassistant.core import HomeAssistant

from ...home.exposed import Exposed
from ...names.inflection import begins_alike
from ...names.matching import words
from ...nlu.entity_linking import EntityLinker
from ...nlu.predicates import Predicate
from ...nlu.utterance import RecognitionStatus, Utterance
from .call import ComparedCall
from .divergence import Difference, Divergence, listed
from .questions import ask_to_open

_SHUT = frozenset(("closed", "closing", "locked", "locking"))


def compare_access(call: ComparedCall) -> Difference | None:
    """An entry point is opened only if the last sentence itself says so, and names it.

    The number of entry points, the speaker's area and earlier sentences are ignored here.
    """
    doors = call.opened_targets
    unnamed = [each for each in doors if not _is_said(each, doors, call)]
    if not unnamed:
        return None
    said = call.reference
    of_domain = (each for each in call.utterance.home.entities if each.domain == unnamed[0].domain)
    alike = [each for each in of_domain if each.is_access]
    kin = [each for each in alike if said.is_candidate(each)] or alike
    told = f"The user did not ask to open {listed(unnamed)}. Ask the user which one."
    is_likely = doors == unnamed and len(doors) == 1 and _is_likely(doors[0], call)
    kind = Divergence.LIKELY_DOOR if is_likely else Divergence.UNNAMED_DOOR
    return Difference(kind, told, which=kin, ask=ask_to_open(doors))


def _is_likely(entity: Exposed, call: ComparedCall) -> bool:
    """Return True if a command to open has a word of only one door's name: "the balcony door".

    That is too little to open it, and enough to ask for consent.
    """
    said = call.reference
    is_read = call.utterance.status is not RecognitionStatus.UNREAD
    if not (is_read and call.commands and call.predicate.wants(call.intent_type, [entity])):
        return False
    known = said.category_words | said.text.function_words | said.text.patterns.verbs
    telling = [word for word in said.text.words if word not in known]
    called = [
        each
        for each in call.utterance.home.entities
        if each.domain == entity.domain
        and any(
            begins_alike(word, own)
            for name in each.names
            for own in words(name)
            for word in telling
        )
    ]
    return called == [entity]


def _is_said(entity: Exposed, doors: Sequence[Exposed], call: ComparedCall) -> bool:
    """Return True if the last sentence says to open a door, by name or as the only one there."""
    utterance = call.utterance
    text = call.text
    if (
        not utterance.text
        or utterance.status is RecognitionStatus.UNREAD
        or Predicate.of(text).opens is False
    ):
        return False
    if call.resolved and [*call.resolved.targets] == [entity]:
        return True
    said = utterance.link(text)
    return (
        _is_meant(entity, doors, said)
        or _is_called(entity, utterance, text)
        or is_only_one_named(entity, said)
    )


def is_only_one_named(entity: Exposed, said: EntityLinker) -> bool:
    """Return True if words refer to a door as the only one with that name: "the gate"."""
    doors = [each for each in said.home.entities if each.is_access]
    is_there = not said.areas or entity.area in said.areas
    if not is_there or len(doors) <= 1:
        return False
    if len(said.categories) <= 1:
        return [*said.filter_hyponym(doors)] == [entity]
    # "The gate and the garage door"; but no garage door for "the garage light".
    own = (each for each in said.categories if entity.domain in each.domains and not each.is_plural)
    return any([*said.filter_by_category_word(each, doors)] == [entity] for each in own)


def _is_meant(entity: Exposed, doors: Sequence[Exposed], said: EntityLinker) -> bool:
    """Return True if words refer to a door: of several targets, each is named, or all are."""
    if said.refers_to_all_with(entity):
        return True
    return entity in said.named if len(doors) > 1 else said.surely_refers_to(entity)


def _is_called(entity: Exposed, utterance: Utterance, text: str) -> bool:
    """Return True if words contain a door's name, without "lock", and not a more specific one."""
    home, said = utterance.home, {*words(text)}
    told = {each: _telling(each, said) for each in home.entities if each.is_access}
    mine = told.get(entity, frozenset())
    return bool(mine) and not any(mine < other for other in told.values())


def _telling(entity: Exposed, said: Collection[str]) -> frozenset[str]:
    """Return the words of the longest of a device's names in an utterance, without its domain's."""
    names = ({*words(name)} - {*words(entity.domain)} for name in entity.names)
    return frozenset(max((own for own in names if own <= {*said}), key=len, default=frozenset()))


def closes(entity: Exposed, call: ComparedCall, said: EntityLinker) -> bool:
    """Return True if a call closes the door that a command to close certainly means.

    It is the only open one, and the command names none; or it is the only one with the name in the
    command: "close the gate".
    """
    if not entity.is_access or any(each.is_access for each in said.named):
        return False
    if call.predicate.opens is not False:
        return False
    if is_only_one_named(entity, said):
        return True
    there = [
        each
        for each in said.home.entities
        if each.domain == entity.domain and (not said.areas or each.area in said.areas)
    ]
    is_open = (each for each in there if not is_shut(call.hass, each))
    return [*is_open] == [entity]


def is_shut(hass: HomeAssistant, entity: Exposed) -> bool:
    """Return True if a door is known to be closed, or locked."""
    state = hass.states.get(entity.entity_id)
    return state is not None and state.state in _SHUT
