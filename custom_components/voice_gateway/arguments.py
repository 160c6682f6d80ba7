"""Correct the arguments of a call where the tool's JSON schema leaves no doubt.

A model writes "50" for a number, a list as JSON in a string, "Off" for "off", or null for a missing
argument, and seldom corrects itself. Arguments that the schema does not decide are passed on
unchanged, and the tool's own refusal goes back to the model.

The SDK corrects nothing for MCP servers: it refuses `device_name` for a server's `deviceName`, and
"50" for a number (verified in `tests/mcp_servers/test_tool.py`).
"""

from collections.abc import Callable, Iterator, Mapping
import json
import re
from typing import Any
import unicodedata

from homeassistant.helpers import llm

from .json_schema import (
    Json,
    JsonSchema,
    OtherNames,
    Serializer,
    no_other_names,
    properties_of,
    required_of,
    resolve,
    schema_of,
)

_INTEGER = re.compile(r"[+-]?\d{1,18}")
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
# Depth to which a recursive schema is followed: no call is nested deeper.
_DEPTH = 8


def correct(
    schema: Json, given: Mapping[str, Any], *, names: OtherNames = no_other_names
) -> tuple[dict[str, Any], list[str]]:
    """Return the arguments corrected to the schema, and descriptions of the changes.

    The descriptions hold names and types, but no values, which may be secret. `given` is not
    modified. Correction is idempotent.
    """
    correction = _Correction(schema, names)
    return correction.object(given, schema, _DEPTH), correction.changes


def correct_for(
    tool: llm.Tool, given: Mapping[str, Any], serializer: Serializer = None
) -> tuple[dict[str, Any], list[str]]:
    """Return the arguments corrected to a tool's schema, and the changes; see `correct`.

    `serializer` is the `APIInstance.custom_serializer` of the tool, for a `probatio` schema.
    """
    match tool.parameters:
        case JsonSchema(accepted=schema, names=names):
            pass
        case _:
            schema, names = schema_of(tool, serializer), no_other_names
    if (within := _unwrapped(tool.name, given, properties_of(schema))) is not None:
        corrected, changes = correct(schema, within, names=names)
        return corrected, ["without a call around them", *changes]
    return correct(schema, given, names=names)


def _unwrapped(
    tool: str, given: Mapping[str, Any], known: Mapping[str, Any]
) -> dict[str, Any] | None:
    """Return arguments that are wrapped in another call of the same tool; None for others.

    For example `{"arguments": {"name": "Lamp"}}`, with or without the tool's name beside it.
    """
    if given.keys() <= known.keys():
        return None
    rest = [part for key, part in given.items() if key not in known and part != tool]
    around, *others = rest or [None]
    is_named = all(value == tool for key, value in given.items() if key in known)
    within = next(readings(around), None) if isinstance(around, str) else around
    is_call = isinstance(within, dict) and within and within.keys() <= known.keys()
    return within if is_call and is_named and not others else None


def readings(text: str) -> Iterator[Any]:
    """Yield the value of a text read as a number, as a boolean, or as JSON."""
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


def _once[Result](read: Callable[[_Correction, Any, int], Result]) -> Callable[..., Result]:
    """Cache a method's result for each part of a schema and each depth.

    A schema that refers to itself in several places would be read exponentially often.
    """

    def known(self: _Correction, schema: Any, depth: int = _DEPTH) -> Result:
        key = read.__name__, id(schema), depth
        if key not in self.known:
            # The part is kept, so that its id is not reused.
            self.known[key] = schema, read(self, schema, depth)
        result: Result = self.known[key][1]
        return result

    return known


