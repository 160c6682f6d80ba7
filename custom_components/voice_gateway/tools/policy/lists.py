"""Lists: the target list, and after third-party text was read, the items that the user named."""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from homeassistant.components.todo import TodoItemStatus
from homeassistant.components.todo.const import DATA_COMPONENT as LISTS_OF_HOME
from homeassistant.core import HomeAssistant

from ...home.exposed import Exposed
from ...languages import language_of
from ...names.inflection import begins_alike, is_alike, is_like_any
from ...names.matching import matcher, words
from ...nlu.anaphora import Anaphora
from ...nlu.clause import Clause, DialogueAct, join_commands
from ...nlu.follow_ups import FollowUpAct, FollowUpParser
from ...nlu.home_assistant import IntentMatch
from ...nlu.predicates import Predicate
from ...nlu.requests import ADDS
from ...nlu.tokenizer import Text
from ...nlu.utterance import Utterance
from ..assist.target import LISTS
from .call import ComparedCall
from .divergence import UNASKED, Difference, Divergence, maybe_asked
from .questions import ask_for_targets
from .risk import contains_name
from .server_tools import is_own, may_be_grounded

_STEM = 4  # letters that two forms of a word share
_TELLING = 3
"""Letters of a significant word in a list's name."""
ITEM_INTENTS = frozenset(
    f"Hass{what}{does}Item"
    for what in ("List", "ShoppingList")
    for does in ("Add", "Complete", "Remove")
)
_ADDING = ("adds", "puts")
_MAY_COMMAND = (DialogueAct.COMMAND, DialogueAct.UNKNOWN)


