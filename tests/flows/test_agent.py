"""The form of a conversation agent: its model, its options, and models that are not there yet."""

import asyncio
from typing import Any

from aiohttp import web
from homeassistant.components import conversation
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL, CONF_NAME, CONF_PROMPT
from homeassistant.core import HomeAssistant, callback
from homeassistant.data_entry_flow import FlowResultType, UnknownFlow
from homeassistant.helpers import entity_registry as er
import probatio
import pytest

from custom_components.voice_gateway.const import (
    CONF_MAX_ROUNDS,
    CONF_NUM_CTX,
    CONF_TEMPERATURE,
    CONF_TIMEOUT,
)
from custom_components.voice_gateway.flows import ollama_model
from custom_components.voice_gateway.turn.instructions import DEFAULT_INSTRUCTIONS
from tests.agent import Agent
from tests.extra_tools import API_ID, add_tools
from tests.ollama import MODEL, Fault, PlayedOllama, error, line

from .forms import begin_use, change_use, choices, fill_in_use, options_of, values

NEW = "qwen3:4b"


async def begin(agent: Agent) -> Any:
    return await begin_use(agent.hass, agent.entry)


async def change(agent: Agent) -> Any:
    return await change_use(agent.hass, agent.entry)


async def send(agent: Agent, form: Any, **user_input: Any) -> Any:
    return await fill_in_use(agent.hass, form, **user_input)


async def after_progress(agent: Agent, progress: Any) -> Any:
    """Wait for a download and return what is shown then."""
    await agent.hass.async_block_till_done(wait_background_tasks=True)
    return await agent.hass.config_entries.subentries.async_configure(progress["flow_id"])


def subentry_of(agent: Agent) -> ConfigSubentry:
    """Return the agent's own, which is the first."""
    subentry = next(iter(agent.entry.subentries.values()))
    assert isinstance(subentry, ConfigSubentry)
    return subentry


def models_of(form: Any) -> dict[str, str]:
    return choices(form, CONF_MODEL)


async def test_models_that_can_call_tools_come_first_and_are_marked(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.models = {
        "a:1b": ["completion"],
        "b:1b": ["completion", "tools"],
        "c:1b": ["embedding"],
        "a:7b": ["completion", "tools"],
    }
    form = await begin(agent)
    shown = models_of(form)
    assert list(shown)[:3] == ["a:7b", "b:1b", "a:1b"]
    # It can't talk.
    assert "c:1b" not in shown
    assert all("🛠" in shown[name] for name in ("a:7b", "b:1b"))
    assert shown["a:1b"] == "a:1b"
    assert values(form)[CONF_MODEL] == "a:7b"


async def test_model_that_cannot_be_read_does_not_hide_the_others(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.whole["/api/show"] = error(500, "corrupt")
    assert models_of(await begin(agent))[MODEL] == MODEL


async def test_agent_works_without_touching_any_option(agent: Agent, ollama: PlayedOllama) -> None:
    form = await begin(agent)
    shown = values(form)
    assert shown[CONF_MODEL] == MODEL
    assert shown[CONF_PROMPT] == DEFAULT_INSTRUCTIONS
    assert shown[CONF_LLM_HASS_API] == ["assist"]
    assert options_of(form)["failures"]["fallback_agent"] == conversation.HOME_ASSISTANT_AGENT
    # The frontend shows the defaults of no other sections.
    sections = [key for key in form["data_schema"].schema if str(key) in options_of(form)]
    assert len(sections) == 5
    assert all(isinstance(key, probatio.Required) for key in sections)
    result = await send(
        agent,
        form,
        **{key: shown[key] for key in (CONF_MODEL, CONF_PROMPT, CONF_LLM_HASS_API)},
    )
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["title"] == MODEL
    assert result["description_placeholders"]["page"].startswith("/config/voice-assistants")
    # Instructions that nobody changed are those of the next release, too.
    assert CONF_PROMPT not in result["data"]
    await agent.hass.async_block_till_done()
    new = next(
        entity.entity_id
        for entity in er.async_entries_for_config_entry(
            er.async_get(agent.hass), agent.entry.entry_id
        )
        if entity.domain == conversation.DOMAIN and entity.entity_id != agent.entity_id
    )
    answer = await Agent(agent.hass, agent.entry, new).hears("how are you")
    assert answer.speech == "OK."
    assert ollama.chats[-1]["model"] == MODEL


async def test_options_reach_the_server(agent: Agent, ollama: PlayedOllama) -> None:
    form = await change(agent)
    result = await send(
        agent,
        form,
        model=f" {MODEL} ",
        prompt="Speak like a pirate.",
        llm_hass_api=[],
        **{
            CONF_NUM_CTX: 16384.0,
            "keep_alive": 60.0,
            "think": True,
            CONF_TEMPERATURE: 0.7,
            CONF_MAX_ROUNDS: 2.0,
            CONF_TIMEOUT: 30.0,
        },
    )
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "reconfigure_successful")
    await agent.hass.async_block_till_done()
    await agent.hears("how are you")
    request = ollama.chats[-1]
    assert request["model"] == MODEL
    assert {"num_ctx": 16384, "temperature": 0.7}.items() <= request["options"].items()
    assert request["keep_alive"] == 60
    assert request["think"] is True
    assert request["messages"][0]["content"].startswith("Speak like a pirate.")
    assert "tools" not in request
    shown = values(await change(agent))
    assert shown[CONF_PROMPT] == "Speak like a pirate."


async def test_form_shows_what_was_chosen_as_far_as_it_is_there(
    agent: Agent, ollama: PlayedOllama
) -> None:
    add_tools(agent.hass)
    agent.hass.config_entries.async_update_subentry(
        agent.entry,
        subentry_of(agent),
        data={
            CONF_MODEL: "gone:1b",
            CONF_LLM_HASS_API: [API_ID, "removed"],
            CONF_TIMEOUT: 33,
        },
    )
    await agent.hass.async_block_till_done()
    form = await change(agent)
    shown = values(form)
    assert shown[CONF_MODEL] == "gone:1b"
    assert shown[CONF_LLM_HASS_API] == [API_ID]
    failures = options_of(form)["failures"]
    assert failures[CONF_TIMEOUT] == 33
    # The one that is suggested is for new agents.
    assert failures["fallback_agent"] is None


async def test_latest_is_understood(agent: Agent, ollama: PlayedOllama) -> None:
    ollama.models = {"mistral:latest": ["completion", "tools"]}
    result = await send(agent, await begin(agent), model="mistral")
    assert result["type"] is FlowResultType.CREATE_ENTRY


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        (web.Response(status=401), "server_unauthorized"),
        (web.Response(text="<html>"), "not_the_server"),
        (error(500, "disk on fire"), "server_error"),
    ],
)
async def test_what_is_wrong_with_the_server_is_said(
    agent: Agent, ollama: PlayedOllama, response: web.Response, reason: str
) -> None:
    ollama.whole["/api/tags"] = response
    result = await change(agent)
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, reason)


