"""Devices that the answer before named, and the user now speaks of: "which lights are on?", "turn them off".

The user heard them named, whatever told the model to name them.
"""

from ..home.exposed import Exposed
from ..nlu.anaphora import Anaphora
from ..nlu.clause import Clause
from ..nlu.tokenizer import Text
from .anaphora_policy import commands_for_now, does_as_said, may_be_referred_to
from .proposed_call import ComparedCall
from .topic_policy import says_what


def refers_to_answer(call: ComparedCall) -> bool | None:
    """Return True if a command is for devices that the answer before named; None where it is not.

    True where all of them are meant, as "them" and "both" say, or as it named only one. What was done before
    is followed up by itself.
    """
    utterance = call.utterance
    if not utterance.context.answer or utterance.context.actions or not may_be_referred_to(call):
        return None
    named = _named(call)
    is_told = bool(named) or not _speaks_of_kind(call)
    if is_told and not named.issuperset(call.targets):
        return None
    for clause in commands_for_now(call):
        if _leaves_open_which(clause, call):
            return bool(named) and (len(named) == 1 or _says_all(clause.command))
    return None


def _speaks_of_kind(call: ComparedCall) -> bool:
    """Return True if what others wrote had the answer speak of a call's kind, in words that name none."""
    kinds = call.utterance.link(call.utterance.context.answer).categories
    domains = {domain for kind in kinds for domain in kind.domains}
    is_of_kind = domains.issuperset(each.domain for each in call.targets)
    return is_of_kind and not call.taint.is_only_described


def _named(call: ComparedCall) -> frozenset[Exposed]:
    """Return the devices of a call's kind that the answer before named."""
    utterance = call.utterance
    told = utterance.link(utterance.context.answer)
    domains = {each.domain for each in call.targets}
    named = frozenset(each for each in told.named if each.domain in domains)
    if named or not utterance.context.earlier or told.named:
        return named
    # "Which lights are on?" – "That in the hall, and that in the kitchen."
    asked = {
        domain
        for kind in utterance.link(utterance.context.before).categories
        for domain in kind.domains
    }
    there = (each for each in told.home.entities if each.area in told.areas)
    return frozenset(each for each in there if each.domain in domains & asked)


def _leaves_open_which(clause: Clause, call: ComparedCall) -> bool:
    """Return True if a command says what is to be done, and to nothing that it names."""
    return (
        not call.utterance.link(clause.command).has_mention
        and not Anaphora.of(clause.command).names_another
        and does_as_said(clause.command.without_clitics, call)
        and says_what([clause], call)
    )


def _says_all(text: Text) -> bool:
    """Return True if a command is for all that were named: "them", "both"."""
    whole = text.patterns.single_words("universal_quantifiers") | text.patterns.words_of("them")
    listed = text.language.forms.get("them", ())
    endings = tuple(each[1:] for each in listed if each.startswith("-"))
    return any(word in whole or word.endswith(endings) for word in text.words)
