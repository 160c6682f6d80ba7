"""Decisions about a call: make it, narrow it, defer it, ask for consent, or refuse it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...home.exposed import Exposed
from ...nlu.clause import Clause
from ..assist.target import LISTS
from ..journal import DirectReply
from ..resolved_intent import Replace

HEARD = "heard"
"""The question whether a harmless call was understood correctly. That needs no PIN."""
OF_SERVER = "server"
"""A question that an MCP server asks by itself. The call was decided before."""
CHOICE_OF_SERVER = "server_choice"
OF_SERVERS = frozenset((OF_SERVER, CHOICE_OF_SERVER))
ALIAS = "alias"
"""Whether to give a device another name."""
WITHOUT_PIN = OF_SERVERS | {HEARD, ALIAS}


@dataclass(frozen=True, slots=True)
class Refuse:
    """The reason for a refusal, in words for the model."""

    reason: str
    instead: DirectReply | None = None
    """The reply to the user, if there is nothing left for the model to do."""
    about: Sequence[str] = ()
    """The names of the devices that are not changed, or of the missing thing."""
    which: Sequence[Exposed] = ()
    """The candidates among which the user has to choose."""


@dataclass(frozen=True, slots=True)
class Defer:
    """A call at a time that the user said: it is deferred, or made now and reverted at its end."""

    clause: Clause
    """The clause of the call."""
    refused: Refuse
    """The refusal if it cannot be deferred."""


@dataclass(frozen=True, slots=True)
class Narrow:
    """The only devices that a call is made for: some of its targets.

    If Home Assistant would refuse it, they are the targets that the utterance certainly means.
    """

    targets: Sequence[Exposed]
    leaves_scripts: bool = False
    """The call would also run scripts, which are not among the devices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A call requires consent."""

    does: str
    """Its effect: a part of the question's key."""
    names: Sequence[str]
    """Its targets, in words for the user."""
    more: Mapping[str, str] = field(default_factory=dict)
    """Other placeholders of the question."""
    because: str = ""
    """The reason for the model, if no user can be asked."""
    targets: Sequence[Exposed] = ()
    """The devices that it is for."""

    @property
    def only(self) -> Sequence[Exposed] | None:
        """The devices that its call is made for; None if its arguments name them."""
        is_of_lists = any(each.domain in LISTS for each in self.targets)
        return self.targets if self.targets and not is_of_lists else None

    def is_same(self, other: Ask | None) -> bool:
        """Return True if consent to another question covers this one: same effect and targets."""
        return other is not None and (
            (self.does, self.more, {*self.names}, {*self.targets})
            == (other.does, other.more, {*other.names}, {*other.targets})
        )


type Decision = Refuse | Defer | Narrow | Ask | Replace | None
"""The decision about a call; None if it is made as it is."""


def explicit_targets(decided: Decision) -> Sequence[Exposed] | None:
    """Return the devices that a call is made for; None if its arguments name them."""
    match decided:
        case Ask():
            return decided.only
        case Narrow(targets):
            return targets
    return None
