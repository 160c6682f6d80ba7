"""A server's JSON schema on its way through Home Assistant to a model."""

from typing import Any

from homeassistant.components.anthropic import entity as anthropic
from homeassistant.components.ollama import entity as ollama
from homeassistant.helpers import llm
from hypothesis import given, strategies as st
from mcp.types import Tool
import probatio
import pytest

from custom_components.voice_gateway.json_schema import (
    JsonSchema,
    resolve,
    schema_of,
    serialize,
    serialize_trimmed,
    signature,
)
from custom_components.voice_gateway.mcp_servers.tool import McpTool

from .mcp_servers.servers.shapes import SHAPES

# The two keys that providers insist on; a server may leave them out.
ALWAYS = {"type": "object", "properties": {}}


async def no_call(*_: Any) -> Any:
    raise AssertionError


def tool(schema: dict[str, Any]) -> McpTool:
    """Return a tool with arguments of a schema."""
    return McpTool(Tool(name="tool", input_schema=schema), "tool", no_call)


def as_assist_comes_first(schema: dict[str, Any]) -> dict[str, Any]:
    """Return what an agent sees of a schema where Assist's serializer decides."""
    return probatio.to_openapi(
        JsonSchema(schema), custom_serializer=llm.selector_serializer, openapi_version="3.1.0"
    )


@pytest.mark.requirement("A2")
@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_reaches_other_agents_exactly_as_the_server_gave_it(shape: str) -> None:
    schema = SHAPES[shape]
    as_it_came = ALWAYS | schema
    of_ollama = ollama._format_tool(tool(schema), serialize)["function"]["parameters"]
    assert of_ollama == as_it_came
    # Home Assistant leaves these three out at the top itself: Anthropic refuses them there.
    refused = ("oneOf", "anyOf", "allOf")
    of_anthropic = anthropic._format_tool(tool(schema), serialize)["input_schema"]
    assert of_anthropic == {key: as_it_came[key] for key in as_it_came if key not in refused}


def test_input_schema_is_the_servers_own() -> None:
    for schema in SHAPES.values():
        assert tool(schema).input_schema == schema


def test_other_apis_nodes_are_left_to_home_assistant() -> None:
    assert serialize(probatio.Schema({})) is probatio.UNSUPPORTED
    assert serialize({}) is probatio.UNSUPPORTED


def test_arguments_pass_unchecked_because_checking_is_up_to_the_server() -> None:
    assert JsonSchema(SHAPES["required"])({"b": 5}) == {"b": 5}


@pytest.mark.parametrize(
    ("shape", "seen"),
    [
        ("string", {"city": {"type": "string", "description": "Where"}}),
        ("integer-range", {"level": {"type": "integer", "minimum": 0, "maximum": 100}}),
        ("number", {"ratio": {"type": "number"}}),
        ("enum", {"mode": {"type": "string", "enum": ["on", "off", "dim"]}}),
        ("const", {"kind": {"type": "string", "enum": ["light"]}, "level": {"type": "integer"}}),
        ("array", {"rooms": {"type": "array", "items": {"type": "string"}}}),
        ("any-of-null", {"level": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}),
        ("type-list", {"level": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}),
        ("all-of", {"level": {"type": "integer", "description": "How bright"}}),
        (
            "ref",
            {
                "city": {
                    "type": "object",
                    "properties": {"name": {"type": "string"}},
                    "required": ["name"],
                }
            },
        ),
        (
            "map",
            {"counts": {"type": "object", "additionalProperties": {"type": "integer"}}},
        ),
        ("untyped", {"value": {}, "other": {}}),
        ("no-properties", {}),
    ],
)
def test_types_choices_and_descriptions_survive_where_assist_comes_first(
    shape: str, seen: dict[str, Any]
) -> None:
    assert as_assist_comes_first(SHAPES[shape])["properties"] == seen


def test_required_and_closed_survive_where_assist_comes_first() -> None:
    assert as_assist_comes_first(SHAPES["required"])["required"] == ["a"]
    assert as_assist_comes_first(SHAPES["closed"])["additionalProperties"] is False
    assert "additionalProperties" not in as_assist_comes_first(SHAPES["integer"])


