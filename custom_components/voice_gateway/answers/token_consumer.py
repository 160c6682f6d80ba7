"""Match the words of a question with the lists of phrases of a language."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from ..names.matching import words
from ..nlu.tokenizer import Text, TokenSequence
from ..nlu.tokens import PhrasePattern

_TABLES: Final = ("questions", "past", "quantities", "conditions", "state_phrases")
"""The tables of `languages/` in which a list is looked up, in order."""
_SHORTEST: Final = 5
"""Minimum letters of a compound's first part."""


class TokenConsumer:
    """Matches and consumes the phrases of lists in a question's words.

    A word may be in several lists; the rest is in none of the requested ones. A list is named as in
    `_TABLES`, or with its table: "past.when". Tokens are represented by their indices in `line`:
    `whole` has all of them, `marks` those that are not words.
    """

    def __init__(self, text: Text) -> None:
        """Take the text."""
        self.text = text
        self.line = TokenSequence.of(text, text.patterns.numbers)
        self.whole = {*range(len(self.line.tokens))}
        self.marks = {each for each in self.whole if self.line.tokens[each].is_mark}
        self._taken = self.marks | self.tokens("around", "exists", "conditions.is")

    def says(self, *lists: str) -> bool:
        """Return True if a phrase of any of the lists occurs; consume all of their phrases."""
        found = self.tokens(*lists)
        self._taken |= found
        return bool(found)

    def tokens(self, *lists: str) -> set[int]:
        """Return the tokens of the phrases of some lists, without consuming them."""
        return self.line.covered(each for name in lists for each in self._patterns(name))

    def names(self, table: str) -> Iterable[str]:
        """Return the lists of a table."""
        names: Mapping[str, object] = getattr(self.text.patterns, table)
        return names

    def matches(self, name: str) -> Iterator[tuple[set[int], set[int]]]:
        """Yield the tokens of each phrase of a list, and those of its group "any" separately."""
        for pattern in self._patterns(name):
            insides = self.line.find(pattern, "any") if pattern.has_group("any") else iter(())
            for span in self.line.find(pattern):
                inside = {*range(*next(insides, (0, 0)))}
                yield {*range(*span)} - inside, inside

    def places(self, name: str) -> Iterator[set[int]]:
        """Yield the tokens of each occurrence of a name, compared word by word."""
        texts = [token.text for token in self.line.tokens]
        own = [token.text for token in Text(name, self.text.code).tokens]
        for first in range(len(texts) - len(own) + 1):
            if texts[first : first + len(own)] == own:
                yield {*range(first, first + len(own))}

    def part(self, tokens: Iterable[int]) -> Text:
        """Return some tokens as spoken."""
        return self.line.surface(sorted(tokens))

    def without(self, *lists: str) -> Text:
        """Return the text without the phrases of some lists."""
        return self.part(self.whole - self.tokens(*lists))

    @property
    def left(self) -> Sequence[str]:
        """The words that are not consumed, without function words."""
        left = (self.line.tokens[index].text for index in sorted(self.whole - self._taken))
        fillers = self.text.language.function_words
        return [word for text in left if text not in fillers for word in words(text)]

    @property
    def subject(self) -> Text:
        """The same as spoken, with function words."""
        return self.part(self.whole - self._taken)

    def _patterns(self, name: str) -> Sequence[PhrasePattern]:
        table, _, own = name.rpartition(".")
        tables = (getattr(self.text.patterns, each) for each in ((table,) if table else _TABLES))
        return next((known[own] for known in tables if own in known), ())


@lru_cache(512)
def is_of_thing(name: str, area: str, code: str) -> bool:
    """Return True if a sensor's name refers to a thing that is colder or hotter than the room.

    Such a thing is a fridge, for example.

    Args:
        name: the sensor's name, possibly a compound: "Kühlschranktemperatur".
        area: the area's name, which is ignored: a sauna may be a room of its own.
        code: the language's code as in `languages`.
    """
    said = TokenConsumer(Text(name, code))
    rest = said.part(said.whole - next(said.places(area), set()))
    parts = (word.text[:end] for word in rest.tokens for end in range(_SHORTEST, len(word.text)))
    return any(TokenConsumer(Text(text, code)).says("not_of_rooms") for text in (rest, *parts))


def is_room(subject: Text) -> bool:
    """Return True if words refer to rooms in general, without a name."""
    said = TokenConsumer(subject)
    return said.says("rooms") and not said.left
