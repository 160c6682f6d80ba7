"""Arguments corrected against the tool's schema, and only there."""

from copy import deepcopy
import logging
import sys
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from hypothesis import given, strategies as st
import jsonschema  # type: ignore[import-untyped]
from mcp import Client, StdioServerParameters
import pytest

from custom_components.voice_gateway.mcp_servers.session import SessionState
from custom_components.voice_gateway.tools.arguments import correct

from ..mcp_servers.conftest import CONTEXT, StartSession, everyday, until
from ..mcp_servers.servers import EVERYDAY
from ..test_json_schema import KEYWORDS, VALUES

LIGHT = {
    "type": "object",
    "properties": {
        "deviceName": {"type": "string"},
        "level": {"type": "integer"},
        "ratio": {"type": "number"},
        "fast": {"type": "boolean"},
        "rooms": {"type": "array", "items": {"type": "string"}},
        "levels": {"type": "array", "items": {"type": "integer"}},
        "colour": {"$ref": "#/$defs/Colour"},
        "id": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "either": {"type": ["integer", "string"]},
        "mode": {"enum": ["on", "off"]},
        "whatever": {},
    },
    "required": ["deviceName"],
    "$defs": {
        "Colour": {
            "type": "object",
            "properties": {"redPart": {"type": "integer"}, "name": {"const": "red"}},
        }
    },
}


def corrected(arguments: dict[str, Any], tool: str = "light") -> dict[str, Any]:
    """Return the arguments of a call as the server gets them."""
    return correct(tool, LIGHT, arguments)[0]


@pytest.mark.requirement("F1", "F4")
def test_snake_case_becomes_the_camel_case_that_the_schema_has() -> None:
    assert corrected({"device_name": "lamp"}) == {"deviceName": "lamp"}
    assert corrected({"colour": {"red_part": 5}}) == {"colour": {"redPart": 5}}


@pytest.mark.requirement("F5")
@pytest.mark.parametrize("name", ["devicename", "DeviceName", "deviceName", "other_name", "x"])
def test_names_that_the_schema_does_not_decide_pass(name: str) -> None:
    assert corrected({name: "lamp"}) == {name: "lamp"}


def test_name_is_left_alone_when_the_right_one_is_given_too() -> None:
    both = {"device_name": "lamp", "deviceName": "light"}
    assert corrected(both) == both


@pytest.mark.requirement("F3")
def test_known_synonyms_of_the_zwave_tools_become_the_names_of_the_schema() -> None:
    schema = {
        "type": "object",
        "properties": {"deviceName": {}, "action": {}, "level": {}},
    }
    call = {"device_name": "lamp", "command": "dim", "brightness": 30}
    right = {"deviceName": "lamp", "action": "dim", "level": 30}
    assert correct("control_zwave_device", schema, call)[0] == right


def test_synonyms_are_of_no_effect_for_other_tools_or_other_schemas() -> None:
    schema = {"type": "object", "properties": {"command": {}, "deviceName": {}}}
    call = {"device": "lamp", "command": "on"}
    assert correct("start_machine", schema, call)[0] == call
    assert correct("control_zwave_device", schema, call)[0] == {
        "deviceName": "lamp",
        "command": "on",
    }


