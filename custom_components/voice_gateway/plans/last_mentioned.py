"""Which plans were spoken of last: what "cancel that" is about."""

from collections.abc import Sequence
from dataclasses import dataclass
import datetime as dt
from typing import Final

from lru import LRU

from ..nlu.plan_requests import PlanRequest
from ..nlu.tokenizer import NOTHING, Text

_MINUTES: Final = dt.timedelta(minutes=10)
"""For so long a plan is the last one that was made on a satellite."""
_MOST: Final = 32
"""Conversations, and satellites, that are remembered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MentionedPlans:
    """The plans of which a turn has spoken, or none."""

    at: dt.datetime
    ids: Sequence[str] = ()
    are_made: bool = True
    """They were made or changed in the turn, all together, and not only told of."""
    asked: PlanRequest | None = None
    """What is to be done with one of them: the user was asked with which."""
    unfinished: Text = NOTHING
    """The sentence, where the user was asked at what time that is to be."""


class LastMentionedPlans:
    """Remembers, until a restart, of which plans each conversation and each satellite spoke last."""

    def __init__(self) -> None:
        """Begin without any."""
        self._conversations: LRU[str, MentionedPlans] = LRU(_MOST)
        self._satellites: LRU[str, MentionedPlans] = LRU(_MOST)

    def note(
        self,
        conversation_id: str,
        device_id: str | None,
        mentioned: MentionedPlans,
        *,
        has_acted: bool = False,
    ) -> None:
        """Note of which plans a turn has spoken; `has_acted`: after that no plan is the last thing."""
        if mentioned.ids or mentioned.unfinished:
            self._conversations[conversation_id] = mentioned
        else:
            self._conversations.pop(conversation_id, None)
        if device_id and mentioned.ids and mentioned.are_made:
            self._satellites[device_id] = mentioned
        elif device_id and has_acted:
            self._satellites.pop(device_id, None)

    def of(self, conversation_id: str, device_id: str | None, now: dt.datetime) -> MentionedPlans:
        """Return the plans that were spoken of in the last turn, or else made on the satellite."""
        if (last := self.in_conversation(conversation_id)).ids:
            return last
        satellite = self._satellites.get(device_id or "")
        return satellite if satellite and now - satellite.at <= _MINUTES else last

    def in_conversation(self, conversation_id: str) -> MentionedPlans:
        """Return the plans that were spoken of in the last turn of a conversation."""
        return self._conversations.get(conversation_id) or MentionedPlans(at=dt.datetime.min)
