"""Which assistants use an agent that is added."""

from typing import Any

from homeassistant.components import conversation
from homeassistant.components.assist_pipeline import (
    async_get_pipeline,
    async_get_pipelines,
    async_update_pipeline,
)
from homeassistant.const import CONF_MODEL
from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component

from tests.agent import Agent
from tests.ollama import MODEL

from .forms import begin_use, change_use, fill_in_use, ticks


async def begin(agent: Agent) -> Any:
    return await begin_use(agent.hass, agent.entry)


async def send(agent: Agent, form: Any, **entered: Any) -> Any:
    done = await fill_in_use(agent.hass, form, **{CONF_MODEL: MODEL, **entered})
    await agent.hass.async_block_till_done()
    return done


def offered(form: Any) -> tuple[list[str], list[str]]:
    """Return the assistants of a form, and those that are ticked."""
    labels, ticked = ticks(form, "assistants")
    return [*labels.values()], ticked


def newest(agent: Agent) -> str | None:
    """Return the entity of the agent that was added last."""
    *_, subentry = agent.entry.subentries
    registry = er.async_get(agent.hass)
    return registry.async_get_entity_id(conversation.DOMAIN, "voice_gateway", subentry)


async def test_preferred_assistant_uses_the_first_agent_and_keeps_it(
    agent: Agent, home: HomeAssistant
) -> None:
    assert await async_setup_component(home, "assist_pipeline", {})
    (pipeline,) = async_get_pipelines(home)
    await async_update_pipeline(home, pipeline, prefer_local_intents=True)
    form = await begin(agent)
    assert offered(form) == (["Home Assistant"], [pipeline.id])
    done = await send(agent, form)
    assert done["description"] == "for_assistants"
    assert done["description_placeholders"]["assistants"] == "Home Assistant"
    assert "assistants" not in done["data"]
    mine, used = newest(agent), async_get_pipeline(home)
    assert (used.conversation_engine, used.conversation_language) == (mine, "*")
    assert not used.prefer_local_intents

    form = await begin(agent)
    assert offered(form) == (["Home Assistant"], [])
    done = await send(agent, form)
    assert "description" not in done or done["description"] is None
    assert newest(agent) != mine
    assert async_get_pipeline(home).conversation_engine == mine

    await send(agent, await begin(agent), assistants=[pipeline.id])
    assert async_get_pipeline(home).conversation_engine == newest(agent)


async def test_agent_that_is_not_to_be_used_changes_no_assistant(
    agent: Agent, home: HomeAssistant
) -> None:
    assert await async_setup_component(home, "assist_pipeline", {})
    await send(agent, await begin(agent), assistants=[])
    assert async_get_pipeline(home).conversation_engine == conversation.HOME_ASSISTANT_AGENT
    changed = await change_use(home, agent.entry)
    assert "assistants" not in changed["data_schema"].schema


async def test_without_assistants_nothing_is_asked(agent: Agent) -> None:
    form = await begin(agent)
    assert "assistants" not in form["data_schema"].schema
