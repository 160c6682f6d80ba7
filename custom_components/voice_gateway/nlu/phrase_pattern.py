"""A regular expression of phrases, of which only those are compiled that may be in a text."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
import re

DIGIT = "0"
"""Stands for any word with a digit among the words of a text."""
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Phrase:
    """The source of a regular expression, and the words of which each text that it matches has one."""

    source: str
    words: frozenset[str] | None
    """None where no word is obligatory."""


class PhrasePattern:
    """Matches as `(?:phrase|phrase|...)` does, the phrases in their order, between two assertions.

    Each phrase is compiled when the first text has one of its obligatory words. Of several phrases,
    none matches the empty string.
    """

    def __init__(self, phrases: Collection[Phrase], before: str, after: str) -> None:
        """Take the phrases, and the sources of what is asserted before and after them."""
        self.sources = [f"{before}{phrase.source}{after}" for phrase in phrases]
        self._compiled: dict[int, re.Pattern[str]] = {}
        self._by_word: dict[str, list[int]] = {}
        self._always = [index for index, phrase in enumerate(phrases) if phrase.words is None]
        for index, phrase in enumerate(phrases):
            for word in phrase.words or ():
                self._by_word.setdefault(word, []).append(index)
        self.words = None if self._always else frozenset(self._by_word)
        """The words of which a text that matches has one; None where no word is obligatory."""

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
        """Return the longest match of one of the phrases that begins at an offset."""
        found = filter(None, (each.match(text, at) for each in self._candidates(text)))
        return max(found, key=re.Match.end, default=None)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Return the match of a whole text."""
        return _first(pattern.fullmatch(text) for pattern in self._candidates(text))

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Iterate over the matches in a text that do not overlap."""
        candidates = self._candidates(text)
        if len(candidates) > 1:
            return _merged(candidates, text)
        return candidates[0].finditer(text) if candidates else iter(())

    def _candidates(self, text: str) -> Sequence[re.Pattern[str]]:
        """Return the expressions of the phrases that may be in a text, in their order."""
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


@lru_cache(256)
def words_in(text: str) -> frozenset[str]:
    """Return the words of a text between spaces, with `DIGIT` where one has a digit."""
    return frozenset((*text.split(" "), *(DIGIT for _ in _DIGIT.findall(text)[:1])))


def _merged(patterns: Sequence[re.Pattern[str]], text: str) -> Iterator[re.Match[str]]:
    at = 0
    while found := [match for each in patterns if (match := each.search(text, at))]:
        first = min(found, key=re.Match.start)  # where several begin, the phrase listed first
        yield first
        at = max(first.end(), first.start() + 1)


def _first(found: Iterable[re.Match[str] | None]) -> re.Match[str] | None:
    return next(filter(None, found), None)
