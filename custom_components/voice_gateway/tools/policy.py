"""Whether a call may be made: the one place that decides it, for every call of every caller.

A rule looks at a call and at what was said, and says why the call may not be made. The first that
does so decides. A rule stays only with cases of two homes, and is measured: `script/bench moments
--without RULE`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
import json
from typing import Any

from homeassistant.helpers import llm

from ..heard.answers import Shown
from ..heard.contradicting import fits
from ..heard.contrary import begins_with_order, is_contrary
from ..heard.heard import Heard, Kind
from ..heard.numbers import numbers_in
from ..heard.referring import refers_back
from ..heard.reply import begins_with_no
from ..heard.said import Clause, Kind as When, Mood, commands
from ..heard.sentences import Reading
from ..heard.vocabulary import words_of_template
from ..heard.whole import Whole
from ..home.exposed import Exposed
from ..json_schema import Json
from ..languages import language_of
from ..mcp_servers.tool import McpTool
from ..names.matching import matcher, words
from .answered import by_answer
from .assist.target import LISTS
from .coverage import agrees, covered, sends
from .danger import dangerous, is_said
from .deed import Ask, Deed, Later, Only, Refused, Rule, Turn, Verdict
from .guarded import guarded
from .journal import Instead, Outcome
from .lists import was_named
from .opposites import PERCENT, end_of, is_opposite, opposite_of
from .recipients import recipients
from .routines import routine, unsaid_run, unsaid_script
from .targets import (
    aimed,
    as_understood,
    excepted,
    is_command,
    is_of_a_part,
    meant as meant_by_words,
    others_work,
)
from .values import another_value, unsaid_value, values_of
from .worded import degrees, muted, not_switched
from .wording import asked_before

_TELLING = 3
"""Letters of a word that tells a list by itself."""
_CONDITIONS = frozenset((When.IF, When.UNLESS))
_DECLINED = "The user was asked before this was done, and did not say yes"
_OPPOSITE = "The user asked for the opposite"
_OF_LISTS = frozenset(
    f"Hass{what}{does}Item"
    for what in ("List", "ShoppingList")
    for does in ("Add", "Complete", "Remove")
)


def question(deed: Deed, turn: Turn) -> Refused | None:
    """Where the user asks or tells something, nothing is done."""
    if _only_reads(deed.tool) or not turn.heard.asks or agrees(deed, turn):
        return None
    if turn.heard.said.mood is not Mood.STATEMENT:
        return Refused("The user asked a question: read the state, and answer")
    if deed.acts_on_devices:
        return Refused("The user told you something, and asked for nothing: answer in words")
    return None


def said_no(deed: Deed, turn: Turn) -> Refused | None:
    """What was asked about is not done where the answer begins with a no: "don't, I forgot the milk"."""
    is_no = begins_with_no(turn.heard.text, turn.heard.language)
    if is_no and signature(deed.tool.name, deed.arguments) in turn.declined:
        return Refused(_DECLINED, Instead.AS_SAID)
    return None


def told_others(deed: Deed, turn: Turn) -> Refused | None:
    """What somebody else is to be told is not done: "write to Anna that the light is off"."""
    clauses = turn.clauses(deed)
    if deed.targets and deed.acts_on_devices and all(each.tells_others for each in clauses):
        return Refused("The user wants somebody to be told that: do nothing of it")
    return None


def another_thing(deed: Deed, turn: Turn) -> Refused | None:
    """What is asked about and is not there is not told by what another one of its kind shows."""
    name = deed.arguments.get("name")
    if isinstance(deed.tool, McpTool) or not deed.tool.annotations.read_only or not name:
        return None
    mentioned = turn.heard.mentioned
    found = mentioned.find(str(name), mentioned.home.entities)
    if not turn.heard.of_absent(found):
        return None
    wanted = turn.heard.absent[0].name
    return Refused(f"No device is called {wanted}: tell the user", Instead.NOT_FOUND, [wanted])


def unread(deed: Deed, turn: Turn) -> Refused | None:
    """A text acts upon no sentence that was not read in time."""
    if deed.is_written and turn.heard.kind is Kind.UNREAD and not _only_reads(deed.tool):
        return Refused("It is not known what the user asks for: only read, and answer")
    return None


def postponed(deed: Deed, turn: Turn) -> Refused | None:
    """Of what is planned only another time is said: nothing is done now.

    To move a blind to 50 % sets a value, and puts off nothing.
    """
    clauses = turn.clauses(deed)
    if not deed.acts_on_devices or not clauses or values_of(deed.arguments):
        return None
    if not all(Whole(each.text, turn.heard.language).begins("postpones") for each in clauses):
        return None
    return Refused("The user put off what is planned: nothing is to be done now", Instead.LATER)


def negated(deed: Deed, turn: Turn) -> Refused | None:
    """What is not to be done is not done."""
    clauses = turn.clauses(deed)
    # Also a tool of which nobody says whether it acts is not wanted then.
    if (
        not deed.tool.annotations.read_only
        and clauses
        and all(each.negated and not _ends(each, deed, turn) for each in clauses)
        and not _is_taken_up(clauses[-1], deed, turn)
    ):
        return Refused("The user said not to do this", Instead.AS_SAID)
    if (deed.acts_on_devices and turn.is_left_out(deed)) or _leaves_item(deed, turn):
        return Refused("The user said not to do this", Instead.AS_SAID)
    denied = [each.command for each in _said_beside(deed, turn, after=True) if each.negated]
    mentioned = turn.heard.mentioned
    # What is excepted of nothing, and names nothing, is denied: "quieter, but not off".
    denied += [
        each.excepted for each in clauses if each.excepted and not mentioned.is_about(each.excepted)
    ]
    # "Don't turn it off, dim the lamp"; but not "don't turn it off. Turn off the lamp".
    before = [each.command for each in _said_beside(deed, turn, after=False) if each.negated]
    if before and not any(_says(each.command, deed, turn) for each in clauses):
        denied += before
    if any(_says(each, deed, turn) for each in denied):
        return Refused("The user said not to do this", Instead.AS_SAID)
    return None


def kept(deed: Deed, turn: Turn) -> Refused | None:
    """What is to stay as it is, is not changed."""
    clauses = [each for each in turn.wanted(deed) if not each.negated]
    later = (each for each in _said_beside(deed, turn, after=True) if not each.negated)
    if (clauses and all(_ends(each, deed, turn) for each in clauses)) or any(
        _ends(each, deed, turn) for each in later
    ):
        return Refused("The user said to leave it as it is", Instead.AS_SAID)
    return None


def unchanged(deed: Deed, turn: Turn) -> Refused | None:
    """What is to stay as it is, is not made as bright or warm as nobody said, also not for a while."""
    clauses = turn.clauses(deed)
    language = turn.heard.language
    if clauses and all(_sets(each, deed, language) for each in clauses):
        return Refused("The user said to leave it as it is", Instead.AS_SAID)
    return None


def not_before(deed: Deed, turn: Turn) -> Later | None:
    """What is not to be done until a moment is for that moment: "don't lock it until eleven"."""
    clauses = turn.clauses(deed)
    if not (deed.can_wait and len(clauses) == 1):
        return None
    begins = clauses[0].begins_at_its_end()
    if begins is None or _fits(begins, deed, turn) is False:
        return None
    return Later(begins, Refused("The user said not to do this yet", Instead.LATER))


def another_moment(deed: Deed, turn: Turn) -> Refused | Later | None:
    """What is to be done at another moment is not done now, and what is for a while not for good."""
    clauses = turn.wanted(deed)
    if not deed.can_wait or all(each.negated for each in clauses):
        return None
    if turn.journal.found_out:
        clauses = [each.when_answered() for each in clauses]
    match put_off(clauses, turn.heard.unmet):
        case None:
            return None
        case (Instead.UNMET | Instead.SHOWN) as told:
            return Refused("The user named a condition, which is not met", told)
        case told:
            refused = Refused("The user named another moment than now, or a condition", told)
    timed = [each for each in clauses if each.moments and not each.negated]
    return Later(timed[0], refused) if timed else refused


def opposite(deed: Deed, turn: Turn) -> Refused | None:
    """The opposite of what Home Assistant reads in the sentence is not done."""
    understood = turn.heard.understood
    if (
        understood
        and isinstance(deed.tool, llm.IntentTool)
        and is_opposite(deed.tool.intent_type, deed.arguments, understood.intent_type)
    ):
        return turn.refused_for(understood.intent_type, _OPPOSITE)
    return None


def contrary(deed: Deed, turn: Turn) -> Refused | None:
    """The opposite of what the words say is not done, where Home Assistant does not read them.

    What is denied is none of it. To set a cover to 100 % opens it.
    """
    understood, heard = turn.understood, turn.heard
    intent_type = getattr(deed.tool, "intent_type", "")
    is_read = understood is not None and understood.reading.intent_type == intent_type
    if not deed.targets or is_read:
        return None
    clauses = turn.clauses(deed)
    if not clauses or any(each.negated for each in clauses):
        return None
    code = language_of(heard.language).code
    said = commands(clauses)
    if not any(map(str.isdigit, said)):
        intent_type = end_of(deed.arguments) or intent_type
    # "Grandma wrote which lights are on, switch those off": what she wrote is no order.
    is_order = len(heard.said.clauses) == 1 and is_command(turn)
    is_order |= all(each.mood is Mood.COMMAND for each in clauses)
    if not (is_order or begins_with_order(said, code)):
        return None
    if any(is_contrary(said, code, intent_type, each.domain, each.names) for each in deed.targets):
        return turn.refused_for(opposite_of(intent_type), _OPPOSITE)
    return None


def another_list(deed: Deed, turn: Turn) -> Refused | None:
    """Of several lists, one is meant of which the user said a word; of "the list" nobody knows which.

    Words that no list has ("the supermarket list") may mean one: that is left to the model.
    """
    heard, reading = turn.heard, turn.heard.reading
    if (
        reading is None
        or reading.intent_type not in _OF_LISTS
        or deed.tool.annotations.read_only
        or not (deed.domains & LISTS and deed.targets)
    ):
        return None
    lists = [each for each in heard.mentioned.home.entities if each.domain in deed.domains & LISTS]
    said = [each for each in lists if _is_called_like(heard, each)]
    # "What's on the groceries list?", "add bread to it".
    said = said or [each for each in lists if was_named(each.names, turn)]
    if len(lists) == 1 or not {*said}.isdisjoint(deed.targets):
        return None
    if not said and _tells_list(heard, reading):
        return None
    if not said and heard.earlier and refers_back(heard.text, language_of(heard.language).code):
        # "What do I need to buy?", and then "add bread to it": only the answer says which.
        return None
    names = ", ".join(entity.names[0] for entity in said or lists)
    return Refused(f"The user did not say this list. There are: {names}. Ask the user which one.")


def answered(deed: Deed, turn: Turn) -> Ask | None:
    """What the answer before named is asked about: where it may have been told by what others wrote.

    And where not all of it is meant, or nobody knows.
    """
    is_all = by_answer(deed, turn)
    if is_all is None or (is_all and turn.taint.is_only_described):
        return None
    return asked_before(deed)


def undoing(deed: Deed, turn: Turn) -> Refused | None:
    """What was done in a turn is not undone by the next text in it."""
    if not (deed.is_written and isinstance(deed.tool, llm.IntentTool)):
        return None
    for before in turn.journal.entries:
        if (
            isinstance(before.tool, llm.IntentTool)
            and before.outcome not in (Outcome.REFUSED, Outcome.FAILED)
            and _acts_alike(before.arguments, deed.arguments)
            and is_opposite(deed.tool.intent_type, deed.arguments, before.tool.intent_type)
        ):
            return Refused(f"You called the opposite before: {before.tool.name}")
    return None


def meant(deed: Deed, turn: Turn) -> Refused | Only | None:
    """Only devices that the user may have meant: by the words, or by a yes to what the model asked."""
    return None if agrees(deed, turn) else meant_by_words(deed, turn)


RULES: tuple[Rule, ...] = (
    question,
    said_no,
    told_others,
    another_thing,
    unread,
    postponed,
    unchanged,
    not_before,
    another_moment,
    negated,
    kept,
    as_understood,
    not_switched,
    opposite,
    contrary,
    muted,
    degrees,
    undoing,
    unsaid_value,
    another_value,
    another_list,
    aimed,
    guarded,
    unsaid_run,
    routine,
    unsaid_script,
    excepted,
    others_work,
    answered,
    meant,
    covered,
    sends,
    recipients,
    dangerous,
)


def verdict(deed: Deed, turn: Turn) -> Verdict:
    """Return whether a call may be made, by all rules; None where it may, as it is."""
    whole = deed.targets
    asked: Ask | None = None
    for rule in RULES:
        match rule(deed, turn):
            case Only(targets, leaves_scripts):
                leaves_scripts |= deed.leaves_scripts
                deed = replace(deed, targets=targets, leaves_scripts=leaves_scripts)
            case Ask() as ask:
                asked = asked or ask
            case None:
                pass
            case Refused() as refused:
                names = tuple(each.names[0] for each in deed.targets)
                return replace(refused, about=refused.about or names)
            case decided:
                return decided
    if asked:
        return _question(replace(asked, targets=deed.targets), deed, turn)
    is_narrowed = deed.leaves_scripts or set(deed.targets) != set(whole)
    # Of the whole sentence, which a written call is corrected by, a part says too much, and a yes too little.
    is_told = deed.is_written and (
        is_of_a_part(deed, turn) or agrees(deed, turn) or by_answer(deed, turn) is not None
    )
    return Only(deed.targets) if is_narrowed or is_told else None


def _question(ask: Ask, deed: Deed, turn: Turn) -> Ask | Refused:
    """Return a question, where somebody can be asked who has not just said no."""
    if not turn.heard.text:
        return Refused("That is done only if a user says yes to it, and nobody can be asked here")
    if signature(deed.tool.name, deed.arguments) in turn.declined:
        return Refused(_DECLINED)
    return ask


def put_off(clauses: Sequence[Clause], unmet: Shown | None) -> Instead | None:
    """Return what the user is told of what is not to be done at once; None where it is.

    `unmet` is what is so in the stead of a condition that is not met.
    """
    moments = [each for clause in clauses for each in clause.moments]
    if unmet and any(each.is_met is False for each in moments):
        return Instead.SHOWN if unmet.name else Instead.UNMET
    kinds = {each.kind for each in moments}
    if kinds & _CONDITIONS:
        return Instead.CONDITION
    return Instead.LATER if kinds else None


def signature(name: str, arguments: Mapping[str, Any]) -> str:
    """Return what is the same for the same call, however its arguments are ordered."""
    return f"{name} {json.dumps(arguments, sort_keys=True, default=str)}"


def _ends(clause: Clause, deed: Deed, turn: Turn) -> bool:
    """Tell whether a call ends a state of which a clause says that it stays: "leave it on".

    What was left on by somebody is only told.
    """
    is_said = clause.stays and clause.mood is not Mood.STATEMENT
    return is_said and _fits(clause, deed, turn) is False


def _leaves_item(deed: Deed, turn: Turn) -> bool:
    """Tell whether an item of a list is named as what is left alone: "everything but the milk"."""
    item = str(deed.arguments.get("item") or "")
    language, clauses = turn.heard.language, turn.heard.said.clauses
    return getattr(deed.tool, "intent_type", "") in _OF_LISTS and any(
        is_said(each.excepted, item, language, whole=True) for each in clauses
    )


def _said_beside(deed: Deed, turn: Turn, *, after: bool) -> Iterator[Clause]:
    """Yield what is said after or before a call's own parts of the sentence, for now, naming nothing else.

    "Turn the radio down, but not off", "turn it off. Oh no, leave it on".
    """
    clauses = turn.heard.said.clauses
    own = [*turn.clauses(deed)]
    if not deed.targets or not clauses or deed.clause or own == [*clauses]:
        return
    first = min(clauses.index(each) for each in own)
    for each in clauses[first + 1 :] if after else clauses[:first]:
        if each not in own and each.is_now and not turn.says_where(each):
            yield each


def _says(command: str, deed: Deed, turn: Turn) -> bool:
    """Tell whether words say what a call does, by what it is that they bring about."""
    intent_type, code = getattr(deed.tool, "intent_type", ""), language_of(turn.heard.language).code
    opposite = opposite_of(intent_type)
    return bool(deed.targets and opposite) and all(
        is_contrary(command, code, opposite, each.domain, each.names) for each in deed.targets
    )


def _sets(clause: Clause, deed: Deed, language: str) -> bool:
    """Tell whether a call sets how bright or warm what stays is to be, of which nobody said anything."""
    return (
        clause.stays and bool(values_of(deed.arguments)) and not numbers_in(clause.text, language)
    )


def _is_taken_up(clause: Clause, deed: Deed, turn: Turn) -> bool:
    """Tell whether a call is what is said next of the same: "we don't need it, turn it off".

    It is not of the same after the name of another: "not the lamp, I meant the fan, turn it off".
    """
    clauses = turn.heard.said.clauses
    later = clauses[clauses.index(clause) + 1 :] if clause in clauses else ()
    code = language_of(turn.heard.language).code
    for each in later:
        if refers_back(each.text, code):
            if each.mood is Mood.COMMAND and not each.negated and _fits(each, deed, turn):
                return True
        elif turn.is_of_others(each, deed):
            return False
    return False


def _fits(clause: Clause, deed: Deed, turn: Turn) -> bool | None:
    intent_type = getattr(deed.tool, "intent_type", "")
    code = language_of(turn.heard.language).code
    return fits(clause.command, code, intent_type, deed.domains)


def _only_reads(tool: llm.Tool) -> bool:
    """Tell whether a tool does nothing, as far as anybody says: of many tools nobody says anything."""
    if tool.annotations.read_only or isinstance(tool, llm.IntentTool):
        return tool.annotations.read_only
    if isinstance(tool, McpTool):
        return not {"read_only_hint", "destructive_hint"} & tool.declared.keys()
    return tool.annotations == llm.ToolAnnotations()


def _tells_list(heard: Heard, reading: Reading) -> bool:
    """Tell whether a word of a sentence about a list may say which one: "the shopping list"."""
    language = language_of(heard.language)
    forms = (*language.forms.get("any_list", ()), *language.forms.get("verbs", ()))
    said = words(commands(heard.said.clauses))
    about = {*words(str(reading.slots.get("item", ""))), *matcher(language.code).fillers}
    about.update(word for form in forms for word in words_of_template(form))
    return not about.issuperset(said)


def _is_called_like(heard: Heard, entity: Exposed) -> bool:
    """Tell whether a word of a list's name was said, in whatever form: "grocery"."""
    is_any = any(is_said(heard.text, name, heard.language) for name in entity.names)
    return is_any or heard.mentioned.mentions(entity, shortest=_TELLING)


def _acts_alike(arguments: Json, others: Json) -> bool:
    """Tell whether two calls act upon the same: all that they say but how much of it."""

    def what(said: Json) -> dict[str, object]:
        return {slot: value for slot, value in said.items() if value and slot not in PERCENT}

    return what(arguments) == what(others)
