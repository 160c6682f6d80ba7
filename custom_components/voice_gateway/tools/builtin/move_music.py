"""Music that goes on in another room."""

from collections.abc import Collection, Sequence
from typing import Any, override

from homeassistant.components.homeassistant import async_should_expose
from homeassistant.components.media_player import (
    ATTR_MEDIA_CONTENT_ID,
    ATTR_MEDIA_CONTENT_TYPE,
    ATTR_MEDIA_POSITION,
    ATTR_MEDIA_POSITION_UPDATED_AT,
    ATTR_MEDIA_SEEK_POSITION,
    DOMAIN as MEDIA_PLAYER,
    SERVICE_PLAY_MEDIA,
    MediaPlayerEntityFeature as Feature,
    MediaPlayerState,
    MediaType,
)
from homeassistant.const import (
    ATTR_ENTITY_ID,
    ATTR_SUPPORTED_FEATURES,
    SERVICE_MEDIA_PAUSE,
    SERVICE_MEDIA_SEEK,
    SERVICE_MEDIA_STOP,
    STATE_UNAVAILABLE,
)
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import entity_registry as er, llm
from homeassistant.util import dt as dt_util
import probatio

from ...const import DOMAIN
from ...languages import joined
from ..assist.locations import Locations
from ..context_tool import CallContext, RequestTool, answered


def players(hass: HomeAssistant) -> Sequence[State]:
    """Return the available players that are exposed."""
    return [
        each
        for each in hass.states.async_all(MEDIA_PLAYER)
        if each.state != STATE_UNAVAILABLE
        and async_should_expose(hass, "conversation", each.entity_id)
    ]


class MoveMusicTool(RequestTool):
    """Plays in a room what another player plays, from its position, and ends it there.

    - Of several players in use, it is the one in the user's room; else the user hears which there are.
    - The first player goes on until the second one plays.
    """

    name = "move_music"
    title = "Move the music"
    description = "Let the music that plays go on in another room, and end it where it plays."
    annotations = llm.ToolAnnotations(destructive=False, open_world=False)
    integration = DOMAIN
    requests = ("actions.carries", "actions.puts")
    content = ("room",)
    parameters = probatio.Schema({probatio.Required("room"): str})

    @override
    async def async_call_in_context(
        self, call: llm.ToolInput, context: CallContext
    ) -> llm.ToolResult:
        """Move it, and return to which player."""
        room, hass = self.parameters(call.tool_args)["room"], context.hass
        language = context.caller.language or hass.config.language
        there = Locations(hass, language).constrain(room, "")
        if not there.areas:
            return await answered(context, "no_such_place", {"place": room}, is_error=True)
        every = players(hass)
        playing = [each for each in every if each.state == MediaPlayerState.PLAYING]
        here = {context.utterance.area_id} - {None}
        sources = (len(playing) > 1 and _in_areas(hass, playing, here)) or playing
        targets = [each for each in _in_areas(hass, every, there.areas) if each not in playing]
        for found, none in ((sources, "nothing_plays"), (targets, "no_player_there")):
            if not found:
                return await answered(context, none, {"place": room}, is_error=True)
            if len(found) > 1:
                names = joined(language, [each.name for each in found], how="any")
                return await answered(context, "which_one", {"names": names}, is_error=True)
        [source], [target] = sources, targets
        if not source.attributes.get(ATTR_MEDIA_CONTENT_ID) or not _can(target, Feature.PLAY_MEDIA):
            slots = {"source": source.name, "target": target.name}
            return await answered(context, "not_movable", slots, is_error=True)
        await _async_move(context, source, target)
        return await answered(context, "music_moved", {"name": target.name})


async def _async_move(context: CallContext, source: State, target: State) -> None:
    """Play on one player what another one plays. Raises HomeAssistantError if that fails."""

    async def act(player: State, service: str, **data: Any) -> None:
        await context.hass.services.async_call(
            MEDIA_PLAYER,
            service,
            {ATTR_ENTITY_ID: player.entity_id, **data},
            blocking=True,
            context=context.caller.context,
        )

    at = source.attributes
    content = {
        ATTR_MEDIA_CONTENT_ID: at[ATTR_MEDIA_CONTENT_ID],
        ATTR_MEDIA_CONTENT_TYPE: at.get(ATTR_MEDIA_CONTENT_TYPE) or MediaType.MUSIC,
    }
    await act(target, SERVICE_PLAY_MEDIA, **content)
    position, since = at.get(ATTR_MEDIA_POSITION), at.get(ATTR_MEDIA_POSITION_UPDATED_AT)
    if position is not None and _can(target, Feature.SEEK):
        passed = (dt_util.utcnow() - since).total_seconds() if since else 0
        await act(target, SERVICE_MEDIA_SEEK, **{ATTR_MEDIA_SEEK_POSITION: position + passed})
    pauses = _can(source, Feature.PAUSE)
    await act(source, SERVICE_MEDIA_PAUSE if pauses else SERVICE_MEDIA_STOP)


def _can(player: State, feature: Feature) -> bool:
    return bool(player.attributes.get(ATTR_SUPPORTED_FEATURES, 0) & feature)


def _in_areas(
    hass: HomeAssistant, among: Sequence[State], areas: Collection[str | None]
) -> Sequence[State]:
    """Return the players among some that are in some areas."""
    registry = er.async_get(hass)
    return [
        each
        for each in among
        if (entry := registry.async_get(each.entity_id))
        and er.async_get_effective_area_id(hass, entry) in areas
    ]
