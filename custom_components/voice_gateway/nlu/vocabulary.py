"""The vocabulary of commands, besides the names of the home."""

from collections.abc import Iterator
from functools import lru_cache
import re
from typing import Any

from home_assistant_intents import get_intents

from ..languages import language_of
from ..names.matching import matcher, words
from .phrases import phrases_of_form

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
