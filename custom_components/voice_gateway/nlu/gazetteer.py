"""The gazetteer: the names of a home and synonyms of places, indexed by their words."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, pairwise, takewhile
from weakref import WeakKeyDictionary

from homeassistant.helpers.area_registry import AreaEntry
from homeassistant.helpers.floor_registry import FloorEntry

from ..home.exposed import Exposed, Home
from ..languages import language_of
from ..names.inflection import is_alike
from ..names.matching import matcher, nearest_word, words
from .categories import Category, decompounded, singular_words
from .numerals import number_words
from .phrase_patterns import patterns_of

_LONG_ENOUGH = 4  # letters of a name's word that may begin a compound: Küchenlicht
_ENDING = 3
"""The most letters that follow a stem."""
_STEM = "-"


@dataclass(frozen=True, slots=True)
class _Form:
    """An inflected form of a place's name: its words, each with whether it is a stem."""

    place: str
    name: str
    words: tuple[tuple[str, bool], ...]

    @property
    def is_stem(self) -> bool:
        """Whether a stem in it stands for all inflected forms of a word."""
        return any(is_stem for _, is_stem in self.words)

    def begins(self, said: Sequence[str]) -> bool:
        """Return True if some words begin with it."""
        return len(said) >= len(self.words) and all(
            word == own or (is_stem and word.startswith(own) and len(word) - len(own) <= _ENDING)
            for word, (own, is_stem) in zip(said, self.words, strict=False)
        )


@lru_cache
def _forms(code: str) -> Sequence[_Form]:
    """Return the forms of all place names in a language, the longest first."""
    found = [
        _Form(place, name, tuple(_form_words(form)))
        for place, names in language_of(code).places.items()
        for name in names
        for form in name.split("|")
    ]
    return sorted(found, key=lambda form: len(form.words), reverse=True)


def has_place_word(said: Sequence[str], code: str) -> bool:
    """Return True if a language has a word for a place among some words."""
    return any(form.begins(said[at:]) for at in range(len(said)) for form in _forms(code))


def _form_words(form: str) -> Iterator[tuple[str, bool]]:
    for each in form.split():
        for word in words(each):
            yield word, each.endswith(_STEM)


@lru_cache
def synonyms(code: str) -> Sequence[Sequence[Sequence[str]]]:
    """Return the content words of each place name's forms, as word beginnings."""
    empty = matcher(code).function_words
    places: dict[str, list[Sequence[str]]] = {}
    for form in _forms(code):
        telling = [word for word, _ in form.words if word not in empty]
        places.setdefault(form.place, []).append(telling)
    return [*places.values()]


@lru_cache(1 << 14)  # a sentence and a home repeat few words
def _beginning(said: tuple[str, ...], code: str) -> Sequence[_Form]:
    """Return the longest forms that some words begin with."""
    found = [form for form in _forms(code) if form.begins(said)]
    return [*takewhile(lambda form: len(form.words) == len(found[0].words), found)]


@lru_cache(1 << 14)
def is_place(word: str, code: str) -> bool:
    """Return True if a word is a place name in a language."""
    return any(len(form.words) == 1 for form in _beginning((word,), code))


def _spans(said: Sequence[str], code: str) -> Iterator[tuple[range, Sequence[_Form]]]:
    """Yield the spans of place names in a text, with the forms that match."""
    longest = len(forms[0].words) if (forms := _forms(code)) else 0
    place = 0
    while place < len(said):
        found = _beginning(tuple(said[place : place + longest]), code)
        span = range(place, place + (len(found[0].words) if found else 1))
        if found:
            yield span, found
        place = span.stop


class PlaceNames:
    """The place names that occur in a home's own names."""

    def __init__(self, names: Iterable[Sequence[str]], code: str) -> None:
        """Take the words of the home's names, and the language code as in `languages`."""
        self._code = code
        self._all: set[str] = set()
        self._own: dict[str, dict[str, set[str]]] = {}
        """The home's words for a place, by place and name."""
        for own in names:
            self._all.update(own)
            for span, forms in _spans(own, code):
                for form in forms:
                    known = self._own.setdefault(form.place, {})
                    known.setdefault(form.name, set()).update(own[span.start : span.stop])

    def find_synonyms(
        self, said: Sequence[str], *, is_literal: bool = False
    ) -> Mapping[str, frozenset[str]]:
        """Return, by words of an utterance, the home's words for the same place.

        They are other forms of the same name. If the home has none, they are those of the only
        other name that it has for that place; a word that names something in the home has none.
        `is_literal`: only other forms of the same word.
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

        None if a modifier in the home restricts it: "Anna's study" may not be the office.
        """
        names = {
            name: frozenset(own)
            for each in forms
            for name, own in self._own.get(each.place, {}).items()
        }
        is_certain = len(names) == 1 and beside not in self._all
        return names.popitem()[1] if is_certain else frozenset()

    def _beside(self, said: Sequence[str], span: range) -> str:
        """Return the modifier beside a name; empty if it is a category word."""
        place = span.stop if language_of(self._code).head_initial else span.start - 1
        beside = said[place] if 0 <= place < len(said) else ""
        empty = matcher(self._code).function_words | patterns_of(self._code).category_words
        return "" if beside in empty else beside


