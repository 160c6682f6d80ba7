"""Who keeps calls for a later moment."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from homeassistant.helpers import llm

from ..heard.said import Clause
from ..home.exposed import Exposed
from ..json_schema import Json
from .assist.refusals import Refusal
from .journal import Instead

if TYPE_CHECKING:
    from .executor import ToolExecutor


@dataclass(frozen=True, slots=True)
class Resolved:
    """A call that was checked against the home and against what was said, and not made yet."""

    tool: llm.Tool
    arguments: Json
    targets: tuple[Exposed, ...]
    """The devices that it is for; empty where it is for none."""


class NotKept(Refusal):
    """A call can't be kept; the user is told why, and nothing is left to do for the model."""

    def __init__(self, text: str, instead: Instead) -> None:
        """Take what the model is told, and the key of what the user is."""
        super().__init__(text)
        self.instead = instead


class Ending(Protocol):
    """What is to be undone after a while."""

    resolved: Resolved
    """What is to be done before."""

    async def async_begin(self) -> str:
        """Plan the end of what was just done; return in words when that is."""


class Keeper(Protocol):
    """Keeps a turn's calls for their moments. Raises Refusal with why it can't."""

    async def async_keep(self, tools: ToolExecutor, call: llm.ToolInput, clause: Clause) -> str:
        """Keep a call for a clause's moment; return in words what will be done when."""

    async def async_for_now(
        self, tools: ToolExecutor, call: llm.ToolInput, clause: Clause
    ) -> Ending:
        """Return how a call is made that is to be undone at a clause's end."""

    async def async_left(self, tools: ToolExecutor) -> Sequence[tuple[Clause, llm.ToolInput]]:
        """Return the calls of clauses for later that are certain, and of which none was kept."""
