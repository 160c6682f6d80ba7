"""Web search, against servers that answer as SearXNG and Brave document it."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import pytest

from custom_components.voice_gateway.const import (
    CONF_BRAVE_API_KEY,
    CONF_SEARCH_PROVIDER,
    CONF_SEARXNG_URL,
    DOMAIN,
    SearchProvider,
)
from custom_components.voice_gateway.models.history import result_text
from custom_components.voice_gateway.tools.api import AgentAPI
from custom_components.voice_gateway.tools.builtin import BuiltinTools, web_search
from tests.agent import add_agent
from tests.ollama import PlayedOllama, call, calls, says
from tests.rows import rows

CONTEXT = llm.LLMContext(
    platform=DOMAIN, context=None, language="en", assistant="conversation", device_id=None
)


@dataclass
class SearchServer:
    """A search provider: what it answers, and what it was asked."""

    url: str = ""
    answer: Any = None
    """JSON, or a whole response."""
    requests: list[web.Request] = field(default_factory=list)

    async def handle(self, request: web.Request) -> web.Response:
        """Answer, whatever was asked."""
        self.requests.append(request)
        return (
            self.answer if isinstance(self.answer, web.Response) else web.json_response(self.answer)
        )


@pytest.fixture
async def provider(socket_enabled: None) -> AsyncGenerator[SearchServer]:
    """A search provider on this machine."""
    server = SearchServer()
    app = web.Application()
    app.router.add_get("/{path:.*}", server.handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    yield server
    await runner.cleanup()


def searxng(*hits: tuple[str, str]) -> dict[str, Any]:
    """Return an answer in the form of docs.searxng.org, Search API."""
    return {
        "query": "q",
        "number_of_results": len(hits),
        "results": [
            {"url": "https://x", "title": title, "content": content, "engine": "brave"}
            for title, content in hits
        ],
        "answers": [],
        "suggestions": [],
    }


def brave(*hits: tuple[str, str]) -> dict[str, Any]:
    """Return an answer in the form of Brave's Web Search API."""
    return {
        "type": "search",
        "query": {"original": "q"},
        "web": {
            "type": "search",
            "results": [
                {"title": title, "url": "https://x", "description": text} for title, text in hits
            ],
        },
    }


async def search(hass: HomeAssistant, options: dict[str, Any], **arguments: Any) -> str:
    api = AgentAPI(hass, [], BuiltinTools(hass, options))
    executor = await api.async_get_api_instance(CONTEXT)
    return result_text(await executor.async_call_tool(llm.ToolInput("search_web", arguments)))


def with_searxng(provider: SearchServer) -> dict[str, Any]:
    return {CONF_SEARCH_PROVIDER: SearchProvider.SEARXNG, CONF_SEARXNG_URL: f"{provider.url}/"}


async def test_searxng_is_asked_for_json(hass: HomeAssistant, provider: SearchServer) -> None:
    provider.answer = searxng(("Berlin", "Capital of Germany"), ("Bonn", "Was it before"))
    text = await search(hass, with_searxng(provider), query="capital of Germany")
    assert text == "Berlin: Capital of Germany\nBonn: Was it before"
    (request,) = provider.requests
    assert request.path == "/search"
    assert dict(request.query) == {"q": "capital of Germany", "format": "json"}


async def test_brave_is_asked_with_its_key(
    hass: HomeAssistant, provider: SearchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web_search, "BRAVE_URL", f"{provider.url}/res/v1/web/search")
    provider.answer = brave(("Berlin", "<strong>Capital</strong> of  Germany"))
    options = {CONF_SEARCH_PROVIDER: SearchProvider.BRAVE, CONF_BRAVE_API_KEY: "k3y"}
    text = await search(hass, options, query="capital of Germany")
    assert text == "Berlin: Capital of Germany"
    (request,) = provider.requests
    assert request.headers["X-Subscription-Token"] == "k3y"
    assert request.query["q"] == "capital of Germany"


async def test_results_are_cut_to_what_a_small_model_can_read(
    hass: HomeAssistant, provider: SearchServer
) -> None:
    provider.answer = searxng(*((f"Title {n}", "long text " * 100) for n in range(9)))
    text = await search(hass, with_searxng(provider), query="x")
    assert len(text) <= 600
    lines = text.split("\n")
    assert [line.split(":")[0] for line in lines] == [f"Title {n}" for n in range(5)]
    assert all(line.endswith("…") for line in lines)


@rows(
    ("answer", "text"),
    [
        (searxng(), "Nothing was found for “x”"),
        ({}, "Nothing was found for “x”"),
        (
            {"results": None},
            "Error: The search provider answered with something else than results",
        ),
        ({"results": [{"title": None, "content": None}]}, ":"),
        (["odd"], "Error: The search provider answered with something else than results"),
        ({"results": [1]}, "Error: The search provider answered with something else than results"),
        (
            web.Response(text="<html>"),
            "Error: The search provider answered with something else than results",
        ),
        (web.Response(status=403), "Error: The search provider refused: HTTP 403"),
        (web.Response(status=429), "Error: The search provider refused: HTTP 429"),
    ],
)
async def test_answers_without_results(
    hass: HomeAssistant, provider: SearchServer, answer: Any, text: str
) -> None:
    provider.answer = answer
    assert await search(hass, with_searxng(provider), query="x") == text


@pytest.mark.requirement("B10")
async def test_provider_that_is_not_there(hass: HomeAssistant, socket_enabled: None) -> None:
    options = {
        CONF_SEARCH_PROVIDER: SearchProvider.SEARXNG,
        CONF_SEARXNG_URL: "http://127.0.0.1:1",
    }
    text = await search(hass, options, query="x")
    assert text == "Error: search_web is unavailable: no connection"


@pytest.mark.requirement("B11")
async def test_search_for_nothing_names_what_is_required(
    hass: HomeAssistant, provider: SearchServer
) -> None:
    text = await search(hass, with_searxng(provider), q="x")
    assert "Required: query" in text
    assert not provider.requests


@pytest.mark.parametrize(
    "options",
    [
        {},
        {CONF_SEARCH_PROVIDER: SearchProvider.NONE, CONF_BRAVE_API_KEY: "k3y"},
        {CONF_SEARCH_PROVIDER: SearchProvider.BRAVE},
        {CONF_SEARCH_PROVIDER: SearchProvider.SEARXNG},
    ],
)
async def test_without_a_provider_there_is_no_tool(
    hass: HomeAssistant, options: dict[str, Any]
) -> None:
    assert (await search(hass, options, query="x")).startswith("Error: Unknown tool")


@pytest.mark.requirement("A8")
async def test_agent_answers_with_what_was_found(
    home: HomeAssistant, ollama: PlayedOllama, provider: SearchServer
) -> None:
    provider.answer = searxng(("Weather", "Rain all day"))
    agent = await add_agent(home, ollama.url, provider_options=with_searxng(provider))
    ollama.answers(calls(call("search_web", query="weather")), says("It will rain."))
    answer = await agent.hears("how are the prospects")
    assert answer.speech == "It will rain."
    assert ollama.chats[-1]["messages"][-1]["content"] == "Weather: Rain all day"
