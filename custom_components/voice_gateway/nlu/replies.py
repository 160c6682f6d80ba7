"""Replies to a question of the agent: yes, no, a subset, or a PIN."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final, Self

from ..languages import language_of
from ..names.matching import words
from .numerals import number_words
from .phrase_patterns import patterns_of
from .predicates import Predicate
from .spoken_pin import hide_pin
from .tokenizer import Text
from .tokens import fold

_LIKE: Final = ("removes", "sends", "buys", "adds", "runs", "turns_off")
"""Lists whose words a yes may contain if the question is about one of them."""
_REMOVES: Final = "removes"
_SENDS: Final = "sends"
_WRITES: Final = "writes"
"""To write a message is to send it."""
_MOST: Final = 3
"""The most words for a visitor."""
_OPENS: Final = (
    "access_verbs.opens",
    "restatements.opens_up",
    "restatements.lets_in",
    "restatements.waits",
)
"""Words for opening, or for a visitor who waits to be let in."""
_LETS: Final = "restatements.lets_somebody"
_INSIDE: Final = "restatements.inside"
_IS_THERE: Final = "restatements.is_there"
_YES: Final = "replies.yes"
NO: Final = "replies.no"
"""The list of negative replies."""
_ACKNOWLEDGES: Final = "replies.acknowledges"
_THANKS: Final = ("follow_ups.thanks", "replies.thanks")
_BESIDE: Final = "replies.beside"
_ONLY: Final = "replies.only"
_AGAIN: Final = "again"
"""A restatement of the question, in any words."""
_OTHER_WAY: Final = (("on", "off"), ("off", "on"))


@dataclass(frozen=True, slots=True)
class Restatement:
    """The words with which a reply may restate a question."""

    words: frozenset[str]
    """The words of the question, and pro-forms for them."""
    lists: Sequence[str]
    """The lists of synonyms."""
    _around: Sequence[tuple[str, str]]
    """The lists of words before and behind a visitor."""
    _somebody: frozenset[str]
    _endings: Collection[str]

    @classmethod
    def of(cls, asked: Collection[Text], code: str) -> Self:
        """Return it for a question and the texts that led to it."""
        said = frozenset(word for each in asked for word in each.words) | pro_forms(code)
        lists = [f"restatements.{form}" for form in _LIKE if _is_asked(form, asked)]
        if f"restatements.{_REMOVES}" in lists:
            lists.append("restatements.away")
        known = patterns_of(code)
        noes = {word for phrase in known.phrases(NO) if len(phrase) == 1 for word in phrase}
        somebody = known.words_of("restatements.somebody") - noes
        if f"restatements.{_SENDS}" in lists:
            # "Shall I send it to Grandma?" – "Yes, send it to her."
            said |= somebody
        around: list[tuple[str, str]] = []
        if any(Predicate.of(each).opens or _lets_in(each) for each in asked):
            lists += _OPENS
            around = [(_LETS, _INSIDE), ("", _IS_THERE)]
        clitics = tuple(map(fold, known.clitics))
        return cls(said, lists, around, (said - noes) | somebody, clitics)

    def has(self, word: str) -> bool:
        """Return True if a word is one of them, also with a clitic: "págala" for "paga"."""
        return word in self.words or any(
            f"{word}{each}" in self.words
            or (word.endswith(each) and word.removesuffix(each) in self.words)
            for each in self._endings
        )

    def presence_end(self, text: Text, at: int) -> int:
        """Return the end of the words for a visitor's presence that begin at a word, or 0."""
        for before, after in self._around:
            start = end = text.phrase_end(at, before) if before else at
            if before and not start:
                continue
            while end < min(start + _MOST, len(text.words)) and text.words[end] in self._somebody:
                end += 1
                if found := text.phrase_end(end, after):
                    return found
        return 0


