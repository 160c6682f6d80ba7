"""Whether a call may be made: the one place that decides it, for every caller.

What a model writes as text is held to what was said: a text is not as sure a sign that something is
to be done as a call is.
"""

from homeassistant.helpers import intent, llm

from ..heard.heard import Heard, Kind
from ..json_schema import Json
from .journal import Journal, Outcome
from .manager import ToolManager

_PAIRS = (
    (intent.INTENT_TURN_ON, intent.INTENT_TURN_OFF),
    (intent.INTENT_PAUSE_TIMER, intent.INTENT_UNPAUSE_TIMER),
    (intent.INTENT_INCREASE_TIMER, intent.INTENT_DECREASE_TIMER),
    ("HassLawnMowerStartMowing", "HassLawnMowerDock"),
    ("HassListAddItem", "HassListRemoveItem"),
    ("HassMediaNext", "HassMediaPrevious"),
    ("HassMediaPause", "HassMediaUnpause"),
    ("HassMediaPlayerMute", "HassMediaPlayerUnmute"),
    ("HassVacuumStart", "HassVacuumReturnToBase"),
)
_OPPOSITES = {one: other for pair in _PAIRS for one, other in (pair, pair[::-1])}
_PERCENT = ("brightness", "position")
_ENDS = {0: intent.INTENT_TURN_OFF, 100: intent.INTENT_TURN_ON}


class Policy:
    """What holds for every call of a turn."""

    def __init__(self, manager: ToolManager, heard: Heard, journal: Journal) -> None:
        """Take the tools that there are, what was said, and the turn's calls."""
        self._manager = manager
        self._heard = heard
        self._journal = journal

    def refusal(self, tool: llm.Tool, arguments: Json, *, written: bool) -> str | None:
        """Return why a call may not be made, in words for the model; None where it may.

        `written` tells that the model wrote the call as text.
        """
        if not written:
            return None
        if not tool.annotations.read_only:
            match self._heard.kind:
                case Kind.QUESTION:
                    return "The user asked a question: read the state, and answer"
                case Kind.UNREAD:
                    return "It is not known what the user asks for: only read, and answer"
        if isinstance(tool, llm.IntentTool):
            return self._opposite(tool, arguments)
        return None

    def _opposite(self, tool: llm.IntentTool, arguments: Json) -> str | None:
        """Return why a call would do the opposite of what was said, or undo what was done."""
        understood = self._heard.understood
        if understood and _is_opposite(tool.intent_type, arguments, understood.intent_type):
            meant = self._manager.for_intent(understood.intent_type)
            return f"The user asked for the opposite: call {meant and meant.name}"
        for before in self._journal.entries:
            if (
                isinstance(before.tool, llm.IntentTool)
                and before.outcome not in (Outcome.REFUSED, Outcome.FAILED)
                and _acts_alike(before.arguments, arguments)
                and _is_opposite(tool.intent_type, arguments, before.tool.intent_type)
            ):
                return f"You called the opposite before: {before.tool.name}"
        return None


def _is_opposite(intent_type: str, arguments: Json, asked_for: str) -> bool:
    """Tell whether a call does the opposite of an intent: 0 % is off or closed, 100 % on or open."""
    values = (arguments.get(slot) for slot in _PERCENT)
    ends = (_ENDS[value] for value in values if isinstance(value, int) and value in _ENDS)
    return any(_OPPOSITES.get(each) == asked_for for each in (intent_type, *ends))


def _acts_alike(arguments: Json, others: Json) -> bool:
    """Tell whether two calls act upon the same: all that they say but how much of it."""

    def what(said: Json) -> dict[str, object]:
        return {slot: value for slot, value in said.items() if value and slot not in _PERCENT}

    return what(arguments) == what(others)
