"""Disambiguation: which entities an ambiguous command can mean, and which one an answer picks."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, product, takewhile
import re
from typing import Final

from ..home.exposed import Exposed
from ..languages import language_of
from ..names.matching import matcher, words
from .categories import Category, find_categories
from .entity_linking import EntityLinker
from .gazetteer import ONLY_READ
from .phrases import phrases_of_form

_WORD: Final = re.compile(r"[^\W_]+")
_MOST: Final = 14
"""Words of a command; of a longer one nothing is certain."""
_OF_ONE_SORT: Final = frozenset(("fan", "lawn_mower", "light", "lock", "vacuum"))
"""Domains of which each word means any device; a blind is no gate, though both are covers."""
_SWITCHES: Final = frozenset(("input_boolean", "switch"))
"""What they switch, only their names say."""
_STEM: Final = 4
"""Letters in which two forms of a word are alike."""


def ambiguous_candidates(meant: EntityLinker) -> Sequence[Exposed]:
    """Return the devices of which a command may mean one, without saying which; none if it is unsure.

    They are all called what was said, or of its kind, in the places that it names, or where the
    speaker is.
    """
    language = language_of(meant.text.code)
    said = meant.text.words
    beside = language.universal_quantifiers | language.alternatives | language.conjunctions
    if len(meant.categories) != 1 or meant.categories[0].is_plural or not beside.isdisjoint(said):
        return ()
    if meant.named:
        return _called_alike([*meant.named])
    possible = [each for each in meant.home.entities if each.domain not in ONLY_READ]
    found = [*_of_kind(meant, meant.categories[0], possible)]
    here = [each for each in found if meant.speaker_area and each.area == meant.speaker_area]
    return here or found


def substitute_name(meant: EntityLinker, name: str) -> Iterator[str]:
    """Yield a command with a device's name in the place of the words for its kind.

    And of those beside them that may tell it, ever more: "the bedroom lamp", "the lamp in the bedroom".
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
    """Return those of some devices that an answer tells from the others; none if it says more.

    By words of its name, of its room, or the begin of a word: "vordere" is of the Vordertür. Between
    words that join ("the kitchen and the hall one"), each part tells one.
    """
    empty = _beside(said.text.code) | {word for kind in said.categories for word in kind.words}
    own = {each: _words_about(each, said) for each in which}
    found = [_told(part, empty, own) for part in _parts(said)]
    return [one for one in found if one] if all(found) else ()


def _parts(said: EntityLinker) -> Iterator[Sequence[str]]:
    """Yield the words of an answer, in the parts that words such as "and" join."""
    joints = language_of(said.text.code).conjunctions
    for is_joint, group in groupby(said.text.words, joints.__contains__):
        if not is_joint:
            yield [*group]


def _told(
    part: Sequence[str], empty: Collection[str], own: Mapping[Exposed, Collection[str]]
) -> Exposed | None:
    """Return the device that some words tell, by the words of each."""
    telling = [word for word in part if word not in empty]
    exact = [each for each in own if {*own[each]}.issuperset(telling)]
    begun = [each for each in own if all(_begins(word, own[each]) for word in telling)]
    found = exact or begun
    return found[0] if telling and len(found) == 1 else None


def _called_alike(named: Sequence[Exposed]) -> Sequence[Exposed]:
    """Return several devices that have one name; none where each has another: all were said then."""
    names = {" ".join(words(each.names[0])) for each in named}
    return sorted(named, key=lambda each: each.entity_id) if len(names) == 1 else ()


def _of_kind(meant: EntityLinker, kind: Category, possible: Sequence[Exposed]) -> Iterator[Exposed]:
    """Yield the devices of a kind that may be meant, and the switches that are called so."""
    for each in possible:
        if each.domain in kind.domains and meant.is_candidate(each):
            if _is_called(each, kind.words) or _may_be_called(each, kind, meant.text.code):
                yield each
        elif _is_switch_of(each, kind, meant):
            yield each


def _is_switch_of(entity: Exposed, kind: Category, meant: EntityLinker) -> bool:
    """Return True if a switch is called what was said, and is there: the plug "Floor Lamp"."""
    if entity.domain not in _SWITCHES - kind.domains or not _is_there(entity, meant):
        return False
    return any(
        kind.domains == own.domains for own in find_categories(meant.text.alike(entity.names[0]))
    )


def _may_be_called(entity: Exposed, kind: Category, code: str) -> bool:
    """Return True if a word for a kind may mean a device that has it in none of its names.

    Of a door's lock it may, and not of the gate's.
    """
    if entity.domain not in _OF_ONE_SORT:
        return False
    general, *special = language_of(code).categories["one"][entity.domain]
    is_general = _is_called(entity, words(general)) and general in kind.words
    return entity.domain != "lock" or is_general or not _is_called(entity, special)


def _is_called(entity: Exposed, said: Iterable[str]) -> bool:
    """Return True if a device has one of some words in its names, or is of a class that is called so."""
    own = {word for text in (*entity.names, entity.device_class or "") for word in words(text)}
    told = {word for each in said for word in words(each)}
    return any(word[:_STEM] == each[:_STEM] or word.endswith(each) for word in own for each in told)


def _is_there(entity: Exposed, meant: EntityLinker) -> bool:
    return not meant.areas or entity.area in meant.areas


def _words_about(entity: Exposed, said: EntityLinker) -> frozenset[str]:
    area = said.home.areas.get(entity.area)
    names = (*entity.names, *((area.name, *area.aliases) if area else ()))
    return frozenset(word for name in names for word in words(name))


def _begins(word: str, own: Collection[str]) -> bool:
    return word in own or (
        len(word) >= _STEM and any(other[:_STEM] == word[:_STEM] for other in own)
    )


@lru_cache
def _beside(code: str) -> frozenset[str]:
    """Return the words of an answer that tell nothing: "the … one, please"."""
    one = {word for phrase in phrases_of_form(code, "one_of") for word in phrase}
    return frozenset(one | matcher(code).function_words)
