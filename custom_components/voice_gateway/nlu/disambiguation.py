"""Disambiguation: the entities that a command without a full name can mean, and picks of them."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby, product, takewhile
import re
from typing import Final

from ..home.exposed import Exposed
from ..languages import language_of
from ..names.inflection import begins_alike
from ..names.matching import matcher, words
from .categories import Category, find_categories
from .entity_linking import EntityLinker
from .gazetteer import EntityWords
from .phrase_patterns import patterns_of
from .predicates import Predicate
from .utterance import Utterance


def find_closed_by_name(said: EntityLinker) -> Exposed | None:
    """Return the only cover or lock that a command may close or lock; None if unsure.

    All content words of the command besides the verb are in its name, and in that of no other.
    Commands with a full name or a category word are resolved elsewhere.
    """
    if said.named or said.categories or said.predicate.opens is not False:
        return None
    if locking := [rest for _, rest in lock_phrases(said)]:
        return next(filter(None, (_only(said, "lock", rest) for rest in locking)), None)
    return _only(said, "cover", [*_telling(said)])


def _only(said: EntityLinker, domain: str, telling: Sequence[str]) -> Exposed | None:
    """Return the device of a domain with some words in a name; None if another may have them."""
    possible = [each for each in said.home.entities if each.domain == domain]
    called = [each for each in possible if any({*telling} <= {*words(name)} for name in each.names)]
    # "Close the study" may be about all of its blinds.
    there = [each for each in possible if each.area in said.areas]
    return called[0] if telling and len(called) == 1 and {*there} <= {*called} else None


def _telling(said: EntityLinker) -> Iterator[str]:
    """Yield the content words of a command besides its verb."""
    fillers = matcher(said.text.code).function_words
    for word in said.text.words:
        if word not in fillers and not Predicate.of(said.text.alike(word)).is_all:
            yield word


_LOCK = "lock"


def locks_to_lock_up(said: EntityLinker) -> list[Exposed]:
    """Return the locks that a command locks without naming them; none if it may mean one door.

    They are all of the home, or those of the places that it names.
    """
    if not any(_is_of_all(said, phrase, rest) for phrase, rest in lock_phrases(said)):
        return []
    return [
        each
        for each in said.home.entities
        if each.domain == _LOCK and (not said.areas or each.area in said.areas)
    ]


def lock_phrases(said: EntityLinker) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
    """Yield each phrase for locking in a command, and the other content words."""
    spoken = said.text.words
    fillers = matcher(said.text.code).function_words
    for phrase in said.text.patterns.phrases("locks"):
        if (rest := _without(spoken, phrase)) is not None:
            yield phrase, [word for word in rest if word not in fillers]


def _without(spoken: Sequence[str], phrase: Sequence[str]) -> list[str] | None:
    """Return the words without those of a phrase, which may be split: "schließ alles ab"."""
    left, wanted = [], [*phrase]
    for word in spoken:
        if wanted and word == wanted[0]:
            wanted.pop(0)
        else:
            left.append(word)
    return None if wanted else left


def _is_of_all(said: EntityLinker, phrase: Sequence[str], rest: Sequence[str]) -> bool:
    """Return True if the rest of a command only quantifies over all, or names a whole place.

    One word alone may not be about a lock: "blocca".
    """
    quantifiers = {
        word for each in language_of(said.text.code).universal_quantifiers for word in words(each)
    }
    kinds = find_categories(said.text.alike(" ".join(rest)))
    # "Lock all the doors", but not "lock the doors".
    if kinds and not (quantifiers & {*rest} and all(_LOCK in each.domains for each in kinds)):
        return False
    known = quantifiers.union(word for each in kinds for word in each.words)
    known.update(said.text.patterns.words_of("dwelling"))
    known.update(said.place_words)
    return known.issuperset(rest) and (bool(rest) or len(phrase) > 1)


_WORKS_WHERE_IT_IS: Final = frozenset(("cover", "fan", "light", "media_player"))


def may_satisfy(said: EntityLinker, entity: Exposed) -> bool | None:
    """Return True if a device may serve a vague wish: in its place, and not an entry point.

    None if the wish is not vague, as it mentions devices or states, or if the device may serve
    from elsewhere: a thermostat in the hall, a vacuum.
    """
    if said.categories or said.named or said.sense_domains or said.predicate.states():
        return None
    is_of_others = said.predicate.domains and entity.domain not in said.predicate.domains
    # "Read my mail", but "get the kitchen ready for guests".
    asks = not said.areas and said.text.begins("reads")
    if is_of_others or asks or entity.is_access:
        return False
    if entity.area and entity.area in (said.areas or {said.speaker_area}):
        return True
    return False if entity.area and entity.domain in _WORKS_WHERE_IT_IS else None


_WORD: Final = re.compile(r"[^\W_]+")
_MOST: Final = 14
"""The most words of a command that is resolved."""
_OF_ONE_SORT: Final = frozenset(("fan", "lawn_mower", "light", "lock", "vacuum"))
"""Domains whose words each fit any device; a blind is no gate, though both are covers."""
_SWITCHES: Final = frozenset(("input_boolean", "switch"))
"""Domains whose devices only their names describe."""


def ambiguous_candidates(meant: EntityLinker) -> Sequence[Exposed]:
    """Return the candidates of an ambiguous mention of one device; none if unsure.

    All have the name or the category that the command mentions, and are in the places that it
    names, or where the speaker is.
    """
    language = language_of(meant.text.code)
    said = meant.text.words
    beside = language.universal_quantifiers | language.alternatives | language.conjunctions
    if len(meant.categories) != 1 or meant.categories[0].is_plural or not beside.isdisjoint(said):
        return ()
    if meant.named:
        return _called_alike([*meant.named])
    possible = [each for each in meant.home.entities if not each.is_read_only]
    found = [*_of_kind(meant, meant.categories[0], possible)]
    here = [each for each in found if meant.speaker_area and each.area == meant.speaker_area]
    return here or found


def substitute_name(meant: EntityLinker, name: str) -> Iterator[str]:
    """Yield a command with a device's name in the place of its category words.

    The name also replaces ever more modifiers: "the bedroom lamp", "the lamp in the bedroom".
    """
    found = [*_WORD.finditer(meant.text)]
    said = [" ".join(words(each[0])) for each in found]
    own = {*meant.categories[0].words}
    places = [place for place, word in enumerate(said) if own.issuperset(word.split())]
    if not places or len(found) > _MOST:
        return
    beside = meant.place_words | _beside(meant.text.code)
    first, last = places[-1], places[-1]
    while first and said[first - 1] in own:
        first -= 1
    starts = [first, *takewhile(lambda place: said[place] in beside, range(first - 1, -1, -1))]
    ends = [last, *takewhile(lambda place: said[place] in beside, range(last + 1, len(said)))]
    for start, end in product(starts, ends):
        before, after = meant.text[: found[start].start()], meant.text[found[end].end() :]
        yield f"{before}{name}{after}".strip()


def pick_candidates(said: EntityLinker, which: Sequence[Exposed]) -> Sequence[Exposed]:
    """Return the devices among some that an answer picks; none if it has other content words.

    Words of a name or a room count, also their beginnings: "vordere" for the Vordertür. Each part
    of a coordination picks one: "the kitchen and the hall one".
    """
    empty = _beside(said.text.code) | {word for kind in said.categories for word in kind.words}
    own = {each: _words_about(each, said) for each in which}
    found = [_told(part, empty, own) for part in _parts(said)]
    return [one for one in found if one] if all(found) else ()


def _parts(said: EntityLinker) -> Iterator[Sequence[str]]:
    """Yield the words of an answer, split at conjunctions."""
    joints = language_of(said.text.code).conjunctions
    for is_joint, group in groupby(said.text.words, joints.__contains__):
        if not is_joint:
            yield [*group]


def _told(
    part: Sequence[str], empty: Collection[str], own: Mapping[Exposed, Collection[str]]
) -> Exposed | None:
    """Return the device that some words pick, by the words of each device."""
    telling = [word for word in part if word not in empty]
    exact = [each for each in own if {*own[each]}.issuperset(telling)]
    begun = [
        each
        for each in own
        if all(any(begins_alike(word, other) for other in own[each]) for word in telling)
    ]
    found = exact or begun
    return found[0] if telling and len(found) == 1 else None


def _called_alike(named: Sequence[Exposed]) -> Sequence[Exposed]:
    """Return devices that share one name; none if their names differ: the text has all."""
    names = {" ".join(words(each.names[0])) for each in named}
    return sorted(named, key=lambda each: each.entity_id) if len(names) == 1 else ()


def _of_kind(meant: EntityLinker, kind: Category, possible: Sequence[Exposed]) -> Iterator[Exposed]:
    """Yield the candidates of a category, and the switches with its word in the name."""
    for each in possible:
        if each.domain in kind.domains and meant.is_candidate(each):
            if _is_called(each, kind.words) or _may_be_called(each, kind, meant.text.code):
                yield each
        elif _is_switch_of(each, kind, meant):
            yield each


def _is_switch_of(entity: Exposed, kind: Category, meant: EntityLinker) -> bool:
    """Return True if a switch has a name of the category, and is there: the plug "Floor Lamp"."""
    if entity.domain not in _SWITCHES - kind.domains or not meant.is_there(entity):
        return False
    return any(
        kind.domains == own.domains for own in find_categories(meant.text.alike(entity.names[0]))
    )


def _may_be_called(entity: Exposed, kind: Category, code: str) -> bool:
    """Return True if a category word may refer to a device without it in a name.

    It may refer to a door's lock, but not to the gate's.
    """
    if entity.domain not in _OF_ONE_SORT:
        return False
    general, *special = language_of(code).categories["one"][entity.domain]
    is_general = _is_called(entity, words(general)) and general in kind.words
    return entity.domain != "lock" or is_general or not _is_called(entity, special)


def _is_called(entity: Exposed, said: Iterable[str]) -> bool:
    """Return True if one of some words is in a device's names, or names its device class."""
    own = {word for text in (*entity.names, entity.device_class or "") for word in words(text)}
    told = {word for each in said for word in words(each)}
    return any(begins_alike(word, each) or word.endswith(each) for word in own for each in told)


