r"""Calls written as JSON objects.

    {"name": "HassTurnOn", "arguments": {"name": "Lamp"}}
    {"type": "function", "function": {"name": "HassTurnOn", "arguments": "{\"name\": \"Lamp\"}"}}
    {"tool_calls": [{"name": "HassTurnOn", "parameters": {"name": "Lamp"}}]}
    {"tool": "HassTurnOn", "name": "Lamp"}
    {"HassTurnOn": {"name": "Lamp"}}

The first three have the shape of a call, whatever the name: no other JSON has a name and an object
of arguments, and nothing else. The last two are calls only by the name of an offered tool.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from homeassistant.helpers import llm

from ..text.reader import NoCall, Reader
from .arguments import to_arguments
from .names import Names, bare, is_name, is_technical
from .values import read_object

_NAMES = ("name", "tool_name", "tool", "function_name", "function", "action")
_ARGUMENTS = (
    "arguments",
    "parameters",
    "args",
    "tool_input",
    "action_input",
    "input",
    "params",
    "kwargs",
)
_AROUND = ("tool_calls", "tool_call", "function_call", "function_calls", "calls", "function")
_BESIDE = (
    *("type", "id", "index", "call_id", "tool_call_id"),
    *("thought", "thoughts", "reasoning", "say"),
)
_KNOWN = {*_NAMES, *_ARGUMENTS, *_AROUND, *_BESIDE}
# What a tool's own description has, and no call.
DESCRIPTION = ("description", "inputSchema", "input_schema", "properties")


def read_calls(reader: Reader, names: Names) -> list[llm.ToolInput]:
    """Read an object that is a call, or a list of such. Raises NoCall."""
    return read_list(reader, lambda: _read_call(reader, names), lambda character: character == "{")


def read_list(
    reader: Reader, read: Callable[[], list[llm.ToolInput]], begins: Callable[[str], bool]
) -> list[llm.ToolInput]:
    """Read one call, or those of a list in brackets, by the letter that one begins with. Raises NoCall."""
    if not reader.skip("["):
        return read()
    calls: list[llm.ToolInput] = []
    reader.space()
    while begins(reader.peek()):
        calls += read()
        reader.space()
        reader.skip(",")
        reader.space()
    if not reader.skip("]") and not reader.at_end:
        raise NoCall
    return calls


def _read_call(reader: Reader, names: Names) -> list[llm.ToolInput]:
    so_far: dict[str, Any] = {}

    def watch(key: str, before: dict[str, Any]) -> None:
        """End the reading at the first key that no call has."""
        nonlocal so_far
        so_far = before
        if _named(before, names):
            # Nothing else than arguments may be there that cannot be read.
            reader.is_sure = reader.loose = key in _ARGUMENTS
            return
        written = [before[name] for name in _NAMES if isinstance(before.get(name), str)]
        if not all(map(is_name, written)):
            raise NoCall
        if key not in _KNOWN and (before or not names.resolve(key)):
            raise NoCall
        reader.called = next(iter(written), "") if key in _ARGUMENTS else ""

    try:
        found = read_object(reader, watch)
    except NoCall:
        if named := _named(so_far, names):
            reader.called = str(so_far[named])
        raise
    reader.called, reader.is_sure = "", False
    return list(_calls(found, names))


def _calls(value: Any, names: Names, depth: int = 0) -> Iterator[llm.ToolInput]:
    """Yield the calls that a value is. Raises NoCall."""
    if not isinstance(value, dict) or depth > 3:
        raise NoCall
    for key in _AROUND:
        if isinstance(inner := value.get(key), dict | list) and value.keys() <= _KNOWN:
            for part in inner if isinstance(inner, list) else [inner]:
                yield from _calls(part, names, depth + 1)
            return
    yield _call(value, names)


def _call(value: Mapping[str, Any], names: Names) -> llm.ToolInput:
    """Return the call that an object is. Raises NoCall."""
    key = _named(value, names)
    if len(value) == 1:
        (only, arguments), *_ = value.items()
        if isinstance(arguments, dict) and (name := names.resolve(only)):
            return llm.ToolInput(name, arguments)
    if key is None and value.keys() <= _KNOWN:
        key = next((word for word in _NAMES if isinstance(value.get(word), str)), None)
    if key is None or any(word in value for word in DESCRIPTION):
        raise NoCall
    return _named_call(value[key], {word: value[word] for word in value if word != key}, key, names)


def _named_call(written: str, rest: dict[str, Any], key: str, names: Names) -> llm.ToolInput:
    """Return the call of a tool by the name written under a key. Raises NoCall."""
    name = names.resolve(written)
    written = bare(written)
    given = next((rest.pop(word) for word in _ARGUMENTS if word in rest), None)
    beside = {word: part for word, part in rest.items() if word not in _BESIDE}
    if given is None and key == "name" and not is_technical(written):
        raise NoCall  # a thing of that name, as `{"name": "search", "color": "red"}`
    arguments = to_arguments(given)
    if name is None and (not is_name(written) or given is None or "arguments" in arguments):
        raise NoCall
    if any(word in arguments for word in DESCRIPTION):
        raise NoCall  # the tool's own schema
    return llm.ToolInput(name or written, arguments | beside)


def _named(value: Mapping[str, Any], names: Names) -> str | None:
    """Return the key under which an offered tool is named."""
    written = (key for key in _NAMES if isinstance(value.get(key), str))
    return next((key for key in written if names.resolve(value[key])), None)