class _Correction:
    """The correction of one call's arguments."""

    def __init__(self, root: Json, names: OtherNames) -> None:
        """Take the document that the schema's references start from, and the argument aliases."""
        self.changes: list[str] = []
        self._root = root
        self._names = names
        # See `_once`.
        self.known: dict[tuple[str, int, int], tuple[Any, Any]] = {}

    def object(self, given: Mapping[str, Any], schema: Json, depth: int) -> dict[str, Any]:
        """Correct the names and the values of an object."""
        known = self._properties(schema)
        required = required_of(schema)
        corrected = self._renamed(given, known)
        for name in [name for name in corrected if name in known]:
            value = corrected[name]
            if value is None and name not in required and not self._takes_null(known[name]):
                # Models write null for an argument that they omit.
                self._note(f"{name}: null → left out")
                del corrected[name]
                continue
            corrected[name] = self._value(name, value, known[name], depth)
        # A corrected value may be blank, and an alias hold the right one.
        again = self._renamed(corrected, known)
        return corrected if again.keys() == corrected.keys() else self.object(again, schema, depth)

    def _renamed(self, given: Mapping[str, Any], known: Mapping[str, Any]) -> dict[str, Any]:
        """Return arguments under the schema's names, if only the name is wrong."""
        renamed = dict(given)
        for name in given:
            if name in known:
                continue
            for other in self._names(name):
                if other in known and _is_blank(renamed.get(other)):
                    renamed[other] = renamed.pop(name)
                    self._note(f"{name} → {other}")
                    break
        return renamed

    @_once
    def _properties(self, schema: Any, depth: int) -> dict[str, Any]:
        """Return the schemas of an object's properties that apply unconditionally."""
        schema = resolve(schema, self._root)
        properties: dict[str, Any] = {}
        match schema:
            case {"allOf": list(parts)} if depth:
                for part in parts:
                    properties |= self._properties(part, depth - 1)
        return properties | properties_of(schema)

    def _value(self, name: str, value: Any, wanted: Any, depth: int) -> Any:
        """Return an argument's value in a type of the schema, if only its type is wrong."""
        if not depth:
            return value
        schema = resolve(wanted, self._root)
        kinds = self._kinds(schema)
        if kinds and not _is_one_of(value, kinds):
            meant = _as_one_of(value, kinds)
            if meant is value:
                return value
            self._note(f"{name}: {_kind(value)} → {_kind(meant)}")
            value = meant
        if isinstance(value, str):
            return self._chosen(name, value, schema)
        return self._parts(name, value, schema, depth)

    def _chosen(self, name: str, value: str, schema: Json) -> str:
        """Return the only choice that equals a text but for case, spaces or Unicode form."""
        choices = self._choices(schema)
        if not choices or value in choices:
            return value
        alike = {each for each in choices if _written_alike(each) == _written_alike(value)}
        if len(alike) != 1:
            return value
        self._note(f"{name}: as its schema writes it")
        return alike.pop()

    def _parts(self, name: str, value: Any, schema: Json, depth: int) -> Any:
        """Correct the values in an object or a list."""
        match value:
            case dict() if "properties" in schema or "allOf" in schema:
                return self.object(value, schema, depth - 1)
            case list() if isinstance(items := schema.get("items"), dict):
                return [self._value(name, part, items, depth - 1) for part in value]
            case _:
                return value

    def _note(self, change: str) -> None:
        """Note a change: once, even if it applies to several items of a list."""
        if change not in self.changes:
            self.changes.append(change)

    @_once
    def _choices(self, raw: Any, depth: int) -> frozenset[str]:
        """Return a schema's closed set of strings; empty if it accepts others as well."""
        match resolve(raw, self._root) if depth else {}:
            case {"enum": list(values)}:
                return frozenset(value for value in values if isinstance(value, str))
            case {"const": str(value)}:
                return frozenset((value,))
            case {"anyOf": list(options)} | {"oneOf": list(options)}:
                kinds = [(option, self._kinds(option, depth - 1)) for option in options]
                texts = [option for option, each in kinds if not each or "string" in each]
                each_of = [self._choices(option, depth - 1) for option in texts]
                return frozenset[str]().union(*each_of) if all(each_of) else frozenset()
            case {"allOf": [only]}:
                return self._choices(only, depth - 1)
            case _:
                return frozenset()

    def _takes_null(self, schema: Any) -> bool:
        kinds = self._kinds(schema)
        return not kinds or "null" in kinds

    @_once
    def _kinds(self, raw: Any, depth: int) -> frozenset[str]:
        """Return the JSON types that a schema accepts; empty if it does not say."""
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


def _as_one_of(value: Any, kinds: frozenset[str]) -> Any:
    """Return a value converted to one of these types; if that fails, the same object."""
    match value:
        case str():
            for meant in readings(value):
                if _is_one_of(meant, kinds):
                    return meant
        case dict() if "object" not in kinds and (len(value) == 1 or "value" in value):
            meant = value.get("value", next(iter(value.values())))
            if _is_one_of(meant, kinds):
                return meant
        case [int() | float() as only] if "array" not in kinds and _is_one_of(only, kinds):
            return only
        case float() if value.is_integer() and "integer" in kinds:
            return int(value)
        case int() | float() if not isinstance(value, bool) and "string" in kinds:
            return json.dumps(value)
    return [value] if "array" in kinds and value is not None else value


def _written_alike(text: str) -> str:
    """Return a text normalized in case, surrounding spaces and Unicode form."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).strip()


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


def _is_blank(value: Any) -> bool:
    return value is None or value == [] or (isinstance(value, str) and not value.strip())
