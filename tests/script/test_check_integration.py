"""The integration passes its own checks, and each of them can fail."""

from collections.abc import Callable
import json
from pathlib import Path
import shutil
from typing import Any

import pytest

from custom_components.voice_gateway.mcp_servers.errors import McpError, McpNoTools
from custom_components.voice_gateway.models.client import Reason
from script.check_integration import INTEGRATION, check, write_english
from script.checks import texts as texts_module

type Change = Callable[[Path], None]


@pytest.fixture
def integration(tmp_path: Path) -> Path:
    """Return a copy of the integration."""
    copy = tmp_path / INTEGRATION.name
    shutil.copytree(INTEGRATION, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def put(file: str, path: str, value: Any) -> Change:
    """Set what is at a path of a JSON file; None removes it."""

    def change(integration: Path) -> None:
        target = integration / file
        content = json.loads(target.read_text("utf-8")) if target.exists() else {}
        *above, last = path.split(".")
        part = content
        for key in above:
            part = part.setdefault(key, {})
        if value is None:
            del part[last]
        else:
            part[last] = value
        target.write_text(json.dumps(content), "utf-8")

    return change


def text(path: str, value: Any) -> Change:
    """Set a text, in English too."""

    def change(integration: Path) -> None:
        put("strings.json", path, value)(integration)
        write_english(integration)

    return change


def code(file: str, lines: str) -> Change:
    """Add lines to a file of the code."""

    def change(integration: Path) -> None:
        with (integration / file).open("a", encoding="utf-8") as end:
            end.write(f"\n{lines}\n")

    return change


def test_integration_passes() -> None:
    assert list(check(INTEGRATION)) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        # Languages
        (
            put("strings.json", "config.error.invalid_url", "Other"),
            "translations/en.json is not strings.json: run script/lint --fix",
        ),
        (
            text("config.error.invalid_url", "[%key:component::voice_gateway::nowhere%]"),
            "strings.json: nothing at component::voice_gateway::nowhere",
        ),
        (put("translations/xx.json", "config.error.odd", "x"), "xx.json: text for nothing: "),
        (put("translations/xx.json", "config.error.odd", "x"), "xx.json: no text for config."),
        (
            put("translations/en.json", "config.error.mcp_rejected", "The {server} refuses"),
            "en.json: other placeholders in config.error.mcp_rejected",
        ),
        # Wording
        (text("config.error.invalid_url", ""), "error.invalid_url is empty, or begins or ends"),
        (text("config.error.invalid_url", "No "), "error.invalid_url is empty, or begins or ends"),
        (text("config.error.invalid_url", "See https://a.org"), "holds an address"),
        (text("config.error.invalid_url", "No <b>"), "error.invalid_url holds HTML"),
        (text("config.error.invalid_url", "No '{url}'"), "a placeholder in single quotes"),
        (text("config.error.invalid_url", "No {a-b}"), "has braces that are no placeholder"),
        (text("config.error.invalid_url", "No {"), "has braces that are no placeholder"),
        # Beside the code
        (text("config.error.nobody_says_so", "x"), "nothing shows config.error.nobody_says_so"),
        (text("entity.sensor.nobody.name", "x"), "nothing shows entity.sensor.nobody.name"),
        (text("services.odd.name", "x"), "nothing shows services.odd.name"),
        (
            code("services.py", 'E(translation_domain=DOMAIN, translation_key="odd")'),
            "exceptions has nothing for odd of services.py",
        ),
        (
            text("exceptions.server_unknown.message", "No {odd}"),
            "nobody fills {odd} of exceptions.server_unknown.message",
        ),
        (
            code("repairs.py", 'ir.async_create_issue(translation_key=f"{kind}_odd")'),
            "issues has nothing for [a-z0-9_]+_odd of repairs.py",
        ),
        (
            text("issues.model_fails_often.title", "{odd}"),
            "nobody fills {odd} of issues.model_fails_often.title",
        ),
        (text("selector.search_provider", None), "selector has nothing for search_provider of "),
        (text("entity.sensor.tools", None), "entity has nothing for tools of sensor.py"),
        # Requirements
        (put("manifest.json", "requirements", ["mcp==2.3.0"]), "has to be a range"),
        (put("manifest.json", "requirements", ["mcp>=9,<10"]), "mcp>=9,<10 excludes 2.3.0"),
    ],
)
def test_fault_is_found(integration: Path, change: Change, problem: str) -> None:
    change(integration)
    assert any(problem in found for found in check(integration))


def test_missing_language_is_found(integration: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts_module, "LANGUAGES", ("en", "xx"))
    assert "translations: there is no xx.json" in list(check(integration))


def test_every_failure_has_a_sentence() -> None:
    texts = texts_module.read(INTEGRATION / "strings.json")
    # Only a form finds that a server has no tools.
    spoken = {failure.key for failure in McpError.__subclasses__() if failure is not McpNoTools}
    assert len(spoken) > 5
    assert {*Reason, *spoken} <= texts["exceptions"].keys()
    assert spoken | {McpNoTools.key} <= texts["config"]["error"].keys()
