"""The integration passes its own checks, and each of them can fail."""

from collections.abc import Callable
import json
from pathlib import Path
import shutil
from typing import Any

import pytest

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


def written(file: str, old: str, new: str) -> Change:
    """Replace what a file holds."""

    def change(integration: Path) -> None:
        content = (integration / file).read_text("utf-8")
        assert old in content
        (integration / file).write_text(content.replace(old, new), "utf-8")

    return change


def in_flow(lines: str) -> Change:
    """Add a flow with a method that holds these lines."""
    return code(
        "flows/options.py", f"class More(OptionsFlow):\n    def more(self):\n        {lines}"
    )


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
        (
            put("translations/en.json", "config.error.invalid_url", " "),
            "en.json: an empty text for config.error.invalid_url",
        ),
        (text("config.error.nobody_says_so", "x"), "nothing shows config.error.nobody_says_so"),
        # Wording
        (text("config.error.invalid_url", "No "), "error.invalid_url begins or ends with a space"),
        (text("config.error.invalid_url", "See https://a.org"), "holds an address"),
        (text("config.error.invalid_url", "No <b>"), "error.invalid_url holds HTML"),
        (text("config.error.invalid_url", "No '{url}'"), "a placeholder in single quotes"),
        (text("config.error.invalid_url", "No {a-b}"), "has {a-b}, which is no name"),
        (text("config.error.invalid_url", "No {"), "has braces that are no placeholder"),
        (
            text("selector.mcp_env.fields.name.description", None),
            "selector.mcp_env.fields.name lacks a name or a description",
        ),
        # Flows
        (text("options.step.init", None), "nothing at options.step.init"),
        (text("config.step.ollama.title", ""), "config.step.ollama has no title"),
        (text("config.step.ollama.data.url", None), "url lacks a name or a description"),
        (
            text("config.step.user.menu_options.ollama", None),
            "nothing at config.step.user.menu_options.ollama",
        ),
        (
            text("config.step.user.menu_option_descriptions.ollama", None),
            "config.step.user: not every choice has a description",
        ),
        (
            text("issues.mcp_url_failed.fix_flow.step.init.title", ""),
            "issues.mcp_url_failed.fix_flow.step.init has no title",
        ),
        (in_flow('self.async_show_form(step_id="odd")'), "nothing at options.step.odd"),
        (in_flow('self.async_abort(reason="odd")'), "nothing at options.abort.odd"),
        (in_flow('raise AbortFlow("odd")'), "nothing at options.abort.odd"),
        (in_flow('errors[CONF_URL] = "odd"'), "nothing at options.error.odd"),
        (in_flow('return {"base": "odd"}'), "nothing at options.error.odd"),
        (in_flow('self.async_show_progress(progress_action="odd")'), "options.progress.odd"),
        (in_flow('probatio.Required("odd")'), "no name for the field odd of flows.options"),
        (
            text("config_subentries.conversation.step", {}),
            "nothing at config_subentries.conversation.step.",
        ),
        # Exceptions, issues, choices
        (
            code("services.py", 'E(translation_domain=DOMAIN, translation_key="odd")'),
            "no sentence for the exception odd of services",
        ),
        (
            text("exceptions.server_unknown.message", "No {odd}"),
            "exceptions.server_unknown has placeholders that nobody fills",
        ),
        (text("exceptions.server_error", None), "no sentence for server_error"),
        (text("config.error.mcp_timeout", None), "config.error has nothing for mcp_timeout"),
        (
            code("repairs.py", 'ir.async_create_issue(translation_key="odd")'),
            "no words for the issue odd of repairs",
        ),
        (
            text("issues.model_fails_often.title", "{odd}"),
            "nobody fills {odd} of issues.model_fails_often.title",
        ),
        (text("selector.search_provider", None), "no words for the choices search_provider"),
        # Entities
        (text("entity.sensor.tools", None), "no name for entity.sensor.tools"),
        (put("icons.json", "entity.sensor.tools", None), "no icon for entity.sensor.tools"),
        (text("entity.sensor.odd.name", "x"), "strings.json: no entity sensor.odd"),
        (put("icons.json", "entity.sensor.odd", {}), "icons.json: no entity sensor.odd"),
        (
            code("sensor.py", 'SensorEntityDescription(key="odd")'),
            "sensor.py: an entity of sensor has neither name nor device class",
        ),
        # Actions
        (put("icons.json", "services.call_tool", None), "icons.json: the action call_tool"),
        (text("services.call_tool", None), "strings.json: the action call_tool"),
        (written("services.yaml", "call_tool:", "odd:"), "services.yaml: the action odd"),
        (
            text("services.call_tool.fields.tool", None),
            "services.call_tool and services.yaml differ in the field tool",
        ),
        (text("services.call_tool.name", ""), "services.call_tool lacks a name"),
        (written("services.yaml", "    tool:", "    odd:"), "services.yaml: the field odd"),
        # Manifest
        (put("manifest.json", "codeowners", None), "manifest.json: no codeowners"),
        (put("manifest.json", "odd", 1), "no custom integration has odd"),
        (put("manifest.json", "documentation", "x"), "documentation has to begin with https://"),
        (put("manifest.json", "iot_class", "odd"), "there is no iot_class odd"),
        (put("manifest.json", "integration_type", "odd"), "there is no integration_type odd"),
        (put("manifest.json", "version", "odd"), "odd is no version"),
        (put("manifest.json", "domain", "odd"), "the domain is not the folder's name"),
        (put("manifest.json", "codeowners", ["me"]), "a code owner begins with @"),
        (put("manifest.json", "codeowners", []), "nobody owns it"),
        (put("manifest.json", "dependencies", ["odd"]), "there is no integration odd"),
        (put("manifest.json", "dependencies", ["b", "a"]), "not in alphabetical order"),
        (put("manifest.json", "requirements", ["mcp==2.3.0"]), "has to be a range"),
        (put("manifest.json", "requirements", ["mcp>=9,<10"]), "mcp>=9,<10 excludes 2.3.0"),
        (put("manifest.json", "requirements", [">"]), "> is no requirement"),
        (
            code("turn.py", "from homeassistant.components.mqtt import x"),
            "turn.py imports of mqtt, which is no dependency",
        ),
        # Quality scale
        (lambda folder: (folder / "quality_scale.yaml").unlink(), "quality_scale.yaml is missing"),
        (written("quality_scale.yaml", "  brands: done\n", ""), "nothing about brands"),
        (written("quality_scale.yaml", "  brands: done", "  odd: done"), "no such rule: odd"),
        (written("quality_scale.yaml", "brands: done", "brands: exempt"), "without a reason"),
        (
            written("quality_scale.yaml", "brands: done", "brands: todo"),
            "brands is neither done nor exempt",
        ),
    ],
)
def test_fault_is_found(integration: Path, change: Change, problem: str) -> None:
    change(integration)
    assert any(problem in found for found in check(integration))


def test_missing_language_is_found(integration: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts_module, "LANGUAGES", ("en", "xx"))
    assert "translations: there is no xx.json" in list(check(integration))


def test_issue_that_can_be_fixed_needs_a_flow(integration: Path) -> None:
    code("repairs.py", 'async_create_issue(is_fixable=True, translation_key="odd")')(integration)
    text("issues.odd.title", "x")(integration)
    assert "strings.json: issues.odd has no fix_flow" in list(check(integration))


def test_states_of_an_entity_are_compared(integration: Path) -> None:
    code(
        "sensor.py",
        'SensorEntityDescription(key="odd", translation_key="odd", options=["a", "b"])',
    )(integration)
    text("entity.sensor.odd", {"name": "x", "state": {"a": "x", "c": "x"}})(integration)
    found = list(check(integration))
    for state in ("b", "c"):
        assert f"strings.json: entity.sensor.odd and its states differ in {state}" in found
