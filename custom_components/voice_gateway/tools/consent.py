"""Calls of which the user is asked before they are made."""

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
    """A call as it will be made if the user says yes: checked, corrected, and not made again otherwise."""

    tool: llm.Tool
    call: llm.ToolInput
    ask: Ask
    later: Defer | None = None
    """It is for a moment."""

    @property
    def effect(self) -> str:
        """What is the same for what does the same to the same devices, however they are named."""
        targets = sorted(each.entity_id for each in self.ask.only or ())
        said = {
            slot: value
            for slot, value in self.call.tool_args.items()
            if not (targets and slot in TARGET)
        }
        when = self.later.clause.text if self.later else ""
        return f"{self.tool.name} {targets} {json.dumps(said, sort_keys=True, default=str)} {when}"


class ConfirmationRequired(Refusal):
    """A call that was corrected may be made only after the user is asked."""

    def __init__(self, ask: Ask, tool: llm.Tool, arguments: Mapping[str, Any]) -> None:
        """Take the question, and the call as it was corrected."""
        super().__init__(ask.because or "The user has to be asked first")
        self.ask = ask
        self.tool = tool
        self.arguments = dict(arguments)


@dataclass(slots=True)
class ConsentState:
    """What one turn asks the user, and what the user said yes to.

    - What does the same to the same devices is asked about once.
    - A yes is for one call, once.
    - A server's question is asked alone: what answers it is no answer to anything else.
    """

    asked: dict[str, PendingCall] = field(default_factory=dict)
    """By what they do."""
    _granted: dict[str, PendingCall] = field(default_factory=dict)

    @property
    def calls(self) -> Sequence[PendingCall]:
        """The calls of which the user is to be asked."""
        return [*self.asked.values()]

    def add(self, asked: PendingCall) -> bool:
        """Note a call of which the user is to be asked; return whether that can be together with the others."""
        others = [each for each in self.calls if each.effect != asked.effect]
        if any(each.ask.does in OF_SERVERS for each in (asked, *others)) and others:
            return False
        self.asked.setdefault(asked.effect, asked)
        return True

    def grant(self, asked: PendingCall) -> llm.ToolInput:
        """Let a call be made once; return it as it is to be called."""
        call = llm.ToolInput(asked.tool.name, asked.call.tool_args)
        self._granted[call.id] = asked
        return call

    def take(self, call_id: str) -> PendingCall | None:
        """Return what was granted under a call's id, which is used up by that."""
        return self._granted.pop(call_id, None)


def choices(
    utterance: Utterance, which: Sequence[Exposed], *, is_any: bool = False
) -> Sequence[str]:
    """Return the names of those devices of which the user may have meant one.

    `is_any`: nothing that was said tells them apart, and each of them would do.
    """
    said = utterance.link(join_commands(utterance.parsed.clauses))
    return utterance.home.told_apart(which if is_any else said.ambiguous_among(which))