@pytest.mark.parametrize(
    ("name", "given", "sent"),
    [
        ("level", "50", 50),
        ("level", " -3 ", -3),
        ("level", 50.0, 50),
        ("level", "half", "half"),
        ("level", 50.5, 50.5),
        ("level", True, True),
        ("level", "9" * 30, "9" * 30),
        ("ratio", "0.5", 0.5),
        ("ratio", "7", 7),
        ("ratio", 7, 7),
        ("fast", "true", True),
        ("fast", "False", False),
        ("fast", "yes", "yes"),
        ("fast", 1, 1),
        ("deviceName", 50, "50"),
        ("deviceName", 1.5, "1.5"),
        ("deviceName", "50", "50"),
        ("rooms", "kitchen", ["kitchen"]),
        ("rooms", '["kitchen", "hall"]', ["kitchen", "hall"]),
        ("rooms", ["kitchen", 7], ["kitchen", "7"]),
        ("levels", "5", [5]),
        ("levels", 5, [5]),
        ("levels", ["5", "x"], [5, "x"]),
        ("colour", '{"redPart": "5"}', {"redPart": 5}),
        ("colour", "{red}", "{red}"),
        ("colour", "[" * 100_000, "[" * 100_000),
        ("colour", {"name": "red"}, {"name": "red"}),
        ("id", None, None),
        ("id", 7, "7"),
        ("either", "7", "7"),
        ("mode", "on", "on"),
        ("whatever", "50", "50"),
        ("whatever", None, None),
        ("unknown", "50", "50"),
    ],
)
def test_values_get_the_type_of_the_schema_where_nothing_is_guessed(
    name: str, given: Any, sent: Any
) -> None:
    [(_, value)] = corrected({name: given}).items()
    assert value == sent
    assert type(value) is type(sent)


def test_null_is_left_out_where_the_schema_has_no_null_and_needs_no_value() -> None:
    assert corrected({"level": None, "deviceName": None, "id": None}) == {
        "deviceName": None,
        "id": None,
    }


@pytest.mark.requirement("F6")
async def test_corrections_are_logged_and_reach_the_server(
    hass: HomeAssistant, start_session: StartSession, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "custom_components")
    session = start_session(everyday())
    await until(lambda: session.state is SessionState.CONNECTED)
    tool = session.find_tool("control_zwave_device")
    assert tool is not None
    call = llm.ToolInput(tool.name, {"device_name": "lamp", "command": "dim", "level": "30"})
    result = await tool.async_call(hass, call, CONTEXT)
    assert result.data == {"result": "lamp dim 30"}
    for change in ("device_name → deviceName", "command → action", 'level: "30" → 30'):
        assert change in caplog.text
    assert call.tool_args == {"device_name": "lamp", "command": "dim", "level": "30"}


@pytest.mark.requirement("F8", "F9")
async def test_sdk_corrects_no_names_itself(hass: HomeAssistant) -> None:
    server = StdioServerParameters(command=sys.executable, args=[EVERYDAY, "stdio"])
    async with Client(server) as client:
        call = {"device_name": "lamp", "action": "on"}
        result = await client.call_tool("control_zwave_device", call)
    assert result.is_error
    assert "deviceName" in result.content[0].text  # type: ignore[union-attr]


WORDS = st.sampled_from(["", "5", "-1.5", "true", "[1]", '{"name": "red"}', "red", "on", "x"])
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | WORDS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORDS, inner, max_size=2),
    max_leaves=4,
)


@given(
    st.dictionaries(
        st.sampled_from(["deviceName", "device_name", "level", "rooms", "colour", "id", "other"]),
        ANYTHING,
    )
)
def test_what_the_schema_takes_is_never_changed(arguments: dict[str, Any]) -> None:
    given_before = deepcopy(arguments)
    sent, changes = correct("light", LIGHT, arguments)
    assert arguments == given_before
    if jsonschema.Draft202012Validator(LIGHT).is_valid(arguments):
        assert {**sent, **arguments} == arguments or "device_name" in arguments
    assert changes or sent == arguments


@given(st.dictionaries(KEYWORDS, VALUES, max_size=4), VALUES)
def test_no_schema_whatever_makes_the_correction_fail(part: dict[str, Any], value: Any) -> None:
    schema = {"type": "object", "properties": {"a": part, "b": value}}
    correct("light", schema, {"a": value, "b": "5", "c_d": None})


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"a": {"$ref": "#/properties/a"}}},
        {"properties": {"a": {"$ref": "#/no/where"}}},
        {"properties": {"a": {"$ref": "http://elsewhere/schema"}}},
        {"properties": {"a": {"anyOf": [{"$ref": "#/properties/a"}]}}},
        {"allOf": [{"$ref": "#"}]},
        {"properties": None, "required": None},
        {},
    ],
)
def test_schemas_that_lead_nowhere_change_nothing(schema: dict[str, Any]) -> None:
    assert correct("light", schema, {"a": "1"})[0] == {"a": "1"}
