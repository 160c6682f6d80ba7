"""Create the model server of an entry, and the client for an agent's options."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_API_KEY, CONF_URL
from homeassistant.core import HomeAssistant

from ..addresses import secrets_of_address
from ..const import CONF_BRAVE_API_KEY, CONF_KIND, CONF_SEARXNG_URL, EntryKind
from .anthropic.client import AnthropicClient
from .anthropic.server import AnthropicServer
from .client import ModelClient
from .ollama.server import OllamaClient, OllamaServer
from .openai.client import OpenAIClient
from .openai.server import OpenAIServer

type ModelServer = OllamaServer | OpenAIServer | AnthropicServer
# An entry of a model server; `mcp_servers.entry.McpConfigEntry` is that of an MCP server.
type ProviderConfigEntry = ConfigEntry[ModelServer]

# The clients; their fields are the options of agents and AI tasks.
_CLIENTS: Mapping[type, Any] = {
    OllamaServer: OllamaClient,
    OpenAIServer: OpenAIClient,
    AnthropicServer: AnthropicClient,
}


def server_of(hass: HomeAssistant, entry: ConfigEntry[Any]) -> ModelServer:
    """Return the server of an entry, without a request to it."""
    server: ModelServer
    match entry.data[CONF_KIND]:
        case EntryKind.ANTHROPIC:
            server = AnthropicServer(hass, entry.data[CONF_API_KEY])
        case EntryKind.OPENAI:
            server = OpenAIServer(hass, entry.data[CONF_URL], entry.data.get(CONF_API_KEY))
        case _:
            server = OllamaServer(hass, entry.data[CONF_URL], entry.data.get(CONF_API_KEY))
    # The secrets of the entry's built-in tools.
    server.redactor.add([entry.options.get(CONF_BRAVE_API_KEY, "")])
    server.redactor.add(secrets_of_address(entry.options.get(CONF_SEARXNG_URL, "")))
    return server


def client_of(server: ModelServer, options: Mapping[str, Any]) -> ModelClient:
    """Return the client for the options of an agent or of an AI task."""
    client = _CLIENTS[type(server)]
    names = options.keys() & {field.name for field in fields(client)}
    made: ModelClient = client(server=server, **{name: options[name] for name in names})
    return made
