"""The manifest: what HACS, Home Assistant and its hassfest want of a custom integration's.

Keys: https://developers.home-assistant.io/docs/creating_integration_manifest
"""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
import json
from pathlib import Path
import re

from homeassistant import components
from homeassistant.const import Platform
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from .code import parse
from .texts import Texts

_CORE = Path(components.__file__).parent
_NEEDED = {
    "domain", "name", "codeowners", "config_flow", "documentation", "integration_type",
    "iot_class", "issue_tracker", "requirements", "version",
}  # fmt: skip
_ALLOWED = _NEEDED | {
    "after_dependencies", "bluetooth", "dependencies", "dhcp", "homekit", "import_executor",
    "loggers", "mqtt", "quality_scale", "single_config_entry", "ssdp", "usb", "zeroconf",
}  # fmt: skip
_IOT_CLASSES = {
    "assumed_state", "calculated", "cloud_polling", "cloud_push", "local_polling",
    "local_push",
}  # fmt: skip
_TYPES = {
    "device", "entity", "hardware", "helper", "hub", "service", "system", "virtual",
}  # fmt: skip
_VERSION = re.compile(r"\d+\.\d+\.\d+(b\d+|rc\d+)?")
# Parts of Home Assistant that hassfest lets everybody import.
_ALWAYS_THERE = {
    "automation", "group", "homeassistant", "http", "persistent_notification", "script",
    "websocket_api", "zone",
}  # fmt: skip


def check_manifest(manifest: Texts, integration: Path) -> Iterator[str]:
    """Find what is missing, unknown, wrong or not in order."""
    for fault in (
        *_keys(manifest),
        *_values(manifest, integration),
        *_dependencies(manifest, integration),
        *_requirements(manifest),
    ):
        yield f"manifest.json: {fault}"


def _keys(manifest: Texts) -> Iterator[str]:
    yield from (f"no {key}" for key in sorted(_NEEDED - manifest.keys()))
    yield from (f"no custom integration has {key}" for key in sorted(manifest.keys() - _ALLOWED))
    rest = [key for key in manifest if key not in ("domain", "name")]
    if rest != sorted(rest) or list(manifest)[:2] != ["domain", "name"]:
        yield "domain, name, then the other keys in alphabetical order"
    for key, value in manifest.items():
        if isinstance(value, list) and value != sorted(value):
            yield f"{key} is not in alphabetical order"


def _values(manifest: Texts, integration: Path) -> Iterator[str]:
    if manifest.get("domain") != integration.name:
        yield "the domain is not the folder's name"
    if manifest.get("iot_class") not in _IOT_CLASSES:
        yield f"there is no iot_class {manifest.get('iot_class')}"
    if manifest.get("integration_type") not in _TYPES:
        yield f"there is no integration_type {manifest.get('integration_type')}"
    if not _VERSION.fullmatch(manifest.get("version", "")):
        yield f"{manifest.get('version')} is no version such as 1.2.3 or 1.2.3b0"
    for key in ("documentation", "issue_tracker"):
        if not manifest.get(key, "").startswith("https://"):
            yield f"{key} has to begin with https://"
    if not all(owner.startswith("@") for owner in manifest.get("codeowners", ())):
        yield "a code owner begins with @"
    if not manifest.get("codeowners"):
        yield "nobody owns it"


def _dependencies(manifest: Texts, integration: Path) -> Iterator[str]:
    """Compare what is imported of other integrations with what is said to be there first."""
    said = {*manifest.get("dependencies", ()), *manifest.get("after_dependencies", ())}
    yield from (f"there is no integration {name}" for name in sorted(said) if not _is_core(name))
    # A file of an integration's name is loaded by that integration.
    own_files = {file.stem for file in integration.glob("*.py")}
    allowed = said | own_files | set(Platform) | _ALWAYS_THERE
    for file in sorted(integration.rglob("*.py")):
        for name in sorted(_imported(parse(file.read_text("utf-8"))) - allowed):
            yield f"{file.relative_to(integration)} imports of {name}, which is no dependency"


def _imported(tree: ast.AST) -> set[str]:
    """Return the integrations of Home Assistant that a file imports."""
    names = set()
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module="homeassistant.components", names=aliases):
                names |= {alias.name for alias in aliases}
            case ast.ImportFrom(module=str(module)) if module.startswith(
                "homeassistant.components."
            ):
                names.add(module.split(".")[2])
            case ast.Import(names=aliases):
                names |= {
                    alias.name.split(".")[2]
                    for alias in aliases
                    if alias.name.startswith("homeassistant.components.")
                }
    return names


def _is_core(name: str) -> bool:
    return (_CORE / name / "manifest.json").exists()


def _requirements(manifest: Texts) -> Iterator[str]:
    """Find what would replace a package of Home Assistant's own integrations by another version."""
    pins = core_pins()
    for text in manifest.get("requirements", ()):
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            yield f"{text} is no requirement"
            continue
        operators = {specifier.operator for specifier in requirement.specifier}
        if not {">=", "<"} <= operators:
            yield f"{text} has to be a range with both ends, or it breaks core's own pin"
        for version in sorted(pins.get(canonicalize_name(requirement.name), ())):
            if not requirement.specifier.contains(version, prereleases=True):
                yield f"{text} excludes {version}, which Home Assistant's own integrations want"


@cache
def core_pins() -> Mapping[str, set[str]]:
    """Return the exact versions that Home Assistant's own integrations want, by package."""
    pins: dict[str, set[str]] = {}
    for file in _CORE.glob("*/manifest.json"):
        for text in json.loads(file.read_text("utf-8")).get("requirements", ()):
            name, is_pin, version = text.partition("==")
            if is_pin:
                name = canonicalize_name(name.partition("[")[0].strip())
                pins.setdefault(name, set()).add(version.strip())
    return pins
