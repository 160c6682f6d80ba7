"""Tools in Qwen's format, made of every schema that Home Assistant's own tools have."""

import copy
import json
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import config_validation as cv, intent, llm, selector
from homeassistant.setup import async_setup_component
from hypothesis import given, strategies as st
import probatio
import pytest

from custom_components.voice_gateway.const import DOMAIN
from custom_components.voice_gateway.json_schema import JsonSchema, serialize
from custom_components.voice_gateway.models.functions import (
    to_function,
    to_functions,
    to_parameters,
)
from custom_components.voice_gateway.tools.api import AgentAPI
from custom_components.voice_gateway.tools.builtin import BuiltinTools
from tests.extra_tools import ExtraTool

# What Ollama's server reads of a schema (api/types.go); the rest it drops without a word.
OLLAMAS_WORDS = {
    "type", "properties", "required", "items", "enum", "anyOf", "description",
    # These it drops; they harm nothing.
    "minimum", "maximum", "default", "format", "pattern", "minItems", "title",
    "exclusiveMinimum", "exclusiveMaximum", "uniqueItems", "nullable", "minLength", "maxLength",
}  # fmt: skip
DOMAINS_WITH_TOOLS = (
    "climate", "cover", "fan", "humidifier", "lawn_mower", "light", "media_player", "todo",
    "vacuum", "valve", "weather",
)  # fmt: skip


def parameters_of(schema: Any, serializer: Any = llm.selector_serializer) -> dict[str, Any]:
    """Return the parameters of a tool with the given probatio schema."""
    tool = ExtraTool("tool", lambda: None, parameters=probatio.Schema(schema))
    parameters: dict[str, Any] = to_function(tool, serializer)["function"]["parameters"]
    return parameters


def schemas_in(schema: Any) -> list[dict[str, Any]]:
    """Return a schema and all schemas in it."""
    parts = [schema]
    for part in schema.get("properties", {}).values():
        parts += schemas_in(part)
    if isinstance(items := schema.get("items"), dict):
        parts += schemas_in(items)
    for option in schema.get("anyOf", ()):
        parts += schemas_in(option)
    return parts


@pytest.mark.requirement("C1")
@pytest.mark.requirement("C2")
@pytest.mark.requirement("C3")
@pytest.mark.requirement("C4")
@pytest.mark.requirement("C9")
def test_function_has_its_name_description_and_an_object_of_arguments_and_nothing_else() -> None:
    tool = ExtraTool(
        "set_volume",
        lambda: None,
        description="Sets the volume",
        parameters=probatio.Schema(
            {
                probatio.Required("level", description="Percent"): probatio.All(
                    probatio.Coerce(int), probatio.Range(0, 100)
                ),
                probatio.Optional("device"): str,
            }
        ),
    )
    assert to_function(tool) == {
        "type": "function",
        "function": {
            "name": "set_volume",
            "description": "Sets the volume",
            "parameters": {
                "type": "object",
                "properties": {
                    "level": {
                        "type": "integer",
                        "minimum": 0,
                        "maximum": 100,
                        "description": "Percent",
                    },
                    "device": {"type": "string"},
                },
                "required": ["level"],
            },
        },
    }


@pytest.mark.requirement("C9")
def test_tool_without_arguments_has_an_empty_object() -> None:
    assert parameters_of({}) == {"type": "object", "properties": {}}
    tool = ExtraTool("tool", lambda: None, description=None)
    assert to_function(tool)["function"]["description"] == ""


@pytest.mark.requirement("C5")
@pytest.mark.requirement("C6")
@pytest.mark.requirement("C7")
@pytest.mark.requirement("C12")
@pytest.mark.requirement("C13")
def test_list_gives_a_new_list_in_the_same_order() -> None:
    tools = [ExtraTool(name, lambda: None) for name in ("b", "a", "c")]
    before = list(tools)
    functions = to_functions(tools)
    assert [function["function"]["name"] for function in functions] == ["b", "a", "c"]
    assert tools == before
    assert to_functions([]) == []


