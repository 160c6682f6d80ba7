"""Matches spoken names with named things.

People say a device's name, its room, both, a part of them, or its type ("the bedroom light"), and
speech recognition adds small mistakes. A match is either certain or has to be confirmed: a word
that matches nothing of a thing rules it out, so an unknown lamp is never the only lamp. The
function words ("the", "im", "dell'") depend on the language: `languages/`.
"""

from bisect import insort
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
import re
from typing import Protocol
import unicodedata

from ..languages import Language, language_of
from .inflection import is_negation

MARKS = "".join(c for c in map(chr, range(0x300, 0xE80)) if unicodedata.category(c)[0] == "M")
"""Marks on letters, without which no word of an Indic script or of Thai is whole."""
WORD = re.compile(rf"(?:[^\W_]+[{MARKS}]*)+")
# Words that models add to a name. Unlike a function word, one may come last.
_ADDED = frozenset(("device", "zwave"))
_BETWEEN_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\W]+")  # in an identifier
_APOSTROPHES = re.compile("[\u2019\u02bc]")  # as typesetters and some speech engines write them
_LONG_ENOUGH = 3  # letters of a word beside others that may be misspelled
_REMEMBERED = 1 << 15  # names, of each language: a home has thousands, and more aliases
_SENTENCES = 64  # sentences, likewise
_CODES = 64  # language codes, in all spellings
_NAME = 100  # letters of a name that is cached, or compared letter by letter
_SENTENCE = 4096  # letters of a sentence that is cached
LONGEST_NAME = 255  # letters, as in Home Assistant: no name is longer


class NamedThing(Protocol):
    """A thing that people refer to by name."""

    @property
    def name(self) -> str:
        """Its own name, never empty."""

    @property
    def location(self) -> str:
        """Its room, or an empty string."""

    @property
    def hints(self) -> str:
        """Other words for it: its type, the quantity that it measures, its number."""


def words_apart(name: str) -> str:
    """Return an identifier with spaces between its words: send_mail, sendMail."""
    return _BETWEEN_WORDS.sub(" ", name)


def is_spaceless(letter: str) -> bool:
    """Return True for a letter of a script without spaces: Chinese, Japanese, Korean, Thai, Lao."""
    is_wide = unicodedata.east_asian_width(letter) in "WF" or "\u0e00" <= letter <= "\u0eff"
    return is_wide and letter.isalnum()


def split_names(text: str, names: frozenset[str]) -> str:
    """Return a text with spaces around the names in it, the longest first, if its script has none.

    "寝室の照明をつけて" has no other boundaries between words.
    """
    if not any(map(is_spaceless, text)):
        return text
    known, lengths = _names_by_length(names)
    parts, at, begin = list[str](), 0, 0
    while at < len(text):
        ends = (at + each for each in lengths if text[at : at + each].casefold() in known)
        end = next((each for each in ends if _is_apart(text, at) and _is_apart(text, each)), None)
        if end:
            parts += [text[begin:at], text[at:end]]
            begin = end
        at = end or at + 1
    return " ".join(each for each in (*parts, text[begin:]) if each)


def _is_apart(text: str, at: int) -> bool:
    """Return True if a word of a text may end at a place, and another one begin."""
    around = text[max(at - 1, 0) : at + 1]
    return not (len(around) > 1 and around.isalnum()) or any(map(is_spaceless, around))


@lru_cache(8)
def _names_by_length(names: frozenset[str]) -> tuple[frozenset[str], Sequence[int]]:
    """Return the names of several letters, and their lengths, the longest first."""
    known = frozenset(each.casefold() for each in names if len(each) > 1)
    return known, sorted({*map(len, known)}, reverse=True)


def words(text: str) -> tuple[str, ...]:
    """Return a text's words in lower case, without accents."""
    return _remembered(text, _name_words, _sentence_words, _words)


def _words(text: str) -> tuple[str, ...]:
    return tuple(WORD.findall(without_accents(text.casefold().replace("z-wave", "zwave"))))


def without_accents(text: str) -> str:
    """Return a text without the marks that combine with letters; Korean syllables stay whole."""
    plain = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", "".join(c for c in plain if not unicodedata.combining(c)))


type _Read = Callable[[str], tuple[str, ...]]

