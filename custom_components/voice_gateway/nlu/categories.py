"""Category words, which mention entities by their type: "kitchen lights", "Küchenlicht"."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
import itertools

from ..languages import LANGUAGES, Language, language_of
from ..names.matching import words
from .phrase_patterns import patterns_of
from .tokenizer import Text

_LONG_ENOUGH = 4  # letters of a category word that may end a compound: Küchenlicht
_SHORTEST = 3  # letters of one that ends the name of a device of its category: Garagenfan
_OF_ANYTHING = frozenset(("switch",))
"""Domains whose word, as a verb, applies to all other categories: one switches on a lamp."""


@dataclass(frozen=True, slots=True)
class Category:
    """A mention of devices by category words."""

    words: tuple[str, ...]
    """As spoken: "light", or "garage" and "door"."""
    domains: frozenset[str]
    is_plural: bool
    """The mention is plural."""
    synonyms: frozenset[str]
    """All words for devices of its domains."""
    modifiers: tuple[str, ...]
    """The modifiers of its words: the first parts of compounds, and the words beside them."""


def find_categories(text: Text) -> tuple[Category, ...]:
    """Return the categories that a text mentions, in order."""
    language = text.language
    if not language.categories:
        return ()
    spoken = text.words
    known = _known(language.code)
    found = [known.get(word) or _ending(word, language.code) for word in spoken]
    if found and any(found[1:]) and spoken[0] in text.patterns.verbs:
        # "Lock the door", "light the lamp".
        found[0] = None
    if (verb := _first_verb(spoken, language)) is not None and (each := found[verb]):
        # "Please switch on the fairy lights", but "flip the switch".
        found[verb] = None if each.domains == _OF_ANYTHING else each
    return tuple(_kind(spoken, found, run, language) for run in _runs(found))


def _first_verb(spoken: Sequence[str], language: Language) -> int | None:
    """Return the index of a command's first verb; None if it follows an article."""
    for place, word in enumerate(spoken):
        if word in patterns_of(language.code).verbs:
            is_noun = place > 0 and spoken[place - 1] in _fillers(language.code)
            return None if is_noun else place
    return None


@lru_cache(8)
def is_home_language(names: frozenset[str], code: str) -> bool:
    """Return True if the devices of a home may be named in a language, judged by category words."""
    spoken = [word for name in names for word in words(name)]
    found = {
        each: sum(word in _known(each) for word in spoken)
        for each, language in LANGUAGES.items()
        if language.categories
    }
    return found.get(code, 0) * 2 >= max(found.values())


@lru_cache
def singular_words(code: str) -> frozenset[str]:
    """Return the singular category words of a language: "brama", "bramę"."""
    return frozenset(word for word, known in _known(code).items() if not known.several)


@dataclass(frozen=True, slots=True)
class _Word:
    domains: frozenset[str]
    several: bool
    begins: str = ""


@lru_cache
def _known(code: str) -> Mapping[str, _Word]:
    """Return the category words of a language with their domains."""
    tables = language_of(code).categories
    domains: dict[str, set[str]] = {}
    for table in tables.values():
        for domain, listed in table.items():
            for word in listed:
                for each in words(word):
                    domains.setdefault(each, set()).add(domain)
    single = tables.get("one", {}).values()
    one = {word for texts in single for each in texts for word in words(each)}
    return {word: _Word(frozenset(of), word not in one) for word, of in domains.items()}


@lru_cache(1 << 14)  # a home's words, and a sentence repeats some
def _ending(word: str, code: str, domain: str = "") -> _Word | None:
    """Return the category word that ends a compound: "licht"; `domain`: as in `decompounded`."""
    known = _known(code)
    # "Unlock" is no kind of lock.
    for begin in () if word in patterns_of(code).vocabulary else range(_LONG_ENOUGH - 1, len(word)):
        if (found := known.get(word[begin:])) is None:
            continue
        # A Ventilator is no Tor.
        is_own = domain in found.domains and len(word) - begin >= _SHORTEST
        if is_own or len(word) - begin >= _LONG_ENOUGH:
            return _Word(found.domains, found.several, word[:begin])
    return None


def decompounded(name: str, code: str, domain: str = "") -> str:
    """Return a name with its compounds as two words each: "Esszimmerlicht" as "esszimmer licht".

    `domain`: the domain of the device with that name, if it has one; a shorter category word then
    also ends a compound.
    """
    parts = ((word, _ending(word, code, domain)) for word in words(name))
    return " ".join(
        f"{of.begins} {word.removeprefix(of.begins)}" if of and of.begins else word
        for word, of in parts
    )


def _runs(found: Sequence[_Word | None]) -> Iterator[range]:
    """Yield the spans of adjacent category words."""
    for is_kind, group in itertools.groupby(range(len(found)), lambda place: bool(found[place])):
        if is_kind:
            places = list(group)
            yield range(places[0], places[-1] + 1)


def _kind(
    spoken: Sequence[str], found: Sequence[_Word | None], run: range, language: Language
) -> Category:
    of = [each for place in run if (each := found[place])]
    common = frozenset[str].intersection(*(each.domains for each in of))
    begins = tuple(each.begins for each in of if each.begins)
    # "Light switch", "garage door": the common domains, else those of the head.
    domains = common or (of[0] if language.head_initial else of[-1]).domains
    known = _known(language.code)
    beside = spoken[run.stop :] if language.head_initial else spoken[: run.start][::-1]
    return Category(
        words=tuple(spoken[run.start : run.stop]),
        domains=domains,
        is_plural=any(each.several for each in of),
        synonyms=frozenset(word for word, one in known.items() if one.domains & domains),
        modifiers=(*begins, *_nearest(beside, language)),
    )


def _nearest(beside: Sequence[str], language: Language) -> tuple[str, ...]:
    """Return the content word beside a category word."""
    fillers = _fillers(language.code) | patterns_of(language.code).words_of("addressee")
    return tuple(itertools.islice((word for word in beside if word not in fillers), 1))


def is_hyponym(word: str, code: str) -> bool:
    """Return True if a word names a subtype of a category: a lamp is one of the lights.

    The first word of each list is the general one.
    """
    tables = language_of(code).categories.values()
    listed = [each for table in tables for each in table.values()]
    return all(word not in words(each[0]) for each in listed)


@lru_cache
def _fillers(code: str) -> frozenset[str]:
    return frozenset(word for filler in language_of(code).function_words for word in words(filler))


def has_universal_quantifier(text: Text) -> bool:
    """Return True if a text quantifies over all; "all the way down" does not."""
    known, said = text.language.universal_quantifiers, (*text.casefold().split(),)
    if known.isdisjoint(said):
        return False
    beside = sum(
        len(known.intersection(each))
        for each in text.patterns.phrases("wholly")
        for at in range(len(said))
        if said[at : at + len(each)] == each
    )
    return sum(word in known for word in said) > beside
