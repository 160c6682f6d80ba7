"""The repair issues of agents and AI tasks: what shows them, what mends them, what takes them back."""

import asyncio
from collections.abc import Awaitable, Callable
from http import HTTPStatus
import json
from typing import Any

from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from homeassistant.helpers import entity_registry as er, issue_registry as ir
from homeassistant.helpers.translation import async_get_translations
from homeassistant.setup import async_setup_component
import pytest

from custom_components.voice_gateway.const import DOMAIN, MAX_NUM_CTX

from .. import anthropic as claude
from ..agent import Agent, add_agent
from ..flows.forms import GROUPS
from ..mcp_servers.conftest import until
from ..model_servers import AnthropicModel, OllamaModel
from ..ollama import MODEL, PlayedOllama, error, line, says
from ..task import add_task, failure, generate

OTHER = "llama3.2:3b"
# Some 27 KB: too much for 2,048 tokens, not for 32,768.
LONG_PROMPT = "Be kind. " * 3000

type Fix = Callable[..., Awaitable[dict[str, Any]]]


def issues(hass: HomeAssistant) -> dict[str, ir.IssueEntry]:
    """Return our issues by their keys; of each there is one at most."""
    found = [issue for issue in ir.async_get(hass).issues.values() if issue.domain == DOMAIN]
    assert len({issue.translation_key for issue in found}) == len(found)
    return {str(issue.translation_key): issue for issue in found}


def settings(agent: Agent) -> ConfigSubentry:
    """Return the agent's subentry."""
    (subentry,) = agent.entry.subentries.values()
    assert isinstance(subentry, ConfigSubentry)
    return subentry


async def hears(agent: Agent, times: int = 1) -> bool:
    """Say something; tell whether there was an answer, and not an error."""
    answers = [await agent.hears("Would you please say something nice") for _ in range(times)]
    return not answers[-1].is_error


@pytest.fixture
async def fix(hass: HomeAssistant, hass_client: Any) -> Fix:
    """Return a function that begins with an issue's dialog, or goes on, as the frontend does."""
    assert await async_setup_component(hass, "repairs", {})
    client: Any = None
    flow_id = ""

    async def step(key: str | None = None, **user_input: Any) -> dict[str, Any]:
        nonlocal client, flow_id
        # Once its web server runs, no integration can be set up that serves something.
        client = client or await hass_client()
        url = "/api/repairs/issues/fix"
        if key:
            body = {"handler": DOMAIN, "issue_id": issues(hass)[key].issue_id}
        else:
            url, body = f"{url}/{flow_id}", user_input
        response = await client.post(url, json=body)
        assert response.status == HTTPStatus.OK, await response.text()
        result: dict[str, Any] = await response.json()
        flow_id = result["flow_id"]
        await hass.async_block_till_done()
        return result

    return step


def offered(form: dict[str, Any]) -> list[str]:
    """Return the labels of the models that a form offers."""
    (field,) = form["data_schema"]
    return [option["label"] for option in field["selector"]["select"]["options"]]


async def test_model_that_is_gone_is_replaced_in_the_dialog(
    agent: Agent, ollama: PlayedOllama, fix: Fix
) -> None:
    assert await hears(agent)
    assert issues(agent.hass) == {}
    ollama.models = {"gemma3:1b": ["completion"], OTHER: ["completion", "tools"]}
    assert not await hears(agent, times=2)
    (issue,) = issues(agent.hass).values()
    assert issue.translation_placeholders == {"name": "Jarvis", "model": MODEL}

    menu = await fix("model_gone")
    assert menu["menu_options"] == ["choose", "settings"]
    assert menu["description_placeholders"] == issue.translation_placeholders
    form = await fix(next_step_id="choose")
    assert offered(form) == [f"🛠 {OTHER}", "gemma3:1b"]
    assert (await fix(model=OTHER))["type"] == "create_entry"
    assert issues(agent.hass) == {}
    assert await hears(agent)
    assert ollama.chats[-1]["model"] == OTHER


