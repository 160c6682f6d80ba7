"""The outcomes of a turn's calls."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
import json
from typing import Any

from homeassistant.helpers import intent, llm

from ..json_schema import Json

_ENTITY = intent.IntentResponseTargetType.ENTITY


class DirectReply(StrEnum):
    """A reply to the user that replaces the model's: the key of the sentence."""

    LATER = "not_later"
    AT_WHAT_TIME = "at_what_time"
    ON_WHICH_DAY = "on_which_day"
    """The day is ambiguous."""
    EVENT = "not_on_event"
    """No entity shows when that happens."""
    CONDITION = "not_on_condition"
    FOR_A_WHILE = "not_for_a_while"
    """The call's effect cannot be reverted."""
    TOO_MANY = "too_many_plans"
    UNMET = "not_so"
    """The condition is not met."""
    SHOWN = "shown_instead"
    """The same, with the actual state of an entity: its `name` and its `state`."""
    AS_SAID = "left_alone"
    NOT_FOUND = "nothing_found"
    """Nothing with the name `wanted` was found: media to play, or the subject of a question."""


class Outcome(StrEnum):
    """The outcome of a call."""

    PENDING = "pending"
    REFUSED = "refused"
    """It was not made, or its tool refused it before it acted."""
    READ = "read"
    """A tool that only reads gave a result."""
    DONE = "done"
    """It changed the home, without failures."""
    ANSWERED = "answered"
    """A tool that may act gave a result; whether it acted is unknown."""
    PARTLY = "partly"
    """It changed the home, with some failures."""
    PLANNED = "planned"
    """It is deferred."""
    ASKED = "asked"
    """It requires consent, and the user is asked."""
    FAILED = "failed"
    """It failed, as its tool reports."""
    IN_DOUBT = "in doubt"
    """No answer came: it may have been executed."""


_DONE = frozenset((Outcome.DONE, Outcome.ANSWERED, Outcome.PARTLY))
_SETTLED = _DONE | {Outcome.ASKED, Outcome.PLANNED}
_UNDONE = frozenset((Outcome.REFUSED, Outcome.FAILED, Outcome.PARTLY))


@dataclass(slots=True)
class CallRecord:
    """A call under its tool's own name."""

    call_id: str
    tool: llm.Tool
    arguments: Json
    message: int = 0
    """The number of the turn's message that contains it."""
    outcome: Outcome = Outcome.PENDING
    reason: str = ""
    """The reason of its refusal, in words for the model."""
    instead: str = ""
    """The key of the reply to the user, if it was refused for good."""
    is_forbidden: bool = False
    """It was refused because of the utterance."""
    about: Sequence[str] = ()
    """The names of its devices, if it was refused."""
    which: Sequence[str] = ()
    """The names of the candidates, if it was refused as ambiguous."""
    is_corrected: bool = False
    """It was made with other arguments than the model's."""
    told: str = ""
    """The time of its execution, or of its revert, in words for the user."""
    response: intent.IntentResponse | None = None
    """The response of Home Assistant's intent, if it called one."""

    @property
    def is_undone(self) -> bool:
        """Whether it was a command that was not executed; a rightly refused one does not count."""
        return (
            self.outcome in _UNDONE
            and self.instead != DirectReply.AS_SAID
            and not self.tool.annotations.read_only
        )

    @property
    def reached(self) -> tuple[str, ...]:
        """The ids of the entities that it changed, by the intent's response."""
        results = self.response.success_results if self.response else ()
        ids = (str(each.id) for each in results if each.type == _ENTITY and each.id)
        return tuple(dict.fromkeys(ids))

    def refuse(self, reason: str) -> None:
        """Record that nothing was done, and why."""
        self.outcome, self.reason = Outcome.REFUSED, reason

    def forbid(self, reason: str, instead: str = "", about: Sequence[str] = ()) -> None:
        """Record that it contradicts the utterance, and the reply to the user, if any."""
        self.refuse(reason)
        self.is_forbidden, self.instead, self.about = True, instead, about

    def ask(self) -> None:
        """Record that the user is asked first."""
        self.outcome = Outcome.ASKED

    def plan(self, told: str) -> None:
        """Record that it is deferred, and the words for the user."""
        self.outcome, self.told = Outcome.PLANNED, told

    def doubt(self) -> None:
        """Record that no answer came: a tool that acts may be running, or done."""
        self.outcome = Outcome.FAILED if self.tool.annotations.read_only else Outcome.IN_DOUBT

    def end(self, result: llm.ToolResult) -> None:
        """Record the outcome, unless that is known already."""
        self.response = getattr(result.data, "original", None)
        if self.outcome is Outcome.PENDING:
            self.outcome = _outcome(self.tool, result)

    @property
    def may_have_acted(self) -> bool:
        """Whether it changed something, at least in part or possibly.

        Home Assistant's intents may have changed devices before they fail.
        """
        if self.outcome is Outcome.FAILED:
            return isinstance(self.tool, llm.IntentTool) and not self.tool.annotations.read_only
        return self.outcome in _DONE | {Outcome.IN_DOUBT}


