"""Data of a call that is deferred to a later time."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from homeassistant.helpers import llm

from ..home.exposed import Exposed
from ..json_schema import Json
from .assist.call_errors import Refusal
from .journal import DirectReply


@dataclass(frozen=True, slots=True)
class ResolvedCall:
    """A call that was checked against the home and the utterance, and not executed yet."""

    tool: llm.Tool
    arguments: Json
    targets: tuple[Exposed, ...]
    """The devices of the call; empty if it has none."""


class CannotSchedule(Refusal):
    """A call can't be deferred; the user receives the reason, and the model's work is done."""

    def __init__(self, text: str, instead: DirectReply) -> None:
        """Take the text for the model, and the key of the reply to the user."""
        super().__init__(text)
        self.instead: DirectReply = instead


@dataclass(frozen=True, slots=True)
class Revert:
    """A call that is executed now, and reverted after a duration."""

    resolved: ResolvedCall
    async_begin: Callable[[], Awaitable[str]]
    """Plans the revert of the executed call; returns its time in words."""
