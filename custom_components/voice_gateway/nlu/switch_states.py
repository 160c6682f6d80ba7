"""The states of a domain that count as on, and as off."""

from collections.abc import Mapping
from typing import Final

type SwitchStates = tuple[frozenset[str], frozenset[str]]
"""The states that words say of what was turned on, and of what was turned off."""

WORKS: Final[SwitchStates] = (
    frozenset(("on", "running", "cleaning", "mowing")),
    frozenset(("off", "docked")),
)
PLAYS: Final[SwitchStates] = frozenset(("on", "playing")), frozenset(("off", "paused"))
_OPENS: Final[SwitchStates] = frozenset(("open",)), frozenset(("closed",))
_ON_OFF: Final[SwitchStates] = frozenset(("on",)), frozenset(("off",))
_OF_DOMAIN: Final[Mapping[str, SwitchStates]] = {
    "cover": _OPENS,
    "lawn_mower": WORKS,
    "lock": (frozenset(("locked",)), frozenset(("unlocked",))),
    "media_player": PLAYS,
    "vacuum": WORKS,
    "valve": (frozenset(("open", "on")), frozenset(("closed", "off"))),
}
GOING: Final = frozenset(("lawn_mower", "vacuum"))
"""Domains whose devices leave their dock to work: "out" is where they go, and not off."""


def switch_states(domain: str) -> SwitchStates:
    """Return the states of a domain's devices that are turned on, and of those turned off."""
    return _OF_DOMAIN.get(domain, _ON_OFF)
