"""Calls that require the user's consent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
import json
from typing import Any

from homeassistant.helpers import llm

from ..home.exposed import Exposed
from ..nlu.clause import join_commands
from ..nlu.utterance import Utterance
from .assist.call_errors import Refusal
from .assist.target import TARGET
from .policy.decisions import OF_SERVERS, Ask, Defer

ASKED_ANOTHER = "Not done: the user is asked something else first. Call it again after the answer."
TO_THE_MODEL = "Not done yet: the user is asked now whether to do it. Say nothing more about it."


@dataclass(frozen=True, slots=True)
class PendingCall:
    """A checked and corrected call that is made after consent."""

    tool: llm.Tool
    call: llm.ToolInput
    ask: Ask
    later: Defer | None = None
    """The time to which it is deferred."""

    @property
    def effect(self) -> str:
        """A key that is equal for calls with the same effect on the same devices."""
        targets = sorted(each.entity_id for each in self.ask.only or ())
        said = {
            slot: value
            for slot, value in self.call.tool_args.items()
            if not (targets and slot in TARGET)
        }
        when = self.later.clause.text if self.later else ""
        return f"{self.tool.name} {targets} {json.dumps(said, sort_keys=True, default=str)} {when}"


class ConfirmationRequired(Refusal):
    """A corrected call requires consent."""

    def __init__(self, ask: Ask, tool: llm.Tool, arguments: Mapping[str, Any]) -> None:
        """Take the question, and the corrected call."""
        super().__init__(ask.because or "The user has to be asked first")
        self.ask = ask
        self.tool = tool
        self.arguments = dict(arguments)


@dataclass(slots=True)
class ConsentState:
    """The questions of one turn, and the calls with consent.

    - Calls with the same effect on the same devices share one question.
    - Consent is for one call, once.
    - A server's question is asked alone: an answer to it answers nothing else.
    """

    asked: dict[str, PendingCall] = field(default_factory=dict)
    """By their effects."""
    _granted: dict[str, PendingCall] = field(default_factory=dict)

    @property
    def calls(self) -> Sequence[PendingCall]:
        """The calls that wait for consent."""
        return [*self.asked.values()]

    def add(self, asked: PendingCall) -> bool:
        """Add a call that requires consent; return True if it can join the others' question."""
        others = [each for each in self.calls if each.effect != asked.effect]
        if any(each.ask.does in OF_SERVERS for each in (asked, *others)) and others:
            return False
        self.asked.setdefault(asked.effect, asked)
        return True

    def grant(self, asked: PendingCall) -> llm.ToolInput:
        """Allow a call to be made once; return the call to make."""
        call = llm.ToolInput(asked.tool.name, asked.call.tool_args)
        self._granted[call.id] = asked
        return call

    def take(self, call_id: str) -> PendingCall | None:
        """Return the call with consent under an id, and use the consent up."""
        return self._granted.pop(call_id, None)


def choices(
    utterance: Utterance, which: Sequence[Exposed], *, is_any: bool = False
) -> Sequence[str]:
    """Return the names of the devices among which the user has to choose.

    `is_any`: no word distinguishes them, and any of them is acceptable.
    """
    said = utterance.link(join_commands(utterance.parsed.clauses))
    return utterance.home.told_apart(which if is_any else said.ambiguous_among(which))
