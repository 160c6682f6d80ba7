"""Tokens: the words, numbers and marks of a text, and the tries and patterns that match them."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
import re
from typing import Any
import unicodedata

from ..names.matching import MARKS, WORD, without_accents

NAME = "\ue000"
"""Stands for the name of a device or a place, or for a quotation."""
LIST = "\ue001"
"""Stands for a name that contains a word for a list."""

_TOKEN = re.compile(
    r"(?<!\w)[ap]\. ?m\b\.?"  # "a.m."
    r"|\d+(?:[.,:]\d+)*"
    rf"|(?:[^\W\d_]+[{MARKS}]*)+'?"
    r"|[^\w\s]|_+"
)
_HYPHEN = re.compile(r"(?<=\w)[-\u2010\u2011](?=\w)")
_APOSTROPHES = re.compile("[\u2019\u02bc]")
_TEMPLATE_WORD = re.compile(r"(?<=')(?=\w)|-")


@dataclass(frozen=True, slots=True)
class Token:
    """A folded word, number or mark, and its span in the text."""

    text: str
    start: int
    end: int

    @property
    def is_mark(self) -> bool:
        """Whether it is a punctuation mark or another sign."""
        return not self.text[0].isalnum() and self.text not in (NAME, LIST)


def fold(text: str) -> str:
    """Return a text in lower case, without accents."""
    return without_accents(text.casefold())


def folded_words(source: str, tokens: Iterable[Token]) -> tuple[str, ...]:
    """Return the words of some tokens of a text in lower case, without accents."""
    found: list[str] = []
    end = -1
    for token in tokens:
        pieces = WORD.findall(fold(source[token.start : token.end]))
        # "bedroom2" is one word, and so is "Z-Wave".
        gap = source[max(end - 1, 0) : token.start + 1] if end >= 0 else " "
        is_one_word = gap.isalnum() or (gap.casefold() == "z-w" and found[-1:] == ["z"])
        if pieces and found and is_one_word:
            found[-1] += pieces.pop(0)
        found += pieces
        end = token.end
    return tuple(found)


class PhraseTrie:
    """Replaces sequences of words, the longest first, in time linear in the sentence."""

    def __init__(self) -> None:
        """Create an empty trie."""
        self._root: dict[str, Any] = {}

    def add(self, words: Iterable[str], value: str) -> None:
        """Add a sequence with the value that replaces it; the first of two stays."""
        node = self._root
        for word in words:
            node = node.setdefault(word, {})
        node.setdefault("", value)

    def replace(
        self, tokens: Sequence[Token], skipped: Callable[[int], bool] = lambda _: False
    ) -> list[Token]:
        """Return the tokens with a value in the place of each sequence.

        Tokens for whose index `skipped` is true may stand between the words of a sequence.
        """
        found: list[Token] = []
        at = 0
        while at < len(tokens):
            value, end = self._at(tokens, at, skipped)
            if value:
                found.append(Token(value, tokens[at].start, tokens[end - 1].end))
                at = end
            else:
                found.append(tokens[at])
                at += 1
        return found

    def _at(
        self, tokens: Sequence[Token], first: int, skipped: Callable[[int], bool]
    ) -> tuple[str, int]:
        node, value, end = self._root, "", first
        for index in range(first, len(tokens)):
            if (below := node.get(tokens[index].text)) is not None:
                node = below
                if own := node.get(""):
                    value, end = own, index + 1
            elif index == first or not skipped(index):
                break
        return value, end


def fold_punctuation(text: str) -> str:
    """Return a text of the same length with uniform apostrophes, and spaces for hyphens."""
    return _HYPHEN.sub(" ", _APOSTROPHES.sub("'", text))


def normalize_template(text: str) -> str:
    """Return a template with its words split like those of a sentence: "o'clock" is two."""
    return _TEMPLATE_WORD.sub(" ", fold_punctuation(unicodedata.normalize("NFC", text)).casefold())


def tokenize(text: str) -> list[Token]:
    """Return the tokens of a text that `fold_punctuation` has returned."""
    return [Token(_word(match[0]), match.start(), match.end()) for match in _TOKEN.finditer(text)]


def _word(said: str) -> str:
    word = unicodedata.normalize("NFC", said.casefold())
    if word[1:2] == "." and word[0].isalpha():  # "a.m."
        return f"{word[0]}m"
    return " " if word in (NAME, LIST) else word


DIGIT = "0"
"""Stands for any word with a digit among the words of a text."""
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Phrase:
    """The source of a regular expression, and words, at least one of which is in each match."""

    source: str
    words: frozenset[str] | None
    """None if no word is obligatory."""


class PhrasePattern:
    """Matches as `(?:phrase|phrase|...)` does, the phrases in their order, between two assertions.

    Each phrase is compiled for the first text with one of its obligatory words. Of several phrases,
    none matches the empty string.
    """

    def __init__(self, phrases: Collection[Phrase], before: str, after: str) -> None:
        """Take the phrases, and the sources of the assertions before and after them."""
        self.sources = [f"{before}{phrase.source}{after}" for phrase in phrases]
        self._compiled: dict[int, re.Pattern[str]] = {}
        self._by_word: dict[str, list[int]] = {}
        self._always = [index for index, phrase in enumerate(phrases) if phrase.words is None]
        for index, phrase in enumerate(phrases):
            for word in phrase.words or ():
                self._by_word.setdefault(word, []).append(index)
        self.words = None if self._always else frozenset(self._by_word)
        """Words, at least one of which is in each matching text; None if none is obligatory."""

    def has_group(self, name: str) -> bool:
        """Return True if a phrase has a group of a name."""
        return any(f"(?P<{name}>" in source for source in self.sources)

    def search(self, text: str) -> re.Match[str] | None:
        """Return the first match in a text."""
        return next(self.finditer(text), None)

    def match(self, text: str, at: int) -> re.Match[str] | None:
        """Return the match that begins at an offset."""
        return _first(pattern.match(text, at) for pattern in self._candidates(text))

    def longest_match(self, text: str, at: int) -> re.Match[str] | None:
        """Return the longest match of a phrase that begins at an offset."""
        found = filter(None, (each.match(text, at) for each in self._candidates(text)))
        return max(found, key=re.Match.end, default=None)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Return the match of a whole text."""
        return _first(pattern.fullmatch(text) for pattern in self._candidates(text))

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Iterate over the non-overlapping matches in a text."""
        candidates = self._candidates(text)
        if len(candidates) > 1:
            return _merged(candidates, text)
        return candidates[0].finditer(text) if candidates else iter(())

    def _candidates(self, text: str) -> Sequence[re.Pattern[str]]:
        """Return the expressions of the phrases that may match a text, in their order."""
        said = words_in(text)
        if self.words is not None and self.words.isdisjoint(said):
            return ()
        if len(self.sources) == 1:
            return (self._compile(0),)
        found = {index for word in said for index in self._by_word.get(word, ())}
        return [self._compile(index) for index in sorted(found.union(self._always))]

    def _compile(self, index: int) -> re.Pattern[str]:
        if (compiled := self._compiled.get(index)) is None:
            compiled = self._compiled[index] = re.compile(self.sources[index])
        return compiled


class PatternIndex:
    """The patterns of some tables, indexed by their obligatory words."""

    def __init__(self, *tables: Mapping[str, Sequence[PhrasePattern]]) -> None:
        """Take the tables: patterns by name."""
        self._patterns = [
            (name, pattern)
            for table in tables
            for name, patterns in table.items()
            for pattern in patterns
        ]
        self._always = [at for at, (_, each) in enumerate(self._patterns) if each.words is None]
        self._by_word: dict[str, list[int]] = {}
        for at, (_, pattern) in enumerate(self._patterns):
            for word in pattern.words or ():
                self._by_word.setdefault(word, []).append(at)

    def among(self, said: Iterable[str]) -> Iterator[tuple[str, PhrasePattern]]:
        """Return an iterator over the patterns that may match a text of some words, with names."""
        places = {at for word in said for at in self._by_word.get(word, ())}
        return (self._patterns[at] for at in sorted(places.union(self._always)))


@lru_cache(256)
def words_in(text: str) -> frozenset[str]:
    """Return the words of a text between spaces, with `DIGIT` if one has a digit."""
    return frozenset((*text.split(" "), *(DIGIT for _ in _DIGIT.findall(text)[:1])))


def _merged(patterns: Sequence[re.Pattern[str]], text: str) -> Iterator[re.Match[str]]:
    at = 0
    while found := [match for each in patterns if (match := each.search(text, at))]:
        first = min(found, key=re.Match.start)  # of several matches, the phrase listed first
        yield first
        at = max(first.end(), first.start() + 1)


def _first(found: Iterable[re.Match[str] | None]) -> re.Match[str] | None:
    return next(filter(None, found), None)