async def test_entry_that_is_not_loaded_has_no_form(agent: Agent) -> None:
    await agent.hass.config_entries.async_unload(agent.entry.entry_id)
    result = await begin(agent)
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "entry_not_loaded")


# Models that are not there


async def test_model_that_is_not_there_is_pulled_with_progress(
    agent: Agent, ollama: PlayedOllama
) -> None:
    arrived, shares = asyncio.Event(), []
    agent.hass.bus.async_listen(
        "data_entry_flow_progress_update",
        callback(lambda event: shares.append(event.data["progress"])),
    )
    ollama.pulls.append(
        [
            line(status="pulling manifest"),
            line(status="pulling 3d0b790534fe", total=8, completed=2),
            arrived,
            line(status="pulling 3d0b790534fe", total=8, completed=8),
            line(status="success"),
        ]
    )
    progress = await send(agent, await begin(agent), model=NEW)
    assert progress["type"] is FlowResultType.SHOW_PROGRESS
    assert progress["progress_action"] == "pull"
    assert progress["description_placeholders"]["model"] == NEW
    again = await agent.hass.config_entries.subentries.async_configure(progress["flow_id"])
    assert again["type"] is FlowResultType.SHOW_PROGRESS
    arrived.set()
    result = await after_progress(agent, progress)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["title"] == NEW
    assert shares[:2] == [0.25, 1.0]
    assert NEW in ollama.models
    await agent.hass.async_block_till_done()


