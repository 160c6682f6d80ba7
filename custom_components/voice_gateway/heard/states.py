"""What is said of a device that is turned on, and of one that is turned off."""

from collections.abc import Mapping
from typing import Final

type States = tuple[frozenset[str], frozenset[str]]
"""The states that words say of what was turned on, and of what was turned off."""

WORKS: Final[States] = (
    frozenset(("on", "running", "cleaning", "mowing")),
    frozenset(("off", "docked")),
)
PLAYS: Final[States] = frozenset(("on", "playing")), frozenset(("off", "paused"))
_OPENS: Final[States] = frozenset(("open",)), frozenset(("closed",))
_ON_OFF: Final[States] = frozenset(("on",)), frozenset(("off",))
_OF_DOMAIN: Final[Mapping[str, States]] = {
    "cover": _OPENS,
    "lawn_mower": WORKS,
    "lock": (frozenset(("locked",)), frozenset(("unlocked",))),
    "media_player": PLAYS,
    "vacuum": WORKS,
    "valve": (frozenset(("open", "on")), frozenset(("closed", "off"))),
}
GOING: Final = frozenset(("lawn_mower", "vacuum"))
"""Domains whose devices leave their dock to work: "out" is where they go, and not off."""


def states_of(domain: str) -> States:
    """Return the states of a domain's devices that are turned on, and of those turned off."""
    return _OF_DOMAIN.get(domain, _ON_OFF)
