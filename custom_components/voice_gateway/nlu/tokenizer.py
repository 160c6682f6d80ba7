"""The tokenizer: a text with its language and its tokens, in which patterns are looked for."""

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
import re
from typing import Any, Self
import unicodedata

from ..languages import Language, language_of
from .phrase_pattern import PhrasePattern, words_in

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
_ENDS = " ,.;:!?¿¡-–—"
"""Marks that belong to no part of a text at its ends."""
_HYPHEN = re.compile(r"(?<=\w)[-\u2010\u2011](?=\w)")
_APOSTROPHES = re.compile("[\u2019\u02bc]")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”“]*[”“]|„[^“”]*[“”]|«[^»]*»|»[^«]*«")
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


class Text(str):
    """What somebody said or wrote, or a part of it, with its language; tokenized at most once.

    It compares and hashes as the string that it is. A part has the tokens of its whole.
    """

    __slots__ = ("__dict__",)

    code: str
    """The code of the language as `languages` has it; empty for an unknown language."""
    source: str
    """The whole text in Unicode's form NFC, which the tokens' offsets refer to."""

    def __new__(cls, text: str, language: str | None) -> Self:
        """Take a text, and the code of its language."""
        self = super().__new__(cls, text)
        self.code = language_of(language).code
        self.source = unicodedata.normalize("NFC", text)
        return self

    def __reduce__(self) -> tuple[type[Text], tuple[str, str]]:
        """Return what a copy is made of: the text and its language."""
        return Text, (str(self), self.code)

    @cached_property
    def tokens(self) -> Sequence[Token]:
        """The words, numbers and punctuation marks."""
        return tokenize(fold_punctuation(self.source))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words in lower case, without accents."""
        return folded_words(self.source, self.tokens)

    @property
    def language(self) -> Language:
        """The words of its language."""
        return language_of(self.code)

    def alike(self, text: str) -> Text:
        """Return another text in the same language; one that stands in this one shares its tokens."""
        first = self.source.find(text) if text else -1
        found = self.part(text, [(first, first + len(text))]) if first >= 0 else None
        said = "".join(self.source[each.start : each.end] for each in found.tokens) if found else ""
        is_shared = found is not None and said == "".join(text.split()).strip(_ENDS)
        return found if found is not None and is_shared else Text(text, self.code)

    def part(self, text: str, spans: Iterable[tuple[int, int]]) -> Text:
        """Return a part of the text, as it is written, that stands between some offsets of `source`."""
        found = Text(text, self.code)
        found.source = self.source
        inside = (t for first, end in spans for t in self.tokens if first <= t.start < end)
        found.__dict__["tokens"] = _stripped([*inside])
        return found


NOTHING = Text("", None)
"""No text."""


def joined(texts: Sequence[Text]) -> Text:
    """Return texts one after the other, with a space between them."""
    match texts:
        case [only]:
            return only
        case [first, *_]:
            return first.alike(" ".join(texts))
    return NOTHING


def _stripped(tokens: Sequence[Token]) -> Sequence[Token]:
    """Return tokens without the punctuation marks at both ends."""
    said = [index for index, token in enumerate(tokens) if token.text not in _ENDS]
    return tokens[said[0] : said[-1] + 1] if said else ()


def folded_words(source: str, tokens: Iterable[Token]) -> tuple[str, ...]:
    """Return the words of some tokens of a text in lower case, without accents."""
    found: list[str] = []
    end = -1
    for token in tokens:
        folded = unicodedata.normalize("NFKD", source[token.start : token.end].casefold())
        pieces = _WORD.findall("".join(c for c in folded if not unicodedata.combining(c)))
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


def without_quotes(text: Text) -> list[Token]:
    """Return the tokens of a text with a name in the place of what is quoted, unless all of it is."""
    tokens = text.tokens
    length = tokens[-1].end - tokens[0].start if tokens else 0
    quotes = deque(match.span() for match in _QUOTED.finditer(text.source))
    found: list[Token] = []
    for token in tokens:
        while quotes and quotes[0][1] <= token.start:
            quotes.popleft()
        inside = quotes and quotes[0][0] <= token.start
        if not inside or quotes[0][1] - quotes[0][0] == length:
            found.append(token)
        elif token.start == quotes[0][0]:
            found.append(Token(NAME, *quotes[0]))
    return found


class TokenSequence:
    """A sentence's tokens, and their texts between spaces, in which patterns are looked for."""

    def __init__(self, text: Text, tokens: Sequence[Token]) -> None:
        """Take a sentence and its tokens."""
        self.source = text
        self.tokens = tokens
        self._set()

    @classmethod
    def of(cls, text: Text, numbers: PhraseTrie | None = None) -> Self:
        """Return the tokens of a text; with `numbers`, numbers in words are digits."""
        return cls(text, with_numbers(text.tokens, numbers) if numbers else text.tokens)

    def _set(self) -> None:
        self.text = f" {' '.join(token.text for token in self.tokens)} "
        self._words = words_in(self.text)
        self._starts: list[int] = []
        position = 1
        for token in self.tokens:
            self._starts.append(position)
            position += len(token.text) + 1

    def find(self, pattern: PhrasePattern, group: int | str = 0) -> Iterator[tuple[int, int]]:
        """Iterate over the first token of each place where a pattern is, and the one after its last."""
        if pattern.words is not None and pattern.words.isdisjoint(self._words):
            return iter(())
        spans = [match.span(group) for match in pattern.finditer(self.text)]
        at = self._starts
        return iter([(bisect_left(at, f), bisect_left(at, e)) for f, e in spans if f < e])

    def covered(self, patterns: Iterable[PhrasePattern]) -> set[int]:
        """Return the tokens of all places where one of some patterns is."""
        return {index for each in patterns for span in self.find(each) for index in range(*span)}

    def end_of(self, pattern: PhrasePattern, first: int) -> int:
        """Return the token after a pattern that begins at a token; 0 where none does."""
        if first >= len(self.tokens) or not (
            found := pattern.match(self.text, self._starts[first])
        ):
            return 0
        return bisect_left(self._starts, found.end()) if found.end() > found.start() else 0

    def is_whole(self, pattern: PhrasePattern, first: int, end: int) -> tuple[int, int] | None:
        """Return the tokens of a pattern's group "any" where it is all of a stretch; None where not.

        Without such a group these are none.
        """
        if first >= end:
            return None
        begin = self._starts[first] - 1
        last = self._starts[end - 1] + len(self.tokens[end - 1].text) + 1
        if (match := pattern.fullmatch(self.text[begin:last])) is None:
            return None
        inside = match.span("any") if match.groupdict().get("any") else (last, last)
        return (
            bisect_left(self._starts, begin + inside[0]),
            bisect_left(self._starts, begin + inside[1]),
        )

    def hide(self, first: int, end: int) -> None:
        """Make some tokens a name."""
        hidden = Token(NAME, self.tokens[first].start, self.tokens[end - 1].end)
        self.tokens = [*self.tokens[:first], hidden, *self.tokens[end:]]
        self._set()

    def drop(self, first: int, end: int) -> None:
        """Leave some tokens out."""
        self.tokens = [*self.tokens[:first], *self.tokens[end:]]
        self._set()

    def normalized(self, first: int, end: int) -> str:
        """Return the texts of some tokens, each between spaces."""
        return f" {' '.join(token.text for token in self.tokens[first:end])} "

    def normalized_of(self, tokens: Iterable[int]) -> str:
        """Return the texts of tokens, more than a space between those that are none together."""
        text = ""
        after: int | None = None
        for index in tokens:
            gap = "" if index == after else " "
            text += f"{gap}{self.tokens[index].text} "
            after = index + 1
        return f" {text} "

    def surface(self, tokens: Iterable[int]) -> Text:
        """Return the part of the sentence that some tokens are, in their order, as it was written."""
        source = self.source.source
        written, spans = "", list[tuple[int, int]]()
        last: int | None = None
        for index in tokens:
            token = self.tokens[index]
            if last is not None:
                gap = source[self.tokens[last].end : token.start]
                is_next = last == index - 1 and not any(map(str.isalnum, gap))
                written += gap if is_next else " "
            written += source[token.start : token.end]
            spans.append((token.start, token.end))
            last = index
        return self.source.part(" ".join(written.split()).strip(_ENDS), spans)


def with_numbers(tokens: Sequence[Token], numbers: PhraseTrie) -> list[Token]:
    """Return the tokens with the words of numbers as digits."""
    return numbers.replace(tokens, lambda _: False)


def names_trie(names: Mapping[tuple[str, ...], str]) -> PhraseTrie:
    """Return what finds names, of which each has what stands for it."""
    tree = PhraseTrie()
    for words, value in names.items():
        tree.add(words, value)
    return tree