def compare_list(call: ComparedCall) -> Difference | None:
    """Of several lists, the target is one with a word in the utterance; "the list" is ambiguous.

    Words of no list ("the supermarket list") may mean one: that is left to the model.
    """
    utterance, reading = call.utterance, call.utterance.intent_match
    if (
        reading is None
        or reading.intent_type not in ITEM_INTENTS
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
        # "What do I need to buy?", and then "add bread to it": only the answer names the list.
        return None
    names = ", ".join(entity.names[0] for entity in said or lists)
    told = f"The user did not say this list. There are: {names}. Ask the user which one."
    return Difference(Divergence.OTHER_LIST, told)


def _tells_list(utterance: Utterance, reading: IntentMatch) -> bool:
    """Return True if a word of an utterance about a list may identify it: "the shopping list"."""
    language = language_of(utterance.language)
    said = words(join_commands(utterance.parsed.clauses))
    about = {*words(str(reading.slots.get("item", ""))), *matcher(language.code).function_words}
    about.update(utterance.text.patterns.words_of("any_list", "verbs"))
    return not about.issuperset(said)


def _is_called_like(utterance: Utterance, entity: Exposed) -> bool:
    """Return True if the utterance has a word of a list's name, in any form: "grocery"."""
    is_any = any(contains_name(utterance.text, name) for name in entity.names)
    return is_any or utterance.dialogue.says_word_of(entity, shortest=_TELLING)


def compare_item(call: ComparedCall) -> Difference | None:
    """After third-party text was read, only lists and items that the user named are changed."""
    utterance, clauses = call.utterance, call.utterance.parsed.clauses
    item = str(call.arguments.get("item", ""))
    reading = utterance.intent_match
    is_read = reading is not None and reading.intent_type == call.intent_type
    names = call.target_names
    is_named = any(contains_name(utterance.text, name) for name in names)
    is_item = contains_name(utterance.text, item, whole=True)
    if is_item and (adds_more(call, item, names) or adds_alone(call, item, names)):
        return None
    adds = call.intent_type in ADDS
    if adds and is_named and not utterance.text.language.knows_verbs:
        # A new item that was said beside the list's name is no harm.
        is_of_list = any(contains_name(Text(each, utterance.text.code), item) for each in names)
        if not is_of_list and all(is_own(each, utterance.text.words) for each in words(item)):
            return None
    if not adds and ((is_item and ticks_off(item, call)) or ticks_off_the_one(item, call)):
        return None
    taken = [word for *_, words_of_it in _taken_off(call) for word in words_of_it]
    has_word = not adds and any(_has_word(item, each) for each in taken)
    is_there = is_read or is_named or is_item or has_word
    if not (call.commands or may_be_grounded(call)) or not is_there:
        return UNASKED
    is_told = is_read or call.clause or any(puts(each, call, names) for each in clauses)
    if is_item and (is_told or (not adds and is_named)):
        return None
    does = "add" if adds else "remove"
    return maybe_asked(ask_for_targets(does, call.targets, item), may_want=call.may_want)


def adds_alone(call: ComparedCall, item: str, names: Sequence[str]) -> bool:
    """Return True if a command contains only the items to add: "add milk and bread".

    They go on the last mentioned list, or on the only one if the verb is to add.
    """
    if call.intent_type not in ADDS or call.utterance.asks:
        return False
    others = _other_lists(call)
    forms = ["adds"] * (not others)
    if _was_spoken_of(names, others, call):
        forms = ["adds", "puts"]
    return any(
        _adds(each, item, form, call) for each in call.utterance.parsed.clauses for form in forms
    )


def _was_spoken_of(names: Sequence[str], others: Sequence[str], call: ComparedCall) -> bool:
    """Return True if a single list was named right before, or before another addition to it."""
    for before in reversed(call.utterance.context.earlier):
        if any(contains_name(before, name, whole=True) for name in names):
            return not any(contains_name(before, name) for name in others)
        if not before.says(*_ADDING, gapped=True):
            return False
    return False


def _adds(clause: Clause, item: str, form: str, call: ComparedCall) -> bool:
    """Return True if a command adds some items and nothing else, one of which is the given one.

    Its verb is at one of its ends: "add milk and bread", "Milch und Brot aufschreiben".
    """
    utterance, text = call.utterance, clause.command
    if clause.act not in _MAY_COMMAND or clause.negated or clause.exclusion or clause.times:
        return False
    if utterance.link(text).has_mention or not text.says(form, gapped=True):
        return False
    verbs = text.patterns.phrases(form)
    if text.words[-1:] not in verbs and text.words[0] not in {phrase[0] for phrase in verbs}:
        return False
    empty = text.patterns.words_of(form, "adding", "any_list") | text.function_words
    own = _bare(words(item), empty)
    things = _things(text, empty)
    return bool(own) and any(
        len(own) == len(each) and all(map(is_alike, own, each, strict=True)) for each in things
    )


def _things(text: Text, empty: Collection[str]) -> Sequence[Sequence[str]]:
    """Return the parts of a text between commas and "and", and the whole, without function words.

    "Mac and cheese" may be one item.
    """
    joints = text.patterns.single_words("conjunctions")
    parts = [
        [*group]
        for part in text.split(",")
        for joins, group in groupby(words(part), joints.__contains__)
        if not joins
    ]
    whole = _bare(text.words, empty)
    return [whole, *(_bare(each, empty) for each in parts)]


def _bare(said: Sequence[str], empty: Collection[str]) -> Sequence[str]:
    """Return words without the function words at their ends."""
    telling = [place for place, word in enumerate(said) if word not in empty]
    return said[telling[0] : telling[-1] + 1] if telling else ()


def adds_more(call: ComparedCall, item: str, names: Sequence[str]) -> bool:
    """Return True if a clause after a command about the list is one more item: "and bread"."""
    utterance, context = call.utterance, call.utterance.context
    if call.intent_type not in ADDS or not context.parsed or utterance.asks:
        return False
    wanted, before = FollowUpParser(utterance.text).parse(), context.before
    if wanted is None or wanted.act is not FollowUpAct.ALSO:
        return False
    return (
        {*wanted.which.words} - before.function_words == {*words(item)} - before.function_words
        and Predicate.of(before).is_expressed
        and context.parsed[-1].act is not DialogueAct.QUESTION
        and any(contains_name(before, name, whole=True) for name in names)
    )


def puts(clause: Clause, call: ComparedCall, names: Sequence[str]) -> bool:
    """Return True if a clause is a command with both the item and its list.

    The list may be named in the sentence before: "add honey to it"; or in another clause: "what's
    on the shopping list, and add honey".
    """
    item = str(call.arguments.get("item", ""))
    adds = call.intent_type in ADDS
    is_of_list = clause.text.says("any_list") or Anaphora.of(clause.text).refers_back
    return (
        clause.act is DialogueAct.COMMAND
        and contains_name(clause.text, item, whole=True)
        and (
            any(contains_name(clause.text, name, whole=True) for name in names)
            or (adds and was_named(names, call) and is_of_list)
            or (adds and _is_of_list_beside(clause, call, names))
        )
    )


def _is_of_list_beside(clause: Clause, call: ComparedCall, names: Sequence[str]) -> bool:
    """Return True if the utterance names only the call's list, in another clause than this one."""
    utterance = call.utterance
    others = _other_lists(call)
    beside = [each.text for each in utterance.parsed.clauses if each != clause]
    return not any(contains_name(utterance.text, name) for name in others) and any(
        contains_name(text, name, whole=True) for text in beside for name in names
    )


def _other_lists(call: ComparedCall) -> Sequence[str]:
    """Return the names of the lists other than the call's."""
    entities = call.utterance.home.entities
    lists = (each for each in entities if each.domain in LISTS and each not in call.targets)
    return [name for each in lists for name in each.names]


def ticks_off(item: str, call: ComparedCall) -> bool:
    """Return True if a command only takes an item off: "tick off the oats", "take the oats off".

    The item's name determines its list. "Delete the mail about the oats" is about something else.
    """
    utterance = call.utterance
    return not (utterance.asks or utterance.link(utterance.text.alike(item)).has_mention) and any(
        contains_name(text, item, whole=True)
        and all(is_like_any(word, words(item)) for word in taken)
        for _, text, taken in _taken_off(call)
    )


def ticks_off_the_one(item: str, call: ComparedCall) -> bool:
    """Return True if a command takes off the only open item that contains its word.

    "Tick off the gutters", for "Clean the gutters". Items may be third-party text, whose only
    influence is this: if another item has the word as well, the command is ambiguous.
    """
    utterance, items = call.utterance, _open_items(call.hass, call.targets)
    others = [each for each in items if each.casefold() != item.casefold()]
    if utterance.asks or len(items) != len(others) + 1:
        return False
    own = {word for each in call.targets for name in each.names for word in words(name)}
    # A clitic article is a word by itself: "l'idraulico".
    for clause, text, taken in _taken_off(call):
        said, told = (
            utterance.link(text),
            [word for word in taken if word not in own and len(word) > 1],
        )
        speaks_of_more = said.areas or said.categories or not said.named.issubset(call.targets)
        if not told or speaks_of_more or not clause.is_plain:
            continue
        if all(_has_word(item, each) for each in told):
            return not any(_may_have_word(other, each) for other in others for each in told)
    return False


def _taken_off(call: ComparedCall) -> Iterator[tuple[Clause, Text, Sequence[str]]]:
    """Yield the commands to take something off a list, with the words for the item.

    It may be a part of a clause between commas: "tell me my chores, tick off the gutters".
    """
    empty = call.utterance.text.patterns.words_of("ticks", "any_list", "lists")
    for each in call.utterance.parsed.clauses:
        if each.act not in _MAY_COMMAND or each.negated:
            continue
        for text in map(each.command.alike, each.command.split(",")):
            if text.says("ticks", gapped=True):
                said = [word for word in text.words if word not in text.function_words]
                told = [word for word in said if not is_like_any(word, empty)]
                yield each, text, told


def was_named(names: Sequence[str], call: ComparedCall) -> bool:
    """Return True if the sentence before named a list: "what's on the groceries list"."""
    utterance = call.utterance
    return bool(utterance.context.earlier) and any(
        contains_name(utterance.context.before, name, whole=True) for name in names
    )


def _open_items(hass: HomeAssistant, lists: Sequence[Exposed]) -> Sequence[str]:
    """Return the open items of the only one of some lists; nothing if they are unknown.

    They are the entity's, where Home Assistant's own tools look for the item, too. Items that the
    turn has read may be of another list, incomplete, or old.
    """
    if len(lists) != 1 or (component := hass.data.get(LISTS_OF_HOME)) is None:
        return ()
    entity = component.get_entity(lists[0].entity_id)
    items = entity.todo_items if entity else None
    return [
        each.summary
        for each in items or ()
        if each.summary and each.status is not TodoItemStatus.COMPLETED
    ]


def _has_word(item: str, word: str) -> bool:
    return is_like_any(word, words(item), _STEM)


def _may_have_word(item: str, word: str) -> bool:
    """Return True if an item may contain a form of a word, or a compound of it."""
    return any(begins_alike(word, each) or word in each for each in words(item))
