"""Mentions: the names, categories and places of a home in a text."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise

from homeassistant.helpers.area_registry import AreaEntry
from homeassistant.helpers.floor_registry import FloorEntry

from ..home.exposed import Exposed, Home
from ..names.inflection import is_negation
from ..names.matching import matcher, words
from .categories import Category, decompounded, find_categories, has_universal_quantifier
from .gazetteer import EntityWords, Gazetteer, areas_by_word, gazetteer_of, longest_name
from .numerals import folded_number_words
from .predicates import Predicate
from .tokenizer import Text

_IN_PLACE = frozenset(("cover", "fan", "humidifier", "light", "lock", "media_player"))
"""Domains whose devices only work where they are: a thermostat in the hall may warm other rooms."""
_COVERS = frozenset(("cover",))
_PREPOSITIONAL = 2
"""Words before a place: a preposition and an article."""
_LOCK = "lock"
_NAME = 3
"""The weight of a name's word, compared with one of a place or a category."""
_COOLS, _HEATS = "cools", "heats"


@dataclass(frozen=True)
class Mentions:
    """The mentions of devices in a text: names, places and categories.

    Without category words for the language, `categories` is empty.
    """

    text: Text
    home: Home
    speaker_area: str | None
    """The id of the area where the speaker is, if known."""
    is_literal: bool = False
    """Whether place names have no synonyms besides the home's own."""

    @property
    def is_known_verbatim(self) -> bool:
        """Whether each of its words is one of the language, or of a name, without a correction."""
        known = self.text.patterns.vocabulary | self._words.all
        return all(word in known or not word.isalpha() for word in self.text.words)

    @property
    def has_mention(self) -> bool:
        """Whether it mentions devices or places."""
        return bool(self.categories or self.named or self.areas)

    @cached_property
    def categories(self) -> tuple[Category, ...]:
        """The categories that it mentions."""
        return find_categories(self.text)

    @cached_property
    def _words(self) -> Gazetteer:
        return gazetteer_of(self.home, self.text.code)

    @cached_property
    def _synonyms(self) -> Mapping[str, frozenset[str]]:
        """The home's words for the places in the text, by the words used."""
        return self._find_synonyms(is_literal=self.is_literal)

    def _find_synonyms(self, *, is_literal: bool) -> Mapping[str, frozenset[str]]:
        said = [*chain.from_iterable(self._parts)]
        return self._words.places.find_synonyms(said, is_literal=is_literal)

    @cached_property
    def named(self) -> frozenset[Exposed]:
        """The devices that it names: by all words of a name except category words.

        Only those in the places that it names; of devices that share a name such as "Lights", those
        where the speaker is.
        """
        if self.areas:
            return frozenset(self._called_by_name.keys() - self._elsewhere)
        shared = {each for each, own in self._called_by_name.items() if own <= self.category_words}
        here = {each for each in shared if each.area == self.speaker_area}
        others = shared - here if here and not self.says_all else ()
        return frozenset(self._called_by_name.keys() - others)

    @cached_property
    def _called_by_name(self) -> Mapping[Exposed, frozenset[str]]:
        """The devices whose name is in the text, wherever they are, with the words of that name."""
        known = self.corrected_words | self._literal_words | self.category_words | self._locks_told
        said = {each: self._said_of(each) for each in self._words.candidates(known)}
        return {
            entity: own
            for entity, own in said.items()
            # "Front door lock" names the lock, and no "Front door". A speaker with the name of its
            # room is not named by a mention of the room.
            if not own <= self.place_words and not any(own < other for other in said.values())
        }

    @cached_property
    def _elsewhere(self) -> frozenset[Exposed]:
        """The devices whose name is in the text, but which are not in its places."""
        return frozenset(
            each
            for each, own in self._called_by_name.items()
            if not self.is_there(each)
            and each.domain in _IN_PLACE
            and (each.area or own <= self.category_words)
            and self._has_place(each, own)
        )

    def is_there(self, entity: Exposed) -> bool:
        """Return True if a device is in the places of the text, or this has none."""
        return not self.areas or entity.area in self.areas

    def _has_place(self, entity: Exposed, own: frozenset[str]) -> bool:
        """Return True if a place belongs to a device: beside its name, or beside no mention."""
        places = self.place_words - own
        said = {word for kind in self.categories for word in (*kind.words, *kind.synonyms)}
        telling = own - said or own.union(
            *(kind.words for kind in self.categories if entity.domain in kind.domains)
        )
        things = said.union(*self._called_by_name.values()) - places
        is_one = not self.says_all and self.text.language.conjunctions.isdisjoint(self.text.words)
        return any(
            not telling.isdisjoint(each)
            # "Play The Office on the TV": a place that stands alone has a preposition.
            or (is_one and things.isdisjoint(each) and not self._prepositions.isdisjoint(each))
            for each in self._phrases
            if not places.isdisjoint(each)
        )

    @property
    def _prepositions(self) -> frozenset[str]:
        return self.text.patterns.words_of("where_media")

    @cached_property
    def _phrases(self) -> Sequence[frozenset[str]]:
        """The words of its noun phrases: names, categories and places, with function words between.

        A word before a place belongs to it; a word behind it only without a preposition.
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
        """The text without prepositions between a device and its place; no verb particles.

        "Clean the light on the balcony" does not switch the light on.
        """
        empty = self.text.language.function_words
        known = (
            self._words.all | {word for kind in self.categories for word in kind.words}
        ) - empty
        said, left = self.text.split(), set[int]()
        moves = self.text.patterns.words_of("causative_verbs.open", "causative_verbs.closed")
        for place in range(2, len(said)):
            if not moves.isdisjoint(words(said[place])):
                continue  # "naar beneden"
            # A preposition, and maybe an article.
            first = place
            while place - first < _PREPOSITIONAL and first and said[first - 1].casefold() in empty:
                first -= 1
            between = {word for each in said[first:place] for word in words(each)}
            # "Water the yard": an article alone does not link a place.
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
        """The ids of the areas that a type word refers to: one, the speaker's, or several."""
        told = areas_by_word(self.home, self._words, self.text.code, self.corrected_words)
        return frozenset().union(*(self._areas_of(each) for each in told.values()))

    def _areas_of(self, told: frozenset[str]) -> frozenset[str]:
        if self.says_all or len(told) == 1:
            return told
        here = told & {self.speaker_area}
        return here or (told if self._several else frozenset())

    @cached_property
    def sense_domains(self) -> frozenset[str]:
        """The domains of the devices that alone do its work: "clean the kitchen", "mow".

        None if it names a device, or an object other than a place.
        """
        domains = self.predicate.domains
        # "Begin vacuuming" names the only Vacuum, which does that.
        if not domains or (self.named and self.named != {*self._words.of_domains(domains)}):
            return frozenset()
        language = self.text.language
        places = (
            self.place_words
            | matcher(self.text.code).function_words
            | language.universal_quantifiers
            | self._here_words
        )
        others = [kind for kind in self.categories if kind.domains.isdisjoint(domains)]
        is_known = self.predicate.other_words <= places | {
            word for each in self.categories for word in each.words
        }
        return domains if is_known and not others else frozenset()

    @property
    def predicate(self) -> Predicate:
        """The action and state of the text."""
        return Predicate.of(self.without_prepositions)

    @cached_property
    def mentioned(self) -> frozenset[Exposed]:
        """The entities that it names, including read-only ones: sensors, the weather."""
        found = self._words.described_by(self.corrected_words)
        return self.named | {
            each.entity
            for each in found
            if each.entity.is_read_only and self.says_name_of(each.entity)
        }

    def says_name_of(self, entity: Exposed) -> bool:
        """Return True if it has every word of one of an entity's names."""
        return any(name <= self.corrected_words for name in self._words.described[entity].names)

    def says_word_of(self, entity: Exposed, *, shortest: int = 1) -> bool:
        """Return True if it has a word of an entity's names with at least `shortest` letters."""
        names = self._words.described[entity].names
        own = {word for name in names for word in name if len(word) >= shortest}
        return not own.isdisjoint(self.corrected_words)

    @property
    def category_domains(self) -> frozenset[str]:
        """The domains of the categories that it mentions."""
        return frozenset(domain for kind in self.categories for domain in kind.domains)

    @property
    def is_about_home(self) -> bool:
        """Whether it has a word of a name, a place or a category of the home."""
        known = self._words.all - matcher(self.text.code).function_words
        return not (
            known.isdisjoint(self.corrected_words)
            and self.category_domains.isdisjoint(self.home.domains)
        )

    def evidence(self, entity: Exposed) -> frozenset[str]:
        """Return its words for an entity: of names and place, and one for each category.

        A category word counts for each entity of the category, whatever its names. An entity
        outside a mentioned place does not match by a word of that place in its own name.
        """
        return self._evidence_for(self._words.described[entity])

    def _evidence_for(self, described: EntityWords) -> frozenset[str]:
        own = described.all & self._telling_words
        if own and not own.isdisjoint(self.place_words):
            own -= self._words_elsewhere(described)
        return own.union(self._area_words.get(described.entity.area, ()), self._kinds_of(described))

    @cached_property
    def _telling_words(self) -> frozenset[str]:
        return self.corrected_words - self.category_words

    def describes(self, entity: Exposed) -> bool:
        """Return True if it has a word of an entity's name or category, not only of its place."""
        said = self._spelled_words - self.place_words - self.text.function_words
        return not self._words.described[entity].all.isdisjoint(said)

    def relevance(self, entity: Exposed) -> int:
        """Return how relevant it is to an entity: words of a name count most."""
        return self._relevance_for(self._words.described[entity])

    def _relevance_for(self, described: EntityWords) -> int:
        said = self._relevant_words
        own, places = described.all & said, described.place & said
        # "Küchenlicht" has no place besides the name.
        beside = {each for each in places - own if not any(word.startswith(each) for word in own)}
        most = max(len(name & said) for name in described.names)
        return (_NAME - 1) * most + len(own) + len(beside)

    @cached_property
    def _relevant_words(self) -> frozenset[str]:
        """Its content words without the category words that end compounds: "bureaulamp"."""
        ends = {end for _, *rest in self._parts for end in rest}.difference(self.text.words)
        return self.corrected_words - ends - self.text.function_words

    @cached_property
    def most_relevant(self) -> frozenset[Exposed]:
        """The entities that it is most about; none if it is about none."""
        said = self._relevant_words
        most, about = 1, set[Exposed]()
        for each in self._words.described_by(said, places=said):
            # Its relevance is at most that of a name with all of these words.
            own = len(each.all & said)
            if _NAME * own + len(each.place & said) < most:
                continue
            if (count := self._relevance_for(each)) > most:
                most, about = count, set()
            if count == most:
                about.add(each.entity)
        return frozenset(about)

    @property
    def ranked(self) -> Sequence[tuple[EntityWords, frozenset[str]]]:
        """The entities that it has words for, with these words, in the home's order."""
        spoken = self.corrected_words.union(*(kind.synonyms for kind in self.categories))
        domains = self.sense_domains.union(*(kind.domains for kind in self.categories))
        found = self._words.described_by(spoken, domains, self._area_words)
        return [(each, self._evidence_for(each)) for each in found]

    def unsaid_words(self, described: EntityWords) -> int:
        """Return the number of missing words of the entity's best matching name."""
        known = self.corrected_words | self.category_words
        return min(len(name - known) for name in described.names)

    def _words_elsewhere(self, described: EntityWords) -> frozenset[str]:
        """Return the place words in an entity's name that do not belong to it in the text."""
        is_there = not self._area_words or described.entity.area in self._area_words
        return frozenset() if is_there or not self.unsaid_words(described) else self.place_words

    @cached_property
    def _area_words(self) -> Mapping[str, frozenset[str]]:
        """The place words for each area and its floor, by the area's id."""
        return {each: self.place_words & self._words.words_of_area(each) for each in self.areas}

    def _kinds_of(self, described: EntityWords) -> Iterator[str]:
        """Yield a key for each mentioned category that an entity belongs to.

        A device named "lamp" is one. But a blind is no garage door, though both are covers.
        """
        entity = described.entity
        for key, domains, synonyms in self._kinds:
            if entity.domain in domains or not described.all.isdisjoint(synonyms):
                yield key
        if entity.domain in self.sense_domains:
            yield f"doer {entity.domain}"

    @cached_property
    def _kinds(self) -> Sequence[tuple[str, frozenset[str], frozenset[str]]]:
        """The key, the domains and the naming words of each category."""
        return [
            (
                f"kind {kind.words}",
                kind.domains,
                frozenset(kind.synonyms if kind.domains.isdisjoint(_COVERS) else ()),
            )
            for kind in self.categories
        ]

    @cached_property
    def _is_here(self) -> bool:
        """Whether it refers to the speaker's place: "this room"."""
        return self.text.says("conditions.here")

    @property
    def _here_words(self) -> frozenset[str]:
        return self.text.patterns.words_of("conditions.here")

    def mentions_area(
        self, areas: Collection[str], floor: str, devices: Iterable[Exposed] = ()
    ) -> bool:
        """Return True if it names an area, or a whole floor (by its name), or the speaker is there.

        "The bedroom lights upstairs" are those of a floor if these `devices` are in bedrooms.
        """
        if self.speaker_area and {*areas} == {self.speaker_area}:
            return True
        named, floors = self._places
        told = {area.id for area in named} or ({*self._areas_told} if not floors else set())
        if not floor:
            return bool(areas) and told.issuperset(areas)
        there = {each.area for each in devices}
        is_said = floor in {each.name for each in floors}
        return is_said and (not told or (bool(there) and there <= told))

    def _is_called_with(self, entity: Exposed, said: Collection[str]) -> bool:
        """Return True if a word of a device's name is, or is compounded with, one of some words."""
        return any(word in own for own in self._words_of(entity) for word in said)

    def _is_of_kind(self, entity: Exposed) -> bool:
        """Return True if a device is of a mentioned category, or named so, or none is mentioned."""
        if not self.categories:
            return True
        own = self._words_of(entity)
        return not self._is_opposite(entity) and any(
            # No door is named "blind".
            entity.domain in kind.domains
            or not own.isdisjoint(kind.words if kind.domains == _COVERS else kind.synonyms)
            for kind in self.categories
        )

    def _is_opposite(self, entity: Exposed) -> bool:
        """Return True if a device is the opposite: a dehumidifier, an air conditioner for heat."""
        if entity.domain == "climate" and self._cools is not None:
            names = [self.text.alike(name) for name in entity.names]
            does = any(name.says(_COOLS if self._cools else _HEATS) for name in names)
            undoes = any(name.says(_HEATS if self._cools else _COOLS) for name in names)
            return undoes and not does
        return not self._opposites.isdisjoint(self._words_of(entity))

    @cached_property
    def _opposites(self) -> frozenset[str]:
        """The home's words that are a category word with a negating prefix."""
        said = {word for kind in self.categories for word in kind.words}
        return frozenset(own for own in self._words.all for word in said if is_negation(own, word))

    @cached_property
    def _cools(self) -> bool | None:
        """Whether it mentions cooling; None if it mentions neither cooling nor heating, or both."""
        cools, heats = self.text.says(_COOLS), self.text.says(_HEATS)
        return cools if cools != heats else None

    def _said_of(self, entity: Exposed) -> frozenset[str]:
        """Return the words of the longest name of a device in the text."""
        names = self._words.names_of.get(entity, entity.names)
        said = self._literal_words if entity.is_access else self.corrected_words
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
        """The areas and floors whose whole names are in the text."""
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
        forms = ({word, *meant} for word, meant in self._synonyms.items())
        return own.union(*(each for each in forms if not own.isdisjoint(each)))

    @cached_property
    def category_words(self) -> frozenset[str]:
        """The category words in the text with their synonyms, which identify no device.

        But words for covers differ: a blind is not any cover, and no gate is a door.
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
        """The words for locks, if it locks or unlocks: "lock the wine cellar"."""
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
        """Whether it quantifies over all: also by "the lights in the house"."""
        return has_universal_quantifier(self.text) or (
            self._several and self.text.says("whole_home")
        )

    @property
    def _is_all_known(self) -> bool:
        """Whether it has no unknown word."""
        return not self._unknown_places

    @cached_property
    def _unknown_places(self) -> Sequence[int]:
        """The positions of unknown words, in `words`."""
        said = self.text.words
        return [
            place
            for place, word in enumerate(self._spelled_right)
            if said[place] not in self._apart and not self._is_known(word)
        ]

    def _is_known(self, word: str) -> bool:
        """Return True if a word, or the first part of a compound, is in the language or a name."""
        is_number = not word.isalpha() or word in folded_number_words(self.text.code)
        known = self.text.patterns
        if is_number or word in known.command_words or known.is_light_value(word):
            return True
        # "Badezimmerlicht" and the name "Badezimmerleuchte" share their first part.
        begin, *_ = decompounded(word, self.text.code).split()
        return begin in self._synonyms or any(name.startswith(begin) for name in self._words.all)

    @cached_property
    def corrected_words(self) -> frozenset[str]:
        """Its words with corrected spelling, first parts of compounds, and synonyms."""
        return self._literal_words.union(*self._synonyms.values())

    @cached_property
    def _literal_words(self) -> frozenset[str]:
        """The same without synonyms of places: an entry point is only named by its own words."""
        forms = self._find_synonyms(is_literal=True).values()
        return self._spelled_words.union(self._spelled_right, *forms)

    @cached_property
    def _spelled_right(self) -> Sequence[str]:
        """Its words in order, names with corrected spelling."""
        return self._words.correct_spelling(self.text.words)

    @cached_property
    def _parts(self) -> Sequence[Sequence[str]]:
        """The parts of each of its words, if that is a compound."""
        return [decompounded(each, self.text.code).split() for each in self.text.words]

    @cached_property
    def _spelled_words(self) -> frozenset[str]:
        """Its words as spelled, with first parts of compounds."""
        said, known = self.text.words, self._words
        compounds = {one + other for one, other in pairwise(said)}
        # "Bedlicht" matches the bed, however short that is.
        compounds.update(*self._parts)
        forms = known.inflections_of(self.categories)
        return frozenset(
            (
                *said,
                *(compounds & known.all),
                *known.compounds_of(said),
                *forms,
            )
        )

    @cached_property
    def _apart(self) -> frozenset[str]:
        """The words that are one word in a name: "back yard" is the Backyard."""
        pairs, known = pairwise(self.text.words), self._words.all
        return frozenset(word for pair in pairs if "".join(pair) in known for word in pair)

    def _words_of(self, entity: Exposed) -> frozenset[str]:
        """Return the words of a device's names and device class."""
        return self._words.of_entity(entity)
