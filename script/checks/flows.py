"""Flows: a text for every step, menu, field, error and reason to end that the code names.

What a form shows only at run time is seen by the tests of the flows: `tests/flows/conftest.py`.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from homeassistant.helpers import config_entry_oauth2_flow

from .code import Code, Module, argument, called, calls_in
from .texts import Texts

_KINDS = {
    "ConfigFlow": "config",
    "OptionsFlow": "options",
    "ConfigSubentryFlow": "config_subentries",
    "RepairsFlow": "issues",
}
_STEP = "async_step_"


@dataclass(frozen=True, slots=True)
class _Flow:
    """A class with steps, and the parts of the texts that have its words, by their names."""

    module: Module
    body: ast.ClassDef
    steps: frozenset[str]
    sections: dict[str, Texts]
    # One section with a text will do: which of them a repair shows is seen at run time.
    any_section: bool

    def lacks(self, *path: str) -> Iterator[str]:
        """Yield the sections without something at a path."""
        missing = [name for name, section in self.sections.items() if not _at(section, *path)]
        if missing and not (self.any_section and len(missing) < len(self.sections)):
            yield from missing


def check_flows(texts: Texts, code: Code) -> Iterator[str]:
    """Find what flows show without having words for it."""
    flows = list(_flows(texts, code))
    found = []
    for flow in flows:
        found += [*_steps(flow, code), *_aborts(flow, code), *_errors(flow, code)]
    for module in code.modules.values():
        if module.name.startswith("flows"):
            of_module = [flow for flow in flows if flow.module is module]
            found += _fields(module, of_module or flows, code)
    yield from dict.fromkeys(found)
    for name, section in _sections(texts):
        yield from (f"strings.json: {name}.{fault}" for fault in _incomplete(section))


def _flows(texts: Texts, code: Code) -> Iterator[_Flow]:
    classes = {
        name: (module, body)
        for module in code.modules.values()
        for name, body in module.classes.items()
    }
    above = {name: _above(name, classes) for name in classes}
    types = _subentry_types(code, above)
    for name, (module, body) in classes.items():
        kind = next((_KINDS[base] for base in above[name] if base in _KINDS), None)
        if kind is None:
            continue
        below = {other for other in classes if name in above[other]} | {name}
        match kind:
            case "config_subentries":
                sections = {
                    f"{kind}.{type_}": texts.get(kind, {}).get(type_, {})
                    for other in sorted(below)
                    for type_ in types.get(other, [])
                }
            case "issues":
                sections = {
                    f"{kind}.{issue}.fix_flow": said["fix_flow"]
                    for issue, said in texts.get(kind, {}).items()
                    if "fix_flow" in said
                }
            case _:
                sections = {kind: texts.get(kind, {})}
        family = below | above[name]
        steps = frozenset(
            node.name.removeprefix(_STEP)
            for member in family & classes.keys()
            for node in ast.walk(classes[member][1])
            if isinstance(node, ast.AsyncFunctionDef) and node.name.startswith(_STEP)
        )
        yield _Flow(module, body, steps, sections, kind == "issues")


def _above(name: str, classes: dict[str, tuple[Module, ast.ClassDef]]) -> set[str]:
    """Return all classes that one is made of, by their names."""
    if name not in classes:
        return set()
    bases = {base.id for base in classes[name][1].bases if isinstance(base, ast.Name)}
    return bases.union(*(_above(base, classes) for base in bases))


def _subentry_types(code: Code, above: dict[str, set[str]]) -> dict[str, list[str]]:
    """Return the types of subentries that each class is for."""
    types: dict[str, list[str]] = {}
    for module in code.modules.values():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Dict):
                for key, value in zip(node.keys, node.values, strict=True):
                    if (
                        isinstance(value, ast.Name)
                        and "ConfigSubentryFlow" in above.get(value.id, ())
                        and (type_ := code.value(module, key))
                    ):
                        types.setdefault(value.id, []).append(type_)
    return types


def _steps(flow: _Flow, code: Code) -> Iterator[str]:
    for call in calls_in(flow.body):
        name = called(call)
        if name.startswith("async_show_progress"):
            action = code.value(flow.module, argument(call, "progress_action"))
            yield from _missing(flow, "progress", action)
            continue
        step = code.value(flow.module, argument(call, "step_id"))
        yield from _missing(flow, "step", step)
        if step and name == "async_show_menu":
            for option in _items(argument(call, "menu_options")):
                yield from _missing(
                    flow, "step", step, "menu_options", code.value(flow.module, option)
                )
        if isinstance(call.func, ast.Attribute) and _is_self(call.func.value):
            for given in call.args:
                if (step := code.value(flow.module, given)) in flow.steps:
                    yield from _missing(flow, "step", step)


def _aborts(flow: _Flow, code: Code) -> Iterator[str]:
    # Home Assistant has words for these; its own flow for logins says which.
    shared: frozenset[str] | set[str] = set()
    if any("OAuth2" in base.id for base in flow.body.bases if isinstance(base, ast.Name)):
        shared = set(config_entry_oauth2_flow._SHARED_ABORT_REASONS)  # noqa: SLF001
    for call in calls_in(flow.body):
        match called(call):
            case "async_abort":
                reason = code.value(flow.module, argument(call, "reason"))
            case "AbortFlow" if call.args:
                reason = code.value(flow.module, call.args[0])
            case "_async_abort_entries_match" | "_abort_if_unique_id_configured":
                reason = "already_configured"
            case _:
                continue
        if reason not in shared:
            yield from _missing(flow, "abort", reason)


def _errors(flow: _Flow, code: Code) -> Iterator[str]:
    fields = {"base"}.union(*(_all_fields(section) for section in flow.sections.values()))
    for node in ast.walk(flow.body):
        match node:
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id="errors"))], value=value):
                yield from _missing(flow, "error", code.value(flow.module, value))
            case ast.Dict(keys=keys, values=[ast.Constant(), *_] as values) if all(
                code.value(flow.module, key) in fields for key in keys
            ):
                for value in values:
                    yield from _missing(flow, "error", code.value(flow.module, value))
    for name, table in flow.module.assigned.items():
        if name.endswith("ERRORS") and isinstance(table, ast.Dict):
            for value in table.values:
                yield from _missing(flow, "error", code.value(flow.module, value))


def _fields(module: Module, flows: list[_Flow], code: Code) -> Iterator[str]:
    """Find fields of a module's forms that have no name in any of its flows."""
    known = set().union(
        *(_all_fields(section) for flow in flows for section in flow.sections.values())
    )
    for kind in ("Required", "Optional"):
        for call in calls_in(module.tree, kind):
            field = code.value(module, call.args[0]) if call.args else None
            if field and field not in known:
                yield f"strings.json: no name for the field {field} of {module.name}"


