"""Speech outside of an answer: announcements on satellites and media players."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from homeassistant.components.assist_pipeline.pipeline import KEY_ASSIST_PIPELINE
from homeassistant.components.assist_satellite import AssistSatelliteEntityFeature
from homeassistant.components.media_player import MediaPlayerEntityFeature
from homeassistant.const import (
    ATTR_ENTITY_ID,
    ATTR_SUPPORTED_FEATURES,
    STATE_UNAVAILABLE,
    STATE_UNKNOWN,
    Platform,
)
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN, LOGGER
from ..languages import language_of
from ..languages.dates import begun
from ..nlu.tokenizer import Text

_PATIENCE: Final = 60.0
"""Timeout of an announcement, in seconds."""
_SPEAKING: HassKey[defaultdict[str, asyncio.Lock]] = HassKey(f"{DOMAIN}_speaking")
"""A lock per satellite or player: simultaneous messages are spoken one after the other."""
_FEATURES: Final = {
    Platform.ASSIST_SATELLITE: AssistSatelliteEntityFeature.ANNOUNCE,
    Platform.MEDIA_PLAYER: MediaPlayerEntityFeature.PLAY_MEDIA,
}
"""What a satellite, or a player, needs to speak."""


def speakers(
    hass: HomeAssistant, entries: Iterable[er.RegistryEntry], domain: Platform
) -> Iterator[str]:
    """Yield the available satellites, or players, among some entities that can speak a text."""
    for entry in entries:
        state = hass.states.get(entry.entity_id) if entry.domain == domain else None
        if state is None or state.state in (STATE_UNAVAILABLE, STATE_UNKNOWN):
            continue
        if state.attributes.get(ATTR_SUPPORTED_FEATURES, 0) & _FEATURES[domain]:
            yield entry.entity_id


async def async_speak_on(
    hass: HomeAssistant, entity_id: str, text: Text, *, context: Context | None = None
) -> bool:
    """Speak a text on a satellite or a media player; return True if that succeeded."""
    domain, service, to = Platform.ASSIST_SATELLITE, "announce", {ATTR_ENTITY_ID: entity_id}
    if not entity_id.startswith(f"{domain}."):
        if (voice := _voice(hass, text.code)) is None:
            return False
        domain, service = Platform.TTS, "speak"
        to = voice | {"media_player_entity_id": entity_id}
    async with hass.data.setdefault(_SPEAKING, defaultdict(asyncio.Lock))[entity_id]:
        return await async_deliver(hass, domain, service, text, to, context=context)


async def async_deliver(
    hass: HomeAssistant,
    domain: str,
    service: str,
    text: str,
    to: Mapping[str, str],
    *,
    context: Context | None = None,
) -> bool:
    """Deliver a text by an action; return True if it succeeded."""
    data = {**to, "message": text}
    try:
        async with asyncio.timeout(_PATIENCE):
            await hass.services.async_call(domain, service, data, blocking=True, context=context)
    except Exception as err:  # noqa: BLE001 - whatever it is, the text is delivered another way
        LOGGER.warning("%s could not be told: %r", to[ATTR_ENTITY_ID], err)
        return False
    return True


def _voice(hass: HomeAssistant, language: str) -> dict[str, str] | None:
    """Return an assistant's voice for a language, else any voice, as data of `tts.speak`."""
    data = hass.data.get(KEY_ASSIST_PIPELINE)
    pipelines = data.pipeline_store.data.values() if data else ()
    for each in pipelines:
        is_same = language_of(each.tts_language) is language_of(language)
        if is_same and each.tts_engine and hass.states.get(each.tts_engine):
            return {ATTR_ENTITY_ID: each.tts_engine, "language": str(each.tts_language)}
    voices = hass.states.async_entity_ids(Platform.TTS)
    return {ATTR_ENTITY_ID: min(voices)} if voices else None


def main_clause(message: Text) -> Text:
    """Return a message as a sentence: reported speech gets a main clause."""
    (relays, *_) = (*message.language.actions.get("relays", ()), "")
    is_reported = relays and message.phrase_end(0, "plans.that")
    return message.alike(begun(f"{relays} {message}" if is_reported else message))
