"""Tokens: the words, numbers and marks of a text, and sequences of words that are looked for in them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
import re
from typing import Any
import unicodedata

NAME = "\ue000"
"""Stands for the name of a device or a place, or for quoted text."""
LIST = "\ue001"
"""Stands for the name of something that has the word for a list in it."""

_TOKEN = re.compile(
    r"(?<!\w)[ap]\. ?m\b\.?"  # "a.m."
    r"|\d+(?:[.,:]\d+)*"
    r"|[^\W\d_]+'?"
    r"|[^\w\s]|_+"
)
_WORD = re.compile(r"[^\W_]+")
_HYPHEN = re.compile(r"(?<=\w)[-\u2010\u2011](?=\w)")
_APOSTROPHES = re.compile("[\u2019\u02bc]")
_TEMPLATE_WORD = re.compile(r"(?<=')(?=\w)|-")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number or a mark, as it is compared, and where it stands in the text."""

    text: str
    start: int
    end: int

    @property
    def is_mark(self) -> bool:
        """Whether it is a punctuation mark or another sign."""
        return not self.text[0].isalnum() and self.text not in (NAME, LIST)


def fold(text: str) -> str:
    """Return a text in lower case, without accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(each for each in plain if not unicodedata.combining(each))


def folded_words(source: str, tokens: Iterable[Token]) -> tuple[str, ...]:
    """Return the words of some tokens of a text in lower case, without accents."""
    found: list[str] = []
    end = -1
    for token in tokens:
        pieces = _WORD.findall(fold(source[token.start : token.end]))
        # "bedroom2" is one word; so is "Z-Wave".
        gap = source[max(end - 1, 0) : token.start + 1] if end >= 0 else " "
        is_one_word = gap.isalnum() or (gap.casefold() == "z-w" and found[-1:] == ["z"])
        if pieces and found and is_one_word:
            found[-1] += pieces.pop(0)
        found += pieces
        end = token.end
    return tuple(found)


class PhraseTrie:
    """Finds sequences of words, the longest first, in time linear in the sentence."""

    def __init__(self) -> None:
        """Begin without any."""
        self._root: dict[str, Any] = {}

    def add(self, words: Iterable[str], value: str) -> None:
        """Add a sequence, which is to be found as a value; the first of two stays."""
        node = self._root
        for word in words:
            node = node.setdefault(word, {})
        node.setdefault("", value)

    def replace(self, tokens: Sequence[Token], skipped: Callable[[int], bool]) -> list[Token]:
        """Return the tokens with a value in the place of each sequence.

        Tokens for whose index `skipped` holds may stand between the words of a sequence.
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
    """Return a text as its words are compared, as long as it was: apostrophes and hyphens alike."""
    return _HYPHEN.sub(" ", _APOSTROPHES.sub("'", text))


def normalize_template(text: str) -> str:
    """Return a template with its words as those of a sentence: "o'clock" are two of them."""
    return _TEMPLATE_WORD.sub(" ", fold_punctuation(unicodedata.normalize("NFC", text)).casefold())


def tokenize(text: str) -> list[Token]:
    """Return the words of a text that `fold_punctuation` has returned."""
    return [Token(_word(match[0]), match.start(), match.end()) for match in _TOKEN.finditer(text)]


def _word(said: str) -> str:
    word = unicodedata.normalize("NFC", said.casefold())
    if word[1:2] == ".":  # "a.m."
        return f"{word[0]}m"
    return " " if word in (NAME, LIST) else word


def with_numbers(tokens: Sequence[Token], numbers: PhraseTrie) -> list[Token]:
    """Return the tokens with the words of numbers as digits."""
    return numbers.replace(tokens, lambda _: False)


def names_trie(names: Mapping[tuple[str, ...], str]) -> PhraseTrie:
    """Return what finds names, of which each has what stands for it."""
    tree = PhraseTrie()
    for words, value in names.items():
        tree.add(words, value)
    return tree
