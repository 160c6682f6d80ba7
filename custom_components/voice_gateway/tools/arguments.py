"""Arguments of a call, corrected where the tool's schema leaves no doubt.

The SDK sends arguments as they are: `device_name` for a server's `deviceName` is refused, "50" for a
number as well (`tests/tools/test_arguments.py` asks it). A model makes such mistakes often and
seldom mends them, so they are mended here, against the schema and visibly in the log. Whatever the
schema does not decide goes to the server unchanged, and its own refusal back to the model.
"""

from collections.abc import Iterator, Mapping
import json
import re
from typing import Any

from ..json_schema import Json, properties_of, required_of, resolve

# Names that models give to arguments of the Z-Wave tools, by tool: what they certainly mean.
# Taken only where the schema does not know the name given, but does know the one meant.
_DEVICE = {"device": "deviceName", "name": "deviceName", "target": "deviceName"}
ZWAVE_SYNONYMS: Mapping[str, Mapping[str, str]] = {
    "control_zwave_device": _DEVICE
    | {"command": "action", "state": "action", "brightness": "level", "value": "level"},
    "verify_device": _DEVICE,
    "get_device_sensor_data": _DEVICE,
}

_INTEGER = re.compile(r"[+-]?\d{1,18}")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_DEPTH = 8


def correct(
    tool: str, schema: Json, arguments: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """Return the arguments as the schema wants them, and what was changed, in words.

    `tool` is the server's name of the tool. The arguments that came in stay as they are.
    """
    correction = _Correction(schema)
    synonyms = ZWAVE_SYNONYMS.get(tool, {})
    return correction.object(arguments, schema, synonyms), correction.changes


class _Correction:
    """The correction of one call's arguments."""

    def __init__(self, root: Json) -> None:
        """Take the document that the schema's references start from."""
        self.changes: list[str] = []
        self._root = root

    def object(
        self, given: Mapping[str, Any], schema: Json, synonyms: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        """Correct the names and the values of an object."""
        known = self._properties(schema)
        required = required_of(schema)
        corrected: dict[str, Any] = {}
        for given_name, value in given.items():
            name = _right_name(given_name, known, synonyms or {}, given)
            if name != given_name:
                self.changes.append(f"{given_name} → {name}")
            if name not in known:
                corrected[name] = value
            elif value is None and name not in required and not self._takes_null(known[name]):
                # Left out is what a model means by null.
                self.changes.append(f"{name}: null → left out")
            else:
                corrected[name] = self._value(value, known[name])
                if not _same(corrected[name], value):
                    self.changes.append(f"{name}: {_short(value)} → {_short(corrected[name])}")
        return corrected

    def _properties(self, schema: Any, depth: int = _DEPTH) -> dict[str, Any]:
        """Return the schemas of an object's properties, as far as they hold in every case."""
        schema = resolve(schema, self._root)
        properties: dict[str, Any] = {}
        match schema:
            case {"allOf": list(parts)} if depth:
                for part in parts:
                    properties |= self._properties(part, depth - 1)
        return properties | properties_of(schema)

    def _value(self, value: Any, wanted: Any) -> Any:
        """Return a value in a type that the schema wants, if only its type is wrong."""
        schema = resolve(wanted, self._root)
        kinds = self._kinds(schema)
        if not kinds or _is_one_of(value, kinds):
            return self._parts(value, schema)
        match value:
            case str():
                for candidate in _readings(value):
                    if _is_one_of(candidate, kinds):
                        return self._parts(candidate, schema)
            case float() if value.is_integer() and "integer" in kinds:
                return int(value)
            case int() | float() if not isinstance(value, bool) and "string" in kinds:
                return json.dumps(value)
        if "array" in kinds and value is not None:
            return self._parts([value], schema)
        return value

    def _parts(self, value: Any, schema: Json) -> Any:
        """Correct what is inside of an object or a list."""
        match value:
            case dict() if "properties" in schema or "allOf" in schema:
                return self.object(value, schema)
            case list() if isinstance(items := schema.get("items"), dict):
                return [self._value(part, items) for part in value]
            case _:
                return value

    def _takes_null(self, schema: Any) -> bool:
        kinds = self._kinds(schema)
        return not kinds or "null" in kinds

    def _kinds(self, raw: Any, depth: int = _DEPTH) -> frozenset[str]:
        """Return the JSON types that a schema takes; none when it does not say."""
        match resolve(raw, self._root) if depth else {}:
            case {"type": str(kind)}:
                return frozenset((kind,))
            case {"type": list(kinds)}:
                return frozenset(kind for kind in kinds if isinstance(kind, str))
            case {"enum": list(values)}:
                return frozenset(_kind(value) for value in values)
            case {"const": value}:
                return frozenset((_kind(value),))
            case {"anyOf": list(options)} | {"oneOf": list(options)}:
                each = [self._kinds(option, depth - 1) for option in options]
                return frozenset[str]().union(*each) if all(each) else frozenset()
            case {"allOf": [only]}:
                return self._kinds(only, depth - 1)
            case _:
                return frozenset()


def _right_name(
    name: str, known: Mapping[str, Any], synonyms: Mapping[str, str], given: Mapping[str, Any]
) -> str:
    """Return the schema's name for an argument: as given, by the table, or in camelCase."""
    if name not in known:
        for candidate in (synonyms.get(name, name), _camel_case(name)):
            if candidate in known and candidate not in given:
                return candidate
    return name


def _camel_case(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in others)


def _readings(text: str) -> Iterator[Any]:
    """Yield what a text says when it is read as a number, as a truth value, or as JSON."""
    text = text.strip()
    if _INTEGER.fullmatch(text):
        yield int(text)
    elif _NUMBER.fullmatch(text):
        yield float(text)
    elif text.casefold() in ("true", "false"):
        yield text.casefold() == "true"
    elif text[:1] in ("{", "["):
        try:
            yield json.loads(text)
        except ValueError, RecursionError:
            return


def _kind(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "number"
        case str():
            return "string"
        case list():
            return "array"
        case _:
            return "object"


def _is_one_of(value: Any, kinds: frozenset[str]) -> bool:
    kind = _kind(value)
    return kind in kinds or (kind == "integer" and "number" in kinds)


def _same(left: Any, right: Any) -> bool:
    return left == right and type(left) is type(right)


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:60]}…"
