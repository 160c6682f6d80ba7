"""Checks the texts, the manifest's requirements, what HACS asks for, and the prose.

Texts are compared in all languages, and with the code that shows them.
Home Assistant's own hassfest checks the rest, where the repository is built.

    python -m script.check_integration [--fix]

With --fix, `translations/en.json` is written from `strings.json`: Home Assistant reads only the
former, and resolves no references in a custom integration.
"""

from collections.abc import Iterator
import json
from pathlib import Path
import sys

from script.checks import prose, publishing, requirements, shown, texts
from script.checks.code import Code

CHECKOUT = Path(__file__).parents[1]
INTEGRATION = CHECKOUT / "custom_components" / "voice_gateway"


def main() -> int:
    """Print what is wrong; return 1 if anything is."""
    if "--fix" in sys.argv:
        write_english(INTEGRATION)
    problems = list(check(INTEGRATION))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


def check(integration: Path) -> Iterator[str]:
    """Yield what is wrong with an integration's folder."""
    problems: list[str] = []
    english = texts.english(texts.read(integration / "strings.json"), problems)
    yield from problems
    translations = integration / "translations"
    file = translations / "en.json"
    if not file.exists() or texts.read(file) != english:
        yield "translations/en.json is not strings.json: run script/lint --fix"
    yield from texts.check_languages(english, translations)
    code = Code(integration)
    yield from shown.check_unused(english, code)
    yield from shown.check_shown(english, code)
    manifest = texts.read(integration / "manifest.json")
    yield from requirements.check_requirements(manifest)
    yield from publishing.check_publishing(CHECKOUT, integration, manifest)
    yield from prose.check_prose(CHECKOUT, integration)


def write_english(integration: Path) -> None:
    """Write `translations/en.json` from `strings.json`."""
    english = texts.english(texts.read(integration / "strings.json"), [])
    file = integration / "translations" / "en.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(english, indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
