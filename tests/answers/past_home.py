"""A home whose past a recorder has kept; it is Friday evening there."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.recorder import Recorder
from homeassistant.components.recorder.models import StatisticMeanType
from homeassistant.components.recorder.statistics import async_import_statistics
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util

from custom_components.voice_gateway.home.exposed import Home

from ..tables import table

NOW = "2026-11-21 04:30:00+00:00"
"""Half past eight in the evening of the 20th, where the home is."""
TEMPERATURE = {"device_class": "temperature", "unit_of_measurement": "°C"}
ENERGY = {
    "device_class": "energy",
    "unit_of_measurement": "kWh",
    "state_class": "total_increasing",
}
NAMES: Mapping[str, Sequence[str]] = table(__file__, "NAMES")
"""What the entities are called, in the order of `ENTITIES`; the fourth is the area of a sensor."""
ENTITIES: Mapping[str, Mapping[str, Any]] = table(__file__, "ENTITIES")
_BEGIN = "11-11 00:00"
PAST: Mapping[str, Sequence[tuple[str, str]]] = table(__file__, "PAST")
EXCLUDED = ("sensor.guest_t",)
HIDDEN = ("binary_sensor.safe",)


def at(text: str) -> datetime:
    """Return a moment of the year, by the home's clock."""
    moment = datetime.fromisoformat(f"2026-{text}")
    return moment.replace(tzinfo=dt_util.get_default_time_zone()).astimezone(UTC)


async def furnish(hass: HomeAssistant, recorder: Recorder) -> None:
    """Let the past happen, and have it recorded."""
    names = dict(
        zip(
            ENTITIES,
            ("", "", "", "", "", "Anna", "Safe", "Guest Temperature", "Note", "Tom"),
            strict=True,
        )
    )
    for entity_id in ENTITIES:
        domain, _, name = entity_id.partition(".")
        er.async_get(hass).async_get_or_create(domain, "test", entity_id, suggested_object_id=name)
    events = sorted(
        (at(when), entity_id, state) for entity_id in PAST for when, state in PAST[entity_id]
    )
    for when, entity_id, state in events:
        attributes = {**ENTITIES[entity_id], "friendly_name": names[entity_id] or entity_id}
        hass.states.async_set(entity_id, state, attributes, timestamp=when.timestamp())
    for entity_id, state in (("sensor.guest_t", "20"), ("sensor.energy", "100")):
        hass.states.async_set(
            entity_id, state, {**ENTITIES[entity_id], "friendly_name": names[entity_id]}
        )
    for component in ("homeassistant", "conversation"):
        assert await async_setup_component(hass, component, {})
    _import_energy(hass)
    await hass.async_block_till_done()
    await recorder.async_block_till_done()
    for entity_id in ENTITIES:
        async_expose_entity(hass, conversation.DOMAIN, entity_id, entity_id not in HIDDEN)


def _import_energy(hass: HomeAssistant) -> None:
    """Have half a kilowatt hour used in every hour of two days, and one in each of today's."""
    start = at("11-18 00:00")
    total, rows = 0.0, []
    for hour in range(24 * 2 + 20):
        total += 1.0 if hour >= 48 else 0.5
        rows.append({"start": start + timedelta(hours=hour), "state": total, "sum": total})
    async_import_statistics(
        hass,
        {
            "has_sum": True,
            "mean_type": StatisticMeanType.NONE,
            "name": None,
            "source": "recorder",
            "statistic_id": "sensor.energy",
            "unit_class": "energy",
            "unit_of_measurement": "kWh",
        },
        rows,  # type: ignore[arg-type]
    )


async def rename(hass: HomeAssistant, language: str) -> Home:
    """Call everything as people do in a language, and return what is exposed."""
    door, washer, light, room, temperature, energy = NAMES[language]
    for entity_id, name in zip(ENTITIES, (door, washer, light, temperature, energy), strict=False):
        state = hass.states.get(entity_id)
        assert state
        attributes = {**state.attributes, "friendly_name": name}
        hass.states.async_set(
            entity_id, state.state, attributes, timestamp=state.last_updated.timestamp()
        )
    area = ar.async_get(hass).async_get_or_create(room)
    er.async_get(hass).async_update_entity("sensor.kitchen_t", area_id=area.id)
    await hass.async_block_till_done()
    return Home.seen_by(hass, conversation.DOMAIN)
