"""The phrases that a language's templates stand for, word by word: for texts that a model writes."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from hassil.parse_expression import parse_sentence
from hassil.sample import sample_expression

from ..languages import language_of
from ..names.matching import words


@lru_cache
def phrases(language: str, form: str) -> frozenset[tuple[str, ...]]:
    """Return all phrases of one of a language's forms, which has no slots, as words to compare."""
    return frozenset(
        words(text)
        for template in language_of(language).forms.get(form, ())
        for text in texts(template, language)
    )


def phrases_in(
    said: tuple[str, ...], known: frozenset[tuple[str, ...]]
) -> Iterator[tuple[str, ...]]:
    """Yield those of some phrases that stand in what was said, word by word."""
    return (
        each for each in known if any(said[at : at + len(each)] == each for at in range(len(said)))
    )


def says_in_order(text: str, language: str, form: str) -> bool:
    """Tell whether a text says a phrase of a form, be there other words between its own: "take it off"."""
    said = words(text)
    return any(_in_order(said, phrase) for phrase in phrases(language, form))


def _in_order(said: Iterable[str], phrase: tuple[str, ...]) -> bool:
    rest = iter(said)
    return all(word in rest for word in phrase)


def texts(template: str, language: str) -> Iterable[str]:
    """Return what a template without slots stands for."""
    return sample_expression(parse_sentence(template).expression, {}, {}, language)


@lru_cache
def verbs(language: str) -> frozenset[str]:
    """Return the verbs of commands.

    What is one only with what follows it is left out: neither "order" nor "the" is one by itself.
    """
    return frozenset(phrase[0] for phrase in phrases(language, "verbs") if len(phrase) == 1)
