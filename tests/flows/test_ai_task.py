"""The forms of an AI task: its model, its tools, its options."""

from typing import Any

from homeassistant.const import CONF_LLM_HASS_API, CONF_MODEL
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
import pytest

from custom_components.voice_gateway.const import CONF_TIMEOUT, SUBENTRY_AI_TASK, EntryKind
from tests.extra_tools import API_ID, add_tools
from tests.model_servers import ModelServer
from tests.ollama import line
from tests.task import TASK, add_task

from .forms import begin_use, change_use, choices, fill_in_use, values


async def send(hass: HomeAssistant, form: Any, **values: Any) -> Any:
    """Fill in the form, and take the provider's own options as they are, where it asks for them."""
    result = await fill_in_use(hass, form, **values)
    return await fill_in_use(hass, result) if result.get("step_id") == "model" else result


async def test_task_works_without_touching_any_option(
    hass: HomeAssistant, model_server: ModelServer
) -> None:
    entry = await add_task(hass, model_server)
    form = await begin_use(hass, entry, SUBENTRY_AI_TASK)
    shown = values(form)
    assert (shown[CONF_MODEL], shown[CONF_LLM_HASS_API]) == (model_server.model, [])
    result = await send(hass, form, model=model_server.model)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    await hass.async_block_till_done(wait_background_tasks=True)
    new = next(each for each in hass.states.async_entity_ids("ai_task") if each != TASK)
    response = await hass.services.async_call(
        "ai_task",
        "generate_data",
        {"task_name": "Test", "entity_id": new, "instructions": "Say OK."},
        blocking=True,
        return_response=True,
    )
    assert response
    assert response["data"] == "OK."
    assert "tools" not in model_server.requests[0]


async def test_tools_and_options_are_kept_and_shown_as_far_as_they_are_there(
    hass: HomeAssistant, model_server: ModelServer
) -> None:
    add_tools(hass)
    entry = await add_task(hass, model_server, tools=["removed"])
    form = await change_use(hass, entry)
    assert values(form)[CONF_LLM_HASS_API] == []
    result = await send(hass, form, timeout=77.0, model=model_server.model, llm_hass_api=[API_ID])
    assert (result["type"], result["reason"]) == (FlowResultType.ABORT, "reconfigure_successful")
    await hass.async_block_till_done(wait_background_tasks=True)
    (subentry,) = entry.subentries.values()
    assert subentry.data[CONF_TIMEOUT] == 77
    assert values(await change_use(hass, entry))[CONF_LLM_HASS_API] == [API_ID]


@pytest.mark.parametrize("model_server", [EntryKind.OLLAMA], indirect=True)
async def test_models_that_see_are_marked(hass: HomeAssistant, model_server: ModelServer) -> None:
    model_server.server.models = {
        "a": ["tools", "vision"],
        "b": ["tools"],
        "c": ["vision"],
        "d": ["completion"],
    }
    form = await begin_use(hass, await add_task(hass, model_server), SUBENTRY_AI_TASK)
    labels = [*choices(form, CONF_MODEL).values()]
    assert labels[:4] == ["🛠 👁 a", "🛠 b", "👁 c", "d"]


@pytest.mark.parametrize("model_server", [EntryKind.OLLAMA], indirect=True)
async def test_model_that_is_not_there_is_downloaded(
    hass: HomeAssistant, model_server: ModelServer
) -> None:
    entry = await add_task(hass, model_server)
    model_server.server.pulls.append([line(status="success")])
    progress = await send(hass, await begin_use(hass, entry, SUBENTRY_AI_TASK), model="gemma3:4b")
    assert progress["type"] is FlowResultType.SHOW_PROGRESS
    await hass.async_block_till_done(wait_background_tasks=True)
    result = await hass.config_entries.subentries.async_configure(progress["flow_id"])
    assert result["type"] is FlowResultType.CREATE_ENTRY
    assert result["title"] == "gemma3:4b"
