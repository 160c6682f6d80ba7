"""Media players of a home, as real entities: they find what is in their library, and play it."""

from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.media_player import (
    BrowseMedia,
    MediaClass,
    MediaPlayerEntity,
    MediaPlayerEntityFeature as Feature,
    MediaPlayerState,
    SearchMedia,
    SearchMediaQuery,
)
from homeassistant.components.media_player.const import DATA_COMPONENT
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import area_registry as ar, entity_registry as er

LIBRARY = ("Kind of Blue", "Bohemian Rhapsody", "Jazz for Cooking", "Queen", "Simon and Garfunkel")
_BASIC = Feature.PLAY | Feature.PAUSE | Feature.VOLUME_SET | Feature.VOLUME_STEP


class Player(MediaPlayerEntity):
    """A player of a room, that can search or only go on with what it played."""

    _attr_should_poll = False
    _attr_state = MediaPlayerState.PAUSED

    def __init__(self, name: str, *, searches: bool) -> None:
        """Take its name, and whether it can search."""
        self._attr_name = name
        self._attr_unique_id = name.casefold()
        features = Feature.SEARCH_MEDIA | Feature.PLAY_MEDIA if searches else Feature(0)
        self._attr_supported_features = _BASIC | features
        self.played = ""
        self.fails = ""
        """What it says when it is to look for something, where that fails."""

    async def async_search_media(self, query: SearchMediaQuery) -> SearchMedia:
        """Return what of the library has a word of what is looked for."""
        if self.fails:
            raise HomeAssistantError(self.fails)
        words = query.search_query.casefold().split()
        found = (title for title in LIBRARY if any(word in title.casefold() for word in words))
        return SearchMedia(result=[_item(title) for title in found])

    async def async_play_media(self, media_type: str, media_id: str, **kwargs: Any) -> None:
        """Play what was found."""
        self.played = media_id
        self._attr_state = MediaPlayerState.PLAYING
        self.async_write_ha_state()

    async def async_media_play(self) -> None:
        """Go on."""
        self.played = "(on)"
        self._attr_state = MediaPlayerState.PLAYING
        self.async_write_ha_state()

    async def async_media_pause(self) -> None:
        """Pause."""
        self._attr_state = MediaPlayerState.PAUSED
        self.async_write_ha_state()

    async def async_volume_up(self) -> None:
        """Press the button."""
        self.played = "(+)"

    def taken(self) -> str:
        """Return what was played since this was asked before, and pause."""
        played, self.played = self.played, ""
        self._attr_state = MediaPlayerState.PAUSED
        self.async_write_ha_state()
        return played


def _item(title: str) -> BrowseMedia:
    return BrowseMedia(
        media_class=MediaClass.TRACK,
        media_content_id=title,
        media_content_type="music",
        title=title,
        can_play=True,
        can_expand=False,
    )


async def add_player(
    hass: HomeAssistant, name: str, *, area: str | None = None, searches: bool = True
) -> Player:
    """Add a player to a home, exposed, in an area if one is named."""
    player = Player(name, searches=searches)
    await hass.data[DATA_COMPONENT].async_add_entities([player])
    if area and (found := ar.async_get(hass).async_get_area_by_name(area)):
        er.async_get(hass).async_update_entity(player.entity_id, area_id=found.id)
    async_expose_entity(hass, "conversation", player.entity_id, True)
    await hass.async_block_till_done()
    return player
