"""Items of lists, after others' texts were read: those that the user says go on the list that is meant."""

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby

from ..heard.follow_up import Follow, Following
from ..heard.items import ADDS
from ..heard.moment import read
from ..heard.phrases import phrases, says_in_order
from ..heard.referring import refers_back, says_what_to_do
from ..heard.said import Clause, Mood
from ..languages import language_of
from ..names.inflected import is_alike
from ..names.matching import matcher, words
from .assist.target import LISTS
from .danger import is_said
from .deed import Deed, Turn
from .items import has_word, may_have_word, open_items

_ADDING = ("adds", "puts")
_MAY_COMMAND = (Mood.COMMAND, Mood.UNKNOWN)


def adds_alone(deed: Deed, turn: Turn, item: str, names: Sequence[str]) -> bool:
    """Tell whether a command says nothing but what to add: "add milk and bread".

    That goes on the list that was spoken of before, or on the only one where it says to add.
    """
    if getattr(deed.tool, "intent_type", "") not in ADDS or turn.heard.asks:
        return False
    others = _other_lists(deed, turn)
    forms = ["adds"] * (not others)
    if _was_spoken_of(names, others, turn):
        forms = ["adds", "puts"]
    return any(_adds(each, item, form, turn) for each in turn.heard.said.clauses for form in forms)


def _was_spoken_of(names: Sequence[str], others: Sequence[str], turn: Turn) -> bool:
    """Tell whether a list alone was named right before, or before what was only added to it."""
    language = turn.heard.language
    for before in reversed(turn.heard.earlier):
        if any(is_said(before, name, language, whole=True) for name in names):
            return not any(is_said(before, name, language) for name in others)
        if not any(says_in_order(before, language_of(language).code, form) for form in _ADDING):
            return False
    return False


def _adds(clause: Clause, item: str, form: str, turn: Turn) -> bool:
    """Tell whether a command says to add some things and no more, one of which is an item.

    Its verb stands at one of its ends: "add milk and bread", "Milch und Brot aufschreiben".
    """
    heard, code = turn.heard, language_of(turn.heard.language).code
    if clause.mood not in _MAY_COMMAND or clause.negated or clause.excepted or clause.moments:
        return False
    if heard.meant(clause.command).tells or not says_in_order(clause.command, code, form):
        return False
    verbs, said = phrases(code, form), words(clause.command)
    if said[-1:] not in verbs and said[0] not in {phrase[0] for phrase in verbs}:
        return False
    empty = {word for each in (form, "adding", "any_list") for word in _words_of(code, each)}
    empty |= matcher(code).fillers
    own = _bare(words(item), empty)
    return any(_are_alike(own, each) for each in _things(clause.command, empty, code))


def _things(text: str, empty: Collection[str], code: str) -> Sequence[Sequence[str]]:
    """Return what commas and "and" tell apart in a text, and all of it, without words around each.

    Of "mac and cheese" nobody knows whether it is one.
    """
    joints = {word for each in language_of(code).joints for word in words(each)}
    parts = [
        [*group]
        for part in text.split(",")
        for joins, group in groupby(words(part), joints.__contains__)
        if not joins
    ]
    whole = _bare(words(text), empty)
    return [whole, *(_bare(each, empty) for each in parts)]


def _are_alike(said: Sequence[str], others: Sequence[str]) -> bool:
    """Tell whether some words are forms of others, each of one."""
    return 0 < len(said) == len(others) and all(map(is_alike, said, others, strict=True))


def _bare(said: Sequence[str], empty: Collection[str]) -> Sequence[str]:
    """Return some words without those at their ends that tell nothing of a thing."""
    telling = [place for place, word in enumerate(said) if word not in empty]
    return said[telling[0] : telling[-1] + 1] if telling else ()


def _words_of(code: str, form: str) -> Iterator[str]:
    return (word for phrase in phrases(code, form) for word in phrase)


def adds_more(deed: Deed, turn: Turn, item: str, names: Sequence[str]) -> bool:
    """Tell whether one more item is all that is said after a command about the list: "and bread"."""
    heard, code = turn.heard, language_of(turn.heard.language).code
    if getattr(deed.tool, "intent_type", "") not in ADDS or not heard.earlier or heard.asks:
        return False
    wanted = Following(heard.text, heard.language).follow_up()
    if wanted is None or wanted.follow is not Follow.ALSO:
        return False
    fillers, before = matcher(code).fillers, heard.earlier[-1]
    return (
        {*words(wanted.which)} - fillers == {*words(item)} - fillers
        and says_what_to_do(before, code)
        and read(before, heard.language, ()).mood is not Mood.QUESTION
        and any(is_said(before, name, heard.language, whole=True) for name in names)
    )


