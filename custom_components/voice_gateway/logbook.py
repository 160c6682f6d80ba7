"""Logbook entries of agents and plans."""

from collections.abc import Callable
from typing import Any

from homeassistant.components.logbook import (
    LOGBOOK_ENTRY_ENTITY_ID,
    LOGBOOK_ENTRY_MESSAGE,
    LOGBOOK_ENTRY_NAME,
    LazyEventPartialState,
)
from homeassistant.const import ATTR_DEVICE_ID, ATTR_ENTITY_ID
from homeassistant.core import HomeAssistant, callback

from .const import DOMAIN, EVENT_ACTED, EVENT_PLAN
from .languages import joined, language_of

type Describe = Callable[[LazyEventPartialState], dict[str, Any]]


@callback
def async_describe_events(
    hass: HomeAssistant, async_describe_event: Callable[[str, str, Describe], None]
) -> None:
    """Describe the actions of agents and plans.

    The logbook adds the description to each change they cause: "triggered by Kitchen, asked by
    voice".
    """

    @callback
    def acted(event: LazyEventPartialState) -> dict[str, Any]:
        key = "acted_by_voice" if event.data.get(ATTR_DEVICE_ID) else "acted"
        return _described(hass, event, key)

    @callback
    def carried_out(event: LazyEventPartialState) -> dict[str, Any]:
        return _described(hass, event, "carried_out")

    async_describe_event(DOMAIN, EVENT_ACTED, acted)
    async_describe_event(DOMAIN, EVENT_PLAN, carried_out)


def _described(hass: HomeAssistant, event: LazyEventPartialState, key: str) -> dict[str, Any]:
    """Return the agent's name and a message, with the devices if they are known."""
    agent_id = str(event.data.get("agent_id") or "")
    language = language_of(hass.config.language)
    if not language.answers:
        language = language_of("en")
    message = language.answers["logbook"][key]
    if names := [_name(hass, each) for each in event.data.get(ATTR_ENTITY_ID) or ()]:
        message = f"{message}: {joined(language.code, names)}"
    described = {
        LOGBOOK_ENTRY_NAME: _name(hass, agent_id) if agent_id else "Voice Gateway",
        LOGBOOK_ENTRY_MESSAGE: message,
    }
    return described | ({LOGBOOK_ENTRY_ENTITY_ID: agent_id} if agent_id else {})


def _name(hass: HomeAssistant, entity_id: str) -> str:
    state = hass.states.get(entity_id)
    return state.name if state else entity_id
