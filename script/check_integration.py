"""Checks what Home Assistant's hassfest checks in core, as far as it concerns a custom integration.

    python -m script.check_integration [--fix]

With --fix, `translations/en.json` is written from `strings.json`: Home Assistant reads only the
former, and resolves no references in a custom integration.
"""

from collections.abc import Iterator
from functools import reduce
import json
from pathlib import Path
import re
import sys
from typing import Any

ROOT = Path(__file__).parent.parent
INTEGRATION = ROOT / "custom_components" / "voice_gateway"
PREFIX = "component::voice_gateway::"
REFERENCE = re.compile(r"\[%key:([a-z0-9_:]+)%\]")

type Texts = dict[str, Any]


def main() -> int:
    """Print what is wrong; return 1 if anything is."""
    problems: list[str] = []
    strings = _read(INTEGRATION / "strings.json")
    english = _resolved(strings, strings, problems)
    target = INTEGRATION / "translations" / "en.json"
    if "--fix" in sys.argv:
        target.parent.mkdir(exist_ok=True)
        target.write_text(json.dumps(english, indent=2, ensure_ascii=False) + "\n", "utf-8")
    if not target.exists() or _read(target) != english:
        problems.append("translations/en.json is not strings.json: run script/lint --fix")
    problems += _translations(english)
    problems += _manifest(_read(INTEGRATION / "manifest.json"))
    problems += _used_keys(english)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def _read(path: Path) -> Texts:
    content: Texts = json.loads(path.read_text("utf-8"))
    return content


def _resolved(texts: Texts, strings: Texts, problems: list[str]) -> Texts:
    """Return texts with their references replaced."""

    def text_of(match: re.Match[str]) -> str:
        path = match[1].removeprefix(PREFIX).split("::")
        try:
            return str(reduce(lambda part, key: part[key], path, strings))
        except KeyError:
            problems.append(f"strings.json: nothing at {match[1]}")
            return ""

    return {
        key: REFERENCE.sub(text_of, value)
        if isinstance(value, str)
        else _resolved(value, strings, problems)
        for key, value in texts.items()
    }


def _leaves(texts: Texts, path: str = "") -> Iterator[tuple[str, str]]:
    for key, value in texts.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{path}{key}.")
        else:
            yield path + key, value


def _translations(english: Texts) -> Iterator[str]:
    """Compare every language with English: the same keys, the same placeholders."""
    wanted = dict(_leaves(english))
    for file in sorted((INTEGRATION / "translations").glob("*.json")):
        found = dict(_leaves(_read(file)))
        yield from (f"{file.name}: no text for {key}" for key in wanted.keys() - found.keys())
        yield from (f"{file.name}: text for nothing: {key}" for key in found.keys() - wanted.keys())
        for key in wanted.keys() & found.keys():
            if _placeholders(wanted[key]) != _placeholders(found[key]):
                yield f"{file.name}: other placeholders in {key}"


def _placeholders(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def _manifest(manifest: Texts) -> Iterator[str]:
    """Check what HACS and Home Assistant need of a custom integration's manifest."""
    needed = {
        "domain", "name", "codeowners", "config_flow", "documentation", "integration_type",
        "iot_class", "issue_tracker", "requirements", "version",
    }  # fmt: skip
    yield from (f"manifest.json: no {key}" for key in sorted(needed - manifest.keys()))
    rest = [key for key in manifest if key not in ("domain", "name")]
    if rest != sorted(rest) or list(manifest)[:2] != ["domain", "name"]:
        yield "manifest.json: domain, name, then the other keys in alphabetical order"
    for requirement in manifest["requirements"]:
        if "==" in requirement or ">=" not in requirement:
            yield f"manifest.json: {requirement} has to be a range, or it breaks core's own pin"


def _used_keys(english: Texts) -> Iterator[str]:
    """Find reasons for failures that have no sentence."""
    sys.path.insert(0, str(ROOT))
    from custom_components.voice_gateway.models.client import Reason

    yield from (
        f"strings.json: no sentence for {reason}"
        for reason in Reason
        if reason not in english["exceptions"]
    )


if __name__ == "__main__":
    sys.exit(main())
