"""JSON schemas as servers write them for their tools' arguments, one of each shape, by name.

JSON Schema 2020-12, with some older and some OpenAPI dialect, as it is met in the wild.
"""

from typing import Any


def _arguments(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


_CITY = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}

SHAPES: dict[str, dict[str, Any]] = {
    "string": _arguments(city={"type": "string", "description": "Where"}),
    "integer": _arguments(level={"type": "integer"}),
    "integer-range": _arguments(level={"type": "integer", "minimum": 0, "maximum": 100}),
    "number": _arguments(ratio={"type": "number"}),
    "number-range": _arguments(
        ratio={"type": "number", "exclusiveMinimum": 0, "maximum": 1, "multipleOf": 0.1}
    ),
    "boolean-default": _arguments(fast={"type": "boolean", "default": False}),
    "required": _arguments(a={"type": "integer"}, b={"type": "string"}) | {"required": ["a"]},
    "enum": _arguments(mode={"type": "string", "enum": ["on", "off", "dim"]}),
    "enum-mixed": _arguments(mode={"enum": ["auto", 1, 2, None]}),
    "enum-integers": _arguments(speed={"type": "integer", "enum": [1, 2, 3]}),
    "const": _arguments(kind={"const": "light"}, level={"type": "integer"}),
    "array": _arguments(rooms={"type": "array", "items": {"type": "string"}}),
    "array-bounds": _arguments(
        levels={
            "type": "array",
            "items": {"type": "integer"},
            "minItems": 1,
            "maxItems": 5,
            "uniqueItems": True,
        }
    ),
    "array-of-objects": _arguments(cities={"type": "array", "items": _CITY}),
    "array-any": _arguments(things={"type": "array"}),
    "object-nested": _arguments(
        city=_CITY,
        colour={
            "type": "object",
            "properties": {
                "red": {"type": "integer"},
                "alpha": {"type": "number"},
            },
        },
    ),
    "object-any": _arguments(data={"type": "object"}),
    "ref": _arguments(city={"$ref": "#/$defs/City"}) | {"$defs": {"City": _CITY}},
    "ref-draft-7": _arguments(city={"$ref": "#/definitions/City"})
    | {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": {"City": _CITY},
    },
    "ref-recursive": _arguments(tree={"$ref": "#/$defs/Tree"})
    | {
        "$defs": {
            "Tree": {
                "type": "object",
                "properties": {
                    "value": {"type": "integer"},
                    "children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
                },
            }
        }
    },
    "any-of-null": _arguments(
        level={"anyOf": [{"type": "integer"}, {"type": "null"}], "default": None, "title": "Level"}
    ),
    "any-of-types": _arguments(value={"anyOf": [{"type": "number"}, {"type": "boolean"}]}),
    "type-list": _arguments(level={"type": ["integer", "null"]}),
    "one-of-const": _arguments(
        mode={
            "oneOf": [
                {"const": "on", "title": "On"},
                {"const": "off", "title": "Off"},
            ]
        }
    ),
    "one-of-objects": _arguments(
        target={
            "oneOf": [
                {
                    "type": "object",
                    "properties": {"area": {"type": "string"}},
                    "required": ["area"],
                },
                {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
            ]
        }
    ),
    "all-of": _arguments(level={"allOf": [{"type": "integer"}], "description": "How bright"}),
    "all-of-two": _arguments(level={"allOf": [{"type": "integer"}, {"minimum": 5}]}),
    "not": _arguments(name={"type": "string", "not": {"enum": ["root"]}}),
    "map": _arguments(counts={"type": "object", "additionalProperties": {"type": "integer"}}),
    "closed": _arguments(level={"type": "integer"}) | {"additionalProperties": False},
    "pattern-properties": _arguments(level={"type": "integer"})
    | {
        "patternProperties": {"^x-": {"type": "string"}},
    },
    "if-then": _arguments(action={"type": "string"}, level={"type": "integer"})
    | {
        "if": {"properties": {"action": {"const": "dim"}}},
        "then": {"required": ["level"]},
    },
    "tuple-open": _arguments(
        point={
            "type": "array",
            "prefixItems": [{"type": "number"}, {"type": "number"}],
        }
    ),
    "tuple-closed": _arguments(
        point={
            "type": "array",
            "prefixItems": [{"type": "number"}, {"type": "string"}],
            "items": False,
        }
    ),
    "dependent-required": _arguments(level={"type": "integer"}, unit={"type": "string"})
    | {
        "dependentRequired": {"unit": ["level"]},
    },
    "unevaluated": _arguments(level={"type": "integer"}) | {"unevaluatedProperties": False},
    "property-names": _arguments(data={"type": "object", "propertyNames": {"maxLength": 9}}),
    "format": _arguments(when={"type": "string", "format": "date-time"}),
    "pattern": _arguments(code={"type": "string", "pattern": "^[0-9]{4}$"}),
    "pattern-not-python": _arguments(name={"type": "string", "pattern": r"^\p{L}+$"}),
    "untyped": _arguments(value={}, other=True),
    "no-properties": {"type": "object"},
    "no-type": {"properties": {"level": {"type": "integer"}}, "required": ["level"]},
    "string-length": _arguments(name={"type": "string", "minLength": 1, "maxLength": 30}),
}
