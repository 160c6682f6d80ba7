"""Any MCP tool from automations and scripts."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError, ServiceValidationError, Unauthorized
from homeassistant.helpers import device_registry as dr, llm
from homeassistant.helpers.translation import async_get_translations
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockUser  # type: ignore[import-untyped]

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.mcp_servers.settings import UrlServer

from .mcp_entry import add_server, set_up, set_up_connected
from .mcp_servers.conftest import TIMINGS, Listed, raw

pytest_plugins = ("tests.mcp_fixtures",)
pytestmark = pytest.mark.usefixtures("quick_servers")

ARGUMENTS = {"add": {"a": 1, "b": 1}, "echo": {"text": "hi"}, "my_echo": {"text": "hi"}}


async def call(hass: HomeAssistant, server: str, tool: str, **arguments: Any) -> Any:
    """Call a tool by the action."""
    data = {"server": server, "tool": tool, "arguments": arguments}
    return await hass.services.async_call(
        DOMAIN, "call_tool", data, blocking=True, return_response=True
    )


@pytest.fixture
async def entry(hass: HomeAssistant, shared: UrlServer) -> Any:
    """Return the entry of an ordinary server that is connected."""
    entry = add_server(hass, shared, options={"prefix": "my", "excluded_tools": ["echo"]})
    await set_up_connected(hass, entry)
    return entry


async def test_tool_is_called_by_entry_or_device_and_by_either_name(
    hass: HomeAssistant, entry: Any
) -> None:
    (device,) = dr.async_entries_for_config_entry(dr.async_get(hass), entry.entry_id)
    for server in (entry.entry_id, device.id):
        for tool in ("add", "my_add"):
            result = await call(hass, server, tool, a="2", b=3)
            assert result == {"text": "5", "data": {"result": 5}}
    # What agents may not use, automations may.
    assert (await call(hass, entry.entry_id, "echo", text="hi"))["text"] == "hi"
    picture = await call(hass, entry.entry_id, "picture")
    assert picture["text"] == ""
    assert picture["content"][0]["mimeType"] == "image/png"


async def test_tool_that_came_a_moment_ago_is_found(hass: HomeAssistant, tmp_path: Path) -> None:
    server = Listed(tmp_path)
    entry = add_server(hass, server.has("one", mode="silent"), options={"only_agents_tools": False})
    await set_up_connected(hass, entry)
    server.has("one", "two", mode="silent")
    assert (await call(hass, entry.entry_id, "two"))["text"] == "two done"


async def test_result_is_not_cut(hass: HomeAssistant, entry: Any) -> None:
    result = await call(hass, entry.entry_id, "echo", text="x" * 1000, times=100)
    assert len(result["text"]) == 100_000


async def test_script_uses_a_tools_result(hass: HomeAssistant, entry: Any) -> None:
    action = {
        "action": f"{DOMAIN}.call_tool",
        "data": {
            "server": "{{ device_id('binary_sensor.everyday_connectivity') }}",
            "tool": "add",
            "arguments": {"a": 20, "b": "{{ 11 * 2 }}"},
        },
        "response_variable": "sum",
    }
    said = {"stop": "done", "response_variable": "sum"}
    assert await async_setup_component(
        hass, "script", {"script": {"sum": {"sequence": [action, said]}}}
    )
    result: Any = await hass.services.async_call(
        "script", "sum", blocking=True, return_response=True
    )
    assert result["text"] == "42"


async def test_tools_own_failure_is_said_word_for_word(hass: HomeAssistant, entry: Any) -> None:
    with pytest.raises(
        HomeAssistantError, match="fail of Everyday failed: Error executing tool fail"
    ):
        await call(hass, entry.entry_id, "fail", reason="out of milk")


async def test_wrong_arguments_are_said_in_the_servers_words(
    hass: HomeAssistant, entry: Any
) -> None:
    with pytest.raises(HomeAssistantError, match=r"(?s)add of Everyday failed: .*b\b.*required"):
        await call(hass, entry.entry_id, "add", a=1)


async def test_unknown_tool_is_said_with_those_that_exist(hass: HomeAssistant, entry: Any) -> None:
    with pytest.raises(ServiceValidationError, match=r"has no tool subtract\. It has: add, echo"):
        await call(hass, entry.entry_id, "subtract")


@pytest.mark.parametrize("server", ["nobody", "ollama"])
async def test_what_is_no_mcp_server_is_said(hass: HomeAssistant, entry: Any, server: str) -> None:
    with pytest.raises(ServiceValidationError, match=f"There is no MCP server {server}"):
        await call(hass, server, "add")


async def test_tools_are_for_those_who_may_control(
    hass: HomeAssistant, entry: Any, hass_read_only_user: MockUser, hass_admin_user: MockUser
) -> None:
    """Agents may not use `echo`: without a user, or as an administrator, one may call it."""
    user = MockUser(groups=[await hass.auth.async_get_group("system-users")]).add_to_hass(hass)

    async def calls(user: MockUser | None, tool: str) -> Any:
        context = Context(user_id=user.id if user else None)
        data = {"server": entry.entry_id, "tool": tool, "arguments": ARGUMENTS[tool]}
        return await hass.services.async_call(
            DOMAIN, "call_tool", data, blocking=True, return_response=True, context=context
        )

    async def ask(user: MockUser) -> llm.ToolResult:
        context = llm.LLMContext("test", Context(user_id=user.id), "en", "conversation", None)
        (tool,) = (each for each in entry.runtime_data.tools if each.original_name == "add")
        made = llm.ToolInput("my_add", {"a": 1, "b": 1})
        result: llm.ToolResult = await tool.async_call(hass, made, context)
        return result

    for who in (None, hass_admin_user, user):
        assert (await calls(who, "add"))["text"] == "2"
    for who in (None, hass_admin_user):
        assert (await calls(who, "echo"))["text"] == "hi"
    for tool in ("echo", "my_echo"):
        with pytest.raises(ServiceValidationError, match="is not one of the tools that agents may"):
            await calls(user, tool)
    for tool in ARGUMENTS:
        with pytest.raises(Unauthorized):
            await calls(hass_read_only_user, tool)
    with pytest.raises(Unauthorized):
        await calls(MockUser(), "add")
    assert (await ask(user)).data == {"result": 2}
    with pytest.raises(Unauthorized):
        await ask(hass_read_only_user)

    hass.config_entries.async_update_entry(
        entry, options=entry.options | {"only_agents_tools": True}
    )
    await hass.async_block_till_done()
    for who in (None, hass_admin_user):
        assert (await calls(who, "add"))["text"] == "2"
        with pytest.raises(ServiceValidationError, match="is not one of the tools that agents may"):
            await calls(who, "echo")


async def test_server_that_is_not_set_up_is_said(hass: HomeAssistant, entry: Any) -> None:
    await hass.config_entries.async_unload(entry.entry_id)
    with pytest.raises(ServiceValidationError, match="Everyday is not set up"):
        await call(hass, entry.entry_id, "add")


async def test_server_that_is_away_is_said(hass: HomeAssistant) -> None:
    entry = add_server(hass, UrlServer(url="http://127.0.0.1:1/mcp"), "Attic")
    session = await set_up(hass, entry)
    session.settings = replace(session.settings, timings=replace(TIMINGS, wait=0.1))
    with pytest.raises(HomeAssistantError, match="Attic is not available at the moment: No connec"):
        await call(hass, entry.entry_id, "add")


async def test_call_right_after_the_start_waits_for_the_server(
    hass: HomeAssistant, shared: UrlServer
) -> None:
    entry = add_server(hass, shared)
    await hass.config_entries.async_setup(entry.entry_id)
    assert (await call(hass, entry.entry_id, "add", a=1, b=1))["text"] == "2"


@pytest.mark.parametrize(
    ("tool", "words"),
    [
        ("act", "was lost during act: .*It may or may not have been carried out"),
        ("hang", "did not answer hang in time: .*It may still be working"),
    ],
)
async def test_call_that_may_have_been_carried_out_is_said_to_be_so(
    hass: HomeAssistant, tool: str, words: str
) -> None:
    entry = add_server(hass, raw("dies-in-call"), options={"timeout": 0.3})
    await set_up_connected(hass, entry)
    with pytest.raises(HomeAssistantError, match=words):
        await call(hass, entry.entry_id, tool)


async def test_rejected_call_is_said_in_the_servers_words(hass: HomeAssistant) -> None:
    entry = add_server(hass, raw("annotated"))
    await set_up_connected(hass, entry)
    session = entry.runtime_data
    session.tools[0].original_name = "unknown"
    with pytest.raises(HomeAssistantError, match="Everyday refused unknown: Unknown tool: unknown"):
        await call(hass, entry.entry_id, "unknown")


async def test_action_is_there_without_servers_and_described(hass: HomeAssistant) -> None:
    assert await async_setup_component(hass, DOMAIN, {})
    assert hass.services.has_service(DOMAIN, "call_tool")
    texts = await async_get_translations(hass, "en", "services", [DOMAIN])
    for field in ("server", "tool", "arguments"):
        assert texts[f"component.{DOMAIN}.services.call_tool.fields.{field}.name"]
