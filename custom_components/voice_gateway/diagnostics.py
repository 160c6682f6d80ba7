"""Diagnostics of an entry, without secrets."""

from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from typing import Any, cast

from homeassistant.components import conversation
from homeassistant.components.conversation.const import DATA_COMPONENT
from homeassistant.components.diagnostics import REDACTED, async_redact_data
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import (
    CONF_ACCESS_TOKEN,
    CONF_API_KEY,
    CONF_HEADERS,
    CONF_MODEL,
    CONF_PROMPT,
    CONF_TOKEN,
    CONF_URL,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.loader import async_get_integration

from .addresses import shown_address
from .const import (
    CONF_ARGS,
    CONF_BRAVE_API_KEY,
    CONF_DIAGNOSTICS_SENTENCES,
    CONF_ENV,
    CONF_KIND,
    CONF_LOGIN,
    CONF_PIN,
    CONF_SEARXNG_URL,
    DOMAIN,
    MCP_KINDS,
    SUBENTRY_CONVERSATION,
    option,
)
from .conversation import VoiceGatewayAgent
from .mcp_servers.secrets import flags
from .mcp_servers.session import McpSession
from .mcp_servers.tool import McpTool
from .model_trial.trial import TRIALS
from .models.client import ModelError
from .models.ollama.server import OllamaServer
from .models.openai.server import OpenAIServer
from .models.provider import ModelServer, ProviderConfigEntry
from .plans.plans import PLANS
from .plans.stored import as_json, without_words
from .redactor import Redactor

# Instructions are not secret, but may name the residents.
_SECRETS = {CONF_ACCESS_TOKEN, CONF_API_KEY, CONF_BRAVE_API_KEY, CONF_PIN, CONF_PROMPT, CONF_TOKEN}
# Mappings whose names help to diagnose, but whose values may be secret.
_NAMED = (CONF_ENV, CONF_HEADERS)
_ADDRESSES = (CONF_URL, CONF_SEARXNG_URL)


async def async_get_config_entry_diagnostics(
    hass: HomeAssistant, entry: ConfigEntry[Any]
) -> dict[str, Any]:
    """Return an entry's versions, settings and present state."""
    integration = await async_get_integration(hass, DOMAIN)
    is_mcp = entry.data[CONF_KIND] in MCP_KINDS
    redactor: Redactor = entry.runtime_data.redactor
    package = "mcp" if is_mcp else str(entry.data[CONF_KIND])
    data = {
        "versions": {
            DOMAIN: str(integration.version),
            package: await hass.async_add_executor_job(version, package),
        },
        "entry": {
            "title": entry.title,
            "data": _redacted(entry.data),
            "options": _redacted(entry.options),
            "subentries": [
                {
                    "type": subentry.subentry_type,
                    "title": subentry.title,
                    "data": _redacted(subentry.data),
                }
                for subentry in entry.subentries.values()
            ],
        },
        "server": _session(entry.runtime_data) if is_mcp else await _model_server(hass, entry),
    }
    return cast("dict[str, Any]", redactor.all(data))


def _session(session: McpSession) -> dict[str, Any]:
    err = session.last_error
    info = session.server_info
    return {
        "state": session.state,
        "attempts": session.attempts,
        "error": {"kind": err.key, "words": str(err)} if err else None,
        "stderr": session.stderr,
        "protocol_version": session.protocol_version,
        "name": info.name if info else None,
        "version": info.version if info else None,
        "instructions": session.instructions,
        "tools": [_tool(tool, session) for tool in session.tools],
        "skipped_tools": session.skipped_tools,
    }


def _tool(tool: McpTool, session: McpSession) -> dict[str, Any]:
    return {
        "name": tool.name,
        "original_name": tool.original_name,
        "extra": tool.extra,
        "is_offered": session.settings.choice.offers(tool),
        "standing": session.settings.choice.standing(tool),
        "annotations": asdict(tool.annotations),
        "input_schema": tool.input_schema,
    }


async def _model_server(hass: HomeAssistant, entry: ProviderConfigEntry) -> dict[str, Any]:
    server = entry.runtime_data
    try:
        said = await _server(server)
        names = [subentry.data[CONF_MODEL] for subentry in entry.subentries.values()]
        return {
            **said,
            "models": {name: await _model(server, name) for name in dict.fromkeys(names)},
            **_of_home(hass, entry),
        }
    except ModelError as err:
        return {"error": _error(err), **_of_home(hass, entry)}


async def _server(server: ModelServer) -> dict[str, Any]:
    """Return a server's version or kind, and the parameters that its models refused."""
    match server:
        case OllamaServer():
            return {"version": await server.version()}
        case OpenAIServer():
            return {"kind": (await server.kind()).name, "left_out": server.learned()}
        case _:
            return {}


def _of_home(hass: HomeAssistant, entry: ProviderConfigEntry) -> dict[str, Any]:
    """Return the diagnostics that do not need an answer of the server."""
    return {"agents": _agents(hass, entry), "plans": _plans(hass)}


def _plans(hass: HomeAssistant) -> list[dict[str, Any]]:
    """Return the home's plans; utterances only of agents whose sentences may be kept."""
    utterance = {
        er.async_get(hass).async_get_entity_id(conversation.DOMAIN, DOMAIN, subentry.subentry_id)
        for entry in hass.config_entries.async_entries(DOMAIN)
        for subentry in entry.get_subentries_of_type(SUBENTRY_CONVERSATION)
        if option(subentry.data, CONF_DIAGNOSTICS_SENTENCES)
    }
    return [
        as_json(plan) if plan.spoken.agent_id in utterance else without_words(as_json(plan))
        for plan in hass.data[PLANS].all
    ]


async def _model(server: ModelServer, name: str) -> dict[str, Any]:
    """Return a model's properties."""
    try:
        shown = asdict(await server.show(name))
    except ModelError as err:
        return {"error": _error(err)}
    return {
        key: sorted(value) if isinstance(value, frozenset) else value
        for key, value in shown.items()
        if key != "template"
    }


def _agents(hass: HomeAssistant, entry: ProviderConfigEntry) -> dict[str, Any]:
    """Return reports on each agent's last turns and last trial, by entity id."""
    entities = (
        hass.data[DATA_COMPONENT].get_entity(entity.entity_id)
        for entity in er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id)
        if entity.domain == conversation.DOMAIN
    )
    trials = hass.data.get(TRIALS, {})
    return {
        agent.entity_id: {
            **agent.diagnostics(),
            "trial": trial.as_dict() if (trial := trials.get(agent.unique_id or "")) else None,
        }
        for agent in entities
        if isinstance(agent, VoiceGatewayAgent)
    }


def _error(err: ModelError) -> dict[str, str]:
    return {"kind": err.reason, "words": err.detail}


def _redacted(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings without their secrets."""
    redacted: dict[str, Any] = async_redact_data(dict(data), _SECRETS)
    for key in _NAMED:
        if key in redacted:
            redacted[key] = dict.fromkeys(redacted[key], REDACTED)
    for key in _ADDRESSES:
        if key in redacted:
            redacted[key] = shown_address(redacted[key])
    if CONF_ARGS in redacted:
        args = redacted[CONF_ARGS]
        redacted[CONF_ARGS] = {"count": len(args), "flags": flags(args)}
    if CONF_LOGIN in redacted:
        secrets = {"client_id", "client_secret"}
        redacted[CONF_LOGIN] = async_redact_data(redacted[CONF_LOGIN], secrets)
    return redacted
