"""Whether a call may be made: the one place that decides it, for every call of every caller.

A rule looks at a call and at what was said, and says why the call may not be made. The first that
does so decides. A rule stays only with cases of two homes, and is measured: `script/bench moments
--without RULE`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
import json
from typing import Any

from homeassistant.helpers import intent, llm

from ..home.exposed import Exposed
from ..json_schema import Json
from ..languages import language_of
from ..mcp_servers.tool import McpTool
from ..names.matching import matcher, words
from ..nlu.anaphora import Anaphora
from ..nlu.clause import Clause, DialogueAct, join_commands
from ..nlu.home_assistant import IntentMatch, unlinked
from ..nlu.numerals import Quantity, parse_numbers
from ..nlu.predicates import Predicate
from ..nlu.replies import NO
from ..nlu.state_evaluation import Evidence
from ..nlu.time_resolution import TimeType as When
from ..nlu.tokenizer import Text
from ..nlu.utterance import RecognitionStatus, Utterance
from .access_policy import restrict_access
from .answer_anaphora import refers_to_answer
from .assist.target import LISTS
from .confirmation_texts import asked_before
from .decisions import Ask, Decision, Defer, Narrow, Refuse
from .egress import restrict_recipients
from .inverse_intents import PERCENT, equivalent_intent, inverse_of, is_inverse
from .journal import DirectReply, Outcome
from .list_policy import was_named
from .predicate_policy import refuse_non_climate, refuse_not_switchable, refuse_switch_for_mute
from .proposed_call import ComparedCall, PolicyContext, ProposedCall
from .risk import confirm_risk, contains_name
from .routine_policy import refuse_unsaid_run, refuse_unsaid_script, restrict_routine
from .taint_policy import is_agreed, restrict_after_taint, restrict_egress
from .target_policy import (
    is_of_a_part,
    narrow_by_exclusion,
    narrow_to_resolved,
    refuse_other_domain,
    replace_with_resolved,
    restrict_to_mentioned as meant_by_words,
)
from .value_policy import refuse_other_value, refuse_undimmable, strip_unsaid_value, values_of

_TELLING = 3
"""Letters of a word that tells a list by itself."""
_CONDITIONS = frozenset((When.IF, When.UNLESS))
_DECLINED = "The user was asked before this was done, and did not say yes"
_OPPOSITE = "The user asked for the opposite"
_STEPPED_OPPOSITES = {intent.INTENT_TURN_OFF: 1, intent.INTENT_TURN_ON: -1}
"""The direction of a step that a call contradicts."""
_OF_LISTS = frozenset(
    f"Hass{what}{does}Item"
    for what in ("List", "ShoppingList")
    for does in ("Add", "Complete", "Remove")
)


def refuse_question(call: ComparedCall) -> Refuse | None:
    """Where the user asks or tells something, nothing is done."""
    if _only_reads(call.tool) or not call.utterance.asks or is_agreed(call):
        return None
    if call.utterance.parsed.act is not DialogueAct.STATEMENT:
        return Refuse("The user asked a question: read the state, and answer")
    if call.acts_on_devices:
        return Refuse("The user told you something, and asked for nothing: answer in words")
    return None


def refuse_denied(call: ComparedCall) -> Refuse | None:
    """What was asked about is not done where the answer begins with a no: "don't, I forgot the milk"."""
    is_no = bool(call.utterance.text.phrase_end(0, NO))
    if is_no and signature(call.tool.name, call.arguments) in call.turn.declined:
        return Refuse(_DECLINED, DirectReply.AS_SAID)
    return None


def refuse_message_content(call: ComparedCall) -> Refuse | None:
    """What somebody else is to be told is not done: "write to Anna that the light is off"."""
    clauses = call.clauses
    if call.targets and call.acts_on_devices and all(each.has_recipient for each in clauses):
        return Refuse("The user wants somebody to be told that: do nothing of it")
    return None


def refuse_similar_entity(call: ComparedCall) -> Refuse | None:
    """What is asked about and is not there is not told by what another one of its kind shows."""
    name = call.arguments.get("name")
    if isinstance(call.tool, McpTool) or not call.tool.annotations.read_only or not name:
        return None
    mentioned = call.utterance.mentions
    found = mentioned.find(str(name), mentioned.home.entities)
    if not call.utterance.similar_to_unknown(found):
        return None
    wanted = call.utterance.unknown_entities[0].name
    return Refuse(f"No device is called {wanted}: tell the user", DirectReply.NOT_FOUND, [wanted])


def refuse_unparsed(call: ComparedCall) -> Refuse | None:
    """A text acts upon no sentence that was not read in time."""
    if (
        call.is_written
        and call.utterance.status is RecognitionStatus.UNREAD
        and not _only_reads(call.tool)
    ):
        return Refuse("It is not known what the user asks for: only read, and answer")
    return None


def refuse_rescheduling(call: ComparedCall) -> Refuse | None:
    """Of what is planned only another time is said: nothing is done now.

    To move a blind to 50 % sets a value, and puts off nothing.
    """
    clauses = call.clauses
    if not call.acts_on_devices or not clauses or values_of(call.arguments):
        return None
    if not all(each.text.begins("postpones") for each in clauses):
        return None
    return Refuse("The user put off what is planned: nothing is to be done now", DirectReply.LATER)


def refuse_negated(call: ComparedCall) -> Refuse | None:
    """What is not to be done is not done."""
    clauses = call.clauses
    # Also a tool of which nobody says whether it acts is not wanted then.
    if (
        not call.tool.annotations.read_only
        and clauses
        and all(each.negated and not _ends(each, call) for each in clauses)
        and not _is_taken_up(clauses[-1], call)
    ):
        return Refuse("The user said not to do this", DirectReply.AS_SAID)
    if (call.acts_on_devices and call.is_left_out) or _leaves_item(call):
        return Refuse("The user said not to do this", DirectReply.AS_SAID)
    denied = [each.command for each in _said_beside(call, after=True) if each.negated]
    mentioned = call.utterance.mentions
    # What is excepted of nothing, and names nothing, is denied: "quieter, but not off".
    denied += [
        each.exclusion
        for each in clauses
        if each.exclusion and not mentioned.is_about(each.exclusion)
    ]
    # "Don't turn it off, dim the lamp"; but not "don't turn it off. Turn off the lamp".
    before = [each.command for each in _said_beside(call, after=False) if each.negated]
    if before and not any(_says(each.command, call) for each in clauses):
        denied += before
    if any(_says(each, call) for each in denied):
        return Refuse("The user said not to do this", DirectReply.AS_SAID)
    return None


def refuse_kept_state(call: ComparedCall) -> Refuse | None:
    """What is to stay as it is, is not changed."""
    clauses = [each for each in call.wanted if not each.negated]
    later = (each for each in _said_beside(call, after=True) if not each.negated)
    if (clauses and all(_ends(each, call) for each in clauses)) or any(
        _ends(each, call) for each in later
    ):
        return Refuse("The user said to leave it as it is", DirectReply.AS_SAID)
    return None


def refuse_value_of_kept(call: ComparedCall) -> Refuse | None:
    """What is to stay as it is, is not made as bright or warm as nobody said, also not for a while."""
    clauses = call.clauses
    language = call.utterance.language
    if clauses and all(_sets(each, call, language) for each in clauses):
        return Refuse("The user said to leave it as it is", DirectReply.AS_SAID)
    return None


def defer_not_before(call: ComparedCall) -> Defer | None:
    """What is not to be done until a moment is for that moment: "don't lock it until eleven"."""
    clauses = call.clauses
    if not (call.can_wait and len(clauses) == 1):
        return None
    begins = clauses[0].invert_until()
    if begins is None or _fits(begins, call) is False:
        return None
    return Defer(begins, Refuse("The user said not to do this yet", DirectReply.LATER))


def defer_to_time(call: ComparedCall) -> Refuse | Defer | None:
    """What is to be done at another moment is not done now, and what is for a while not for good."""
    clauses = call.wanted
    if not call.can_wait or all(each.negated for each in clauses):
        return None
    if call.turn.journal.found_out:
        clauses = [each.without_answer_condition() for each in clauses]
    match deferral_reply(clauses, call.utterance.unmet_condition):
        case None:
            return None
        case (DirectReply.UNMET | DirectReply.SHOWN) as told:
            return Refuse("The user named a condition, which is not met", told)
        case told:
            refused = Refuse("The user named another moment than now, or a condition", told)
    timed = [each for each in clauses if each.times and not each.negated]
    return Defer(timed[0], refused) if timed else refused


def refuse_inverse_intent(call: ComparedCall) -> Refuse | None:
    """The opposite of what Home Assistant reads in the sentence is not done."""
    understood = call.utterance.exact_command
    if (
        understood
        and isinstance(call.tool, llm.IntentTool)
        and is_inverse(call.tool.intent_type, call.arguments, understood.intent_type)
    ):
        return call.refused_for(understood.intent_type, _OPPOSITE)
    return None


def refuse_contradiction(call: ComparedCall) -> Refuse | None:
    """The opposite of what the words say is not done, where Home Assistant does not read them.

    What is denied is none of it. To set a cover to 100 % opens it.
    """
    understood, utterance = call.resolved, call.utterance
    intent_type = call.intent_type
    is_read = understood is not None and understood.reading.intent_type == intent_type
    if not call.targets or is_read:
        return None
    clauses = call.clauses
    if not clauses or any(each.negated for each in clauses):
        return None
    said = join_commands(clauses)
    if not any(map(str.isdigit, said)):
        intent_type = equivalent_intent(call.arguments) or intent_type
    # "Grandma wrote which lights are on, switch those off": what she wrote is no order.
    is_order = len(utterance.parsed.clauses) == 1 and call.is_command
    is_order |= all(each.act is DialogueAct.COMMAND for each in clauses)
    if not (is_order or Predicate.of(said).is_first):
        return None
    is_opposite = Predicate.of(said).opposes(intent_type, call.targets)
    if not is_opposite and intent_type in _STEPPED_OPPOSITES:
        # "Dreh die Heizung auf" may turn it on, and certainly not off.
        quantity = Quantity.of(unlinked(utterance.link(said), call.targets))
        is_opposite = quantity is not None and quantity.way == _STEPPED_OPPOSITES[intent_type]
    if is_opposite:
        return call.refused_for(inverse_of(intent_type), _OPPOSITE)
    return None


def refuse_other_list(call: ComparedCall) -> Refuse | None:
    """Of several lists, one is meant of which the user said a word; of "the list" nobody knows which.

    Words that no list has ("the supermarket list") may mean one: that is left to the model.
    """
    utterance, reading = call.utterance, call.utterance.intent_match
    if (
        reading is None
        or reading.intent_type not in _OF_LISTS
        or call.tool.annotations.read_only
        or not (call.domains & LISTS and call.targets)
    ):
        return None
    lists = [each for each in utterance.home.entities if each.domain in call.domains & LISTS]
    said = [each for each in lists if _is_called_like(utterance, each)]
    # "What's on the groceries list?", "add bread to it".
    said = said or [each for each in lists if was_named(each.names, call)]
    if len(lists) == 1 or not {*said}.isdisjoint(call.targets):
        return None
    if not said and _tells_list(utterance, reading):
        return None
    if not said and utterance.context.earlier and Anaphora.of(utterance.text).refers_back:
        # "What do I need to buy?", and then "add bread to it": only the answer says which.
        return None
    names = ", ".join(entity.names[0] for entity in said or lists)
    return Refuse(f"The user did not say this list. There are: {names}. Ask the user which one.")


def confirm_answer_reference(call: ComparedCall) -> Ask | None:
    """What the answer before named is asked about: where it may have been told by what others wrote.

    And where not all of it is meant, or nobody knows.
    """
    is_all = refers_to_answer(call)
    if is_all is None or (is_all and call.taint.is_only_described):
        return None
    return asked_before(call)


def refuse_undoing(call: ComparedCall) -> Refuse | None:
    """What was done in a turn is not undone by the next text in it."""
    if not (call.is_written and isinstance(call.tool, llm.IntentTool)):
        return None
    for before in call.turn.journal.entries:
        if (
            isinstance(before.tool, llm.IntentTool)
            and before.outcome not in (Outcome.REFUSED, Outcome.FAILED)
            and _acts_alike(before.arguments, call.arguments)
            and is_inverse(call.tool.intent_type, call.arguments, before.tool.intent_type)
        ):
            return Refuse(f"You called the opposite before: {before.tool.name}")
    return None


def restrict_to_candidates(call: ComparedCall) -> Refuse | Narrow | None:
    """Only devices that the user may have meant: by the words, or by a yes to what the model asked."""
    return None if is_agreed(call) else meant_by_words(call)


type Rule = Callable[[ComparedCall], Decision]

RULES: tuple[Rule, ...] = (
    refuse_question,
    refuse_denied,
    refuse_message_content,
    refuse_similar_entity,
    refuse_unparsed,
    refuse_rescheduling,
    refuse_value_of_kept,
    defer_not_before,
    defer_to_time,
    refuse_negated,
    refuse_kept_state,
    replace_with_resolved,
    refuse_not_switchable,
    refuse_inverse_intent,
    refuse_contradiction,
    refuse_switch_for_mute,
    refuse_non_climate,
    refuse_undoing,
    strip_unsaid_value,
    refuse_other_value,
    refuse_undimmable,
    refuse_other_list,
    narrow_to_resolved,
    restrict_access,
    refuse_unsaid_run,
    restrict_routine,
    refuse_unsaid_script,
    narrow_by_exclusion,
    refuse_other_domain,
    confirm_answer_reference,
    restrict_to_candidates,
    restrict_after_taint,
    restrict_egress,
    restrict_recipients,
    confirm_risk,
)


def decide(proposed: ProposedCall, turn: PolicyContext) -> Decision:
    """Return whether a call may be made, by all rules; None where it may, as it is."""
    call, whole = ComparedCall.of(proposed, turn), proposed.targets
    asked: Ask | None = None
    for rule in RULES:
        match rule(call):
            case Narrow(targets, leaves_scripts):
                leaves_scripts |= call.leaves_scripts
                call = replace(call, targets=targets, leaves_scripts=leaves_scripts)
            case Ask() as ask:
                asked = asked or ask
            case None:
                pass
            case Refuse() as refused:
                names = tuple(each.names[0] for each in call.targets)
                return replace(refused, about=refused.about or names)
            case decided:
                return decided
    if asked:
        return _question(replace(asked, targets=call.targets), call)
    is_narrowed = call.leaves_scripts or set(call.targets) != set(whole)
    # Of the whole sentence, which a written call is corrected by, a part says too much, and a yes too little.
    is_told = call.is_written and (
        is_of_a_part(call) or is_agreed(call) or refers_to_answer(call) is not None
    )
    return Narrow(call.targets) if is_narrowed or is_told else None


def _question(ask: Ask, call: ComparedCall) -> Ask | Refuse:
    """Return a question, where somebody can be asked who has not just said no."""
    if not call.utterance.text:
        return Refuse("That is done only if a user says yes to it, and nobody can be asked here")
    if signature(call.tool.name, call.arguments) in call.turn.declined:
        return Refuse(_DECLINED)
    return ask


def deferral_reply(clauses: Sequence[Clause], unmet: Evidence | None) -> DirectReply | None:
    """Return what the user is told of what is not to be done at once; None where it is.

    `unmet` is what is so in the stead of a condition that is not met.
    """
    moments = [each for clause in clauses for each in clause.times]
    if unmet and any(each.is_met is False for each in moments):
        return DirectReply.SHOWN if unmet.name else DirectReply.UNMET
    kinds = {each.type for each in moments}
    if kinds & _CONDITIONS:
        return DirectReply.CONDITION
    return DirectReply.LATER if kinds else None


def signature(name: str, arguments: Mapping[str, Any]) -> str:
    """Return what is the same for the same call, however its arguments are ordered."""
    return f"{name} {json.dumps(arguments, sort_keys=True, default=str)}"


def _ends(clause: Clause, call: ComparedCall) -> bool:
    """Return True if a call ends a state of which a clause says that it stays: "leave it on".

    What was left on by somebody is only told.
    """
    is_said = clause.keeps_state and clause.act is not DialogueAct.STATEMENT
    return is_said and _fits(clause, call) is False


def _leaves_item(call: ComparedCall) -> bool:
    """Return True if an item of a list is named as what is left alone: "everything but the milk"."""
    item = str(call.arguments.get("item") or "")
    clauses = call.utterance.parsed.clauses
    return call.intent_type in _OF_LISTS and any(
        contains_name(each.exclusion, item, whole=True) for each in clauses
    )


def _said_beside(call: ComparedCall, *, after: bool) -> Iterator[Clause]:
    """Yield what is said after or before a call's own parts of the sentence, for now, naming nothing else.

    "Turn the radio down, but not off", "turn it off. Oh no, leave it on".
    """
    clauses = call.utterance.parsed.clauses
    own = [*call.clauses]
    if not call.targets or not clauses or call.clause or own == [*clauses]:
        return
    first = min(clauses.index(each) for each in own)
    for each in clauses[first + 1 :] if after else clauses[:first]:
        if each not in own and each.is_immediate and not call.says_where(each):
            yield each


def _says(command: Text, call: ComparedCall) -> bool:
    """Return True if words say what a call does, by what it is that they bring about."""
    intent_type = call.intent_type
    return Predicate.of(command).wants(intent_type, call.targets)


def _sets(clause: Clause, call: ComparedCall, language: str) -> bool:
    """Return True if a call sets how bright or warm what stays is to be, of which nobody said anything."""
    return clause.keeps_state and bool(values_of(call.arguments)) and not parse_numbers(clause.text)


def _is_taken_up(clause: Clause, call: ComparedCall) -> bool:
    """Return True if a call is what is said next of the same: "we don't need it, turn it off".

    It is not of the same after the name of another: "not the lamp, I meant the fan, turn it off".
    """
    clauses = call.utterance.parsed.clauses
    later = clauses[clauses.index(clause) + 1 :] if clause in clauses else ()
    for each in later:
        if Anaphora.of(each.text).refers_back:
            if each.act is DialogueAct.COMMAND and not each.negated and _fits(each, call):
                return True
        elif call.is_of_others(each):
            return False
    return False


def _fits(clause: Clause, call: ComparedCall) -> bool | None:
    intent_type = call.intent_type
    return clause.predicate.agrees(intent_type, call.domains)


def _only_reads(tool: llm.Tool) -> bool:
    """Return True if a tool does nothing, as far as anybody says: of many tools nobody says anything."""
    if tool.annotations.read_only or isinstance(tool, llm.IntentTool):
        return tool.annotations.read_only
    if isinstance(tool, McpTool):
        return not {"read_only_hint", "destructive_hint"} & tool.declared.keys()
    return tool.annotations == llm.ToolAnnotations()


def _tells_list(utterance: Utterance, reading: IntentMatch) -> bool:
    """Return True if a word of a sentence about a list may say which one: "the shopping list"."""
    language = language_of(utterance.language)
    said = words(join_commands(utterance.parsed.clauses))
    about = {*words(str(reading.slots.get("item", ""))), *matcher(language.code).function_words}
    about.update(utterance.text.patterns.words_of("any_list", "verbs"))
    return not about.issuperset(said)


def _is_called_like(utterance: Utterance, entity: Exposed) -> bool:
    """Return True if a word of a list's name was said, in whatever form: "grocery"."""
    is_any = any(contains_name(utterance.text, name) for name in entity.names)
    return is_any or utterance.mentions.mentions(entity, shortest=_TELLING)


def _acts_alike(arguments: Json, others: Json) -> bool:
    """Return True if two calls act upon the same: all that they say but how much of it."""

    def what(said: Json) -> dict[str, object]:
        return {slot: value for slot, value in said.items() if value and slot not in PERCENT}

    return what(arguments) == what(others)
