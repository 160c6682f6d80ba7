"""The words of a question, and which of them say something that is known."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from ..names.matching import words
from ..nlu.phrase_patterns import PhrasePatterns, patterns_of
from ..nlu.tokenizer import Text, TokenSequence
from ..nlu.tokens import fold_punctuation, tokenize
from .question import tokens_in

_ABOUT_NOTHING = ("is",)
_SHORTEST: Final = 5
"""Letters of a word with which a compound begins."""


class TokenConsumer:
    """A question's words: of each list of a language's, which of them are its phrases.

    A word may be in several lists; what is left is in none of those that were asked for.
    """

    def __init__(self, text: Text, known: PhrasePatterns) -> None:
        """Take the text, and the templates of its language."""
        self._known = known
        self._line = TokenSequence.of(text, known.numbers)
        self._taken = {index for index, token in enumerate(self._line.tokens) if token.is_mark}
        self._taken |= tokens_in(self._line, known.questions.get("around", ()))
        for name in _ABOUT_NOTHING:
            self._taken |= tokens_in(self._line, known.conditions.get(name, ()))

    def says(self, *lists: str) -> bool:
        """Return True if a phrase of one of some lists is said, and take all of theirs."""
        found = [self._tokens(name) for name in lists]
        self._taken = self._taken.union(*found)
        return any(found)

    @property
    def left(self) -> Sequence[str]:
        """The words that nothing has taken, but for those that say nothing."""
        tokens = self._line.tokens
        left = (tokens[index].text for index in range(len(tokens)) if index not in self._taken)
        fillers = self._known.language.function_words
        return [word for text in left if text not in fillers for word in words(text)]

    @property
    def subject(self) -> Text:
        """The same as they were spoken, with those that say nothing."""
        everything = range(len(self._line.tokens))
        return self._line.surface(index for index in everything if index not in self._taken)

    def _tokens(self, name: str) -> set[int]:
        for table in (
            self._known.questions,
            self._known.past,
            self._known.quantities,
            self._known.conditions,
            self._known.state_phrases,
        ):
            if name in table:
                return tokens_in(self._line, table[name])
        return set()


def are_all_in(some: Iterable[str], known: Iterable[str]) -> bool:
    """Return True if there are words, and all of them are known."""
    found = [*some]
    return bool(found) and set(found) <= set(known)


@lru_cache(512)
def is_of_thing(name: str, area: str, code: str) -> bool:
    """Return True if what measures is called as in a thing that is colder or hotter than the room: a fridge.

    Args:
        name: what it is called, maybe in one word: "Kühlschranktemperatur".
        area: where it is. A sauna that is a room of its own is none.
        code: the language's code as `languages` has it.
    """
    own = [token.text for token in tokenize(fold_punctuation(area))]
    said = [token.text for token in tokenize(fold_punctuation(name))]
    for first in range(len(said) - len(own) + 1) if own else ():
        if said[first : first + len(own)] == own:
            del said[first : first + len(own)]
            break
    parts = (text[:end] for text in said for end in range(_SHORTEST, len(text)))
    texts = (" ".join(said), *parts)
    return any(
        TokenConsumer(Text(text, code), patterns_of(code)).says("not_of_rooms") for text in texts
    )


def is_room(subject: Text, known: PhrasePatterns) -> bool:
    """Return True if words are those for rooms, and name none of them."""
    said = TokenConsumer(subject, known)
    return said.says("rooms") and not said.left
