"""An MCP server's config entry: its session, its tools for agents, and what is seen of it."""

from dataclasses import replace
from pathlib import Path
import sys
from typing import Any

from homeassistant.components import conversation
from homeassistant.config_entries import ConfigEntryState
from homeassistant.const import EVENT_HOMEASSISTANT_STOP
from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    device_registry as dr,
    entity_registry as er,
    issue_registry as ir,
    llm,
)
import probatio
import psutil  # type: ignore[import-untyped]
import pytest

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.mcp_servers.session import SessionState
from custom_components.voice_gateway.mcp_servers.settings import CommandServer, UrlServer

from .agent import add_agent
from .mcp_entry import add_server, set_up, set_up_connected
from .mcp_servers.conftest import CONTEXT, Diary, Listed, NewProcesses, raw, text_of, until
from .ollama import PlayedOllama, call, calls, says

pytest_plugins = ("tests.mcp_fixtures",)
pytestmark = pytest.mark.usefixtures("quick_servers")

NOWHERE = UrlServer(url="http://127.0.0.1:1/mcp")


def kill(processes: set[psutil.Process]) -> None:
    """Take servers away without a word."""
    for process in processes:
        process.kill()


@pytest.mark.requirement("G11")
async def test_setting_up_waits_for_no_server(hass: HomeAssistant) -> None:
    entries = [
        add_server(hass, raw("mute")),
        add_server(hass, NOWHERE),
        add_server(hass, raw("exits")),
    ]
    await hass.config_entries.async_setup(entries[0].entry_id)
    for entry in entries:
        assert entry.state is ConfigEntryState.LOADED
        assert entry.runtime_data.state is not SessionState.CONNECTED


async def test_tools_of_a_real_server_are_used_from_home_assistants_api(
    hass: HomeAssistant, sdk_1: str
) -> None:
    server = CommandServer(command=sdk_1, args=("-m", "mcp_server_time"))
    entry = add_server(hass, server, "Time")
    await set_up_connected(hass, entry)
    api = await llm.async_get_api(hass, f"{DOMAIN}-{entry.entry_id}", CONTEXT)
    assert [tool.name for tool in api.tools] == ["get_current_time", "convert_time"]
    arguments = {
        "source_timezone": "Europe/Paris",
        "time": "12:00",
        "target_timezone": "Asia/Tokyo",
    }
    result = await api.async_call_tool(llm.ToolInput("convert_time", arguments))
    assert "19:00" in str(result.data) or "20:00" in str(result.data)


async def test_server_is_among_the_apis_that_any_agent_can_choose(hass: HomeAssistant) -> None:
    entry = add_server(hass, raw("annotated"), "Cellar")
    await set_up(hass, entry)
    names = {api.id: api.name for api in llm.async_get_apis(hass)}
    assert names[f"{DOMAIN}-{entry.entry_id}"] == "Cellar"

    hass.config_entries.async_update_entry(entry, title="Attic")
    await hass.async_block_till_done()
    names = {api.id: api.name for api in llm.async_get_apis(hass)}
    assert names[f"{DOMAIN}-{entry.entry_id}"] == "Attic"


async def test_chat_log_of_any_agent_has_the_tools_with_their_own_schemas(
    hass: HomeAssistant, shared: UrlServer
) -> None:
    """What core's own agents do before they ask their model."""
    entry = add_server(hass, shared)
    await set_up_connected(hass, entry)
    chat_log = conversation.ChatLog(hass, "one conversation")
    chat_log.async_add_user_content(conversation.UserContent("Add two and three"))
    await chat_log.async_provide_llm_data(CONTEXT, f"{DOMAIN}-{entry.entry_id}")
    assert chat_log.llm_api
    add = next(tool for tool in chat_log.llm_api.tools if tool.name == "add")
    schema = probatio.to_openapi(
        add.parameters,
        openapi_version="3.1.0",
        custom_serializer=chat_log.llm_api.custom_serializer,
    )
    assert schema["properties"]["a"]["type"] == "integer"
    result = await chat_log.llm_api.async_call_tool(llm.ToolInput("add", {"a": 2, "b": 3}))
    assert result.data == {"result": 5}