def _words_about(entity: Exposed, said: EntityLinker) -> frozenset[str]:
    area = said.home.areas.get(entity.area)
    names = (*entity.names, *((area.name, *area.aliases) if area else ()))
    return frozenset(word for name in names for word in words(name))


@lru_cache
def _beside(code: str) -> frozenset[str]:
    """Return the words of an answer that pick nothing: "the … one, please"."""
    one = patterns_of(code).words_of("one_of")
    return frozenset(one | matcher(code).function_words)


MOST: Final = 20
"""The most devices that a model receives with an utterance."""
_LONGEST: Final = 100
"""The most words of a text that are read: each may be compared with all of the home's."""
_PARTS: Final = 4
"""The most clauses that are also ranked by themselves."""


@dataclass(frozen=True, slots=True)
class RankedEntities:
    """The candidates, the likeliest first, and the number of further ones."""

    entities: Sequence[Exposed]
    others: int


def rank_entities(utterance: Utterance) -> RankedEntities:
    """Return the devices that an utterance is about, as far as its words show.

    Without any mention, they are those of the last sentence with one, else those where the speaker
    is. In an AI task, they are those of its instructions.
    """
    found = _of_sentence(utterance) if utterance.text else _of(utterance, utterance.dialogue.text)
    for text in reversed(utterance.context.earlier):
        if found:
            break
        found = _of(utterance, text)
    if not found:
        everything = utterance.home.entities
        found = [
            each for each in everything if utterance.area_id and each.area == utterance.area_id
        ]
        found.sort(key=lambda each: each.is_read_only)
    return RankedEntities(found[:MOST], max(0, len(found) - MOST))


