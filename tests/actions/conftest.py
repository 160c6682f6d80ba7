"""A home with satellites, and what they announce."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from homeassistant.components.assist_satellite import AssistSatelliteEntityFeature as Feature
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, device_registry as dr, entity_registry as er
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_mock_service  # type: ignore[import-untyped]

from tests.agent import Agent


def add_satellite(hass: HomeAssistant, name: str, area: str, platform: str = "esphome") -> str:
    """Add a satellite that can announce to an area; return its device's id."""
    entry = MockConfigEntry(domain=platform)
    entry.add_to_hass(hass)
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={(platform, name)}, name=name
    )
    room = ar.async_get(hass).async_get_or_create(area)
    dr.async_get(hass).async_update_device(device.id, area_id=room.id)
    entity = er.async_get(hass).async_get_or_create(
        "assist_satellite", platform, name, suggested_object_id=name, device_id=device.id
    )
    features = {"supported_features": Feature.ANNOUNCE, "friendly_name": name.title()}
    hass.states.async_set(entity.entity_id, "idle", features)
    return device.id


def name_rooms(hass: HomeAssistant) -> None:
    """Give the rooms names in all languages."""
    areas = ar.async_get(hass)
    for name, *aliases in (
        ("Kitchen", "Küche", "Cuisine", "Cocina", "Cucina", "Keuken", "Kuchnia"),
        ("Bedroom", "Schlafzimmer"),
    ):
        areas.async_update(areas.async_get_or_create(name).id, aliases={*aliases})


@dataclass
class Announced:
    """The announcements so far: the satellites' names, in their order, and the text."""

    agent: Agent
    devices: dict[str, str]
    calls: list = field(default_factory=list)  # type: ignore[type-arg]

    def take(self) -> tuple[str, str]:
        """Return the satellites of the announcements since the last time, and their text."""
        ids: Sequence[str] = [each.data["entity_id"].partition(".")[2] for each in self.calls]
        text = " / ".join({each.data["message"]: None for each in self.calls})
        self.calls.clear()
        return " ".join(sorted(ids)), text


@pytest.fixture
def announced(agent: Agent) -> Announced:
    """Satellites in the kitchen, the bedroom and the study, which no exposed device is in."""
    hass = agent.hass
    name_rooms(hass)
    devices = {
        name: add_satellite(hass, name, area)
        for name, area in (("kitchen", "Kitchen"), ("bedroom", "Bedroom"), ("study", "Study"))
    }
    return Announced(agent, devices, async_mock_service(hass, "assist_satellite", "announce"))
