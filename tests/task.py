"""An AI task as automations ask for it."""

from collections.abc import Iterable
from typing import Any

from homeassistant.config_entries import ConfigSubentryData
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import DOMAIN, SUBENTRY_AI_TASK

from .agent import Server

TASK = "ai_task.helper"


async def add_task(
    hass: HomeAssistant, server: Server, tools: Iterable[str] = (), **options: Any
) -> MockConfigEntry:
    """Set up a model server with one AI task; `options` are the task's."""
    for domain in ("homeassistant", "conversation", "llm"):
        assert await async_setup_component(hass, domain, {})
    entry = MockConfigEntry(
        domain=DOMAIN,
        data=server.data,
        subentries_data=[
            ConfigSubentryData(
                data={CONF_MODEL: server.model, CONF_LLM_HASS_API: list(tools), **options},
                subentry_type=SUBENTRY_AI_TASK,
                title="Helper",
                unique_id=None,
            )
        ],
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done(wait_background_tasks=True)
    return entry


async def generate(hass: HomeAssistant, instructions: str = "Name an animal", **more: Any) -> Any:
    """Ask for data as an automation does."""
    response = await hass.services.async_call(
        "ai_task",
        "generate_data",
        {"task_name": "Test", "entity_id": TASK, "instructions": instructions, **more},
        blocking=True,
        return_response=True,
    )
    assert response
    return response["data"]


async def failure(hass: HomeAssistant, **more: Any) -> str:
    """Ask for data, and return the words of the error that is the answer."""
    with pytest.raises(HomeAssistantError) as caught:
        await generate(hass, **more)
    assert caught.value.translation_domain == DOMAIN
    return str(caught.value)