def inverts_state(text: Text, asked: Collection[Text]) -> bool:
    """Return True if an answer has "on" for a question about off, also as a function word."""
    empty = " ".join(each for each in text.words if each in pro_forms(text.code))
    said = Predicate.of(text.alike(empty)).states()
    wanted = frozenset[str]().union(*(Predicate.of(each).states() for each in asked))
    return any(one in said - wanted and other in wanted for one, other in _OTHER_WAY)


@lru_cache
def pro_forms(code: str) -> frozenset[str]:
    """Return the pro-forms of a language: articles, pronouns, quantifiers."""
    known = language_of(code)
    pronouns = (each for each in known.forms.get("pronouns", ()) if not each.startswith("-"))
    return frozenset(
        word
        for each in (*known.function_words, *known.universal_quantifiers, *pronouns)
        for word in words(each)
    )


def _is_asked(form: str, asked: Collection[Text]) -> bool:
    """Return True if a text has words of a list; tools have English names in any language."""
    forms = (form, _WRITES) if form == _SENDS else (form,)
    lists = [f"restatements.{each}" for each in forms]
    return any(
        each.says(*lists, gapped=True) or Text(each, "en").says(*lists, gapped=True)
        for each in asked
    )


def _lets_in(text: Text) -> bool:
    """Return True if a text says to let a visitor in: "Let Guests In"."""
    return text.says("restatements.lets_in") or any(
        text.phrase_end(first + 1 + count, _INSIDE)
        for first, _ in text.spans(_LETS)
        for count in range(1, _MOST + 1)
    )


_IN_A_ROW = 3  # words of one number: "twenty-five" has two, "vingt et un" three
_LONGEST_REPLY = 24
"""The most words of an answer to a question."""


class Reply(StrEnum):
    """The type of a reply to a question of ours."""

    YES = "yes"
    NO = "no"
    OTHER = "other"


def classify_reply(text: Text, asked: Collection[Text]) -> Reply:
    """Return the type of a reply to a question.

    A yes is plain: it has only polite words and a restatement of the question, literally or with
    synonyms. "Yes, what time is it", "yeah no", "right" and "okay, thanks" are none.

    `asked` are the texts that led to the question, and the question.
    """
    if not 0 < len(text.words) <= _LONGEST_REPLY or "?" in text:
        return Reply.OTHER
    again = Restatement.of(asked, text.code)
    found = [*_read(text, again)]
    if "" in found:
        # "Open it 30 percent." – "Yes, thirty."
        found = [*_read(_without_numbers(text, asked), again)]
    if "" in found and text.without_clitics.words != text.words:
        # "Quita la alarma." – "Sí, quítala."
        found = [*_read(text.without_clitics, again)]
    if "" in found or inverts_state(text, asked):
        return Reply.OTHER
    if NO in found:
        return Reply.NO
    starts = next((each for each in found if each != _BESIDE), "")
    is_plain = starts == _YES and not text.says(*_THANKS)
    is_yes = starts in (_YES, _ACKNOWLEDGES) and (is_plain or not _only_acknowledges(text, again))
    return Reply.YES if is_yes else Reply.OTHER


def _only_acknowledges(text: Text, again: Restatement) -> bool:
    """Return True if a reply has no more than "okay": neither a yes nor a part of the question."""
    own = replace(again, words=again.words - pro_forms(text.code))
    return not (text.numbers or {_YES, _AGAIN} & {*_read(text, own, _ACKNOWLEDGES)})


def _without_numbers(text: Text, asked: Collection[Text]) -> Text:
    """Return an answer without numbers of the question or the texts before it."""
    known = frozenset[float]().union(*(each.numbers for each in asked))
    numbers = {word: text.alike(word).numbers for word in text.words}
    left = (word for word in text.words if not numbers[word] or not numbers[word] <= known)
    return text.alike(" ".join(left))


