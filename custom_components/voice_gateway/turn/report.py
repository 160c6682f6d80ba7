"""What came of a sentence: for sensors, diagnostics and the conversation's trace."""

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
    """How one sentence was answered; filled in while it is.

    It holds nothing that was said. What is not known, or did not happen, is None.
    """

    agent_id: str
    """The agent's entity."""
    started: datetime = field(default_factory=utcnow)
    seconds_to_first_word: float | None = None
    """Until something could be spoken."""
    seconds: float | None = None
    """For the whole turn, a fallback agent's time included."""
    rounds: int = 0
    """Requests to the model."""
    prompt_tokens: int | None = None
    """Of all rounds, those from a cache included, as far as the provider tells."""
    answer_tokens: int | None = None
    cached_tokens: int | None = None
    """Those of `prompt_tokens` that the provider had read before."""
    context_share: float | None = None
    """How much of the model's context the last round took, in percent; 100 is full."""
    tools: list[str] = field(default_factory=list)
    """The names of the tools that were called, in that order."""
    fitting_tools: list[str] = field(default_factory=list)
    """The names of the tools that were listed with the sentence, as its words fit them."""
    repairs: int = 0
    """Calls that were made with other arguments than the model's."""
    rescued_calls: int = 0
    """Calls that the model wrote as text."""
    asked_again: bool = False
    """The model said that it did what it had not done, and was told so."""
    reflex: bool = False
    """What was said was certain, and done without the model."""
    second_opinion: bool = False
    """Home Assistant's own sentences acted, where the model did not."""
    fallback_agent: str | None = None
    """The agent that answered instead."""
    failure: Reason | None = None
    """Why the model gave no answer, or none to its end."""

    def note(self, delta: conversation.AssistantContentDeltaDict, seconds: float) -> None:
        """Add a piece of the answer that came so many seconds after the sentence."""
        if delta.get("content") and self.seconds_to_first_word is None:
            self.seconds_to_first_word = seconds
        for call in delta.get("tool_calls") or ():
            self.tools.append(call.tool_name)
            self.rescued_calls += isinstance(call, WrittenCall)

    def add(self, completion: Completion) -> None:
        """Add what one message of the model took."""
        self.rounds += 1
        self.prompt_tokens = _sum(self.prompt_tokens, completion.prompt_tokens)
        self.answer_tokens = _sum(self.answer_tokens, completion.answer_tokens)
        self.cached_tokens = _sum(self.cached_tokens, completion.cached_tokens)
        if completion.context and completion.prompt_tokens:
            tokens = completion.prompt_tokens + (completion.answer_tokens or 0)
            self.context_share = 100 * tokens / completion.context

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON may hold it."""
        return asdict(self) | {"started": self.started.isoformat()}


type Turns = deque[dict[str, Any]]
"""Some turns for diagnostics, the newest last."""

# Turns that are remembered of each agent, until a restart.
_TURNS = 10
_ALL_TURNS: HassKey[dict[str, Turns]] = HassKey(f"{DOMAIN}_turns")


def turns_of(hass: HomeAssistant, subentry_id: str) -> Turns:
    """Return the last turns of an agent, also of before it was changed or loaded anew."""
    turns = hass.data.setdefault(_ALL_TURNS, {})
    return turns.setdefault(subentry_id, deque(maxlen=_TURNS))


@callback
def async_keep_turns(hass: HomeAssistant) -> None:
    """Forget the turns of agents that are no more."""
    all_turns = hass.data.get(_ALL_TURNS, {})
    there = {id_ for entry in hass.config_entries.async_entries(DOMAIN) for id_ in entry.subentries}
    for subentry_id in all_turns.keys() - there:
        del all_turns[subentry_id]


def turn_reported(subentry_id: str) -> SignalType[TurnReport]:
    """Return the dispatcher's signal that an agent sends after each turn, with its report."""
    return SignalType(f"{DOMAIN}_turn_reported_{subentry_id}")


def _sum(before: int | None, more: int | None) -> int | None:
    return before if more is None else (before or 0) + more
