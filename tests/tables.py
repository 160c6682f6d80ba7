"""Tables of tests, kept as data: `test_x.yaml` beside `test_x.py`, by name, with a row a line."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]


def table(file: str | Path, name: str) -> Any:
    """Return a table of a module's data; a table of several parts is a mapping.

    Args:
        file: the module's `__file__`, or another file's path without its end.
        name: the table's name.
    """
    return _tables(Path(file).with_suffix(".yaml"))[name]


@cache
def _tables(path: Path) -> Mapping[str, Any]:
    tables: dict[str, Any] = yaml.load(path.read_text("utf-8"), yaml.CSafeLoader)
    return {name: _of(table) for name, table in tables.items()}


def _of(table: Any) -> Any:
    """Return a table whose rows are tuples, as they would be in code."""
    if isinstance(table, dict):
        return {key: _of(part) for key, part in table.items()}
    if not isinstance(table, list):
        return table
    return tuple(tuple(row) if isinstance(row, list) else row for row in table)
