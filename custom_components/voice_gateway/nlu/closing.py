"""Covers and locks that "shut" refers to by a part of their names: "shut the boat house".

Nobody is let in by that. To open is never read so.
"""

from collections.abc import Iterator, Sequence

from ..home.exposed import Exposed
from ..names.matching import matcher, words
from .access_predicates import access_direction
from .anaphora import is_only_predicate
from .entity_linking import EntityLinker
from .lock_up import lock_phrases


def find_closed_by_name(said: EntityLinker) -> Exposed | None:
    """Return the only cover that a command may shut, or lock that it may lock; None where it is unsure.

    All words of the command besides those for what to do are in its name, and in that of no other. Who
    names a device as a whole, or a kind of devices, is understood elsewhere.
    """
    if said.named or said.categories or access_direction(said.text) is not False:
        return None
    if locking := [rest for _, rest in lock_phrases(said)]:
        return next(filter(None, (_only(said, "lock", rest) for rest in locking)), None)
    return _only(said, "cover", [*_telling(said)])


def _only(said: EntityLinker, domain: str, telling: Sequence[str]) -> Exposed | None:
    """Return the device of a domain that some words tell, where there is no other that they may tell."""
    possible = [each for each in said.home.entities if each.domain == domain]
    called = [each for each in possible if any({*telling} <= {*words(name)} for name in each.names)]
    # "Close the study" may be about all of its blinds.
    there = [each for each in possible if each.area in said.areas]
    return called[0] if telling and len(called) == 1 and {*there} <= {*called} else None


def _telling(said: EntityLinker) -> Iterator[str]:
    """Yield the words of a command that say neither what to do nor nothing at all."""
    fillers = matcher(said.text.code).function_words
    for word in said.text.words:
        if word not in fillers and not is_only_predicate([word], said.text.code):
            yield word
