"""Restatements: what repeats the question in a reply: "yes, send it", "yes, let him in"."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Self

from ..languages import language_of
from ..names.matching import words
from .access_predicates import access_direction
from .phrases import (
    PhraseSet,
    contains_any_gapped,
    contains_phrase,
    phrases_starting_at,
    reply_phrases,
)
from .predicates import desired_states
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
        if any(access_direction(each) or _lets_in(each) for each in asked):
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
    said = desired_states(
        text.alike(" ".join(each for each in text.words if each in pro_forms(text.code)))
    )
    wanted = frozenset[str]().union(*(desired_states(each) for each in asked))
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
