"""The words of a question, and which of them say something that is known."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from ..names.matching import words
from ..nlu.tokenizer import Text, TokenSequence
from ..nlu.tokens import PhrasePattern

_TABLES: Final = ("questions", "past", "quantities", "conditions", "state_phrases")
"""The tables of `languages/` in which a list is looked for, one after the other."""
_SHORTEST: Final = 5
"""Letters of a word with which a compound begins."""


class TokenConsumer:
    """A question's words: of each list of a language's, which of them are its phrases.

    A word may be in several lists; what is left is in none of those that were asked for. A list is
    named as in `_TABLES`, or with its table: "past.when". Tokens are told by their places in `line`:
    `whole` are all of them, `marks` those that are no words.
    """

    def __init__(self, text: Text) -> None:
        """Take the text."""
        self.text = text
        self.line = TokenSequence.of(text, text.patterns.numbers)
        self.whole = {*range(len(self.line.tokens))}
        self.marks = {each for each in self.whole if self.line.tokens[each].is_mark}
        self._taken = self.marks | self.tokens("around", "conditions.is")

    def says(self, *lists: str) -> bool:
        """Return True if a phrase of one of some lists is said, and take all of theirs."""
        found = self.tokens(*lists)
        self._taken |= found
        return bool(found)

    def tokens(self, *lists: str) -> set[int]:
        """Return the tokens of the phrases of some lists, which take nothing."""
        return self.line.covered(each for name in lists for each in self._patterns(name))

    def names(self, table: str) -> Iterable[str]:
        """Return the lists of a table."""
        names: Mapping[str, object] = getattr(self.text.patterns, table)
        return names

    def matches(self, name: str) -> Iterator[tuple[set[int], set[int]]]:
        """Yield the tokens of each phrase of a list, and apart those of its group "any"."""
        for pattern in self._patterns(name):
            insides = self.line.find(pattern, "any") if pattern.has_group("any") else iter(())
            for span in self.line.find(pattern):
                inside = {*range(*next(insides, (0, 0)))}
                yield {*range(*span)} - inside, inside

    def places(self, name: str) -> Iterator[set[int]]:
        """Yield the tokens of each place where a name is said, word by word."""
        texts = [token.text for token in self.line.tokens]
        own = [token.text for token in Text(name, self.text.code).tokens]
        for first in range(len(texts) - len(own) + 1):
            if texts[first : first + len(own)] == own:
                yield {*range(first, first + len(own))}

    def part(self, tokens: Iterable[int]) -> Text:
        """Return some tokens as they were spoken."""
        return self.line.surface(sorted(tokens))

    def without(self, *lists: str) -> Text:
        """Return the text without the phrases of some lists."""
        return self.part(self.whole - self.tokens(*lists))

    @property
    def left(self) -> Sequence[str]:
        """The words that nothing has taken, but for those that say nothing."""
        left = (self.line.tokens[index].text for index in sorted(self.whole - self._taken))
        fillers = self.text.language.function_words
        return [word for text in left if text not in fillers for word in words(text)]

    @property
    def subject(self) -> Text:
        """The same as they were spoken, with those that say nothing."""
        return self.part(self.whole - self._taken)

    def _patterns(self, name: str) -> Sequence[PhrasePattern]:
        table, _, own = name.rpartition(".")
        tables = (getattr(self.text.patterns, each) for each in ((table,) if table else _TABLES))
        return next((known[own] for known in tables if own in known), ())


@lru_cache(512)
def is_of_thing(name: str, area: str, code: str) -> bool:
    """Return True if what measures is called as in a thing that is colder or hotter than the room: a fridge.

    Args:
        name: what it is called, maybe in one word: "Kühlschranktemperatur".
        area: where it is. A sauna that is a room of its own is none.
        code: the language's code as `languages` has it.
    """
    said = TokenConsumer(Text(name, code))
    rest = said.part(said.whole - next(said.places(area), set()))
    parts = (word.text[:end] for word in rest.tokens for end in range(_SHORTEST, len(word.text)))
    return any(TokenConsumer(Text(text, code)).says("not_of_rooms") for text in (rest, *parts))


def is_room(subject: Text) -> bool:
    """Return True if words are those for rooms, and name none of them."""
    said = TokenConsumer(subject)
    return said.says("rooms") and not said.left
