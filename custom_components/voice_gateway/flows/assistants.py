"""Assigning a new agent to assistants, in the form that adds it."""

from collections.abc import Collection, Mapping
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.assist_pipeline import (
    Pipeline,
    async_get_pipeline,
    async_get_pipelines,
    async_update_pipeline,
)
from homeassistant.components.assist_pipeline.const import DOMAIN as ASSIST_PIPELINE
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import MATCH_ALL
from homeassistant.core import Event, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.selector import SelectOptionDict
import probatio

from .fields import Fields, select_list

CONF_ASSISTANTS = "assistants"


def assistants_field(hass: HomeAssistant) -> Fields:
    """Return a field for the assistants that will use an agent; empty if there are none.

    The preferred one is ticked, as long as it has no other agent than Home Assistant's.
    """
    if not (pipelines := _pipelines(hass)):
        return {}
    options = [SelectOptionDict(value=each.id, label=each.name) for each in pipelines]
    preferred = async_get_pipeline(hass)
    is_free = preferred.conversation_engine == conversation.HOME_ASSISTANT_AGENT
    key = probatio.Optional(CONF_ASSISTANTS, default=[preferred.id] if is_free else [])
    return {key: select_list(options, multiple=True)}


def in_words(hass: HomeAssistant, chosen: Collection[str]) -> Mapping[str, Any]:
    """Return the last page's text about an agent's assistants: its key, and its placeholders."""
    names = [each.name for each in _pipelines(hass) if each.id in chosen]
    if not names:
        return {}
    words = {"assistants": ", ".join(names)}
    return {"description": "for_assistants", "description_placeholders": words}


@callback
def async_give(
    hass: HomeAssistant, entry: ConfigEntry[Any], data: Mapping[str, Any], chosen: Collection[str]
) -> None:
    """Let the chosen assistants use the agent with these data, as soon as it has an entity.

    The entity is unknown until it is in the registry: the flow has ended by then.
    """

    @callback
    def is_its_entity(changed: er.EventEntityRegistryUpdatedData) -> bool:
        if changed["action"] != "create":
            return False
        entity = er.async_get(hass).async_get(changed["entity_id"])
        if entity is None or entity.domain != conversation.DOMAIN:
            return False
        agent = entry.subentries.get(entity.config_subentry_id or "")
        return agent is not None and agent.data == data

    async def give(event: Event[er.EventEntityRegistryUpdatedData]) -> None:
        stop()
        for each in _pipelines(hass):
            if each.id in chosen:
                # The agent handles every sentence, in any language.
                await async_update_pipeline(
                    hass,
                    each,
                    conversation_engine=event.data["entity_id"],
                    conversation_language=MATCH_ALL,
                    prefer_local_intents=False,
                )

    if chosen:
        stop = hass.bus.async_listen(
            er.EVENT_ENTITY_REGISTRY_UPDATED, give, event_filter=is_its_entity
        )


def _pipelines(hass: HomeAssistant) -> list[Pipeline]:
    return async_get_pipelines(hass) if ASSIST_PIPELINE in hass.config.components else []
