"""What is known of a call that is kept for a later moment."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from homeassistant.helpers import llm

from ..home.exposed import Exposed
from ..json_schema import Json
from .assist.call_errors import Refusal
from .journal import DirectReply


@dataclass(frozen=True, slots=True)
class ResolvedCall:
    """A call that was checked against the home and against what was said, and not made yet."""

    tool: llm.Tool
    arguments: Json
    targets: tuple[Exposed, ...]
    """The devices that it is for; empty where it is for none."""


class CannotSchedule(Refusal):
    """A call can't be kept; the user is told why, and nothing is left to do for the model."""

    def __init__(self, text: str, instead: DirectReply) -> None:
        """Take what the model is told, and the key of what the user is."""
        super().__init__(text)
        self.instead: DirectReply = instead


@dataclass(frozen=True, slots=True)
class Revert:
    """A call that is made now, and undone after a while."""

    resolved: ResolvedCall
    async_begin: Callable[[], Awaitable[str]]
    """Plans the end of what was just done; returns in words when that is."""
