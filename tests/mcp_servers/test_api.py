"""A server's tools as an LLM API, for any agent of Home Assistant."""

from homeassistant.components.ollama import entity as ollama
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
import psutil  # type: ignore[import-untyped]
import pytest

from custom_components.voice_gateway.mcp_servers.entry import McpAPI
from custom_components.voice_gateway.mcp_servers.session import McpSession, SessionState
from custom_components.voice_gateway.mcp_servers.settings import (
    ServerSettings,
    ToolSelection,
    UrlServer,
)

from .conftest import CONTEXT, TIMINGS, StartSession, everyday, raw, text_of, until
from .servers import HttpProcess
from .servers.shapes import SHAPES


async def api_of(hass: HomeAssistant, session: McpSession, name: str = "Everyday") -> llm.API:
    """Register the tools of a connected session as an API."""
    await until(lambda: session.state is SessionState.CONNECTED)
    api = McpAPI(hass=hass, id=f"test-{name}", name=name, session=session)
    llm.async_register_api(hass, api)
    return api


async def test_agents_get_tools_instructions_and_results(
    hass: HomeAssistant, start_session: StartSession
) -> None:
    api = await api_of(hass, start_session(everyday()))
    instance = await llm.async_get_api(hass, api.id, CONTEXT)
    assert instance.api_prompt == (
        'These tools are from the service "Everyday". Its instructions:\n'
        "Use `add` for sums; never add yourself."
    )
    assert "add" in [tool.name for tool in instance.tools]
    result = await instance.async_call_tool(llm.ToolInput("add", {"a": "2", "b": 3}))
    assert result == llm.ToolResult(data={"result": 5})
    result = await instance.async_call_tool(llm.ToolInput("add", {"a": "two", "b": 3}))
    assert result.error
    assert "Input should be a valid integer" in str(result.data["error"])


async def test_schemas_are_exact_for_other_agents(
    hass: HomeAssistant, start_session: StartSession
) -> None:
    api = await api_of(hass, start_session(raw("shapes")))
    instance = await llm.async_get_api(hass, api.id, CONTEXT)
    seen = {
        tool.name: ollama._format_tool(tool, instance.custom_serializer)["function"]["parameters"]
        for tool in instance.tools
    }
    always = {"type": "object", "properties": {}}
    assert seen == {name: always | schema for name, schema in SHAPES.items()}


@pytest.mark.parametrize("ours_comes_first", [True, False])
@pytest.mark.requirement("A8")
async def test_tools_are_used_together_with_those_of_assist(
    hass: HomeAssistant, start_session: StartSession, ours_comes_first: bool
) -> None:
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "llm", {})
    api = await api_of(hass, start_session(everyday()))
    ids = [api.id, llm.LLM_API_ASSIST] if ours_comes_first else [llm.LLM_API_ASSIST, api.id]
    instance = await llm.async_get_api(hass, ids, CONTEXT)
    assert {"add", "llm__GetDateTime"} <= {tool.name for tool in instance.tools}
    add = next(tool for tool in instance.tools if tool.name == "add")
    seen = ollama._format_tool(add, instance.custom_serializer)["function"]["parameters"]
    types = {name: part["type"] for name, part in seen["properties"].items()}
    assert types == {"a": "integer", "b": "integer"}
    assert seen["required"] == ["a", "b"]
    result = await instance.async_call_tool(llm.ToolInput("add", {"a": 2, "b": 3}))
    assert result.data == {"result": 5}


async def test_same_tools_of_two_servers_are_told_apart(
    hass: HomeAssistant, start_session: StartSession
) -> None:
    one = await api_of(hass, start_session(raw("good")), "One")
    two = await api_of(hass, start_session(raw("good")), "Two")
    instance = await llm.async_get_api(hass, [one.id, two.id], CONTEXT)
    processes = {
        (await instance.async_call_tool(llm.ToolInput(f"test-{name}__process", {}))).data["result"]
        for name in ("one", "two")
    }
    assert len(processes) == 2


async def test_tools_that_the_user_left_out_are_not_offered(
    hass: HomeAssistant, start_session: StartSession
) -> None:
    session = start_session(
        raw("good"), choice=ToolSelection(unticked=("hang", "act")), prefix="raw"
    )
    api = await api_of(hass, session)
    instance = await llm.async_get_api(hass, api.id, CONTEXT)
    assert [tool.name for tool in instance.tools] == ["raw_ping_me", "raw_process", "raw_count"]


async def test_tools_are_offered_for_a_while_after_the_server_went_down_then_left_out(
    hass: HomeAssistant, start_session: StartSession, http_server: HttpProcess
) -> None:
    session = start_session(UrlServer(url=http_server.url), timings={"grace": 0.5, "wait": 0.1})
    api = await api_of(hass, session)
    http_server.kill()
    await until(lambda: session.state is not SessionState.CONNECTED)
    instance = await llm.async_get_api(hass, api.id, CONTEXT)
    assert instance.tools
    assert "not available" not in instance.api_prompt

    await until(lambda: not session.is_offered)
    assert "add" in session.names
    instance = await llm.async_get_api(hass, api.id, CONTEXT)
    assert instance.tools == []
    assert instance.api_prompt == (
        'The service "Everyday" is not available at the moment. If it is needed, say so; do not '
        "answer in its place and do not pretend to have used it."
    )

    http_server.restart()
    await until(lambda: session.state is SessionState.CONNECTED)
    assert (await llm.async_get_api(hass, api.id, CONTEXT)).tools


async def test_call_made_from_tools_offered_before_the_end_reaches_the_new_process(
    hass: HomeAssistant, start_session: StartSession
) -> None:
    session = start_session(raw("good"))
    api = await api_of(hass, session)
    instance = await llm.async_get_api(hass, api.id, CONTEXT)
    first = int(text_of(await session.async_call("process", {})))
    psutil.Process(first).kill()
    await until(lambda: session.state is not SessionState.CONNECTED)
    result = await instance.async_call_tool(llm.ToolInput("process", {}))
    assert int(str(result.data["result"])) != first


async def test_server_that_was_never_there_is_named_as_unavailable(hass: HomeAssistant) -> None:
    session = McpSession(hass, ServerSettings(name="Test", server=raw("good"), timings=TIMINGS))
    api = McpAPI(hass=hass, id="test", name="Weather", session=session)
    instance = await api.async_get_api_instance(CONTEXT)
    assert instance.tools == []
    assert 'The service "Weather" is not available' in instance.api_prompt


async def test_long_instructions_are_cut_visibly(
    hass: HomeAssistant, start_session: StartSession
) -> None:
    session = start_session(raw("good"))
    api = await api_of(hass, session)
    session.instructions = "Read this. " * 1000
    prompt = (await llm.async_get_api(hass, api.id, CONTEXT)).api_prompt
    assert prompt.endswith("[…]")
    assert len(prompt) < 2200
    session.instructions = None
    prompt = (await llm.async_get_api(hass, api.id, CONTEXT)).api_prompt
    assert prompt == 'These tools are from the service "Everyday".'
