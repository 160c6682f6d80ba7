"""Which devices a part of a sentence means by a word for what was named before it: "it", "the other one"."""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from homeassistant.helpers import intent

from ..home.exposed import Exposed
from ..languages import language_of
from ..nlu.anaphora import Anaphora
from ..nlu.clause import Clause, DialogueAct
from ..nlu.entity_linking import EntityLinker
from ..nlu.follow_ups import FollowUpAct, FollowUpParser
from ..nlu.predicates import Predicate
from ..nlu.tokenizer import Text
from ..nlu.utterance import PastAction
from .access_policy import opened_targets
from .proposed_call import ComparedCall
from .value_policy import values_of

_TURNS = frozenset((intent.INTENT_TURN_ON, intent.INTENT_TURN_OFF))
_BEFORE = 3
"""Sentences before, in which something may have been named."""


def is_anaphoric(call: ComparedCall) -> bool:
    """Return True if a command certainly means a call's devices by what was named before it.

    "Dim it to twenty, and switch the other one off." What would let somebody in is to be named.
    """
    if not may_be_referred_to(call):
        return False
    return any(
        does_as_said(each.command, call) and (_is_there(each, call) or _stands_for(each, call))
        for each in commands_for_now(call)
    )


def is_elliptic(call: ComparedCall) -> bool:
    """Return True if a part of a sentence wants what was just done for the other one: "the other one too"."""
    if not may_be_referred_to(call):
        return False
    # What is said first is of what was done last.
    return any(
        _is_the_other(which, call)
        for first in call.utterance.parsed.clauses[:1]
        if first.is_plain and first.act not in (DialogueAct.QUESTION, DialogueAct.STATEMENT)
        for which in _others_in(first, call)
    )


def may_be_referred_to(call: ComparedCall) -> bool:
    """Return True if a call may be for devices that are not named again: it opens no door, and nobody asked."""
    is_for_now = call.acts_on_devices and bool(call.targets) and not opened_targets(call)
    return is_for_now and not call.utterance.asks


def commands_for_now(call: ComparedCall) -> Iterator[Clause]:
    """Yield the parts of a sentence that are commands for now."""
    clauses = (call.clause,) if call.clause else call.utterance.parsed.clauses
    for each in clauses:
        if each.is_plain and each.act is DialogueAct.COMMAND:
            yield each


def _stands_for(clause: Clause, call: ComparedCall) -> bool:
    if _meant(clause.command, call).has_mention:
        return False
    if Anaphora.of(clause.command).names_another:
        return _other_than(_named_before(clause, call), call) == [*call.targets]
    return Anaphora.of(clause.command).refers_back and (
        {*_named_before(clause, call)} == {*call.targets}
    )


def _is_there(clause: Clause, call: ComparedCall) -> bool:
    """Return True if a part speaks of a kind of device in the place that was named before it: "there"."""
    said = _meant(clause.command, call)
    if said.named or said.areas or not said.text.says("theres"):
        return False
    utterance = call.utterance
    before = [each.text for each in takewhile(clause.__ne__, utterance.parsed.clauses)]
    for each in (*reversed(before), *utterance.context.earlier[-1:]):
        if (named := utterance.link(each)).has_mention:
            match [*named.areas]:
                case [area_id]:
                    place = utterance.home.all_areas[area_id].name
                    kinds = " ".join(word for kind in said.categories for word in kind.words)
                    return _aims(said.text.alike(f"{kinds} {place}"), call) == [*call.targets]
            return False
    return False


def does_as_said(command: Text, call: ComparedCall) -> bool:
    """Return True if a command says what a call does, and not the opposite."""
    intent_type = call.intent_type
    predicate = Predicate.of(command)
    if intent_type not in _TURNS:
        return not predicate.opposes(intent_type, call.targets)
    return predicate.wants(intent_type, call.targets)


def _others_in(clause: Clause, call: ComparedCall) -> Iterator[Text]:
    """Yield what a part says of the other one at its begin: "the other one too, and the blinds down"."""
    language = call.utterance.language
    joints = language_of(language).conjunctions
    said = clause.text.replace(",", " , ").split()
    ends = [at for at, word in enumerate(said) if word == "," or word.casefold() in joints]
    parts = [said, *(said[:at] for at in ends)]
    for part in parts:
        wanted = FollowUpParser(clause.text.alike(" ".join(part).strip(" ,"))).parse()
        if wanted and wanted.act is FollowUpAct.OTHER and not wanted.is_instead:
            yield wanted.which


def _is_the_other(which: Text, call: ComparedCall) -> bool:
    """Return True if a call does to the other one just what was done to the one before."""
    if which:
        said = call.utterance.link(which)
        is_kind = said.only_mentions and not said.named and not said.areas
        if not is_kind or not all(each.domains >= call.domains for each in said.categories):
            return False
    intent_type = call.intent_type
    match call.utterance.context.actions:
        case [PastAction(does, values, [_] as devices)] if does == intent_type:
            given = {slot: call.arguments.get(slot) for slot in values_of(call.arguments)}
            is_same = given == {slot: values.get(slot) for slot in values_of(values)}
            return is_same and _other_than(devices, call) == [*call.targets]
    return False


def _named_before(clause: Clause, call: ComparedCall) -> Sequence[Exposed]:
    """Return the devices of which was spoken last before a part of the sentence, if that is certain."""
    utterance = call.utterance
    for each in reversed([*takewhile(clause.__ne__, utterance.parsed.clauses)]):
        if _meant(each.text, call).has_mention:
            return _aims(each.text, call)
    if utterance.context.actions:
        devices = {each for done in utterance.context.actions for each in done.devices}
        return [*devices]
    for parsed in utterance.context.parsed[: -_BEFORE - 1 : -1]:
        texts = (each.text for each in parsed.clauses)
        if telling := [each for each in texts if _meant(each, call).has_mention]:
            return _aims(telling[0], call) if len(telling) == 1 else ()
    return ()


def _aims(text: Text, call: ComparedCall) -> Sequence[Exposed]:
    said = _meant(text, call)
    return said.resolve(said.home.entities)


def _meant(text: Text, call: ComparedCall) -> EntityLinker:
    """Return what words mean, of which the first may be a verb that is called as a kind: "switch it off"."""
    return call.utterance.link(Predicate.of(text).complement)


def _other_than(devices: Sequence[Exposed], call: ComparedCall) -> list[Exposed]:
    """Return the only other one of a device's kind: in the home, or where the device is."""
    match devices:
        case [one]:
            alike = [
                each
                for each in call.utterance.home.entities
                if (each.domain, each.device_class) == (one.domain, one.device_class)
                and each != one
            ]
            there = [each for each in alike if one.area and each.area == one.area]
            found = alike if len(alike) == 1 else there
            return found if len(found) == 1 else []
    return []