async def test_model_that_is_gone_is_downloaded_again_from_the_settings(
    agent: Agent, ollama: PlayedOllama, fix: Fix
) -> None:
    ollama.models = {OTHER: ["completion", "tools"]}
    assert not await hears(agent)
    await fix("model_gone")
    result = await fix(next_step_id="settings")
    assert (result["type"], result["reason"]) == ("abort", "settings")
    kind, flow_id = result["next_flow"]
    assert kind == "config_subentries_flow"
    assert issues(agent.hass), "It goes when it is mended"
    ollama.pulls.append([line(status="success")])
    flows = agent.hass.config_entries.subentries
    values = {"model": MODEL, "llm_hass_api": ["assist"], **GROUPS}
    shown = await flows.async_configure(flow_id, values)
    while shown["type"] in (FlowResultType.SHOW_PROGRESS, FlowResultType.SHOW_PROGRESS_DONE):
        await agent.hass.async_block_till_done(wait_background_tasks=True)
        shown = await flows.async_configure(flow_id)
    assert shown["reason"] == "reconfigure_successful"
    await agent.hass.async_block_till_done()
    assert await hears(agent)
    assert issues(agent.hass) == {}


async def test_server_without_another_model_leads_to_the_settings(
    agent: Agent, ollama: PlayedOllama, fix: Fix
) -> None:
    ollama.models = {}
    await hears(agent)
    await fix("model_gone")
    assert (await fix(next_step_id="choose"))["reason"] == "settings"


async def test_server_that_lists_no_models_is_named_in_the_dialog(
    agent: Agent, ollama: PlayedOllama, fix: Fix
) -> None:
    ollama.models = {}
    await hears(agent)
    await fix("model_gone")
    await ollama.stop()
    result = await fix(next_step_id="choose")
    assert (result["type"], result["reason"]) == ("abort", "server_unreachable")
    assert issues(agent.hass)


async def test_model_of_an_account_is_replaced_in_the_dialog(
    home: HomeAssistant, anthropic: claude.PlayedAnthropic, fix: Fix
) -> None:
    agent = await add_agent(home, AnthropicModel(anthropic))
    other = "claude-sonnet-6"
    anthropic.models = {other: {**claude.model_info(), "id": other, "display_name": "Sonnet"}}
    assert not await hears(agent)
    await fix("model_gone")
    assert offered(await fix(next_step_id="choose")) == ["Sonnet"]
    assert (await fix(model=other))["type"] == "create_entry"
    assert settings(agent).data["model"] == other
    assert await hears(agent)
    assert issues(home) == {}


async def test_context_that_is_too_short_is_made_longer_in_the_dialog(
    home: HomeAssistant, ollama: PlayedOllama, fix: Fix
) -> None:
    agent = await add_agent(home, ollama.url, num_ctx=2048, prompt=LONG_PROMPT, tools=())
    assert not await hears(agent)
    form = await fix("model_context_too_small")
    assert form["step_id"] == "context"
    (field,) = form["data_schema"]
    assert field["default"] == 4096
    assert (await fix(num_ctx=32768))["type"] == "create_entry"
    assert settings(agent).data == {
        "model": MODEL,
        "llm_hass_api": [],
        "prompt": LONG_PROMPT,
        "num_ctx": 32768,
        "reflex": False,
    }
    assert await hears(agent)
    assert ollama.chats[-1]["options"]["num_ctx"] == 32768
    assert issues(home) == {}


async def test_no_longer_context_is_suggested_than_there_may_be(
    home: HomeAssistant, ollama: PlayedOllama, fix: Fix
) -> None:
    agent = await add_agent(home, ollama.url, num_ctx=MAX_NUM_CTX - 1)
    ollama.answers(error(400, "the input length exceeds the context length"))
    assert not await hears(agent)
    (field,) = (await fix("model_context_too_small"))["data_schema"]
    assert field["default"] == MAX_NUM_CTX


async def test_account_whose_context_is_exceeded_has_no_issue_that_nobody_can_mend(
    home: HomeAssistant, anthropic: claude.PlayedAnthropic
) -> None:
    server = AnthropicModel(anthropic)
    agent = await add_agent(home, server)
    server.answers(server.refusal("context"))
    answer = await agent.hears("Would you please say something nice")
    assert answer.speech == "That was too much text for the model's context."
    assert issues(home) == {}


async def test_server_that_is_away_three_times_is_tried_again_in_the_dialog(
    agent: Agent, ollama: PlayedOllama, fix: Fix
) -> None:
    await ollama.stop()
    assert not await hears(agent, times=2)
    assert issues(agent.hass) == {}, "It may be starting anew"
    assert not await hears(agent)
    menu = await fix("server_down")
    assert menu["menu_options"] == ["retry", "reconfigure"]
    form = await fix(next_step_id="retry")
    assert form["errors"] == {"base": "server_unreachable"}
    assert issues(agent.hass)
    await ollama.start(ollama.port)
    assert (await fix())["type"] == "create_entry"
    assert issues(agent.hass) == {}
    assert await hears(agent)