async def test_model_that_cannot_be_pulled_leads_back_to_the_form(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.pulls.append([line(status="pulling manifest"), line(error="no space left on device")])
    progress = await send(agent, await begin(agent), model="qwen33", **{CONF_NUM_CTX: 4096})
    failed = await after_progress(agent, progress)
    assert failed["step_id"] == "pull_failed"
    assert failed["description_placeholders"]["model"] == "qwen33"
    assert "no space left" in failed["description_placeholders"]["error"]
    form = await send(agent, failed)
    assert values(form)[CONF_MODEL] == "qwen33"
    result = await send(agent, form, model=MODEL)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["title"] == MODEL


async def test_model_that_ollama_does_not_know_is_said_beside_its_name(
    agent: Agent, ollama: PlayedOllama
) -> None:
    unknown = "pull model manifest: file does not exist"
    ollama.pulls.append([line(status="pulling manifest"), line(error=unknown)])
    form = await after_progress(agent, await send(agent, await begin(agent), model="qwen33"))
    assert form["errors"] == {CONF_MODEL: "model_not_in_library"}
    assert values(form)[CONF_MODEL] == "qwen33"


async def test_agent_gets_a_model_that_has_to_be_pulled(agent: Agent, ollama: PlayedOllama) -> None:
    ollama.pulls += [[Fault.CUT], [line(status="success")]]
    failed = await after_progress(agent, await send(agent, await change(agent), model=NEW))
    assert failed["step_id"] == "pull_failed"
    form = await send(agent, failed)
    assert form["step_id"] == "ollama"
    progress = await send(agent, form, model=NEW)
    result = await after_progress(agent, progress)
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "reconfigure_successful")
    assert subentry_of(agent).data[CONF_MODEL] == NEW
    await agent.hass.async_block_till_done()


async def test_download_ends_when_the_form_is_closed(agent: Agent, ollama: PlayedOllama) -> None:
    begun = asyncio.Event()
    agent.hass.bus.async_listen("data_entry_flow_progress_update", callback(lambda _: begun.set()))
    ollama.pulls.append([line(status="pulling", total=8, completed=2), Fault.HANG])
    progress = await send(agent, await begin(agent), model=NEW)
    await asyncio.wait_for(begun.wait(), 30)
    agent.hass.config_entries.subentries.async_abort(progress["flow_id"])
    await asyncio.wait_for(ollama.abandoned.wait(), 10)
    with pytest.raises(UnknownFlow):
        await agent.hass.config_entries.subentries.async_configure(progress["flow_id"])


