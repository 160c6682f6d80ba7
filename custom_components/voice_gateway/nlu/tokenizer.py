"""The tokenizer: texts with a language and tokens, and token sequences to search."""

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
import re
from typing import Any, Self
import unicodedata

from ..languages import Language, language_of
from ..names.matching import matcher
from .phrase_patterns import PhrasePatterns, patterns_of
from .tokens import (
    NAME,
    PatternIndex,
    PhrasePattern,
    PhraseTrie,
    Token,
    fold_punctuation,
    folded_words,
    tokenize,
    words_in,
)

_ENDS = " ,.;:!?¿¡-–—"
"""Marks that are stripped from the ends of a part of a text."""
_OPENING = ("polite", "requests", "wishes")
"""Forms that may precede a request."""
_NUMBER = re.compile(r"\d{1,9}(\.\d{1,9})?")
SPOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*%?")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”“]*[”“]|„[^“”]*[“”]|«[^»]*»|»[^«]*«")


class Text(str):
    """An utterance or another text, or a part of it, with its language; tokenized at most once.

    It compares and hashes as a string. A part shares the tokens of its whole.
    """

    __slots__ = ("__dict__",)

    code: str
    """The code of the language as in `languages`; empty for an unknown language."""
    source: str
    """The whole text in Unicode's form NFC; the tokens' offsets refer to it."""

    def __new__(cls, text: str, language: str | None) -> Self:
        """Take a text, and the code of its language."""
        self = super().__new__(cls, text)
        self.code = language_of(language).code
        self.source = unicodedata.normalize("NFC", text)
        return self

    def __reduce__(self) -> tuple[type[Text], tuple[str, str]]:
        """Return the arguments of a copy: the text and its language."""
        return Text, (str(self), self.code)

    @cached_property
    def tokens(self) -> Sequence[Token]:
        """The words, numbers and punctuation marks.

        A verb for a device has no clitic for the speaker: "apágame la luz".
        """
        found = tokenize(fold_punctuation(self.source))
        if not self.language.forms.get("to_speaker"):
            return found
        verb = self.patterns.verb_to_speaker
        return [replace(each, text=verb(each.text) or each.text) for each in found]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words in lower case, without accents."""
        return folded_words(self.source, self.tokens)

    @cached_property
    def spoken(self) -> tuple[str, ...]:
        """The words as written, with apostrophes and "%"."""
        return tuple(SPOKEN.findall(self))

    @cached_property
    def without_clitics(self) -> Text:
        """The text with verbs without clitics: "spegni" for "spegnila"."""
        stem = self.patterns.verb_stem
        said = [stem(word.casefold()) or word for word in self.spoken]
        return self if said == [*self.spoken] else self.alike(" ".join(said))

    @property
    def language(self) -> Language:
        """The phrases of its language."""
        return language_of(self.code)

    @property
    def function_words(self) -> frozenset[str]:
        """The function words of its language, folded as in `words`."""
        return matcher(self.code).function_words

    @property
    def halves(self) -> frozenset[str]:
        """The words of its language for a half: "halfway"."""
        return self.patterns.words_of("conditions.half") - self.function_words

    def layer[Layer](self, make: Callable[[Text], Layer]) -> Layer:
        """Return a component's analysis of it, made once."""
        layers: dict[object, Any] = self.__dict__.setdefault("_layers", {})
        if make not in layers:
            layers[make] = make(self)
        made: Layer = layers[make]
        return made

    @property
    def patterns(self) -> PhrasePatterns:
        """The patterns of its language."""
        return patterns_of(self.code)

    @cached_property
    def _folded(self) -> TokenSequence:
        return TokenSequence(self, [Token(word, 0, 0) for word in self.words])

    @cached_property
    def counted(self) -> Sequence[Token]:
        """The tokens with numbers in digits, and "%" for the words for it.

        "Cent" in "pour cent" and the like is no number.
        """
        percent = self.patterns.percent.finditer(fold_punctuation(self.source))
        units = {place for each in percent for place in range(*each.span())}
        bare = [replace(each, text="%") if each.start in units else each for each in self.tokens]
        found = self.patterns.numbers.replace(bare)
        pairs = zip(found, (None, *found), strict=False)
        return [
            each
            for each, before in pairs
            if before is None or (each.text, before.text) != ("%", "%")
        ]

    @cached_property
    def numbers(self) -> frozenset[float]:
        """The numbers in it, in digits or in words."""
        found = map(_number, self.counted)
        return frozenset(each for each in found if each is not None)

    def without_number(self, numbers: Collection[float]) -> Text:
        """Return it without its only number among these; else unchanged."""
        line = TokenSequence.of(self, self.patterns.numbers)
        match [at for at, each in enumerate(line.tokens) if _number(each) in numbers]:
            case [only]:
                return line.surface(at for at in range(len(line.tokens)) if at != only)
        return self

    def spans(self, *lists: str, gapped: bool = False) -> Iterator[tuple[int, int]]:
        """Yield the spans of the phrases of some lists, as indexes of `words`.

        Args:
            lists: names as in `PhrasePatterns.folded`.
            gapped: other words may stand between those of a phrase: "take it off".
        """
        for each in lists:
            yield from self._folded.find(self.patterns.folded(each, gapped=gapped))

    def says(self, *lists: str, gapped: bool = False) -> bool:
        """Return True if it contains a phrase of some lists; arguments as in `spans`."""
        return any(True for _ in self.spans(*lists, gapped=gapped))

    def says_only(self, *lists: str) -> bool:
        """Return True if it consists of a phrase of some lists."""
        return any(self.phrase_end(0, each) == len(self.words) > 0 for each in lists)

    def phrase_end(self, first: int, *lists: str) -> int:
        """Return the end in `words` of the longest phrase that begins at a word, or 0."""
        patterns = map(self.patterns.folded, lists)
        return max((self._folded.end_of(each, first, longest=True) for each in patterns), default=0)

    def begins(self, form: str) -> bool:
        """Return True if it begins with a phrase of a form, after polite words."""
        line = TokenSequence.of(self, self.patterns.numbers)
        patterns = self.patterns.forms.get(form, ())
        return any(line.end_of(each, first) for first in line.beginnings for each in patterns)

    def without(self, *lists: str) -> tuple[str, ...]:
        """Return the words outside all phrases of some lists."""
        covered = {place for span in self.spans(*lists) for place in range(*span)}
        return tuple(word for place, word in enumerate(self.words) if place not in covered)

    def alike(self, text: str) -> Text:
        """Return another text in the same language; a part of this one shares its tokens."""
        first = self.source.find(text) if text else -1
        found = self.part(text, [(first, first + len(text))]) if first >= 0 else None
        said = "".join(self.source[each.start : each.end] for each in found.tokens) if found else ""
        is_shared = found is not None and said == "".join(text.split()).strip(_ENDS)
        return found if found is not None and is_shared else Text(text, self.code)

    def part(self, text: str, spans: Iterable[tuple[int, int]]) -> Text:
        """Return a part of the text, as written, between some offsets of `source`."""
        found = Text(text, self.code)
        found.source = self.source
        inside = (t for first, end in spans for t in self.tokens if first <= t.start < end)
        found.__dict__["tokens"] = _stripped([*inside])
        return found


