"""Delivery of messages to a user outside a turn: by satellite, media player, or phone."""

from homeassistant.components import persistent_notification
from homeassistant.components.homeassistant import async_should_expose
from homeassistant.const import ATTR_ENTITY_ID, Platform
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import device_registry as dr, entity_registry as er

from ..const import DOMAIN
from ..nlu.tokenizer import Text
from ..tools.phones import phones_of
from ..tools.speech import async_deliver, async_speak_on, speakers
from .plan import Spoken

_BUSY = ("listening", "processing", "responding")


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
    people = hass.states.async_all("person") if spoken.user_id else ()
    own = (each for each in people if each.attributes.get("user_id") == spoken.user_id)
    for entity_id in (phone for each in own for phone in phones_of(hass, each)):
        await async_deliver(
            hass, Platform.NOTIFY, "send_message", text, {ATTR_ENTITY_ID: entity_id}
        )


async def async_speak(hass: HomeAssistant, spoken: Spoken, text: str) -> bool:
    """Speak a text on the plan's satellite or in its area; return True if that succeeded."""
    near = _satellite(hass, spoken.device_id), _player(hass, spoken.device_id)
    for each in filter(None, near):
        if await async_speak_on(hass, each, Text(text, spoken.language)):
            return True
    return False


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
    return next(speakers(hass, entries, Platform.MEDIA_PLAYER), None)


def _satellite(hass: HomeAssistant, device_id: str | None) -> str | None:
    """Return a device's satellite entity if it supports announcements."""
    if device_id is None:
        return None
    entries = er.async_entries_for_device(er.async_get(hass), device_id)
    return next(speakers(hass, entries, Platform.ASSIST_SATELLITE), None)
