"""Home Assistant's integration quality scale: every rule is kept, or has a reason not to be.

Rules: https://developers.home-assistant.io/docs/core/integration-quality-scale/
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from homeassistant import components
from homeassistant.util.yaml import load_yaml_dict

# Home Assistant's own files hold all the rules, this one as all others.
_ALL_RULES = Path(components.__file__).parent / "anthropic" / "quality_scale.yaml"


def check_quality_scale(integration: Path) -> Iterator[str]:
    """Compare `quality_scale.yaml` with the rules of the installed Home Assistant."""
    file = integration / "quality_scale.yaml"
    if not file.exists():
        yield "quality_scale.yaml is missing"
        return
    ours, rules = _rules(file), _rules(_ALL_RULES)
    yield from (f"quality_scale.yaml: nothing about {rule}" for rule in rules if rule not in ours)
    yield from (f"quality_scale.yaml: no such rule: {rule}" for rule in ours if rule not in rules)
    for rule, said in ours.items():
        match said:
            case "done" | {"status": "done"}:
                pass
            case {"status": "exempt", "comment": str(reason)} if reason.strip():
                pass
            case {"status": "exempt"} | "exempt":
                yield f"quality_scale.yaml: {rule} is exempt without a reason"
            case _:
                yield f"quality_scale.yaml: {rule} is neither done nor exempt"


def _rules(file: Path) -> dict[str, Any]:
    rules: dict[str, Any] = load_yaml_dict(str(file))["rules"]
    return rules
