"""A home with what the demo's other rooms have, and a model server."""

from collections.abc import AsyncGenerator
from pathlib import Path
from unittest.mock import patch

from homeassistant.components.demo import lock, valve
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from tests.model_servers import ModelServer, OllamaModel
from tests.ollama import PlayedOllama

PLATFORMS = (Platform.LOCK, Platform.VACUUM, Platform.VALVE)


@pytest.fixture
def model_server(ollama: PlayedOllama) -> ModelServer:
    """A model server. What a tool may do is the same with each provider."""
    return OllamaModel(ollama)


@pytest.fixture
async def full_house(home: HomeAssistant, tmp_path: Path) -> AsyncGenerator[HomeAssistant]:
    """The home with locks, vacuums, valves, and a shopping list, which is kept in a file."""
    home.config.config_dir = str(tmp_path)
    (demo,) = home.config_entries.async_entries("demo")
    await home.config_entries.async_forward_entry_setups(demo, PLATFORMS)
    shopping = MockConfigEntry(domain="shopping_list")
    shopping.add_to_hass(home)
    assert await home.config_entries.async_setup(shopping.entry_id)
    await home.async_block_till_done()
    for state in home.states.async_all(("lock", "todo", "vacuum", "valve")):
        async_expose_entity(home, "conversation", state.entity_id, should_expose=True)
    with patch.object(lock, "LOCK_UNLOCK_DELAY", 0), patch.object(valve, "OPEN_CLOSE_DELAY", 0):
        yield home