def _missing(flow: _Flow, *path: str | None) -> Iterator[str]:
    keys = [key for key in path if key]
    if len(keys) == len(path):
        for section in flow.lacks(*keys):
            yield f"strings.json: nothing at {section}.{'.'.join(keys)}"


def _incomplete(section: Texts) -> Iterator[str]:
    """Find steps without a title, and fields with a name or an explanation only."""
    for name, step in section.get("step", {}).items():
        if not step.get("title"):
            yield f"step.{name} has no title"
        options, said = step.get("menu_options", {}), step.get("menu_option_descriptions")
        if said is not None and said.keys() != options.keys():
            yield f"step.{name}: not every choice has a description"
        for part in (step, *step.get("sections", {}).values()):
            odd = part.get("data", {}).keys() ^ part.get("data_description", {}).keys()
            yield from (f"step.{name}: {field} lacks a name or a description" for field in odd)


def _sections(texts: Texts) -> Iterator[tuple[str, Texts]]:
    yield from ((kind, texts.get(kind, {})) for kind in ("config", "options"))
    for type_, section in texts.get("config_subentries", {}).items():
        yield f"config_subentries.{type_}", section
    for issue, said in texts.get("issues", {}).items():
        yield f"issues.{issue}.fix_flow", said.get("fix_flow", {})


def _all_fields(section: Texts) -> set[str]:
    fields: set[str] = set()
    for step in section.get("step", {}).values():
        sections = step.get("sections", {})
        fields |= step.get("data", {}).keys() | sections.keys()
        fields = fields.union(*(part.get("data", {}) for part in sections.values()))
    return fields


def _at(texts: Texts, *path: str) -> bool:
    for key in path:
        if not isinstance(texts, dict) or key not in texts:
            return False
        texts = texts[key]
    return True


def _items(expression: ast.expr | None) -> list[ast.expr]:
    match expression:
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return items
        case ast.Dict(keys=keys):
            return [key for key in keys if key]
        case _:
            return []


def _is_self(expression: ast.expr) -> bool:
    return isinstance(expression, ast.Name) and expression.id == "self"