def _number(token: Token) -> float | None:
    text = token.text.replace(",", ".")
    return float(text) if _NUMBER.fullmatch(text) else None


NOTHING = Text("", None)
"""The empty text."""


def joined(texts: Sequence[Text]) -> Text:
    """Return texts joined by spaces."""
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


def without_quotes(text: Text) -> list[Token]:
    """Return the tokens of a text with a name for each quotation, unless all is quoted."""
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
    """The tokens of a sentence, with their texts between spaces as the line to search."""

    def __init__(self, text: Text, tokens: Sequence[Token]) -> None:
        """Take a sentence and its tokens."""
        self.source = text
        self.tokens = tokens
        self._set()

    @classmethod
    def of(cls, text: Text, numbers: PhraseTrie | None = None) -> Self:
        """Return the tokens of a text; with `numbers`, number words become digits."""
        return cls(text, numbers.replace(text.tokens) if numbers else text.tokens)

    def _set(self) -> None:
        self.text = f" {' '.join(token.text for token in self.tokens)} "
        self._words = words_in(self.text)
        self._starts: list[int] = []
        position = 1
        for token in self.tokens:
            self._starts.append(position)
            position += len(token.text) + 1

    def find(self, pattern: PhrasePattern, group: int | str = 0) -> Iterator[tuple[int, int]]:
        """Iterate over the spans of a pattern: first token, and the one after the last."""
        if pattern.words is not None and pattern.words.isdisjoint(self._words):
            return iter(())
        spans = [match.span(group) for match in pattern.finditer(self.text)]
        at = self._starts
        return iter([(bisect_left(at, f), bisect_left(at, e)) for f, e in spans if f < e])

    def find_all(self, index: PatternIndex) -> Iterator[tuple[str, int, int]]:
        """Yield the name and span of each match of an index's patterns."""
        for name, pattern in index.among(self._words):
            for first, end in self.find(pattern):
                yield name, first, end

    @property
    def beginnings(self) -> Sequence[int]:
        """The tokens at which a request may begin: the first, and those after polite words."""
        forms, marks = self.source.patterns.forms, [each.is_mark for each in self.tokens]
        begins = [[*marks, False].index(False)]
        for first in begins:
            for name in _OPENING:
                for pattern in forms.get(name, ()):
                    if end := self.end_of(pattern, first):
                        behind = next((at for at in range(end, len(marks)) if not marks[at]), end)
                        begins += {end, behind} - {*begins}
        return begins

    def covered(self, patterns: Iterable[PhrasePattern]) -> set[int]:
        """Return the tokens of all matches of some patterns."""
        return {index for each in patterns for span in self.find(each) for index in range(*span)}

    def end_of(self, pattern: PhrasePattern, first: int, *, longest: bool = False) -> int:
        """Return the token after a pattern that begins at a token, or 0."""
        if first >= len(self.tokens):
            return 0
        match = pattern.longest_match if longest else pattern.match
        if not (found := match(self.text, self._starts[first])):
            return 0
        return bisect_left(self._starts, found.end()) if found.end() > found.start() else 0

    def is_whole(self, pattern: PhrasePattern, first: int, end: int) -> tuple[int, int] | None:
        """Return the span of a pattern's group "any" if it matches all of a part, else None.

        The span is empty without such a group.
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
        """Replace some tokens with a name."""
        self.replace(first, end, [Token(NAME, self.tokens[first].start, self.tokens[end - 1].end)])

    def replace(self, first: int, end: int, tokens: Sequence[Token]) -> None:
        """Replace some tokens with others."""
        self.tokens = [*self.tokens[:first], *tokens, *self.tokens[end:]]
        self._set()

    def drop(self, first: int, end: int) -> None:
        """Remove some tokens."""
        self.replace(first, end, ())

    def normalized(self, first: int, end: int) -> str:
        """Return the texts of some tokens, each between spaces."""
        return f" {' '.join(token.text for token in self.tokens[first:end])} "

    def normalized_of(self, tokens: Iterable[int]) -> str:
        """Return the texts of tokens, with more spaces between those that are not adjacent."""
        text = ""
        after: int | None = None
        for index in tokens:
            gap = "" if index == after else " "
            text += f"{gap}{self.tokens[index].text} "
            after = index + 1
        return f" {text} "

    def surface(self, tokens: Iterable[int]) -> Text:
        """Return the part of the sentence that some tokens are, in their order, as written."""
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