async def test_server_that_moved_gets_its_new_address_from_the_dialog(
    agent: Agent, ollama: PlayedOllama, fix: Fix
) -> None:
    await ollama.stop()
    await hears(agent, times=3)
    await fix("server_down")
    result = await fix(next_step_id="reconfigure")
    kind, flow_id = result["next_flow"]
    assert kind == "config_flow"
    await ollama.start()
    done = await agent.hass.config_entries.flow.async_configure(flow_id, {"url": ollama.url})
    assert done["reason"] == "reconfigure_successful"
    await agent.hass.async_block_till_done()
    assert issues(agent.hass) == {}
    assert await hears(agent)


async def test_server_that_answered_in_between_is_no_issue(
    agent: Agent, ollama: PlayedOllama
) -> None:
    for _ in range(2):
        await ollama.stop()
        assert not await hears(agent, times=2)
        await ollama.start(ollama.port)
        assert await hears(agent)
    assert issues(agent.hass) == {}


async def test_outage_is_one_issue_that_names_the_server_and_two_lines_in_the_log(
    agent: Agent, ollama: PlayedOllama, caplog: pytest.LogCaptureFixture
) -> None:
    agent.hass.config_entries.async_add_subentry(
        agent.entry,
        ConfigSubentry(
            data=settings(agent).data, subentry_type="conversation", title="Alfred", unique_id=None
        ),
    )
    await agent.hass.async_block_till_done()
    alfred = Agent(agent.hass, agent.entry, "conversation.alfred")
    for _ in range(2):
        caplog.clear()
        await ollama.stop()
        for each in (agent, alfred, agent, alfred):
            assert not await hears(each)
        (issue,) = issues(agent.hass).values()
        assert issue.translation_placeholders == {
            "server": agent.entry.title,
            "address": ollama.url,
            "names": "Jarvis, Alfred",
        }
        await ollama.start(ollama.port)
        assert await hears(alfred)
        assert await hears(agent)
        assert issues(agent.hass) == {}
        told = [
            line for line in caplog.messages if agent.entry.title in line and ollama.url in line
        ]
        assert told == [
            f"{agent.entry.title} can't be reached ({ollama.url})",
            f"{agent.entry.title} answers again ({ollama.url})",
        ]


async def test_failure_that_proves_nothing_takes_nothing_back(
    agent: Agent, ollama: PlayedOllama
) -> None:
    there, ollama.models = ollama.models, {}
    await hears(agent)
    ollama.models = there
    ollama.answers(error(500, "out of memory"))
    assert not await hears(agent)
    assert issues(agent.hass).keys() == {"model_gone"}
    assert await hears(agent)
    assert issues(agent.hass) == {}


@pytest.mark.parametrize("end", ["remove", "reload", "remove_agent"])
async def test_nothing_stays_when_the_agent_goes(
    agent: Agent, ollama: PlayedOllama, end: str
) -> None:
    ollama.models = {}
    await hears(agent)
    await ollama.stop()
    await hears(agent, times=3)
    assert issues(agent.hass).keys() == {"model_gone", "server_down"}
    entries = agent.hass.config_entries
    match end:
        case "remove":
            await entries.async_remove(agent.entry.entry_id)
        case "reload":
            await entries.async_reload(agent.entry.entry_id)
        case "remove_agent":
            entries.async_remove_subentry(agent.entry, settings(agent).subentry_id)
    await agent.hass.async_block_till_done()
    assert issues(agent.hass) == {}


async def test_turn_that_outlives_its_agent_raises_nothing(
    agent: Agent, ollama: PlayedOllama
) -> None:
    removed = asyncio.Event()
    ollama.answers([removed, line(error=f"model '{MODEL}' not found")])
    answer = asyncio.create_task(hears(agent))
    await until(lambda: bool(ollama.chats))
    await agent.hass.config_entries.async_remove(agent.entry.entry_id)
    removed.set()
    assert not await answer
    assert issues(agent.hass) == {}


async def test_agent_that_was_renamed_still_has_its_issues(
    agent: Agent, ollama: PlayedOllama
) -> None:
    er.async_get(agent.hass).async_update_entity(
        agent.entity_id, new_entity_id="conversation.edwin"
    )
    await agent.hass.async_block_till_done()
    agent.entity_id = "conversation.edwin"
    ollama.models = {}
    assert not await hears(agent)
    assert issues(agent.hass).keys() == {"model_gone"}


