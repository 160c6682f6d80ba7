"""Requests for things that are no entities: items of lists, and media."""

from collections.abc import Sequence
from itertools import pairwise
import re
from typing import Final

from ..languages import language_of
from ..names.matching import matcher, words
from .clause import join_commands
from .phrases import phrases_of_form
from .tokenizer import Text
from .utterance import Utterance

ADDS: Final = frozenset(("HassListAddItem", "HassShoppingListAddItem"))
_WORDS: Final = 4
"""Words of a thing; of more, something else may be said."""
_LEAST: Final = 3
"""Things that commas tell apart: in "tomatoes, canned" one only says more of what is before it."""
_MOST: Final = 20
_LAST_WORD = re.compile(r"[^\W_]+['’]?\s*$")


def is_single_item(text: Text, item: Text) -> bool:
    """Return True if one thing alone is put on a list by a command, and called by its name.

    "Milk and eggs" are two; "everything", "the ingredients of the recipe" and "what is in my note"
    something else knows.
    `item` is what Home Assistant reads, which knows no commas.
    """
    said = item.casefold().split()
    if not text.language.conjunctions.isdisjoint(said):
        return False
    if is_pro_form(item) or not is_contiguous(text, item):
        return False
    return not said or said[0] not in matcher(text.code).function_words


def is_contiguous(text: str, item: str) -> bool:
    """Return True if what Home Assistant reads as one thing stands so in a text.

    It knows no commas; and of some sentences it takes half a word of "a la lista" for the thing.
    """
    if not item.strip():
        return True
    span = _span(text, item)
    return span is not None and "," not in text[span[0] : span[1]]


def is_pro_form(item: Text) -> bool:
    """Return True if what is to be put on a list is called by no name, and something else knows what it is.

    "Put them on the list", "everything for the cake", "the ingredients of the recipe".
    """
    language, own = item.language, item.words
    if own in phrases_of_form(language.code, "pronouns"):
        return True
    if not language.universal_quantifiers.isdisjoint(item.casefold().split()):
        return True
    return any(own[: len(each)] == each for each in phrases_of_form(language.code, "contents"))


def split_items(text: Text, item: str) -> Sequence[str]:
    """Return a command for each of several things that it certainly puts on a list; else nothing.

    Commas tell them apart, and one "and" before the last: "ham and cheese, milk" may be anything.
    """
    if (span := _span(text, item)) is None:
        return ()
    start, end = _with_fillers(text, span[0]), span[1]
    things = _things(text.alike(text[start:end]))
    if not _LEAST <= len(things) <= _MOST or not all(
        _is_thing(text.alike(each)) for each in things
    ):
        return ()
    return [f"{text[:start]}{each}{text[end:]}" for each in things]


def _things(said: Text) -> Sequence[str]:
    joints = said.language.conjunctions
    *first, last = [each.strip() for each in said.split(",")]
    before, joint, after = _at_joint(last, joints)
    things = [*first, *filter(None, (before, after))] if joint else [*first, last]
    is_open = not first or any(not joints.isdisjoint(words(each)) for each in things)
    return () if is_open else things


def _at_joint(said: str, joints: frozenset[str]) -> tuple[str, str, str]:
    """Return what is before the first joint, that, and what follows on it."""
    parts = said.split()
    for index, word in enumerate(parts):
        if word.casefold() in joints:
            return " ".join(parts[:index]), word, " ".join(parts[index + 1 :])
    return said, "", ""


def _is_thing(said: Text) -> bool:
    """Return True if some words may be a thing, and no command, no call and nothing to be looked up."""
    own = said.words
    if not own or len(own) > _WORDS or not said.language.universal_quantifiers.isdisjoint(own):
        return False
    begins = {phrase[0] for phrase in phrases_of_form(said.code, "verbs") if phrase}
    is_command = len(own) > 1 and own[0] in begins
    return not is_command and own[:1] not in phrases_of_form(said.code, "pronouns")


