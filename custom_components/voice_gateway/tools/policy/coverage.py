"""After third-party text was read: whether the user's own words cover a call.

The model may want to follow any instruction in such a text.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Final

from homeassistant.components.cover import CoverDeviceClass
from homeassistant.helpers import intent, llm

from ...home.exposed import Exposed
from ...languages import language_of
from ...names.matching import words
from ...nlu.anaphora import Anaphora
from ...nlu.annotations import AnnotatedText
from ...nlu.clause import Clause, DialogueAct, ParsedText, join_commands
from ...nlu.home_assistant import unlinked
from ...nlu.predicates import Predicate
from ...nlu.replies import Reply, classify_reply
from ...nlu.tokenizer import Text
from ...nlu.utterance import RecognitionStatus
from ..assist.target import LISTS
from ..context_tool import RequestTool
from .access import closes
from .antecedents import (
    is_anaphoric,
    is_elliptic,
    refers_to_answer,
    sets_what_was_turned_on,
    steers_what_plays,
)
from .call import ComparedCall
from .decisions import Ask
from .divergence import NOT_ASKED, UNASKED, Difference, Divergence, maybe_asked
from .lists import compare_item
from .questions import ask_for_tool, asked_before
from .risk import contains_name, script_of
from .routines import may_run_unnamed
from .server_tools import compare_server_tool, hands_over_own_words, is_named
from .timers import starts_timer
from .topics import is_anothers, is_of_writing, is_title, may_be_a_text, only_reads, says_what
from .values import compare_value, is_of_a_part, values_of, without_values

_VOLUME: Final = frozenset(
    ("HassSetVolume", "HassSetVolumeRelative", "HassMediaPlayerMute", "HassMediaPlayerUnmute")
)
_SPEAKER: Final = "control_speaker_volume"


def compare_coverage(call: ComparedCall) -> Difference | None:
    """After third-party text was read, a call may act only as the user's own words say."""
    if call.tool.annotations.read_only:
        return None
    utterance = call.utterance
    if not utterance.text and utterance.instructions and isinstance(call.tool, llm.IntentTool):
        return _in_home(replace(call, turn=replace(call.turn, utterance=utterance.instructions)))
    if not utterance.text or utterance.status is RecognitionStatus.UNREAD:
        return UNASKED
    if isinstance(call.tool, llm.IntentTool):
        return _in_home(call)
    if isinstance(call.tool, RequestTool):
        is_own = not call.asks and call.tool.is_requested(utterance.text, call.arguments)
        return None if is_own else maybe_asked(ask_for_tool(call), may_want=call.may_want)
    if script_of(call.tool):
        return _of_script(call)
    return _of_speaker(call) if call.tool.name == _SPEAKER else compare_server_tool(call)


def _in_home(call: ComparedCall) -> Difference | None:
    """Check a call of Home Assistant's own tools."""
    if call.domains & LISTS:
        return compare_item(call)
    return _to_devices(call) if call.domains else _otherwise(call)


def _to_devices(call: ComparedCall) -> Difference | None:
    """Check a call on devices: the utterance must be a command with its targets and its action."""
    if is_agreed(call) or refers_to_answer(call) is not None:
        return None
    if sets_what_was_turned_on(call) or is_elliptic(call):
        return None
    if not call.commands:
        if _names_all(call) and values_of(call.arguments) and call.text.numbers:
            # The value is theirs, or another comparison has refused it.
            return None
        if call.utterance.asks or not call.targets:
            return UNASKED
        kind = Divergence.MAYBE_ASKED if _names_all(call) else Divergence.WISH
        return Difference(kind, NOT_ASKED, ask=asked_before(call))
    if call.targets and {*call.utterance.antecedents}.issuperset(call.targets):
        # The user's words covered the action, and so they cover a statement about it.
        return None
    if is_title(call):
        return UNASKED
    if _is_certain(call) or steers_what_plays(call):
        return None
    maybe = Difference(Divergence.MAYBE_ASKED, ask=asked_before(call))
    if is_anaphoric(call) and says_what(call.utterance.parsed.clauses, call):
        return maybe if may_be_a_text(call) else None
    found = None if is_of_a_part(call) else _as_said(call)
    is_refused = found is not None and found.kind is Divergence.UNASKED
    return found if is_refused or not may_be_a_text(call) else maybe


