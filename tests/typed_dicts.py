"""Checks JSON against a `TypedDict`, word for word: a library's types as the schema of a request."""

from collections.abc import Iterator
from functools import cache
import types
import typing
from typing import Any, Literal, Union

import typing_extensions

_REQUIRED = (typing.Required, typing_extensions.Required)
_OPTIONAL = (typing.NotRequired, typing_extensions.NotRequired)


def mistakes(value: Any, wanted: Any, path: str = "$") -> list[str]:
    """Return where a JSON value is not of a type; of a choice, what is wrong with the nearest one.

    A key that a `TypedDict` does not know is a mistake, unless its class says that more may come.
    """
    return list(_mistakes(value, wanted, path))


def _mistakes(value: Any, wanted: Any, path: str) -> Iterator[str]:
    origin, args = typing.get_origin(wanted), typing.get_args(wanted)
    if origin in (*_REQUIRED, *_OPTIONAL, typing.Annotated):
        yield from _mistakes(value, args[0], path)
    elif origin in (Union, types.UnionType):
        choices = (mistakes(value, choice, path) for choice in args)
        yield from min(choices, key=lambda found: _far(found, path))
    elif typing_extensions.is_typeddict(wanted):
        yield from _in_object(value, wanted, path)
    elif args and origin not in (Literal, dict):
        yield from _in_list(value, args[0], path)
    elif not _is_plain(value, wanted):
        yield f"{path}: not {wanted}: {value!r}"


def _is_plain(value: Any, wanted: Any) -> bool:
    """Tell whether a value is of a type that has no parts of its own."""
    if typing.get_origin(wanted) is Literal:
        return value in typing.get_args(wanted)
    if wanted in (Any, object):
        return True
    kind = typing.get_origin(wanted) or wanted
    return type(value) is kind or (kind is float and type(value) is int)


def _in_list(value: Any, wanted: Any, path: str) -> Iterator[str]:
    if not isinstance(value, list):
        yield f"{path}: no list"
        return
    for index, part in enumerate(value):
        yield from _mistakes(part, wanted, f"{path}[{index}]")


def _in_object(value: Any, wanted: Any, path: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{path}: no object"
        return
    hints = _hints(wanted)
    # Not `__required_keys__` alone: where annotations are strings, it knows nothing of `Required`.
    required = {key for key, hint in hints.items() if typing.get_origin(hint) in _REQUIRED}
    for key in (required | wanted.__required_keys__) - value.keys():
        yield f"{path}: has no {key}"
    more = getattr(wanted, "__pydantic_config__", {}).get("extra") == "allow"
    for key, part in value.items():
        if key in hints:
            yield from _mistakes(part, hints[key], f"{path}.{key}")
        elif not more:
            yield f"{path}: may not have {key}"


@cache
def _hints(wanted: Any) -> dict[str, Any]:
    return typing_extensions.get_type_hints(wanted, include_extras=True)


def _far(found: list[str], path: str) -> tuple[bool, int]:
    """Tell how far a choice is from what is there: one of another kind is not meant at all."""
    marks = (f"{path}.type:", f"{path}.role:", f"{path}: no ", f"{path}: not ")
    return any(text.startswith(marks) for text in found), len(found)
