"""Delivery of messages to a user outside a turn: by satellite, media player, or phone."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from homeassistant.components import persistent_notification
from homeassistant.components.assist_pipeline.pipeline import KEY_ASSIST_PIPELINE
from homeassistant.components.assist_satellite import AssistSatelliteEntityFeature as Feature
from homeassistant.components.homeassistant import async_should_expose
from homeassistant.components.media_player import MediaPlayerEntityFeature
from homeassistant.const import (
    ATTR_ENTITY_ID,
    ATTR_SUPPORTED_FEATURES,
    STATE_UNAVAILABLE,
    STATE_UNKNOWN,
    Platform,
)
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import device_registry as dr, entity_registry as er
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN, LOGGER
from ..languages import language_of
from .plan import Spoken

_MOBILE_APP = "mobile_app"
_BUSY = ("listening", "processing", "responding")
_PATIENCE = 60.0
"""Timeout of an announcement, in seconds."""
_SPEAKING: HassKey[defaultdict[str, asyncio.Lock]] = HassKey(f"{DOMAIN}_speaking")
"""A lock per satellite or player: simultaneous messages are spoken one after the other."""


async def async_reach(hass: HomeAssistant, spoken: Spoken, plan_id: str, text: str) -> None:
    """Deliver a text to the user who made a plan; raise nothing.

    It is spoken by the satellite on which the plan was made, or by a media player in its area. If
    that fails, it is a notification, one per plan, and is sent to the user's phones.
    """
    if not await async_speak(hass, spoken, text):
        await async_notify(hass, spoken, plan_id, text)


async def async_notify(hass: HomeAssistant, spoken: Spoken, plan_id: str, text: str) -> None:
    """Show a text as a notification and send it to the phones of the plan's user; raise nothing."""
    notify(hass, plan_id, text)
    await async_message(hass, spoken, text)


@callback
def notify(hass: HomeAssistant, plan_id: str, text: str) -> None:
    """Show the notification of a plan, in place of its previous one."""
    persistent_notification.async_create(hass, text, "Voice Gateway", f"{DOMAIN}_{plan_id}")


async def async_message(hass: HomeAssistant, spoken: Spoken, text: str) -> None:
    """Send a text to the phones of the plan's user; raise nothing."""
    for entity_id in _phones(hass, spoken.user_id):
        await _is_done(hass, Platform.NOTIFY, "send_message", text, {ATTR_ENTITY_ID: entity_id})


async def async_speak(hass: HomeAssistant, spoken: Spoken, text: str) -> bool:
    """Speak a text on the plan's satellite or in its area; return True if that succeeded."""
    if satellite := _satellite(hass, spoken.device_id):
        async with _speaking(hass, satellite):
            to = {ATTR_ENTITY_ID: satellite}
            if await _is_done(hass, Platform.ASSIST_SATELLITE, "announce", text, to):
                return True
    player, voice = _player(hass, spoken.device_id), _voice(hass, spoken.language)
    if player is None or voice is None:
        return False
    async with _speaking(hass, player):
        voice["media_player_entity_id"] = player
        return await _is_done(hass, Platform.TTS, "speak", text, voice)


def is_listening(hass: HomeAssistant, spoken: Spoken) -> bool:
    """Return True if the plan's satellite is listening, processing or responding."""
    state = hass.states.get(_satellite(hass, spoken.device_id) or "")
    return state is not None and state.state in _BUSY


def _player(hass: HomeAssistant, device_id: str | None) -> str | None:
    """Return the media player of a device, or the first exposed one in its area."""
    device = dr.async_get(hass).async_get(device_id) if device_id else None
    if device is None:
        return None
    registry = er.async_get(hass)
    own = er.async_entries_for_device(registry, device.id)
    area = device.area_id or ""
    there = [
        *er.async_entries_for_area(registry, area),
        *(
            entry
            for each in dr.async_entries_for_area(dr.async_get(hass), area)
            for entry in er.async_entries_for_device(registry, each.id)
            if entry.area_id in (None, area)
        ),
    ]
    exposed = [each for each in there if async_should_expose(hass, "conversation", each.entity_id)]
    entries = (*own, *sorted(exposed, key=lambda each: each.entity_id))
    return _able(hass, entries, Platform.MEDIA_PLAYER, MediaPlayerEntityFeature.PLAY_MEDIA)


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


def _speaking(hass: HomeAssistant, entity_id: str) -> asyncio.Lock:
    return hass.data.setdefault(_SPEAKING, defaultdict(asyncio.Lock))[entity_id]


async def _is_done(
    hass: HomeAssistant, domain: str, service: str, text: str, to: Mapping[str, str]
) -> bool:
    """Deliver a text by an action; return True if it succeeded."""
    try:
        async with asyncio.timeout(_PATIENCE):
            await hass.services.async_call(domain, service, {**to, "message": text}, blocking=True)
    except Exception as err:  # noqa: BLE001 - whatever it is, the text is delivered another way
        LOGGER.warning("%s could not be told: %r", to[ATTR_ENTITY_ID], err)
        return False
    return True


def _satellite(hass: HomeAssistant, device_id: str | None) -> str | None:
    """Return a device's satellite entity if it supports announcements."""
    if device_id is None:
        return None
    entries = er.async_entries_for_device(er.async_get(hass), device_id)
    return _able(hass, entries, Platform.ASSIST_SATELLITE, Feature.ANNOUNCE)


def _able(
    hass: HomeAssistant, entries: Iterable[er.RegistryEntry], domain: str, feature: int
) -> str | None:
    """Return the first available entity of a domain that supports a feature."""
    for entry in entries:
        state = hass.states.get(entry.entity_id) if entry.domain == domain else None
        if state is None or state.state in (STATE_UNAVAILABLE, STATE_UNKNOWN):
            continue
        if state.attributes.get(ATTR_SUPPORTED_FEATURES, 0) & feature:
            return entry.entity_id
    return None


def _phones(hass: HomeAssistant, user_id: str | None) -> Iterator[str]:
    """Yield the notify entities of a user's phones: the apps that track the user's person."""
    registry = er.async_get(hass)
    trackers = [
        tracker
        for person in hass.states.async_all("person")
        if user_id and person.attributes.get("user_id") == user_id
        for tracker in person.attributes.get("device_trackers", ())
    ]
    for tracker in trackers:
        entry = registry.async_get(tracker)
        if entry is None or entry.platform != _MOBILE_APP or entry.device_id is None:
            continue
        for each in er.async_entries_for_device(registry, entry.device_id):
            if each.domain == Platform.NOTIFY and each.platform == _MOBILE_APP:
                yield each.entity_id