async def test_name_follows_the_model_until_somebody_chooses_one(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.models |= {name: ["completion", "tools"] for name in ("a:1b", "b:1b")}
    # A new one: the name that is shown is that of the model that is shown.
    form = await begin(agent)
    shown = values(form)
    assert (shown[CONF_MODEL], shown[CONF_NAME]) == ("a:1b", "a:1b")
    result = await send(agent, form, **{CONF_MODEL: "b:1b", CONF_NAME: "a:1b"})
    assert result["title"] == "b:1b"
    await agent.hass.async_block_till_done()
    agent.hass.config_entries.async_update_subentry(agent.entry, subentry_of(agent), title="b:1b 2")
    await agent.hass.async_block_till_done()
    for model, name, title in (
        # Nothing is changed.
        (MODEL, "b:1b 2", "b:1b 2"),
        # Somebody empties the field.
        (MODEL, "", MODEL),
        (MODEL, MODEL, MODEL),
        # Another model, whose name is another agent's.
        ("b:1b", MODEL, "b:1b 2"),
        (MODEL, "b:1b 2", MODEL),
        ("a:1b", " Butler ", "Butler"),
        (MODEL, "Butler", "Butler"),
    ):
        form = await change(agent)
        assert values(form)[CONF_NAME] == subentry_of(agent).title
        result = await send(agent, form, **{CONF_MODEL: model, CONF_NAME: name})
        assert result["type"] is FlowResultType.ABORT, result
        await agent.hass.async_block_till_done()
        assert subentry_of(agent).title == title, (model, name)
        assert agent.hass.states.get(agent.entity_id).name == title  # type: ignore[union-attr]


async def test_name_follows_the_model_past_one_that_was_given_up(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.models |= {"a:1b": ["completion"], "b:1b": ["completion", "tools"]}
    config_entries = agent.hass.config_entries
    config_entries.async_update_subentry(agent.entry, subentry_of(agent), title=MODEL)
    await agent.hass.async_block_till_done()
    chosen = {CONF_LLM_HASS_API: ["assist"], CONF_NAME: MODEL}
    asked = await send(agent, await change(agent), **{CONF_MODEL: "a:1b"}, **chosen)
    assert asked["step_id"] == "without_tools"
    form = await config_entries.subentries.async_configure(
        asked["flow_id"], {"next_step_id": "other_model"}
    )
    assert values(form)[CONF_NAME] == "a:1b"
    chosen[CONF_NAME] = "a:1b"
    result = await send(agent, form, **{CONF_MODEL: "b:1b"}, **chosen)
    assert result["reason"] == "reconfigure_successful"
    assert subentry_of(agent).title == "b:1b"


async def test_fresh_server_offers_models_with_what_they_take(
    agent: Agent, ollama: PlayedOllama, monkeypatch: pytest.MonkeyPatch
) -> None:
    ollama.models = {"qwen3:8b": ["completion", "tools"], "nomic-embed-text": ["embedding"]}
    for memory, names in (
        (None, ["qwen3:1.7b", "qwen3:4b-instruct", "qwen3:14b", "qwen3:30b-instruct"]),
        (8, ["qwen3:4b-instruct", "qwen3:1.7b", "qwen3:14b", "qwen3:30b-instruct"]),
        (1, ["qwen3:1.7b", "qwen3:4b-instruct", "qwen3:14b", "qwen3:30b-instruct"]),
    ):
        monkeypatch.setattr(ollama_model, "_memory", lambda url, memory=memory: memory)
        shown = models_of(await begin(agent))
        assert [*shown] == ["qwen3:8b", *names]
        assert shown["qwen3:1.7b"] == "qwen3:1.7b: 1.4 GB, memory 3 GB"
    ollama.models.clear()
    form = await begin(agent)
    assert values(form)[CONF_MODEL] == values(form)[CONF_NAME] == "qwen3:1.7b"


async def test_model_without_tools_says_so_when_it_is_chosen(
    agent: Agent, ollama: PlayedOllama
) -> None:
    ollama.models["gemma3:4b"] = ["completion"]
    chosen = {CONF_MODEL: "gemma3:4b", CONF_LLM_HASS_API: ["assist"], CONF_TIMEOUT: 31}
    asked = await send(agent, await change(agent), **chosen)
    assert (asked["type"], asked["step_id"]) == (FlowResultType.MENU, "without_tools")
    assert asked["description_placeholders"] == {"model": "gemma3:4b"}
    flows = agent.hass.config_entries.subentries
    form = await flows.async_configure(asked["flow_id"], {"next_step_id": "other_model"})
    assert options_of(form)["failures"][CONF_TIMEOUT] == 31
    asked = await send(agent, form, **chosen)
    result = await flows.async_configure(asked["flow_id"], {"next_step_id": "this_model"})
    assert result["reason"] == "reconfigure_successful"
    await agent.hass.async_block_till_done()
    assert subentry_of(agent).data[CONF_MODEL] == "gemma3:4b"
    # It was said; and without tools nothing is missing.
    for again in (chosen, chosen | {CONF_LLM_HASS_API: []}):
        result = await send(agent, await change(agent), **again)
        assert result["type"] is FlowResultType.ABORT


@pytest.mark.parametrize(
    ("option", "value", "wrong"),
    [
        ("fallback_agent", "its own", "fallback_is_itself"),
        ("pin", "12a4", "not_a_pin"),
        ("speaker_tag", "[speaker]", "not_a_tag"),
        ("speaker_tag", "name", "not_a_tag"),
        ("speaker_tag", " [name] ", None),
        ("speaker_tag", " ", None),
    ],
)
async def test_option_that_can_not_work_is_said(
    agent: Agent, option: str, value: str, wrong: str | None
) -> None:
    value = agent.entity_id if option == "fallback_agent" else value
    form = await send(agent, await change(agent), **{CONF_MODEL: MODEL, option: value})
    assert form.get("errors") == ({"base": wrong} if wrong else None)


async def test_removed_agent_is_gone(home: HomeAssistant, agent: Agent) -> None:
    home.config_entries.async_remove_subentry(agent.entry, subentry_of(agent).subentry_id)
    await home.async_block_till_done()
    assert home.states.get(agent.entity_id) is None
    assert er.async_get(home).async_get(agent.entity_id) is None


async def test_second_agent_is_chosen_and_given_up_again(
    agent: Agent, ollama: PlayedOllama
) -> None:
    home = agent.hass
    asks = {"reflex": False}
    chosen = {"fallback_agent": conversation.HOME_ASSISTANT_AGENT, "fallback_after": 8, **asks}
    await send(agent, await change(agent), model=MODEL, llm_hass_api=["assist"], **chosen)
    await home.async_block_till_done()
    assert chosen.items() <= subentry_of(agent).data.items()
    await ollama.stop()
    assert not (await agent.hears("turn on the bed light")).is_error
    await ollama.start(ollama.port)
    form = await change(agent)
    shown = options_of(form)["failures"]["fallback_agent"]
    assert shown == conversation.HOME_ASSISTANT_AGENT
    await send(agent, form, model=MODEL, llm_hass_api=["assist"], **asks)
    await home.async_block_till_done()
    assert "fallback_agent" not in subentry_of(agent).data
    await ollama.stop()
    assert (await agent.hears("turn on the bed light")).is_error
