"""Subject linking: the entities that the subject of a condition or a question refers to."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from weakref import WeakKeyDictionary

from home_assistant_intents import get_intents

from ..home.exposed import Exposed, Home
from ..languages import Language
from ..names.inflection import WordForms, is_like_any
from ..names.matching import matcher, words
from .gazetteer import gazetteer_of
from .vocabulary import words_of_template

_OF_ONE_KIND = frozenset(("fan", "lawn_mower", "light", "lock", "vacuum"))
"""Domains whose category words each fit every device."""
_DOORS = frozenset(("cover", "lock"))
_AS_COVER = {"garage_door": "garage"}
_SHORTEST = 3  # letters of a word that has a plural form
_QUANTITIES = {
    "climate": ("temperature", "humidity"),
    "humidifier": ("humidity",),
    "weather": ("temperature", "humidity"),
}

type Translations = Mapping[str, str]
"""Home Assistant's translations of the category "entity_component" in the user's language."""
type EntityFilter = Callable[[Exposed], bool]


@dataclass(frozen=True, slots=True)
class _Thing:
    """An entity under one of its names, as sets of words."""

    entity: Exposed
    name: frozenset[str]
    place: frozenset[str]
    kind: frozenset[str]

    def is_named_by(self, said: frozenset[str]) -> bool:
        """Return True if its name is among the words, with more than category and place words."""
        return self.name <= said and not self.name <= self.kind | self.place


class _Things:
    """The entities of a home under each of their names, found by words."""

    def __init__(self, every: Sequence[_Thing]) -> None:
        """Take them all."""
        self.every = every
        self._by_name: dict[str, set[int]] = {}
        self._by_place: dict[str, set[int]] = {}
        self._by_id: dict[str, list[int]] = {}
        for at, each in enumerate(every):
            for word in each.name | each.kind:
                self._by_name.setdefault(word, set()).add(at)
            for word in each.place:
                self._by_place.setdefault(word, set()).add(at)
            self._by_id.setdefault(each.entity.entity_id, []).append(at)
        self._forms = WordForms(self._by_name.keys() | self._by_place)

    def forms(self, word: str) -> frozenset[str]:
        """Return the forms of a word in names, categories and places."""
        return self._forms.of(word)

    def find(
        self, said: frozenset[str], joined: Collection[str] = (), *, is_literal: bool = False
    ) -> Sequence[_Thing]:
        """Return the entities that have all of some words, not only in their place.

        Args:
            said: the words, which also match other forms.
            joined: the ids of further entities to include.
            is_literal: exclude other forms.
        """
        named, about = set[int](), list[set[int]]()
        for word in said:
            forms = {word} if is_literal else self.forms(word)
            own = set[int]().union(*(self._by_name.get(each, ()) for each in forms))
            about.append(own.union(*(self._by_place.get(each, ()) for each in forms)))
            named |= own
        found = named.intersection(*about)
        found.update(at for each in joined for at in self._by_id.get(each, ()))
        return [self.every[at] for at in sorted(found)]


class SubjectLinker:
    """The entities of a home as subjects in a language."""

    def __init__(
        self,
        home: Home,
        language: Language,
        translations: Translations,
        speaker_area: str | None,
    ) -> None:
        """Take the home, the user's language, and the area where the speaker is."""
        self.home = home
        self._tokens = matcher(language.code).tokens
        self._language = language
        self._gazetteer = gazetteer_of(home, language.code)
        self._translations = translations
        self._speaker_area = speaker_area

    def link(self, said: str, fits: EntityFilter, *, several: bool = False) -> Sequence[Exposed]:
        """Return the suitable entities that words refer to: several if they are ambiguous.

        `several`: the question is about a set of which some may be unsuitable: "is any door open".
        """
        spoken = frozenset(self._tokens(said))
        if not spoken:
            return ()
        if several:
            # "Which lamps in the salon": a device named "lamp" is one of them.
            meant = self._things.find(spoken, self._joined(said))
            return tuple(dict.fromkeys(each.entity for each in meant if fits(each.entity)))
        found = self._found(said, spoken, fits)
        if named := [each for each in found if each.is_named_by(spoken)]:
            longest = max(len(each.name) for each in named)
            found = [each for each in named if len(each.name) == longest]
        elif not all(self._is_joined(said, each) for each in found):
            others = self._found(said, spoken, lambda _: True)
            if self._is_other_door(found, others):
                return ()
            found = found if any(each.place & spoken for each in found) else self._here(found)
        return tuple(dict.fromkeys(each.entity for each in found))

    def _found(self, said: str, spoken: frozenset[str], fits: EntityFilter) -> Sequence[_Thing]:
        """Return the suitable entities for some words: by a whole name, else by all words."""
        joined = self._joined(said)
        ways: Sequence[Callable[[], Sequence[_Thing]]] = (
            lambda: self._things.find(frozenset(), joined),
            lambda: self._things.find(spoken, is_literal=True),
            # Names of people share a stem: Julia, Julian.
            lambda: [e for e in self._things.find(spoken) if e.entity.domain != "person"],
        )
        found = ([each for each in find() if fits(each.entity)] for find in ways)
        return next(filter(None, found), [])

    @staticmethod
    def _is_other_door(found: Sequence[_Thing], others: Sequence[_Thing]) -> bool:
        """Return True if "the door" may be another one, whose state is unknown."""
        areas = {each.entity.area for each in found} - {""}
        known = {each.entity for each in found}
        return any(
            each.entity.domain in _DOORS
            and each.entity not in known
            and each.entity.area not in areas
            for each in others
        )

    def _here(self, found: Sequence[_Thing]) -> Sequence[_Thing]:
        """Return the things where the speaker is; all if there are none."""
        here = [each for each in found if each.entity.area == self._speaker_area]
        return here if self._speaker_area and here else found

    def inside(self, areas: Collection[str], fits: EntityFilter) -> Sequence[Exposed]:
        """Return the suitable entities in some areas."""
        return [each for each in self.home.entities if each.area in areas and fits(each)]

    def areas(self, said: str) -> frozenset[str]:
        """Return the ids of the areas, also by their floors, that have all of the words."""
        spoken = [self._things.forms(word) for word in self._tokens(said)]
        return frozenset(
            area
            for area in self.home.areas
            if spoken and not any(map(self._gazetteer.words_of_area(area).isdisjoint, spoken))
        )

    def outdoors(self, fits: EntityFilter) -> Sequence[Exposed]:
        """Return the suitable entities with outdoor names, else the weather."""
        begins = tuple(
            word for each in self._language.conditions["outdoor"] for word in words(each)
        )
        fitting = [*filter(fits, self.home.entities)]
        called = [
            each
            for each in fitting
            if any(word.startswith(begins) for name in each.names for word in words(name))
        ]
        return called or [each for each in fitting if each.domain == "weather"]

    def speaks_of(self, said: str, quantity: str) -> bool:
        """Return True if words name a quantity, or only a place."""
        name = frozenset(words(self._translations.get(_key("sensor", quantity, "name"), "")))
        return bool((name and name <= frozenset(words(said))) or not said or self.areas(said))

    def state(self, entity: Exposed, state: str) -> str:
        """Return Home Assistant's translation of an entity's state."""
        return self._translated(*_kind_of(entity), f"state.{state}") or state

    def attribute(self, entity: Exposed, name: str, value: str) -> str:
        """Return Home Assistant's translation of an attribute's value: "heating" for an action."""
        return (
            self._translated(*_kind_of(entity), f"state_attributes.{name}.state.{value}") or value
        )

    def name_of_attribute(self, domain: str, name: str) -> str:
        """Return Home Assistant's name of an attribute; empty if it has none."""
        return self._translations.get(_key(domain, "_", f"state_attributes.{name}.name"), "")

    def quantity(self, device_class: str) -> str:
        """Return Home Assistant's name of a sensor class's quantity; empty if unknown."""
        return self._translations.get(_key("sensor", device_class, "name"), "")

    def states(self, domain: str) -> Mapping[str, str]:
        """Return the states of a domain by their translations."""
        start = _key(domain, "_", "state.")
        return {
            name: key.removeprefix(start)
            for key, name in self._translations.items()
            if key.startswith(start)
        }

    @cached_property
    def _things(self) -> _Things:
        """All exposed entities, indexed once per home."""
        of_home = _OF.setdefault(self.home, {})
        if (known := of_home.get(self._language.code)) is None:
            entities = self.home.entities
            # Many share a category and a place.
            kinds = {each: self._kind(*each) for each in {*map(_kind_of, entities)}}
            places = {
                each: self._gazetteer.words_of_area(each)
                for each in {entity.area for entity in entities}
            }
            known = of_home[self._language.code] = _Things(
                [
                    _Thing(each, name, places[each.area], kinds[_kind_of(each)])
                    for each, name in self._gazetteer.names
                ]
            )
        return known

    def _is_joined(self, said: str, thing: _Thing) -> bool:
        """Return True if words are a name, also in another spelling: "bed room" for a bedroom."""
        return thing.entity.entity_id in self._joined(said)

    def _joined(self, said: str) -> Collection[str]:
        return self._gazetteer.ids_by_name.get("".join(self._tokens(said)), ())

    def _kind(self, domain: str, device_class: str) -> frozenset[str]:
        """Return the category words of an entity."""
        texts = [self._translated(domain, device_class, "name"), domain, device_class]
        if domain in ("binary_sensor", "cover"):
            as_cover = _AS_COVER.get(device_class, device_class)
            texts += _class_words(self._language.code).get(as_cover, ())
        for quantity in _QUANTITIES.get(domain, ()):
            texts.append(self._translations.get(_key("sensor", quantity, "name"), ""))
        if domain in _OF_ONE_KIND:
            for table in self._language.categories.values():
                texts += table.get(domain, ())
        known = frozenset(word for text in texts for word in words(text.replace("_", " ")))
        if device_class and domain in ("binary_sensor", "cover"):
            # Home Assistant has singular names: "door", not "doors".
            many = self._language.categories.get("many", {}).get("cover", ())
            plurals = (word for each in many for word in words(each))
            known |= {each for each in plurals if is_like_any(each, known, _SHORTEST)}
        return known

    def _translated(self, domain: str, device_class: str, what: str) -> str:
        """Return a translation for the class of an entity, else for its domain."""
        keys = (_key(domain, each, what) for each in (device_class, "_") if each)
        return next((text for key in keys if (text := self._translations.get(key))), "")


_OF: WeakKeyDictionary[Home, dict[str, _Things]] = WeakKeyDictionary()
"""By home and language, as with `gazetteer_of`."""


def load(code: str) -> None:
    """Read the category words of Home Assistant's sentences: not for the event loop."""
    _class_words(code)


def _kind_of(entity: Exposed) -> tuple[str, str]:
    return entity.domain, entity.device_class or ""


def _key(domain: str, device_class: str, what: str) -> str:
    return f"component.{domain}.entity_component.{device_class}.{what}"


@lru_cache
def _class_words(code: str) -> Mapping[str, frozenset[str]]:
    """Return Home Assistant's words for each class of doors, windows and blinds."""
    sentences = get_intents(code) or {}
    listed = sentences.get("lists", {}).get("cover_classes", {}).get("values", ())
    found: dict[str, set[str]] = {}
    for each in listed:
        out = each["out"]
        for device_class in [out] if isinstance(out, str) else out:
            found.setdefault(device_class, set()).update(words_of_template(each["in"]))
    return {name: frozenset(of) for name, of in found.items()}
