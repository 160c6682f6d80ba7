"""A home with plans in it, and a clock that can be moved."""

from collections.abc import AsyncGenerator, Iterator
import datetime as dt
from pathlib import Path
from typing import Any
from unittest.mock import patch

from homeassistant.components import demo
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from bench.clock import Clock, clock_at

from .house import House

PLATFORMS = [
    Platform.CLIMATE,
    Platform.COVER,
    Platform.FAN,
    Platform.LIGHT,
    Platform.LOCK,
    Platform.MEDIA_PLAYER,
    Platform.VALVE,
]
NEW_YORK = dt.timezone(-dt.timedelta(hours=5))
BEGAN = dt.datetime(2026, 11, 20, 14, tzinfo=NEW_YORK)
"""A Friday."""


@pytest.fixture
def clock() -> Iterator[Clock]:
    """A clock that shows two in the afternoon in New York."""
    with clock_at(BEGAN) as clock:
        yield clock


@pytest.fixture
def hass_storage() -> dict[str, Any]:
    """Nothing in place of files: Home Assistant's test helpers have their own storage."""
    return {}


@pytest.fixture
async def house(
    clock: Clock, hass: HomeAssistant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[House]:
    """Home Assistant with its demo devices, exposed, and our plans, in a folder of their own."""
    hass.config.config_dir = str(tmp_path)
    await hass.config.async_set_time_zone("America/New_York")
    for domain in ("homeassistant", "conversation", "intent", "llm", "persistent_notification"):
        assert await async_setup_component(hass, domain, {})
    entry = MockConfigEntry(domain="demo")
    entry.add_to_hass(hass)
    monkeypatch.setattr("homeassistant.components.demo.lock.LOCK_UNLOCK_DELAY", 0)
    monkeypatch.setattr("homeassistant.components.demo.valve.OPEN_CLOSE_DELAY", 0)
    with patch.object(demo, "COMPONENTS_WITH_CONFIG_ENTRY_DEMO_PLATFORM", PLATFORMS):
        assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    for state in hass.states.async_all():
        async_expose_entity(hass, "conversation", state.entity_id, True)
    assert await async_setup_component(hass, "voice_gateway", {})
    await hass.async_block_till_done()
    house = House(hass, clock)
    yield house
    house.stop()
