"""A sentence that is all of one thing, but for polite words around it."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

from .parser import LONGEST
from .phrase_pattern import PhrasePattern
from .phrase_patterns import patterns_of
from .tokenizer import NOTHING, Text, TokenSequence

_POLITE: Final = 3
"""Words of a polite phrase at the end."""
_OPENING: Final = ("polite", "requests", "wishes")
"""Forms that may stand before what is wanted."""


class FullSentenceMatcher:
    """A sentence of a language that has words for what is asked of us, else nothing is read in it."""

    def __init__(self, text: Text) -> None:
        """Take what was said, and the code of its language."""
        known = text.language
        self._code = known.code
        self._is_read = bool(known.plans) and len(text) <= LONGEST
        if not self._is_read:
            return
        self._known = patterns_of(known.code)
        self._line = TokenSequence.of(text, self._known.numbers)
        self._end = self._without_marks(len(self._line.tokens))

    def begins(self, form: str) -> bool:
        """Return True if it begins with a phrase of one of the language's forms, after polite words."""
        return self._is_read and any(
            self._line.end_of(pattern, begin)
            for begin in self._beginnings
            for pattern in self._known.forms.get(form, ())
        )

    def _whole(self, patterns: Iterable[PhrasePattern]) -> Text | None:
        """Return the words that a pattern leaves open which is all of the sentence; None where none is."""
        listed = [*patterns]
        for first in self._beginnings:
            for pattern in listed:
                for end in {self._end: None, self._polite_end: None}:
                    if (rest := self._line.is_whole(pattern, first, end)) is not None:
                        return self._said(*rest)
        return None

    @cached_property
    def _beginnings(self) -> Sequence[int]:
        """Where what is wanted may begin: at the beginning, and after each polite word."""
        begins = [self._after_marks(0)]
        for begin in begins:
            for name in _OPENING:
                for pattern in self._known.forms.get(name, ()):
                    if end := self._line.end_of(pattern, begin):
                        begins += {end, self._after_marks(end)} - {*begins}
        return begins

    @cached_property
    def _polite_end(self) -> int:
        """Where the sentence ends without a polite word at its end."""
        for first in range(max(1, self._end - _POLITE), self._end):
            for pattern in self._known.forms.get("polite", ()):
                if self._line.end_of(pattern, first) == self._end:
                    return self._without_marks(first)
        return self._end

    @property
    def without_polite_end(self) -> Text:
        """Its words without a polite one at its end."""
        return self._said(0, self._polite_end) if self._is_read else NOTHING

    def _said(self, first: int, end: int) -> Text:
        return self._line.surface(range(first, end))

    def _without_marks(self, end: int) -> int:
        while end and self._line.tokens[end - 1].is_mark:
            end -= 1
        return end

    def _after_marks(self, first: int) -> int:
        while first < self._end and self._line.tokens[first].is_mark:
            first += 1
        return first
