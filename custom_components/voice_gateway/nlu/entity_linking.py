"""Entity linking: which entities a text refers to, and how certainly."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import takewhile
import re

from homeassistant.components.light import DOMAIN as LIGHT
from homeassistant.components.lock import DOMAIN as LOCK

from ..home.exposed import Exposed
from ..names.matching import matcher, words
from .categories import Category, is_home_language, is_hyponym
from .mentions import Mentions
from .predicates import entities_for_sense

_WRITTEN = re.compile(r"[\w'’-]+")
_OF_SORTS = frozenset(("climate", "media_player"))
"""Domains with several types of devices, each with words of its own: a TV is no speaker."""


class EntityLinker(Mentions):
    """The entities that a text refers to, by its mentions, and how certainly."""

    def resolve_all(self) -> None:
        """Compute the cached properties that most callers read, once."""
        _ = self.mentioned, self.most_relevant, self.only_mentions, self._candidates

    @cached_property
    def only_mentions(self) -> bool:
        """Whether all of its words are names, categories, places or function words.

        None sets a brightness, temperature or volume; a number is part of a name.
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
        return known.issuperset(self._spelled_right)

    @cached_property
    def _only_doers(self) -> frozenset[Exposed]:
        doers = (entities_for_sense(each, self.home, self.text.code) for each in self.sense_domains)
        return frozenset(each for [each] in (found for found in doers if len(found) == 1))

    def fits_sense(self, entity: Exposed) -> bool:
        """Return True if a device does the work of `sense_domains`, by its domain or its name."""
        return entity.domain in self.sense_domains or not self._words_of(entity).isdisjoint(
            self.predicate.agent_words
        )

    def may_refer_to(self, entity: Exposed, *, harmless: bool = False) -> bool:
        """Return True if the text may refer to this device rather than another one.

        If the action is harmless, a device of the category counts also behind an unknown word.
        """
        if entity in self.named:
            return True
        if entity in self._only_doers or self._is_word_for(entity):
            return True
        if self.is_foreign or self.unknown_modifier(entity):
            return (harmless or self.is_foreign) and self._is_of_kind(entity)
        # "Mow the back yard" is not about a gate there.
        is_other = self.sense_domains and not self.categories and not self.fits_sense(entity)
        return entity in self._chosen and not is_other

    def mentions_category_of(self, entity: Exposed) -> bool:
        """Return True if the text mentions this device's category or work, whatever its name."""
        return entity.domain in self.sense_domains or (
            bool(self.categories) and self._is_of_kind(entity)
        )

    def may_translate(self, entity: Exposed) -> bool:
        """Return True if it may have another language's word for this device; no entry point."""
        is_told = self.is_foreign and bool(self.categories) and self._is_of_kind(entity)
        return (is_told or self._is_word_for(entity)) and not entity.is_access

    def _is_word_for(self, entity: Exposed) -> bool:
        """Return True if its category word may stand for this device, and for no similar one."""
        alike = [each for each in self._translated if each.domain == entity.domain]
        return alike == [entity]

    def surely_refers_to(self, entity: Exposed) -> bool:
        """Return True if it refers to this device only, surely enough for an entry point."""
        if self._synonyms and not self.is_literal:
            return replace(self, is_literal=True).surely_refers_to(entity)
        if entity in self.named:
            return True
        if not self.categories or not self._is_of_kind(entity) or self.unknown_modifier(entity):
            return False
        rivals = [each for each in self._words.entities if each.domain == entity.domain]
        here = [*filter(self.is_there, rivals)]
        if here == [entity] or [each for each in here if each in self._here] == [entity]:
            return True
        is_called = self._is_called_as_kind(entity) or self._is_lock_of_place(entity)
        if entity not in self._chosen or not is_called:
            return False
        # "Close the garage": only one of the covers there has that name.
        is_cover = any(kind.domains == {"cover"} for kind in self.categories)
        own = [each for each in here if self._is_called_as_kind(each)] if is_cover else []
        return bool(self._about(entity)) or own == [entity]

    def prefers(self, entity: Exposed) -> bool:
        """Return True if its words fit no other device of the same domain equally well.

        An entry point needs a full name.
        """
        rivals = [e for e in self.home.entities if e.domain == entity.domain and e != entity]
        if not rivals:
            return True

        def fit(one: Exposed) -> tuple[int, int]:
            return len(self.evidence(one)), self.relevance(one)

        if not any(mine := fit(entity)):
            return False
        if entity.is_access and not self.says_name_of(entity):
            return False
        if own := self._called_by_name.get(entity):
            # "The kitchen light and the desk light": only a rival with a longer name counts.
            rivals = [each for each in rivals if self._called_by_name.get(each, set()) >= own]
        rivals = [each for each in rivals if fit(each) >= mine]
        if entity.area == self.speaker_area:
            rivals = [e for e in rivals if e.area == entity.area or fit(e) > mine]
        return not rivals

    def refers_to_all_with(self, entity: Exposed) -> bool:
        """Return True if it quantifies over a category, and this device belongs to it."""
        return self.says_all and bool(self.categories) and self.refers_to_each(entity)

    def refers_to_each(self, entity: Exposed) -> bool:
        """Return True if it refers to several devices including this: "both lamps"."""
        is_all = self.says_all and bool(self.categories or self.areas)
        is_told = (self._several or is_all) and self._is_all_known
        return is_told and entity in self._chosen and not self.unknown_modifier(entity)

    def _is_lock_of_place(self, entity: Exposed) -> bool:
        """Return True if no name of a lock has a door: "the balcony door", the Balcony Lock."""
        single = self.text.language.categories.get("one", {})
        doors = {word for each in single.get("cover", ()) for word in words(each)}
        is_bare = entity.domain == LOCK and doors.isdisjoint(self._words_of(entity))
        return is_bare and self._is_all_known and not (self._several or self.says_all)

    def _is_called_as_kind(self, entity: Exposed) -> bool:
        return any(self._words_of(entity).issuperset(kind.words) for kind in self.categories)

    def resolve(self, possible: Iterable[Exposed]) -> list[Exposed]:
        """Return the devices of those possible that the text certainly refers to; none if unsure.

        It refers to one by its name, by distinctive words, or as the only one of its category
        there; and to all of a category if it is plural and restricted.
        """
        if not (self.categories or self.named or self._called) or not self._is_all_known:
            return []
        if self._translated:
            return []
        if not self.text.language.alternatives.isdisjoint(self.text.words):
            return []
        found = self.filter_by_full_name([each for each in possible if self.may_refer_to(each)])
        # "The garage light" is no garage, if that is a word of the light's name.
        own = [self._words_of(each) for each in found]
        kinds = {
            kind.domains
            for kind in self.categories
            if not kind.domains.isdisjoint(each.domain for each in found)
            or not all(each.issuperset(kind.words) for each in own)
        }
        is_one_kind = len(kinds) < 2
        # A name restricts only its own category, so another plural does not mean all of the home.
        # Nor does a shared name restrict.
        is_told = self.named.issuperset(found) and not self._are_namesakes(found)
        says_which = self.areas or self._called or self._here or is_told
        # "The light in the hall and in the den" is one in each.
        is_one_each = sorted(each.area for each in found) == sorted(self.areas)
        several = self.says_all or (self._several and bool(says_which)) or is_one_each
        # "Turn off" unlocks a lock, and closes a cover.
        is_one_domain = len({each.domain for each in found}) == 1
        if not (is_one_kind and is_one_domain and (several or len(found) == 1)):
            return []
        doors = [each for each in found if each.is_access]
        is_sure = all(map(self.surely_refers_to, doors)) and (
            len(doors) < 2 or self.named >= {*doors}
        )
        return found if is_sure else []

    @property
    def called(self) -> frozenset[Exposed]:
        """The devices that it names, or that best match its words other than categories and places."""
        return self.named | self._called

    @property
    def lights_of_place(self) -> Sequence[Exposed]:
        """The lights of one place, named or the speaker's, for a general word: "the light".

        That may be the light of several lamps; "the lamp" is one.
        """
        words_of = [word for kind in self.categories for word in kind.words]
        lights = sorted(self._chosen, key=lambda each: each.entity_id)
        is_any = len(self.categories) == 1 and not any(
            is_hyponym(word, self.text.code) for word in words_of
        )
        is_place = len({each.area for each in lights}) == 1 and bool(self.areas or self._here)
        is_told = self.named or self._called or self._unknown or not self._is_all_known
        if not is_any or not is_place or is_told or {each.domain for each in lights} != {LIGHT}:
            return ()
        return lights

    def _are_namesakes(self, found: Iterable[Exposed]) -> bool:
        """Return True if devices share one name that only has category words: "Lights"."""
        names = {self._said_of(each) for each in found}
        return len(names) == 1 and self.category_words.issuperset(*names)

    def filter_hyponym(self, devices: Sequence[Exposed]) -> Sequence[Exposed]:
        """Return the devices among some that a hyponym fits, else all.

        "The lamp in the hall" is no ceiling light there. A plural or a quantifier includes all.
        """
        if self.says_all or self._several or len(self.categories) != 1:
            return devices
        return self.filter_by_category_word(self.categories[0], devices) or devices

    def filter_by_category_word(
        self, kind: Category, devices: Sequence[Exposed]
    ) -> Sequence[Exposed]:
        """Return the devices among some that are named with a hyponym of the category: "gate"."""
        said = [word for word in kind.words if is_hyponym(word, self.text.code)]
        return [each for each in devices if self._is_called_with(each, said)]

    def names_only(self, devices: Collection[Exposed]) -> bool:
        """Return True if it names no other device, except by words that also match these."""
        told = self.words_for(devices)
        return all(each in devices or self._said_of(each) <= told for each in self.named)

    def words_for(self, devices: Collection[Exposed]) -> frozenset[str]:
        """Return the words, as spoken, for some devices: names, categories and places."""
        known = {word for each in devices for word in self._words_of(each)} | self.place_words
        # "The lawn mower", whatever its name is.
        known.update(
            self.text.patterns.words_of(*(f"agent_objects.{each.domain}" for each in devices))
        )
        known.update(word for kind in self.categories for word in kind.words)
        if self.says_all:
            known |= self.text.patterns.words_of("dwelling")
        if self._is_here:
            known |= self._here_words
        mended = zip(self.text.words, self._spelled_right, strict=True)
        found = {word for word, meant in mended if word in known or meant in known}
        found |= {word for word, own in self._synonyms.items() if not own.isdisjoint(known)}
        return frozenset(found | self._apart)

    def ambiguous_among(self, among: Sequence[Exposed]) -> list[Exposed]:
        """Return the candidates of an ambiguous mention: by category, or by a word of a name."""
        there = [each for each in among if each.area in self.areas] or among
        domains = self.category_domains
        of_kind = [each for each in there if each.domain in domains] or [
            each for each in there if self.categories and self._is_of_kind(each)
        ]
        # Of all covers, those named "garage door".
        called = [each for each in of_kind if self._is_called_as_kind(each)]
        if len(called) > 1:
            return called
        return of_kind or [each for each in there if self._about(each)]

    def is_candidate(self, entity: Exposed) -> bool:
        """Return True if a device is named, or of the mentioned category in the mentioned place."""
        is_told = entity in self.named or entity in self._candidates
        return is_told and not self.unknown_modifier(entity)

    def unknown_modifier(self, entity: Exposed) -> Category | None:
        """Return this device's category if an unknown modifier restricts it: "the porch light"."""
        return next((each for each in self._unknown if entity.domain in each.domains), None)

    @cached_property
    def _chosen(self) -> frozenset[Exposed]:
        """The devices that it may refer to: all, those where the speaker is, or the only one.

        None for "all lights in the cellar", if the home has no cellar.
        """
        if self.unknown_place and not self.is_foreign:
            return frozenset()
        if self.says_all and self._is_here and not self.areas:
            return self._here
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
        """The candidates for one or all devices: by name, else by category and place."""
        if self._called:
            return self._called
        if any(not self._called_by_name[each] <= self.category_words for each in self._elsewhere):
            return frozenset()
        if self.named and not self._several and self._has_places_in(self.named):
            return frozenset()
        return self._of_sort or self._of_kind

    def filter_by_full_name(self, found: list[Exposed]) -> list[Exposed]:
        """Return the devices whose names have every category word of the text, if there are any.

        "The spotlights in the kitchen" are the Spotlights there, and no other lights; in another
        room, there are none.
        """
        own = [each for each in found if each in self.named]
        if not own or self.says_all or not self._are_all_in_names(own):
            return found
        if not self._has_places_in(own):
            return [each for each in own if each.area in self.areas]
        here = [each for each in own if self.speaker_area and each.area == self.speaker_area]
        return here if len(here) == 1 and not self._several else own

    def _has_places_in(self, named: Iterable[Exposed]) -> bool:
        """Return True if each place word is in one of these devices' names."""
        names = [word for each in named for word in self._words_of(each)]
        return all(any(name.startswith(word) for name in names) for word in self.place_words)

    def _are_all_in_names(self, named: Sequence[Exposed]) -> bool:
        """Return True if each category word is in one of these devices' names, and each has some.

        "The string lights and the porch light" are two lights, and no others.
        """
        said = [frozenset(kind.words) for kind in self.categories]
        names = [self._words_of(each) for each in named]
        is_in_names = all(any(each <= own for own in names) for each in said)
        return is_in_names and all(any(each <= own for each in said or [own]) for own in names)

    @cached_property
    def _of_sort(self) -> frozenset[Exposed]:
        """The devices whose names have the category word that was used: "the TV".

        None if another device may be of that type, as far as its name shows, or is where the
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

    @cached_property
    def _called(self) -> frozenset[Exposed]:
        """The devices with the most words in the text besides categories and places."""
        about = {each: len(self._about(each)) for each in self._of_kind - self.named}
        most = max(about.values(), default=0)
        named = max((len(self._about(each)) for each in self.named), default=0)
        return frozenset(each for each, much in about.items() if much == most > named)

    @cached_property
    def _of_kind(self) -> frozenset[Exposed]:
        """The devices of the mentioned categories in the mentioned places.

        If there are none, those with such a name: a plug named "lamp".
        """
        if not (domains := self.category_domains):
            return self._translated or frozenset(self._there)
        of_domain = frozenset(
            each
            for each in self._words.of_domains(domains)
            if self.is_there(each) and not self._is_opposite(each)
        )
        return self._translated or of_domain or frozenset(filter(self._is_of_kind, self._there))

    @property
    def _there(self) -> list[Exposed]:
        return [*filter(self.is_there, self._words.entities)]

    @cached_property
    def _translated(self) -> frozenset[Exposed]:
        """The possible targets of a category word in a home named in another language, if several.

        "Telewizor" may be the plug "TV", beside which there is a speaker: one is of the category,
        and one has the name.
        """
        domains = self.category_domains
        if not domains or self.named or is_home_language(self.home.names, self.text.code):
            return frozenset()
        found = frozenset(each for each in self._there if self._is_of_kind(each))
        called = {each for each in found if each.domain not in domains}
        return found if called and called != found else frozenset()

    @cached_property
    def is_foreign(self) -> bool:
        """Whether its language is not that of the home's names: "cocina" is the Kitchen."""
        return not self._is_all_known and not is_home_language(self.home.names, self.text.code)

    def _about(self, entity: Exposed) -> frozenset[str]:
        """Return its words for a device besides categories and places."""
        telling = self._words_of(entity) - matcher(self.text.code).function_words
        empty = self.text.patterns.words_of("addressee")
        if self._is_here:
            empty |= self._here_words
        return (self.corrected_words & telling) - self.category_words - self.place_words - empty

    @cached_property
    def _unknown(self) -> tuple[Category, ...]:
        """The categories with a modifier that is neither in a name nor a word of the language."""
        return tuple(
            kind
            for kind in self.categories
            if not all(
                self._is_known(word) for word in self._words.correct_spelling(kind.modifiers)
            )
        )

    @cached_property
    def unknown_place(self) -> str:
        """The word for a place that the home does not have, behind a quantifier: "cellar".

        A number is no place: "every evening at ten".
        """
        if not self.says_all or self.areas:
            return ""
        said, empty = self.text.words, matcher(self.text.code).function_words
        numbers = self.text.patterns.numbers
        for place in self._unknown_places:
            token, *_ = numbers.replace(self.text.alike(said[place]).tokens)
            if token.text.isdecimal():
                continue
            before = takewhile(empty.__contains__, reversed(said[:place]))
            if not self._prepositions.isdisjoint(before):
                written: list[str] = _WRITTEN.findall(self.text)
                return next(each for each in written if said[place] in words(each))
        return ""