def _names_all(call: ComparedCall) -> bool:
    """Return True if a sentence of a language without verbs names each of a call's devices."""
    text = call.utterance.text
    is_unknown = not text.language.knows_verbs and "?" not in text
    return is_unknown and call.utterance.link(text).named.issuperset(call.targets)


def is_agreed(call: ComparedCall) -> bool:
    """Return True if the user confirms the model's question, which states a call's action.

    The user heard "Shall I turn on the study lamp?", whatever the model had read before.
    """
    utterance, question = call.utterance, call.utterance.context.question
    is_yes = question and classify_reply(utterance.text, [question]) is Reply.YES
    if not is_yes or call.opened_targets or not call.targets:
        return False
    annotated = AnnotatedText(question, language_of(utterance.language), utterance.home.names)
    limits = any(
        annotated.denies(at) or annotated.span_end("stays", at) for at in range(len(annotated))
    )
    if limits or any(each.name != "now" for each in annotated.time_spans):
        # "Shall I turn it on at eight?", "Shall I leave it off?"
        return False
    clause = Clause(text=question, command=question, act=DialogueAct.COMMAND)
    asked = replace(
        utterance,
        text=question,
        status=RecognitionStatus.COMMAND,
        intent_match=None,
        parsed=ParsedText(act=DialogueAct.COMMAND, clauses=(clause,)),
    )
    call = replace(call, clause=None, turn=replace(call.turn, utterance=asked))
    return _as_said(call) is None and compare_value(call) is None


def _as_said(call: ComparedCall) -> Difference | None:
    """Check a call against the actions and the targets of the commands."""
    fitting = [
        each for each in _wanted(call) if _fits(each.command, call) and not only_reads(each, call)
    ]
    if not fitting:
        return UNASKED
    if not call.targets:
        return None
    if named := _told_before(fitting, call):
        return None if named.issuperset(call.targets) else UNASKED
    said = call.link_back(
        without_values(join_commands(fitting), call.arguments), only_anaphora=True
    )
    alike = [each for each in said.home.entities if each.domain in call.domains]
    # Without a category word, a word of its name has to identify it: "put the kettle on".
    told = call.targets if said.has_mention else said.resolve(alike)
    meant = [
        each
        for each in call.targets
        if each in told
        and (
            (said.may_refer_to(each) and not is_anothers(each, said, fitting, call))
            or closes(each, call, said)
        )
    ]
    maybe = Difference(Divergence.MAYBE_ASKED, ask=asked_before(call))
    if meant and not says_what(fitting, call):
        # "Read me what Bo wrote of the kettle" is not about the plug.
        return maybe if said.has_mention and call.may_want else UNASKED
    if len(meant) == len(call.targets):
        return None
    if meant:
        return Difference(Divergence.UNSAID, targets=meant)
    if said.category_domains >= call.target_domains:
        return maybe if call.may_want else UNASKED
    return maybe if _leaves_open_what(fitting, call) else UNASKED


def _is_certain(call: ComparedCall) -> bool:
    """Return True if a call has the intent and the targets that Home Assistant reads literally.

    "Pause the music" names no device, and pauses the playing one.
    """
    understood = call.resolved
    return (
        understood is not None
        and understood.reading.is_exact
        and understood.reading.intent_type == call.intent_type
        and bool(call.targets)
        and {*understood.targets}.issuperset(call.targets)
    )


def _fits(command: Text, call: ComparedCall) -> bool:
    """Return True if a command does not say the opposite of a call.

    Retracting an awning has verbs of its own, in which "ein" does not mean "on".
    """
    if call.targets and all(each.device_class == CoverDeviceClass.AWNING for each in call.targets):
        rest = unlinked(call.utterance.link(command), call.targets)
        if way := Predicate.of(rest).awning_intent:
            return way == call.intent_type
    return Predicate.of(command).agrees(call.intent_type, call.domains) is not False