def _with_fillers(text: Text, start: int) -> int:
    """Return where a thing begins, with the articles before it: "du lait"."""
    fillers = matcher(text.code).function_words
    while found := _LAST_WORD.search(text, 0, start):
        if not fillers.issuperset(words(found.group())):
            break
        start = found.start()
    return start


def _span(text: str, item: str) -> tuple[int, int] | None:
    """Return where the words of a thing stand in a text, whatever is between them."""
    between = r"[\s,;]+"
    pattern = between.join(re.escape(word) for word in item.split())
    found = re.search(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE) if pattern else None
    return found.span() if found else None


SEARCH: Final = "HassMediaSearchAndPlay"
QUERY: Final = "search_query"
_LONGEST: Final = 12
"""Words of what is wanted; of more nothing is certain."""


def parse_media_request(utterance: Utterance) -> str:
    """Return what is certainly wanted to be played, in the user's words; else nothing."""
    code = language_of(utterance.language).code
    match utterance.parsed.clauses:
        case [only] if not only.negated and not only.exclusion:
            text = join_commands([only])
        case _:
            return ""
    reading = utterance.exact_command
    if reading and reading.intent_type != SEARCH:
        return ""
    if reading and not any(_begins_or_ends(text, verb) for verb in phrases_of_form(code, "plays")):
        return ""
    query = str(reading.slots.get(QUERY, "")) if reading else _after_verb(text)
    wanted = _plain(query.split(), code)
    return " ".join(wanted) if _is_certain(wanted, utterance, code) else ""


def _is_certain(wanted: Sequence[str], utterance: Utterance, code: str) -> bool:
    """Return True if some words are a title, an artist or a kind of music, and nothing else."""
    if not wanted or len(wanted) > _LONGEST:
        return False
    text = " ".join(wanted)
    said = words(text)
    if (
        said in phrases_of_form(code, "any_media")
        or utterance.link(utterance.text.alike(text)).has_mention
    ):
        return False
    if said[:1] in phrases_of_form(code, "pronouns"):
        return False
    where = {word for phrase in phrases_of_form(code, "where_media") for word in phrase}
    if not where.isdisjoint(said) or "%" in text or not _units(code).isdisjoint(said):
        return False
    return not _commands_more(said, code)


def _commands_more(said: Sequence[str], code: str) -> bool:
    """Return True if a verb of a command follows on a word that joins two: "jazz and stop it"."""
    joints = language_of(code).conjunctions
    verbs = {phrase[0] for phrase in phrases_of_form(code, "verbs") if phrase}
    return any(before in joints and word in verbs for before, word in pairwise(said))


def _units(code: str) -> frozenset[str]:
    language = language_of(code)
    return frozenset(word for each in language.percent | language.degrees for word in words(each))


def _after_verb(text: Text) -> str:
    """Return what follows the verb with which a command begins; nothing if that plays nothing."""
    said = text.split()
    rest = _after(said, phrases_of_form(text.code, "plays"))
    return " ".join(rest) if len(rest) < len(said) else ""


def _plain(said: Sequence[str], code: str) -> Sequence[str]:
    """Return what is wanted without "some" and "a song by" before it."""
    if words(" ".join(said)) in phrases_of_form(code, "any_media"):
        return said
    rest = _after(said, phrases_of_form(code, "some_media"))
    return rest or said


def _after(said: Sequence[str], known: frozenset[tuple[str, ...]]) -> Sequence[str]:
    """Return the words behind the longest phrase with which some words begin; else all of them."""
    for end in range(min(len(said), _LONGEST), 0, -1):
        if words(" ".join(said[:end])) in known:
            return said[end:]
    return said


def _begins_or_ends(text: str, phrase: tuple[str, ...]) -> bool:
    said = words(text)
    size = len(phrase)
    return any(said[at : at + size] == phrase for at in range(len(said) - size + 1))
