"""Anaphora and ellipsis: targets without a name: "it", "the other one", "quieter"."""

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Any, Final

from homeassistant.components.media_player import DOMAIN as MEDIA_PLAYER
from homeassistant.const import STATE_PLAYING
from homeassistant.helpers import intent

from ...home.exposed import Exposed
from ...languages import language_of
from ...nlu.anaphora import Anaphora
from ...nlu.clause import Clause, DialogueAct
from ...nlu.entity_linking import EntityLinker
from ...nlu.follow_ups import FollowUpAct, FollowUpParser
from ...nlu.predicates import Predicate
from ...nlu.requests import SEARCH
from ...nlu.tokenizer import Text
from ...nlu.utterance import DeviceAction
from .call import ComparedCall
from .divergence import Difference, Divergence
from .questions import asked_before
from .topics import says_what
from .values import values_of, without_values

_TURNS = frozenset((intent.INTENT_TURN_ON, intent.INTENT_TURN_OFF))
_REMARKS: Final = (DialogueAct.STATEMENT, DialogueAct.UNKNOWN)
_BEFORE = 3
"""The number of earlier sentences in which an antecedent may be."""
_VOLUME: Final = "HassSetVolumeRelative"
_LEVEL: Final = "HassSetVolume"
_PAUSE: Final = "HassMediaPause"
_TRANSPORT: Final = frozenset(("HassMediaNext", "HassMediaPause", "HassMediaPrevious"))
_STEPS: Final = {"up": 1, "down": -1}


def is_anaphoric(call: ComparedCall) -> bool:
    """Return True if the antecedents of a command certainly are a call's devices.

    "Dim it to twenty, and switch the other one off." An entry point needs its name.
    """
    if not may_be_referred_to(call):
        return False
    return any(
        does_as_said(each.command, call) and (_is_there(each, call) or _stands_for(each, call))
        for each in commands_for_now(call)
    )


def is_elliptic(call: ComparedCall) -> bool:
    """Return True if a clause repeats the last action for the other device: "the other one too"."""
    if not may_be_referred_to(call):
        return False
    # The first clause is about the last action.
    return any(
        _is_the_other(which, call)
        for first in call.utterance.parsed.clauses[:1]
        if first.is_plain and first.act not in (DialogueAct.QUESTION, DialogueAct.STATEMENT)
        for which in _others_in(first, call)
    )


def may_be_referred_to(call: ComparedCall) -> bool:
    """Return True if the targets need no name: no door is opened, and the user asked nothing."""
    is_for_now = call.acts_on_devices and bool(call.targets) and not call.opened_targets
    return is_for_now and not call.utterance.asks


def commands_for_now(call: ComparedCall) -> Iterator[Clause]:
    """Return the clauses that are commands for now."""
    clauses = (call.clause,) if call.clause else call.utterance.parsed.clauses
    return (each for each in clauses if each.is_plain and each.act is DialogueAct.COMMAND)


def _stands_for(clause: Clause, call: ComparedCall) -> bool:
    if _meant(clause.command, call).has_mention:
        return False
    if Anaphora.of(clause.command).names_another:
        return _other_than(_named_before(clause, call), call) == [*call.targets]
    return Anaphora.of(clause.command).refers_back and (
        {*_named_before(clause, call)} == {*call.targets}
    )


def _is_there(clause: Clause, call: ComparedCall) -> bool:
    """Return True if a clause is about a kind of device in the antecedent's place: "there"."""
    said = _meant(clause.command, call)
    if said.named or said.areas:
        return False
    utterance = call.utterance
    before = [*takewhile(clause.__ne__, utterance.parsed.clauses)][::-1]
    texts = [each.text for each in before]
    if said.text.says("conditions.there"):
        texts += utterance.context.earlier[-1:]
    elif not before or before[0].act not in _REMARKS:
        return False  # "it's dark in the hall, more light" is about the hall
    for each in texts:
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
    if call.intent_type in _TURNS:
        return call.is_wanted_by(command)
    return not Predicate.of(command).opposes(call.intent_type, call.targets)


def _others_in(clause: Clause, call: ComparedCall) -> Iterator[Text]:
    """Yield initial references to the other device: "the other one too, and the blinds down"."""
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
    """Return True if a call repeats the last action for the other device."""
    if which:
        said = call.utterance.link(which)
        is_kind = said.only_mentions and not said.named and not said.areas
        if not is_kind or not all(each.domains >= call.domains for each in said.categories):
            return False
    intent_type = call.intent_type
    match call.utterance.context.actions:
        case [DeviceAction(does, values, [_] as devices)] if does == intent_type:
            given = {slot: call.arguments.get(slot) for slot in values_of(call.arguments)}
            is_same = given == {slot: values.get(slot) for slot in values_of(values)}
            return is_same and _other_than(devices, call) == [*call.targets]
    return False


def _named_before(clause: Clause, call: ComparedCall) -> Sequence[Exposed]:
    """Return the devices of the last mention before a clause, if it is certain."""
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
    """Return the mentions after the verb, which may be a category word: "switch it off"."""
    return call.utterance.link(Predicate.of(text).complement)


def _other_than(devices: Sequence[Exposed], call: ComparedCall) -> list[Exposed]:
    """Return the only other device of the same kind: in the home, or in the same area."""
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


# Devices in the answer before