_name_words = lru_cache(_REMEMBERED)(_words)
_sentence_words = lru_cache(_SENTENCES)(_words)


def _remembered(text: str, name: _Read, sentence: _Read, other: _Read) -> tuple[str, ...]:
    """Read a text through the cache for names or that for sentences, or uncached."""
    read = name if len(text) <= _NAME else sentence if len(text) <= _SENTENCE else other
    return read(text)


@lru_cache(_CODES)
def matcher(language: str | None) -> Matcher:
    """Return the matcher of a language, by its code: de, de-DE or de_DE.

    For an unknown language, only English function words are ignored.
    """
    return _matcher(language_of(language).code)


@lru_cache
def _matcher(code: str) -> Matcher:
    return Matcher(language_of(code))


class Matcher:
    """Matches names in one language or in English, which models often write.

    A function word is ignored only before another word: "the lamp in the office", not "Zone A".
    """

    def __init__(self, language: Language) -> None:
        """Take the language."""
        fillers = language.function_words | language_of("en").function_words
        whole = {filler for filler in fillers if filler.isalpha()}
        self.function_words = frozenset(word for filler in whole for word in words(filler))
        self._shortened = _any_of(fillers - whole)
        self._name_set = lru_cache(_REMEMBERED)(self._set)
        self._name_tokens = lru_cache(_REMEMBERED)(self._tokens)
        self._sentence_tokens = lru_cache(_SENTENCES)(self._tokens)

    def tokens(self, text: str) -> tuple[str, ...]:
        """Return a text's words without function words; () if it has none."""
        return _remembered(text, self._name_tokens, self._sentence_tokens, self._tokens)

    def _tokens(self, text: str) -> tuple[str, ...]:
        said = words(self._shortened.sub(" ", _APOSTROPHES.sub("'", text)))
        telling = [word for word in said if word not in _ADDED] or said
        return tuple(
            word
            for left, word in enumerate(reversed(telling))
            if not left or word not in self.function_words
        )[::-1]

    def word_set(self, name: str) -> frozenset[str]:
        """Return the words of a name as a set, without function words."""
        return self._name_set(name) if len(name) <= _NAME else self._set(name)

    def _set(self, name: str) -> frozenset[str]:
        return frozenset(self.tokens(name))

    def find[T: NamedThing](
        self, spoken: str, things: Sequence[T], *, mistakes: bool = True
    ) -> list[T]:
        """Return the best matches: one if it is certain, several if they fit equally."""
        said = self.tokens(spoken) if len(spoken) <= LONGEST_NAME else ()
        if not said:
            return []
        if (found := self._best(said, things)) or not mistakes:
            return found
        return self._best(self.correct_spelling(said, things), things) or self._run_together(
            said, things
        )

    def nearest[T: NamedThing](self, spoken: str, things: Iterable[T], count: int = 3) -> list[T]:
        """Return the things with the most similar names, best first.

        Things whose letters cannot beat `count` others are not compared.
        """
        said = "".join(self.tokens(spoken[:_NAME]))
        letters, listed = Counter(said), [*things]
        most = [self._most_alike(letters, thing) for thing in listed]
        found: list[tuple[float, int]] = []
        for index in sorted(range(len(listed)), key=most.__getitem__, reverse=True):
            if len(found) >= count and most[index] < -found[count - 1][0]:
                break
            insort(found, (-self._likeness(said, listed[index]), index))
        return [listed[index] for _, index in found[:count]]

    def correct_spelling[T: NamedThing](
        self, said: tuple[str, ...], things: Sequence[T]
    ) -> tuple[str, ...]:
        """Return the words with corrected spelling, if one known word is nearest."""
        texts = (text for thing in things for text in (thing.name, thing.location, thing.hints))
        return correct_spelling(said, {word for text in texts for word in self.tokens(text)})

    def _best[T: NamedThing](self, said: tuple[str, ...], things: Sequence[T]) -> list[T]:
        """Return the best matches by whole words."""
        tokens = self.tokens
        joined = "".join(said)
        if exact := [thing for thing in things if "".join(tokens(thing.name)) == joined]:
            return exact
        telling = frozenset(said)
        if telling <= self.function_words:
            # "Luz de pie" is not matched by "de".
            return []
        about = [
            (thing, frozenset(tokens(thing.name)), frozenset(tokens(thing.location)))
            for thing in things
            if telling.issubset((*words(thing.name), *words(thing.location), *words(thing.hints)))
        ]
        for fit in MATCH_LEVELS:
            if found := [(thing, name) for thing, name, room in about if fit(telling, name, room)]:
                # "Front door lock battery" is about the front door lock, not the front door.
                longest = max(len(name & telling) for _, name in found)
                return [thing for thing, name in found if len(name & telling) == longest]
        return []

    def _run_together[T: NamedThing](self, said: Collection[str], things: Iterable[T]) -> list[T]:
        """Return the things whose name, with or without room, is these words but for mistakes.

        A short word has to match exactly: the hall of "EG" is not that of "OG".
        """
        joined = "".join(said)
        called: dict[str, list[T]] = {}
        for thing in things:
            for text in self._written_together(thing):
                called.setdefault(text, []).append(thing)
        if any(len(word) < _LONG_ENOUGH for word in said):
            return called.get(joined, [])
        return called.get(nearest_word(joined, set(called)), [])

    def _most_alike(self, letters: Counter[str], thing: NamedThing) -> float:
        """Return an upper bound of `_likeness`, by the letters that both have."""
        return max(
            2.0
            * sum(min(number, text.count(letter)) for letter, number in letters.items())
            / length
            if (length := letters.total() + len(text))
            else 1.0
            for text in self._written_together(thing)
        )

    def _likeness(self, joined: str, thing: NamedThing) -> float:
        """Return the similarity of some words and a thing's name: 0 none, 1 equal."""
        return max(
            SequenceMatcher(None, joined, text).ratio() for text in self._written_together(thing)
        )

    def _written_together(self, thing: NamedThing) -> set[str]:
        name, room = "".join(self.tokens(thing.name)), "".join(self.tokens(thing.location))
        return {name, room + name, name + room}


