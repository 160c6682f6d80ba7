"""The plans mentioned last: the referents of "cancel that"."""

from collections.abc import Sequence
from dataclasses import dataclass
import datetime as dt
from typing import Final

from lru import LRU

from ..nlu.plan_requests import PlanRequest
from ..nlu.tokenizer import NOTHING, Text

_MINUTES: Final = dt.timedelta(minutes=10)
"""How long a satellite's last plan can be referred to from another conversation."""
_MOST: Final = 32
"""The most conversations, and the most satellites, that are remembered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MentionedPlans:
    """The plans that a turn mentioned, if any."""

    at: dt.datetime
    ids: Sequence[str] = ()
    are_made: bool = True
    """The turn made or changed all of them, and did not only report them."""
    asked: PlanRequest | None = None
    """The request, if the user was asked to which of the plans it applies."""
    unfinished: Text = NOTHING
    """The sentence, if the user was asked for its time."""


class LastMentionedPlans:
    """Remembers the last plans of each conversation and each satellite until a restart."""

    def __init__(self) -> None:
        """Begin without mentions."""
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
        """Remember the plans that a turn mentioned.

        `has_acted`: the turn did something else, to which "that" refers from now on.
        """
        if mentioned.ids or mentioned.unfinished:
            self._conversations[conversation_id] = mentioned
        else:
            self._conversations.pop(conversation_id, None)
        if device_id and mentioned.ids and mentioned.are_made:
            self._satellites[device_id] = mentioned
        elif device_id and has_acted:
            self._satellites.pop(device_id, None)

    def of(self, conversation_id: str, device_id: str | None, now: dt.datetime) -> MentionedPlans:
        """Return the plans of the conversation's last turn, else the last ones of the satellite."""
        if (last := self.in_conversation(conversation_id)).ids:
            return last
        satellite = self._satellites.get(device_id or "")
        return satellite if satellite and now - satellite.at <= _MINUTES else last

    def in_conversation(self, conversation_id: str) -> MentionedPlans:
        """Return the plans mentioned in the last turn of a conversation."""
        return self._conversations.get(conversation_id) or MentionedPlans(at=dt.datetime.min)