@pytest.mark.parametrize(
    ("schema", "parameters"),
    [
        (probatio.Any("on", int), {"enum": ["on"]}),
        (probatio.In(["a", "b"]), {"enum": ["a", "b"]}),
        (cv.boolean, {"type": "boolean"}),
        (cv.string, {"type": "string"}),
        (intent.non_empty_string, {"type": "string"}),
        (cv.positive_int, {"type": "integer", "minimum": 0}),
        (probatio.All(cv.ensure_list, [cv.string]), {"type": "array"}),
        ([str], {"type": "array", "items": {"type": "string"}}),
        (selector.NumberSelector({"min": 1, "max": 5}), {"minimum": 1, "maximum": 5}),
        (selector.SelectSelector({"options": ["x", "y"]}), {"enum": ["x", "y"]}),
        (selector.TextSelector(), {"type": "string"}),
        ({probatio.Required("inner"): int}, {"type": "object"}),
        (probatio.Maybe(int), {"type": "integer"}),
    ],
)
def test_schemas_that_integrations_write(schema: Any, parameters: dict[str, Any]) -> None:
    said = parameters_of({probatio.Required("it"): schema})["properties"]["it"]
    options = said.get("anyOf", ())
    assert any(parameters.items() <= option.items() for option in (said, *options))


@pytest.mark.requirement("C9")
async def test_every_tool_of_assist_is_said_in_ollamas_words(hass: HomeAssistant) -> None:
    for domain in ("homeassistant", "conversation", "intent", "llm", *DOMAINS_WITH_TOOLS):
        assert await async_setup_component(hass, domain, {})
    for domain in DOMAINS_WITH_TOOLS:
        hass.states.async_set(f"{domain}.test", "on")
    await hass.async_block_till_done()
    context = llm.LLMContext(
        platform=DOMAIN, context=None, language="en", assistant="conversation", device_id=None
    )
    for instance in (
        await AgentAPI(hass, ["assist"], BuiltinTools(hass, {})).async_get_api_instance(context),
        await llm.async_get_api(hass, "assist", context),
    ):
        functions = to_functions(instance.tools, instance.custom_serializer)
        assert len(functions) > 8
        json.dumps(functions)
        for tool, function in zip(instance.tools, functions, strict=True):
            parameters = function["function"]["parameters"]
            assert function["function"]["name"] == tool.name
            assert function["function"]["description"]
            assert parameters["type"] == "object"
            assert set(parameters.get("required", ())) <= parameters["properties"].keys()
            for part in schemas_in(parameters):
                assert part.keys() <= OLLAMAS_WORDS, (tool.name, part)


@pytest.mark.parametrize(
    ("schema", "parameters"),
    [
        pytest.param(
            {
                "properties": {"unit": {"$ref": "#/$defs/Unit", "description": "Which"}},
                "$defs": {"Unit": {"type": "string", "enum": ["C", "F"]}},
            },
            {"unit": {"type": "string", "enum": ["C", "F"], "description": "Which"}},
            id="reference",
        ),
        pytest.param(
            {
                "properties": {"unit": {"$ref": "#/definitions/Unit"}},
                "definitions": {"Unit": {"const": "C"}},
            },
            {"unit": {"enum": ["C"]}},
            id="old reference to a constant",
        ),
        pytest.param(
            {"properties": {"unit": {"$ref": "#/$defs/Gone", "type": "string"}}},
            {"unit": {"type": "string"}},
            id="reference to nothing",
        ),
        pytest.param(
            {"properties": {"level": {"allOf": [{"type": "number"}, {"maximum": 9}]}}},
            {"level": {"type": "number", "maximum": 9}},
            id="all of",
        ),
        pytest.param(
            {
                "properties": {
                    "level": {"allOf": [{"type": "integer"}, {"type": "number", "minimum": 1}]}
                }
            },
            {"level": {"type": "integer", "minimum": 1}},
            id="whole number",
        ),
        pytest.param(
            {"properties": {"it": {"oneOf": [{"type": "string"}, {"const": 1}]}}},
            {"it": {"anyOf": [{"type": "string"}, {"enum": [1]}]}},
            id="one of",
        ),
        pytest.param(
            {
                "properties": {
                    "rows": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "properties": {"a": {"$ref": "#/$defs/A"}},
                            "additionalProperties": False,
                        },
                    }
                },
                "$defs": {"A": {"type": "boolean"}},
            },
            {
                "rows": {
                    "type": "array",
                    "items": {"type": "object", "properties": {"a": {"type": "boolean"}}},
                }
            },
            id="rows",
        ),
        pytest.param({"properties": {"anything": True}}, {"anything": {}}, id="boolean schema"),
        pytest.param({"properties": None, "required": "all", "allOf": 1}, {}, id="no properties"),
        pytest.param(
            {
                "properties": {
                    "it": {
                        "type": 7,
                        "enum": "x",
                        "description": ["Which"],
                        "anyOf": None,
                        "items": [{"type": "string"}],
                        "properties": [],
                        "required": [["a"], "b"],
                    }
                }
            },
            {"it": {"required": ["b"]}},
            id="words of a wrong type",
        ),
        pytest.param({}, {}, id="nothing"),
    ],
)
def test_other_words_of_json_schema_are_said_with_ollamas(
    schema: dict[str, Any], parameters: dict[str, Any]
) -> None:
    before = copy.deepcopy(schema)
    assert to_parameters(schema) == {"type": "object", "properties": parameters}
    assert schema == before


