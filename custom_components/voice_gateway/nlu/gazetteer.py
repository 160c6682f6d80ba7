"""The gazetteer: the names of a home by their words, and of places that mean the same, indexed once for each home."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile
from weakref import WeakKeyDictionary

from homeassistant.helpers.area_registry import AreaEntry
from homeassistant.helpers.floor_registry import FloorEntry

from ..home.exposed import Exposed, Home
from ..languages import language_of
from ..names.inflection import is_alike
from ..names.matching import matcher, nearest_word, words
from .categories import Category, decompounded, singular_words
from .phrase_patterns import patterns_of

_LONG_ENOUGH = 4  # letters of a name's word that may begin a compound: Küchenlicht
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
        _Form(place, name, tuple(_form_words(form)))
        for place, names in language_of(code).places.items()
        for name in names
        for form in name.split("|")
    ]
    return sorted(found, key=lambda form: len(form.words), reverse=True)


def _form_words(form: str) -> Iterator[tuple[str, bool]]:
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


@lru_cache(1 << 14)  # a sentence and a home say few words again and again
def _beginning(said: tuple[str, ...], code: str) -> Sequence[_Form]:
    """Return the longest forms with which some words begin."""
    found = [form for form in _forms(code) if form.begins(said)]
    return [*takewhile(lambda form: len(form.words) == len(found[0].words), found)]


@lru_cache(1 << 14)
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


@dataclass(frozen=True, slots=True)
class EntityWords:
    """An entity, and the words by which it is told."""

    entity: Exposed
    names: Sequence[frozenset[str]]
    """The words of each of its names."""
    all: frozenset[str]
    """The words of all its names, its domain and its device class."""
    place: frozenset[str]
    """The words of its area's names, and of its floor's."""


class Gazetteer:
    """The words of a home, as a language has them.

    It holds devices and no home: it is forgotten with the home that it is of.
    """

    def __init__(self, home: Home, code: str) -> None:
        """Take the home, and the language's code as `languages` has it."""
        self._code = code
        self._everything = home.entities
        self._all_areas = home.all_areas
        self._floors_by_id = home.floors
        self.entities: Sequence[Exposed] = tuple(
            each for each in home.entities if not each.is_read_only
        )
        """The devices with which something can be done."""
        self.names_of: Mapping[Exposed, Sequence[str]] = {
            each: (*each.names, *self._decompounded(each)) for each in self.entities
        }
        """The names of each device, and those that are compounds also as several words."""
        classes = {(each.device_class or "").replace("_", " ") for each in self.entities}
        self._texts = {*home.names, *classes}.union(*self.names_of.values())
        self.all = frozenset(word for text in self._texts for word in words(text))
        """The words of all names and device classes."""
        # Where nothing is placed, rooms stand in the names: "Living Room Light", "Wohnzimmerlicht".
        names = {"".join(words(name)) for name in home.names_of_entities}
        self._areas = [
            *home.areas.values(),
            *(
                area
                for area in home.empty_areas.values()
                if not any("".join(words(area.name)) in name for name in names)
            ),
        ]
        self._floors = [*home.floors.values()]
        self._longest = max(map(len, self.all), default=0)
        self._by_entity: dict[Exposed, frozenset[str]] = {}
        self._called: dict[str, list[Exposed]] = {}
        for each in self.entities:
            own = (matcher(code).word_set(name) for name in self.names_of[each])
            for word in frozenset[str]().union(*own):
                self._called.setdefault(word, []).append(each)

    def of_entity(self, entity: Exposed) -> frozenset[str]:
        """Return the words by which an entity is told: those of its names, and of its device class."""
        if (known := self._by_entity.get(entity)) is None:
            device_class = (entity.device_class or "").replace("_", " ")
            texts = (*self.names_of.get(entity, entity.names), device_class)
            known = frozenset(word for text in texts for word in words(text))
            self._by_entity[entity] = known
        return known

    def _decompounded(self, entity: Exposed) -> Iterator[str]:
        """Yield a device's names that have a compound, with its parts apart."""
        for name in entity.names:
            if (apart := decompounded(name, self._code, entity.domain)) != " ".join(words(name)):
                yield apart

    def correct_spelling(self, said: Sequence[str]) -> Sequence[str]:
        """Return words that were said, those that are no word of the language as the home's nearest ones."""
        meant = {word: self._nearest(word) for word in {*said}}
        return [meant[word] for word in said]

    def _nearest(self, word: str) -> str:
        known = patterns_of(self._code).command_words
        begin, *_ = decompounded(word, self._code).split()
        # The Garagenlicht is no Gartenlicht.
        is_known = word in known or word in self.all or is_place(begin, self._code)
        return word if is_known else nearest_word(word, self.all)

    @cached_property
    def places(self) -> PlaceNames:
        """The names of places that are in the names of the home."""
        areas = (name for each in self._areas for name in (each.name, *each.aliases))
        return PlaceNames(map(words, {*self._texts, *areas}), self._code)

    def inflections_of(self, kinds: Iterable[Category]) -> frozenset[str]:
        """Return the words of the home that are another form of one that says a kind: "bramę", Brama."""
        said = {word for kind in kinds if not kind.is_plural for word in kind.words}
        single = singular_words(self._code) & self.all
        # All but the last letter: a portail is no porte.
        return frozenset(
            own
            for own in single
            for word in said - {own}
            if is_alike(own, word, max(_LONG_ENOUGH, len(own) - 1, len(word) - 1))
        )

    def compounds_of(self, said: Iterable[str]) -> frozenset[str]:
        """Return the words of the home with which longer ones begin that were said."""
        lengths = range(_LONG_ENOUGH, self._longest + 1)
        return self.all & {
            word[:length] for word in said for length in lengths[: max(0, len(word) - _LONG_ENOUGH)]
        }

    def candidates(self, spoken: Collection[str]) -> Collection[Exposed]:
        """Return the devices in whose names is one of the words that were spoken."""
        found: dict[Exposed, None] = {}
        for word in spoken:
            found.update(dict.fromkeys(self._called.get(word, ())))
        return found

    def find_areas(self, spoken: frozenset[str]) -> list[AreaEntry]:
        """Return the areas whose names were said as a whole: "Bedroom 2" is not the bedroom."""
        said = [
            longest_name((each.name, *each.aliases), self._code, spoken) for each in self._areas
        ]
        return [
            area
            for area, own in zip(self._areas, said, strict=True)
            if own and not any(own < other for other in said)
        ]

    def find_floors(self, spoken: frozenset[str]) -> list[FloorEntry]:
        """Return the floors whose names were said as a whole."""
        floors = self._floors
        return [
            each for each in floors if longest_name((each.name, *each.aliases), self._code, spoken)
        ]

    def described_by(
        self,
        said: Iterable[str],
        domains: Iterable[str] = (),
        areas: Iterable[str] = (),
        places: Iterable[str] = (),
    ) -> list[EntityWords]:
        """Return all entities that have one of some words, domains, areas, or words of their place.

        They are in the home's order.
        """
        keys = {"word": said, "place": places, "domain": domains, "area": areas}
        found = {
            at
            for key, values in keys.items()
            for value in values
            for at in self._index.get((key, value), ())
        }
        return [self._listed[at] for at in sorted(found)]

    @cached_property
    def _listed(self) -> Sequence[EntityWords]:
        return [*self.described.values()]

    @cached_property
    def described(self) -> Mapping[Exposed, EntityWords]:
        """The words of all entities, in the home's order."""
        return {each: self._words_of(each) for each in self._everything}

    def words_of_area(self, area_id: str) -> frozenset[str]:
        """Return the words of an area's names, and of its floor's; none for an unknown id."""
        if (area := self._all_areas.get(area_id)) is None:
            return frozenset()
        texts = {area.name, *area.aliases}
        if floor := self._floors_by_id.get(area.floor_id or ""):
            texts |= {floor.name, *floor.aliases}
        return frozenset(word for text in texts for word in words(text))

    def _words_of(self, entity: Exposed) -> EntityWords:
        kind = f"{entity.domain} {entity.device_class or ''}"
        texts = [text.replace("_", " ") for text in (*entity.names, kind)]
        words_of = [frozenset(matcher(self._code).tokens(text)) for text in texts]
        every = frozenset[str]().union(*words_of)
        return EntityWords(entity, words_of[:-1], every, self.words_of_area(entity.area))

    @cached_property
    def names(self) -> Sequence[tuple[Exposed, frozenset[str]]]:
        """All entities, under each of their names, as sets of words."""
        word_set = matcher(self._code).word_set
        return [(each, word_set(name)) for each in self._everything for name in each.names]

    @cached_property
    def ids_by_name(self) -> Mapping[str, Collection[str]]:
        """The ids of all entities by the words of each name, written together."""
        ids: dict[str, set[str]] = {}
        for each in self._everything:
            for name in each.names:
                ids.setdefault("".join(matcher(self._code).tokens(name)), set()).add(each.entity_id)
        return ids

    @cached_property
    def _index(self) -> Mapping[tuple[str, str], Sequence[int]]:
        """The places of entities by their words, domains and areas."""
        index: dict[tuple[str, str], list[int]] = {}
        for at, each in enumerate(self._listed):
            own = (("domain", each.entity.domain), ("area", each.entity.area))
            places = (("place", word) for word in each.place)
            for key in (*own, *places, *(("word", word) for word in each.all)):
                index.setdefault(key, []).append(at)
        return index


