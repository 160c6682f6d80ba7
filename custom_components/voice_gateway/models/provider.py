"""Who serves models: which server an entry stands for, and which client an agent's options make."""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_API_KEY, CONF_MODEL, CONF_URL
from homeassistant.core import HomeAssistant

from ..addresses import secrets_of_address
from ..const import (
    CONF_BRAVE_API_KEY,
    CONF_KEEP_ALIVE,
    CONF_KIND,
    CONF_MAX_TOKENS,
    CONF_NUM_CTX,
    CONF_SEARXNG_URL,
    CONF_TEMPERATURE,
    CONF_THINK,
    CONF_WARM_UP,
    CONF_WEB_SEARCH,
    DEFAULT_KEEP_ALIVE,
    DEFAULT_MAX_TOKENS,
    DEFAULT_NUM_CTX,
    DEFAULT_TEMPERATURE,
    DEFAULT_THINK,
    DEFAULT_WARM_UP,
    DEFAULT_WEB_SEARCH,
    EntryKind,
)
from .anthropic.client import AnthropicClient
from .anthropic.server import AnthropicServer
from .client import ModelClient
from .ollama.client import OllamaClient
from .ollama.server import OllamaServer
from .openai.client import OpenAIClient
from .openai.server import OpenAIServer

type ModelServer = OllamaServer | OpenAIServer | AnthropicServer
# An entry of a model server; `mcp_servers.entry.McpConfigEntry` is one of an MCP server.
type ProviderConfigEntry = ConfigEntry[ModelServer]


def server_of(hass: HomeAssistant, entry: ConfigEntry[Any]) -> ModelServer:
    """Return the server that an entry stands for; it is not asked anything yet."""
    server: ModelServer
    match entry.data[CONF_KIND]:
        case EntryKind.ANTHROPIC:
            server = AnthropicServer(hass, entry.data[CONF_API_KEY])
        case EntryKind.OPENAI:
            server = OpenAIServer(hass, entry.data[CONF_URL], entry.data.get(CONF_API_KEY))
        case _:
            server = OllamaServer(hass, entry.data[CONF_URL], entry.data.get(CONF_API_KEY))
    # What the entry's own tools need.
    server.redactor.add([entry.options.get(CONF_BRAVE_API_KEY, "")])
    server.redactor.add(secrets_of_address(entry.options.get(CONF_SEARXNG_URL, "")))
    return server


def client_of(server: ModelServer, options: Mapping[str, Any]) -> ModelClient:
    """Return the model that the options of an agent or of an AI task name, as they want it."""
    model = options[CONF_MODEL]
    think = options.get(CONF_THINK, DEFAULT_THINK)
    max_tokens = options.get(CONF_MAX_TOKENS, DEFAULT_MAX_TOKENS)
    temperature = options.get(CONF_TEMPERATURE, DEFAULT_TEMPERATURE)
    warms_up = options.get(CONF_WARM_UP, DEFAULT_WARM_UP)
    match server:
        case OllamaServer():
            return OllamaClient(
                server=server,
                model=model,
                num_ctx=options.get(CONF_NUM_CTX, DEFAULT_NUM_CTX),
                keep_alive=options.get(CONF_KEEP_ALIVE, DEFAULT_KEEP_ALIVE),
                think=think,
                temperature=temperature,
            )
        case OpenAIServer():
            return OpenAIClient(
                server=server,
                model=model,
                max_tokens=max_tokens,
                think=think,
                temperature=temperature,
                warms_up=warms_up,
            )
        case AnthropicServer():
            return AnthropicClient(
                server=server,
                model=model,
                max_tokens=max_tokens,
                thinking=think,
                web_search=options.get(CONF_WEB_SEARCH, DEFAULT_WEB_SEARCH),
                warms_up=warms_up,
            )
