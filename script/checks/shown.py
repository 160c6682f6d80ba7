"""What is shown beside flows: exceptions, issues, choices and actions."""

import ast
from collections.abc import Iterator
from pathlib import Path

from homeassistant.util.yaml import load_yaml_dict

from .code import Code, argument, calls_in, keys_of, pattern_of
from .texts import Texts, leaves, placeholders


def check_exceptions(texts: Texts, code: Code) -> Iterator[str]:
    """Find exceptions without a sentence, and sentences whose placeholders nobody fills."""
    messages = {key: said["message"] for key, said in texts.get("exceptions", {}).items()}
    for module in code.modules.values():
        for call in calls_in(module.tree):
            key = code.value(module, argument(call, "translation_key"))
            if key is None or argument(call, "translation_domain") is None:
                continue
            if key not in messages:
                yield f"strings.json: no sentence for the exception {key} of {module.name}"
            elif (given := _filled(call)) is not None and placeholders(messages[key]) - given:
                yield f"strings.json: exceptions.{key} has placeholders that nobody fills"


def check_failures(texts: Texts, code: Code) -> Iterator[str]:
    """Find kinds of failures, whose key is their sentence's, that have none."""
    messages, errors = texts.get("exceptions", {}), texts["config"]["error"]
    for key in _members(code.modules["models.client"].classes["Reason"]):
        if key not in messages:
            yield f"strings.json: no sentence for {key}"
    for body in code.modules["mcp_servers.errors"].classes.values():
        # The base class has no failure of its own.
        for key in _members(body, "key") if body.name != "McpError" else ():
            if key not in errors:
                yield f"strings.json: config.error has nothing for {key}"
            if key not in messages and not _is_of_flows(body, code):
                yield f"strings.json: no sentence for {key}"


def check_issues(texts: Texts, code: Code) -> Iterator[str]:
    """Find issues without words, or whose words do not fit how they are raised."""
    issues = texts.get("issues", {})
    for module, call in code.calls("async_create_issue"):
        given = argument(call, "translation_key")
        pattern = pattern_of(given) if isinstance(given, ast.JoinedStr) else None
        key = code.value(module, given)
        keys = [name for name in issues if name == key or (pattern and pattern.fullmatch(name))]
        if not keys and (key or pattern):
            yield f"strings.json: no words for the issue {key or pattern} of {module.name}"
        fixable = argument(call, "is_fixable")
        for name in keys:
            if isinstance(fixable, ast.Constant):
                wanted = "fix_flow" if fixable.value else "description"
                if wanted not in issues[name]:
                    yield f"strings.json: issues.{name} has no {wanted}"
            if (filled := _filled(call)) is not None:
                for path, text in leaves(issues[name]):
                    for placeholder in sorted(placeholders(text) - filled):
                        yield f"strings.json: nobody fills {{{placeholder}}} of issues.{name}.{path}"


def check_choices(texts: Texts, code: Code) -> Iterator[str]:
    """Find selectors whose choices have no words."""
    for module, call in code.calls("SelectorConfig"):
        key = code.value(module, argument(call, "translation_key"))
        if key and key not in texts.get("selector", {}):
            yield f"strings.json: no words for the choices {key} of {module.name}"


def check_actions(texts: Texts, icons: Texts, integration: Path, code: Code) -> Iterator[str]:
    """Compare the actions of the code, of `services.yaml`, of the texts and of the icons."""
    described = load_yaml_dict(str(integration / "services.yaml"))
    registered = {
        name
        for module, call in code.calls("async_register")
        if len(call.args) > 1 and (name := code.value(module, call.args[1]))
    }
    module = code.modules["services"]
    read_fields = {
        field
        for kind in ("Required", "Optional")
        for call in calls_in(module.tree, kind)
        if (field := code.value(module, call.args[0]))
    }
    said = texts.get("services", {})
    for where, names in (
        ("services.yaml", described.keys()),
        ("strings.json", said.keys()),
        ("icons.json", icons.get("services", {}).keys()),
    ):
        for name in sorted(registered ^ names):
            yield f"{where}: the action {name} is there only, or missing"
    fields: set[str] = set()
    for name in sorted(described.keys() & said.keys()):
        own = (described[name] or {}).get("fields", {}).keys()
        fields |= own
        for field in sorted(own ^ said[name].get("fields", {}).keys()):
            yield f"strings.json: services.{name} and services.yaml differ in the field {field}"
        for part in (said[name], *said[name].get("fields", {}).values()):
            if not (part.get("name") and part.get("description")):
                yield f"strings.json: services.{name} lacks a name or a description"
    for field in sorted(fields ^ read_fields):
        yield f"services.yaml: the field {field} is there only, or missing"


def _filled(call: ast.Call) -> set[str] | None:
    """Return the placeholders that a call fills; None where that is seen only at run time."""
    given = argument(call, "translation_placeholders")
    return set() if given is None else keys_of(given)


def _members(body: ast.ClassDef, *only: str) -> Iterator[str]:
    """Yield the strings that a class's attributes are; those of the names, where some are given."""
    for node in body.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str(text)))
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=str(text)))
            ) if not only or name in only:
                yield text


def _is_of_flows(failure: ast.ClassDef, code: Code) -> bool:
    """Tell whether a failure comes from nowhere else than a form."""
    modules = [module.name for module, _ in code.calls(failure.name)]
    return bool(modules) and all(name.startswith("flows.") for name in modules)
