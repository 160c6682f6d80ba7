"""What is decided of a call: it is made, or for some of its devices, later, after a question, or not at all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...home.exposed import Exposed
from ...nlu.clause import Clause
from ..assist.target import LISTS
from ..journal import DirectReply
from ..resolved_intent import Replace

HEARD = "heard"
"""What is asked of a harmless call: whether it was heard rightly. That needs no PIN."""
OF_SERVER = "server"
"""What an MCP server asks by itself. What it was called for was decided before."""
CHOICE_OF_SERVER = "server_choice"
OF_SERVERS = frozenset((OF_SERVER, CHOICE_OF_SERVER))
WITHOUT_PIN = OF_SERVERS | {HEARD}


@dataclass(frozen=True, slots=True)
class Refuse:
    """Why a call may not be made, in words for the model."""

    reason: str
    instead: DirectReply | None = None
    """What the user is told at once, where there is nothing left for the model to do."""
    about: Sequence[str] = ()
    """The names of the devices that are left alone, or what was not found."""
    which: Sequence[Exposed] = ()
    """Devices of which one may be meant."""


@dataclass(frozen=True, slots=True)
class Defer:
    """A call is for a moment that was said: it is kept, or made now and undone at its end."""

    clause: Clause
    """The part of the sentence that it is for."""
    refused: Refuse
    """What holds where it can't be kept."""


@dataclass(frozen=True, slots=True)
class Narrow:
    """The only devices that a call is made for: some of those that it would act upon.

    Where Home Assistant would refuse it, they are those that were certainly meant.
    """

    targets: Sequence[Exposed]
    leaves_scripts: bool = False
    """The call would also run scripts, which are none of the devices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A call is made only if the user says yes to a question of ours."""

    does: str
    """What it does: a part of the question's key."""
    names: Sequence[str]
    """To what it does it, in words for the user."""
    more: Mapping[str, str] = field(default_factory=dict)
    """What else the question says."""
    because: str = ""
    """What the model is told where nobody can be asked."""
    targets: Sequence[Exposed] = ()
    """The devices that it is for."""

    @property
    def only(self) -> Sequence[Exposed] | None:
        """The devices that its call is made for; None where that names what it is for itself."""
        is_of_lists = any(each.domain in LISTS for each in self.targets)
        return self.targets if self.targets and not is_of_lists else None

    def is_same(self, other: Ask | None) -> bool:
        """Return True if a yes to another question is one to this: it does the same to the same."""
        return other is not None and (
            (self.does, self.more, {*self.names}, {*self.targets})
            == (other.does, other.more, {*other.names}, {*other.targets})
        )


type Decision = Refuse | Defer | Narrow | Ask | Replace | None
"""What becomes of a call; None where it is made as it is."""


def explicit_targets(decided: Decision) -> Sequence[Exposed] | None:
    """Return the devices that a call is made for; None where it names what it is for itself."""
    match decided:
        case Ask():
            return decided.only
        case Narrow(targets):
            return targets
    return None
