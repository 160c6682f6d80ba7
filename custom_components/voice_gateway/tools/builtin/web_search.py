"""Web search, with the provider that the user set up."""

from collections.abc import Awaitable, Callable, Mapping
import re
from typing import Any, override

import aiohttp
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.helpers.aiohttp_client import async_get_clientsession
from homeassistant.util.json import json_loads_object
import probatio

from ...const import (
    CONF_BRAVE_API_KEY,
    CONF_SEARCH_PROVIDER,
    CONF_SEARXNG_URL,
    DOMAIN,
    SERVER_TIMEOUT,
    SearchProvider,
)
from ..call_results import error

type Hit = tuple[str, str]
"""Title and text of a result."""
type Engine = Callable[[str], Awaitable[list[Hit]]]

BRAVE_URL = "https://api.search.brave.com/res/v1/web/search"
_RESULTS = 5
# A model on slow hardware reads some 100 characters per second.
_MAX_CHARACTERS = 600
_MARKUP = re.compile(r"<[^<>]*>")
# Bytes of an answer; a page of results has some 50 kB.
_MAX_ANSWER = 1 << 20
_TIMEOUT = aiohttp.ClientTimeout(total=SERVER_TIMEOUT)


def search_engine(hass: HomeAssistant, options: Mapping[str, Any]) -> Engine | None:
    """Return the search function for these options; None if no provider was set up."""
    session = async_get_clientsession(hass)
    match options.get(CONF_SEARCH_PROVIDER):
        case SearchProvider.SEARXNG if url := options.get(CONF_SEARXNG_URL):
            return lambda query: _searxng(session, url, query)
        case SearchProvider.BRAVE if key := options.get(CONF_BRAVE_API_KEY):
            return lambda query: _brave(session, key, query)
        case _:
            return None


async def _searxng(session: aiohttp.ClientSession, url: str, query: str) -> list[Hit]:
    """Ask a SearXNG instance; it has to allow the format "json" (docs.searxng.org, Search API)."""
    reply = await _get(session, f"{url.rstrip('/')}/search", {"q": query, "format": "json"}, {})
    return [(hit.get("title") or "", hit.get("content") or "") for hit in reply.get("results", ())]


async def _brave(session: aiohttp.ClientSession, key: str, query: str) -> list[Hit]:
    """Ask Brave's Search API (api-dashboard.search.brave.com, Web Search)."""
    headers = {"X-Subscription-Token": key, "Accept": "application/json"}
    reply = await _get(session, BRAVE_URL, {"q": query, "count": str(_RESULTS)}, headers)
    return [
        (hit.get("title") or "", hit.get("description") or "")
        for hit in reply.get("web", {}).get("results", ())
    ]


async def _get(
    session: aiohttp.ClientSession, url: str, query: dict[str, str], headers: dict[str, str]
) -> dict[str, Any]:
    """Return a JSON answer, from that address alone, and of limited size.

    Raises aiohttp.ClientResponseError; ValueError if it is not JSON of that size.
    """
    async with session.get(
        url,
        params=query,
        headers={**headers, "Accept-Encoding": "identity"},
        timeout=_TIMEOUT,
        allow_redirects=False,
        auto_decompress=False,
    ) as response:
        response.raise_for_status()
        body = bytearray()
        while len(body) <= _MAX_ANSWER and (piece := await response.content.readany()):
            body += piece
        if len(body) > _MAX_ANSWER:
            raise ValueError("No results are so long")
        return json_loads_object(bytes(body))


class WebSearchTool(llm.Tool):
    """Search the web."""

    name = "search_web"
    title = "Web search"
    description = "Search the web for current facts."
    annotations = llm.ToolAnnotations(read_only=True, destructive=False, open_world=True)
    integration = DOMAIN
    parameters = probatio.Schema({probatio.Required("query"): str})

    def __init__(self, engine: Engine) -> None:
        """Take the search function."""
        self._engine = engine

    @override
    async def async_call(
        self, hass: HomeAssistant, tool_input: llm.ToolInput, llm_context: llm.LLMContext
    ) -> llm.ToolResult:
        """Return the best results as text, short enough for a small model."""
        query = self.parameters(tool_input.tool_args)["query"]
        try:
            hits = await self._engine(query)
        except aiohttp.ClientResponseError as err:
            return error(f"The search provider refused: HTTP {err.status}")
        except ValueError, AttributeError, TypeError:
            # No JSON, or JSON of another shape.
            return error("The search provider answered with something else than results")
        if not hits:
            return llm.ToolResult(data={"result": f"Nothing was found for “{query}”"})
        return llm.ToolResult(data={"result": _digest(hits[:_RESULTS])})


def _digest(hits: list[Hit]) -> str:
    """Return the hits in at most `_MAX_CHARACTERS`, each with an equal share."""
    share = _MAX_CHARACTERS // len(hits)
    return "\n".join(
        _cut(" ".join(_MARKUP.sub("", f"{title}: {text}").split()), share - 1)
        for title, text in hits
    )


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"
