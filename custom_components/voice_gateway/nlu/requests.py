"""Requests for objects that are no entities: items of lists, and media."""

from collections.abc import Sequence
from dataclasses import dataclass
import re
from typing import Final

from ..home.exposed import Exposed
from ..names.matching import words
from .clause import join_commands
from .entity_linking import EntityLinker
from .home_assistant import ELIDED, find_list
from .tokenizer import NOTHING, SPOKEN, Text, TokenSequence
from .tokens import fold
from .utterance import Utterance

ADDS: Final = frozenset(("HassListAddItem", "HassShoppingListAddItem"))
_WORDS: Final = 4
"""The most words of an item; more may have another meaning."""
_LEAST: Final = 3
"""The fewest items between commas: "tomatoes, canned" is one item with an apposition."""
_MOST: Final = 20


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
    if item.phrase_end(0, "contents") or item.patterns.empty_words.issuperset(item.words):
        return not item.strip()
    if not item.language.universal_quantifiers.isdisjoint(item.casefold().split()):
        return False
    span = _span(text, item)
    return span is not None and "," not in text[span[0] : span[1]]


@dataclass(frozen=True, slots=True)
class ListCommand:
    """A command for a to-do list that it mentions."""

    todo: Exposed
    items: Sequence[Text]
    """What it certainly adds; empty for another command, and if that is uncertain."""
    sentence: str
    """The command with the full name of the list."""
    is_verbless: bool = False
    """Whether it has no verb: "milk on the list", which may also answer a question."""


def parse_list_command(
    text: Text, lists: Sequence[Exposed], remark: Text = NOTHING
) -> ListCommand | None:
    """Return the command for the only list that a text mentions; None without one.

    `remark`: the clause before it, for "we're out of milk, put it on the list".
    """
    if (found := find_list(text, lists)) is None:
        return None
    todo, first, end = found
    said = text.spoken
    sentence = " ".join((*said[:first], todo.names[0], *said[end:]))
    plain = text.without_clitics
    adds = any(plain.says(each, gapped=True) for each in ("adds", "puts"))
    is_verbless = text.patterns.imperatives.isdisjoint(plain.words)
    if not (adds or is_verbless) or text.says("ticks", gapped=True):
        return ListCommand(todo, (), sentence)
    item = _added(text, todo, first, end) or what_ran_out(remark)
    return ListCommand(todo, split_items(item), sentence, is_verbless)


def _added(text: Text, todo: Exposed, first: int, end: int) -> Text:
    """Return what a command adds to a list, which some words name; empty for a pronoun."""
    known = text.patterns
    empty = known.empty_words | text.function_words
    beside = known.words_of("adds", "puts", "adding") | empty
    spans = [each.span() for each in SPOKEN.finditer(text)]
    written = [text[start:stop] for start, stop in spans]
    said = [known.verb_stem(each.casefold()) or fold(each) for each in written]
    of_list = empty | known.words_of("any_list", "lists") | {*words(" ".join(todo.names))}
    while first and said[first - 1] in of_list:
        first -= 1
    while end < len(said) and said[end] in of_list:
        end += 1
    beside -= text.function_words  # "my usual drinks" have to be looked up
    parts = [_stripped(said, range(first), beside), _stripped(said, range(end, len(said)), beside)]
    match [part for part in parts if part]:
        case []:
            return NOTHING
        case [part]:
            return text.alike(text[spans[part[0]][0] : spans[part[-1]][1]])
    return text  # too much for an item


def _stripped(said: Sequence[str], part: range, empty: frozenset[str]) -> range:
    """Return a part of some words without those in `empty` at its ends."""
    left = [at for at in part if said[at] not in empty and ELIDED.sub("", said[at]) not in empty]
    return range(left[0], left[-1] + 1) if left else range(0)


def what_ran_out(remark: Text) -> Text:
    """Return what a remark says that there is none of: "we're out of milk"; or nothing."""
    line = TokenSequence.of(remark)
    for pattern in remark.patterns.forms.get("ran_out", ()):
        for first, end in line.find(pattern, "any"):
            empty = remark.patterns.empty_words
            said = [fold(each.text) for each in line.tokens]
            if part := _stripped(said, range(first, end), empty):
                return line.surface(part)
    return NOTHING


def split_items(said: Text) -> Sequence[Text]:
    """Return each of the items that some words name; none if that is uncertain.

    Of several, commas separate all but the last two, which a conjunction may join: "ham and
    cheese, milk" is ambiguous, and so are words that have to be looked up.
    """
    things = [said.alike(_without_article(said, each)) for each in _things(said)]
    return things if all(map(_is_thing, things)) else ()


def _without_article(text: Text, item: str) -> str:
    """Return an item without "some", or the article of a single noun: "du lait", "il caffè"."""
    first, *rest = ELIDED.sub("", item).split()
    known = text.patterns.words_of("some_media") | (
        text.function_words if len(rest) == 1 else set()
    )
    return " ".join(rest if rest and fold(first) in known else (first, *rest))


def _things(said: Text) -> Sequence[str]:
    joints = said.language.conjunctions
    *first, last = [each.strip() for each in said.split(",")]
    before, joint, after = _at_joint(last, joints)
    things = [*first, *filter(None, (before, after))] if joint else [*first, last]
    is_open = any(not joints.isdisjoint(words(each)) for each in things)
    # "Tomatoes, canned" and "mac and cheese" are one thing.
    is_one = (first and len(things) < _LEAST) or (joint and not first and said.says("pairs"))
    return () if is_open or is_one or len(things) > _MOST else things


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
    looks_up = said.phrase_end(0, "contents") or said.patterns.empty_words.issuperset(own)
    return not (is_command or looks_up) and own[0] not in said.patterns.words_of("pronouns")


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
