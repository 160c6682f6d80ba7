"""A server's tools as agents see them."""

import logging
import re
import sys
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm
from homeassistant.setup import async_setup_component
from hypothesis import given, strategies as st
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, Tool, ToolAnnotations
import pytest

from custom_components.voice_gateway.arguments import correct_for
from custom_components.voice_gateway.mcp_servers.names import Naming
from custom_components.voice_gateway.mcp_servers.session import SessionState
from custom_components.voice_gateway.mcp_servers.tool import DESCRIPTION_LENGTH, McpTool, make_tools
from custom_components.voice_gateway.zwave.networks import SYNONYMS

from .conftest import CONTEXT, StartSession, everyday, until
from .servers import EVERYDAY

SCHEMA = {"type": "object", "properties": {}}


async def no_call(name: str, arguments: dict[str, object]) -> CallToolResult:
    raise AssertionError(name)


def tools(*names: str, prefix: str = "") -> list[McpTool]:
    definitions = [Tool(name=name, input_schema=SCHEMA) for name in names]
    return make_tools(definitions, no_call, naming=Naming(prefix=prefix))


def described(**rest: object) -> McpTool:
    definition = {"name": "get_weather", "inputSchema": SCHEMA, **rest}
    [tool] = make_tools([Tool.model_validate(definition)], no_call)
    return tool


@given(st.lists(st.text(min_size=1, max_size=150), unique=True), st.sampled_from(["", "my", "mé"]))
def test_names_are_taken_by_every_provider_and_lead_back_to_the_servers(
    names: list[str], prefix: str
) -> None:
    made = tools(*names, prefix=prefix)
    assert [tool.original_name for tool in made] == names
    assert len({tool.name for tool in made}) == len(names)
    assert all(re.fullmatch("[A-Za-z0-9_-]{1,64}", tool.name) for tool in made)


def test_names_stay_as_they_are_as_far_as_they_can() -> None:
    safe = ("get_weather", "get-weather", "x" * 64)
    assert tuple(tool.name for tool in tools(*safe)) == safe
    assert [tool.name for tool in tools("forecast", prefix="weather")] == ["weather_forecast"]
    # A changed one does not depend on the others.
    long = "x" * 100
    assert tools(long)[0].name == tools("a", "b", long)[2].name


OWN = (
    "intent__HassTurnOff",
    "HassTurnOff",
    "hassturnoff",
    "intent_HassTurnOff",
    "intent.HassTurnOff",
    "homeassistant__GetLiveContext",
    "todo__get_items",
    "assist__intent__HassTurnOn",
    "HassThatComesLater",
)


async def test_tool_is_never_called_as_home_assistant_calls_its_own(hass: HomeAssistant) -> None:
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "intent", {})
    intent.async_register(hass, OwnIntent())
    definitions = [Tool(name=name, input_schema=SCHEMA) for name in OWN]
    for title, prefix, front in (
        ("Cabin", "", "cabin__"),
        ("Cabin", "home", "home_"),
        # A server chooses its title: it does not become Home Assistant's by it.
        ("Intent", "", "intent_mcp__"),
        ("Cabin", "intent", "intent_mcp__"),
        ("", "", "mcp__"),
        ("Ein sehr langer Name, länger als nötig", "", "ein_sehr_langer_name_lan__"),
    ):
        made = make_tools(definitions, no_call, naming=Naming.of(hass, title, prefix))
        assert [tool.name.startswith(front) for tool in made] == [True] * len(definitions)
        assert all(re.fullmatch("[A-Za-z0-9_-]{1,64}", tool.name) for tool in made)
    for prefix, name in (("", "intent_nevermind"), ("", "NEVERMIND"), ("intent", "nevermind")):
        [one] = make_tools(
            [Tool(name=name, input_schema=SCHEMA)],
            no_call,
            naming=Naming.of(hass, "Cabin", prefix),
        )
        assert one.name in (f"cabin__{name}", f"intent_mcp__{name}")
    plain = [Tool(name=name, input_schema=SCHEMA) for name in ("hass_states", "chassis", "turn_on")]
    made = make_tools(plain, no_call, naming=Naming.of(hass, "Cabin"))
    assert [tool.name for tool in made] == ["hass_states", "chassis", "turn_on"]


class OwnIntent(intent.IntentHandler):
    """An intent that somebody brought along."""

    intent_type = "Nevermind"


@pytest.mark.requirement("A13")
def test_first_of_two_tools_of_a_name_is_kept(
    caplog: pytest.LogCaptureFixture,
) -> None:
    definitions = [
        Tool(name=name, description=description, input_schema=SCHEMA)
        for name, description in (("a", "first"), ("b", "other"), ("a", "later"))
    ]
    made = make_tools(definitions, no_call)
    assert [(tool.name, tool.description) for tool in made] == [("a", "first"), ("b", "other")]
    assert [record.levelno for record in caplog.records] == [logging.WARNING]


