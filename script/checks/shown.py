"""What the code shows, and what is there to be shown.

What forms show is seen at run time, by the tests of the flows: `tests/flows/conftest.py`.
"""

import ast
from collections.abc import Iterator

from .code import Code, argument, called
from .texts import Texts, leaves, placeholders

# Home Assistant's own words in the files, and names of flows that it begins by itself.
_GIVEN = {
    "abort", "application_credentials", "calendar", "config", "config_subentries", "confirm", "create_entry",
    "data", "data_description", "description", "entity", "entry_type", "error", "exceptions",
    "fields", "fix_flow", "info", "init", "initiate_flow", "issues", "menu_option_descriptions",
    "menu_options", "message", "name", "options", "progress", "reconfigure", "sections",
    "selector", "sensor", "services", "state", "state_attributes", "step", "system_health",
    "title", "todo", "unit_of_measurement", "user",
}  # fmt: skip


def check_unused(texts: Texts, code: Code) -> Iterator[str]:
    """Find texts under keys that the code names nowhere."""
    for path, _ in leaves(texts):
        if any(key not in _GIVEN and not code.names(key) for key in path.split(".")):
            yield f"strings.json: nothing shows {path}"


def check_shown(texts: Texts, code: Code) -> Iterator[str]:
    """Find what the code shows without words, and words whose placeholders nobody fills."""
    for path, call in code.calls():
        keys = code.keys(_key(call))
        if keys is None or (section := _section(call)) is None:
            continue
        # Those of entities are by platform.
        parts = texts[section].values() if section == "entity" else [texts[section]]
        said = [(key, part[key]) for part in parts for key in part if keys.fullmatch(key)]
        if not said:
            yield f"strings.json: {section} has nothing for {keys.pattern} of {path}"
        if (filled := _filled(call)) is not None:
            for key, words in said:
                for where, text in leaves(words, f"{section}.{key}."):
                    for name in sorted(placeholders(text) - filled):
                        yield f"strings.json: nobody fills {{{name}}} of {where}"


def _section(call: ast.Call) -> str | None:
    """Return the part of the texts that has the words of what a call makes."""
    match called(call):
        case "async_create_issue" | "_raise_issue":
            return "issues"
        case "select_list":
            return "selector"
        case name if name.endswith("SelectorConfig"):
            return "selector"
        case "translated":
            return "exceptions"
        case name if name.endswith("Description"):
            return "entity"
        case _:
            return "exceptions" if argument(call, "translation_domain") else None


def _key(call: ast.Call) -> ast.expr | None:
    """Return the expression of a text's key: the second argument of our own `translated`."""
    match call:
        case ast.Call(args=[_, key, *_]) if called(call) == "translated":
            return key
        case _:
            return argument(call, "translation_key")


def _filled(call: ast.Call) -> set[str] | None:
    """Return the placeholders that a call fills; None where only a run tells."""
    if called(call) == "translated":
        names = [given.arg for given in call.keywords]
        return None if None in names else {str(name) for name in names}
    match argument(call, "translation_placeholders"):
        case None:
            return set()
        case ast.Dict(keys=keys) if all(isinstance(key, ast.Constant) for key in keys):
            return {str(ast.literal_eval(key)) for key in keys if key}
        case _:
            return None
