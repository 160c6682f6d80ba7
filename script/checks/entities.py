"""Entities: each has a name or a class that names it, and an icon or a class that has one."""

import ast
from collections.abc import Iterator

from .code import Code, Module, argument, calls_in
from .texts import Texts

_COMPONENTS = "homeassistant.components."


def check_entities(texts: Texts, icons: Texts, code: Code) -> Iterator[str]:
    """Find entities without a name or an icon, and names and icons without an entity."""
    named = {(p, key) for p, keys in texts.get("entity", {}).items() for key in keys}
    drawn = {(p, key) for p, keys in icons.get("entity", {}).items() for key in keys}
    known: set[tuple[str, str]] = set()
    for platform, module, call in _descriptions(code):
        given, has_class = argument(call, "translation_key"), argument(call, "device_class")
        if given is None and has_class is None:
            yield f"{module.name}.py: an entity of {platform} has neither name nor device class"
        if (key := code.value(module, given)) is None:
            continue
        known.add((platform, key))
        if (platform, key) not in named:
            yield f"strings.json: no name for entity.{platform}.{key}"
        elif states := _options(call, module, code):
            said = texts["entity"][platform][key].get("state", {})
            for state in sorted(states ^ said.keys()):
                yield f"strings.json: entity.{platform}.{key} and its states differ in {state}"
        if has_class is None and (platform, key) not in drawn:
            yield f"icons.json: no icon for entity.{platform}.{key}"
    known |= set(_attributes(code))
    yield from (f"strings.json: no entity {p}.{key}" for p, key in sorted(named - known))
    yield from (f"icons.json: no entity {p}.{key}" for p, key in sorted(drawn - known))


def _descriptions(code: Code) -> Iterator[tuple[str, Module, ast.Call]]:
    """Yield the descriptions of entities, each with its platform."""
    for module in code.modules.values():
        for call in calls_in(module.tree, "Description"):
            if isinstance(call.func, ast.Name) and (platform := _platform(call.func.id, module)):
                yield platform, module, call


def _platform(name: str, module: Module) -> str | None:
    """Return the integration of Home Assistant that a class is from, or its base is."""
    if name in module.imported:
        origin = module.imported[name][0]
        if origin.startswith(_COMPONENTS):
            return origin.removeprefix(_COMPONENTS).partition(".")[0]
        return None
    bases = module.classes[name].bases if name in module.classes else []
    platforms = (_platform(base.id, module) for base in bases if isinstance(base, ast.Name))
    return next(filter(None, platforms), None)


def _options(call: ast.Call, module: Module, code: Code) -> set[str]:
    """Return the states that an entity's description lists."""
    given = argument(call, "options")
    if not isinstance(given, ast.List | ast.Tuple):
        return set()
    return {state for item in given.elts if (state := code.value(module, item))}


def _attributes(code: Code) -> Iterator[tuple[str, str]]:
    """Yield the keys that classes of entities have themselves."""
    for module in code.modules.values():
        for body in module.classes.values():
            for node in body.body:
                match node:
                    case ast.Assign(targets=[ast.Name(id="_attr_translation_key")], value=value):
                        key, platform = code.value(module, value), _platform(body.name, module)
                        if key and platform:
                            yield platform, key
