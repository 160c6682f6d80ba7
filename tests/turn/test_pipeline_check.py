"""Who is told that an assistant handles commands before the agent does."""

from datetime import timedelta

from homeassistant.components import conversation
from homeassistant.components.assist_pipeline import async_get_pipelines, async_update_pipeline
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.home.exposed import Home
from tests.agent import add_agent
from tests.ollama import PlayedOllama


async def test_home_that_changes_a_hundred_times_is_looked_at_once(
    home: HomeAssistant, ollama: PlayedOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a start each device comes by itself: with a thousand, each look takes a moment."""
    assert await async_setup_component(home, "assist_pipeline", {})
    for entity in Home.seen_by(home, conversation.DOMAIN).entities:
        async_expose_entity(home, conversation.DOMAIN, entity.entity_id, False)
    agent = await add_agent(home, ollama.url)
    (pipeline,) = async_get_pipelines(home)
    await async_update_pipeline(
        home, pipeline, conversation_engine=agent.entity_id, prefer_local_intents=True
    )
    await home.async_block_till_done()

    async def issues() -> list[str]:
        async_fire_time_changed(home, dt_util.utcnow() + timedelta(seconds=2), fire_all=True)
        await home.async_block_till_done()
        return [issue for domain, issue in ir.async_get(home).issues if domain == DOMAIN]

    assert await issues() == []
    looks: list[str] = []
    seen_by = Home.seen_by

    def noted(hass: HomeAssistant, assistant: str) -> Home:
        looks.append(assistant)
        return seen_by(hass, assistant)

    monkeypatch.setattr(Home, "seen_by", noted)
    for number in range(100):
        home.states.async_set(f"lock.door_{number}", "locked", {"friendly_name": "Door"})
        async_expose_entity(home, conversation.DOMAIN, f"lock.door_{number}", True)
    assert not looks
    (issue,) = await issues()
    assert issue.startswith("handled_locally")
    for number in range(100):
        async_expose_entity(home, conversation.DOMAIN, f"lock.door_{number}", False)
    assert await issues() == []
