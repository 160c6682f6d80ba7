"""What came of the calls of a turn."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
import json
from typing import Any

from homeassistant.helpers import intent, llm

from ..json_schema import Json

_ENTITY = intent.IntentResponseTargetType.ENTITY


class DirectReply(StrEnum):
    """What the user is told in the model's stead: the key of the sentence."""

    LATER = "not_later"
    AT_WHAT_TIME = "at_what_time"
    ON_WHICH_DAY = "on_which_day"
    """Nobody can know when that is."""
    EVENT = "not_on_event"
    """Nothing shows when that happens."""
    CONDITION = "not_on_condition"
    FOR_A_WHILE = "not_for_a_while"
    """What it does can't be undone by itself."""
    TOO_MANY = "too_many_plans"
    UNMET = "not_so"
    """The condition is not met."""
    SHOWN = "shown_instead"
    """The same, with what an entity shows instead: its `name` and its `state`."""
    AS_SAID = "left_alone"
    NOT_FOUND = "nothing_found"
    """Nothing of the name `wanted` was found: to be played, or that somebody asks about."""


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
    PARTLY = "partly"
    """It did something in the home, and something of it failed."""
    PLANNED = "planned"
    """It is kept for its moment."""
    ASKED = "asked"
    """The user is asked whether it is to be made."""
    FAILED = "failed"
    """It failed, as its tool says."""
    IN_DOUBT = "in doubt"
    """No answer came: it may have been done."""


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
    """In which message of the turn's it was called."""
    outcome: Outcome = Outcome.PENDING
    reason: str = ""
    """Why it was refused, in the words that the model was told."""
    instead: str = ""
    """The key of the sentence that the user is told, where it was refused for good."""
    is_forbidden: bool = False
    """It was what was said that refused it."""
    about: Sequence[str] = ()
    """The names of the devices that it was to act upon, where it was refused."""
    which: Sequence[str] = ()
    """The names of devices of which one may be meant, where it was refused for that."""
    is_corrected: bool = False
    """It was made with other arguments than the model's."""
    told: str = ""
    """When it will be made, or undone, in words for the user."""
    response: intent.IntentResponse | None = None
    """What Home Assistant's intent says of it, where it called one."""

    @property
    def is_undone(self) -> bool:
        """Whether it was to do something that was not done; what was rightly left alone was not."""
        return (
            self.outcome in _UNDONE
            and self.instead != DirectReply.AS_SAID
            and not self.tool.annotations.read_only
        )

    @property
    def reached(self) -> tuple[str, ...]:
        """The ids of the entities on which it acted, as Home Assistant's intent says."""
        results = self.response.success_results if self.response else ()
        ids = (str(each.id) for each in results if each.type == _ENTITY and each.id)
        return tuple(dict.fromkeys(ids))

    def refuse(self, reason: str) -> None:
        """Note that nothing was done, and why."""
        self.outcome, self.reason = Outcome.REFUSED, reason

    def forbid(self, reason: str, instead: str = "", about: Sequence[str] = ()) -> None:
        """Note that it does not go with what was said, and what the user is told, if anything."""
        self.refuse(reason)
        self.is_forbidden, self.instead, self.about = True, instead, about

    def ask(self) -> None:
        """Note that the user is asked first."""
        self.outcome = Outcome.ASKED

    def plan(self, told: str) -> None:
        """Note that it is kept for its moment, and what the user is told."""
        self.outcome, self.told = Outcome.PLANNED, told

    def doubt(self) -> None:
        """Note that no answer came: what acts may have been at work, or done."""
        self.outcome = Outcome.FAILED if self.tool.annotations.read_only else Outcome.IN_DOUBT

    def end(self, result: llm.ToolResult) -> None:
        """Note what came of it, unless that is known already."""
        self.response = getattr(result.data, "original", None)
        if self.outcome is Outcome.PENDING:
            self.outcome = _outcome(self.tool, result)

    @property
    def may_have_acted(self) -> bool:
        """Whether it did something, in part or for all that is known.

        Of Home Assistant's intents that fail, devices may have been reached before.
        """
        if self.outcome is Outcome.FAILED:
            return isinstance(self.tool, llm.IntentTool) and not self.tool.annotations.read_only
        return self.outcome in _DONE | {Outcome.IN_DOUBT}