type _Words = frozenset[str]
type _Fit = Callable[[_Words, _Words, _Words], bool]

# From the surest to the vaguest: the spoken words, the words of the name, those of the room. All
# spoken words are known to match the thing.
MATCH_LEVELS: tuple[_Fit, ...] = (
    lambda said, name, room: said == name | room,
    lambda said, name, room: name <= said and bool(room & said),
    lambda said, name, room: name <= said,
    lambda said, name, room: bool(name & said) and said <= name | room,
    lambda said, name, room: not said <= room,
    lambda said, name, room: True,
)


def _any_of(shortened: Collection[str]) -> re.Pattern[str]:
    """Return a pattern for words with an apostrophe: "l'" before a word, "'s" after one."""
    each = (
        f"{r'(?<!\w)' if one[0].isalpha() else ''}{re.escape(one)}"
        f"{r'(?!\w)' if one[-1].isalpha() else ''}"
        for one in sorted(shortened)
    )
    return re.compile("|".join(each), re.IGNORECASE)


def correct_spelling(said: Iterable[str], known: Collection[str]) -> tuple[str, ...]:
    """Return words with corrected spelling, if one known word is nearest."""
    return tuple(word if word in known else nearest_word(word, known) for word in said)


def nearest_word(word: str, known: Collection[str]) -> str:
    """Return the one known word that is nearest, or the word unchanged.

    One mistake in four to seven letters, two in longer ones, none in numbers: lamp 19 is not 29.
    """
    allowed = 0 if len(word) < 4 or not word.isalpha() else 1 if len(word) < 8 else 2
    if not allowed:
        return word
    letters = frozenset(word)
    distances = {
        other: _distance(word, other)
        for other in known
        if abs(len(other) - len(word)) <= allowed
        # Each mistake replaces one letter: most words have too many others.
        and len(letters.difference(other)) <= allowed
        and other.isalpha()
        and not is_negation(word, other)
    }
    best = min(distances.values(), default=allowed + 1)
    candidates = [other for other, distance in distances.items() if distance == best <= allowed]
    return candidates[0] if len(candidates) == 1 else word


def _distance(one: str, other: str) -> int:
    """Return the number of letters to change, add, drop or swap with their neighbour."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        before, above, row = row, before, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if above and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
    return row[-1]