async def test_dialog_ends_when_the_agent_was_removed_meanwhile(
    agent: Agent, ollama: PlayedOllama, fix: Fix
) -> None:
    ollama.models = {OTHER: ["tools"]}
    await hears(agent)
    await fix("model_gone")
    await fix(next_step_id="choose")
    await agent.hass.config_entries.async_remove(agent.entry.entry_id)
    assert (await fix(model=OTHER))["reason"] == "entry_not_loaded"


async def test_ai_task_whose_model_is_gone_gets_another_one(
    hass: HomeAssistant, ollama: PlayedOllama, fix: Fix
) -> None:
    await add_task(hass, OllamaModel(ollama))
    ollama.models = {OTHER: ["completion", "tools"]}
    assert await failure(hass) == f"The model {MODEL} is no longer on the server"
    await fix("model_gone")
    await fix(next_step_id="choose")
    assert (await fix(model=OTHER))["type"] == "create_entry"
    assert await generate(hass) == "OK."
    assert issues(hass) == {}


async def test_issue_of_an_ai_task_goes_when_it_succeeds(
    hass: HomeAssistant, ollama: PlayedOllama
) -> None:
    await add_task(hass, OllamaModel(ollama))
    there, ollama.models = ollama.models, {}
    await failure(hass)
    assert issues(hass).keys() == {"model_gone"}
    ollama.models = there
    assert await generate(hass) == "OK."
    assert issues(hass) == {}


async def test_model_that_often_fails_is_replaced_in_the_dialog(
    agent: Agent, ollama: PlayedOllama, fix: Fix
) -> None:
    ollama.models = {MODEL: ["completion"], OTHER: ["completion", "tools"]}
    for _ in range(9):
        made = {"calls": [{"name": "HassTurnOn", "arguments": {"name": "Nothing"}}]}
        ollama.answers(says(json.dumps(made)), says('{"say": "I can not."}'))
        await hears(agent)
    assert issues(agent.hass).keys() == {"model_fails_often"}
    await fix("model_fails_often")
    assert offered(await fix(next_step_id="choose")) == [f"🛠 {OTHER}"]
    assert (await fix(model=OTHER))["type"] == "create_entry"
    assert await hears(agent)
    assert ollama.chats[-1]["model"] == OTHER
    assert issues(agent.hass) == {}


async def test_settings_that_cannot_be_opened_say_why(
    agent: Agent, ollama: PlayedOllama, fix: Fix
) -> None:
    ollama.models = {}
    await hears(agent)
    await fix("model_gone")
    await ollama.stop()
    result = await fix(next_step_id="settings")
    assert (result["type"], result["reason"]) == ("abort", "server_unreachable")


async def test_prompt_that_cannot_be_written_proves_nothing_of_the_model(
    home: HomeAssistant, ollama: PlayedOllama
) -> None:
    home.states.async_set("sensor.fault", "off")
    agent = await add_agent(
        home, ollama.url, prompt="{{ 1 / 0 if is_state('sensor.fault', 'on') else 'Be kind.' }}"
    )
    there, ollama.models = ollama.models, {}
    await hears(agent)
    ollama.models = there
    home.states.async_set("sensor.fault", "on")
    assert not await hears(agent)
    assert issues(home).keys() == {"model_gone"}


async def test_issues_have_all_their_words(hass: HomeAssistant) -> None:
    texts = await async_get_translations(hass, "en", "issues", [DOMAIN])
    failures = ("server_unreachable", "server_error", "not_the_server", "server_unauthorized")
    aborts = {"abort.settings", *(f"abort.{failure}" for failure in failures)}
    errors = {f"error.{failure}" for failure in failures}
    wanted = {
        "model_gone": {"step.init.menu_options.choose", "step.choose.data.model"} | aborts,
        "model_fails_often": {"step.init.menu_options.settings", "step.choose.title"} | aborts,
        "model_context_too_small": {"step.context.data.num_ctx", "step.context.description"},
        "server_down": {"step.init.menu_options.retry", "step.retry.title", "abort.reconfigure"}
        | errors,
    }
    for key, paths in wanted.items():
        for path in paths | {"abort.entry_not_loaded"}:
            assert texts[f"component.{DOMAIN}.issues.{key}.fix_flow.{path}"]
