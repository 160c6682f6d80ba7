"""Whether what was stored is what its types say: a file may have been written by anybody."""

from dataclasses import fields, is_dataclass
import types
from typing import Any, TypeAliasType, Union, get_args, get_origin, get_type_hints


def check(value: Any) -> None:
    """Check the fields of a dataclass, and of those within it. Raises TypeError with what is of another type."""
    hints = get_type_hints(type(value))
    for field in fields(value):
        if not _is_of(found := getattr(value, field.name), hints[field.name]):
            raise TypeError(f"{type(value).__name__}.{field.name}: {found!r}")


def _is_of(value: Any, kind: Any) -> bool:
    """Return True if a value is of a type, as dataclasses of plans have it."""
    while isinstance(kind, TypeAliasType):
        kind = kind.__value__
    origin, given = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return any(_is_of(value, each) for each in given)
    if origin is tuple:
        return isinstance(value, tuple) and all(_is_of(each, given[0]) for each in value)
    if origin is not None:
        return isinstance(value, origin)
    if kind in (float, int):
        return isinstance(value, int | kind) and not isinstance(value, bool)
    if is_dataclass(value) and isinstance(value, kind):
        check(value)
    return kind is Any or isinstance(value, kind)
