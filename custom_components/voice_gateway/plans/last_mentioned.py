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


@dataclass(frozen=True, slots=True)
class _Spoken:
    ids: tuple[str, ...]
    at: dt.datetime
    are_made: bool
    """They were made in the turn, not only told of."""
    asked: PlanRequest | None = None
    unfinished: Text = NOTHING


class LastMentionedPlans:
    """Remembers, until a restart, of which plans each conversation and each satellite spoke last."""

    def __init__(self) -> None:
        """Begin without any."""
        self._conversations: LRU[str, _Spoken] = LRU(_MOST)
        self._satellites: LRU[str, _Spoken] = LRU(_MOST)

    def note(
        self,
        conversation_id: str,
        device_id: str | None,
        ids: Sequence[str],
        now: dt.datetime,
        *,
        are_made: bool = True,
        asked: PlanRequest | None = None,
        has_acted: bool = False,
        unfinished: Text = NOTHING,
    ) -> None:
        """Note that a turn has spoken of plans, or of none.

        Args:
            conversation_id: the turn's conversation.
            device_id: of the satellite that was spoken to, if it was one.
            ids: the plans'.
            now: when it has ended.
            are_made: whether they were made or changed, and not only told of.
            asked: what is to be done with one of them: the user was asked with which.
            has_acted: whether something was done: then no plan is the last thing any more.
            unfinished: the sentence, where the user was asked at what time that is to be.
        """
        spoken = _Spoken(tuple(ids), now, are_made, asked, unfinished)
        if ids or unfinished:
            self._conversations[conversation_id] = spoken
        else:
            self._conversations.pop(conversation_id, None)
        if device_id and ids and are_made:
            self._satellites[device_id] = spoken
        elif device_id and has_acted:
            self._satellites.pop(device_id, None)

    def of(
        self, conversation_id: str, device_id: str | None, now: dt.datetime
    ) -> tuple[Sequence[str], bool]:
        """Return the ids of the plans that were spoken of in the last turn, or else on the satellite.

        And whether they were made then, all of them together.
        """
        if (spoken := self._conversations.get(conversation_id)) and spoken.ids:
            return spoken.ids, spoken.are_made
        satellite = self._satellites.get(device_id or "")
        return (satellite.ids if satellite and now - satellite.at <= _MINUTES else ()), True

    def unfinished(self, conversation_id: str) -> Text:
        """Return the last sentence, where the user was asked at what time that is to be; else nothing."""
        spoken = self._conversations.get(conversation_id)
        return spoken.unfinished if spoken else NOTHING

    def asked(self, conversation_id: str) -> tuple[PlanRequest, Sequence[str]] | None:
        """Return what is to be done with one of which plans, where that was asked in the last turn."""
        spoken = self._conversations.get(conversation_id)
        return (spoken.asked, spoken.ids) if spoken and spoken.asked else None
