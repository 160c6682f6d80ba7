"""What a model says that it has done, by its words alone: "I've turned on the lamp", "Turning it on".

That it is a claim has to be certain, since talk is spoken as it is: it begins as somebody speaks who
does something, and names something of the home; or is nothing but the words of a confirmation.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
import re
from typing import Final

from ..home.exposed import Home
from ..languages import language_of
from ..names.inflection import is_like_any
from ..names.matching import words
from ..nlu.phrase_patterns import patterns_of
from ..nlu.tokenizer import Text, TokenSequence

LONGEST: Final = 400
"""Characters of a sentence that is looked at; claims are short."""
_TELLING: Final = 4
"""Letters of a name's word that is no coincidence."""
SENTENCE_END: Final = re.compile(r"(?<=[.!?…。！？।؟])\s+|\n+")


class ClaimDetector:
    """Tells which sentences claim that something was done in a home, in one language.

    Of a language without these words, none does.
    """

    def __init__(self, language: str, home: Home) -> None:
        """Take the language that was spoken, and what is exposed."""
        self._language = language_of(language)
        self._known = patterns_of(self._language.code)
        self._home = home

    @property
    def is_known(self) -> bool:
        """Whether the language has words for claims."""
        return bool(self._language.claims)

    def says_nothing(self, sentence: str) -> bool:
        """Return True if it depends on what follows what a sentence says: "Sure!", "Done!"."""
        line = self._line(sentence)
        return not self._left(line, self._leads(line) | self._tokens(line, "done"))

    def in_sentence(self, sentence: str, *, was_read: bool, was_done: bool) -> bool:
        """Return True if a sentence claims a deed of this moment.

        Args:
            sentence: one of an answer.
            was_read: it may truly tell how something is.
            was_done: it may truly tell of what was done earlier.
        """
        line = self._line(sentence)
        if any(token.text in "?？" for token in line.tokens):
            return False
        leads = self._leads(line)
        begin = next((i for i in range(len(line.tokens)) if i not in leads), len(line.tokens))
        if begin == len(line.tokens):
            return False
        if self._begins(line, begin, "doing"):
            return self._only_confirms(line, leads, may_name=True)
        if was_done:
            return False
        if self._begins(line, begin, "perfect"):
            return self._names_something(line)
        if was_read:
            return False
        if self._tokens(line, "passive"):
            return self._names_something(line)
        return bool(self._tokens(line, "confirmed")) and self._only_confirms(
            line, leads, may_name=False
        )

    def is_done(self, text: str) -> bool:
        """Return True if a whole answer says that it is done, and no more: "Okay, done!"."""
        line = self._line(text)
        done = self._tokens(line, "done")
        return bool(done) and not self._left(line, done | self._leads(line))

    def _line(self, text: str) -> TokenSequence:
        said = Text(text[:LONGEST], self._language.code)
        return TokenSequence.of(said, self._known.numbers)

    def _tokens(self, line: TokenSequence, name: str) -> set[int]:
        patterns = self._known.claims.get(name, ())
        return {i for pattern in patterns for span in line.find(pattern) for i in range(*span)}

    def _begins(self, line: TokenSequence, begin: int, name: str) -> bool:
        patterns = self._known.claims.get(name, ())
        spans = (span for pattern in patterns for span in line.find(pattern))
        return any(first <= begin < end for first, end in spans)

    def _leads(self, line: TokenSequence) -> set[int]:
        """Return the tokens with which an answer begins before it says something, and all marks."""
        found = {i for i, token in enumerate(line.tokens) if token.is_mark}
        listed = (self._known.replies.get("yes", ()), self._known.replies.get("beside", ()))
        polite = self._known.forms.get("polite", ())
        for pattern in (*listed[0], *listed[1], *polite, *self._known.claims.get("lead", ())):
            found |= {i for span in line.find(pattern) for i in range(*span)}
        begin = next((i for i in range(len(line.tokens)) if i not in found), len(line.tokens))
        return {i for i in found if i < begin or line.tokens[i].is_mark}

    @staticmethod
    def _left(line: TokenSequence, taken: Iterable[int]) -> Sequence[str]:
        gone = {*taken}
        return [token.text for i, token in enumerate(line.tokens) if i not in gone]

    def _only_confirms(self, line: TokenSequence, leads: Iterable[int], *, may_name: bool) -> bool:
        """Return True if nothing is said besides a deed and what it is done to.

        `may_name`: a word that is written as a name may be one of what is not there.
        """
        said = (self._tokens(line, name) for name in ("doing", "confirmed", "beside"))
        taken = {*leads}.union(*said)
        left = [
            (word, line.source.source[token.start].isupper())
            for i, token in enumerate(line.tokens)
            if i not in taken
            for word in words(token.text)
            if not (word in self._empty or word.isdecimal())
        ]
        known = [word in self._things or is_like_any(word, self._names) for word, _ in left]
        named = [may_name and is_name for _, is_name in left]
        return any(known) and all(a or b for a, b in zip(known, named, strict=True))

    def _names_something(self, line: TokenSequence) -> bool:
        said = [word for token in line.tokens for word in words(token.text)]
        return any(
            word in self._things or (len(word) >= _TELLING and is_like_any(word, self._names))
            for word in said
            if word not in self._empty
        )

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(word for name in self._home.names for word in words(name)) - self._empty

    @cached_property
    def _things(self) -> frozenset[str]:
        """The words for what devices are, and for what is set."""
        listed = [*self._known.category_words, *self._language.claims.get("things", ())]
        return frozenset(
            word for each in listed for text in each.split("|") for word in words(text)
        )

    @cached_property
    def _empty(self) -> frozenset[str]:
        language = self._language
        return (
            language.function_words
            | language.conjunctions
            | language.universal_quantifiers
            | language.percent
            | language.degrees
        )


def ends(text: str) -> Iterator[tuple[int, int]]:
    """Yield where sentences end in a text, and where the next ones begin."""
    return (match.span() for match in SENTENCE_END.finditer(text))
