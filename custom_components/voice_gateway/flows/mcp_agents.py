"""Assigning an MCP server's tools to agents, in the form that adds the server."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.const import CONF_LLM_HASS_API
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.selector import SelectOptionDict
import probatio

from .. import untrusted_text
from ..const import DOMAIN, SUBENTRY_CONVERSATION
from .fields import Fields, select_list

CONF_AGENTS = "agents"


def agents_field(hass: HomeAssistant) -> Fields:
    """Return a field for the agents that may use the tools, all ticked; none without agents."""
    agents = [
        SelectOptionDict(value=agent.subentry_id, label=agent.title) for _, agent in _agents(hass)
    ]
    if not agents:
        return {}
    key = probatio.Optional(CONF_AGENTS, default=[agent["value"] for agent in agents])
    return {key: select_list(agents, multiple=True)}


def in_words(hass: HomeAssistant, chosen: Collection[str]) -> Mapping[str, Any]:
    """Return the last page's text about the tools' agents: its key, and its placeholders."""
    names = [
        untrusted_text.name(agent.title)
        for _, agent in _agents(hass)
        if agent.subentry_id in chosen
    ]
    if not names:
        return {"description": "for_no_agent"}
    return {"description": "for_agents", "description_placeholders": {"agents": ", ".join(names)}}


@callback
def async_grant(hass: HomeAssistant, api_id: str, chosen: Collection[str]) -> None:
    """Let the chosen agents use an LLM API's tools."""
    for entry, agent in list(_agents(hass)):
        apis = agent.data.get(CONF_LLM_HASS_API, [])
        if agent.subentry_id in chosen and api_id not in apis:
            data = {**agent.data, CONF_LLM_HASS_API: [*apis, api_id]}
            hass.config_entries.async_update_subentry(entry, agent, data=data)


def _agents(hass: HomeAssistant) -> Iterator[tuple[ConfigEntry[Any], ConfigSubentry]]:
    for entry in hass.config_entries.async_entries(DOMAIN):
        for agent in entry.get_subentries_of_type(SUBENTRY_CONVERSATION):
            yield entry, agent
