"""Who shuts what a part of its name tells: "shut the boat house" is the Boat House Door's closing.

Nobody is let in by that. To open is never read so.
"""

from collections.abc import Iterator, Sequence

from ..home.exposed import Exposed
from ..names.matching import matcher, words
from .locking_up import ways_to_lock
from .meant import Meant
from .opening import opens
from .referring import only_says_what_to_do


def shut_by_name(said: Meant) -> Exposed | None:
    """Return the only cover that a command may shut, or lock that it may lock; None where it is unsure.

    All words of the command besides those for what to do are in its name, and in that of no other. Who
    names a device as a whole, or a kind of devices, is understood elsewhere.
    """
    if said.named or said.kinds or opens(said.text, said.code) is not False:
        return None
    if locking := [rest for _, rest in ways_to_lock(said)]:
        return next(filter(None, (_only(said, "lock", rest) for rest in locking)), None)
    return _only(said, "cover", [*_telling(said)])


def _only(said: Meant, domain: str, telling: Sequence[str]) -> Exposed | None:
    """Return the device of a domain that some words tell, where there is no other that they may tell."""
    possible = [each for each in said.home.entities if each.domain == domain]
    called = [each for each in possible if any({*telling} <= {*words(name)} for name in each.names)]
    # "Close the study" may be about all of its blinds.
    there = [each for each in possible if each.area in said.areas]
    return called[0] if telling and len(called) == 1 and {*there} <= {*called} else None


def _telling(said: Meant) -> Iterator[str]:
    """Yield the words of a command that say neither what to do nor nothing at all."""
    fillers = matcher(said.code).fillers
    for word in words(said.text):
        if word not in fillers and not only_says_what_to_do([word], said.code):
            yield word
