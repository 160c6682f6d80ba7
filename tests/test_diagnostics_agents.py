"""Diagnostics tell how agents did, and what their models can do, without what was said."""

import json
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.json import json_dumps
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import DOMAIN, EntryKind
from custom_components.voice_gateway.diagnostics import async_get_config_entry_diagnostics

from .agent import Agent, add_agent
from .anthropic import PlayedAnthropic
from .model_servers import OpenAIModel
from .ollama import MODEL, PlayedOllama, call, calls
from .openai import PlayedOpenAI


async def diagnostics_of(agent: Agent) -> Any:
    """Return an entry's diagnostics, as JSON holds them."""
    return json.loads(json_dumps(await async_get_config_entry_diagnostics(agent.hass, agent.entry)))


async def test_model_tells_what_it_can_do(agent: Agent) -> None:
    told = await diagnostics_of(agent)
    assert told["versions"]["ollama"].startswith("0.6.")
    models = told["server"]["models"]
    assert models == {MODEL: {"name": MODEL, "capabilities": ["completion", "thinking", "tools"]}}


async def test_model_that_is_gone_is_told(agent: Agent, ollama: PlayedOllama) -> None:
    ollama.models.clear()
    server = (await diagnostics_of(agent))["server"]
    assert server["models"][MODEL]["error"]["kind"] == "model_not_found"
    assert agent.entity_id in server["agents"]


@pytest.mark.requirement("I4")
async def test_last_turns_are_told_without_what_was_said(
    agent: Agent, ollama: PlayedOllama
) -> None:
    for _ in range(9):
        await agent.hears("what about the goldfish")
    ollama.answers(calls(call("HassTurnOn", name="Bed Light")))
    await agent.hears("turn on the goldfish, I mean the bed light")
    await ollama.stop()
    await agent.hears("and the goldfish")
    told = await diagnostics_of(agent)
    turns = told["server"]["agents"][agent.entity_id]["turns"]
    assert len(turns) == 10
    assert turns[-2]["tools"] == ["HassTurnOn"]
    assert turns[-2]["seconds"] > 0
    assert turns[-2]["failure"] is None
    assert turns[-1]["failure"] == "server_unreachable"
    assert "goldfish" not in json.dumps(told)
    assert not any("reading" in turn for turn in turns)
    # Of the prompt, how long its parts are, and which tools it has.
    prompt = told["server"]["agents"][agent.entity_id]["prompt"]
    assert prompt["home"]["characters"] > 100
    assert "HassTurnOn" in str(prompt["tools"])
    assert "Bed Light" not in json.dumps(told)


async def test_what_was_said_is_told_where_the_user_ticked_it(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    agent = await add_agent(home, ollama.url, diagnostics_sentences=True)
    await agent.hears("how are you")
    (turn,) = (await diagnostics_of(agent))["server"]["agents"][agent.entity_id]["turns"]
    assert turn["heard"] == "how are you"
    assert turn["said"] == "OK."
    assert turn["reading"]["act"] == "question"
    assert turn["reading"]["tokens"] == ["how", "are", "you"]
    prompt = (await diagnostics_of(agent))["server"]["agents"][agent.entity_id]["prompt"]
    assert "Bed Light" in prompt["home"]
    assert prompt["instructions"]


async def test_instructions_are_nobodys_business(home: HomeAssistant, ollama: PlayedOllama) -> None:
    agent = await add_agent(home, ollama.url, prompt="Miss Moneypenny lives here.")
    told = await diagnostics_of(agent)
    assert told["entry"]["subentries"][0]["data"]["prompt"] == "**REDACTED**"
    assert "Moneypenny" not in json.dumps(told)


async def test_what_changes_the_prompt_is_counted(agent: Agent) -> None:
    async def changes() -> Any:
        told = await diagnostics_of(agent)
        return told["server"]["agents"][agent.entity_id]["prompt_changes"]

    await agent.hears("hello")
    await agent.hears("hello")
    assert await changes() == {}
    async_expose_entity(agent.hass, "conversation", "light.bed_light", False)
    await agent.hears("hello")
    assert await changes() == {"home": 1}


async def test_account_at_anthropic_tells_its_models_and_keeps_its_key(
    home: HomeAssistant, anthropic: PlayedAnthropic
) -> None:
    agent = {
        "subentry_type": "conversation",
        "title": "Claude",
        "unique_id": None,
        "data": {"model": "claude-haiku-5-5"},
    }
    entry = MockConfigEntry(
        domain=DOMAIN,
        data={"kind": EntryKind.ANTHROPIC, "api_key": anthropic.key},
        subentries_data=[agent],
    )
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    await home.async_block_till_done()
    claude = Agent(home, entry, "conversation.claude")
    await claude.hears("how are you")
    told = await diagnostics_of(claude)
    assert told["versions"]["anthropic"].startswith("2.")
    model = told["server"]["models"]["claude-haiku-5-5"]
    assert model["thinking"] == ["adaptive", "disabled"]
    (turn,) = told["server"]["agents"]["conversation.claude"]["turns"]
    assert turn["rounds"] == 1
    assert anthropic.key not in json.dumps(told)
    anthropic.key = "another"
    told = await diagnostics_of(claude)
    assert told["server"]["models"]["claude-haiku-5-5"]["error"]["kind"] == "server_unauthorized"


async def test_server_of_openais_protocol_tells_what_it_is_and_what_it_refused(
    home: HomeAssistant, openai: PlayedOpenAI
) -> None:
    server = OpenAIModel(openai)
    openai.takes = {"model", "messages", "stream", "temperature", "max_tokens", "tools"}
    agent = await add_agent(home, server)
    await agent.hears("how are you")
    told = await diagnostics_of(agent)
    assert told["versions"]["openai"].startswith("3.")
    assert told["server"]["kind"] == "vLLM"
    assert told["server"]["left_out"][server.model] == ["chat_template_kwargs", "stream_options"]
    assert told["server"]["models"][server.model]["context"] == 32768
    assert openai.key not in json.dumps(told)
    openai.key = "another"
    told = await diagnostics_of(agent)
    assert told["server"]["models"][server.model]["error"]["kind"] == "server_unauthorized"