def _wanted(call: ComparedCall) -> Sequence[Clause]:
    """Return a call's clauses, or, if these are only statements, the commands that refer back.

    In a language without lists, what is beside a literal command may be any statement.
    """
    only_says = [DialogueAct.STATEMENT, DialogueAct.QUESTION]
    parsed = call.utterance.parsed
    if parsed.act is DialogueAct.COMMAND and not call.utterance.text.language.knows_verbs:
        only_says.append(DialogueAct.UNKNOWN)
    if any(each.act not in only_says for each in call.clauses):
        return call.clauses
    return [
        each
        for each in parsed.clauses
        if each.act is DialogueAct.COMMAND and Anaphora.of(each.command).refers_back
    ]


def _told_before(fitting: Sequence[Clause], call: ComparedCall) -> frozenset[Exposed]:
    """Return the devices of a mention before the command: "I left the pump on, stop it"."""
    if not says_what(fitting, call):
        return frozenset()
    told = (call.utterance.link(each.text) for each in map(call.told_before, fitting) if each)
    return frozenset(device for each in told for device in each.named)


def _leaves_open_what(fitting: Sequence[Clause], call: ComparedCall) -> bool:
    """Return True if a command has an action, and its targets are in a text or an earlier clause.

    "Yes, do that", "turn off whatever is on my note"; or "Bo wrote which lamps are on, switch those
    off", of lamps.
    """
    utterance, text = call.utterance, join_commands(fitting)
    names_writing = any(is_of_writing(each, call) for each in fitting) or text.says("any_list")
    if names_writing and not utterance.link(text).has_mention and says_what(fitting, call):
        return True
    if not Anaphora.of(text).refers_back:
        return False
    clauses = takewhile(fitting[0].__ne__, utterance.parsed.clauses)
    before = utterance.link(text.alike(" ".join(each.text for each in clauses)))
    if before.has_mention:
        return before.category_domains >= call.target_domains
    return Predicate.of(Anaphora.of(text).rest).is_all


def _otherwise(call: ComparedCall) -> Difference | None:
    """Check timers, announcements and the like against Home Assistant's reading."""
    utterance, intent_type = call.utterance, call.intent_type
    reading = utterance.intent_match
    if intent_type == intent.INTENT_START_TIMER and starts_timer(call):
        return None
    if not call.commands:
        return UNASKED
    is_read = reading is not None and reading.intent_type == intent_type
    # "Six minutes" is in words.
    slots = (
        {name: str(value) for name, value in reading.slots.items()} if reading and is_read else {}
    )
    said = {name: str(each) for name, each in call.arguments.items() if each not in (None, "", 0)}
    is_own = all(
        slots.get(name) == each or contains_name(utterance.text, each, whole=True)
        for name, each in said.items()
    )
    if is_own and (said or is_read):
        return None
    if call.is_answered and utterance.text.begins("listing"):
        # "Read me my mail" requests nothing else.
        return UNASKED
    return maybe_asked(ask_for_tool(call), may_want=call.may_want)


def _of_script(call: ComparedCall) -> Difference | None:
    """Check a script: by its name, or by its effect if no third-party text was read."""
    utterance, name = call.utterance, call.tool.title or call.tool.name.partition("__")[2]
    if utterance.parsed.act in (DialogueAct.QUESTION, DialogueAct.STATEMENT) or utterance.asks:
        return UNASKED
    if is_named(words(name), call) and hands_over_own_words(call):
        return None
    whole = not utterance.text.language.knows_verbs
    is_near = any(contains_name(each.text, name, whole=whole) for each in utterance.parsed.clauses)
    if (call.commands and is_near) or may_run_unnamed([script_of(call.tool)], call):
        return maybe_asked(Ask(does="run", names=[name]), may_want=call.may_want)
    return UNASKED


def _of_speaker(call: ComparedCall) -> Difference | None:
    """Check the volume of the satellite in use against Home Assistant's reading."""
    of_parts = (each.reading for each in call.of_parts)
    is_read = any(
        each and each.intent_type in _VOLUME for each in (call.utterance.intent_match, *of_parts)
    )
    return None if is_read or call.arguments.get("action") == "get" else UNASKED
