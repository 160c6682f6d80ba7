"""How somebody is reached who is not speaking: by the satellite that was spoken to, or by a phone."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from homeassistant.components import persistent_notification
from homeassistant.components.assist_satellite import AssistSatelliteEntityFeature as Feature
from homeassistant.const import (
    ATTR_ENTITY_ID,
    ATTR_SUPPORTED_FEATURES,
    STATE_UNAVAILABLE,
    STATE_UNKNOWN,
    Platform,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.util.hass_dict import HassKey

from ..const import DOMAIN, LOGGER
from .plan import Spoken

# Names of Home Assistant's.
_PERSON = "person"
_SEND_MESSAGE = "send_message"
_ANNOUNCE = "announce"
_MESSAGE = "message"
_MOBILE_APP = "mobile_app"
_USER_ID = "user_id"
_TRACKERS = "device_trackers"

_PATIENCE = 60.0
"""Seconds in which an announcement has to be over."""
_SPEAKING: HassKey[defaultdict[str, asyncio.Lock]] = HassKey(f"{DOMAIN}_speaking")
"""For each satellite: what is said at the same moment is said one after the other."""


async def async_reach(
    hass: HomeAssistant, spoken: Spoken, plan_id: str, text: str, *, stays: bool = False
) -> None:
    """Tell a text to who planned something; it raises nothing.

    It is spoken where they spoke. Where that can't be, it is a notification, and goes to their phones.

    Args:
        hass: Home Assistant.
        spoken: who planned it, and where.
        plan_id: the plan's: of one plan there is one notification.
        text: what is told.
        stays: whether there is to be a notification in any case.
    """
    is_heard = await _async_announce(hass, spoken.device_id, text)
    if stays or not is_heard:
        persistent_notification.async_create(hass, text, "Voice Gateway", f"{DOMAIN}_{plan_id}")
    if not is_heard:
        for entity_id in _phones(hass, spoken.user_id):
            data = {ATTR_ENTITY_ID: entity_id, _MESSAGE: text}
            await _is_done(hass, Platform.NOTIFY, _SEND_MESSAGE, data)


async def _async_announce(hass: HomeAssistant, device_id: str | None, text: str) -> bool:
    """Speak on a device; return whether it was heard, as far as anybody knows."""
    if (entity_id := _satellite(hass, device_id)) is None:
        return False
    locks = hass.data.setdefault(_SPEAKING, defaultdict(asyncio.Lock))
    async with locks[entity_id]:
        data = {ATTR_ENTITY_ID: entity_id, _MESSAGE: text}
        return await _is_done(hass, Platform.ASSIST_SATELLITE, _ANNOUNCE, data)


async def _is_done(hass: HomeAssistant, domain: str, service: str, data: dict[str, Any]) -> bool:
    """Call an action; return whether it was done."""
    try:
        async with asyncio.timeout(_PATIENCE):
            await hass.services.async_call(domain, service, data, blocking=True)
    except Exception as err:  # noqa: BLE001 - whatever it is, the user is told in another way
        LOGGER.warning("%s could not be told: %r", data[ATTR_ENTITY_ID], err)
        return False
    return True


def _satellite(hass: HomeAssistant, device_id: str | None) -> str | None:
    """Return the satellite that a device is, if it can speak of itself."""
    if device_id is None:
        return None
    for entry in er.async_entries_for_device(er.async_get(hass), device_id):
        state = (
            hass.states.get(entry.entity_id) if entry.domain == Platform.ASSIST_SATELLITE else None
        )
        if state is None or state.state in (STATE_UNAVAILABLE, STATE_UNKNOWN):
            continue
        if state.attributes.get(ATTR_SUPPORTED_FEATURES, 0) & Feature.ANNOUNCE:
            return entry.entity_id
    return None


def _phones(hass: HomeAssistant, user_id: str | None) -> Iterator[str]:
    """Yield what notifies the phones of a user: those that tell where the user's person is."""
    registry = er.async_get(hass)
    trackers = [
        tracker
        for person in hass.states.async_all(_PERSON)
        if user_id and person.attributes.get(_USER_ID) == user_id
        for tracker in person.attributes.get(_TRACKERS, ())
    ]
    for tracker in trackers:
        entry = registry.async_get(tracker)
        if entry is None or entry.platform != _MOBILE_APP or entry.device_id is None:
            continue
        for each in er.async_entries_for_device(registry, entry.device_id):
            if each.domain == Platform.NOTIFY and each.platform == _MOBILE_APP:
                yield each.entity_id