_OF: WeakKeyDictionary[Home, dict[str, Gazetteer]] = WeakKeyDictionary()
"""By language, as long as a home is as it is: another one is made of it with every change."""


def gazetteer_of(home: Home, code: str) -> Gazetteer:
    """Return the words of a home in a language, by its code as `languages` has it."""
    of_home = _OF.setdefault(home, {})
    if (known := of_home.get(code)) is None:
        known = of_home[code] = Gazetteer(home, code)
    return known


def areas_by_word(
    home: Home, known: Gazetteer, code: str, spoken: frozenset[str]
) -> Mapping[str, frozenset[str]]:
    """Return by a word that was said the ids of the areas that are one: "bedroom", "Main Bedroom".

    It tells none where it is one of the language's commands, as "room" is, or in the name of a device
    elsewhere, which it tells then; that of a "Bedroom Fan" in there is of the area. The words beside it
    tell none alone: "the main light" is in no Main Bedroom.
    """
    heads = {id_: _heads(area, code) for id_, area in home.areas.items()}
    utterance = spoken.intersection(frozenset[str]().union(*heads.values()))
    told = {word: frozenset(id_ for id_, own in heads.items() if word in own) for word in utterance}
    return {word: areas for word, areas in told.items() if _is_of(areas, known.candidates({word}))}


def _is_of(areas: frozenset[str], called: Collection[Exposed]) -> bool:
    """Return True if a word is of areas alone: called so is nothing, but in the only one of them."""
    return not called or (len(areas) == 1 and areas.issuperset(each.area for each in called))


def longest_name(names: Iterable[str], code: str, spoken: frozenset[str]) -> frozenset[str]:
    """Return the words of the longest of some names that was said as a whole."""
    own = map(matcher(code).word_set, names)
    return max([each for each in own if each <= spoken], key=len, default=frozenset())


def _heads(area: AreaEntry, code: str) -> frozenset[str]:
    """Return the words that say what an area is: the last ones of its names, or the first ones."""
    first = 0 if language_of(code).head_initial else -1
    names = (
        [word for word in words(name) if word.isalpha()] for name in (area.name, *area.aliases)
    )
    return frozenset(own[first] for own in names if own) - patterns_of(code).command_words
