"""Phones with Home Assistant's app, and whose they are."""

from collections.abc import Iterator, Sequence
from typing import Final

from homeassistant.const import Platform
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import entity_registry as er

_MOBILE_APP: Final = "mobile_app"


def phones_of(hass: HomeAssistant, person: State) -> Iterator[str]:
    """Yield the notify entities of a person's phones: of the apps that track the person."""
    registry = er.async_get(hass)
    for tracker in person.attributes.get("device_trackers", ()):
        entry = registry.async_get(tracker)
        if entry is None or entry.platform != _MOBILE_APP or entry.device_id is None:
            continue
        for each in er.async_entries_for_device(registry, entry.device_id):
            if each.domain == Platform.NOTIFY and each.platform == _MOBILE_APP:
                yield each.entity_id


def owners(hass: HomeAssistant) -> Sequence[State]:
    """Return the people who have a phone with the app."""
    return [each for each in hass.states.async_all("person") if any(phones_of(hass, each))]
