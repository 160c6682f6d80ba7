"""What is decided of a turn's calls, before any is made."""

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
"""What a model is told of a call that is none of those that the user certainly wants."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallReviewer:
    """Reads calls as they are meant, and holds them to the policy."""

    turn: PolicyContext
    serializer: Callable[[Any], Any] | None
    clauses: Mapping[str, Clause]
    """The parts of the sentence that calls are for, by their ids, where that is known."""

    def read(
        self, tool: llm.Tool, call: llm.ToolInput
    ) -> tuple[llm.Tool, llm.ToolInput, Decision, Sequence[str]]:
        """Return a call of a tool as it is meant, what is decided of it, and what was corrected."""
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
        """Return what is done in place of a call: what the user certainly said, if it may be.

        `is_last`: it was put in the place of another such before.
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
        """Return whether a call may be made with these arguments.

        `targets` are the devices that it is for, where Home Assistant is not to find them.
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
        """Return the domains of the devices that a tool works with; of none, none."""
        home = self.turn.utterance.home
        if isinstance(tool, IntentTool):
            return frozenset(tool.domains(self.turn.hass, home) or ())
        # Home Assistant's own that is no intent, and plays what a search has found.
        return frozenset((MEDIA_PLAYER,) if tool.integration == MEDIA_PLAYER else ())

    def reached(self, tool: llm.Tool, arguments: Mapping[str, Any]) -> Sequence[Exposed]:
        """Return the devices that a call would act upon, as far as they are known."""
        if not isinstance(tool, IntentTool):
            return ()
        turn = self.turn
        return reached_by(turn.hass, turn.utterance.home, tool, arguments, turn.assistant)
