"""Conversion of plans to JSON and back, checked by field types: the file's source is untrusted."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
import datetime as dt
from enum import Enum
from functools import cache
import types
from typing import Any, Final, TypeAliasType, Union, get_args, get_origin, get_type_hints

from ..nlu.time_resolution import TimeExpression
from ..nlu.tokenizer import Text
from .schedule import AtTime, OnEvent, Recurrence

_KINDS: Final = {"once": AtTime, "repeat": Recurrence, "event": OnEvent}
"""Schedule classes by their names in stored plans."""
_STORED_NAMES: Final = {
    "type": "kind",
    "is_unread": "unread",
    "is_shared": "shared",
    "depends_on_answer": "of_answer",
}
"""Fields of a time expression whose names in stored plans differ: plans outlive renames."""
_type_hints = cache(get_type_hints)
_WORDS: Final = frozenset(
    ("text", "moment", "condition", "arguments", "attributes", "about", "user_id")
)
"""Fields of a stored plan with personal data: the utterance and its user."""


def as_json(value: Any) -> Any:
    """Return a value as stored: a dataclass as its fields by name, a schedule with its kind."""
    match value:
        case dt.datetime() | dt.time():
            return value.isoformat()
        case tuple():
            return [as_json(each) for each in value]
    if not is_dataclass(value):
        return value
    stored = {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, TimeExpression):
        return {
            _STORED_NAMES.get(name, name): each
            for name, each in stored.items()
            if each not in (None, "", [])
        }
    kind = next((name for name, each in _KINDS.items() if isinstance(value, each)), None)
    return {"kind": kind, **stored} if kind else stored


def of_json(kind: Any, data: Any) -> Any:
    """Return a stored value as a type. Raises KeyError, TypeError or ValueError if invalid."""
    while isinstance(kind, TypeAliasType):
        kind = kind.__value__
    origin, given = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        if data is None and types.NoneType in given:
            return None
        if given == (*_KINDS.values(),):
            rest = {**data}
            return of_json(_KINDS[rest.pop("kind")], rest)
        return of_json(given[0], data)
    if origin is tuple:
        return tuple(of_json(given[0], each) for each in _checked(list, data))
    if is_dataclass(kind):
        return _fields_of(kind, _checked(dict, data))
    return _simple_of_json(origin or kind, data)


def _simple_of_json(kind: type, data: Any) -> Any:
    if issubclass(kind, dt.datetime):
        return _instant(data)
    if kind is dt.time:
        return dt.time.fromisoformat(data)
    if kind is Text:
        return Text(_checked(str, data), None)
    return kind(data) if issubclass(kind, Enum) else _checked(kind, data)


def _fields_of(kind: Any, data: Mapping[str, Any]) -> Any:
    hints = _type_hints(kind)
    renamed = _STORED_NAMES.items() if kind is TimeExpression else ()
    names = {stored: name for name, stored in renamed}
    given = {names.get(name, name): each for name, each in data.items()}
    return kind(**{name: of_json(hints[name], each) for name, each in given.items()})


def _checked(kind: type, data: Any) -> Any:
    """Return a value of a type: an int is accepted as a float, a bool never as a number."""
    is_of = isinstance(data, (int, float) if kind is float else kind)
    if not is_of or (isinstance(data, bool) and kind is not bool):
        raise TypeError(f"No {kind.__name__}: {data!r}")
    return data


def _instant(text: str) -> dt.datetime:
    """Return an instant in UTC. Raises TypeError or ValueError if the text is not one."""
    at = dt.datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"No time zone: {text}")
    return at.astimezone(dt.UTC)


def without_words(stored: Any) -> Any:
    """Return a stored plan without the words of the utterance and its user."""
    match stored:
        case dict():
            return {
                key: "" if key in _WORDS and value else without_words(value)
                for key, value in stored.items()
            }
        case list() | tuple():
            return [without_words(each) for each in stored]
    return stored