def puts(clause: Clause, deed: Deed, names: Sequence[str], turn: Turn) -> bool:
    """Tell whether a part of the sentence is a command with both the item and its list.

    What is added may go to the list that the sentence before named: "add honey to it"; or that
    another part of the sentence did: "what's on the shopping list, and add honey".
    """
    language, item = turn.heard.language, str(deed.arguments.get("item", ""))
    adds = getattr(deed.tool, "intent_type", "") in ADDS
    return (
        clause.mood is Mood.COMMAND
        and is_said(clause.text, item, language, whole=True)
        and (
            any(is_said(clause.text, name, language, whole=True) for name in names)
            or (adds and was_named(names, turn) and _says_any_list(clause, turn))
            or (adds and _is_of_list_beside(clause, deed, names, turn))
        )
    )


def _is_of_list_beside(clause: Clause, deed: Deed, names: Sequence[str], turn: Turn) -> bool:
    """Tell whether only a call's list is named in a sentence, in another part of it than this one."""
    heard = turn.heard
    others = _other_lists(deed, turn)
    beside = [each.text for each in heard.said.clauses if each != clause]
    return not any(is_said(heard.text, name, heard.language) for name in others) and any(
        is_said(text, name, heard.language, whole=True) for text in beside for name in names
    )


def _other_lists(deed: Deed, turn: Turn) -> Sequence[str]:
    """Return the names of the lists that a call is not for."""
    entities = turn.heard.mentioned.home.entities
    lists = (each for each in entities if each.domain in LISTS and each not in deed.targets)
    return [name for each in lists for name in each.names]


def ticks_off(item: str, turn: Turn) -> bool:
    """Tell whether a command only takes an item off a list: "tick off the oats", "take the oats off".

    What it is called tells on which list it is. "Delete the mail about the oats" is of something else.
    """
    heard = turn.heard
    return not (heard.asks or heard.meant(item).tells) and any(
        is_said(text, item, heard.language, whole=True)
        and all(any(is_alike(word, own) for own in words(item)) for word in taken)
        for _, text, taken in _taken_off(turn)
    )


def ticks_off_the_one(item: str, deed: Deed, turn: Turn) -> bool:
    """Tell whether a command only takes off what one open item of a list has a word of.

    "Tick off the gutters", for "Clean the gutters". What others may have written counts for nothing but
    this: whose item has such a word as well, nobody knows which is meant.
    """
    heard, items = turn.heard, open_items(turn.hass, deed.targets)
    others = [each for each in items if each.casefold() != item.casefold()]
    if heard.asks or len(items) != len(others) + 1:
        return False
    own = {word for each in deed.targets for name in each.names for word in words(name)}
    # An article that hangs on its noun is a word by itself: "l'idraulico".
    for clause, text, taken in _taken_off(turn):
        said, told = (
            heard.meant(text),
            [word for word in taken if word not in own and len(word) > 1],
        )
        speaks_of_more = said.areas or said.kinds or not said.named.issubset(deed.targets)
        if not told or speaks_of_more or not clause.is_plain:
            continue
        if all(has_word(item, each) for each in told):
            return not any(may_have_word(other, each) for other in others for each in told)
    return False


def may_tick_off(item: str, turn: Turn) -> bool:
    """Tell whether a command takes something off that an item has a word of."""
    return any(has_word(item, word) for _, _, taken in _taken_off(turn) for word in taken)


def _taken_off(turn: Turn) -> Iterator[tuple[Clause, str, Sequence[str]]]:
    """Yield the commands that say to take something off a list, with the words that tell what.

    Of a clause it is what stands between commas: "tell me my chores, tick off the gutters".
    """
    code = language_of(turn.heard.language).code
    empty = [word for form in ("ticks", "any_list", "lists") for word in _words_of(code, form)]
    for each in turn.heard.said.clauses:
        if each.mood not in _MAY_COMMAND or each.negated:
            continue
        for text in each.command.split(","):
            if says_in_order(text, code, "ticks"):
                said = [word for word in words(text) if word not in matcher(code).fillers]
                told = [word for word in said if not any(is_alike(word, one) for one in empty)]
                yield each, text, told


def was_named(names: Sequence[str], turn: Turn) -> bool:
    """Tell whether the sentence before this one named a list: "what's on the groceries list"."""
    heard = turn.heard
    return bool(heard.earlier) and any(
        is_said(heard.earlier[-1], name, heard.language, whole=True) for name in names
    )


def _says_any_list(clause: Clause, turn: Turn) -> bool:
    """Tell whether words speak of the list that was named: "add honey to the list", "to it"."""
    code = language_of(turn.heard.language).code
    listed = {word for phrase in phrases(code, "any_list") for word in phrase}
    return not listed.isdisjoint(words(clause.text)) or refers_back(clause.text, code)
