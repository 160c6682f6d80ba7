r"""Calls written as JSON objects.

    {"name": "HassTurnOn", "arguments": {"name": "Lamp"}}
    {"type": "function", "function": {"name": "HassTurnOn", "arguments": "{\"name\": \"Lamp\"}"}}
    {"tool_calls": [{"name": "HassTurnOn", "parameters": {"name": "Lamp"}}]}
    {"tool": "HassTurnOn", "name": "Lamp"}
    {"HassTurnOn": {"name": "Lamp"}}
    {"toolUse": {"toolUseId": "a", "name": "HassTurnOn", "input": {"name": "Lamp"}}}
    {"method": "tools/call", "params": {"name": "HassTurnOn", "arguments": {"name": "Lamp"}}}

The words of a key determine its role, however they are joined. The first three have the form of a
call, whatever the name: no other JSON consists of a name and an object of arguments. Others are
calls only with the name of an offered tool.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from homeassistant.helpers import llm

from ..text.marks import is_technical, words_of
from ..text.reader import NoCall, Reader
from .arguments import BROKEN, to_arguments
from .names import Names, bare, is_name
from .values import parsed, read_object, read_value

# Roles of a key by its words: `tool_name` and `functionName` name a tool, `tool_input` holds its
# arguments, and `toolCalls` holds calls.
_TOOLS = frozenset(("tool", "tools", "function", "functions", "action"))
_CALLS = _TOOLS | {"actions", "call", "calls", "use", "uses", "invocation", "invocations"}
_NAMES = _TOOLS | {"name", "recipient", "command", "operation", "intent"}
ARGUMENTS = frozenset(("arguments", "parameters", "args", "input", "params", "kwargs"))
_BESIDE = {
    *("type", "id", "index", "thought", "thoughts", "reasoning", "reason", "say"),
    *("role", "content", "jsonrpc", "method", "status"),
}
# Keys of a tool's description, which no call has.
DESCRIPTION = ("description", "inputSchema", "input_schema", "properties")


def read_calls(reader: Reader, names: Names) -> list[llm.ToolInput]:
    """Read an object that is a call, or a list of these. Raises NoCall."""
    return read_list(reader, lambda: _read_call(reader, names))


def read_quoted(reader: Reader, names: Names) -> list[llm.ToolInput]:
    """Read a call that is a string of JSON, or a list of a name and arguments. Raises NoCall."""
    return list(_calls(read_value(reader), names))


def read_list(reader: Reader, read: Callable[[], list[llm.ToolInput]]) -> list[llm.ToolInput]:
    """Read one call, or those of a list in brackets. Raises NoCall."""
    if not reader.skip("["):
        return read()
    calls: list[llm.ToolInput] = []
    reader.space()
    while not (reader.skip("]") or reader.at_end):
        calls += read()
        reader.space()
        reader.skip(",")
        reader.space()
    return calls


@lru_cache(256)
def _roles(key: str) -> frozenset[str]:
    """Return the possible roles of a key; empty if it does not occur in calls."""
    words = words_of(key)
    is_any = {
        "name": words <= _NAMES,
        "arguments": len(words & ARGUMENTS) == 1 and words - ARGUMENTS <= _CALLS,
        "calls": words <= _CALLS,
        "beside": not words.isdisjoint(_BESIDE),
    }
    return frozenset(role for role, is_role in is_any.items() if is_role)


def _with_role(role: str, keys: Iterable[str]) -> str | None:
    return next((key for key in keys if role in _roles(key)), None)


def _read_call(reader: Reader, names: Names) -> list[llm.ToolInput]:
    so_far: dict[str, Any] = {}
    is_announced = reader.loose

    def watch(key: str, before: dict[str, Any]) -> None:
        """Raise NoCall at the first key that does not occur in calls."""
        nonlocal so_far
        so_far = before
        holds_arguments = "arguments" in _roles(key)
        if _named(before, names):
            # Only within arguments, malformed text makes a broken call.
            reader.is_sure = holds_arguments
            reader.loose = is_announced or holds_arguments
            return
        written = [before[name] for name in _written_names(before)]
        is_of_call = _roles(key) or (not before and names.resolve(key))
        if not (is_of_call and all(map(is_name, written))):
            raise NoCall
        reader.called = next(iter(written), "") if holds_arguments else ""

    try:
        found = read_object(reader, watch)
    except NoCall:
        if named := _named(so_far, names):
            reader.called = str(so_far[named])
        raise
    reader.called, reader.is_sure = "", False
    return list(_calls(found, names))


def _calls(value: Any, names: Names, depth: int = 0) -> Iterator[llm.ToolInput]:
    if isinstance(value, str):
        value = parsed(value, None)
    match value:
        case [str(written), dict(given)] if name := names.resolve(written):
            yield llm.ToolInput(name, given)
            return
        case list():
            for part in value:
                yield from _calls(part, names, depth)
            return
    if not isinstance(value, dict) or depth > 3:
        raise NoCall
    if all(map(_roles, value)) and (inner := _within(value, names)) is not None:
        yield from _calls(inner, names, depth + 1)
    else:
        yield _call(value, names)


def _within(value: Mapping[str, Any], names: Names) -> Any:
    """Return the call or calls that an object wraps; None if it is a call itself."""
    given = _with_role("arguments", value)
    texts = {key: part.lstrip()[:1] for key, part in value.items() if isinstance(part, str)}
    parts = (key for key in value if value[key] is not None and texts.get(key, "{") in {"[", "{"})
    key = _with_role("calls", parts)
    if key is None:
        # `{"method": "tools/call", "params": {"name": …}}`
        is_around = given and not [*_written_names(value)] and isinstance(value[given], dict)
        return value[given] if given and is_around and _named(value[given], names) else None
    inner = value[key]
    if given and isinstance(inner, dict) and not _with_role("arguments", inner):
        return {**inner, given: value[given]}
    return inner


def _call(value: Mapping[str, Any], names: Names) -> llm.ToolInput:
    if len(value) == 1:
        (only, arguments), *_ = value.items()
        if isinstance(arguments, dict) and (name := names.resolve(only)):
            return llm.ToolInput(name, arguments)
    key = _named(value, names)
    if key is None and all(map(_roles, value)):
        key = next(_written_names(value), None)
    if key is None or any(word in value for word in DESCRIPTION):
        raise NoCall
    rest = {word: value[word] for word in value if word != key}
    name, written = names.resolve(value[key]), bare(value[key])
    given_as = _with_role("arguments", rest)
    given = rest.pop(given_as, None) if given_as else None
    if not given_as and key == "name" and not is_technical(written):
        raise NoCall  # an object with a name, as `{"name": "search", "color": "red"}`
    arguments = to_arguments(given)
    if name is None and (not is_name(written) or given is None or BROKEN in arguments):
        raise NoCall
    if any(word in arguments for word in DESCRIPTION):
        raise NoCall  # the tool's own schema
    beside = {word: part for word, part in rest.items() if "beside" not in _roles(word)}
    return llm.ToolInput(name or written, arguments | beside)


def _named(value: Mapping[str, Any], names: Names) -> str | None:
    """Return the key that names an offered tool."""
    return next((key for key in _written_names(value) if names.resolve(value[key])), None)


def _written_names(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys that may name a tool, the most certain first."""
    keys = [key for key in value if "name" in _roles(key) and isinstance(value[key], str)]
    yield from sorted(keys, key=lambda key: "name" not in words_of(key))
