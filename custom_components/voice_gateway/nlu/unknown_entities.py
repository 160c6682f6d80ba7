"""Unknown entities: mentions in a question that are not in the home: "the safe door"."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import permutations
from typing import Final

from ..home.exposed import Exposed, Home
from ..languages import LANGUAGES, Language, language_of
from ..names.inflection import begins_alike, is_like_any
from ..names.matching import matcher, nearest_word, words
from .categories import find_categories
from .gazetteer import synonyms as place_synonyms
from .tokenizer import Text
from .tokens import fold_punctuation, tokenize
from .vocabulary import words_of_template

_SHORTEST: Final = 3
"""The fewest letters of a part of a compound: Tresor|tür."""
_SOME: Final = 60
"""Names that are enough to judge the language of a home's names."""
_MOST: Final = 3
"""The most words of a modifier."""
_SAYING: Final = ("becomes", "outdoor")
"""Lists of `conditions` whose words may be modifiers: the back door, the patio door."""

_MEASURING: Final = ("sensor", "weather")
SLOT: Final = "{}"
_MOST_OF_ALL: Final = ("coldest", "highest", "lowest", "warmest")


@dataclass(frozen=True, slots=True)
class UnknownEntity:
    """A mention in a question with a modifier that is in no name of the home."""

    name: str
    """The mention, as spoken: "safe door"."""
    sentence: Text
    """The question with {} in its place: "when did the {} last open"."""
    kind: str
    """Its category word: "door"."""
    domains: frozenset[str] = frozenset()
    """The domains of the category; empty for a room."""
    is_sure: bool = True
    """Whether the modifier's position is unambiguous; else all other words must be known."""

    def replace_with(self, name: str) -> Text:
        """Return the sentence with another name in its place."""
        return self.sentence.alike(self.sentence.replace(SLOT, name))

    def may_be(self, entity: Exposed) -> bool:
        """Return True if a device may be of the category, by its domain, class or names."""
        # For a cover, the device class is the category.
        is_of_kind = entity.domain in self.domains and not entity.device_class
        return is_of_kind or self.calls(entity)

    def calls(self, entity: Exposed) -> bool:
        """Return True if a device's names or device class have the category word."""
        texts = (*entity.names, (entity.device_class or "").replace("_", " "))
        # With accents: a Temperatur is no Tür.
        own = frozenset(token.text for text in texts for token in tokenize(fold_punctuation(text)))
        said = tokenize(fold_punctuation(self.kind))[-1].text
        is_compound = any(word.endswith(said) for word in own)
        # "Outdoor" is no door.
        return is_like_any(said, own) or (is_compound and entity.domain not in _MEASURING)


@lru_cache(1)  # several callers ask for the same sentence
def find_unknown_entities(text: Text, home: Home) -> Sequence[UnknownEntity]:
    """Return the mentions of a question that are not in the home, the fewest words first.

    A mention is a category word or a word for a room with a modifier that is in no name, in a
    modifier's position: in a compound, or between an article and the head. If the home is named in
    another language, or there are several such mentions, the result is empty.

    Args:
        text: a question.
        home: the exposed entities.
    """
    language = text.language
    if not language.questions or not _are_named_in(home.names_of_entities, language.code):
        return ()
    said = _Said(text, language, home)
    told = [found for place in range(len(said.tokens)) if (found := [*said.told_at(place)])]
    return told[0] if len(told) == 1 else ()


