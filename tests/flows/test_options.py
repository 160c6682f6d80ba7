"""The options of a model server: web search, which is tried when it is set up."""

from collections.abc import AsyncGenerator
from typing import Any

from aiohttp import web
from aiohttp.test_utils import TestServer
from homeassistant.data_entry_flow import FlowResultType
import pytest

from custom_components.voice_gateway.const import (
    CONF_BRAVE_API_KEY,
    CONF_OFFER_TOOLS,
    CONF_SEARCH_PROVIDER,
    CONF_SEARXNG_URL,
    SearchProvider,
)
from custom_components.voice_gateway.tools.builtin import web_search
from tests.agent import Agent
from tests.ollama import PlayedOllama

from .forms import values

KEY = "a-key"
NOWHERE = "http://127.0.0.1:1"


async def search(request: web.Request) -> web.Response:
    """Answer as SearXNG, as Brave, or as something else."""
    match request.path:
        case "/search" if request.query.get("format") == "json":
            return web.json_response({"results": []})
        case "/brave" if request.headers.get("X-Subscription-Token") == KEY:
            return web.json_response({"web": {"results": []}})
        case "/html/search":
            return web.Response(text="<html>")
        case _:
            return web.Response(status=403)


@pytest.fixture
async def provider(socket_enabled: None, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[str]:
    """A search provider on this machine: its address."""
    app = web.Application()
    app.router.add_get("/{path:.*}", search)
    server = TestServer(app)
    await server.start_server()
    address = str(server.make_url("/")).rstrip("/")
    monkeypatch.setattr(web_search, "BRAVE_URL", f"{address}/brave")
    yield address
    await server.close()


async def begin(agent: Agent) -> Any:
    return await agent.hass.config_entries.options.async_init(agent.entry.entry_id)


async def send(agent: Agent, form: Any, **user_input: Any) -> Any:
    assert form["type"] is FlowResultType.FORM
    return await agent.hass.config_entries.options.async_configure(form["flow_id"], user_input)


async def tools(agent: Agent, ollama: PlayedOllama) -> list[str]:
    """Return the names of the tools that the model is told of."""
    await agent.hass.async_block_till_done()
    await agent.hears("how are you")
    return [tool["function"]["name"] for tool in ollama.chats[-1]["tools"]]


async def test_search_is_tried_before_it_is_kept(
    agent: Agent, ollama: PlayedOllama, provider: str
) -> None:
    for chosen, field, refused, works in (
        (
            SearchProvider.SEARXNG,
            CONF_SEARXNG_URL,
            {
                "": {CONF_SEARXNG_URL: "invalid_url"},
                "no address": {CONF_SEARXNG_URL: "invalid_url"},
                NOWHERE: {"base": "searxng_unreachable"},
                f"{provider}/elsewhere": {"base": "searxng_refused"},
                f"{provider}/html": {"base": "searxng_not_understood"},
            },
            provider,
        ),
        (
            SearchProvider.BRAVE,
            CONF_BRAVE_API_KEY,
            {
                "  ": {CONF_BRAVE_API_KEY: "key_missing"},
                "schlüssel": {CONF_BRAVE_API_KEY: "invalid_characters"},
                "wrong": {"base": "brave_refused"},
            },
            KEY,
        ),
    ):
        form = await send(agent, await begin(agent), search_provider=chosen, offer_tools=True)
        assert form["step_id"] == chosen
        for entered, errors in refused.items():
            form = await send(agent, form, **{field: entered})
            assert form["errors"] == errors, entered
            assert values(form) == {field: entered}
        result = await send(agent, form, **{field: f" {works}"})
        assert result["type"] is FlowResultType.CREATE_ENTRY
        # Nothing of the provider before is left.
        assert agent.entry.options == {
            CONF_SEARCH_PROVIDER: chosen,
            field: works,
            CONF_OFFER_TOOLS: True,
        }
        assert "search_web" in await tools(agent, ollama)
        form = await begin(agent)
        assert values(form) == {CONF_SEARCH_PROVIDER: chosen, CONF_OFFER_TOOLS: True}
        form = await send(agent, form, search_provider=chosen)
        # A stored key is not shown, and kept if the field is empty.
        is_key = field == CONF_BRAVE_API_KEY
        assert values(form) == {field: None if is_key else works}
        result = await send(agent, form, **({} if is_key else {field: works}))
        assert agent.entry.options[field] == works
    await send(agent, await begin(agent), search_provider=SearchProvider.NONE)
    assert agent.entry.options == {
        CONF_SEARCH_PROVIDER: SearchProvider.NONE,
        CONF_OFFER_TOOLS: False,
    }
    assert "search_web" not in await tools(agent, ollama)


async def test_address_of_the_search_itself_is_understood(agent: Agent, provider: str) -> None:
    form = await send(agent, await begin(agent), search_provider=SearchProvider.SEARXNG)
    await send(agent, form, searxng_url=f"{provider}/search?q=x")
    assert agent.entry.options[CONF_SEARXNG_URL] == provider
    await agent.hass.async_block_till_done()