def select_subset(text: Text, names: Sequence[str], asked: Collection[Text]) -> Sequence[bool]:
    """Return which of several items the user selects: "yes, the garage".

    A word that only one item has selects it. Empty if the reply selects none or all of them.
    """
    said = text.words
    if not 0 < len(said) <= _LONGEST_REPLY or "?" in text:
        return ()
    again = Restatement.of((*map(text.alike, names), *asked), text.code)
    # "Just" is also a polite word.
    found = [*_read(text, again, _ONLY)]
    if {_ONLY, _YES}.isdisjoint(found) or not {"", NO}.isdisjoint(found):
        return ()
    own = [{*words(each)} - pro_forms(text.code) for each in names]
    others = [{word for each in own if each is not one for word in each} for one in own]
    wanted = [not (one - other).isdisjoint(said) for one, other in zip(own, others, strict=True)]
    return wanted if any(wanted) and not all(wanted) else ()


_OF_PIN: Final = frozenset(("code", "pin"))
"""Words for a PIN, in each language."""


class SpokenDigits:
    """The digits in a sentence, as figures or in words.

    The first instance reads number words from a file: not for the event loop.
    """

    def __init__(self, text: Text) -> None:
        """Take the sentence."""
        self._text = text
        self._found = [*_spoken(text)]
        self.digits = "".join(value for _, _, value in self._found)
        """All digits, in order."""

    @property
    def is_all(self) -> bool:
        """Whether it only has digits and polite words: "it's 2580, please"."""
        text = self._text
        if not self.digits or text.phrase_end(0, NO):
            return False
        known = _OF_PIN | pro_forms(text.code) | text.patterns.words_of("conditions.is")
        at = 0
        while at < len(text.words):
            first, end, value = next(each for each in self._found if each[0] <= at < each[1])
            beside = text.phrase_end(at, _BESIDE)
            if not (value or beside or text.words[first] in known):
                return False
            at = end if value else beside or end
        return True

    def hide(self, pin: str, language: str, instead: str) -> str:
        """Return the sentence with a substitute for a PIN."""
        return hide_pin(self._text, language, pin, instead)


def _spoken(text: Text) -> Iterator[tuple[int, int, str]]:
    """Yield the first word, end and digits of each number; other words have no digits."""
    said = text.words
    # A word that is a number in two languages has the value in the utterance's.
    numbers = {
        "".join(words(word)): number
        for code in dict.fromkeys(("en", text.language.code or "en"))
        for word, number in number_words(code).items()
    }
    zero = text.patterns.words_of("replies.zero")
    is_number, at = False, 0
    while at < len(said):
        count, value = _number_at(said, at, numbers)
        if is_number and said[at] in zero and _number_at(said, at + 1, numbers)[1]:
            # "One four oh seven"; before other digits, and alone, it is no number.
            value = "0"
        yield at, at + count, value
        is_number |= bool(value)
        at += count


def _number_at(said: Sequence[str], at: int, numbers: Mapping[str, int]) -> tuple[int, str]:
    """Return the length in words and the digits of the number at a word."""
    if at >= len(said):
        return 1, ""
    if said[at].isdecimal():
        return 1, "".join(str(int(each)) for each in said[at])
    for count in range(min(_IN_A_ROW, len(said) - at), 0, -1):
        joined = "".join(said[at : at + count])
        if joined in numbers:
            return count, str(numbers[joined])
    return 1, ""


def _read(text: Text, again: Restatement, *first: str) -> Iterator[str]:
    """Yield the type of each part of an answer, the longest phrase first; unknown parts are empty.

    The types are lists of replies, the given ones first, or `_AGAIN`.
    """
    forms = {each: (each,) for each in (*first, NO, _YES, _ACKNOWLEDGES, _BESIDE)} | {
        _AGAIN: again.lists
    }
    at = 0
    while at < len(text.words):
        ends = {form: text.phrase_end(at, *lists) for form, lists in forms.items()}
        ends[_AGAIN] = max(ends[_AGAIN], again.presence_end(text, at))
        form = max(ends, key=ends.__getitem__)
        if ends[form]:
            yield form
        else:
            yield _AGAIN if again.has(text.words[at]) else ""
        at = ends[form] or at + 1
