"""Area linking: the areas and floors that a text names, as a whole or by a word that only they have."""

from collections.abc import Collection, Iterable, Mapping

from homeassistant.helpers.area_registry import AreaEntry
from homeassistant.helpers.floor_registry import FloorEntry

from ..home.exposed import Exposed, Home
from ..languages import language_of
from ..names.matching import matcher, words
from .gazetteer import Gazetteer
from .vocabulary import words_of_commands


def find_areas(home: Home, code: str, spoken: frozenset[str]) -> list[AreaEntry]:
    """Return the areas whose names were said as a whole: "Bedroom 2" is not the bedroom."""
    said = {area.id: _said_of(area, code, spoken) for area in home.areas.values()}
    return [
        area
        for area in home.areas.values()
        if said[area.id] and not any(said[area.id] < other for other in said.values())
    ]


def find_floors(home: Home, code: str, spoken: frozenset[str]) -> list[FloorEntry]:
    """Return the floors whose names were said as a whole."""
    return [floor for floor in home.floors.values() if _said_of(floor, code, spoken)]


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


def _said_of(place: AreaEntry | FloorEntry, code: str, spoken: frozenset[str]) -> frozenset[str]:
    return longest_name((place.name, *place.aliases), code, spoken)


def _heads(area: AreaEntry, code: str) -> frozenset[str]:
    """Return the words that say what an area is: the last ones of its names, or the first ones."""
    first = 0 if language_of(code).head_initial else -1
    names = (
        [word for word in words(name) if word.isalpha()] for name in (area.name, *area.aliases)
    )
    return frozenset(own[first] for own in names if own) - words_of_commands(code)