@dataclass(frozen=True, slots=True)
class EntityWords:
    """An entity with the words that describe it."""

    entity: Exposed
    names: Sequence[frozenset[str]]
    """The words of each of its names."""
    all: frozenset[str]
    """The words of all its names, its domain and its device class."""
    place: frozenset[str]
    """The words of its area's names, and of its floor's."""


class Gazetteer:
    """The words of a home in a language.

    It holds no reference to the home, so that both can be freed together.
    """

    def __init__(self, home: Home, code: str) -> None:
        """Take the home, and the language code as in `languages`."""
        self._code = code
        self._everything = home.entities
        self._all_areas = home.all_areas
        self._floors_by_id = home.floors
        self.entities: Sequence[Exposed] = tuple(
            each for each in home.entities if not each.is_read_only
        )
        """The devices that can be controlled."""
        self.names_of: Mapping[Exposed, Sequence[str]] = {
            each: (*each.names, *self._decompounded(each)) for each in self.entities
        }
        """The names of each device, those with compounds also with their parts apart."""
        classes = {(each.device_class or "").replace("_", " ") for each in self.entities}
        self._texts = {*home.names, *classes}.union(*self.names_of.values())
        self.all = frozenset(word for text in self._texts for word in words(text))
        """The words of all names and device classes."""
        # In a home without areas, rooms are in names: "Living Room Light", "Wohnzimmerlicht".
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
        """Return the words of an entity's names and device class."""
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
        """Return words with the nearest ones of the home for those that are not in the language.

        A number behind a name's word is written as in the name: "bedroom two" is Bedroom 2.
        """
        meant = {word: self._nearest(word) for word in {*said}}
        spelled = [meant[word] for word in said]
        for place, (before, word) in enumerate(pairwise(spelled), 1):
            number = number_words(self._code).get(word, word)
            spelled[place] = self._numbered.get((before, str(number)), word)
        return spelled

    @cached_property
    def _numbered(self) -> Mapping[tuple[str, str], str]:
        """The numbers in names as written there, by the word before and the number in digits."""
        areas = (name for each in self._areas for name in (each.name, *each.aliases))
        known = number_words(self._code)
        pairs = (pair for text in {*self._texts, *areas} for pair in pairwise(words(text)))
        numbered = ((before, str(known.get(word, word)), word) for before, word in pairs)
        return {(before, digits): word for before, digits, word in numbered if digits.isdecimal()}

    def _nearest(self, word: str) -> str:
        known, numbers = patterns_of(self._code).command_words, number_words(self._code)
        begin, *_ = decompounded(word, self._code).split()
        # The Garagenlicht is no Gartenlicht.
        is_known = word in known or word in numbers or word in self.all
        is_known = is_known or is_place(begin, self._code)
        return word if is_known else nearest_word(word, self.all)

    @cached_property
    def places(self) -> PlaceNames:
        """The place names in the names of the home."""
        areas = (name for each in self._areas for name in (each.name, *each.aliases))
        return PlaceNames(map(words, {*self._texts, *areas}), self._code)

    def inflections_of(self, kinds: Iterable[Category]) -> frozenset[str]:
        """Return the home's words that are another form of a category word: "bramę", Brama."""
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
        """Return the home's words that longer words of an utterance begin with."""
        lengths = range(_LONG_ENOUGH, self._longest + 1)
        return self.all & {
            word[:length] for word in said for length in lengths[: max(0, len(word) - _LONG_ENOUGH)]
        }

    def called_with(self, word: str) -> Sequence[Exposed]:
        """Return the devices with a word in their names."""
        return self._called.get(word, ())

    def candidates(self, spoken: Collection[str]) -> Collection[Exposed]:
        """Return the devices with a name that may consist of some words: they have its rarest."""
        return {each for word in spoken for each in self._by_rarest.get(word, ())}

    @cached_property
    def _by_rarest(self) -> Mapping[str, Collection[Exposed]]:
        """The devices by the rarest word of each name."""
        found: dict[str, set[Exposed]] = {}
        for each in self.entities:
            for name in self.names_of[each]:
                if own := matcher(self._code).word_set(name):
                    rarest = min(own, key=lambda word: len(self._called[word]))
                    found.setdefault(rarest, set()).add(each)
        return found

    @cached_property
    def _by_domain(self) -> Mapping[str, Collection[Exposed]]:
        found: dict[str, list[Exposed]] = {}
        for each in self.entities:
            found.setdefault(each.domain, []).append(each)
        return found

    def of_domains(self, domains: Iterable[str]) -> Iterator[Exposed]:
        """Yield the devices of some domains."""
        return chain.from_iterable(self._by_domain.get(each, ()) for each in domains)

    def find_areas(self, spoken: frozenset[str]) -> list[AreaEntry]:
        """Return the areas whose whole name is among the words: "Bedroom 2" is not the bedroom."""
        said = [
            longest_name((each.name, *each.aliases), self._code, spoken) for each in self._areas
        ]
        return [
            area
            for area, own in zip(self._areas, said, strict=True)
            if own and not any(own < other for other in said)
        ]

    def find_floors(self, spoken: frozenset[str]) -> list[FloorEntry]:
        """Return the floors whose whole name is among the words."""
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
        """All entities with the words of each of their names."""
        word_set = matcher(self._code).word_set
        return [(each, word_set(name)) for each in self._everything for name in each.names]

    @cached_property
    def ids_by_name(self) -> Mapping[str, Collection[str]]:
        """The ids of all entities by the words of each name, joined without spaces."""
        ids: dict[str, set[str]] = {}
        for each in self._everything:
            for name in each.names:
                ids.setdefault("".join(matcher(self._code).tokens(name)), set()).add(each.entity_id)
        return ids

    @cached_property
    def _index(self) -> Mapping[tuple[str, str], Sequence[int]]:
        """The indexes of entities by their words, domains and areas."""
        index: dict[tuple[str, str], list[int]] = {}
        for at, each in enumerate(self._listed):
            own = (("domain", each.entity.domain), ("area", each.entity.area))
            places = (("place", word) for word in each.place)
            for key in (*own, *places, *(("word", word) for word in each.all)):
                index.setdefault(key, []).append(at)
        return index


