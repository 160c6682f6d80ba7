"""Anaphora: pronouns and verb endings that refer to what was named or done before."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
import re
import unicodedata

from ..home.exposed import Exposed
from ..json_schema import Json
from ..languages import language_of
from .phrase_patterns import patterns_of
from .phrases import expand_template, phrases_of_form, phrases_within, single_word_verbs
from .tokenizer import Text

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|\d+")
_JOINED = re.compile(r"([^\W\d_]+)[-\u2010\u2011]([^\W\d_]+)")
_MOST = 12
"""Words of a command that is said of something that was named before."""


def has_anaphor(text: Text) -> bool:
    """Return True if a text speaks of what was named before it: "it", or an ending that says so.

    What may be an article as well says nothing: "die", "la". Behind a verb's hyphen it is none:
    "éteins-la".
    """
    said = _WORD.findall(text.casefold())
    if any(
        _plain(verb) in _verbs(text.code) and word in _pronouns(text.code)
        for verb, word in _JOINED.findall(text.casefold())
    ):
        return True
    pronouns = _pronouns(text.code) - text.language.function_words
    if any(_is_pronoun(word, after, text.code) for word, after in pairwise((*said, ""))):
        return True
    return any(word in pronouns or _without_ending(word, text.code) for word in said)


def _is_pronoun(word: str, after: str, code: str) -> bool:
    """Return True if a word that may say whose as well stands alone: "send her back", not "her lamp"."""
    language = language_of(code)
    if word not in language.forms.get("whose", ()):
        return False
    again = {each for phrase in phrases_of_form(code, "again") for each in phrase}
    return not after or after in again | language.function_words | language.conjunctions | _states(
        code
    )


def has_alternative(text: Text) -> bool:
    """Return True if a text speaks of another one than before: "apaga la otra", but not "otra vez"."""
    said = text.words
    again = {
        word
        for phrase in phrases_within(said, phrases_of_form(text.code, "again"))
        for word in phrase
    }
    return not {*map(_plain, text.language.alternatives)}.isdisjoint({*said} - again)


def is_state_repetition(text: Text) -> bool:
    """Return True if a text says only in which state something is to be again: "and off again"."""
    again = {word for phrase in phrases_of_form(text.code, "again") for word in phrase}
    language = text.language
    said = [_plain(word) for word in _WORD.findall(text.casefold())]
    left = {word for word in said if word not in again and word not in language.conjunctions}
    known = _verbs(text.code) | _states(text.code)
    return (
        len(left) < len({*said}) and bool(left & known) and left <= known | language.function_words
    )


def substitute_anaphor(text: Text, before: str, name: str) -> Iterator[str]:
    """Yield a command with a device's name in the place of what stands for it.

    Args:
        text: the command: "close it again", "off again".
        before: the command before it, which may have the verb: "turn on the garden light".
        name: of the device that was meant there.
        code: the language's code as `languages` has it.
    """
    again = {word for phrase in phrases_of_form(text.code, "again") for word in phrase}
    said = [word for word in _WORD.findall(text) if word.casefold() not in again]
    earlier = _WORD.findall(before)
    if not said or len(said) + len(earlier) > 2 * _MOST:
        return
    pronouns = _pronouns(text.code)
    for place, word in enumerate(said):
        if word.casefold() in pronouns:
            yield _joined(said[:place], [name], said[place + 1 :])
        elif verb := _without_ending(word.casefold(), text.code):
            yield _joined(said[:place], [verb, name], said[place + 1 :])
    yield _joined(said, [name])
    for place in range(len(earlier)):
        yield _joined(earlier[:place], said, earlier[place + 1 :])


def substitute_entity(text: Text, before: str) -> Iterator[str]:
    """Yield the command before with another device in it: "... off in an hour, and the fan at ten".

    What is left of it are verbs, states and words that say nothing. The arguments are those of
    `substitute_anaphor`.
    """
    said, earlier = _WORD.findall(text), _WORD.findall(before)
    if not said or len(earlier) > _MOST:
        return
    known = _verbs(text.code) | _states(text.code) | text.language.function_words
    stays = [_plain(word) in known or word.casefold() in known for word in earlier]
    for first in range(len(earlier)):
        for end in range(first + 1, len(earlier) + 1):
            if all(stays[:first]) and all(stays[end:]) and not all(stays[first:end]):
                yield _joined(earlier[:first], said, earlier[end:])


def has_predicate(text: Text) -> bool:
    """Return True if a text has a verb of a command, or a state that something is to have.

    What is a verb and a kind of device is a verb at the beginning: "lock the door", "the kitchen light".
    """
    first, *others = _WORD.findall(text.casefold()) or [""]
    said = {first, *(word for word in others if word not in patterns_of(text.code).category_words)}
    if any(_without_ending(word, text.code) for word in said):
        return True
    return not {*said, *map(_plain, said)}.isdisjoint(_verbs(text.code) | _states(text.code))


def is_only_predicate(said: Sequence[str], code: str) -> bool:
    """Return True if some words are states, words that say nothing, and one verb of a command at most."""
    known = _states(code) | language_of(code).function_words
    others = [word for word in said if {_plain(word), word.casefold()}.isdisjoint(known)]
    return len(others) <= 1 and all(_plain(word) in _verbs(code) for word in others)


def without_verb(text: Text) -> Text:
    """Return a text without the verb that it begins with, if that is called as a kind of devices is."""
    first, _, rest = text.strip().partition(" ")
    is_both = first.casefold() in patterns_of(text.code).category_words and _plain(first) in _verbs(
        text.code
    )
    return text.alike(rest) if is_both else text


def strip_clitics(text: Text) -> Text:
    """Return a text with its verbs as they are without a pronoun at their end: "spegnila" as "spegni"."""
    stems = (_without_ending(word.casefold(), text.code) or word for word in _WORD.findall(text))
    return text.alike(" ".join(stems))


def _joined(*parts: Sequence[str]) -> str:
    return " ".join(word for part in parts for word in part)


@lru_cache
def _pronouns(code: str) -> frozenset[str]:
    return frozenset(
        word for word in language_of(code).forms.get("pronouns", ()) if not word.startswith("-")
    )


@lru_cache
def _endings(code: str) -> tuple[str, ...]:
    listed = language_of(code).forms.get("pronouns", ())
    return tuple(word[1:] for word in listed if word.startswith("-"))


@lru_cache
def _verbs(code: str) -> frozenset[str]:
    """Return the verbs of commands, without accents: they move where an ending is added."""
    return frozenset(_plain(verb) for verb in single_word_verbs(code))


@lru_cache
def _states(code: str) -> frozenset[str]:
    listed = language_of(code).forms.get("states", ())
    said = [text for each in listed for text in _each(each, code)]
    return frozenset(_plain(word) for text in said for word in _WORD.findall(text))


def _each(template: str, code: str) -> Iterable[str]:
    """Return what a template stands for; one with a slot as it is."""
    return (template,) if "{" in template else expand_template(template, code)


def _without_ending(word: str, code: str) -> str:
    """Return the verb of a word that ends in a pronoun; nothing where it is none."""
    for ending in _endings(code):
        verb = _plain(word.removesuffix(ending))
        if word.endswith(ending) and verb in _verbs(code):
            return verb
    return ""


def _plain(word: str) -> str:
    decomposed = unicodedata.normalize("NFD", word.casefold())
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


@dataclass(frozen=True, slots=True)
class PastAction:
    """What one call of the last command did."""

    intent_type: str
    values: Json
    devices: tuple[Exposed, ...]
