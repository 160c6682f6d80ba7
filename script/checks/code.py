"""The integration's code, read but not run: which texts it asks for, and by which keys."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
import re

_PACKAGE = "custom_components.voice_gateway"
# A process of its own, which shows nothing in Home Assistant.
_WITHOUT_TEXTS = "zwave_mcp"
_STEP = "async_step_"
_KEY = re.compile(r"[a-z0-9_]+")


@dataclass(frozen=True, slots=True)
class Module:
    """One file: `name` is relative to the integration, `flows.agent` for example."""

    name: str
    tree: ast.Module
    # What its own names stand for, and where the imported ones are from: module and name there.
    assigned: dict[str, ast.expr]
    classes: dict[str, ast.ClassDef]
    imported: dict[str, tuple[str, str]]


class Code:
    """All modules of the integration that may ask for a text."""

    def __init__(self, integration: Path) -> None:
        """Read an integration's folder."""
        files = sorted(integration.rglob("*.py"))
        modules = (
            _module(file.relative_to(integration), file.read_text("utf-8"))
            for file in files
            if _WITHOUT_TEXTS not in file.relative_to(integration).parts
        )
        self.modules = {module.name: module for module in modules}

    def names(self, key: str) -> bool:
        """Tell whether a key occurs in the code: as a string, a step, or by a string's pattern."""
        return key in self._literals or any(pattern.fullmatch(key) for pattern in self._patterns)

    def value(self, module: Module, expression: ast.expr | None) -> str | None:
        """Return the string that an expression stands for; None where that is seen only later."""
        match expression:
            case ast.Constant(value=str(text)):
                return text
            case ast.Name(id=name) if name in module.assigned:
                return self.value(module, module.assigned[name])
            case ast.Name(id=name) if name in module.imported:
                return self._imported(*module.imported[name])
            case ast.Attribute(value=ast.Name(id=owner), attr=name):
                return self._member(module, owner, name)
            case _:
                return None

    def calls(self, ending: str) -> Iterator[tuple[Module, ast.Call]]:
        """Yield the calls of everything whose name ends so."""
        for module in self.modules.values():
            yield from ((module, call) for call in calls_in(module.tree, ending))

    def _imported(self, origin: str, name: str) -> str | None:
        if origin in self.modules:
            return self.value(self.modules[origin], self.modules[origin].assigned.get(name))
        if origin.startswith("homeassistant."):
            found = getattr(import_module(origin), name, None)
            return found if isinstance(found, str) else None
        return None

    def _member(self, module: Module, owner: str, name: str) -> str | None:
        """Return a class's attribute."""
        if owner in module.imported:
            origin, owner = module.imported[owner]
            if origin.startswith("homeassistant."):
                found = getattr(getattr(import_module(origin), owner, None), name, None)
                return str(found) if isinstance(found, str) else None
            if origin not in self.modules:
                return None
            module = self.modules[origin]
        if (body := module.classes.get(owner)) is None:
            return None
        return self.value(module, _assignments(body.body).get(name))

    @cached_property
    def _literals(self) -> set[str]:
        literals = set()
        for module in self.modules.values():
            for node in ast.walk(module.tree):
                match node:
                    case ast.Constant(value=str(text)):
                        # Parts of a path count, as in the keys of translations.
                        literals |= {text, *text.split(".")}
                    case (
                        ast.Attribute(attr=name)
                        | ast.FunctionDef(name=name)
                        | ast.AsyncFunctionDef(name=name)
                    ) if name.startswith(_STEP):
                        literals.add(name.removeprefix(_STEP))
                    case ast.Name(id=name) if name in module.imported:
                        # Home Assistant's own constants.
                        literals.add(self._imported(*module.imported[name]) or "")
        return literals

    @cached_property
    def _patterns(self) -> list[re.Pattern[str]]:
        return [
            pattern
            for module in self.modules.values()
            for node in ast.walk(module.tree)
            if isinstance(node, ast.JoinedStr) and (pattern := pattern_of(node))
        ]


def pattern_of(string: ast.JoinedStr) -> re.Pattern[str] | None:
    """Return what keys look like that an f-string makes; None where it makes no keys."""
    fixed = [part.value for part in string.values if isinstance(part, ast.Constant)]
    if not any(len(str(text)) > 3 for text in fixed):
        return None
    if not all(_KEY.fullmatch(str(text)) for text in fixed):
        return None
    return re.compile(
        "".join(
            str(part.value) if isinstance(part, ast.Constant) else "[a-z0-9_]+"
            for part in string.values
        )
    )


def calls_in(tree: ast.AST, ending: str = "") -> Iterator[ast.Call]:
    """Yield the calls below a node of everything whose name ends so."""
    return (call for call in _calls(tree) if called(call).endswith(ending))


@cache
def _calls(tree: ast.AST) -> tuple[ast.Call, ...]:
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Call))


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


def keys_of(expression: ast.expr | None) -> set[str] | None:
    """Return the keys of a dict that is written out; None where they are not all seen."""
    if not isinstance(expression, ast.Dict):
        return None
    keys = [key.value for key in expression.keys if isinstance(key, ast.Constant)]
    return {str(key) for key in keys} if len(keys) == len(expression.keys) else None


@cache
def parse(text: str) -> ast.Module:
    """Return the syntax of a file, which nobody may change."""
    return ast.parse(text)


def _module(path: Path, text: str) -> Module:
    parts = [*path.parent.parts, path.stem]
    package = parts[:-1]
    if parts[-1] == "__init__":
        parts.pop()
    tree = parse(text)
    imported = {
        alias.asname or alias.name: (_origin(node, package), alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    classes = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    return Module(".".join(parts), tree, _assignments(tree.body), classes, imported)


def _origin(node: ast.ImportFrom, package: list[str]) -> str:
    """Return from where something is imported; the integration's own modules by their own name."""
    if not node.level:
        return (node.module or "").removeprefix(f"{_PACKAGE}.")
    above = package[: len(package) - node.level + 1]
    return ".".join([*above, *(node.module or "").split(".")]).strip(".")


def _assignments(body: list[ast.stmt]) -> dict[str, ast.expr]:
    found: dict[str, ast.expr] = {}
    for node in body:
        match node:
            case ast.Assign(targets=targets, value=value):
                found |= {name.id: value for name in targets if isinstance(name, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                found[name] = value
    return found
