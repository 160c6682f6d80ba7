"""What came of the calls of a turn."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from homeassistant.helpers import intent, llm

from ..json_schema import Json


class Outcome(StrEnum):
    """What came of a call."""

    PENDING = "pending"
    REFUSED = "refused"
    """It was not made, or its tool refused it before it did anything."""
    READ = "read"
    """A tool that only reads gave a result."""
    DONE = "done"
    """It did something in the home, and nothing of it failed."""
    ANSWERED = "answered"
    """A tool that may act gave a result; whether it acted, it alone knows."""
    FAILED = "failed"
    """It failed, all of it or a part; something may have been done."""


@dataclass(slots=True)
class Entry:
    """A call under its tool's own name."""

    call_id: str
    tool: llm.Tool
    arguments: Json
    outcome: Outcome = Outcome.PENDING
    reason: str = ""
    """Why it was refused, in the words that the model was told."""
    instead: str = ""
    """The key of the sentence that the user is told, where it was refused for good."""
    is_forbidden: bool = False
    """It was what was said that refused it."""
    is_corrected: bool = False
    """It was made with other arguments than the model's."""

    def refuse(self, reason: str) -> None:
        """Note that nothing was done, and why."""
        self.outcome, self.reason = Outcome.REFUSED, reason

    def forbid(self, reason: str, instead: str = "") -> None:
        """Note that it does not go with what was said, and what the user is told, if anything."""
        self.refuse(reason)
        self.is_forbidden, self.instead = True, instead

    def end(self, result: llm.ToolResult) -> None:
        """Note what came of it, unless that is known already."""
        if self.outcome is Outcome.PENDING:
            self.outcome = _outcome(self.tool, result)


@dataclass(slots=True)
class Journal:
    """The calls of a turn, in the order in which they began."""

    entries: list[Entry] = field(default_factory=list)

    def begin(self, tool: llm.Tool, call: llm.ToolInput) -> Entry:
        """Note a call that is about to be made."""
        entry = Entry(call.id, tool, call.tool_args)
        self.entries.append(entry)
        return entry

    @property
    def acted(self) -> bool:
        """Whether something was done, and nothing failed or was refused."""
        outcomes = {entry.outcome for entry in self.entries}
        return Outcome.DONE in outcomes and not outcomes & {Outcome.FAILED, Outcome.REFUSED}

    @property
    def may_have_acted(self) -> bool:
        """Whether something was done, in part or for all that is known."""
        return any(
            entry.outcome in (Outcome.DONE, Outcome.ANSWERED, Outcome.FAILED)
            and not entry.tool.annotations.read_only
            for entry in self.entries
        )

    @property
    def only_forbidden(self) -> bool:
        """Whether the calls did not go with what was said, and nothing else came of them."""
        return any(entry.is_forbidden for entry in self.entries) and all(
            entry.outcome is Outcome.REFUSED for entry in self.entries
        )

    @property
    def refusals(self) -> Iterator[str]:
        """Why calls were refused, in the words that the model was told."""
        return (entry.reason for entry in self.entries if entry.outcome is Outcome.REFUSED)

    @property
    def refused_for_good(self) -> Mapping[str, str]:
        """What the user is told of calls that nothing can replace, as texts' keys, by the calls' ids."""
        return {entry.call_id: entry.instead for entry in self.entries if entry.instead}

    @property
    def corrections(self) -> int:
        """How many calls were made with other arguments than the model's."""
        return sum(entry.is_corrected for entry in self.entries)


def _outcome(tool: llm.Tool, result: llm.ToolResult) -> Outcome:
    """Return what came of a call that was made, by its result."""
    if result.error:
        return Outcome.FAILED
    if tool.annotations.read_only:
        return Outcome.READ
    match result.data:
        case llm.IntentResponseDict() as response if (
            response.get("response_type") == intent.IntentResponseType.ACTION_DONE.value
        ):
            return Outcome.FAILED if response["data"].get("failed") else Outcome.DONE
    return Outcome.ANSWERED
