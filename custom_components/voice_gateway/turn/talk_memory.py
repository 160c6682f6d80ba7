"""Talk that lasts: a satellite's conversation goes on after Home Assistant has ended it.

Home Assistant ends a conversation after five minutes of silence. Within the agent's option, the next
one from the same place begins with the messages of the last, so that the model's server finds the
prompt as it was. Pending questions are not carried over.
"""

from collections.abc import Sequence
from dataclasses import dataclass
import datetime as dt
from typing import Final

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
from homeassistant.util.hass_dict import HassKey
from lru import LRU

_PLACES: Final = 32
"""The most places whose last conversation is kept."""
_OWN: Final = dt.timedelta(minutes=5)
"""How long Home Assistant itself remembers a satellite's conversation."""
_MESSAGES: Final = 100
"""The most messages of it, results of tools included."""


@dataclass(frozen=True, slots=True)
class RecentTalk:
    """The messages of a conversation, without the prompt, and when it was last spoken."""

    content: Sequence[conversation.Content]
    at: dt.datetime


class TalkMemory:
    """Keeps the last conversation with an agent at each place, for the same user, until a restart."""

    def __init__(self) -> None:
        """Start empty."""
        self._talks: LRU[tuple[str | None, ...], RecentTalk] = LRU(_PLACES)

    @classmethod
    def of(cls, hass: HomeAssistant) -> TalkMemory:
        """Return the memory of a Home Assistant."""
        return hass.data.setdefault(_MEMORY, cls())

    def resume(
        self, said: conversation.ConversationInput, log: conversation.ChatLog, lasting: dt.timedelta
    ) -> None:
        """Begin a new conversation with the last one, if that ended less than `lasting` ago."""
        talk = self._talks.get(_place(said))
        is_new = sum(isinstance(each, conversation.UserContent) for each in log.content) == 1
        # Within Home Assistant's own time, a new conversation is meant as one.
        if talk and is_new and _OWN < dt_util.utcnow() - talk.at < lasting:
            log.content[1:1] = talk.content

    def keep(
        self, said: conversation.ConversationInput, log: conversation.ChatLog, lasting: dt.timedelta
    ) -> None:
        """Keep a satellite's conversation after a turn, if Home Assistant forgets it too early.

        These are its last messages, from a sentence of the user on.
        """
        if not said.device_id or lasting <= _OWN:
            return
        content = log.content[1:][-_MESSAGES:]
        while content and not isinstance(content[0], conversation.UserContent):
            content = content[1:]
        self._talks[_place(said)] = RecentTalk(content, dt_util.utcnow())


_MEMORY: HassKey[TalkMemory] = HassKey("voice_gateway_talks")


def _place(said: conversation.ConversationInput) -> tuple[str | None, ...]:
    return said.agent_id, said.device_id, said.satellite_id, said.context.user_id
