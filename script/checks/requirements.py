"""The manifest's requirements, beside those of Home Assistant's own integrations.

All are installed into one environment: a range that leaves out the version that Home Assistant
pins would break its integration, or ours, whichever is set up first.
"""

from collections.abc import Iterator
import json
from pathlib import Path

from homeassistant import components
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from .texts import Texts

_CORE = Path(components.__file__).parent


def check_requirements(manifest: Texts) -> Iterator[str]:
    """Find requirements that leave out what Home Assistant's own integrations want."""
    pins = core_pins()
    for text in manifest["requirements"]:
        requirement = Requirement(text)
        if not {">=", "<"} <= {specifier.operator for specifier in requirement.specifier}:
            yield f"manifest.json: {text} has to be a range with both ends"
        for version in sorted(pins.get(canonicalize_name(requirement.name), ())):
            if not requirement.specifier.contains(version, prereleases=True):
                yield f"manifest.json: {text} excludes {version}, which Home Assistant wants"


def core_pins() -> dict[str, set[str]]:
    """Return the exact versions that Home Assistant's own integrations want, by package."""
    pins: dict[str, set[str]] = {}
    for file in _CORE.glob("*/manifest.json"):
        for text in json.loads(file.read_text("utf-8")).get("requirements", ()):
            name, is_pin, version = text.partition("==")
            if is_pin:
                package = canonicalize_name(name.partition("[")[0].strip())
                pins.setdefault(package, set()).add(version.strip())
    return pins
