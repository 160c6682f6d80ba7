"""Whether a call may be made: the one place that decides it, for every call of every caller.

A rule looks at a call and at what was said, and says why the call may not be made. The first that
does so decides. A rule stays only with cases of two homes, and is measured: `script/bench moments
--without RULE`.
"""

from collections.abc import Iterator, Mapping, Sequence
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
from .egress import restrict_recipients
from .inverse_intents import PERCENT, equivalent_intent, inverse_of, is_inverse
from .journal import DirectReply, Outcome
from .list_policy import was_named
from .predicate_policy import refuse_non_climate, refuse_not_switchable, refuse_switch_for_mute
from .proposed_call import Ask, Decision, Defer, Narrow, PolicyContext, ProposedCall, Refuse, Rule
from .risk import confirm_risk, contains_name
from .routine_policy import refuse_unsaid_run, refuse_unsaid_script, restrict_routine
from .taint_policy import is_agreed, restrict_after_taint, restrict_egress
from .target_policy import (
    is_command,
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


def refuse_question(proposed: ProposedCall, turn: PolicyContext) -> Refuse | None:
    """Where the user asks or tells something, nothing is done."""
    if _only_reads(proposed.tool) or not turn.utterance.asks or is_agreed(proposed, turn):
        return None
    if turn.utterance.parsed.act is not DialogueAct.STATEMENT:
        return Refuse("The user asked a question: read the state, and answer")
    if proposed.acts_on_devices:
        return Refuse("The user told you something, and asked for nothing: answer in words")
    return None


def refuse_denied(proposed: ProposedCall, turn: PolicyContext) -> Refuse | None:
    """What was asked about is not done where the answer begins with a no: "don't, I forgot the milk"."""
    is_no = bool(turn.utterance.text.phrase_end(0, NO))
    if is_no and signature(proposed.tool.name, proposed.arguments) in turn.declined:
        return Refuse(_DECLINED, DirectReply.AS_SAID)
    return None


def refuse_message_content(proposed: ProposedCall, turn: PolicyContext) -> Refuse | None:
    """What somebody else is to be told is not done: "write to Anna that the light is off"."""
    clauses = turn.clauses(proposed)
    if (
        proposed.targets
        and proposed.acts_on_devices
        and all(each.has_recipient for each in clauses)
    ):
        return Refuse("The user wants somebody to be told that: do nothing of it")
    return None


def refuse_similar_entity(proposed: ProposedCall, turn: PolicyContext) -> Refuse | None:
    """What is asked about and is not there is not told by what another one of its kind shows."""
    name = proposed.arguments.get("name")
    if isinstance(proposed.tool, McpTool) or not proposed.tool.annotations.read_only or not name:
        return None
    mentioned = turn.utterance.mentions
    found = mentioned.find(str(name), mentioned.home.entities)
    if not turn.utterance.similar_to_unknown(found):
        return None
    wanted = turn.utterance.unknown_entities[0].name
    return Refuse(f"No device is called {wanted}: tell the user", DirectReply.NOT_FOUND, [wanted])


def refuse_unparsed(proposed: ProposedCall, turn: PolicyContext) -> Refuse | None:
    """A text acts upon no sentence that was not read in time."""
    if (
        proposed.is_written
        and turn.utterance.status is RecognitionStatus.UNREAD
        and not _only_reads(proposed.tool)
    ):
        return Refuse("It is not known what the user asks for: only read, and answer")
    return None


def refuse_rescheduling(proposed: ProposedCall, turn: PolicyContext) -> Refuse | None:
    """Of what is planned only another time is said: nothing is done now.

    To move a blind to 50 % sets a value, and puts off nothing.
    """
    clauses = turn.clauses(proposed)
    if not proposed.acts_on_devices or not clauses or values_of(proposed.arguments):
        return None
    if not all(each.text.begins("postpones") for each in clauses):
        return None
    return Refuse("The user put off what is planned: nothing is to be done now", DirectReply.LATER)


def refuse_negated(proposed: ProposedCall, turn: PolicyContext) -> Refuse | None:
    """What is not to be done is not done."""
    clauses = turn.clauses(proposed)
    # Also a tool of which nobody says whether it acts is not wanted then.
    if (
        not proposed.tool.annotations.read_only
        and clauses
        and all(each.negated and not _ends(each, proposed, turn) for each in clauses)
        and not _is_taken_up(clauses[-1], proposed, turn)
    ):
        return Refuse("The user said not to do this", DirectReply.AS_SAID)
    if (proposed.acts_on_devices and turn.is_left_out(proposed)) or _leaves_item(proposed, turn):
        return Refuse("The user said not to do this", DirectReply.AS_SAID)
    denied = [each.command for each in _said_beside(proposed, turn, after=True) if each.negated]
    mentioned = turn.utterance.mentions
    # What is excepted of nothing, and names nothing, is denied: "quieter, but not off".
    denied += [
        each.exclusion
        for each in clauses
        if each.exclusion and not mentioned.is_about(each.exclusion)
    ]
    # "Don't turn it off, dim the lamp"; but not "don't turn it off. Turn off the lamp".
    before = [each.command for each in _said_beside(proposed, turn, after=False) if each.negated]
    if before and not any(_says(each.command, proposed, turn) for each in clauses):
        denied += before
    if any(_says(each, proposed, turn) for each in denied):
        return Refuse("The user said not to do this", DirectReply.AS_SAID)
    return None


def refuse_kept_state(proposed: ProposedCall, turn: PolicyContext) -> Refuse | None:
    """What is to stay as it is, is not changed."""
    clauses = [each for each in turn.wanted(proposed) if not each.negated]
    later = (each for each in _said_beside(proposed, turn, after=True) if not each.negated)
    if (clauses and all(_ends(each, proposed, turn) for each in clauses)) or any(
        _ends(each, proposed, turn) for each in later
    ):
        return Refuse("The user said to leave it as it is", DirectReply.AS_SAID)
    return None


def refuse_value_of_kept(proposed: ProposedCall, turn: PolicyContext) -> Refuse | None:
    """What is to stay as it is, is not made as bright or warm as nobody said, also not for a while."""
    clauses = turn.clauses(proposed)
    language = turn.utterance.language
    if clauses and all(_sets(each, proposed, language) for each in clauses):
        return Refuse("The user said to leave it as it is", DirectReply.AS_SAID)
    return None


def defer_not_before(proposed: ProposedCall, turn: PolicyContext) -> Defer | None:
    """What is not to be done until a moment is for that moment: "don't lock it until eleven"."""
    clauses = turn.clauses(proposed)
    if not (proposed.can_wait and len(clauses) == 1):
        return None
    begins = clauses[0].invert_until()
    if begins is None or _fits(begins, proposed, turn) is False:
        return None
    return Defer(begins, Refuse("The user said not to do this yet", DirectReply.LATER))


def defer_to_time(proposed: ProposedCall, turn: PolicyContext) -> Refuse | Defer | None:
    """What is to be done at another moment is not done now, and what is for a while not for good."""
    clauses = turn.wanted(proposed)
    if not proposed.can_wait or all(each.negated for each in clauses):
        return None
    if turn.journal.found_out:
        clauses = [each.without_answer_condition() for each in clauses]
    match deferral_reply(clauses, turn.utterance.unmet_condition):
        case None:
            return None
        case (DirectReply.UNMET | DirectReply.SHOWN) as told:
            return Refuse("The user named a condition, which is not met", told)
        case told:
            refused = Refuse("The user named another moment than now, or a condition", told)
    timed = [each for each in clauses if each.times and not each.negated]
    return Defer(timed[0], refused) if timed else refused


def refuse_inverse_intent(proposed: ProposedCall, turn: PolicyContext) -> Refuse | None:
    """The opposite of what Home Assistant reads in the sentence is not done."""
    understood = turn.utterance.exact_command
    if (
        understood
        and isinstance(proposed.tool, llm.IntentTool)
        and is_inverse(proposed.tool.intent_type, proposed.arguments, understood.intent_type)
    ):
        return turn.refused_for(understood.intent_type, _OPPOSITE)
    return None


def refuse_contradiction(proposed: ProposedCall, turn: PolicyContext) -> Refuse | None:
    """The opposite of what the words say is not done, where Home Assistant does not read them.

    What is denied is none of it. To set a cover to 100 % opens it.
    """
    understood, utterance = turn.resolved, turn.utterance
    intent_type = proposed.intent_type
    is_read = understood is not None and understood.reading.intent_type == intent_type
    if not proposed.targets or is_read:
        return None
    clauses = turn.clauses(proposed)
    if not clauses or any(each.negated for each in clauses):
        return None
    said = join_commands(clauses)
    if not any(map(str.isdigit, said)):
        intent_type = equivalent_intent(proposed.arguments) or intent_type
    # "Grandma wrote which lights are on, switch those off": what she wrote is no order.
    is_order = len(utterance.parsed.clauses) == 1 and is_command(turn)
    is_order |= all(each.act is DialogueAct.COMMAND for each in clauses)
    if not (is_order or Predicate.of(said).is_first):
        return None
    is_opposite = Predicate.of(said).opposes(intent_type, proposed.targets)
    if not is_opposite and intent_type in _STEPPED_OPPOSITES:
        # "Dreh die Heizung auf" may turn it on, and certainly not off.
        quantity = Quantity.of(unlinked(utterance.link(said), proposed.targets))
        is_opposite = quantity is not None and quantity.way == _STEPPED_OPPOSITES[intent_type]
    if is_opposite:
        return turn.refused_for(inverse_of(intent_type), _OPPOSITE)
    return None


def refuse_other_list(proposed: ProposedCall, turn: PolicyContext) -> Refuse | None:
    """Of several lists, one is meant of which the user said a word; of "the list" nobody knows which.

    Words that no list has ("the supermarket list") may mean one: that is left to the model.
    """
    utterance, reading = turn.utterance, turn.utterance.intent_match
    if (
        reading is None
        or reading.intent_type not in _OF_LISTS
        or proposed.tool.annotations.read_only
        or not (proposed.domains & LISTS and proposed.targets)
    ):
        return None
    lists = [each for each in utterance.home.entities if each.domain in proposed.domains & LISTS]
    said = [each for each in lists if _is_called_like(utterance, each)]
    # "What's on the groceries list?", "add bread to it".
    said = said or [each for each in lists if was_named(each.names, turn)]
    if len(lists) == 1 or not {*said}.isdisjoint(proposed.targets):
        return None
    if not said and _tells_list(utterance, reading):
        return None
    if not said and utterance.context.earlier and Anaphora.of(utterance.text).refers_back:
        # "What do I need to buy?", and then "add bread to it": only the answer says which.
        return None
    names = ", ".join(entity.names[0] for entity in said or lists)
    return Refuse(f"The user did not say this list. There are: {names}. Ask the user which one.")


def confirm_answer_reference(proposed: ProposedCall, turn: PolicyContext) -> Ask | None:
    """What the answer before named is asked about: where it may have been told by what others wrote.

    And where not all of it is meant, or nobody knows.
    """
    is_all = refers_to_answer(proposed, turn)
    if is_all is None or (is_all and turn.taint.is_only_described):
        return None
    return asked_before(proposed)


def refuse_undoing(proposed: ProposedCall, turn: PolicyContext) -> Refuse | None:
    """What was done in a turn is not undone by the next text in it."""
    if not (proposed.is_written and isinstance(proposed.tool, llm.IntentTool)):
        return None
    for before in turn.journal.entries:
        if (
            isinstance(before.tool, llm.IntentTool)
            and before.outcome not in (Outcome.REFUSED, Outcome.FAILED)
            and _acts_alike(before.arguments, proposed.arguments)
            and is_inverse(proposed.tool.intent_type, proposed.arguments, before.tool.intent_type)
        ):
            return Refuse(f"You called the opposite before: {before.tool.name}")
    return None


def restrict_to_candidates(proposed: ProposedCall, turn: PolicyContext) -> Refuse | Narrow | None:
    """Only devices that the user may have meant: by the words, or by a yes to what the model asked."""
    return None if is_agreed(proposed, turn) else meant_by_words(proposed, turn)


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
    whole = proposed.targets
    asked: Ask | None = None
    for rule in RULES:
        match rule(proposed, turn):
            case Narrow(targets, leaves_scripts):
                leaves_scripts |= proposed.leaves_scripts
                proposed = replace(proposed, targets=targets, leaves_scripts=leaves_scripts)
            case Ask() as ask:
                asked = asked or ask
            case None:
                pass
            case Refuse() as refused:
                names = tuple(each.names[0] for each in proposed.targets)
                return replace(refused, about=refused.about or names)
            case decided:
                return decided
    if asked:
        return _question(replace(asked, targets=proposed.targets), proposed, turn)
    is_narrowed = proposed.leaves_scripts or set(proposed.targets) != set(whole)
    # Of the whole sentence, which a written call is corrected by, a part says too much, and a yes too little.
    is_told = proposed.is_written and (
        is_of_a_part(proposed, turn)
        or is_agreed(proposed, turn)
        or refers_to_answer(proposed, turn) is not None
    )
    return Narrow(proposed.targets) if is_narrowed or is_told else None


def _question(ask: Ask, proposed: ProposedCall, turn: PolicyContext) -> Ask | Refuse:
    """Return a question, where somebody can be asked who has not just said no."""
    if not turn.utterance.text:
        return Refuse("That is done only if a user says yes to it, and nobody can be asked here")
    if signature(proposed.tool.name, proposed.arguments) in turn.declined:
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


def _ends(clause: Clause, proposed: ProposedCall, turn: PolicyContext) -> bool:
    """Return True if a call ends a state of which a clause says that it stays: "leave it on".

    What was left on by somebody is only told.
    """
    is_said = clause.keeps_state and clause.act is not DialogueAct.STATEMENT
    return is_said and _fits(clause, proposed, turn) is False


def _leaves_item(proposed: ProposedCall, turn: PolicyContext) -> bool:
    """Return True if an item of a list is named as what is left alone: "everything but the milk"."""
    item = str(proposed.arguments.get("item") or "")
    clauses = turn.utterance.parsed.clauses
    return proposed.intent_type in _OF_LISTS and any(
        contains_name(each.exclusion, item, whole=True) for each in clauses
    )


def _said_beside(proposed: ProposedCall, turn: PolicyContext, *, after: bool) -> Iterator[Clause]:
    """Yield what is said after or before a call's own parts of the sentence, for now, naming nothing else.

    "Turn the radio down, but not off", "turn it off. Oh no, leave it on".
    """
    clauses = turn.utterance.parsed.clauses
    own = [*turn.clauses(proposed)]
    if not proposed.targets or not clauses or proposed.clause or own == [*clauses]:
        return
    first = min(clauses.index(each) for each in own)
    for each in clauses[first + 1 :] if after else clauses[:first]:
        if each not in own and each.is_immediate and not turn.says_where(each):
            yield each


def _says(command: Text, proposed: ProposedCall, turn: PolicyContext) -> bool:
    """Return True if words say what a call does, by what it is that they bring about."""
    intent_type = proposed.intent_type
    return Predicate.of(command).wants(intent_type, proposed.targets)


def _sets(clause: Clause, proposed: ProposedCall, language: str) -> bool:
    """Return True if a call sets how bright or warm what stays is to be, of which nobody said anything."""
    return (
        clause.keeps_state
        and bool(values_of(proposed.arguments))
        and not parse_numbers(clause.text)
    )


def _is_taken_up(clause: Clause, proposed: ProposedCall, turn: PolicyContext) -> bool:
    """Return True if a call is what is said next of the same: "we don't need it, turn it off".

    It is not of the same after the name of another: "not the lamp, I meant the fan, turn it off".
    """
    clauses = turn.utterance.parsed.clauses
    later = clauses[clauses.index(clause) + 1 :] if clause in clauses else ()
    for each in later:
        if Anaphora.of(each.text).refers_back:
            if each.act is DialogueAct.COMMAND and not each.negated and _fits(each, proposed, turn):
                return True
        elif turn.is_of_others(each, proposed):
            return False
    return False


def _fits(clause: Clause, proposed: ProposedCall, turn: PolicyContext) -> bool | None:
    intent_type = proposed.intent_type
    return clause.predicate.agrees(intent_type, proposed.domains)


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