@pytest.mark.parametrize(
    ("words", "cut"),
    [
        ("Tells the weather.\n\nArgs:\n    city: where", None),
        ("Tells the weather. " * 100, "Tells the weather. […]"),
        ("word " * 1000, " […]"),
        ("x" * 5000, "x […]"),
        # Not all is thrown away behind a short sentence.
        (f"Short. {'word ' * 1000}", " […]"),
    ],
)
def test_long_description_is_cut_between_sentences_or_words_if_it_can(
    words: str, cut: str | None
) -> None:
    description = described(description=words).description or ""
    assert description.endswith(cut or words)
    if cut:
        assert DESCRIPTION_LENGTH / 2 < len(description) <= DESCRIPTION_LENGTH + 4


def test_what_a_tool_lacks_is_taken_from_its_other_words() -> None:
    for nothing in ("", None, "  "):
        assert described(description=nothing, title="Weather").description == "Weather"
        assert described(description=nothing).description == "Get weather"
    assert described(annotations={"title": "Weather"}).title == "Weather"
    assert described(title="Now", annotations={"title": "Weather"}).title == "Now"


@pytest.mark.parametrize(
    ("declared", "annotations"),
    [
        (None, llm.ToolAnnotations()),
        (ToolAnnotations(), llm.ToolAnnotations()),
        (
            ToolAnnotations(read_only_hint=True),
            llm.ToolAnnotations(read_only=True, destructive=False),
        ),
        (
            ToolAnnotations(destructive_hint=False, idempotent_hint=True, open_world_hint=False),
            llm.ToolAnnotations(destructive=False, idempotent=True, open_world=False),
        ),
    ],
)
def test_annotations_say_what_the_server_says_and_else_the_least_safe(
    declared: ToolAnnotations | None, annotations: llm.ToolAnnotations
) -> None:
    definition = Tool(name="a", input_schema=SCHEMA, annotations=declared)
    [tool] = make_tools([definition], no_call)
    assert tool.annotations == annotations


def corrected(
    properties: dict[str, Any], arguments: dict[str, Any], name: str = "tool", **rest: Any
) -> dict[str, Any]:
    """Return a call's arguments as the server of a tool with these properties gets them."""
    definition = Tool(name=name, input_schema={"type": "object", "properties": properties})
    [tool] = make_tools([definition], no_call, **rest)
    return correct_for(tool, arguments)[0]


@pytest.mark.requirement("F1", "F4")
def test_snake_case_becomes_the_camel_case_that_the_schema_has() -> None:
    colour = {"type": "object", "properties": {"redPart": {"type": "integer"}}}
    properties = {"deviceName": {}, "colour": colour}
    assert corrected(properties, {"device_name": "lamp", "colour": {"red_part": 5}}) == {
        "deviceName": "lamp",
        "colour": {"redPart": 5},
    }


@pytest.mark.requirement("F5")
@pytest.mark.parametrize(
    "name", ["devicename", "DeviceName", "deviceName", "device_name", "other_name", "x"]
)
def test_names_that_the_schema_does_not_decide_pass(name: str) -> None:
    own = "device_name" if name == "device_name" else "deviceName"
    assert corrected({own: {}}, {name: "lamp"}) == {name: "lamp"}


@pytest.mark.requirement("F3")
def test_known_synonyms_of_the_zwave_tools_become_the_names_of_the_schema() -> None:
    properties: dict[str, Any] = {"deviceName": {}, "action": {}, "level": {}}
    call = {"device_name": "lamp", "command": "dim", "brightness": 30}
    right = {"deviceName": "lamp", "action": "dim", "level": 30}
    assert corrected(properties, call, "control_zwave_device", synonyms=SYNONYMS) == right


def test_synonyms_are_of_no_effect_for_other_tools_schemas_or_servers() -> None:
    properties: dict[str, Any] = {"command": {}, "deviceName": {}}
    call = {"device": "lamp", "command": "on"}
    assert corrected(properties, call, "start_machine", synonyms=SYNONYMS) == call
    assert corrected(properties, call, "control_zwave_device") == call
    assert corrected(properties, call, "control_zwave_device", synonyms=SYNONYMS) == {
        "deviceName": "lamp",
        "command": "on",
    }


@pytest.mark.requirement("F6")
async def test_corrections_are_logged_and_reach_the_server(
    hass: HomeAssistant, start_session: StartSession, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "custom_components")
    session = start_session(everyday(), synonyms=SYNONYMS)
    await until(lambda: session.state is SessionState.CONNECTED)
    tool = session.find_tool("control_zwave_device")
    assert tool is not None
    call = llm.ToolInput(tool.name, {"device_name": "lamp", "command": "dim", "level": "30"})
    result = await tool.async_call(hass, call, CONTEXT)
    assert result.data == {"result": "lamp dim 30"}
    for change in ("device_name → deviceName", "command → action", "level: string → integer"):
        assert change in caplog.text
    assert '"30"' not in caplog.text
    assert call.tool_args == {"device_name": "lamp", "command": "dim", "level": "30"}


@pytest.mark.requirement("F8", "F9")
async def test_sdk_corrects_no_names_itself(hass: HomeAssistant) -> None:
    server = StdioServerParameters(command=sys.executable, args=[EVERYDAY, "stdio"])
    async with Client(server) as client:
        call = {"device_name": "lamp", "action": "on"}
        result = await client.call_tool("control_zwave_device", call)
    assert result.is_error
    assert "deviceName" in result.content[0].text  # type: ignore[union-attr]
