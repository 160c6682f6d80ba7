"""Phrases and vocabulary of a language, word by word."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
import re
from typing import Any

from hassil.parse_expression import parse_sentence
from hassil.sample import sample_expression
from home_assistant_intents import get_intents

from ..languages import Phrases, language_of
from ..names.matching import matcher, words
from .tokenizer import Text

type PhraseSet = frozenset[tuple[str, ...]]
"""Phrases, word by word."""


@lru_cache
def phrases_of_form(language: str, form: str) -> PhraseSet:
    """Return all phrases of one of a language's forms, which has no slots, as words to compare."""
    return _as_words(language_of(language).forms, form, language)


@lru_cache
def reply_phrases(language: str, form: str) -> PhraseSet:
    """Return the same of what is said to a question, or tells what to open."""
    known = language_of(language)
    return _as_words({**known.replies, **known.access_verbs, **known.restatements}, form, language)


def _as_words(table: Phrases, form: str, language: str) -> PhraseSet:
    return frozenset(
        words(text)
        for template in table.get(form, ())
        for text in expand_template(template, language)
    )


def phrases_starting_at(
    said: Sequence[str], at: int, known: PhraseSet
) -> Sequence[tuple[str, ...]]:
    """Return those of some phrases that begin at a word of what was said."""
    rest = tuple(islice(said, at, at + max(map(len, known), default=0)))
    return [rest[:count] for count in range(1, len(rest) + 1) if rest[:count] in known]


def contains_phrase(text: str, known: PhraseSet) -> bool:
    """Return True if a phrase is anywhere in a text, word by word."""
    said = words(text)
    return any(phrases_starting_at(said, at, known) for at in range(len(said)))


def phrases_within(
    said: tuple[str, ...], known: frozenset[tuple[str, ...]]
) -> Iterator[tuple[str, ...]]:
    """Yield those of some phrases that stand in what was said, word by word."""
    return (
        each for each in known if any(said[at : at + len(each)] == each for at in range(len(said)))
    )


def contains_gapped(text: Text, form: str) -> bool:
    """Return True if a text says a phrase of a form, be there other words between its own: "take it off"."""
    return contains_any_gapped(text, phrases_of_form(text.code, form))


def contains_any_gapped(text: str, known: PhraseSet) -> bool:
    """Return the same for phrases of whatever list."""
    said = words(text)
    return any(_in_order(said, phrase) for phrase in known)


def _in_order(said: Iterable[str], phrase: tuple[str, ...]) -> bool:
    rest = iter(said)
    return all(word in rest for word in phrase)


def expand_template(template: str, language: str) -> Iterable[str]:
    """Return what a template without slots stands for."""
    return sample_expression(parse_sentence(template).expression, {}, {}, language)


@lru_cache
def single_word_verbs(language: str) -> frozenset[str]:
    """Return the verbs of commands.

    What is one only with what follows it is left out: neither "order" nor "the" is one by itself.
    """
    return frozenset(phrase[0] for phrase in phrases_of_form(language, "verbs") if len(phrase) == 1)


_COMPOUNDS = ("verbs", "draws_in", "draws_out")
_HIDDEN = re.compile(r"\{[^{}]*\}|<[^<>]*>")
_OPTIONAL = re.compile(r"[\[\]()]")


@lru_cache
def vocabulary(code: str) -> frozenset[str]:
    """Return the words of Home Assistant's sentences and of our own phrases in a language.

    A word that is none of them, and in no name, tells of something that is not there. The first time
    for a language a file is read: not for the event loop.
    """
    # "Einfahren" is no word of its template, but one of its phrases.
    said = {
        word for form in _COMPOUNDS for phrase in phrases_of_form(code, form) for word in phrase
    }
    return frozenset(word for text in _texts(code) for word in words_of_template(text)) | said


@lru_cache
def words_of_commands(code: str) -> frozenset[str]:
    """Return the vocabulary, with the words for a half: "halfway" is no misheard hallway."""
    return vocabulary(code) | words_of_conditions(code, "half")


@lru_cache
def halves(code: str) -> frozenset[str]:
    """Return the words that say a half, and nothing else: "halfway"."""
    return words_of_conditions(code, "half") - matcher(code).function_words


@lru_cache
def words_of_conditions(code: str, *names: str) -> frozenset[str]:
    """Return the words of a language's conditions: those for a half, for here, for outdoors."""
    listed = language_of(code).conditions
    texts = (text for name in names for text in listed.get(name, ()))
    return frozenset(word for text in texts for word in words_of_template(text))


def _texts(code: str) -> Iterator[str]:
    language = language_of(code)
    yield from (
        " ".join(each)
        for each in (language.function_words, language.alternatives, language.conjunctions)
    )
    yield from (
        " ".join(each)
        for each in (language.universal_quantifiers, language.percent, language.degrees)
    )
    for table in (
        language.time_patterns,
        language.subordinators,
        language.forms,
        *language.categories.values(),
    ):
        yield from (phrase for phrases in table.values() for phrase in phrases)
    for values in language.values.values():
        yield from (phrase for phrases in values.values() for phrase in phrases)
    sentences = (code and get_intents(code)) or {}
    for part in ("intents", "expansion_rules", "lists", "skip_words"):
        yield from _strings(sentences.get(part))


def _strings(data: Any) -> Iterator[str]:
    match data:
        case str():
            yield data
        case dict():
            for value in data.values():
                yield from _strings(value)
        case list():
            for value in data:
                yield from _strings(value)


def words_of_template(template: str) -> Iterator[str]:
    """Yield a template's words: of "light[s]" light, s and lights."""
    plain = _HIDDEN.sub(" ", template)
    yield from words(plain)
    yield from words(_OPTIONAL.sub("", plain))
