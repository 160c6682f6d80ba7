"""Which devices a command means, as far as its words tell."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from ..home.exposed import Exposed, Home
from ..languages import language_of
from ..names.matching import matcher, nearest_word, words
from .kinds import Kind, kinds
from .vocabulary import vocabulary

_LONG_ENOUGH = 4  # letters of a name's word that may begin a compound: Küchenlicht


@dataclass(frozen=True)
class Meant:
    """What a command says of its devices: their names, where they are, and what they are.

    Of a language without words for kinds it says no kind.
    """

    text: str
    code: str
    """Of its language, as `languages` has it."""
    home: Home
    speaker_area: str | None
    """The id of the area where the speaker is, if that is known."""

    @property
    def tells(self) -> bool:
        """Whether it says anything of devices or places."""
        return bool(self.kinds or self.named or self.areas)

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """The kinds of devices that it speaks of."""
        return kinds(self.text, self.code)

    @cached_property
    def named(self) -> frozenset[Exposed]:
        """The devices that it names: by all words of a name but those for what the device is."""
        said = {each: self._said_of(each) for each in self.home.entities}
        return frozenset(
            entity
            for entity, own in said.items()
            # "Front door lock" names the lock, and no "Front door" besides.
            if own and not any(own < other for other in said.values())
        )

    @cached_property
    def areas(self) -> frozenset[str]:
        """The ids of the areas that it names, and of those on a floor that it names."""
        said = {
            id_: self._longest((area.name, *area.aliases)) for id_, area in self.home.areas.items()
        }
        floors = {
            id_
            for id_, floor in self.home.floors.items()
            if self._longest((floor.name, *floor.aliases))
        }
        # "Bedroom 2" is not the bedroom.
        named = {
            id_
            for id_, own in said.items()
            if own and not any(own < other for other in said.values())
        }
        on_floors = {id_ for id_, area in self.home.areas.items() if area.floor_id in floors}
        return frozenset(named & on_floors or named | on_floors)

    def means(self, entity: Exposed, *, harmless: bool = False) -> bool:
        """Tell whether it may mean this device rather than another one.

        What is harmless may be done to one of its kind that is called by a word that nobody knows.
        """
        if entity in self.named:
            return True
        if not self._is_of_kind(entity):
            return False
        if self.not_there(entity):
            return harmless
        if self._is_called_so(entity):
            return True
        if self.areas:
            return entity.area in self.areas
        return not self.named and self._is_the_one(entity)

    def aims_at(self, possible: Iterable[Exposed]) -> list[Exposed]:
        """Return the devices that it certainly means, of those that are possible; none if unsure.

        It means one by its name, by what tells it, or as the only one of its kind there; and all of
        a kind, where it speaks of several.
        """
        of_kind = [each for each in possible if self.means(each)]
        if not (self.kinds or self.named):
            of_kind = [each for each in of_kind if self._is_called_so(each)]
        is_one_kind = len({kind.domains for kind in self.kinds}) < 2
        several = self._all or any(kind.several for kind in self.kinds)
        return of_kind if is_one_kind and (several or len(of_kind) == 1) else []

    def may_mean(self, entity: Exposed) -> bool:
        """Tell whether a device is of the kind that was said, where it was said to be."""
        here = not self.areas or entity.area in self.areas
        return here and not self.not_there(entity) and self._is_of_kind(entity)

    def means_surely(self, entity: Exposed) -> bool:
        """Tell whether it means this device and no other: of what would let somebody in."""
        if entity in self.named:
            return True
        if not self.kinds or self.not_there(entity) or not self._is_of_kind(entity):
            return False
        rivals = [each for each in self.home.entities if each.domain == entity.domain]
        here = [each for each in rivals if not self.areas or each.area in self.areas]
        if here == [entity]:
            return True
        own = self._words_of(entity)
        called = [each for each in here if self._is_called_so(each)]
        return called == [entity] and any(own.issuperset(kind.words) for kind in self.kinds)

    def not_there(self, entity: Exposed) -> Kind | None:
        """Return how it tells one of this device's kind that is not there: "the porch light"."""
        return next((each for each in self._unknown if entity.domain in each.domains), None)

    def _is_the_one(self, entity: Exposed) -> bool:
        """Tell whether a device is one of all, the one in the speaker's area, or the only one."""
        if any(kind.several for kind in self.kinds) or self._all:
            return True
        alike = [each for each in self.home.entities if self._is_alike(each, entity)]
        here = [each for each in alike if self.speaker_area and each.area == self.speaker_area]
        return entity in (here or alike) and (bool(here) or len(alike) == 1)

    def _is_alike(self, other: Exposed, entity: Exposed) -> bool:
        return self._is_of_kind(other) if self.kinds else other.domain == entity.domain

    def _is_of_kind(self, entity: Exposed) -> bool:
        """Tell whether a device is of a kind that was said, or called so; true where none was."""
        if not self.kinds:
            return True
        own = self._words_of(entity)
        return any(
            entity.domain in kind.domains or not own.isdisjoint(kind.alike) for kind in self.kinds
        )

    def _is_called_so(self, entity: Exposed) -> bool:
        """Tell whether more words are about this device's name than about any other's of its kind."""
        mine = len(self._about(entity))
        rivals = (each for each in self.home.entities if self._is_of_kind(each))
        return mine > 0 and mine == max(len(self._about(each)) for each in rivals)

    def _about(self, entity: Exposed) -> frozenset[str]:
        return (self._spoken & self._words_of(entity)) - self._kind_words

    def _said_of(self, entity: Exposed) -> frozenset[str]:
        """Return the words of the longest name of a device that was said."""
        found = self._longest(entity.names)
        for name in entity.names:
            own = frozenset(matcher(self.code).tokens(name))
            telling = own - self._kind_words
            if telling and telling <= self._spoken and self._is_of_kind(entity):
                found = max(found, own & self._spoken, key=len)
        return found

    def _longest(self, names: Iterable[str]) -> frozenset[str]:
        """Return the words of the longest of some names that was said as a whole."""
        own = (frozenset(matcher(self.code).tokens(name)) for name in names)
        return max((each for each in own if each <= self._spoken), key=len, default=frozenset())

    @cached_property
    def _kind_words(self) -> frozenset[str]:
        return frozenset(word for kind in self.kinds for word in (*kind.words, *kind.alike))

    @cached_property
    def _all(self) -> bool:
        """Whether all of them are meant."""
        return not language_of(self.code).all.isdisjoint(self.text.casefold().split())

    @cached_property
    def _unknown(self) -> tuple[Kind, ...]:
        """The kinds of which one is told by a word that is neither a name nor of the language."""
        return tuple(
            kind
            for kind in self.kinds
            if not all(self._is_known(word) for word in self._mended(kind.tells))
        )

    def _is_known(self, word: str) -> bool:
        """Tell whether a word is one of the language, or of a name: be it the begin of a compound."""
        if not word.isalpha() or word in vocabulary(self.code):
            return True
        return any(name.startswith(word) for name in self._home_words)

    @cached_property
    def _spoken(self) -> frozenset[str]:
        """The words, names' small mistakes mended, with what compounds of them begin with."""
        said = words(self.text)
        compounds = {one + other for one, other in pairwise(said)} & self._home_words
        begun = {
            name
            for name in self._home_words
            if len(name) >= _LONG_ENOUGH
            and any(word != name and word.startswith(name) for word in said)
        }
        return frozenset((*said, *self._mended(said), *compounds, *begun))

    @cached_property
    def _home_words(self) -> frozenset[str]:
        classes = (each.device_class or "" for each in self.home.entities)
        texts = (*self.home.names, *(each.replace("_", " ") for each in classes))
        return frozenset(word for text in texts for word in words(text))

    def _mended(self, said: Collection[str]) -> Iterator[str]:
        known = vocabulary(self.code) | self._home_words
        for word in said:
            yield word if word in known else nearest_word(word, self._home_words)

    @staticmethod
    def _words_of(entity: Exposed) -> frozenset[str]:
        """Return the words by which a device is told: those of its names, and of its device class."""
        device_class = (entity.device_class or "").replace("_", " ")
        return frozenset(word for text in (*entity.names, device_class) for word in words(text))
