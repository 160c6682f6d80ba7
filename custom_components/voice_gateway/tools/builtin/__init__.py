"""The gateway's own tools."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..phones import owners
from .announce import AnnounceTool, has_speakers as can_announce
from .history import HistoryTool, has_history
from .move_music import MoveMusicTool, players
from .send_to_phone import SendToPhoneTool
from .speaker_volume import SpeakerVolumeTool, has_speakers
from .web_search import WebSearchTool, search_engine

NAMES = tuple(
    tool.name
    for tool in (
        *(HistoryTool, WebSearchTool, SpeakerVolumeTool),
        *(AnnounceTool, SendToPhoneTool, MoveMusicTool),
    )
)


type OfferTools = Callable[[HomeAssistant, str], Iterator[llm.Tool]]
"""Returns the tools that are usable in the home that an assistant sees."""


class BuiltinTools:
    """The gateway's own tools, as far as they are usable."""

    def __init__(
        self, hass: HomeAssistant, options: Mapping[str, Any], *offers: OfferTools
    ) -> None:
        """Take the options of the provider's entry, and more tools for an agent of the home."""
        self._offers = offers
        self._hass = hass
        engine = search_engine(hass, options)
        self._search = [WebSearchTool(engine)] if engine else []
        self._volume = [SpeakerVolumeTool()]
        self._history = [HistoryTool()]
        self._announce = [AnnounceTool()]
        self._phone = [SendToPhoneTool()]
        self._music = [MoveMusicTool()]

    def tools(self, *, tells_home: bool = False) -> list[llm.Tool]:
        """Return the tools: search needs a search provider, and volume a satellite with a player.

        `tells_home`: the agent may know the home; it also gets its history, with a recorder, and
        announcements, with speakers.
        """
        history = self._history if tells_home and has_history(self._hass) else ()
        volume = self._volume if has_speakers(self._hass) else ()
        announce = self._announce if tells_home and can_announce(self._hass) else ()
        offers = self._offers if tells_home else ()
        more = (tool for each in offers for tool in each(self._hass, CONVERSATION))
        music = self._music if tells_home and len(players(self._hass)) > 1 else ()
        phone = self._phone if tells_home and owners(self._hass) else ()
        return [*self._search, *history, *volume, *announce, *phone, *music, *more]
