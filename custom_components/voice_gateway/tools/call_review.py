"""Decisions about a turn's calls, before any is made."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from homeassistant.components.media_player import DOMAIN as MEDIA_PLAYER
from homeassistant.helpers import llm

from ..arguments import correct_for
from ..home.exposed import Exposed
from ..nlu.clause import Clause
from ..text_tool_call import WrittenCall
from . import policy
from .assist.intents import IntentTool
from .assist.target_preview import reached_by
from .assist.written_names import names_meant
from .context_tool import ContextTool
from .policy.call import ComparedCall, PolicyContext
from .policy.decisions import Decision, Narrow, Refuse
from .resolved_intent import Replace

ANOTHER = "The user said something else"
"""The error for a call that is not one of those that the user certainly requested."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReviewer:
    """Corrects calls, and checks them against the policy."""

    turn: PolicyContext
    serializer: Callable[[Any], Any] | None
    clauses: Mapping[str, Clause]
    """The clauses of calls, by the calls' ids, if they are known."""

    def read(
        self, tool: llm.Tool, call: llm.ToolInput
    ) -> tuple[llm.Tool, llm.ToolInput, Decision, Sequence[str]]:
        """Return a corrected call of a tool, the decision about it, and the corrections."""
        given = call.tool_args
        if isinstance(tool, IntentTool):
            given = tool.in_units(given, self.turn.utterance.text.numbers)
        arguments, changes = correct_for(tool, given, self.serializer)
        if isinstance(tool, ContextTool):
            arguments = names_meant(self.turn.utterance.home, arguments)
        if isinstance(tool, IntentTool):
            arguments = tool.as_called(arguments)
        call = replace(call, tool_name=tool.name, tool_args=arguments)
        decided = self.decide(tool, call, arguments)
        if isinstance(decided, Replace):
            return *self._as_understood(decided, call), ["what was understood"]
        return tool, call, decided, changes

    def _as_understood(
        self, understood: Replace, call: llm.ToolInput, *, is_last: bool = False
    ) -> tuple[llm.Tool, llm.ToolInput, Decision]:
        """Return the replacement of a call, which the utterance certainly requests, if allowed.

        `is_last`: the call is itself such a replacement.
        """
        reading = understood.reading
        tool = self.turn.manager.for_intent(reading.intent_type)
        assert tool
        call = replace(call, tool_name=tool.name, tool_args=dict(reading.slots))
        targets = understood.targets or None
        decided = self.decide(tool, call, call.tool_args, targets)
        if isinstance(decided, Replace):
            if is_last:
                return tool, call, Refuse(ANOTHER)
            return self._as_understood(decided, call, is_last=True)
        if targets and decided is None and {*self.reached(tool, reading.slots)} != {*targets}:
            decided = Narrow(targets)
        return tool, call, decided

    def decide(
        self,
        tool: llm.Tool,
        call: llm.ToolInput,
        arguments: Mapping[str, Any],
        targets: Sequence[Exposed] | None = None,
    ) -> Decision:
        """Return the decision about a call with these arguments.

        `targets` are its devices, if Home Assistant does not find them.
        """
        compared = ComparedCall(
            turn=self.turn,
            tool=tool,
            arguments=dict(arguments),
            is_written=isinstance(call, WrittenCall),
            domains=self._domains(tool),
            takes_name=isinstance(tool, IntentTool) and tool.takes_name,
            targets=self.reached(tool, arguments) if targets is None else targets,
            clause=self.clauses.get(call.id),
        )
        return policy.decide(compared)

    def _domains(self, tool: llm.Tool) -> frozenset[str]:
        """Return the domains of the devices that a tool supports; empty if it has none."""
        home = self.turn.utterance.home
        if isinstance(tool, IntentTool):
            return frozenset(tool.domains(self.turn.hass, home) or ())
        # Home Assistant's own tool that is no intent, and plays a search result.
        return frozenset((MEDIA_PLAYER,) if tool.integration == MEDIA_PLAYER else ())

    def reached(self, tool: llm.Tool, arguments: Mapping[str, Any]) -> Sequence[Exposed]:
        """Return the devices that a call would act upon, as far as they are known."""
        if not isinstance(tool, IntentTool):
            return ()
        turn = self.turn
        return reached_by(turn.hass, turn.utterance.home, tool, arguments, turn.assistant)
