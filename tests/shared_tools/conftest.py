"""A home whose other agents have our tools: Home Assistant's own, with its MCP server."""

from collections.abc import AsyncGenerator

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.const import CONF_OFFER_TOOLS
from tests.agent import Agent, add_agent
from tests.ollama import PlayedOllama, played_ollama


@pytest.fixture
async def other_ollama(socket_enabled: None) -> AsyncGenerator[PlayedOllama]:
    """The model server of another agent."""
    async with played_ollama() as server:
        yield server


@pytest.fixture
async def offering(home: HomeAssistant, ollama: PlayedOllama) -> Agent:
    """An agent of ours, whose server's options offer our tools to others; the forecast is known."""
    home.states.async_set("weather.home", "sunny", {"friendly_name": "Weather"})
    async_expose_entity(home, conversation.DOMAIN, "weather.home", should_expose=True)
    return await add_agent(home, ollama.url, provider_options={CONF_OFFER_TOOLS: True}, reflex=True)