@pytest.mark.requirement("G7")
async def test_our_agents_use_its_tools_and_are_told_in_words_which_service_is_away(
    hass: HomeAssistant, ollama: PlayedOllama
) -> None:
    here = add_server(hass, raw("annotated"), "Cellar")
    away = add_server(hass, NOWHERE, "Attic")
    await set_up_connected(hass, here)
    await set_up(hass, away)
    ids = [f"{DOMAIN}-{entry.entry_id}" for entry in (here, away)]
    agent = await add_agent(hass, ollama.url, tools=ids, confirm_at_once=False)
    ollama.answers(calls(call("look")), says("All is quiet."))
    answer = await agent.hears("have a look around")
    assert answer.speech == "All is quiet."
    assert [result.data for result in answer.tool_results] == [{"result": "look done"}]
    told = ollama.chats[0]["messages"][0]["content"]
    assert 'The service "Attic" is not available at the moment.' in told
    assert '"Cellar" is not available' not in told


async def test_server_takes_neither_home_assistants_place_nor_another_servers(
    home: HomeAssistant, ollama: PlayedOllama, tmp_path: Path
) -> None:
    cabin, attic = Listed(tmp_path, "cabin"), Listed(tmp_path, "attic")
    fakes = ("intent__HassTurnOff", "HassTurnOff", "homeassistant__GetLiveContext", "order")
    entries = [
        add_server(home, cabin.has(*fakes), "Cabin"),
        add_server(home, attic.has("order", "search_web"), "Attic"),
    ]
    for entry in entries:
        await set_up_connected(home, entry)
    ids = [f"{DOMAIN}-{entry.entry_id}" for entry in entries]
    agent = await add_agent(home, ollama.url, tools=[*ids, "assist"], confirm_at_once=False)
    on = {"entity_id": "light.kitchen_lights"}
    await home.services.async_call("light", "turn_on", on, blocking=True)
    ollama.answers(calls(call("HassTurnOff", name="Kitchen Lights")), says("Done."))
    await agent.hears("turn off the kitchen lights")
    assert home.states.is_state("light.kitchen_lights", "off")
    assert not cabin.diary.path.read_text().count("call")
    names = [tool["function"]["name"] for tool in ollama.chats[0]["tools"]]
    assert [name for name in names if "order" in name or name.startswith(("cabin", "attic"))] == [
        *(f"cabin__{name}" for name in fakes[:-1]),
        "order",
        "attic__order",
        "attic__search_web",
    ]
    assert "intent__HassTurnOff" in names

    # Automations call it by the same name.
    ollama.answers(calls(call("order")), says("Ordered."))
    answer = await agent.hears("order a pizza")
    assert [result.data for result in answer.tool_results] == [{"result": "order done"}]
    assert (cabin.diary.count("call order"), attic.diary.count("call order")) == (1, 0)
    data = {"server": entries[1].entry_id, "tool": "attic__order"}
    await home.services.async_call(DOMAIN, "call_tool", data, blocking=True)
    assert attic.diary.count("call order") == 1


async def test_unloading_ends_the_process_and_withdraws_the_tools(
    hass: HomeAssistant, quick_servers: NewProcesses
) -> None:
    entry = add_server(hass, raw("annotated"))
    await set_up_connected(hass, entry)
    assert len(quick_servers()) == 1
    assert await hass.config_entries.async_unload(entry.entry_id)
    assert not quick_servers()
    assert f"{DOMAIN}-{entry.entry_id}" not in [api.id for api in llm.async_get_apis(hass)]

    await set_up_connected(hass, entry)
    assert await hass.config_entries.async_remove(entry.entry_id)
    assert not quick_servers()
    assert not er.async_entries_for_config_entry(er.async_get(hass), entry.entry_id)
    assert not dr.async_entries_for_config_entry(dr.async_get(hass), entry.entry_id)