def test_recursion_ends_where_assist_comes_first() -> None:
    assert len(str(as_assist_comes_first(SHAPES["ref-recursive"]))) < 1000


def test_reference_is_followed_by_pointer() -> None:
    root = {"$defs": {"a/b": [{"type": "integer"}], "~": {"$ref": "#/$defs/a~1b/0"}}}
    assert resolve({"$ref": "#/$defs/~0", "title": "T"}, root) == {"type": "integer", "title": "T"}
    assert resolve({"$ref": "#"}, {"type": "object"}) == {"type": "object"}
    assert resolve({"$ref": "#/$defs/nowhere"}, root) == {}
    assert resolve({"$ref": "#/x"}, {"x": {"$ref": "#/x"}}) == {}


KEYWORDS = st.sampled_from(
    ["type", "enum", "const", "anyOf", "oneOf", "allOf", "items", "properties", "required",
     "minimum", "maximum", "description", "additionalProperties", "$ref"]
)  # fmt: skip
VALUES = st.recursive(
    st.sampled_from([None, True, 0, -1.5, "", "object", "array", "integer", "string", "#", "#/x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYWORDS, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(KEYWORDS, VALUES, max_size=4))
def test_no_schema_whatever_keeps_its_tool_from_being_used(part: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": {"a": part}}
    assert ollama._format_tool(tool(schema), serialize)["function"]["parameters"] == schema
    as_assist_comes_first(schema)


@pytest.mark.parametrize("shape", SHAPES)
def test_what_our_agents_are_told_takes_the_same_values(shape: str) -> None:
    def bare(part: Any) -> Any:
        """Return a schema without words that say nothing of values."""
        if isinstance(part, list):
            return [bare(each) for each in part]
        if not isinstance(part, dict):
            return part
        silent = {"title", "examples", "$schema", "$id", "$comment", "default"}
        return {key: bare(each) for key, each in part.items() if key not in silent}

    told = schema_of(tool(SHAPES[shape]), serialize_trimmed)
    assert bare(told) == bare(ALWAYS | SHAPES[shape])


def test_what_our_agents_are_told_is_what_a_model_needs() -> None:
    long = "First sentence of some length. " * 20
    schema = {
        "title": "addArguments",
        "type": "object",
        "properties": {
            "title": {"title": "Title", "type": "string", "description": long},
            "mode": {"oneOf": [{"const": "1", "title": "Slow"}, {"const": "2", "title": "Fast"}]},
            "more": {
                "anyOf": [{"type": "string", "title": "X"}, {"type": "null"}],
                "default": None,
            },
            "kept": {"type": "string", "default": "title", "enum": ["title", "examples"]},
        },
        "required": ["title"],
    }
    told = schema_of(tool(schema), serialize_trimmed)
    description = told["properties"]["title"].pop("description")
    assert told == {
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "mode": schema["properties"]["mode"],  # type: ignore[index]
            "more": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "kept": {"type": "string", "default": "title", "enum": ["title", "examples"]},
        },
        "required": ["title"],
    }
    assert description.endswith("length. […]")
    assert len(description) < 250
    assert tool(schema).input_schema == schema


def test_tool_is_told_as_a_function_with_the_types_of_its_arguments() -> None:
    schema = {
        "type": "object",
        "properties": {
            "id": {"type": "integer"},
            "mode": {"enum": ["on", "off"]},
            "tags": {"type": "array", "items": {"$ref": "#/$defs/tag"}},
            "place": {"type": "object", "properties": {"lat": {"type": "number"}}},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "size": {"type": ["integer", "null"]},
            "any": {},
        },
        "required": ["id", "mode"],
        "$defs": {"tag": {"type": "string"}},
    }
    assert signature("add", schema) == (
        "add(id: integer, mode: on|off, tags?: string[], place?: {lat?: number}, note?: string,"
        " size?: integer, any?)"
    )
