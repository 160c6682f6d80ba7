"""What a client may ask for, read as Go reads it into Ollama's request types (`api/types.go`)."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
import json
import math
import re
from typing import Any

from script.ollama.engine import Sampling

FOREVER = math.inf
_UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_JSON_KINDS: dict[type, str] = {
    bool: "bool",
    int: "number",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}
_GO_TYPES: dict[type, str] = {bool: "bool", str: "string", list: "slice", dict: "map"}


class RequestError(Exception):
    """A request that is refused: HTTP status and Ollama's words."""

    def __init__(self, status: int, message: str) -> None:
        """Refuse with `status`, saying `message`."""
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: str
    content: str = ""
    tool_calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    """Name and arguments of each call."""


@dataclass(frozen=True, slots=True)
class Options:
    """`options` of a request, as far as they are used; others are ignored, as Ollama does."""

    num_ctx: int = 0
    num_predict: int = -1
    sampling: Sampling = field(default_factory=Sampling)


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """`POST /api/chat`, and `/api/generate` turned into it."""

    model: str
    messages: tuple[Message, ...]
    tools: tuple[Mapping[str, Any], ...]
    options: Options
    schema: Mapping[str, Any] | None
    """JSON schema that the answer has to conform to."""
    keep_alive: float | None
    """Seconds; FOREVER; None where the client leaves it to the server."""
    stream: bool
    think: bool
    truncate: bool
    """Drop the oldest messages of a conversation that is too long, instead of refusing it."""
    shift: bool
    """Forget the oldest tokens when the context is full, instead of ending the answer."""


def read_object(body: bytes) -> dict[str, Any]:
    """Read a request's body. Raises RequestError."""
    if not body.strip():
        raise RequestError(400, "missing request body")
    try:
        data = json.loads(body)
    except UnicodeDecodeError:
        raise RequestError(400, "invalid UTF-8 in request body") from None
    except json.JSONDecodeError as err:
        if err.pos >= len(err.doc.rstrip()):
            raise RequestError(400, "unexpected EOF") from None
        found = f"invalid character {err.doc[err.pos]!r} looking for beginning of value"
        raise RequestError(400, found) from None
    if not isinstance(data, dict):
        raise _mismatch(data, "", "api.Request")
    return data


def read_chat(data: Mapping[str, Any]) -> ChatRequest:
    """Read `POST /api/chat`. Raises RequestError."""
    return _request(
        data,
        messages=tuple(_message(item) for item in _dicts(data, "messages")),
        tools=tuple(_tool(item) for item in _dicts(data, "tools")),
    )


def read_name(data: Mapping[str, Any]) -> str:
    """Return the model's name of a request that is about nothing else. Raises RequestError."""
    return _get(data, "model", str, "") or _get(data, "name", str, "")


def read_stream(data: Mapping[str, Any]) -> bool:
    """Return whether the answer is to come in pieces. Raises RequestError."""
    return _get(data, "stream", bool, True)


def read_generate(data: Mapping[str, Any]) -> ChatRequest:
    """Read `POST /api/generate` as a conversation of one message. Raises RequestError."""
    system, prompt = _get(data, "system", str, ""), _get(data, "prompt", str, "")
    messages = [Message("system", system)] if system else []
    return _request(data, (*messages, Message("user", prompt)) if prompt else (), ())


def _request(
    data: Mapping[str, Any],
    messages: tuple[Message, ...],
    tools: tuple[Mapping[str, Any], ...],
) -> ChatRequest:
    return ChatRequest(
        model=_get(data, "model", str, ""),
        messages=messages,
        tools=tools,
        options=_options(_get(data, "options", dict, {})),
        schema=_schema(data.get("format")),
        keep_alive=duration(data.get("keep_alive")),
        stream=read_stream(data),
        think=bool(data.get("think")),
        truncate=_get(data, "truncate", bool, True),
        shift=_get(data, "shift", bool, True),
    )


def _get[T](data: Mapping[str, Any], key: str, kind: type[T], default: T, path: str = "") -> T:
    """Return a field of the type it has to have, `default` where it is missing or null."""
    value = data.get(key)
    if value is None:
        return default
    if not isinstance(value, kind):
        raise _mismatch(value, path + key, _GO_TYPES[kind])
    return value