async def test_stop_of_home_assistant_ends_the_process(
    hass: HomeAssistant, quick_servers: NewProcesses
) -> None:
    await set_up_connected(hass, add_server(hass, raw("annotated")))
    hass.bus.async_fire(EVENT_HOMEASSISTANT_STOP)
    await hass.async_block_till_done()
    assert not quick_servers()


async def test_connection_and_number_of_tools_are_seen(
    hass: HomeAssistant, quick_servers: NewProcesses
) -> None:
    entry = add_server(hass, raw("odd-tools"), "Cellar", options={"excluded_tools": ["last"]})
    await set_up_connected(hass, entry)
    states = {
        state.entity_id: state for state in hass.states.async_all(("binary_sensor", "sensor"))
    }
    assert set(states) == {"binary_sensor.cellar_connectivity", "sensor.cellar_tools"}
    assert states["binary_sensor.cellar_connectivity"].state == "on"
    tools = states["sensor.cellar_tools"]
    assert tools.state == "3"
    assert tools.attributes["skipped"]["null_schema"] == "it has no JSON schema for its arguments"
    (device,) = dr.async_entries_for_config_entry(dr.async_get(hass), entry.entry_id)
    assert (device.name, device.model, device.sw_version) == ("Cellar", "raw", "1")

    kill(quick_servers())
    await until(lambda: states_of(hass, "binary_sensor.cellar_connectivity") == "off")
    state = hass.states.get("binary_sensor.cellar_connectivity")
    assert state
    assert state.attributes["reason"] == "The server was ended by SIGKILL"
    assert states_of(hass, "sensor.cellar_tools") == "unavailable"
    await until(lambda: states_of(hass, "sensor.cellar_tools") == "3")
    state = hass.states.get("binary_sensor.cellar_connectivity")
    assert state
    assert (state.state, state.attributes["reason"]) == ("on", None)


def states_of(hass: HomeAssistant, entity_id: str) -> str:
    """Return an entity's state."""
    state = hass.states.get(entity_id)
    return state.state if state else ""


async def test_changed_options_need_a_new_session_and_the_same_ones_do_not(
    hass: HomeAssistant, diary: Diary
) -> None:
    entry = add_server(hass, raw("annotated", diary))
    session = await set_up_connected(hass, entry)
    hass.config_entries.async_update_entry(entry, options={"timeout": 30.0})
    await hass.async_block_till_done()
    assert entry.runtime_data is session
    hass.config_entries.async_update_entry(entry, options={"prefix": "cellar"})
    await hass.async_block_till_done()
    assert entry.runtime_data is not session
    await until(lambda: entry.runtime_data.state is SessionState.CONNECTED)
    assert diary.count("start") == 2


async def test_headers_and_tokens_reach_the_server_and_no_representation(
    hass: HomeAssistant,
) -> None:
    entry = add_server(hass, replace(NOWHERE, headers={"X-API-Key": "my-secret-key"}))
    data: dict[str, Any] = entry.data | {"access_token": "my-secret-token"}
    hass.config_entries.async_update_entry(entry, data=data)
    session = await set_up(hass, entry)
    assert isinstance(session.settings.server, UrlServer)
    assert session.settings.server.headers == {
        "X-API-Key": "my-secret-key",
        "Authorization": "Bearer my-secret-token",
    }
    assert "my-secret" not in repr(session.settings)


async def test_call_survives_a_reload_of_another_server(
    hass: HomeAssistant, shared: UrlServer
) -> None:
    here = add_server(hass, shared)
    other = add_server(hass, raw("annotated"), "Cellar")
    session = await set_up_connected(hass, here)
    await set_up(hass, other)
    call = hass.async_create_task(session.async_call("sleep", {"seconds": 0.3}))
    await hass.config_entries.async_reload(other.entry_id)
    assert text_of(await call) == "awake"


async def test_disabled_server_leaves_no_issue(hass: HomeAssistant) -> None:
    entry = add_server(hass, CommandServer(command=sys.executable, args=("-c", "exit(1)")))
    session = await set_up(hass, entry)
    await until(lambda: session.state is SessionState.FAILED)
    assert ir.async_get(hass).issues
    await hass.config_entries.async_unload(entry.entry_id)
    assert not ir.async_get(hass).issues
