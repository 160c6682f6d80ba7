"""A server's JSON schema as the `parameters` of a Home Assistant tool.

Home Assistant describes arguments by `probatio` schemas, and agents turn these into JSON schemas
(`probatio.to_openapi`). That round trip would lose parts of the server's schema, so it is bypassed:
`serialize`, an API's `custom_serializer`, returns the server's own schema.

If Home Assistant merges APIs, it uses the first one's serializer, and Assist's calls no other
(`llm.MergedAPI`, 2026.11). For agents that put Assist first, a `JsonSchema` is therefore also an
equivalent `probatio` schema, as far as `probatio` can express it: names, types, choices, ranges,
descriptions, and required properties.
"""

from collections.abc import Callable, Iterable, Iterator
import re
from typing import Any, override

from homeassistant.helpers import llm
import probatio

type Json = dict[str, Any]
type Serializer = Callable[[Any], Any] | None
"""The `custom_serializer` of an `APIInstance`."""
type OtherNames = Callable[[str], Iterable[str]]
"""Returns the arguments that an unknown name may stand for, the most certain first."""

# Depth to which recursive references are followed, and maximum number of parts that are converted
# to `probatio`: a schema that refers to itself in several places, as a filter does, doubles them at
# every level. Beyond, any value is accepted.
_DEPTH = 6
_PARTS = 1000
# Depth to which a schema is trimmed: a model can't fill in a deeper one.
_NESTED = 16
# Maximum characters of an argument's description.
_DESCRIPTION = 240
_ENDS = re.compile(r"[.!?]\s|\n")
# Keywords of JSON Schema that do not constrain values, and those that contain schemas.
_UNTOLD = frozenset(("title", "examples", "$schema", "$id", "$comment"))
NAMED_SCHEMAS = frozenset(
    (
        *("properties", "patternProperties", "dependentSchemas", "dependencies", "$defs"),
        "definitions",
    )
)
_SCHEMAS = frozenset(
    (
        *("items", "prefixItems", "additionalItems", "contains", "additionalProperties"),
        "propertyNames",
        *("unevaluatedItems", "unevaluatedProperties", "anyOf", "oneOf", "allOf", "not"),
        *("if", "then", "else"),
    )
)
_TYPES: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "object": dict,
    "array": list,
    "null": None,
}


def no_other_names(_: str) -> Iterable[str]:
    """Return nothing: the arguments have no aliases."""
    return ()


class JsonSchema(probatio.Schema):
    """The JSON schema of a tool's arguments, in the form that Home Assistant's agents accept.

    Arguments pass through unchecked: the server validates them.
    """

    def __init__(
        self,
        json_schema: Json,
        *,
        accepted: Json | None = None,
        names: OtherNames = no_other_names,
    ) -> None:
        """Take the server's schema.

        `accepted` is the schema that arguments are corrected against (`arguments.py`), if the model
        sees a shorter one; `names` returns the aliases of the arguments.
        """
        super().__init__(_Mapping(json_schema), extra=_extra(json_schema))
        self.accepted = json_schema if accepted is None else accepted
        self.names = names

    @override
    def __call__(self, data: Any, *, context: Any = None) -> Any:
        """Return the arguments unchanged."""
        return data


class _Mapping(dict[Any, Any]):
    """The arguments as `probatio` fields, with the server's schema attached."""

    def __init__(self, json_schema: Json) -> None:
        super().__init__(_Words(json_schema).properties(json_schema, _DEPTH))
        # Providers require these two keys; a server may omit them.
        self.json_schema = {"type": "object", "properties": {}} | json_schema


def serialize(node: Any) -> Any:
    """Return the server's own JSON schema of a tool; leave the rest to Home Assistant.

    The `custom_serializer` of an API, for `probatio.to_openapi`.
    """
    return node.json_schema if isinstance(node, _Mapping) else llm.selector_serializer(node)


def schema_of(tool: llm.Tool, serializer: Serializer = None) -> Json:
    """Return the JSON schema of a tool's arguments; an MCP server's is unchanged."""
    schema: Json = probatio.to_openapi(
        tool.parameters, custom_serializer=serializer, openapi_version="3.1.0"
    )
    return schema


def resolve(schema: Any, root: Json) -> Json:
    """Return a schema with its local reference resolved; empty if that fails.

    `root` is the document that `#/…` references start from (JSON Pointer, RFC 6901).
    """
    for _ in range(_DEPTH):
        if not isinstance(schema, dict):
            return {}
        match schema:
            case {"$ref": str(ref)} if ref.startswith("#"):
                siblings = {key: value for key, value in schema.items() if key != "$ref"}
                target = _target(ref, root)
                schema = target | siblings if isinstance(target, dict) else siblings
            case _:
                return schema
    return {}


def properties_of(schema: Json) -> Json:
    """Return a schema's properties; empty if they are malformed."""
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def required_of(schema: Json) -> list[Any]:
    """Return the names of the required properties; empty if the list is malformed."""
    required = schema.get("required")
    return required if isinstance(required, list) else []


def serialize_trimmed(node: Any) -> Any:
    """Return a tool's JSON schema shortened for models; leave the rest to Home Assistant.

    Titles, examples and the ends of long descriptions are removed. It accepts the same values. The
    title of a constant stays, as it explains the constant.
    """
    return (
        each_schema(node.json_schema, _trimmed) if isinstance(node, _Mapping) else serialize(node)
    )