def _mismatch(value: Any, name: str, wanted: str) -> RequestError:
    found = _JSON_KINDS.get(type(value), "null")
    where = f"Go struct field ChatRequest.{name}" if name else "Go value"
    return RequestError(400, f"json: cannot unmarshal {found} into {where} of type {wanted}")


def _dicts(data: Mapping[str, Any], key: str, path: str = "") -> list[dict[str, Any]]:
    items = _get(data, key, list, [], path)
    for item in items:
        if not isinstance(item, dict):
            raise _mismatch(item, path + key, "api.Message")
    return items


def _message(data: Mapping[str, Any]) -> Message:
    calls = []
    for call in _dicts(data, "tool_calls", "messages."):
        function = _get(call, "function", dict, {}, "messages.tool_calls.")
        path = "messages.tool_calls.function."
        calls.append(
            (_get(function, "name", str, "", path), _get(function, "arguments", dict, {}, path))
        )
    return Message(
        role=_get(data, "role", str, "", "messages.").lower(),
        content=_get(data, "content", str, "", "messages."),
        tool_calls=tuple(calls),
    )


def _tool(data: Mapping[str, Any]) -> Mapping[str, Any]:
    function = _get(data, "function", dict, {}, "tools.")
    _get(function, "name", str, "", "tools.function.")
    parameters = _get(function, "parameters", dict, {}, "tools.function.")
    _get(parameters, "properties", dict, {}, "tools.function.parameters.")
    return function


def _options(data: Mapping[str, Any]) -> Options:
    """Take what is known, by its type. A wrong type is Ollama's status 500."""
    sampling = replace(
        Sampling(),
        **{f.name: _option(data, f.name, getattr(Sampling(), f.name)) for f in fields(Sampling)},
    )
    return Options(_option(data, "num_ctx", 0), _option(data, "num_predict", -1), sampling)


def _option[T](data: Mapping[str, Any], key: str, default: T) -> T:
    value: Any = data.get(key)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    match default:
        case _ if value is None:
            return default
        case int() if number:
            return int(value)  # type: ignore[return-value]
        case int():
            wanted = "integer"
        case float() if number:
            return float(value)  # type: ignore[return-value]
        case float():
            wanted = "float32"
        case _ if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)  # type: ignore[return-value]
        case _:
            wanted = "array"
    raise RequestError(500, f'option "{key}" must be of type {wanted}')


def _schema(value: Any) -> Mapping[str, Any] | None:
    match value:
        case None | "":
            return None
        case "json":
            return {"type": "object"}
        case dict():
            return value
    shown = json.dumps(value)
    raise RequestError(
        500, f'invalid format: {shown}; expected "json" or a valid JSON Schema object'
    )


def duration(value: Any) -> float | None:
    """Read `keep_alive`: a number of seconds, or a text as Go's `time.ParseDuration` reads it.

    Returns seconds, FOREVER for a negative duration, None where there is none. Raises
    RequestError in Go's words.
    """
    match value:
        case None:
            return None
        case bool() | list() | dict():
            kind = {bool: "bool", list: "[]interface {}", dict: "map[string]interface {}"}
            raise RequestError(400, f"Unsupported type: '{kind[type(value)]}'")
        case int() | float():
            seconds = float(value)
        case _:
            seconds = _go_duration(value)
    return FOREVER if seconds < 0 else seconds


def _go_duration(text: str) -> float:
    shown = json.dumps(text, ensure_ascii=False)
    sign, rest = re.fullmatch(r"([-+]?)(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
    if rest == "0":
        return 0.0
    if not rest:
        raise RequestError(400, f"time: invalid duration {shown}")
    total = 0.0
    while rest:
        part = re.match(r"(\d+\.?\d*|\.\d+)([^\d.]*)", rest)
        if not part:
            raise RequestError(400, f"time: invalid duration {shown}")
        number, unit = part.groups()
        if not unit:
            raise RequestError(400, f"time: missing unit in duration {shown}")
        if unit not in _UNITS:
            raise RequestError(400, f'time: unknown unit "{unit}" in duration {shown}')
        total += float(number) * _UNITS[unit]
        rest = rest[part.end() :]
    return -total if sign == "-" else total
