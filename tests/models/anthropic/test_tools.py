"""Tools' schemas as Anthropic's API takes them: those of JSON Schema's draft 2020-12."""

from typing import Any

from homeassistant.core import HomeAssistant
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from custom_components.voice_gateway.json_schema import JsonSchema, serialize
from tests.anthropic import PlayedAnthropic, says
from tests.extra_tools import ExtraTool
from tests.rows import rows

from .model import HELLO, api_instance, ask, client

NUMBER, TEXT = {"type": "number"}, {"type": "string"}


@rows(
    ("older", "newer"),
    [
        ({"type": "array", "items": [NUMBER, TEXT]}, {"prefixItems": [NUMBER, TEXT]}),
        (
            {"type": "array", "items": [NUMBER], "additionalItems": False},
            {"prefixItems": [NUMBER], "items": False},
        ),
        (
            {"type": "array", "items": [NUMBER], "additionalItems": TEXT},
            {"prefixItems": [NUMBER], "items": TEXT},
        ),
        ({"type": "array", "items": []}, {"items": True}),
        ({"type": "number", "minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}),
        ({"type": "number", "maximum": 1, "exclusiveMaximum": False}, {"maximum": 1}),
        (
            {"type": "array", "items": [{"type": "array", "items": [NUMBER, NUMBER]}, TEXT]},
            {
                "prefixItems": [
                    {"type": "array", "prefixItems": [NUMBER, NUMBER], "items": True},
                    TEXT,
                ]
            },
        ),
        ({"type": "array", "items": NUMBER, "additionalItems": False}, {"items": NUMBER}),
        (
            {"type": "object", "dependencies": {"a": ["b"], "c": {"items": [TEXT]}}},
            {
                "dependentRequired": {"a": ["b"]},
                "dependentSchemas": {"c": {"prefixItems": [TEXT], "items": True}},
            },
        ),
        ({"type": "string", "required": True}, {"type": "string"}),
        # Properties that are called as words of a schema are.
        (
            {
                "type": "object",
                "properties": {"items": TEXT, "required": TEXT, "enum": {"items": [TEXT]}},
            },
            {
                "properties": {
                    "items": TEXT,
                    "required": TEXT,
                    "enum": {"prefixItems": [TEXT], "items": True},
                }
            },
        ),
    ],
)
async def test_schema_of_an_older_draft_is_told_as_the_newest(
    hass: HomeAssistant, anthropic: PlayedAnthropic, older: dict[str, Any], newer: dict[str, Any]
) -> None:
    nested = {"anyOf": [{"type": "array", "items": older}, TEXT]}
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"value": older, "nested": nested},
    }
    tool = ExtraTool("set", lambda **_: {}, parameters=JsonSchema(schema))
    tools = await api_instance(hass, tool)
    tools.custom_serializer = serialize
    anthropic.answers(says("OK"))
    await ask(client(hass), HELLO, tools)
    (told,) = anthropic.chats[0]["tools"]
    Draft202012Validator.check_schema(told["input_schema"])
    value = told["input_schema"]["properties"]["value"]
    assert {key: value[key] for key in newer} == newer
    assert not isinstance(value.get("items"), list)