@dataclass(slots=True)
class Journal:
    """The calls of a turn, in the order in which they began."""

    entries: list[CallRecord] = field(default_factory=list)
    unknown: list[tuple[int, str]] = field(default_factory=list)
    """The names of called tools that do not exist, each with the message's number."""
    messages: int = 0
    """The number of the model's messages so far."""

    def begin_message(self) -> None:
        """Begin another message: its calls follow."""
        self.messages += 1

    def begin(self, tool: llm.Tool, call: llm.ToolInput) -> CallRecord:
        """Record a call that is about to be made."""
        entry = CallRecord(call.id, tool, call.tool_args, self.messages)
        self.entries.append(entry)
        return entry

    def miss(self, name: str) -> None:
        """Record a call of a tool that does not exist."""
        self.unknown.append((self.messages, name))

    def forget(self) -> None:
        """Drop the calls so far, all of which were refused."""
        self.entries.clear()

    @property
    def is_all_refused(self) -> bool:
        """Whether tools were called, and each call was refused before it acted."""
        return bool(self.entries) and all(
            entry.outcome is Outcome.REFUSED for entry in self.entries
        )

    @property
    def done(self) -> Sequence[CallRecord]:
        """The calls that changed something, at least in part, or may have acted and answered."""
        return [entry for entry in self.entries if entry.outcome in _DONE]

    @property
    def undone(self) -> int:
        """The number of failed calls that no later message made up for.

        A message makes up for as many as it completed; the calls of one message have different
        purposes. A repeated call has the same purpose.
        """
        left = 0
        again: set[str] = set()
        for message in range(self.messages + 1):
            calls = [entry for entry in self.entries if entry.message == message]
            left -= min(left, sum(call.outcome in _SETTLED for call in calls))
            undone = {signature(each.tool.name, each.arguments) for each in calls if each.is_undone}
            missed = {name for at, name in self.unknown if at == message}
            left += len((undone | missed) - again)
            again |= undone | missed
        return left

    @property
    def is_in_doubt(self) -> bool:
        """Whether a call without an answer may have been executed."""
        return any(entry.outcome is Outcome.IN_DOUBT for entry in self.entries)

    @property
    def has_read(self) -> bool:
        """Whether a tool gave a result that may answer a question."""
        return any(entry.outcome in _DONE | {Outcome.READ} for entry in self.entries)

    @property
    def tools_read(self) -> Sequence[llm.Tool]:
        """The tools that only read, and gave a result."""
        return [entry.tool for entry in self.entries if entry.outcome is Outcome.READ]

    @property
    def found_out(self) -> bool:
        """Whether a tool gave a result other than the confirmation of a change."""
        return any(
            entry.outcome is Outcome.READ
            or (entry.outcome in _DONE and not isinstance(entry.tool, llm.IntentTool))
            for entry in self.entries
        )

    @property
    def came_to_nothing(self) -> bool:
        """Whether tools were called, and none of them gave a result."""
        return bool(self.entries or self.unknown) and not self.has_read

    @property
    def acted(self) -> bool:
        """Whether a change was made, and no call failed, was refused or is in doubt."""
        is_done = any(entry.outcome is Outcome.DONE for entry in self.entries)
        return is_done and not (self.undone or self.is_in_doubt)

    @property
    def carried_out(self) -> Sequence[str]:
        """The names of tools that may act and gave a result, if every call succeeded."""
        if self.undone or self.is_in_doubt:
            return ()
        tools = [entry.tool for entry in self.entries if entry.outcome is Outcome.ANSWERED]
        return [getattr(tool, "title", None) or tool.name.replace("_", " ") for tool in tools]

    @property
    def may_have_acted(self) -> bool:
        """Whether a change was made, at least in part or possibly."""
        return any(entry.may_have_acted for entry in self.entries)

    def is_to_be_kept(self, call_id: str) -> bool:
        """Return True if a call must not be repeated, though it ended in an error."""
        return any(
            entry.call_id == call_id and entry.outcome is Outcome.IN_DOUBT for entry in self.entries
        )

    @property
    def only_forbidden(self) -> bool:
        """Whether all calls were refused, and at least one because of the utterance."""
        return self.is_all_refused and any(entry.is_forbidden for entry in self.entries)

    @property
    def refusals(self) -> Iterator[str]:
        """The reasons of refusals, in words for the model."""
        return (entry.reason for entry in self.entries if entry.outcome is Outcome.REFUSED)

    @property
    def refused_for_good(self) -> Mapping[str, str]:
        """The keys of the replies for calls that nothing can replace, by the calls' ids."""
        return {entry.call_id: entry.instead for entry in self.entries if entry.instead}

    @property
    def not_found(self) -> Mapping[str, str]:
        """The placeholders of the reply about a missing thing: `wanted`."""
        missed = (entry for entry in self.entries if entry.instead == DirectReply.NOT_FOUND)
        return {
            "wanted": ", ".join(dict.fromkeys(name for entry in missed for name in entry.about))
        }

    @property
    def told(self) -> Mapping[str, str]:
        """The times of deferred calls and reverts, in words for the user, by the calls' ids."""
        return {entry.call_id: entry.told for entry in self.entries if entry.told}

    @property
    def planned(self) -> Sequence[CallRecord]:
        """The deferred calls."""
        return [entry for entry in self.entries if entry.outcome is Outcome.PLANNED]

    @property
    def which(self) -> Sequence[str]:
        """The names of the candidates, if nothing was done only because of the ambiguity."""
        acting = [entry for entry in self.entries if not entry.tool.annotations.read_only]
        if self.unknown or not acting or any(entry.instead for entry in acting):
            return ()
        is_open = all(entry.outcome is Outcome.REFUSED and entry.which for entry in acting)
        return acting[-1].which if is_open else ()

    @property
    def left_alone(self) -> Sequence[str]:
        """The names of the devices that were rightly not changed."""
        left = (entry for entry in self.entries if entry.instead == DirectReply.AS_SAID)
        return list(dict.fromkeys(name for entry in left for name in entry.about))

    @property
    def corrections(self) -> int:
        """The number of calls with other arguments than the model's."""
        return sum(entry.is_corrected for entry in self.entries)


def signature(name: str, arguments: Mapping[str, Any]) -> str:
    """Return a key that is equal for equal calls, in whatever order their arguments are."""
    return f"{name} {json.dumps(arguments, sort_keys=True, default=str)}"


def _outcome(tool: llm.Tool, result: llm.ToolResult) -> Outcome:
    """Return the outcome of an executed call, by its result."""
    if result.error:
        return Outcome.FAILED
    if tool.annotations.read_only:
        return Outcome.READ
    match result.data:
        case llm.IntentResponseDict() as response if (
            response.get("response_type") == intent.IntentResponseType.ACTION_DONE.value
        ):
            return _of_targets(response["data"])
        case llm.IntentResponseDict() as response if (
            response.get("response_type") == intent.IntentResponseType.ERROR.value
        ):
            return Outcome.FAILED
    return Outcome.ANSWERED


def _of_targets(data: Mapping[str, Sequence[Mapping[str, object]]]) -> Outcome:
    """Return the outcome of an action by its successful and failed targets."""
    if not data.get("failed"):
        return Outcome.DONE
    # An area is among the successful targets whatever the outcome of its devices.
    reached = any(target["type"] == _ENTITY for target in data["success"])
    return Outcome.PARTLY if reached else Outcome.FAILED