def compare_answer(call: ComparedCall) -> Difference | None:
    """A command for the devices that the last answer named may require consent.

    Consent is required if third-party text was read, or if the command may not be for all of them.
    """
    is_all = refers_to_answer(call)
    if is_all is None:
        return None
    kind = Divergence.TOLD if is_all else Divergence.MAYBE_TOLD
    return Difference(kind, ask=asked_before(call))


def refers_to_answer(call: ComparedCall) -> bool | None:
    """Return True if a command is for devices that the last answer named; None if it is not.

    True if it is for all of them, as "them" and "both" say, or for the only one; False if
    that is uncertain. After an action, its devices are the antecedents.
    """
    utterance = call.utterance
    if not utterance.context.answer or utterance.context.actions or not may_be_referred_to(call):
        return None
    named = _named(call)
    # Third-party text may make the answer mention a call's kind without names.
    told = utterance.link(utterance.context.answer)
    is_of_kind = told.category_domains >= call.target_domains
    is_told = named or not is_of_kind or call.taint.is_only_described
    if is_told and not named.issuperset(call.targets):
        return None
    for clause in commands_for_now(call):
        if _leaves_open_which(clause, call):
            return bool(named) and (len(named) == 1 or Anaphora.of(clause.command).means_all)
    return None


def _named(call: ComparedCall) -> frozenset[Exposed]:
    """Return the devices of a call's kind that the last answer named."""
    utterance = call.utterance
    told = utterance.link(utterance.context.answer)
    domains = call.target_domains
    named = frozenset(each for each in told.named if each.domain in domains)
    if named or not utterance.context.earlier or told.named:
        return named
    # "Which lights are on?" – "That in the hall, and that in the kitchen."
    asked = utterance.link(utterance.context.before).category_domains
    there = (each for each in told.home.entities if each.area in told.areas)
    return frozenset(each for each in there if each.domain in domains & asked)


def _leaves_open_which(clause: Clause, call: ComparedCall) -> bool:
    """Return True if a command has a predicate, and names no target."""
    return (
        not call.utterance.link(clause.command).has_mention
        and not Anaphora.of(clause.command).names_another
        and does_as_said(clause.command.without_clitics, call)
        and says_what([clause], call)
    )


# Follow-ups of the last command, or of playing media


def sets_what_was_turned_on(call: ComparedCall) -> bool:
    """Return True if an utterance is only a value for the last command: "to sixty percent"."""
    utterance, text = call.utterance, call.utterance.text
    if utterance.asks or call.opened_targets or not (call.targets and values_of(call.arguments)):
        return False
    left, known = without_values(text, call.arguments), text.patterns
    empty = known.single_words("percent") | known.single_words("degrees") | text.function_words
    # "A bit less bright, say forty".
    steps = known.words_of("stumbles", "polite", *(f"steps.{each}" for each in known.steps))
    if not utterance.context.command or left == text or not {*left.words} <= empty | steps:
        return False
    meant = utterance.link(utterance.context.before)
    return [*meant.resolve(call.targets)] == [*call.targets]


def steers_what_plays(call: ComparedCall) -> bool:
    """Return True if a call controls the only playing device, and the command names nothing else.

    "A bit quieter", "next one, please".
    """
    utterance = call.utterance
    if not (call.targets and _is_steered(call)):
        return False
    playing = [
        each
        for each in utterance.home.entities
        if each.domain == MEDIA_PLAYER and call.hass.states.is_state(each.entity_id, STATE_PLAYING)
    ]
    here = [each for each in playing if utterance.area_id and each.area == utterance.area_id]
    return [*call.targets] == (here or playing)


def _is_steered(call: ComparedCall) -> bool:
    """Return True if a call steps the volume, pauses, or skips a title, as the utterance says."""
    utterance, intent_type = call.utterance, call.intent_type
    if intent_type == _VOLUME:
        follow_up = FollowUpParser(utterance.text).parse()
        wanted = follow_up.quantity if follow_up else None
        step = _step(call.arguments.get("volume_step"))
        return wanted is not None and wanted.name in ("", "volume") and wanted.way == step
    if intent_type in _TRANSPORT and any(map(call.is_read_alone, commands_for_now(call))):
        return True
    if utterance.link(utterance.text).has_mention:
        return False
    read_as = utterance.intent_match.intent_type if utterance.intent_match else ""
    if intent_type == _LEVEL:
        # "Volume fifteen" is parsed as a step.
        is_said = utterance.text.numbers == {call.arguments.get("volume_level")}
        return is_said and read_as in (_LEVEL, _VOLUME)
    if intent_type == _PAUSE and _says_pause(call):
        return True
    return intent_type in _TRANSPORT and read_as == intent_type


def _says_pause(call: ComparedCall) -> bool:
    """Return True if a command only says to pause, and Home Assistant reads nothing else in it.

    It reads "mets en pause" as a title to play.
    """
    utterance = call.utterance
    if utterance.exact_command and utterance.exact_command.intent_type not in (_PAUSE, SEARCH):
        return False
    match [each for each in utterance.parsed.clauses if each.act is not DialogueAct.QUESTION]:
        case [Clause(act=DialogueAct.COMMAND) as only] if only.is_plain:
            return only.predicate.states() == {"paused"}
    return False


def _step(step: Any) -> int:
    """Return the direction of a volume step, a word or a number: 1, -1, or 0 if unknown."""
    if isinstance(step, int | float):
        return 1 if step > 0 else -1
    return _STEPS.get(str(step), 0)
