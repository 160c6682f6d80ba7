"""MCP servers are awake, and their tools read, before a sentence has ended."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
import sys

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.mcp_servers.session import SessionState
from custom_components.voice_gateway.mcp_servers.settings import ServerSettings

from ..agent import Agent, add_agent
from ..mcp_entry import add_server, set_up
from ..mcp_servers.conftest import TIMINGS, NewProcesses, everyday, until
from ..ollama import PlayedOllama

pytest_plugins = ("tests.mcp_fixtures",)

LATER = timedelta(seconds=11)


@pytest.fixture
async def agent(
    home: HomeAssistant, quick_servers: NewProcesses, ollama: PlayedOllama, tmp_path: Path
) -> Agent:
    """Return an agent with the tools of a server that is missing, and was given up for an hour."""
    defaults = ServerSettings.__init__.__kwdefaults__
    assert defaults
    defaults["timings"] = replace(TIMINGS, slow_attempts=(3600,))
    entry = add_server(home, everyday(str(tmp_path / "python")))
    session = await set_up(home, entry)
    await until(lambda: session.state is SessionState.FAILED)
    return await add_agent(home, ollama.url, tools=("assist", f"{DOMAIN}-{entry.entry_id}"))


async def test_server_that_was_given_up_is_tried_when_speech_begins_and_its_tools_are_read(
    agent: Agent, ollama: PlayedOllama, tmp_path: Path
) -> None:
    (entry,) = agent.hass.config_entries.async_entries(DOMAIN, include_ignore=False)[:1]
    command = tmp_path / "python"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    command.chmod(0o755)
    await conversation.async_prepare_agent(agent.hass, agent.entity_id, "en")
    await until(lambda: entry.runtime_data.state is SessionState.CONNECTED, 60)
    async_fire_time_changed(agent.hass, dt_util.utcnow() + LATER, fire_all=True)
    await until(lambda: len(ollama.reads) == 2)
    await agent.hears("hello")
    without, read = (len(each["tools"]) for each in ollama.reads)
    assert without < read == len(ollama.chats[0]["tools"])
