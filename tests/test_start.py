"""Home Assistant's start waits for nothing of ours: no server, no library that takes seconds."""

import subprocess
import sys

from homeassistant.config_entries import ConfigEntryState
from homeassistant.core import CoreState, HomeAssistant

from .agent import Agent, add_agent
from .ollama import PlayedOllama

# Those that Home Assistant loads when an integration with entries is set up.
LOADED_AT_START = """
import importlib, sys
package = "custom_components.voice_gateway"
importlib.import_module(package)
for name in sys.argv[1].split():
    importlib.import_module(f"{package}.{name}")
print(*{module.partition(".")[0] for module in sys.modules})
"""
PLATFORMS = (
    "config_flow conversation ai_task calendar sensor binary_sensor todo diagnostics repairs "
    "application_credentials"
)
SLOW = {"mcp", "mcp_types", "anthropic", "openai", "pydantic", "uvicorn", "starlette"}


def test_libraries_that_take_seconds_are_not_loaded_at_the_start() -> None:
    """The SDK comes with the first MCP server, Anthropic's client with the first account."""
    loaded = subprocess.run(
        [sys.executable, "-c", LOADED_AT_START, PLATFORMS],
        capture_output=True,
        text=True,
        check=True,
    )
    assert SLOW & set(loaded.stdout.split()) == set()


async def test_no_model_server_is_asked_at_the_start(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    """The prompt is read some seconds later, so that the first sentence finds it read."""
    home.set_state(CoreState.starting)
    agent: Agent = await add_agent(home, ollama.url)
    assert agent.entry.state is ConfigEntryState.LOADED
    assert ollama.requests == []
    home.set_state(CoreState.running)
    await agent.hears("how are you")
    assert "/api/chat" in ollama.requests
