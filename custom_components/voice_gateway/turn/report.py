"""The report of a turn: for sensors, diagnostics and the conversation's trace."""

from collections import deque
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant, callback
from homeassistant.util.dt import utcnow
from homeassistant.util.hass_dict import HassKey
from homeassistant.util.signal_type import SignalType

from ..const import DOMAIN
from ..models.client import Completion, Reason
from ..text_tool_call import WrittenCall


@dataclass(slots=True, kw_only=True)
class TurnReport:
    """How one sentence is answered; filled in during the turn.

    It has no text of the conversation. Unknown values, and events that did not happen, are None.
    """

    agent_id: str
    """The agent's entity id."""
    started: datetime = field(default_factory=utcnow)
    seconds_to_first_word: float | None = None
    """Until the first text that can be spoken."""
    seconds: float | None = None
    """For the whole turn, including a fallback agent."""
    rounds: int = 0
    """Requests to the model."""
    prompt_tokens: int | None = None
    """Of all rounds, including cached ones, as far as the provider reports them."""
    answer_tokens: int | None = None
    cached_tokens: int | None = None
    """Those of `prompt_tokens` that the provider had cached."""
    context_share: float | None = None
    """The share of the model's context that the last round took, in percent; 100 is full."""
    tools: list[str] = field(default_factory=list)
    """The names of the called tools, in order."""
    fitting_tools: list[str] = field(default_factory=list)
    """The names of the tools that were listed with the sentence, because they match its words."""
    repairs: int = 0
    """Calls whose arguments were corrected."""
    rescued_calls: int = 0
    """Calls that the model wrote as text."""
    asked_again: bool = False
    """Whether the model made a false claim and was asked again."""
    reflex: bool = False
    """Whether a certain command was executed without the model."""
    second_opinion: bool = False
    """Whether Home Assistant's own sentences acted instead of the model."""
    fallback_agent: str | None = None
    """The agent that answered instead."""
    failure: Reason | None = None
    """The reason why the model gave no answer, or an incomplete one."""

    def note(self, delta: conversation.AssistantContentDeltaDict, seconds: float) -> None:
        """Add a delta of the answer, with the seconds since the sentence."""
        if delta.get("content") and self.seconds_to_first_word is None:
            self.seconds_to_first_word = seconds
        for call in delta.get("tool_calls") or ():
            self.tools.append(call.tool_name)
            self.rescued_calls += isinstance(call, WrittenCall)

    def add(self, completion: Completion) -> None:
        """Add the tokens of one message of the model."""
        self.rounds += 1
        self.prompt_tokens = _sum(self.prompt_tokens, completion.prompt_tokens)
        self.answer_tokens = _sum(self.answer_tokens, completion.answer_tokens)
        self.cached_tokens = _sum(self.cached_tokens, completion.cached_tokens)
        if completion.context and completion.prompt_tokens:
            tokens = completion.prompt_tokens + (completion.answer_tokens or 0)
            self.context_share = 100 * tokens / completion.context

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return asdict(self) | {"started": self.started.isoformat()}


type Turns = deque[dict[str, Any]]
"""Recent turns for diagnostics, the newest last."""

# The turns of each agent to keep, until a restart.
_TURNS = 10
_ALL_TURNS: HassKey[dict[str, Turns]] = HassKey(f"{DOMAIN}_turns")


def turns_of(hass: HomeAssistant, subentry_id: str) -> Turns:
    """Return the last turns of an agent, including those before it was changed or reloaded."""
    turns = hass.data.setdefault(_ALL_TURNS, {})
    return turns.setdefault(subentry_id, deque(maxlen=_TURNS))


@callback
def async_keep_turns(hass: HomeAssistant) -> None:
    """Delete the turns of removed agents."""
    all_turns = hass.data.get(_ALL_TURNS, {})
    there = {id_ for entry in hass.config_entries.async_entries(DOMAIN) for id_ in entry.subentries}
    for subentry_id in all_turns.keys() - there:
        del all_turns[subentry_id]


def turn_reported(subentry_id: str) -> SignalType[TurnReport]:
    """Return the dispatcher's signal that an agent sends after each turn, with its report."""
    return SignalType(f"{DOMAIN}_turn_reported_{subentry_id}")


def _sum(before: int | None, more: int | None) -> int | None:
    return before if more is None else (before or 0) + more
