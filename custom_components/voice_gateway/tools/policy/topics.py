"""Whether devices are the targets of a command, or only its topic: "order a new lamp".

Also titles to play, and texts to find, read or write: after third-party text was read, they turn
nothing off.
"""

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import Final

from homeassistant.components.media_player import DOMAIN as MEDIA_PLAYER
from homeassistant.helpers import intent

from ...home.exposed import Exposed
from ...languages import language_of
from ...names.matching import words
from ...nlu.clause import Clause, join_commands
from ...nlu.entity_linking import EntityLinker
from ...nlu.predicates import Predicate
from ...nlu.tokenizer import Text
from .call import ComparedCall

_LETS: Final = ("requests", "wishes")
"""Causative forms."""
_SEVERAL: Final = 2
_PLAYED: Final = frozenset(("automation", "scene"))
_RUN: Final = _PLAYED | {"button", "input_button", "script"}
_BRINGS: Final = frozenset(
    (
        intent.INTENT_TURN_ON,
        intent.INTENT_TURN_OFF,
        "HassLawnMowerDock",
        "HassLawnMowerStartMowing",
        "HassMediaNext",
        "HassMediaPause",
        "HassMediaPrevious",
        "HassMediaUnpause",
        "HassVacuumReturnToBase",
        "HassVacuumStart",
    )
)
"""Intents whose states have words."""


def says_what(fitting: Sequence[Clause], call: ComparedCall) -> bool:
    """Return True if commands have an action for a call's devices: not "order a new lamp".

    A value is itself the action; and a scene or a script is run by its name.
    """
    patterns, domains = call.utterance.text.patterns, call.target_domains
    if call.intent_type not in _BRINGS or domains <= _RUN or not patterns.causative_verbs:
        return True
    text = join_commands(fitting).without_clitics
    return (
        bool(Predicate.of(text).states(call.target_names))
        or text.says("draws_in", "draws_out", "stops")
        or not call.utterance.link(text).sense_domains.isdisjoint(domains)
        or _is_to_work(text, call)
        or (call.intent_type == intent.INTENT_TURN_ON and _is_put_on(text, call))
    )


def _is_put_on(text: Text, call: ComparedCall) -> bool:
    """Return True if the rest is only a verb that turns on its object: "pon el ventilador"."""
    said = call.utterance.link(text)
    verbs_of_putting = text.patterns.words_of("puts_on")
    known = said.words_for(call.targets) | text.function_words | said.place_words
    left = [word for word in text.words if word not in known]
    return len(left) == 1 and left[0] in verbs_of_putting


def _is_to_work(text: Text, call: ComparedCall) -> bool:
    """Return True if a command makes a named device do its kind's work: "get Robin to hoover".

    "Buy a hoover for Robin" requests something else.
    """
    said = call.utterance.link(text)
    if not said.named.issuperset(call.targets):
        return False
    done = Predicate.of(text)
    known = text.patterns.words_of(*_LETS) | text.patterns.verbs
    known |= text.function_words | said.place_words
    known |= {word for each in call.targets for word in _words_of(each)}
    return all(each.domain in done.domains for each in call.targets) and done.other_words <= known


def may_be_a_text(call: ComparedCall) -> bool:
    """Return True if the mention is in a text to find, read or write; not of media players."""
    is_music = all(each.domain == MEDIA_PLAYER for each in call.targets)
    return not is_music and all(_is_of_text(each, call) for each in call.clauses)


def is_title(call: ComparedCall) -> bool:
    """Return True if the mention is in a title to play: "play the song Turn Off the Lamp".

    That does not turn off the player; and "play" is used for scenes and scripts as well.
    """
    domains = call.target_domains
    ends = call.intent_type == intent.INTENT_TURN_OFF
    if not domains or domains <= _PLAYED or (domains == {MEDIA_PLAYER} and not ends):
        return False
    return all(each.command.begins("plays") for each in call.clauses)


def is_anothers(
    entity: Exposed,
    said: EntityLinker,
    fitting: Sequence[Clause],
    call: ComparedCall,
) -> bool:
    """Return True if a seeming reference to a device is about other things."""
    if said.named and not said.text.language.categories:
        # Without category words, only names refer.
        return entity not in said.named
    return _is_put_together(entity, said, fitting, call) or _is_anothers_name(entity, said)


def _is_put_together(
    entity: Exposed,
    said: EntityLinker,
    fitting: Sequence[Clause],
    call: ComparedCall,
) -> bool:
    """Return True if a name consists of words about different things.

    "Turn on the bedside lamp of Jan, and read what Mia writes" names no bedside lamp of Mia.
    """
    if entity not in said.named:
        return False
    if len(fitting) >= _SEVERAL:
        acting = [each for each in fitting if says_what([each], call)] or fitting
        return not any(_means_it(entity, call.utterance.link(each.command)) for each in acting)
    spoken, own = said.text.words, _words_of(entity)
    rivals = [_words_of(each) for each in said.named if each != entity]
    rivals = [each for each in rivals if not own.isdisjoint(each)]
    language = language_of(said.text.code)
    known = own.union(
        *rivals,
        said.text.function_words,
        language.conjunctions,
        language.universal_quantifiers,
    )
    stretches = [{*some} for is_known, some in groupby(spoken, known.__contains__) if is_known]
    return bool(rivals) and not any(own.intersection(spoken) <= each for each in stretches)


def _means_it(entity: Exposed, said: EntityLinker) -> bool:
    """Return True if words name a device, or refer to it and name no other one like it."""
    if entity in said.named:
        return True
    return said.may_refer_to(entity) and not any(
        each.domain == entity.domain for each in said.named
    )


def _is_anothers_name(entity: Exposed, said: EntityLinker) -> bool:
    """Return True if a possible category word belongs to the name of another device.

    "Turn off the string lights" refers to no other lights.
    """
    named = [each for each in said.named if each.domain == entity.domain]
    alone = said.filter_by_full_name([*named, entity])
    return bool(named and alone) and entity not in named and entity not in alone


def _is_of_text(clause: Clause, call: ComparedCall) -> bool:
    """Return True if a clause may be a text, or the start of one: "write a note: turn it off"."""
    text, clauses = call.utterance.text, call.utterance.parsed.clauses
    return (
        clause.has_content
        or is_of_writing(clause, call)
        or any(
            before.has_content and after == clause and f"{before.text}:" in text
            for before, after in pairwise(clauses)
        )
    )


def is_of_writing(clause: Clause, call: ComparedCall) -> bool:
    """Return True if a clause is about a written text: "forward the mail about the lamp"."""
    own = {word for each in call.utterance.link(clause.text).named for word in _words_of(each)}
    said = clause.text.words
    return any(not own.issuperset(said[slice(*at)]) for at in clause.text.spans("writings"))


def only_reads(clause: Clause, call: ComparedCall) -> bool:
    """Return True if a clause requests to read a text, of whatever devices.

    Its verb has no effect on them, or has the text as its object: "open the mail about the gate".
    """
    text = clause.command
    if not text.begins("reads") or not is_of_writing(clause, call):
        return False
    if not Predicate.of(text).states(call.target_names):
        return True
    first, _ = next(iter(text.spans("writings")))
    return text.function_words.issuperset(text.words[1:first])


def _words_of(entity: Exposed) -> frozenset[str]:
    return frozenset(word for name in entity.names for word in words(name))