def each_schema(raw: Any, change: Callable[[Json], Json], depth: int = _NESTED) -> Any:
    """Return a schema, or a list of them, changed part by part from the innermost, up to `depth`.

    Names of properties and data, such as defaults, are no schemas.
    """
    if isinstance(raw, list):
        return [each_schema(each, change, depth) for each in raw]
    if not isinstance(raw, dict) or depth == 0:
        return raw
    changed: Json = {}
    for key, value in raw.items():
        changed[key] = value
        if key in NAMED_SCHEMAS and isinstance(value, dict):
            changed[key] = {
                name: each_schema(each, change, depth - 1) for name, each in value.items()
            }
        elif key in _SCHEMAS:
            changed[key] = each_schema(value, change, depth - 1)
    return change(changed)


def _trimmed(schema: Json) -> Json:
    kept = {
        key: value
        for key, value in schema.items()
        if (key not in _UNTOLD or (key == "title" and "const" in schema))
        and (key, value) != ("default", None)
    }
    if isinstance(description := kept.get("description"), str):
        kept["description"] = shortened(description, _DESCRIPTION)
    return kept


def shortened(text: str, most: int) -> str:
    """Return a text cut to `most` characters, after a whole sentence if possible, and marked."""
    if len(text) <= most:
        return text
    beginning = text[:most]
    ends = [end.end() for end in _ENDS.finditer(beginning)]
    # Whole sentences, unless that would waste more than half of the characters.
    if ends and ends[-1] > most // 2:
        beginning = beginning[: ends[-1]]
    else:
        beginning = beginning.rpartition(" ")[0] or beginning
    return f"{beginning.rstrip()} […]"


def signature(name: str, schema: Json) -> str:
    """Return a tool as a function with the types of its arguments: `add(a: integer, b?: integer)`.

    `?` marks optional arguments, whose `null` type is omitted.
    """
    return f"{name}({', '.join(_arguments(schema, schema, _DEPTH))})"


def _arguments(schema: Json, root: Json, depth: int) -> Iterator[str]:
    required = required_of(schema)
    for name, part in properties_of(schema).items():
        kind = _kind_of(part, root, depth)
        yield f"{name}{'' if name in required else '?'}{f': {kind}' if kind else ''}"


def _kind_of(raw: Any, root: Json, depth: int) -> str:
    """Return a schema's type in short form; empty if it accepts any value."""
    schema = resolve(raw, root) if depth else {}
    match schema:
        case {"enum": list(values)}:
            return "|".join(map(str, values))
        case {"const": value}:
            return str(value)
        case {"anyOf": list(options)} | {"oneOf": list(options)}:
            kinds = [_kind_of(option, root, depth - 1) for option in options]
            return "|".join(dict.fromkeys(kind for kind in kinds if kind != "null"))
        case {"allOf": [only]}:
            return _kind_of(only, root, depth - 1)
        case {"type": list(options)}:
            return "|".join(str(option) for option in options if option != "null")
        case {"type": "array"}:
            return f"{_kind_of(schema.get('items'), root, depth - 1)}[]"
        case {"type": "object", "properties": dict()}:
            return f"{{{', '.join(_arguments(schema, root, depth - 1))}}}"
        case {"type": str(kind)}:
            return kind
    return ""


def _target(ref: str, root: Json) -> Any:
    node: Any = root
    for step in ref.lstrip("#").split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        match node:
            case dict():
                node = node.get(key)
            case list() if key.isdecimal() and int(key) < len(node):
                node = node[int(key)]
            case _:
                return None
    return node


def _extra(schema: Json) -> int:
    """Return `probatio`'s mode for additional properties: refused if forbidden, else removed."""
    if schema.get("additionalProperties") is False:
        return probatio.PREVENT_EXTRA
    return probatio.REMOVE_EXTRA


class _Words:
    """Converts a JSON schema to `probatio`; unsupported parts become `object`, any value."""

    def __init__(self, root: Json) -> None:
        """Take the document that the schema's references start from."""
        self._root = root
        self._left = _PARTS

    def properties(self, schema: Json, depth: int) -> dict[Any, Any]:
        """Return the properties of an object."""
        required = required_of(schema)
        fields: dict[Any, Any] = {}
        for name, raw in properties_of(schema).items():
            part = resolve(raw, self._root)
            marker = probatio.Required if name in required else probatio.Optional
            description = part.get("description")
            fields[marker(name, description=description)] = self._of(part, depth - 1)
        return fields

    def _of(self, raw: Any, depth: int) -> Any:
        self._left -= 1
        if depth <= 0 or self._left < 0:
            return object
        schema = resolve(raw, self._root)
        match schema:
            case {"enum": list(values)} if values:
                return probatio.In(values)
            case {"const": value}:
                return probatio.In([value])
            case {"anyOf": list(options)} | {"oneOf": list(options)} if options:
                return probatio.Any(*(self._of(option, depth - 1) for option in options))
            case {"allOf": list(parts)} if parts:
                return probatio.All(*(self._of(part, depth - 1) for part in parts))
            case {"type": list(kinds)} if kinds:
                return probatio.Any(*(self._of(schema | {"type": kind}, depth) for kind in kinds))
            case {"type": str()}:
                return self._typed(schema, depth)
            case _:
                return object

    def _typed(self, schema: Json, depth: int) -> Any:
        lowest, highest = schema.get("minimum"), schema.get("maximum")
        match schema:
            case {"type": "object", "properties": dict()}:
                return probatio.Schema(self.properties(schema, depth), extra=_extra(schema))
            case {"type": "object", "additionalProperties": dict(values)}:
                return {str: self._of(values, depth - 1)}
            case {"type": "array", "items": dict(items)}:
                return [self._of(items, depth - 1)]
            case {"type": "integer" | "number" as kind} if (lowest, highest) != (None, None):
                return probatio.All(_TYPES[kind], probatio.Range(min=lowest, max=highest))
            case _:
                return _TYPES.get(schema["type"], object)
