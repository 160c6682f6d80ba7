"""Replies to a question of the agent: yes, no, a subset, or a PIN."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final, Self

from ..languages import language_of
from ..names.matching import words
from .numerals import number_words, parse_numbers
from .phrases import (
    PhraseSet,
    contains_any_gapped,
    contains_phrase,
    phrases_starting_at,
    reply_phrases,
)
from .predicates import Predicate
from .tokenizer import Text

_LIKE: Final = ("removes", "sends", "buys", "adds", "runs", "turns_off")
"""What a yes may say in any of its words, where one of them was asked."""
_REMOVES: Final = "removes"
_SENDS: Final = "sends"
_WRITES: Final = "writes"
"""What is written is sent."""
_MOST: Final = 3
"""Words that tell who is let in, or is there."""
_OPENS: Final = ("opens", "opens_up", "lets_in", "waits")
"""What opens lets somebody in, who may be said to be there."""
_NOTHING: Final[PhraseSet] = frozenset(((),))
_OTHER_WAY: Final = (("on", "off"), ("off", "on"))


@dataclass(frozen=True, slots=True)
class Restatement:
    """What may be said again of a question."""

    words: frozenset[str]
    """Those of what was asked, and such that stand for them."""
    phrases: PhraseSet
    """Other words that say the same."""
    _around: Sequence[tuple[PhraseSet, PhraseSet]]
    """What stands before and behind those who are let in, or are there."""
    _somebody: frozenset[str]
    _endings: Collection[str]

    @classmethod
    def of(cls, asked: Collection[Text], code: str) -> Self:
        """Return it of the texts that led to a question, and the question."""
        said = frozenset(word for each in asked for word in each.words) | pro_forms(code)
        forms = [form for form in _LIKE if _is_asked(form, asked, code)]
        if _REMOVES in forms:
            forms.append("away")
        around: list[tuple[PhraseSet, PhraseSet]] = []
        if any(Predicate.of(each).opens or _lets_in(each) for each in asked):
            forms += _OPENS
            around = [_letting(code), (_NOTHING, reply_phrases(code, "is_there"))]
        phrases = frozenset[tuple[str, ...]]().union(*(reply_phrases(code, each) for each in forms))
        somebody = said | {word for each in reply_phrases(code, "somebody") for word in each}
        noes = {word for each in reply_phrases(code, "no") if len(each) == 1 for word in each}
        return cls(said, phrases, around, somebody - noes, clitic_pronouns(code))

    def has(self, word: str) -> bool:
        """Return True if a word is one of them, also with a pronoun at its end: "págala" of "paga"."""
        return word in self.words or any(
            f"{word}{each}" in self.words
            or (word.endswith(each) and word.removesuffix(each) in self.words)
            for each in self._endings
        )

    def count_presence_words(self, said: Sequence[str], at: int) -> int:
        """Return how many words from one on tell who is let in, or is there; 0 where they do not."""
        for before, after in self._around:
            starts = (at + len(each) for each in before if (*said[at : at + len(each)],) == each)
            for start in starts:
                end = start
                while end < min(start + _MOST, len(said)) and said[end] in self._somebody:
                    end += 1
                    if found := phrases_starting_at(said, end, after):
                        return end + len(found[-1]) - at
        return 0


def inverts_state(text: Text, asked: Collection[Text]) -> bool:
    """Return True if an answer says "on" where off was asked: it is a word that says nothing as well."""
    empty = " ".join(each for each in text.words if each in pro_forms(text.code))
    said = Predicate.of(text.alike(empty)).states()
    wanted = frozenset[str]().union(*(Predicate.of(each).states() for each in asked))
    return any(one in said - wanted and other in wanted for one, other in _OTHER_WAY)


@lru_cache
def clitic_pronouns(code: str) -> Collection[str]:
    """Return the pronouns that a language writes at the end of a verb, as plain as `words` has them."""
    listed = language_of(code).forms.get("pronouns", ())
    return tuple("".join(words(each)) for each in listed if each.startswith("-") and words(each))


@lru_cache
def pro_forms(code: str) -> frozenset[str]:
    """Return the words that may stand for what was asked: articles, pronouns, "all of it"."""
    known = language_of(code)
    pronouns = (each for each in known.forms.get("pronouns", ()) if not each.startswith("-"))
    return frozenset(
        word
        for each in (*known.function_words, *known.universal_quantifiers, *pronouns)
        for word in words(each)
    )


def _is_asked(form: str, asked: Collection[str], code: str) -> bool:
    """Return True if a text has one of some words; tools are called in English, whatever is spoken."""
    forms = (form, _WRITES) if form == _SENDS else (form,)
    known = [reply_phrases(each, like) for each in {code, "en"} for like in forms]
    return any(contains_any_gapped(each, phrases) for each in asked for phrases in known)


def _lets_in(text: Text) -> bool:
    """Return True if a text says to let somebody in, whoever that is: "Let Guests In"."""
    said = text.words
    before, after = _letting(text.code)
    return contains_phrase(text, reply_phrases(text.code, "lets_in")) or any(
        phrases_starting_at(said, at, before)
        and any(phrases_starting_at(said, at + 1 + count, after) for count in range(1, _MOST + 1))
        for at in range(len(said))
    )


def _letting(code: str) -> tuple[PhraseSet, PhraseSet]:
    """Return what stands before and behind who is let in: "let", and "in"."""
    return reply_phrases(code, "lets_somebody"), reply_phrases(code, "inside")


_IN_A_ROW = 3  # words of which a number is made: "twenty-five" in two, "vingt et un" in three
_LONGEST_REPLY = 24
"""Words of an answer to a question."""


class Reply(StrEnum):
    """What a sentence is that follows a question of ours."""

    YES = "yes"
    NO = "no"
    OTHER = "other"


def classify_reply(text: Text, asked: Collection[Text]) -> Reply:
    """Return what somebody says to a question.

    A yes is plain: besides it there is nothing but polite words, and what was asked, in its words or
    in others that say the same. "Yes, what time is it" and "yeah no" are none.

    Args:
        text: the sentence.
        language: its language's code.
        asked: the texts that led to the question, and the question: their words may be said again.
    """
    said = text.words
    if not 0 < len(said) <= _LONGEST_REPLY or "?" in text:
        return Reply.OTHER
    code = text.language.code
    again = Restatement.of(asked, code)
    forms = _forms(code, again)
    found = [*_read(said, forms, again)]
    if "" in found:
        # "Open it 30 percent." – "Yes, thirty."
        found = [*_read(_without_numbers(text, asked), forms, again)]
    if "" in found and (stems := text.without_clitics.words) != said:
        # "Quita la alarma." – "Sí, quítala."
        found = [*_read(stems, forms, again)]
    if "" in found or inverts_state(text, asked):
        return Reply.OTHER
    if "no" in found:
        return Reply.NO
    starts = next((each for each in found if each != "beside"), "")
    return Reply.YES if starts == "yes" else Reply.OTHER


def _without_numbers(text: Text, asked: Collection[Text]) -> Sequence[str]:
    """Return the words of an answer without numbers that were said before, or asked about."""
    known = frozenset[float]().union(*map(parse_numbers, asked))
    numbers = {word: parse_numbers(text.alike(word)) for word in text.words}
    return [word for word in text.words if not numbers[word] or not numbers[word] <= known]


def select_subset(text: Text, names: Sequence[str], asked: Collection[Text]) -> Sequence[bool]:
    """Return which of several things somebody wants, of all that was asked: "yes, the garage".

    Each is told by a word that no other is called by. Empty where nothing is said so, or all of them.

    Args:
        text: the sentence.
        language: its language's code.
        names: how each thing is called.
        asked: the texts that led to the question, and the question: their words may be said again.
    """
    said = text.words
    if not 0 < len(said) <= _LONGEST_REPLY or "?" in text:
        return ()
    code = text.language.code
    again = Restatement.of((*map(text.alike, names), *asked), code)
    # "Just" is a polite word besides.
    forms = {"only": reply_phrases(code, "only"), **_forms(code, again)}
    found = [*_read(said, forms, again)]
    if {"only", "yes"}.isdisjoint(found) or not {"", "no"}.isdisjoint(found):
        return ()
    own = [{*words(each)} - pro_forms(code) for each in names]
    others = [{word for each in own if each is not one for word in each} for one in own]
    wanted = [not (one - other).isdisjoint(said) for one, other in zip(own, others, strict=True)]
    return wanted if any(wanted) and not all(wanted) else ()


def begins_with_denial(text: Text) -> bool:
    """Return True if a text begins with a no: with a word of it, or with several."""
    return bool(phrases_starting_at(text.words, 0, reply_phrases(text.language.code, "no")))


def spoken_digits(text: Text) -> tuple[str, bool]:
    """Return the digits that are said one after the other, as figures or in words; none is empty.

    And whether nothing else is said. This reads words of numbers from a file the first time: not for the event loop.
    """
    said = text.words
    # Where a word is two numbers', it is the language's.
    numbers = {
        "".join(words(word)): number
        for code in dict.fromkeys(("en", text.language.code or "en"))
        for word, number in number_words(code).items()
    }
    zero = reply_phrases(text.language.code, "zero")
    digits, at, is_all = "", 0, bool(said)
    while at < len(said):
        count, value = _number_at(said, at, numbers)
        if digits and (said[at],) in zero and _number_at(said, at + 1, numbers)[1]:
            # "One four oh seven"; before them, and alone, it is no number.
            value = "0"
        digits += value
        is_all &= bool(value)
        at += count
    return digits, is_all


def _number_at(said: Sequence[str], at: int, numbers: Mapping[str, int]) -> tuple[int, str]:
    """Return how many words a number has that begins at a word, and its digits."""
    if at >= len(said):
        return 1, ""
    if said[at].isdecimal():
        return 1, "".join(str(int(each)) for each in said[at])
    for count in range(min(_IN_A_ROW, len(said) - at), 0, -1):
        joined = "".join(said[at : at + count])
        if joined in numbers:
            return count, str(numbers[joined])
    return 1, ""


def _read(said: Sequence[str], forms: Mapping[str, PhraseSet], again: Restatement) -> Sequence[str]:
    """Return what the parts of an answer are, the longest phrase first; empty is anything else."""
    parts: list[str] = []
    at = 0
    while at < len(said):
        count, form = max(
            (
                *(
                    (len(each), form)
                    for form, known in forms.items()
                    for each in phrases_starting_at(said, at, known)
                ),
                (again.count_presence_words(said, at), "again"),
            ),
            key=lambda found: found[0],
        )
        parts.append(form if count else "again" if again.has(said[at]) else "")
        at += count or 1
    return parts


def _forms(code: str, again: Restatement) -> Mapping[str, PhraseSet]:
    """Return the phrases of an answer by what they are; "again" is what was asked, in other words."""
    return {
        **{form: reply_phrases(code, form) for form in ("no", "yes", "beside")},
        "again": again.phrases,
    }
