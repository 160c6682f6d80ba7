"""System health tells what is set up, and whether it answers."""

import asyncio
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, get_system_health_info  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import DOMAIN, EntryKind

from .agent import Agent, add_agent
from .anthropic import PlayedAnthropic
from .mcp_entry import add_server, set_up, set_up_connected
from .mcp_servers.conftest import raw, until
from .model_servers import OpenAIModel
from .ollama import PlayedOllama
from .openai import PlayedOpenAI

pytest_plugins = ("tests.mcp_fixtures",)


async def health(hass: HomeAssistant) -> dict[str, Any]:
    """Return what the page shows when all of it has come."""
    assert await async_setup_component(hass, "system_health", {})
    await hass.async_block_till_done()
    info = await get_system_health_info(hass, DOMAIN)
    return {
        key: await value if asyncio.iscoroutine(value) else value for key, value in info.items()
    }


async def test_nothing_is_asked_where_nothing_is_set_up(home: HomeAssistant) -> None:
    assert await async_setup_component(home, DOMAIN, {})
    told = await health(home)
    assert told.pop("version")
    counts = (
        *("agents", "plans", "ollama_servers", "openai_servers"),
        *("anthropic_accounts", "mcp_servers"),
    )
    assert told == dict.fromkeys(counts, 0)


async def test_model_servers_that_answer_are_told(agent: Agent, anthropic: PlayedAnthropic) -> None:
    account = MockConfigEntry(
        domain=DOMAIN, data={"kind": EntryKind.ANTHROPIC, "api_key": anthropic.key}
    )
    account.add_to_hass(agent.hass)
    assert await agent.hass.config_entries.async_setup(account.entry_id)
    told = await health(agent.hass)
    assert (told["agents"], told["ollama_servers"], told["anthropic_accounts"]) == (1, 1, 1)
    assert told["can_reach_ollama"] == "ok"
    assert told["can_reach_anthropic"] == "ok"


async def test_servers_of_openais_protocol_are_told(
    home: HomeAssistant, openai: PlayedOpenAI
) -> None:
    agent = await add_agent(home, OpenAIModel(openai))
    told = await health(home)
    assert (told["openai_servers"], told["can_reach_openai"]) == (1, "ok")
    await openai.stop()
    words = f"{agent.entry.title}: The model server can't be reached."
    assert (await health(home))["can_reach_openai"] == {"type": "failed", "error": words}


async def test_model_servers_that_do_not_answer_are_told_by_name(
    agent: Agent, ollama: PlayedOllama
) -> None:
    title = agent.entry.title
    await ollama.stop()
    told = await health(agent.hass)
    words = f"{title}: The model server can't be reached."
    assert told["can_reach_ollama"] == {"type": "failed", "error": words}
    await agent.hass.config_entries.async_unload(agent.entry.entry_id)
    told = await health(agent.hass)
    assert told["can_reach_ollama"]["error"] == f"{title}: not set up at the moment"


@pytest.mark.usefixtures("quick_servers")
async def test_mcp_servers_are_told(hass: HomeAssistant) -> None:
    await set_up_connected(hass, add_server(hass, raw("odd-tools"), "Cellar"))
    assert (await health(hass))["can_reach_mcp"] == "ok"
    session = await set_up(hass, add_server(hass, raw("exits"), "Attic"))
    await until(lambda: session.last_error)
    told = await health(hass)
    assert told["mcp_servers"] == 2
    assert told["can_reach_mcp"] == {
        "type": "failed",
        "error": "Attic: The server ended with exit status 1",
    }
