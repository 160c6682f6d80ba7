"""Entity linking: which entities a text refers to, and how certainly."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, pairwise, takewhile
import re

from homeassistant.helpers.area_registry import AreaEntry
from homeassistant.helpers.floor_registry import FloorEntry

from ..home.exposed import Exposed, Home
from ..names.inflection import is_negation
from ..names.matching import matcher, words
from .categories import (
    Category,
    decompounded,
    find_categories,
    has_universal_quantifier,
    is_home_language,
    is_hyponym,
)
from .gazetteer import Gazetteer, areas_by_word, gazetteer_of, longest_name
from .mentions import is_access_entity
from .predicates import Predicate, entities_for_sense
from .tokenizer import Text
from .tokens import with_numbers

_WRITTEN = re.compile(r"[\w'’-]+")
_IN_PLACE = frozenset(("cover", "fan", "humidifier", "light", "lock", "media_player"))
"""Domains whose devices do nothing elsewhere: a thermostat in the hall may warm other rooms."""
_COVERS = frozenset(("cover",))
_PREPOSITIONAL = 2
"""Words before a place: a preposition, and an article."""
_LOCK = "lock"
_COOLS, _HEATS = "cools", "heats"
_OF_SORTS = frozenset(("climate", "media_player"))
"""Domains whose devices are of several sorts, each with words of its own: a TV is no speaker."""


@dataclass(frozen=True)
class EntityLinker:
    """What a command says of its devices: their names, where they are, and what they are.

    Of a language without words for kinds it says no kind.
    """

    text: Text
    home: Home
    speaker_area: str | None
    """The id of the area where the speaker is, if that is known."""
    is_literal: bool = False
    """Whether places are told by no other names than the home's own."""

    @property
    def is_known_verbatim(self) -> bool:
        """Whether each of its words is one of the language, or of a name, as it stands."""
        known = self.text.patterns.vocabulary | self._words.all
        return all(word in known or not word.isalpha() for word in self.text.words)

    @property
    def has_mention(self) -> bool:
        """Whether it says anything of devices or places."""
        return bool(self.categories or self.named or self.areas)

    @cached_property
    def categories(self) -> tuple[Category, ...]:
        """The kinds of devices that it speaks of."""
        return find_categories(self.text)

    @cached_property
    def _words(self) -> Gazetteer:
        return gazetteer_of(self.home, self.text.code)

    @cached_property
    def _synonyms(self) -> Mapping[str, frozenset[str]]:
        """The home's words for the places that are said, by the words for them."""
        if self.is_literal:
            return {}
        parts = (decompounded(each, self.text.code).split() for each in self.text.words)
        return self._words.places.find_synonyms([*chain.from_iterable(parts)])

    @cached_property
    def named(self) -> frozenset[Exposed]:
        """The devices that it names: by all words of a name but those for what the device is.

        None elsewhere than where it says; of those that share a name such as "Lights", the speaker's.
        """
        if self.areas:
            return frozenset(self._called_by_name.keys() - self._elsewhere)
        shared = {each for each, own in self._called_by_name.items() if own <= self.category_words}
        here = {each for each in shared if each.area == self.speaker_area}
        others = shared - here if here and not self.says_all else ()
        return frozenset(self._called_by_name.keys() - others)

    @cached_property
    def _called_by_name(self) -> Mapping[Exposed, frozenset[str]]:
        """The devices of which a name was said, wherever they are, and the words of it."""
        said = {each: self._said_of(each) for each in self._words.candidates(self.corrected_words)}
        return {
            entity: own
            for entity, own in said.items()
            # "Front door lock" names the lock, and no "Front door" besides. A speaker that is called
            # as its room is not named by who speaks of the room.
            if not own <= self.place_words and not any(own < other for other in said.values())
        }

    @cached_property
    def _elsewhere(self) -> frozenset[Exposed]:
        """The devices of which a name was said, but which are not where it says."""
        return frozenset(
            each
            for each, own in self._called_by_name.items()
            if not self._is_there(each)
            and each.domain in _IN_PLACE
            and (each.area or own <= self.category_words)
            and self._has_place(each, own)
        )

    def _is_there(self, entity: Exposed) -> bool:
        """Return True if a device is where it says, if it says where."""
        return not self.areas or entity.area in self.areas

    def _has_place(self, entity: Exposed, own: frozenset[str]) -> bool:
        """Return True if a place is said of a device: beside its name, or beside nothing else."""
        places = self.place_words - own
        said = {word for kind in self.categories for word in (*kind.words, *kind.synonyms)}
        telling = own - said or own.union(
            *(kind.words for kind in self.categories if entity.domain in kind.domains)
        )
        things = said.union(*self._called_by_name.values()) - places
        is_one = not self.says_all and self.text.language.conjunctions.isdisjoint(self.text.words)
        return any(
            not telling.isdisjoint(each)
            # "Play The Office on the TV": a place by itself has a preposition.
            or (is_one and things.isdisjoint(each) and not self._prepositions.isdisjoint(each))
            for each in self._phrases
            if not places.isdisjoint(each)
        )

    @property
    def _prepositions(self) -> frozenset[str]:
        return self.text.patterns.words_of("where_media")

    @cached_property
    def _phrases(self) -> Sequence[frozenset[str]]:
        """The words of its noun phrases: names, kinds and places, with function words between them.

        What stands before a place is said of it, and what follows only without a preposition.
        """
        kinds = {word for kind in self.categories for word in kind.words}
        fillers = matcher(self.text.code).function_words - self.text.language.conjunctions
        known = self._words.all | kinds | self.place_words | fillers
        phrases: list[set[str]] = [set()]
        for token in self.text.tokens:
            said = frozenset(self._words.correct_spelling(words(token.text)))
            is_known = bool(said) and (said <= known or token.text.endswith("'"))
            if not is_known or (said <= self._prepositions and phrases[-1] & self.place_words):
                phrases.append(set())
            if is_known:
                phrases[-1] |= said
        return [frozenset(each) for each in phrases if each]

    @cached_property
    def without_prepositions(self) -> Text:
        """It without prepositions between a thing and its place, which are no particles of its verb.

        "Clean the light on the balcony" does not say that the light is to be on.
        """
        empty = self.text.language.function_words
        known = (
            self._words.all | {word for kind in self.categories for word in kind.words}
        ) - empty
        said, left = self.text.split(), set[int]()
        for place in range(2, len(said)):
            # A preposition, and maybe an article.
            first = place
            while place - first < _PREPOSITIONAL and first and said[first - 1].casefold() in empty:
                first -= 1
            between = {word for each in said[first:place] for word in words(each)}
            # "Water the yard": an article alone belongs to no place.
            if first and not (
                self._prepositions.isdisjoint(between)
                or self.place_words.isdisjoint(words(said[place]))
                or known.isdisjoint(words(said[first - 1]))
            ):
                left.update(range(first, place))
        return self.text.alike(" ".join(each for at, each in enumerate(said) if at not in left))

    @cached_property
    def areas(self) -> frozenset[str]:
        """The ids of the areas that it names, and of those on a floor that it names."""
        named = {area.id for area in self._places[0]}
        floors = {floor.floor_id for floor in self._places[1]}
        on_floors = {id_ for id_, area in self.home.areas.items() if area.floor_id in floors}
        return frozenset(named & on_floors or named | on_floors) or self._areas_told

    @cached_property
    def _areas_told(self) -> frozenset[str]:
        """The ids of the areas that a word tells: one, that where the speaker is, or all of several."""
        told = areas_by_word(self.home, self._words, self.text.code, self.corrected_words)
        return frozenset().union(*(self._areas_of(each) for each in told.values()))

    def _areas_of(self, told: frozenset[str]) -> frozenset[str]:
        if self.says_all or len(told) == 1:
            return told
        here = told & {self.speaker_area}
        return here or (told if self._several else frozenset())

    @cached_property
    def only_mentions(self) -> bool:
        """Whether all of its words say what devices are called, what they are, and where.

        No word of it says how bright, how warm or how loud; a number is one of a name.
        """
        language = self.text.language
        found = self.named | self._called
        known = {word for each in found for word in self._words_of(each)} | self.place_words
        known.update(
            matcher(self.text.code).function_words,
            language.conjunctions,
            language.universal_quantifiers,
            self._apart,
            self._synonyms,
        )
        known.update(word for kind in self.categories for word in kind.words)
        return known.issuperset(self._words.correct_spelling(self.text.words))

    @cached_property
    def sense_domains(self) -> frozenset[str]:
        """The domains of the devices that alone do what it says: "clean the kitchen", "mow".

        None where it names a device, or says what is to be cleaned besides a place.
        """
        if not self.predicate.domains:
            return frozenset()
        language = self.text.language
        places = (
            self.place_words
            | matcher(self.text.code).function_words
            | language.universal_quantifiers
            | self._here_words
        )
        others = [
            kind for kind in self.categories if kind.domains.isdisjoint(self.predicate.domains)
        ]
        is_known = self.predicate.other_words <= places | {
            word for each in self.categories for word in each.words
        }
        return frozenset() if others or self.named or not is_known else self.predicate.domains

    @cached_property
    def _only_doers(self) -> frozenset[Exposed]:
        doers = (entities_for_sense(each, self.home, self.text.code) for each in self.sense_domains)
        return frozenset(each for [each] in (found for found in doers if len(found) == 1))

    def fits_sense(self, entity: Exposed) -> bool:
        """Return True if a device may do what `sense_domains` do: as one of them, or by what it is called."""
        return entity.domain in self.sense_domains or not self._words_of(entity).isdisjoint(
            self.predicate.agent_words
        )

    @property
    def predicate(self) -> Predicate:
        """What it says is to become of something."""
        return Predicate.of(self.without_prepositions)

    @property
    def _here_words(self) -> frozenset[str]:
        return self.text.patterns.words_of("conditions.here")

    def may_refer_to(self, entity: Exposed, *, harmless: bool = False) -> bool:
        """Return True if it may mean this device rather than another one.

        What is harmless may be done to one of its kind that is called by a word that nobody knows.
        """
        if entity in self.named:
            return True
        if entity in self._only_doers or self._is_word_for(entity):
            return True
        if self.is_foreign or self.unknown_modifier(entity):
            return (harmless or self.is_foreign) and self._is_of_kind(entity)
        return entity in self._chosen

    def mentions_category_of(self, entity: Exposed) -> bool:
        """Return True if it says what this device is, or does: whatever that is called."""
        return entity.domain in self.sense_domains or (
            bool(self.categories) and self._is_of_kind(entity)
        )

    def may_translate(self, entity: Exposed) -> bool:
        """Return True if it may have another language's word for this device, which lets nobody in."""
        is_told = self.is_foreign and bool(self.categories) and self._is_of_kind(entity)
        return (is_told or self._is_word_for(entity)) and not is_access_entity(entity)

    def _is_word_for(self, entity: Exposed) -> bool:
        """Return True if its word for a kind may stand for this device, and for no other like it."""
        alike = [each for each in self._translated if each.domain == entity.domain]
        return alike == [entity]

    def surely_refers_to(self, entity: Exposed) -> bool:
        """Return True if it means this device and no other: of what would let somebody in."""
        if self._synonyms:
            return replace(self, is_literal=True).surely_refers_to(entity)
        if entity in self.named:
            return True
        if not self.categories or not self._is_of_kind(entity) or self.unknown_modifier(entity):
            return False
        rivals = [each for each in self._words.entities if each.domain == entity.domain]
        here = [*filter(self._is_there, rivals)]
        if here == [entity] or [each for each in here if each in self._here] == [entity]:
            return True
        if entity not in self._chosen or not self._is_called_as_kind(entity):
            return False
        # "Close the garage": of the covers there, one is called so.
        is_cover = any(kind.domains == {"cover"} for kind in self.categories)
        own = [each for each in here if self._is_called_as_kind(each)] if is_cover else []
        return bool(self._about(entity)) or own == [entity]

    def refers_to_all_with(self, entity: Exposed) -> bool:
        """Return True if it says all of a kind, and this device is one of them."""
        return self.says_all and bool(self.categories) and self.refers_to_each(entity)

    def refers_to_each(self, entity: Exposed) -> bool:
        """Return True if this is one of several that it says: "both lamps", "everything in the hall"."""
        is_all = self.says_all and bool(self.categories or self.areas)
        is_told = (self._several or is_all) and self._is_all_known
        return is_told and entity in self._chosen and not self.unknown_modifier(entity)

    def _is_called_as_kind(self, entity: Exposed) -> bool:
        return any(self._words_of(entity).issuperset(kind.words) for kind in self.categories)

    def resolve(self, possible: Iterable[Exposed]) -> list[Exposed]:
        """Return the devices that it certainly means, of those that are possible; none if unsure.

        It means one by its name, by what tells it, or as the only one of its kind there; and all of
        a kind, where it speaks of several and says which.
        """
        if not (self.categories or self.named or self._called) or not self._is_all_known:
            return []
        if self._translated:
            return []
        if not self.text.language.alternatives.isdisjoint(self.text.words):
            return []
        found = self.filter_by_full_name([each for each in possible if self.may_refer_to(each)])
        # "The garage light" speaks of no garage, if that is a word of the light's name.
        own = [self._words_of(each) for each in found]
        kinds = {
            kind.domains
            for kind in self.categories
            if not kind.domains.isdisjoint(each.domain for each in found)
            or not all(each.issuperset(kind.words) for each in own)
        }
        is_one_kind = len(kinds) < 2
        # Who names one of several kinds says of the others' kind no which: not all of the home.
        # Nor by a name that others share.
        is_told = self.named.issuperset(found) and not self._are_namesakes(found)
        says_which = self.areas or self._called or self._here or is_told
        several = self.says_all or (self._several and bool(says_which))
        # To turn off unlocks a lock, and closes a cover.
        is_one_domain = len({each.domain for each in found}) == 1
        if not (is_one_kind and is_one_domain and (several or len(found) == 1)):
            return []
        doors = [each for each in found if is_access_entity(each)]
        is_sure = all(map(self.surely_refers_to, doors)) and (
            len(doors) < 2 or self.named >= {*doors}
        )
        return found if is_sure else []

    def _are_namesakes(self, found: Iterable[Exposed]) -> bool:
        """Return True if devices have one name, which says only of what kind they are: "Lights"."""
        names = {self._said_of(each) for each in found}
        return len(names) == 1 and self.category_words.issuperset(*names)

    def filter_hyponym(self, devices: Sequence[Exposed]) -> Sequence[Exposed]:
        """Return those of some devices of a kind that are of the sort that was said, else all.

        "The lamp in the hall" is no ceiling light there. All of a kind are of all sorts.
        """
        if self.says_all or self._several or len(self.categories) != 1:
            return devices
        return self.filter_by_category_word(self.categories[0], devices) or devices

    def filter_by_category_word(
        self, kind: Category, devices: Sequence[Exposed]
    ) -> Sequence[Exposed]:
        """Return those of some devices that are called by a word for one sort of a kind: "gate"."""
        said = [word for word in kind.words if is_hyponym(word, self.text.code)]
        return [each for each in devices if self._is_called_with(each, said)]

    def names_only(self, devices: Collection[Exposed]) -> bool:
        """Return True if it names no device besides some, but by words that are theirs as well."""
        told = self.words_for(devices)
        return all(each in devices or self._said_of(each) <= told for each in self.named)

    def words_for(self, devices: Collection[Exposed]) -> frozenset[str]:
        """Return the words, as spoken, that tell some devices: their names, kinds and places."""
        known = {word for each in devices for word in self._words_of(each)} | self.place_words
        # "The lawn mower", whatever it is called.
        known.update(
            self.text.patterns.words_of(*(f"agent_objects.{each.domain}" for each in devices))
        )
        known.update(word for kind in self.categories for word in kind.words)
        said = self.text.words
        mended = zip(said, self._words.correct_spelling(said), strict=True)
        found = {word for word, meant in mended if word in known or meant in known}
        found |= {word for word, own in self._synonyms.items() if not own.isdisjoint(known)}
        return frozenset(found | self._apart)

    def ambiguous_among(self, among: Sequence[Exposed]) -> list[Exposed]:
        """Return of which devices it may mean one, where it says: of its kind, or by a word of it."""
        there = [each for each in among if each.area in self.areas] or among
        domains = {domain for kind in self.categories for domain in kind.domains}
        of_kind = [each for each in there if each.domain in domains] or [
            each for each in there if self.categories and self._is_of_kind(each)
        ]
        # Of all covers, the garage doors.
        called = [each for each in of_kind if self._is_called_as_kind(each)]
        if len(called) > 1:
            return called
        return of_kind or [each for each in there if self._about(each)]

    def is_candidate(self, entity: Exposed) -> bool:
        """Return True if a device is named, or of the kind that was said, where it was said to be."""
        is_told = entity in self.named or entity in self._candidates
        return is_told and not self.unknown_modifier(entity)

    def unknown_modifier(self, entity: Exposed) -> Category | None:
        """Return how it tells one of this device's kind that is not there: "the porch light"."""
        return next((each for each in self._unknown if entity.domain in each.domains), None)

    @cached_property
    def _chosen(self) -> frozenset[Exposed]:
        """The devices that it may mean: all, those where the speaker is, or the only one.

        None of "all lights in the cellar", if the home has no cellar.
        """
        if self.unknown_place and not self.is_foreign:
            return frozenset()
        if self.says_all or self.areas:
            return self._candidates
        if self._here and not (self._several and self._called):
            return self._here
        return self._candidates if self._several or len(self._candidates) == 1 else frozenset()

    @cached_property
    def _here(self) -> frozenset[Exposed]:
        return frozenset(
            each
            for each in self._candidates
            if self.speaker_area and each.area == self.speaker_area
        )

    @cached_property
    def _candidates(self) -> frozenset[Exposed]:
        """The devices of which it may mean one or all: called so, else of the kind, in the places."""
        if self._called:
            return self._called
        if any(not self._called_by_name[each] <= self.category_words for each in self._elsewhere):
            return frozenset()
        if self.named and not self._several and self._has_places_in(self.named):
            return frozenset()
        return self._of_sort or self._of_kind

    def filter_by_full_name(self, found: list[Exposed]) -> list[Exposed]:
        """Return those whose names have every word for a kind that was said, if there are any.

        "The spotlights in the kitchen" are the Spotlights there, and no other lights; of another
        room, they are none.
        """
        own = [each for each in found if each in self.named]
        if not own or self.says_all or not self._are_all_in_names(own):
            return found
        if not self._has_places_in(own):
            return [each for each in own if each.area in self.areas]
        here = [each for each in own if self.speaker_area and each.area == self.speaker_area]
        return here if len(here) == 1 and not self._several else own

    def _has_places_in(self, named: Iterable[Exposed]) -> bool:
        """Return True if each word for a place is in one of these devices' names."""
        names = [word for each in named for word in self._words_of(each)]
        return all(any(name.startswith(word) for name in names) for word in self.place_words)

    def _are_all_in_names(self, named: Sequence[Exposed]) -> bool:
        """Return True if each word for a kind is one of these devices' names, and each has some.

        "The string lights and the porch light" are two lights, and no others.
        """
        said = [frozenset(kind.words) for kind in self.categories]
        names = [self._words_of(each) for each in named]
        is_in_names = all(any(each <= own for own in names) for each in said)
        return is_in_names and all(any(each <= own for each in said or [own]) for own in names)

    @cached_property
    def _of_sort(self) -> frozenset[Exposed]:
        """The devices that are called by the word that was said for their kind: "the TV".

        None where another one may be of that sort, as far as its name tells, or is where the
        speaker is.
        """
        of_kind = [each for each in self._of_kind if each.domain in _OF_SORTS]
        spoken = [word for kind in self.categories for word in kind.words]
        if not of_kind or len(of_kind) != len(self._of_kind):
            return frozenset()
        said = frozenset(each for each in of_kind if self._is_called_with(each, spoken))
        others = [each for each in of_kind if each not in said]
        alike = {word for kind in self.categories for word in kind.synonyms}
        is_here = any(self.speaker_area and each.area == self.speaker_area for each in said)
        rivals = any(
            (each.area == self.speaker_area and not (is_here or self.areas))
            or not (each.device_class or self._is_called_with(each, alike))
            for each in others
        )
        return frozenset() if rivals else said

    def _is_called_with(self, entity: Exposed, said: Collection[str]) -> bool:
        """Return True if a word of a device's name is one that was said, or is compounded with it."""
        return any(word in own for own in self._words_of(entity) for word in said)

    @cached_property
    def _called(self) -> frozenset[Exposed]:
        """The devices that most words tell, besides those for their kind and their place."""
        about = {each: len(self._about(each)) for each in self._of_kind - self.named}
        most = max(about.values(), default=0)
        named = max((len(self._about(each)) for each in self.named), default=0)
        return frozenset(each for each, much in about.items() if much == most > named)

    @cached_property
    def _of_kind(self) -> frozenset[Exposed]:
        """The devices of the kinds that were said, where they were said to be.

        Where there are none, those that are called so: a plug that is called a lamp.
        """
        there = self._there
        domains = {domain for kind in self.categories for domain in kind.domains}
        of_domain = [
            each
            for each in there
            if not domains or (each.domain in domains and not self._is_opposite(each))
        ]
        called = (each for each in there if self._is_of_kind(each))
        return self._translated or frozenset(of_domain or called)

    @property
    def _there(self) -> list[Exposed]:
        return [*filter(self._is_there, self._words.entities)]

    @cached_property
    def _translated(self) -> frozenset[Exposed]:
        """What a kind's word may mean where things are named in another language, if not one alone.

        "Telewizor" may be the plug "TV", beside which there is a speaker: one is of the kind, and one
        is called so.
        """
        domains = {domain for kind in self.categories for domain in kind.domains}
        if not domains or self.named or is_home_language(self.home.names, self.text.code):
            return frozenset()
        found = frozenset(each for each in self._there if self._is_of_kind(each))
        called = {each for each in found if each.domain not in domains}
        return found if called and called != found else frozenset()

    @cached_property
    def is_foreign(self) -> bool:
        """Whether it is said in another language than things are named in: "cocina" is the Kitchen."""
        return not self._is_all_known and not is_home_language(self.home.names, self.text.code)

    def _is_of_kind(self, entity: Exposed) -> bool:
        """Return True if a device is of a kind that was said, or called so; true where none was."""
        if not self.categories:
            return True
        own = self._words_of(entity)
        return not self._is_opposite(entity) and any(
            # No door is called a blind.
            entity.domain in kind.domains
            or not own.isdisjoint(kind.words if kind.domains == _COVERS else kind.synonyms)
            for kind in self.categories
        )

    def _is_opposite(self, entity: Exposed) -> bool:
        """Return True if a device is the opposite of what was said: a dehumidifier, an air conditioner for heating."""
        if entity.domain == "climate" and self._cools is not None:
            names = [self.text.alike(name) for name in entity.names]
            does = any(name.says(_COOLS if self._cools else _HEATS) for name in names)
            undoes = any(name.says(_HEATS if self._cools else _COOLS) for name in names)
            return undoes and not does
        said = [word for kind in self.categories for word in kind.words]
        return any(is_negation(own, word) for own in self._words_of(entity) for word in said)

    @cached_property
    def _cools(self) -> bool | None:
        """Whether it speaks of what cools; None where of neither that nor what heats."""
        cools, heats = self.text.says(_COOLS), self.text.says(_HEATS)
        return cools if cools != heats else None

    def _about(self, entity: Exposed) -> frozenset[str]:
        """Return the words that tell a device, besides those for its kind and its place."""
        telling = self._words_of(entity) - matcher(self.text.code).function_words
        return (self.corrected_words & telling) - self.category_words - self.place_words

    def _said_of(self, entity: Exposed) -> frozenset[str]:
        """Return the words of the longest name of a device that was said."""
        names = self._words.names_of.get(entity, entity.names)
        said = self._literal_words if is_access_entity(entity) else self.corrected_words
        found = longest_name(names, self.text.code, said)
        for name in names:
            own = matcher(self.text.code).word_set(name)
            telling = own - self.category_words
            if entity.domain == _LOCK:
                telling -= self._locks_told
            if telling and telling <= said and self._is_of_kind(entity):
                found = max(found, own & said, key=len)
        return found

    @cached_property
    def _places(self) -> tuple[list[AreaEntry], list[FloorEntry]]:
        """The areas and floors that it names as a whole."""
        said = self.corrected_words
        return self._words.find_areas(said), self._words.find_floors(said)

    @cached_property
    def place_words(self) -> frozenset[str]:
        """The words of the places that it names."""
        areas, floors = self._places
        if not areas and not floors:
            areas = [area for id_, area in self.home.areas.items() if id_ in self._areas_told]
        names = [name for each in areas for name in (each.name, *each.aliases)]
        names += [name for each in floors for name in (each.name, *each.aliases)]
        own = frozenset(word for name in names for word in words(name)) & self.corrected_words
        others = (word for word, meant in self._synonyms.items() if not meant.isdisjoint(own))
        return own.union(others)

    @cached_property
    def category_words(self) -> frozenset[str]:
        """The words for kinds that were said, and all that mean the same: they tell no device.

        But a blind is told by its word from other covers, and no gate is a door.
        """
        found: set[str] = set()
        for kind in self.categories:
            if _LOCK in kind.domains:
                found.update(kind.words)
            elif kind.domains != _COVERS:
                found.update(kind.synonyms)
        return frozenset(found)

    @cached_property
    def _locks_told(self) -> frozenset[str]:
        """The words for locks, where it says that something is locked or unlocked: "lock the wine cellar"."""
        is_told = any(_LOCK in kind.domains for kind in self.categories)
        if is_told or self.predicate.states().isdisjoint(("locked", "unlocked")):
            return frozenset()
        tables = self.text.language.categories.values()
        return frozenset(word for table in tables for word in table.get(_LOCK, ()))

    @property
    def _several(self) -> bool:
        return any(kind.is_plural for kind in self.categories)

    @cached_property
    def says_all(self) -> bool:
        """Whether all of them are meant."""
        return has_universal_quantifier(self.text)

    @cached_property
    def _unknown(self) -> tuple[Category, ...]:
        """The kinds of which one is told by a word that is neither a name nor of the language."""
        return tuple(
            kind
            for kind in self.categories
            if not all(
                self._is_known(word) for word in self._words.correct_spelling(kind.modifiers)
            )
        )

    @cached_property
    def unknown_place(self) -> str:
        """The word for a place that the home does not have, after a word for all: "cellar".

        A number is no place: "every evening at ten".
        """
        if not self.says_all or self.areas:
            return ""
        said, empty = self.text.words, matcher(self.text.code).function_words
        numbers = self.text.patterns.numbers
        for place in self._unknown_places:
            token, *_ = with_numbers(self.text.alike(said[place]).tokens, numbers)
            if token.text.isdecimal():
                continue
            before = takewhile(empty.__contains__, reversed(said[:place]))
            if not self._prepositions.isdisjoint(before):
                written: list[str] = _WRITTEN.findall(self.text)
                return next(each for each in written if said[place] in words(each))
        return ""

    @property
    def _is_all_known(self) -> bool:
        """Whether there is no word in it that nobody knows."""
        return not self._unknown_places

    @cached_property
    def _unknown_places(self) -> Sequence[int]:
        """The positions of unknown words, in `words`."""
        said = self.text.words
        meant = self._words.correct_spelling(said)
        return [
            place
            for place, word in enumerate(meant)
            if said[place] not in self._apart and not self._is_known(word)
        ]

    def _is_known(self, word: str) -> bool:
        """Return True if a word is one of the language, or of a name: be it the begin of a compound."""
        if not word.isalpha() or word in self.text.patterns.command_words:
            return True
        # Of "Badezimmerlicht" the Badezimmerleuchte's name has the begin.
        begin, *_ = decompounded(word, self.text.code).split()
        return begin in self._synonyms or any(name.startswith(begin) for name in self._words.all)

    @cached_property
    def corrected_words(self) -> frozenset[str]:
        """The words, names' small mistakes mended, with what compounds of them begin with, and synonyms."""
        return self._literal_words.union(*self._synonyms.values())

    @cached_property
    def _literal_words(self) -> frozenset[str]:
        """The same without synonyms: what lets somebody in is told by no other words than its own."""
        said, known = self.text.words, self._words
        compounds = {one + other for one, other in pairwise(said)}
        # "Bedlicht" is told by the bed, however short.
        compounds.update(*(decompounded(each, self.text.code).split() for each in said))
        forms = known.inflections_of(self.categories)
        return frozenset(
            (
                *said,
                *known.correct_spelling(said),
                *(compounds & known.all),
                *known.compounds_of(said),
                *forms,
            )
        )

    @cached_property
    def _apart(self) -> frozenset[str]:
        """The words that are one in a name: "back yard" is the Backyard."""
        pairs, known = pairwise(self.text.words), self._words.all
        return frozenset(word for pair in pairs if "".join(pair) in known for word in pair)

    def _words_of(self, entity: Exposed) -> frozenset[str]:
        """Return the words by which a device is told: those of its names, and of its device class."""
        device_class = (entity.device_class or "").replace("_", " ")
        names = self._words.names_of.get(entity, entity.names)
        return frozenset(word for text in (*names, device_class) for word in words(text))
