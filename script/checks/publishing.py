"""What HACS asks of a repository in its default list, as far as the checkout shows it.

See https://www.hacs.xyz/docs/publish/include/ and https://www.hacs.xyz/docs/publish/integration/.
"""

from collections.abc import Iterator, Mapping
import json
from pathlib import Path
from typing import Any

_MANIFEST = ("domain", "documentation", "issue_tracker", "codeowners", "name", "version")
_FILES = ("README.md", "LICENSE", "hacs.json")
_ACTIONS = ("hacs/action", "home-assistant/actions/hassfest")


def check_publishing(
    checkout: Path, integration: Path, manifest: Mapping[str, Any]
) -> Iterator[str]:
    """Yield what HACS would miss in a checkout."""
    yield from (f"manifest.json lacks {key}" for key in _MANIFEST if not manifest.get(key))
    yield from (f"There is no {name}" for name in _FILES if not (checkout / name).exists())
    if "name" not in json.loads((checkout / "hacs.json").read_text("utf-8")):
        yield "hacs.json lacks name"
    if not (integration / "brand" / "icon.png").exists():
        yield "There is no brand/icon.png"
    manifests = integration.parent.glob("*/manifest.json")
    if [each.parent for each in manifests] != [integration]:
        yield "custom_components has more than one integration"
    workflows = "".join(
        file.read_text("utf-8") for file in (checkout / ".github" / "workflows").glob("*.yml")
    )
    yield from (f"No workflow runs {action}" for action in _ACTIONS if action not in workflows)
