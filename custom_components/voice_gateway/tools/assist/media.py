"""Music and other media: search and playback in one call, on one player.

Home Assistant has an intent for it, but offers models two tools, one of which needs the result of
the other. A small model gets one call right, and a call with the user's words can be checked
against them.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, override

from homeassistant.components.media_player import DOMAIN as MEDIA_PLAYER, MediaPlayerEntityFeature
from homeassistant.const import ATTR_SUPPORTED_FEATURES, STATE_PAUSED
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm

from ...home.exposed import Exposed
from ...json_schema import Json
from ...nlu.requests import QUERY, SEARCH, parse_media_request
from ...nlu.utterance import Utterance
from ...texts import async_text
from ...untrusted_text import name as shown_name
from ..context_tool import CallContext
from ..journal import DirectReply
from .call_errors import Refusal
from .intents import IntentTool
from .target import TARGET
from .target_preview import reached_by

RESUME: Final = "HassMediaUnpause"
_SEARCHES: Final = MediaPlayerEntityFeature.SEARCH_MEDIA | MediaPlayerEntityFeature.PLAY_MEDIA
_TOLD: Final = (QUERY, "name", "area", "floor")
"""The slots in the prompt: without Home Assistant's 21 media classes, which users do not say."""


def search_tool(hass: HomeAssistant, offered: Collection[str]) -> llm.IntentTool | None:
    """Return Home Assistant's intent as a tool, if its two tools for this are offered."""
    handler = next((each for each in intent.async_get(hass) if each.intent_type == SEARCH), None)
    if handler is None or f"{MEDIA_PLAYER}__search_media" not in offered:
        return None
    tool = llm.IntentTool(
        f"{MEDIA_PLAYER}__{SEARCH}",
        handler,
        title="Search and play media",
        integration=MEDIA_PLAYER,
        annotations=llm.ToolAnnotations(destructive=False),
    )
    tool.description = "Play music or other media: finds what was asked for and plays it."
    return tool


def told(schema: Json) -> Json:
    """Return the part of the schema that is in the prompt."""
    slots: Mapping[str, Any] = schema["properties"]
    return {**schema, "properties": {slot: slots[slot] for slot in _TOLD if slot in slots}}


def can_search(hass: HomeAssistant, entity: Exposed) -> bool:
    """Return True if a player can search for the media that it plays."""
    state = hass.states.get(entity.entity_id)
    features = state.attributes.get(ATTR_SUPPORTED_FEATURES, 0) if state else 0
    return entity.domain == MEDIA_PLAYER and bool(features & _SEARCHES == _SEARCHES)


def player_for(
    hass: HomeAssistant, utterance: Utterance, possible: Iterable[Exposed], *, is_told: bool
) -> list[Exposed]:
    """Return the players that can search; without a place, those of the speaker's room.

    If that room has none, all are candidates.
    """
    able = [each for each in possible if can_search(hass, each)]
    here = [each for each in able if utterance.area_id and each.area == utterance.area_id]
    return here if here and not is_told else able


class SearchTool(IntentTool):
    """Searches and plays, on one player.

    - If several players are possible, none plays: the user is asked which.
    - The result names the title that was found.
    - If nothing is found, nothing is played, and the result says so.
    """

    @override
    def is_for(self, hass: HomeAssistant, entity: Exposed) -> bool:
        """Return True if a player can search for the media that it plays."""
        return can_search(hass, entity)

    @override
    async def _handle(
        self, tool: IntentTool, arguments: dict[str, Any], context: CallContext
    ) -> llm.ToolResult:
        player = self._player(arguments, context)
        if player is None:
            # Home Assistant's error names the player that found nothing; the correction uses that.
            return await super()._handle(tool, arguments, context)
        slots = {key: value for key, value in arguments.items() if key not in TARGET}
        call = llm.ToolInput(self.name, {**slots, "name": player.entity_id})
        try:
            result = await llm.IntentTool.async_call(tool, context.hass, call, context.caller)
        except intent.IntentHandleError as err:
            if err.__cause__ is not None:
                raise
            raise Refusal(
                str(err), instead=DirectReply.NOT_FOUND, about=[str(arguments.get(QUERY))]
            ) from err
        return _told_of(context.hass, result, player)

    def _player(self, arguments: Json, context: CallContext) -> Exposed | None:
        """Return the player of a call; None if there is none.

        Raises Refusal if it is ambiguous.
        """
        only = context.only
        possible = _reached(self, arguments, context) if only is None else only
        is_blank = all(intent.is_blank_slot_value(arguments.get(slot)) for slot in TARGET)
        is_told = only is not None or not is_blank
        found = player_for(context.hass, context.utterance, possible, is_told=is_told)
        match found:
            case [player]:
                return player
            case []:
                return None
        names = ", ".join(each.names[0] for each in found)
        raise Refusal(f"Say which player is meant, by name: {names}", found, is_any=True)


class ResumeTool(IntentTool):
    """Resumes playback, and says so if the user asked for something else.

    Without a named player, only paused players resume, and none that is off.
    """

    @override
    async def _handle(
        self, tool: IntentTool, arguments: dict[str, Any], context: CallContext
    ) -> llm.ToolResult:
        hass, utterance = context.hass, context.utterance
        if intent.is_blank_slot_value(arguments.get("name")):
            reached = context.only or _reached(tool, arguments, context)
            paused = [
                each for each in reached if hass.states.is_state(each.entity_id, STATE_PAUSED)
            ]
            context = replace(context, only=paused or context.only)
        result = await super()._handle(tool, arguments, context)
        response: intent.IntentResponse | None = getattr(result.data, "original", None)
        if response is None or not (wanted := parse_media_request(utterance)):
            return result
        words = {"names": ", ".join(each.name for each in response.matched_states)}
        told = await async_text(
            hass, utterance.language, "only_resumed", {**words, "wanted": wanted}
        )
        response.async_set_speech(told)
        return llm.ToolResult(data=llm.IntentResponseDict(response))


def _reached(tool: IntentTool, arguments: Json, context: CallContext) -> Sequence[Exposed]:
    home, assistant = context.utterance.home, context.caller.assistant or ""
    return reached_by(context.hass, home, tool, arguments, assistant)


def _told_of(hass: HomeAssistant, result: llm.ToolResult, player: Exposed) -> llm.ToolResult:
    """Return a result with the player, and only the title of the media."""
    response: intent.IntentResponse | None = getattr(result.data, "original", None)
    if response is None:
        return result
    media = response.speech_slots.get("media")
    title = shown_name(str(media.get("title") or "")) if isinstance(media, dict) else ""
    response.async_set_speech_slots({"media": {"title": title}} if title else {})
    if state := hass.states.get(player.entity_id):
        response.async_set_states([state])
    target = intent.IntentResponseTarget(
        name=player.names[0], type=intent.IntentResponseTargetType.ENTITY, id=player.entity_id
    )
    response.async_set_results([target])
    return llm.ToolResult(data=llm.IntentResponseDict(response))
