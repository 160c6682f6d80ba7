"""Fixtures for all tests."""

from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING
from unittest.mock import patch

from homeassistant.components import demo
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
)
from homeassistant.setup import async_setup_component
from hypothesis import HealthCheck, settings
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

# Before the test helpers' own folder of custom components comes first in the path.
import custom_components  # noqa: F401
from custom_components.voice_gateway.const import EntryKind

from .agent import Agent, add_agent
from .ollama import PlayedOllama, played_ollama
from .quick import (  # noqa: F401
    _garbage_is_collected,
    _processes_are_not_measured,
    _sentences_are_parsed_once,
    enable_event_loop_debug,
    garbage_collection,
)

if TYPE_CHECKING:
    from .anthropic import PlayedAnthropic
    from .model_servers import ModelServer
    from .openai import PlayedOpenAI

DEMO_PLATFORMS = [Platform.COVER, Platform.LIGHT, Platform.MEDIA_PLAYER]
LONG = ("bench", "script", "zwave_mcp")
"""Folders whose tests start processes: a file takes up to a minute."""
ROOMS = (
    ("Kitchen", "Ground floor", ("light.kitchen_lights", "cover.kitchen_window")),
    ("Bedroom", "Upstairs", ("light.bed_light",)),
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the switches for what takes a real model, minutes, a browser, or speech engines."""
    parser.addoption("--live", action="store_true", help="run tests that need a real model")
    parser.addoption("--foreign", action="store_true", help="run tests of others' MCP servers")
    parser.addoption("--soak", action="store_true", help="run tests that take minutes")
    parser.addoption("--browser", action="store_true", help="walk through the flows in a browser")
    parser.addoption("--voice", action="store_true", help="speak to the house and listen to it")
    parser.addoption("--pictures", metavar="FOLDER", help="where the browser's pictures go")
    parser.addoption(
        "--looks", metavar="FOLDER", help="where they go dark, of a phone and in German"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Try so many examples of each property: few, or many with `--soak`."""
    settings.register_profile(
        "ours",
        max_examples=2000 if config.getoption("--soak") else 100,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    settings.load_profile("ours")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what was not asked for; begin with what would keep one processor at the end."""
    items.sort(key=lambda item: item.path.parent.name not in LONG)
    for mark in ("live", "soak", "browser", "voice", "foreign"):
        if not config.getoption(f"--{mark}"):
            skip = pytest.mark.skip(reason=f"needs --{mark}")
            for item in items:
                if mark in item.keywords:
                    item.add_marker(skip)


@pytest.fixture(autouse=True)
def _custom_integrations(request: pytest.FixtureRequest) -> None:
    """Let Home Assistant see custom_components, where a test has one."""
    if "hass" in request.fixturenames:
        request.getfixturevalue("enable_custom_integrations")


@pytest.fixture
async def ollama(socket_enabled: None) -> AsyncGenerator[PlayedOllama]:
    """An Ollama server that plays what it is told to."""
    async with played_ollama() as server:
        yield server


@pytest.fixture
async def anthropic(
    socket_enabled: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[PlayedAnthropic]:
    """Anthropic's API, playing what it is told to; it may have refused no request as malformed."""
    # The package takes seconds to load: not for tests that do without.
    from .anthropic import played_anthropic

    async with played_anthropic() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        yield server
    assert server.refused == []


@pytest.fixture
async def openai(socket_enabled: None) -> AsyncGenerator[PlayedOpenAI]:
    """A server that speaks OpenAI's protocol, and may have refused no request as malformed."""
    # The package takes a second to load: not for tests that do without.
    from .openai import played_openai

    async with played_openai() as server:
        yield server


@pytest.fixture(params=[EntryKind.OLLAMA, EntryKind.OPENAI, EntryKind.ANTHROPIC])
async def model_server(
    request: pytest.FixtureRequest, socket_enabled: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[ModelServer]:
    """A model server of each provider, playing what it is told to."""
    from .model_servers import serving

    async with serving(request.param, monkeypatch) as server:
        yield server


@pytest.fixture
async def home(hass: HomeAssistant) -> HomeAssistant:
    """Home Assistant with some of its demo devices, exposed to voice assistants.

    The kitchen on the ground floor has lights and a window, the bedroom upstairs has a light. The
    other devices are in no area.
    """
    for domain in ("homeassistant", "conversation", "intent", "llm"):
        assert await async_setup_component(hass, domain, {})
    entry = MockConfigEntry(domain="demo")
    entry.add_to_hass(hass)
    with patch.object(demo, "COMPONENTS_WITH_CONFIG_ENTRY_DEMO_PLATFORM", DEMO_PLATFORMS):
        assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    for area, floor, devices in ROOMS:
        floor_id = fr.async_get(hass).async_create(floor).floor_id
        area_id = ar.async_get(hass).async_create(area, floor_id=floor_id).id
        for entity_id in devices:
            entity = er.async_get(hass).async_get(entity_id)
            assert entity
            assert entity.device_id
            dr.async_get(hass).async_update_device(entity.device_id, area_id=area_id)
    return hass


@pytest.fixture
async def agent(home: HomeAssistant, ollama: PlayedOllama) -> Agent:
    """An agent of the stand-in's model, with the tools of Assist."""
    return await add_agent(home, ollama.url)
