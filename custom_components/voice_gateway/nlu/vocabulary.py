"""The vocabulary of a language: the words of its phrases and of Home Assistant's sentences."""

from collections.abc import Iterator
import re
from typing import Any

from home_assistant_intents import get_intents

from ..languages import Language
from ..names.matching import words

_HIDDEN = re.compile(r"\{[^{}]*\}|<[^<>]*>")
_OPTIONAL = re.compile(r"[\[\]()]")


def vocabulary_of(language: Language) -> frozenset[str]:
    """Return the words of a language's phrases and Home Assistant's sentences, without accents."""
    return frozenset(word for text in _texts(language) for word in words_of_template(text))


def values_of_list(language: Language, name: str) -> Iterator[tuple[str, Any]]:
    """Yield the templates and values of a list in Home Assistant's sentences."""
    sentences = (language.code and get_intents(language.code)) or {}
    for each in sentences.get("lists", {}).get(name, {}).get("values", ()):
        if isinstance(each, dict):
            yield each["in"], each["out"]


def _texts(language: Language) -> Iterator[str]:
    for words_ in (language.function_words, language.alternatives, language.conjunctions):
        yield from words_
    for words_ in (language.universal_quantifiers, language.percent, language.degrees):
        yield from words_
    tables = (language.time_patterns, language.subordinators, language.forms)
    for table in (*tables, *language.categories.values(), *language.values.values()):
        yield from (phrase for phrases in table.values() for phrase in phrases)
    sentences = (language.code and get_intents(language.code)) or {}
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
    """Yield a template's words: light, s and lights for "light[s]"."""
    plain = _HIDDEN.sub(" ", template)
    yield from words(plain)
    yield from words(_OPTIONAL.sub("", plain))
