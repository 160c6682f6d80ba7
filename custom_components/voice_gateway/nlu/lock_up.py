"""Locking up: "lock up", "lock the house" refers to every lock.

Nobody is let in by that. To unlock is never read so. "Lock all the doors" is no such phrase: locks are guarded,
and of several that were not named the user is asked which.
"""

from collections.abc import Iterator, Sequence

from ..home.exposed import Exposed
from ..languages import language_of
from ..names.matching import matcher, words
from .categories import find_categories
from .entity_linking import EntityLinker
from .phrases import phrases_of_form

_LOCK = "lock"


def locks_to_lock_up(said: EntityLinker) -> list[Exposed]:
    """Return the locks that a command locks without their names; none where it may mean one door.

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
    """Yield each phrase for locking that is in a command, and the other words that say something."""
    spoken = said.text.words
    fillers = matcher(said.text.code).function_words
    for phrase in phrases_of_form(said.text.code, "locks"):
        if (rest := _without(spoken, phrase)) is not None:
            yield phrase, [word for word in rest if word not in fillers]


def _without(spoken: Sequence[str], phrase: Sequence[str]) -> list[str] | None:
    """Return what is left without the words of a phrase, which others may part: "schließ alles ab"."""
    left, wanted = [], [*phrase]
    for word in spoken:
        if wanted and word == wanted[0]:
            wanted.pop(0)
        else:
            left.append(word)
    return None if wanted else left


def _is_of_all(said: EntityLinker, phrase: Sequence[str], rest: Sequence[str]) -> bool:
    """Return True if what is left says nothing but that it is of all, or of a place as a whole.

    One word alone may be none for a lock: "blocca".
    """
    if find_categories(said.text.alike(" ".join(rest))):
        return False
    known = {
        word for each in language_of(said.text.code).universal_quantifiers for word in words(each)
    }
    known.update(word for each in phrases_of_form(said.text.code, "dwelling") for word in each)
    known.update(said.place_words)
    return known.issuperset(rest) and (bool(rest) or len(phrase) > 1)