_OF: WeakKeyDictionary[Home, dict[str, Gazetteer]] = WeakKeyDictionary()
"""By home and language; each change of the home makes another `Home`."""


def gazetteer_of(home: Home, code: str) -> Gazetteer:
    """Return the words of a home in a language, by its code as in `languages`."""
    of_home = _OF.setdefault(home, {})
    if (known := of_home.get(code)) is None:
        known = of_home[code] = Gazetteer(home, code)
    return known


def areas_by_word(
    home: Home, known: Gazetteer, code: str, spoken: frozenset[str]
) -> Mapping[str, frozenset[str]]:
    """Return, by word, the ids of the areas of that type: "bedroom", "Main Bedroom".

    A word of the language's commands, as "room", names no area, nor does one in the name of a
    device elsewhere; one in a device's name inside, "Bedroom Fan", does. Modifiers alone name none:
    "the main light" is in no Main Bedroom.
    """
    heads = {id_: _heads(area, code) for id_, area in home.areas.items()}
    utterance = spoken.intersection(frozenset[str]().union(*heads.values()))
    told = {word: frozenset(id_ for id_, own in heads.items() if word in own) for word in utterance}
    return {word: areas for word, areas in told.items() if _is_of(areas, known.called_with(word))}


def _is_of(areas: frozenset[str], called: Collection[Exposed]) -> bool:
    """Return True if a word only names areas: no device, except in the only one of them."""
    return not called or (len(areas) == 1 and areas.issuperset(each.area for each in called))


def longest_name(names: Iterable[str], code: str, spoken: frozenset[str]) -> frozenset[str]:
    """Return the words of the longest of some names whose words are all spoken."""
    own = map(matcher(code).word_set, names)
    return max([each for each in own if each <= spoken], key=len, default=frozenset())


def _heads(area: AreaEntry, code: str) -> frozenset[str]:
    """Return the heads of an area's names: their last words, or their first ones."""
    first = 0 if language_of(code).head_initial else -1
    names = (
        [word for word in words(name) if word.isalpha()] for name in (area.name, *area.aliases)
    )
    return frozenset(own[first] for own in names if own) - patterns_of(code).command_words