def test_parts_of_one_object_are_joined() -> None:
    schema = {
        "allOf": [
            {"properties": {"a": {"type": "string"}}, "required": ["a", "gone"]},
            {"properties": {"b": {"type": "integer"}}, "required": ["b", "a"]},
        ],
        "properties": {"c": {"type": "null"}},
    }
    assert to_parameters(schema) == {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "integer"}, "c": {"type": "null"}},
        "required": ["a", "b"],
    }


def test_schema_that_contains_itself_is_cut() -> None:
    schema = {
        "properties": {"tree": {"$ref": "#/$defs/Node"}},
        "$defs": {
            "Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}},
        },
    }
    assert len(json.dumps(to_parameters(schema))) < 2000


@pytest.mark.requirement("A2")
def test_schema_of_an_mcp_server_is_said_as_it_came() -> None:
    schema = {
        "type": "object",
        "properties": {"deviceName": {"type": "string", "description": "Its name"}},
        "required": ["deviceName"],
    }
    tool = ExtraTool("verify_device", lambda: None, parameters=JsonSchema(schema))
    assert to_function(tool, serialize)["function"]["parameters"] == schema


def test_values_under_names_of_ones_own_choice_are_said_in_words() -> None:
    """Ollama's format has no word for them, and a model would not know that they are wanted."""
    weights = {"type": "object", "additionalProperties": {"type": "number"}}
    schema = {
        "type": "object",
        "properties": {"a": weights | {"description": "Weights."}, "b": weights},
    }
    said = 'Any names; each value: {"type": "number"}'
    assert to_parameters(schema)["properties"] == {
        "a": {"type": "object", "description": f"Weights. {said}"},
        "b": {"type": "object", "description": said},
    }


WORDS = ("type", "$ref", "allOf", "anyOf", "oneOf", "items", "properties", "required", "const",
         "enum", "$defs", "definitions", "additionalProperties", "description")  # fmt: skip
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["string", "#/$defs/a", "a"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from((*WORDS, "a")), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(schema=st.dictionaries(st.sampled_from(WORDS), ANY_JSON))
def test_any_json_gives_an_object_of_arguments(schema: dict[str, Any]) -> None:
    """A server's schema may be any JSON: one odd tool must not cost all others."""
    before = copy.deepcopy(schema)
    parameters = to_parameters(schema)
    assert parameters["type"] == "object"
    assert isinstance(parameters["properties"], dict)
    assert set(parameters.get("required", ())) <= parameters["properties"].keys()
    for part in schemas_in(parameters):
        assert isinstance(part.get("type", ""), str | list)
        assert isinstance(part.get("enum", []), list)
        assert isinstance(part.get("description", ""), str)
    assert schema == before
