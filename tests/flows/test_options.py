"""The options of a model server: web search."""

from typing import Any

from homeassistant.data_entry_flow import FlowResultType
import pytest

from custom_components.voice_gateway.const import (
    CONF_BRAVE_API_KEY,
    CONF_OFFER_TOOLS,
    CONF_SEARCH_PROVIDER,
    CONF_SEARXNG_URL,
    SearchProvider,
)
from tests.agent import Agent
from tests.ollama import PlayedOllama

from .forms import values


async def send(agent: Agent, form: Any, user_input: dict[str, Any]) -> Any:
    return await agent.hass.config_entries.options.async_configure(form["flow_id"], user_input)


@pytest.mark.parametrize(
    ("missing", "errors", "complete"),
    [
        (
            {CONF_SEARCH_PROVIDER: SearchProvider.SEARXNG},
            {CONF_SEARXNG_URL: "invalid_url"},
            {CONF_SEARXNG_URL: "http://searx.local:8080"},
        ),
        (
            {CONF_SEARCH_PROVIDER: SearchProvider.SEARXNG, CONF_SEARXNG_URL: "no address"},
            {CONF_SEARXNG_URL: "invalid_url"},
            {CONF_SEARXNG_URL: "https://searx.example"},
        ),
        (
            {CONF_SEARCH_PROVIDER: SearchProvider.BRAVE},
            {CONF_BRAVE_API_KEY: "key_missing"},
            {CONF_BRAVE_API_KEY: "key"},
        ),
        (
            {CONF_SEARCH_PROVIDER: SearchProvider.BRAVE, CONF_BRAVE_API_KEY: "  "},
            {CONF_BRAVE_API_KEY: "key_missing"},
            {CONF_BRAVE_API_KEY: "key"},
        ),
    ],
)
async def test_search_provider_is_set_up_with_what_it_needs(
    agent: Agent,
    ollama: PlayedOllama,
    missing: dict[str, Any],
    errors: dict[str, str],
    complete: dict[str, Any],
) -> None:
    form = await agent.hass.config_entries.options.async_init(agent.entry.entry_id)
    form = await send(agent, form, missing)
    assert form["errors"] == errors
    assert values(form)[CONF_SEARCH_PROVIDER] == missing[CONF_SEARCH_PROVIDER]
    result = await send(
        agent, form, missing | {key: f" {value}" for key, value in complete.items()}
    )
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert agent.entry.options == missing | complete | {CONF_OFFER_TOOLS: False}
    await agent.hass.async_block_till_done()
    # The agent has the tool at once.
    await agent.hears("how are you")
    assert "search_web" in [tool["function"]["name"] for tool in ollama.chats[-1]["tools"]]


async def test_without_a_provider_there_is_no_search(agent: Agent, ollama: PlayedOllama) -> None:
    form = await agent.hass.config_entries.options.async_init(agent.entry.entry_id)
    result = await send(agent, form, {CONF_SEARCH_PROVIDER: SearchProvider.NONE})
    assert result["type"] is FlowResultType.CREATE_ENTRY
    await agent.hass.async_block_till_done()
    await agent.hears("how are you")
    assert "search_web" not in [tool["function"]["name"] for tool in ollama.chats[-1]["tools"]]


async def test_form_shows_what_was_chosen(agent: Agent) -> None:
    chosen = {CONF_SEARCH_PROVIDER: SearchProvider.BRAVE, CONF_BRAVE_API_KEY: "key"}
    agent.hass.config_entries.async_update_entry(agent.entry, options=chosen)
    await agent.hass.async_block_till_done()
    form = await agent.hass.config_entries.options.async_init(agent.entry.entry_id)
    assert chosen.items() <= values(form).items()


async def test_address_of_the_search_itself_is_understood(agent: Agent) -> None:
    form = await agent.hass.config_entries.options.async_init(agent.entry.entry_id)
    chosen = {CONF_SEARCH_PROVIDER: SearchProvider.SEARXNG}
    await send(agent, form, chosen | {CONF_SEARXNG_URL: "https://searx.example/search?q=x"})
    expected = chosen | {CONF_SEARXNG_URL: "https://searx.example", CONF_OFFER_TOOLS: False}
    assert agent.entry.options == expected
    await agent.hass.async_block_till_done()
