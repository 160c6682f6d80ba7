"""Announcements in a room, on a floor or everywhere."""

import asyncio
from collections.abc import Collection, Sequence
from typing import Final, override

from homeassistant.components.homeassistant import async_should_expose
from homeassistant.components.media_player import MediaPlayerDeviceClass
from homeassistant.const import ATTR_DEVICE_CLASS, Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er, llm
import probatio

from ...const import DOMAIN
from ...languages import joined
from ...nlu.tokenizer import Text
from ..assist.locations import Locations
from ..context_tool import CallContext, RequestTool, answered
from ..speech import async_speak_on, main_clause, speakers

_TELEPHONE: Final = "voip"
"""A satellite of this platform is a telephone, which an announcement would ring."""
_SCREENS: Final = frozenset((MediaPlayerDeviceClass.TV, "projector"))


def has_speakers(hass: HomeAssistant) -> bool:
    """Return True if anything in the home can announce a text."""
    return bool(_speakers_in(hass, None))


class AnnounceTool(RequestTool):
    """Announces a text on the satellites of some places; where there are none, on players.

    - Nothing is spoken in other places than those that were named.
    - Without a place, the satellite that was spoken to is silent.
    """

    name = "announce"
    title = "Announcement"
    description = "Announce a message aloud in rooms, on floors or everywhere."
    annotations = llm.ToolAnnotations(destructive=False, open_world=False)
    integration = DOMAIN
    requests = ("actions.announces", "actions.says")
    content = ("message",)
    has_places = True
    parameters = probatio.Schema(
        {
            probatio.Required("message"): probatio.All(str, probatio.Length(min=1, max=1000)),
            probatio.Optional("places", description="Rooms or floors. Empty: everywhere"): [str],
        }
    )

    @override
    async def async_call_in_context(
        self, call: llm.ToolInput, context: CallContext
    ) -> llm.ToolResult:
        """Announce it, and return where."""
        arguments = self.parameters(call.tool_args)
        places: list[str] = arguments.get("places", [])
        hass, caller = context.hass, context.caller
        language = caller.language or hass.config.language
        found = [Locations(hass, language).constrain(each, "") for each in places]
        if unknown := next((each.said for each in found if not each.areas), None):
            return await answered(context, "no_such_place", {"place": unknown}, is_error=True)
        areas = {area for each in found for area in each.areas or ()} if places else None
        there = {"place": joined(language, places)} if places else {}
        suffix = "_there" if places else ""
        if not (to := _speakers_in(hass, areas, but=None if places else caller.device_id)):
            return await answered(context, f"no_speaker{suffix}", there, is_error=True)
        text = main_clause(Text(arguments["message"], language))
        done = await asyncio.gather(
            *(async_speak_on(hass, each, text, context=caller.context) for each in to)
        )
        failed = [
            hass.states.get(each) for each, is_done in zip(to, done, strict=True) if not is_done
        ]
        if not failed:
            return await answered(context, f"announced{suffix}", there)
        names = joined(language, [each.name for each in failed if each])
        is_error = len(failed) == len(to)
        return await answered(context, "not_announced", {"names": names}, is_error=is_error)


def _speakers_in(
    hass: HomeAssistant, areas: Collection[str] | None, *, but: str | None = None
) -> Sequence[str]:
    """Return the satellites in some areas that can speak, else the exposed players.

    Args:
        hass: Home Assistant.
        areas: ids; None for the whole home.
        but: the id of a device that is left out.
    """
    registry = er.async_get(hass)
    able = hass.states.async_entity_ids((Platform.ASSIST_SATELLITE, Platform.MEDIA_PLAYER))
    there = [
        each
        for each in filter(None, map(registry.async_get, able))
        if each.platform != _TELEPHONE
        and (but is None or each.device_id != but)
        and (areas is None or er.async_get_effective_area_id(hass, each) in areas)
    ]
    if satellites := [*speakers(hass, there, Platform.ASSIST_SATELLITE)]:
        return satellites
    players = [
        each
        for each in speakers(hass, there, Platform.MEDIA_PLAYER)
        if async_should_expose(hass, "conversation", each)
    ]
    states = filter(None, map(hass.states.get, players))
    screens = {
        each.entity_id for each in states if each.attributes.get(ATTR_DEVICE_CLASS) in _SCREENS
    }
    return [each for each in players if each not in screens] or players