@dataclass(slots=True)
class Journal:
    """The calls of a turn, in the order in which they began."""

    entries: list[CallRecord] = field(default_factory=list)
    unknown: list[tuple[int, str]] = field(default_factory=list)
    """The names of tools that were called and do not exist, each with the message's number."""
    messages: int = 0
    """How many messages of the model have begun."""

    def begin_message(self) -> None:
        """Note that the calls of another message follow."""
        self.messages += 1

    def begin(self, tool: llm.Tool, call: llm.ToolInput) -> CallRecord:
        """Note a call that is about to be made."""
        entry = CallRecord(call.id, tool, call.tool_args, self.messages)
        self.entries.append(entry)
        return entry

    def miss(self, name: str) -> None:
        """Note a call of a tool that does not exist."""
        self.unknown.append((self.messages, name))

    def forget(self) -> None:
        """Leave out the calls by now, which all were refused."""
        self.entries.clear()

    @property
    def is_all_refused(self) -> bool:
        """Whether tools were called, and each call was refused before anything was done."""
        return bool(self.entries) and all(
            entry.outcome is Outcome.REFUSED for entry in self.entries
        )

    @property
    def done(self) -> Sequence[CallRecord]:
        """The calls that did something, in part at least, or whose tools may act and answered."""
        return [entry for entry in self.entries if entry.outcome in _DONE]

    @property
    def undone(self) -> int:
        """How many calls came to nothing, and no later message made up for them.

        A message makes up for as many as it did; calls of one message are meant for different things.
        Who makes a call again means the same by it.
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
        """Whether something may have been done, of which no answer came."""
        return any(entry.outcome is Outcome.IN_DOUBT for entry in self.entries)

    @property
    def has_read(self) -> bool:
        """Whether a tool gave a result from which a question may be answered."""
        return any(entry.outcome in _DONE | {Outcome.READ} for entry in self.entries)

    @property
    def tools_read(self) -> Sequence[llm.Tool]:
        """The tools that only read, and gave a result."""
        return [entry.tool for entry in self.entries if entry.outcome is Outcome.READ]

    @property
    def found_out(self) -> bool:
        """Whether a tool gave a result that is none of what was done to devices."""
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
        """Whether something was done, and nothing failed, was refused or is in doubt."""
        is_done = any(entry.outcome is Outcome.DONE for entry in self.entries)
        return is_done and not (self.undone or self.is_in_doubt)

    @property
    def carried_out(self) -> Sequence[str]:
        """What tools are called that may act and gave a result, where all was well with every call."""
        if self.undone or self.is_in_doubt:
            return ()
        tools = [entry.tool for entry in self.entries if entry.outcome is Outcome.ANSWERED]
        return [getattr(tool, "title", None) or tool.name.replace("_", " ") for tool in tools]

    @property
    def may_have_acted(self) -> bool:
        """Whether something was done, in part or for all that is known."""
        return any(entry.may_have_acted for entry in self.entries)

    def has_made(self, tool: llm.Tool) -> bool:
        """Return True if a tool was called, whatever came of it."""
        return any(each.tool == tool for each in self.entries)

    def is_to_be_kept(self, call_id: str) -> bool:
        """Return True if a call is not to be made again, though it ended in an error."""
        return any(
            entry.call_id == call_id and entry.outcome is Outcome.IN_DOUBT for entry in self.entries
        )

    @property
    def only_forbidden(self) -> bool:
        """Whether the calls did not go with what was said, and nothing else came of them."""
        return self.is_all_refused and any(entry.is_forbidden for entry in self.entries)

    @property
    def refusals(self) -> Iterator[str]:
        """Why calls were refused, in the words that the model was told."""
        return (entry.reason for entry in self.entries if entry.outcome is Outcome.REFUSED)

    @property
    def refused_for_good(self) -> Mapping[str, str]:
        """What the user is told of calls that nothing can replace, as texts' keys, by the calls' ids."""
        return {entry.call_id: entry.instead for entry in self.entries if entry.instead}

    @property
    def not_found(self) -> Mapping[str, str]:
        """What the sentence about what was not found names: what was `wanted`."""
        missed = (entry for entry in self.entries if entry.instead == DirectReply.NOT_FOUND)
        return {
            "wanted": ", ".join(dict.fromkeys(name for entry in missed for name in entry.about))
        }

    @property
    def told(self) -> Mapping[str, str]:
        """What the user is told of when calls will be made, or undone, by the calls' ids."""
        return {entry.call_id: entry.told for entry in self.entries if entry.told}

    @property
    def planned(self) -> Sequence[CallRecord]:
        """The calls that are kept for their moments."""
        return [entry for entry in self.entries if entry.outcome is Outcome.PLANNED]

    @property
    def which(self) -> Sequence[str]:
        """The names of devices of which one may be meant, where for that alone nothing was done."""
        acting = [entry for entry in self.entries if not entry.tool.annotations.read_only]
        if self.unknown or not acting or any(entry.instead for entry in acting):
            return ()
        is_open = all(entry.outcome is Outcome.REFUSED and entry.which for entry in acting)
        return acting[-1].which if is_open else ()

    @property
    def left_alone(self) -> Sequence[str]:
        """The names of the devices that were rightly not acted upon."""
        left = (entry for entry in self.entries if entry.instead == DirectReply.AS_SAID)
        return list(dict.fromkeys(name for entry in left for name in entry.about))

    @property
    def corrections(self) -> int:
        """How many calls were made with other arguments than the model's."""
        return sum(entry.is_corrected for entry in self.entries)


def signature(name: str, arguments: Mapping[str, Any]) -> str:
    """Return what is the same for the same call, however its arguments are ordered."""
    return f"{name} {json.dumps(arguments, sort_keys=True, default=str)}"


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
            return _of_targets(response["data"])
        case llm.IntentResponseDict() as response if (
            response.get("response_type") == intent.IntentResponseType.ERROR.value
        ):
            return Outcome.FAILED
    return Outcome.ANSWERED


def _of_targets(data: Mapping[str, Sequence[Mapping[str, object]]]) -> Outcome:
    """Return what came of an action by the targets that it reached, and those that it did not."""
    if not data.get("failed"):
        return Outcome.DONE
    # An area is among the targets that were reached whatever came of its devices.
    reached = any(target["type"] == _ENTITY for target in data["success"])
    return Outcome.PARTLY if reached else Outcome.FAILED
