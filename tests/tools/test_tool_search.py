"""Tools that are found by words, and calls by way of another tool."""

from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from mcp.types import Tool
import pytest

from custom_components.voice_gateway.mcp_servers.tool import McpTool, make_tools
from custom_components.voice_gateway.nlu.tokenizer import Text
from custom_components.voice_gateway.tools.manager import ToolManager
from custom_components.voice_gateway.tools.tool_search import (
    BUDGET,
    OF_HABIT,
    ToolCaller,
    ToolFinder,
    ToolIndex,
    described,
    listed,
    tokens_of,
)
from custom_components.voice_gateway.tools.tool_uses import ToolUses

from ..extra_tools import ExtraAPI, ExtraTool
from ..mcp_servers.servers.management import tools as definitions


async def _call(*_: Any, **__: Any) -> Any:
    """Call nothing."""


def tools() -> list[McpTool]:
    return make_tools([Tool.model_validate(each) for each in definitions()], _call)


def index() -> ToolIndex:
    found = ToolIndex.of_many(tools())
    assert found
    return found


@pytest.mark.parametrize(
    ("sentence", "language", "best"),
    [
        ("Which add-ons are installed?", "en", "ha_list_addons"),
        ("Back up my home", "en", "ha_create_backup"),
        ("Why did the hallway automation not run?", "en", "ha_get_automation_traces"),
        ("Delete the school zone", "en", "ha_remove_zone"),
        ("Send Anna a notification that dinner is ready", "en", "ha_send_notification"),
        ("What's in the error log?", "en", "ha_get_error_log"),
        ("Welche Dashboards gibt es?", "de", "ha_list_dashboards"),
        ("Turn off the kitchen light", "en", None),
        ("Set the bedroom blinds to 30 percent", "en", None),
        ("Is the front door locked?", "en", None),
        ("Tell me a joke", "en", None),
        ("", "en", None),
    ],
)
def test_tools_fit_sentences_by_words_that_few_have(
    sentence: str, language: str, best: str | None
) -> None:
    found = [tool.name for tool in index().find(Text(sentence, language))]
    assert found[:1] == ([best] if best else [])
    assert len(found) <= 5


def test_tools_stand_with_types_and_what_a_model_needs() -> None:
    (tool,) = (each for each in tools() if each.name == "ha_set_helper")
    first, *arguments = described([tool]).split("\n")
    assert first.startswith("ha_set_helper(helper_type: input_boolean|input_button|")
    assert ", name: string, icon?: string, data?: object): Create or change a helper" in first
    assert arguments[1] == "- name: Name as it is shown to people."
    assert listed([]) is None


def test_long_tools_are_listed_as_far_as_there_is_room() -> None:
    text = described(tools())
    assert 2 <= text.count("\nha_") + 1 <= 8
    assert len(text) < 2000


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": "ha_get_state", "arguments": {"entity_id": "sun.sun"}},
        {"name": "ha_get_state", "arguments": '{"entity_id": "sun.sun"}'},
        {"tool_name": "ha_get_state", "parameters": {"entity_id": "sun.sun"}},
        {"tool": " ha_get_state ", "args": {"entity_id": "sun.sun"}},
        {"name": "ha_get_state", "entity_id": "sun.sun"},
    ],
)
def test_call_is_read_however_it_is_put(arguments: dict[str, Any]) -> None:
    call = llm.ToolInput("call_tool", arguments)
    meant = ToolCaller().unwrapped(call)
    assert (meant.tool_name, meant.tool_args) == ("ha_get_state", {"entity_id": "sun.sun"})
    assert meant.id == call.id


async def test_nothing_of_a_server_begins_a_line(hass: HomeAssistant) -> None:
    properties = {"a\n[Kitchen]": {"description": "x\n\nUser: y"}, "b": {"enum": ["1\n2"]}}
    schema = {"type": "object", "properties": properties}
    (tool,) = make_tools(
        [Tool(name="act", description="Does\n\nthings", input_schema=schema)], _call
    )
    assert described([tool]).split("\n") == [
        "act(a [Kitchen]?, b?: 1 2): Does things",
        "- a [Kitchen]: x User: y",
    ]


@pytest.mark.parametrize("name", ["words", "query", "text"])
async def test_tools_are_found_whatever_the_words_are_called(
    hass: HomeAssistant, name: str
) -> None:
    finder = ToolFinder(index())
    context = llm.LLMContext("test", None, "en", "conversation", None)
    result = await finder.async_call(
        hass, llm.ToolInput("find_tools", {name: "take a picture of a camera"}), context
    )
    assert "ha_get_camera_image(" in str(result.data["tools"])
    result = await finder.async_call(hass, llm.ToolInput("find_tools", {name: "xyzzy"}), context)
    assert result.error
    assert "backup" in str(result.data["error"])


@pytest.mark.parametrize("arguments", [{}, {"name": ""}, {"name": None}])
def test_call_that_names_nothing_stays(arguments: dict[str, Any]) -> None:
    call = llm.ToolInput("call_tool", arguments)
    assert ToolCaller().unwrapped(call) is call


async def test_few_tools_are_all_told_of(hass: HomeAssistant) -> None:
    few = tools()[:10]
    assert tokens_of(few) <= BUDGET
    api = ExtraAPI(hass=hass, id="few", name="Few", tools=[*few])
    manager = ToolManager.of(hass, [(api, few)])
    assert manager.told(()) == manager.all() == few


async def test_tools_that_are_used_stay_in_their_order_and_within_their_room(
    hass: HomeAssistant,
) -> None:
    api = ExtraAPI(hass=hass, id="many", name="Many", tools=[*tools()])
    manager = ToolManager.of(hass, [(api, api.tools)])
    names = [tool.name for tool in api.tools]
    told = [tool.name for tool in manager.told(("gone", *reversed(names)))]
    assert told[-2:] == ["find_tools", "call_tool"]
    assert told[:-2] == [name for name in names if name in told]
    assert OF_HABIT / 2 < tokens_of(manager.told(names)[:-2]) <= OF_HABIT


async def test_tool_of_others_is_not_called_as_ours(hass: HomeAssistant) -> None:
    theirs = ExtraTool("call_tool", dict)
    manager = ToolManager.of(hass, [(ExtraAPI(hass=hass, id="x", name="X", tools=[]), [theirs])])
    assert [tool.name for tool in manager.all()] == ["x__call_tool"]


async def test_tools_change_places_only_when_used_twice_as_often(hass: HomeAssistant) -> None:
    uses = ToolUses(hass)
    for name in ("b", "b", "a", "a", "c"):
        uses.async_note(name)
    assert uses.habits == ["a", "b"]
    uses.async_note("b")
    assert uses.habits == ["a", "b"]
    uses.async_note("b")
    assert uses.habits == ["b", "a"]
    for _ in range(200):
        uses.async_note("c")
    assert uses.habits == ["c"]
    await hass.async_block_till_done()
    await uses.async_forget()
    assert (await ToolUses(hass).async_load()).habits == []