class _Said:
    """The words of a question, and which of them are in no name of the home."""

    def __init__(self, text: Text, language: Language, home: Home) -> None:
        # Offsets refer to the text itself, also where it is a part of another one.
        self._text = text if text == text.source else text.alike(text)
        self.tokens = self._text.tokens
        self._language = language
        self._home = home
        self._names = frozenset(word for name in home.names for word in words(name))
        self._fillers = matcher(language.code).function_words
        self._known = _beside_things(language.code)

    def told_at(self, place: int) -> Iterator[UnknownEntity]:
        """Yield the mentions whose head is at a token, and whose modifier is unknown."""
        token = self.tokens[place]
        if (domains := self._kind(token.text)) is not None:
            # "The light switch": the last word is the head.
            if self._language.head_initial or not self._is_kind(place + 1):
                for found in self._with_words_beside(place, domains):
                    if not self._is_misheard(found):
                        yield found
            return
        for begin in range(_SHORTEST, len(token.text) - _SHORTEST + 1):
            end = token.text[begin:]
            domains = self._kind(end) if end in _endings(self._language.code) else None
            if domains is not None:
                cut = slice(token.start, token.start + begin)
                found = self._without(cut, slice(token.start, token.end), domains)
                if self._is_told_by(token.text) and not self._is_misheard(found):
                    yield found
                return

    def _kind(self, word: str) -> frozenset[str] | None:
        """Return the domains of a category word; empty for a word for a room."""
        if word in _rooms(self._language.code):
            return frozenset()
        match find_categories(self._text.alike(word)):
            case [kind] if kind.words == words(word) and not any(kind.modifiers):
                return kind.domains
        return None

    def _is_kind(self, place: int) -> bool:
        return place < len(self.tokens) and self._kind(self.tokens[place].text) is not None

    def _with_words_beside(self, place: int, domains: frozenset[str]) -> Iterator[UnknownEntity]:
        token = self.tokens[place]
        if not self._language.head_initial:
            if (first := self._first_before(place)) < place:
                cut = slice(self.tokens[first].start, token.start)
                yield self._without(cut, slice(cut.start, token.end), domains)
            return
        first = place + 1
        while first < len(self.tokens) and self.tokens[first].text in self._fillers:
            first += 1
        # "Porte du coffre"; but "la porte grince", "¿cerró la puerta Juan?"
        is_joined = first > place + 1
        for end in self._ends_behind(first) if is_joined or domains else ():
            cut = slice(token.end, self.tokens[end - 1].end)
            thing = slice(token.start, cut.stop)
            found = self._without(cut, thing, domains)
            yield replace(found, is_sure=found.is_sure and is_joined)

    def _first_before(self, place: int) -> int:
        """Return where the modifiers between an article and a head begin, else the head."""
        first = place
        while first and place - first < _MOST and self._is_told_by(self.tokens[first - 1].text):
            first -= 1
        return first if first and self.tokens[first - 1].text in self._fillers else place

    def _ends_behind(self, first: int) -> Iterator[int]:
        """Yield possible ends of the modifiers behind a head: further words may be any."""
        for end in range(first + 1, min(first + _MOST, len(self.tokens)) + 1):
            said = self.tokens[end - 1].text
            if not (said.isalpha() if end > first + 1 else self._is_told_by(said)):
                return
            yield end

    def _is_told_by(self, said: str) -> bool:
        """Return True if a word may be a modifier, and is like none in the home's names."""
        own = words(said)
        return bool(own) and all(
            word.isalpha()
            and word not in self._known
            and not any(begins_alike(word, name) for name in self._names)
            and not self._is_called_otherwise(word)
            for word in own
        )

    def _is_called_otherwise(self, said: str) -> bool:
        """Return True if a word may be a synonym of a name's: the fridge, the refrigerator."""
        return any(
            said.startswith(part) and self._has_name(other)
            for [part], other in _same(self._language.code)
        )

    def _has_name(self, parts: Sequence[str]) -> bool:
        return all(any(name.startswith(part) for name in self._names) for part in parts)

    def _is_misheard(self, found: UnknownEntity) -> bool:
        """Return True if it may be a misheard name of its category, or of a room."""
        home = self._home
        alike = [name for each in home.entities if found.may_be(each) for name in each.names]
        places = [each.name for each in (*home.areas.values(), *home.floors.values())]
        listed = home.names if not found.domains else (*alike, *places)
        known = frozenset(word for name in listed for word in words(name))
        telling = [word for word in words(found.name) if word not in words(found.kind)]
        return any(nearest_word(word, known) != word for word in telling)

    def _without(self, cut: slice, thing: slice, domains: frozenset[str]) -> UnknownEntity:
        text = self._text
        kind = text[thing.start : cut.start] + text[cut.stop : thing.stop]
        sentence = f"{text[: thing.start]}{SLOT}{text[thing.stop :]}"
        # A room may have synonyms: the lounge is a living room.
        return UnknownEntity(
            text[thing], text.alike(sentence), kind.strip(), domains, is_sure=bool(domains)
        )


@lru_cache(8)
def _are_named_in(names: frozenset[str], code: str) -> bool:
    """Return True if devices have names in a language, judged by its category words.

    No other language's sentences are loaded for that.
    """
    some = [
        token.text for name in sorted(names)[:_SOME] for token in tokenize(fold_punctuation(name))
    ]
    found = {
        each: sum(word.endswith(tuple(_things(each))) for word in some)
        for each, language in LANGUAGES.items()
        if language.categories
    }
    return found[code] > 0 and found[code] * 2 >= max(found.values())


@lru_cache
def _things(code: str) -> frozenset[str]:
    """Return a language's category words of more than two letters, with accents."""
    listed = (each for table in language_of(code).categories.values() for each in table.values())
    return frozenset(word for texts in listed for word in texts if len(word) >= _SHORTEST)


@lru_cache
def _endings(code: str) -> frozenset[str]:
    """Return possible ends of compounds, with accents: Musikzimmer, Tresortür, not Temperatur."""
    return _things(code) | _rooms(code)


@lru_cache
def _rooms(code: str) -> frozenset[str]:
    """Return the words for a room."""
    language = language_of(code)
    first, *_ = language.questions["rooms"]
    tables = (language.state_phrases, language.event_verbs, language.past_event_verbs)
    # "Is the family home?"
    return frozenset(words_of_template(first)) - _words_in(tables)


@lru_cache
def _same(code: str) -> Sequence[tuple[Sequence[str], Sequence[str]]]:
    """Return pairs of the beginnings of synonyms, the first of one word."""
    things = (
        [words(name) for name in listed.split("|")]
        for listed in language_of(code).questions.get("same", ())
    )
    groups = (*things, *place_synonyms(code))
    pairs = (pair for group in groups for pair in permutations(group, 2))
    return [(one, other) for one, other in pairs if len(one) == 1]


@lru_cache
def _beside_things(code: str) -> Collection[str]:
    """Return the words of a language that are no modifiers of a mention."""
    language = language_of(code)
    tables = (
        {name: of for name, of in language.conditions.items() if name not in _SAYING},
        language.state_phrases,
        language.comparatives,
        language.quantities,
        language.past,
        *language.values.values(),
        *language.categories.values(),
    )
    asked = {
        name: language.questions[name] for name in ("around", "measure", "rooms", *_MOST_OF_ALL)
    }
    media = {"where_media": language.forms["where_media"]}
    listed = (
        language.alternatives,
        language.conjunctions,
        language.negation_cues,
        language.universal_quantifiers,
    )
    return _words_in((*tables, asked, media)).union(matcher(code).function_words, *listed)


def _words_in(tables: Iterable[Mapping[str, Sequence[str]]]) -> frozenset[str]:
    """Return the words of all templates in some tables."""
    texts = (text for table in tables for listed in table.values() for text in listed)
    return frozenset(word for text in texts for word in words_of_template(text))
