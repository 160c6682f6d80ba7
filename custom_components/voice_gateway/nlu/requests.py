"""Requests for objects that are no entities: items of lists, and media."""

from collections.abc import Sequence
import re
from typing import Final

from ..names.matching import words
from .clause import join_commands
from .entity_linking import EntityLinker
from .tokenizer import NOTHING, Text
from .utterance import Utterance

ADDS: Final = frozenset(("HassListAddItem", "HassShoppingListAddItem"))
_WORDS: Final = 4
"""The most words of an item; more may have another meaning."""
_LEAST: Final = 3
"""The fewest items between commas: "tomatoes, canned" is one item with an apposition."""
_MOST: Final = 20
_LAST_WORD = re.compile(r"[^\W_]+['’]?\s*$")


def is_single_item(text: Text, item: Text) -> bool:
    """Return True if a command puts exactly one item on a list, by its name.

    "Milk and eggs" are two; "everything", "the ingredients of the recipe" and "the things in my
    note" have to be looked up.
    `item` is Home Assistant's reading, which ignores commas.
    """
    said = item.casefold().split()
    if not text.language.conjunctions.isdisjoint(said):
        return False
    if not is_named_item(text, item):
        return False
    return not said or said[0] not in text.function_words


def is_named_item(text: str, item: Text) -> bool:
    """Return True if Home Assistant's item is named in the text, without a comma within.

    Home Assistant ignores commas, and takes half a word of "a la lista" for the item in some
    sentences. "Them", "everything for the cake" and "the ingredients of the recipe" stand for
    content that has to be looked up.
    """
    if item.says_only("pronouns") or item.phrase_end(0, "contents"):
        return False
    if not item.language.universal_quantifiers.isdisjoint(item.casefold().split()):
        return False
    if not item.strip():
        return True
    span = _span(text, item)
    return span is not None and "," not in text[span[0] : span[1]]


def split_items(text: Text, item: str) -> Sequence[str]:
    """Return a command for each of several items that it certainly puts on a list; or none.

    Commas separate them, with one "and" before the last: "ham and cheese, milk" is ambiguous.
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
    """Return the words before the first conjunction, that, and the words behind it."""
    parts = said.split()
    for index, word in enumerate(parts):
        if word.casefold() in joints:
            return " ".join(parts[:index]), word, " ".join(parts[index + 1 :])
    return said, "", ""


def _is_thing(said: Text) -> bool:
    """Return True if some words may be an item: no command, no pronoun and no quantifier."""
    own = said.words
    if not own or len(own) > _WORDS or not said.language.universal_quantifiers.isdisjoint(own):
        return False
    is_command = len(own) > 1 and bool(said.phrase_end(0, "verbs"))
    return not is_command and own[0] not in said.patterns.words_of("pronouns")


def _with_fillers(text: Text, start: int) -> int:
    """Return where an item begins, with the articles before it: "du lait"."""
    while found := _LAST_WORD.search(text, 0, start):
        if not text.function_words.issuperset(words(found.group())):
            break
        start = found.start()
    return start


def _span(text: str, item: str) -> tuple[int, int] | None:
    """Return the span of an item's words in a text, with any punctuation between them."""
    between = r"[\s,;]+"
    pattern = between.join(re.escape(word) for word in item.split())
    found = re.search(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE) if pattern else None
    return found.span() if found else None


SEARCH: Final = "HassMediaSearchAndPlay"
QUERY: Final = "search_query"
_LONGEST: Final = 12
"""The most words of a media query."""


def parse_media_request(utterance: Utterance) -> str:
    """Return the media that the user certainly wants to play, in the user's words; or nothing."""
    match utterance.parsed.clauses:
        case [only] if not only.negated and not only.exclusion:
            text = join_commands([only])
        case _:
            return ""
    reading = utterance.exact_command
    if reading and (reading.intent_type != SEARCH or not text.says("plays")):
        return ""
    query = _after(text, "plays")
    if reading and not (query and str(reading.slots.get(QUERY, "")).startswith(query)):
        query = text.alike(str(reading.slots.get(QUERY, "")))
    if not query and (music := _after(text, "puts_music")).says("music"):
        query = music
    *rest, last = query.split() or [""]
    if rest and last.casefold() in text.patterns.words_of("plays_end"):
        query = text.alike(" ".join(rest))  # "spiel Musik von Madonna ab"
    # Without "some" or "a song by" before it.
    song = NOTHING if query.says_only("any_media") else _after(query, "some_media")
    wanted = song or query
    return " ".join(wanted.split()) if _is_certain(wanted, utterance) else ""


def _is_certain(wanted: Text, utterance: Utterance) -> bool:
    """Return True if some words are only a title, an artist or a genre."""
    if not wanted or len(wanted.split()) > _LONGEST or "%" in wanted:
        return False
    known = wanted.patterns
    if wanted.says("games") or wanted.says_only("any_media"):
        return False
    if _is_about_home(utterance.link(wanted), known.words_of("stations")):
        return False
    no_title = known.single_words("percent") | known.single_words("degrees")
    no_title |= known.words_of("where_media")
    is_it = wanted.words[:1] and wanted.words[0] in known.words_of("pronouns")
    return not is_it and no_title.isdisjoint(wanted.words) and not _commands_more(wanted)


def _is_about_home(meant: EntityLinker, stations: frozenset[str]) -> bool:
    """Return True if a query mentions the home: "radio four" does not, unless there is a radio."""
    is_station = all(
        stations.issuperset(kind.words)
        and not meant.filter_by_category_word(kind, meant.home.entities)
        for kind in meant.categories
    )
    return meant.has_mention and not (is_station and not meant.named and not meant.areas)


def _commands_more(said: Text) -> bool:
    """Return True if a conjunction joins another command: "jazz and stop it"."""
    joints = said.language.conjunctions
    return any(
        word in joints and said.phrase_end(at, "verbs") for at, word in enumerate(said.words, 1)
    )


def _after(text: Text, form: str) -> Text:
    """Return the words behind the longest phrase of a list that begins a text; or nothing."""
    said = text.split()
    for end in range(min(len(said), _LONGEST), 0, -1):
        if text.alike(" ".join(said[:end])).says_only(form):
            return text.alike(" ".join(said[end:]))
    return NOTHING
