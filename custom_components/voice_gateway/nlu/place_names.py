"""Names of places that mean the same: the lounge is the living room; in Polish "kuchni" and "kuchenne" are of one room."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from ..languages import language_of
from ..names.matching import matcher, words
from .phrase_patterns import patterns_of

_ENDING = 3
"""Letters that follow a stem at most."""
_STEM = "-"


@dataclass(frozen=True, slots=True)
class _Form:
    """A form of one of a place's names: its words, of which some are stems."""

    place: str
    name: str
    words: tuple[tuple[str, bool], ...]

    @property
    def is_stem(self) -> bool:
        """Whether it stands for all forms of its words."""
        return any(is_stem for _, is_stem in self.words)

    def begins(self, said: Sequence[str]) -> bool:
        """Return True if some words begin with it."""
        return len(said) >= len(self.words) and all(
            word == own or (is_stem and word.startswith(own) and len(word) - len(own) <= _ENDING)
            for word, (own, is_stem) in zip(said, self.words, strict=False)
        )


@lru_cache
def _forms(code: str) -> Sequence[_Form]:
    """Return the forms of all names of places in a language, the longest first."""
    found = [
        _Form(place, name, tuple(_words(form)))
        for place, names in language_of(code).places.items()
        for name in names
        for form in name.split("|")
    ]
    return sorted(found, key=lambda form: len(form.words), reverse=True)


def _words(form: str) -> Iterator[tuple[str, bool]]:
    for each in form.split():
        for word in words(each):
            yield word, each.endswith(_STEM)


@lru_cache
def synonyms(code: str) -> Sequence[Sequence[Sequence[str]]]:
    """Return the forms of each place's names, as the beginnings of their words, but those that say nothing."""
    empty = matcher(code).function_words
    places: dict[str, list[Sequence[str]]] = {}
    for form in _forms(code):
        telling = [word for word, _ in form.words if word not in empty]
        places.setdefault(form.place, []).append(telling)
    return [*places.values()]


@lru_cache(4096)  # a sentence and a home say few words again and again
def _beginning(said: tuple[str, ...], code: str) -> Sequence[_Form]:
    """Return the longest forms with which some words begin."""
    found = [form for form in _forms(code) if form.begins(said)]
    return [*takewhile(lambda form: len(form.words) == len(found[0].words), found)]


@lru_cache(4096)
def is_place(word: str, code: str) -> bool:
    """Return True if a word is what a place is called in a language."""
    return any(len(form.words) == 1 for form in _beginning((word,), code))


def _spans(said: Sequence[str], code: str) -> Iterator[tuple[range, Sequence[_Form]]]:
    """Yield where the names of places stand in a text, and of which forms they are."""
    longest = len(forms[0].words) if (forms := _forms(code)) else 0
    place = 0
    while place < len(said):
        found = _beginning(tuple(said[place : place + longest]), code)
        span = range(place, place + (len(found[0].words) if found else 1))
        if found:
            yield span, found
        place = span.stop


class PlaceNames:
    """The names of places by which a home calls what it has."""

    def __init__(self, names: Iterable[Sequence[str]], code: str) -> None:
        """Take the words of each name in the home, and the language's code as `languages` has it."""
        self._code = code
        self._all: set[str] = set()
        self._own: dict[str, dict[str, set[str]]] = {}
        """The words in the home that are a place's, by the place and its name."""
        for own in names:
            self._all.update(own)
            for span, forms in _spans(own, code):
                for form in forms:
                    known = self._own.setdefault(form.place, {})
                    known.setdefault(form.name, set()).update(own[span.start : span.stop])

    def find_synonyms(
        self, said: Sequence[str], *, is_literal: bool = False
    ) -> Mapping[str, frozenset[str]]:
        """Return, by words that were said, the home's words for the same place.

        They are those of the same name, in other forms. Where the home has none, they are those of the
        only other name that it has of that place; a word that names something in the home stays what it is.
        `is_literal`: only other forms of the very word.
        """
        empty = matcher(self._code).function_words
        found: dict[str, frozenset[str]] = {}
        for span, forms in _spans(said, self._code):
            telling = frozenset(said[place] for place in span) - empty
            stems = [form for form in forms if form.is_stem]
            if is_literal or telling <= self._all:
                told = self._same(stems)
            else:
                told = self._same(forms) or self._other(forms, self._beside(said, span))
            if others := told - telling:
                found.update(dict.fromkeys(telling, others))
        return found

    def _same(self, forms: Sequence[_Form]) -> frozenset[str]:
        """Return the home's words for the same names."""
        return frozenset[str]().union(
            *(self._own.get(each.place, {}).get(each.name, ()) for each in forms)
        )

    def _other(self, forms: Sequence[_Form], beside: str) -> frozenset[str]:
        """Return the home's words for the only other name of the place.

        None where a word of the home tells which one of these it is: "Anna's study" may not be the office.
        """
        names = {
            name: frozenset(own)
            for each in forms
            for name, own in self._own.get(each.place, {}).items()
        }
        is_certain = len(names) == 1 and beside not in self._all
        return names.popitem()[1] if is_certain else frozenset()

    def _beside(self, said: Sequence[str], span: range) -> str:
        """Return the word beside a name that tells which one it is; nothing where it is one for a kind."""
        place = span.stop if language_of(self._code).head_initial else span.start - 1
        beside = said[place] if 0 <= place < len(said) else ""
        empty = matcher(self._code).function_words | patterns_of(self._code).category_words
        return "" if beside in empty else beside
