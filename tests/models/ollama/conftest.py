"""What the tests of Ollama's models share."""

from homeassistant.core import HomeAssistant
import pytest

from custom_components.voice_gateway.models.ollama.server import OllamaServer
from tests.ollama import PlayedOllama


@pytest.fixture
async def server(hass: HomeAssistant, ollama: PlayedOllama) -> OllamaServer:
    """The client of the stand-in."""
    return OllamaServer(hass, ollama.url)