def _of_sentence(utterance: Utterance) -> list[Exposed]:
    """Return the devices of a sentence and its clauses: a place may belong to all or to one."""
    whole = _of(utterance, utterance.text)
    clauses = utterance.parsed.clauses[:_PARTS] if len(utterance.parsed.clauses) > 1 else ()
    parts = [each for clause in clauses for each in _of(utterance, clause.text)]
    both = filter(set(whole).__contains__, parts)
    return list(dict.fromkeys((*both, *parts, *whole)))


def _of(utterance: Utterance, text: str) -> list[Exposed]:
    """Return the devices that a text is about, the likeliest first.

    A device is left out if another one has all of its words in the text, and more: "the kitchen
    light" leaves out the other lights and the other devices of the kitchen.
    """
    meant = utterance.link(utterance.text.alike(" ".join(text.split()[:_LONGEST])))
    found = meant.ranked
    said = {each for _, each in found if each}
    most = {each for each in said if not any(each < other for other in said)}

    def certain(about: tuple[EntityWords, frozenset[str]]) -> tuple[bool | int, ...]:
        described, own = about
        entity, unsaid = described.entity, meant.unsaid_words(described)
        return (
            -len(own),
            entity.area != utterance.area_id,
            unsaid > 0,
            -len(described.all & meant.corrected_words),  # also category words
            unsaid,
            entity.is_read_only,
        )

    likeliest = sorted((each for each in found if each[1] in most), key=certain)
    return [each.entity for each, _ in likeliest]
