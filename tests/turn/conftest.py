"""A second agent, for those whose first one fails."""

from collections.abc import AsyncGenerator

from homeassistant.core import HomeAssistant
import pytest

from ..agent import Agent, add_agent
from ..ollama import PlayedOllama, played_ollama


@pytest.fixture
async def spare(socket_enabled: None) -> AsyncGenerator[PlayedOllama]:
    """A second server."""
    async with played_ollama() as server:
        yield server


@pytest.fixture
async def second(home: HomeAssistant, spare: PlayedOllama) -> Agent:
    """An agent of the second server."""
    return await add_agent(home, spare.url, confirm_at_once=False)
