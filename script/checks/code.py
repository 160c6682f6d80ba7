"""The integration's code, read but not run: which texts it asks for, and by which keys."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
import re

# A process of its own, which shows nothing in Home Assistant.
_WITHOUT_TEXTS = "zwave_mcp"
_STEP = "async_step_"
_KEY = re.compile(r"[a-z0-9_]+")


@dataclass(frozen=True, slots=True)
class _File:
    """What a file has to do with texts."""

    calls: tuple[ast.Call, ...]
    constants: tuple[tuple[str, str], ...]
    strings: tuple[str, ...]
    patterns: tuple[re.Pattern[str], ...]


class Code:
    """All files of the integration that may ask for a text."""

    def __init__(self, integration: Path) -> None:
        """Read an integration's folder."""
        self._files: dict[Path, _File] = {}
        for file in sorted(integration.rglob("*.py")):
            path = file.relative_to(integration)
            if _WITHOUT_TEXTS not in path.parts:
                self._files[path] = _read(file.read_text("utf-8"))
        files = self._files.values()
        self._constants = {name: text for each in files for name, text in each.constants}
        strings = {*self._constants.values()}.union(*(each.strings for each in files))
        # Parts of a path count, as in the keys of translations.
        self._keys = strings.union(*(text.split(".") for text in strings))
        self._patterns = {pattern for each in files for pattern in each.patterns}

    def names(self, key: str) -> bool:
        """Tell whether a key occurs in the code: as a string, a step, or by a string's pattern."""
        return key in self._keys or any(pattern.fullmatch(key) for pattern in self._patterns)

    def calls(self) -> Iterator[tuple[Path, ast.Call]]:
        """Yield all calls, each with the file that makes it."""
        for path, each in self._files.items():
            yield from ((path, call) for call in each.calls)

    def keys(self, expression: ast.expr | None) -> re.Pattern[str] | None:
        """Return what the keys look like that an expression gives; None where only a run tells."""
        match expression:
            case ast.Constant(value=str(text)):
                return re.compile(re.escape(text))
            case ast.Name(id=name) if name in self._constants:
                return re.compile(re.escape(self._constants[name]))
            case ast.JoinedStr():
                return _pattern(expression)
            case _:
                return None


# The tests look at many copies of the integration, which are the same but for one file.
@cache
def _read(source: str) -> _File:
    nodes = list(ast.walk(ast.parse(source)))
    return _File(
        calls=tuple(node for node in nodes if isinstance(node, ast.Call)),
        constants=tuple(pair for node in nodes for pair in _constants(node)),
        strings=tuple(text for node in nodes for text in _strings(node)),
        patterns=tuple(pattern for node in nodes if (pattern := _pattern(node))),
    )


def called(call: ast.Call) -> str:
    """Return the last part of what is called."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def argument(call: ast.Call, name: str) -> ast.expr | None:
    """Return a call's argument that is given by name."""
    return next((given.value for given in call.keywords if given.arg == name), None)


def _constants(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield the names of strings: those that are given here, and Home Assistant's own."""
    match node:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text)))
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=str(text)))
        ) if name.isupper():
            yield name, text
        case ast.ImportFrom(module=str(module), names=aliases) if module.startswith(
            "homeassistant."
        ):
            origin = import_module(module)
            for alias in aliases:
                found = getattr(origin, alias.name, None)
                if isinstance(found, str):
                    yield alias.asname or alias.name, found


def _strings(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case (
            ast.Attribute(attr=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name)
        ) if name.startswith(_STEP):
            yield name.removeprefix(_STEP)


def _pattern(node: ast.AST) -> re.Pattern[str] | None:
    """Return what keys look like that an f-string makes; None where it makes no keys."""
    if not isinstance(node, ast.JoinedStr):
        return None
    fixed = [str(part.value) for part in node.values if isinstance(part, ast.Constant)]
    if not any(len(text) > 3 for text in fixed) or not all(map(_KEY.fullmatch, fixed)):
        return None
    return re.compile(
        "".join(
            str(part.value) if isinstance(part, ast.Constant) else _KEY.pattern
            for part in node.values
        )
    )
