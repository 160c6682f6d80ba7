"""The volume of the satellite that the user speaks to."""

from typing import Any, override

from homeassistant.components.assist_satellite import DOMAIN as ASSIST_SATELLITE
from homeassistant.components.media_player import (
    ATTR_MEDIA_VOLUME_LEVEL,
    ATTR_MEDIA_VOLUME_MUTED,
    DOMAIN as MEDIA_PLAYER,
    MediaPlayerEntityFeature,
)
from homeassistant.const import (
    ATTR_ENTITY_ID,
    ATTR_SUPPORTED_FEATURES,
    SERVICE_VOLUME_DOWN,
    SERVICE_VOLUME_MUTE,
    SERVICE_VOLUME_SET,
    SERVICE_VOLUME_UP,
    STATE_UNAVAILABLE,
)
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import entity_registry as er, llm
import probatio

from ...const import DOMAIN
from ..call_results import error

_DEFAULT_STEP = 10

_PERCENT = probatio.All(probatio.Coerce(int), probatio.Range(min=0, max=100))


def speaker_of(hass: HomeAssistant, device_id: str | None) -> State | None:
    """Return the media player of a device, if it has one."""
    if device_id is None:
        return None
    for entry in er.async_entries_for_device(er.async_get(hass), device_id):
        if entry.domain == MEDIA_PLAYER and (state := hass.states.get(entry.entity_id)):
            return state
    return None


def has_speakers(hass: HomeAssistant) -> bool:
    """Return True if any satellite has a media player."""
    registry = er.async_get(hass)
    return any(
        speaker_of(hass, entry.device_id)
        for satellite in hass.states.async_entity_ids(ASSIST_SATELLITE)
        if (entry := registry.async_get(satellite))
    )


class SpeakerVolumeTool(llm.Tool):
    """Get or change the volume of the satellite in use, in percent."""

    name = "control_speaker_volume"
    title = "Speaker volume"
    description = "Get or change your own speaker's volume."
    annotations = llm.ToolAnnotations(destructive=False, open_world=False)
    integration = DOMAIN
    parameters = probatio.Schema(
        {
            probatio.Required("action"): probatio.In(
                ["get", "set", "up", "down", "mute", "unmute", "max"]
            ),
            probatio.Optional("level", description="Percent, for set"): _PERCENT,
            probatio.Optional("amount", description="Percent, for up and down"): _PERCENT,
        }
    )

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Act, and return the resulting volume."""
        arguments = self.parameters(tool_input.tool_args)
        speaker = speaker_of(hass, llm_context.device_id)
        if speaker is None or speaker.state == STATE_UNAVAILABLE:
            return error("There is no speaker here whose volume could be changed")
        volume = _percent(speaker)

        async def act(service: str, **data: Any) -> None:
            await hass.services.async_call(
                MEDIA_PLAYER,
                service,
                {ATTR_ENTITY_ID: speaker.entity_id, **data},
                blocking=True,
                context=llm_context.context,
            )

        amount = arguments.get("amount", _DEFAULT_STEP)
        match arguments["action"]:
            case "set" if "level" not in arguments:
                return error("To set the volume, give a level from 0 to 100")
            case "up" | "down" as action if volume is None:
                # The current volume is unknown: a relative step from a guess could be a shock.
                features = speaker.attributes.get(ATTR_SUPPORTED_FEATURES, 0)
                if not features & MediaPlayerEntityFeature.VOLUME_STEP:
                    return error("It is not known how loud the speaker is: set a level")
                await act(SERVICE_VOLUME_UP if action == "up" else SERVICE_VOLUME_DOWN)
            case "set" | "up" | "down" | "max" as action:
                target = {
                    "set": arguments.get("level"),
                    "up": min(100, (volume or 0) + amount),
                    "down": max(0, (volume or 0) - amount),
                    "max": 100,
                }[action]
                await act(SERVICE_VOLUME_SET, **{ATTR_MEDIA_VOLUME_LEVEL: target / 100})
            case "mute" | "unmute" as action:
                muted = action == "mute"
                await act(SERVICE_VOLUME_MUTE, **{ATTR_MEDIA_VOLUME_MUTED: muted})
        return _volume(hass.states.get(speaker.entity_id) or speaker)


def _percent(speaker: State) -> int | None:
    """Return a speaker's volume in percent, if it is known."""
    level = speaker.attributes.get(ATTR_MEDIA_VOLUME_LEVEL)
    return None if level is None else round(100 * level)


def _volume(speaker: State) -> llm.ToolResult:
    return llm.ToolResult(
        data={
            "volume": _percent(speaker),
            "muted": bool(speaker.attributes.get(ATTR_MEDIA_VOLUME_MUTED)),
        }
    )
