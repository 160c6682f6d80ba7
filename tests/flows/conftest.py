"""Whatever a flow shows in a test has its words, and what they leave open is filled in."""

from collections.abc import Generator, Iterable, Iterator
import json
from typing import Any

from homeassistant.config_entries import (
    ConfigEntriesFlowManager,
    ConfigSubentryFlowManager,
    OptionsFlowManager,
)
from homeassistant.data_entry_flow import FlowManager, FlowResultType, section
import pytest

from custom_components.voice_gateway.const import DOMAIN
from script.check_integration import INTEGRATION
from script.checks.texts import placeholders

ENGLISH: dict[str, Any] = json.loads((INTEGRATION / "translations" / "en.json").read_text("utf-8"))


@pytest.fixture(autouse=True)
def words_of_flows(monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    """Compare what flows show with the texts there are."""
    missing: list[str] = []
    handle = FlowManager._async_handle_step

    async def watched(self: Any, flow: Any, *args: Any) -> Any:
        result = await handle(self, flow, *args)
        if (path := _path(self, flow)) is not None:
            texts = ENGLISH
            for key in path:
                texts = texts.get(key, {})
            missing.extend(f"{'.'.join(path)}.{fault}" for fault in _missing(texts, result))
        return result

    monkeypatch.setattr(FlowManager, "_async_handle_step", watched)
    yield
    assert missing == []


def _path(manager: Any, flow: Any) -> tuple[str, ...] | None:
    """Return where the texts of a flow are; None where it is another integration's."""
    entry_id = flow.handler[0] if isinstance(flow.handler, tuple) else flow.handler
    entry = manager.hass.config_entries.async_get_entry(entry_id)
    match manager:
        case ConfigEntriesFlowManager() if flow.handler == DOMAIN:
            return ("config",)
        case OptionsFlowManager() if entry and entry.domain == DOMAIN:
            return ("options",)
        case ConfigSubentryFlowManager() if entry and entry.domain == DOMAIN:
            return ("config_subentries", flow.handler[1])
        case _:
            return None


def _missing(texts: dict[str, Any], result: Any) -> Iterator[str]:
    step_id = result.get("step_id")
    step = texts.get("step", {}).get(step_id, {})
    filled = (result.get("description_placeholders") or {}).keys()
    match result["type"]:
        case FlowResultType.FORM:
            yield from (f"step.{step_id}.{fault}" for fault in _fields(step, result["data_schema"]))
            for error in (result["errors"] or {}).values():
                said = texts.get("error", {}).get(error)
                yield from _unfilled(f"error.{error}", said, filled)
            yield from _unfilled(f"step.{step_id}.title", step.get("title"), filled)
            if "description" in step:
                yield from _unfilled(f"step.{step_id}.description", step["description"], filled)
        case FlowResultType.MENU:
            yield from _unfilled(f"step.{step_id}.title", step.get("title"), filled)
            for option in result["menu_options"]:
                if option not in step.get("menu_options", {}):
                    yield f"step.{step_id}.menu_options.{option}"
        case FlowResultType.SHOW_PROGRESS:
            action = result["progress_action"]
            said = texts.get("progress", {}).get(action)
            yield from _unfilled(f"progress.{action}", said, filled)
        case FlowResultType.ABORT if not result.get("translation_domain"):
            reason = result["reason"]
            yield from _unfilled(f"abort.{reason}", texts.get("abort", {}).get(reason), filled)


def _fields(step: dict[str, Any], schema: Any) -> Iterator[str]:
    for key, value in schema.schema.items() if schema else ():
        if isinstance(value, section):
            part = step.get("sections", {}).get(str(key), {})
            yield from (f"sections.{key}.{fault}" for fault in _fields(part, value.schema))
        else:
            for kind in ("data", "data_description"):
                if str(key) not in step.get(kind, {}):
                    yield f"{kind}.{key}"


def _unfilled(path: str, text: str | None, filled: Iterable[str]) -> Iterator[str]:
    if text is None:
        yield path
    else:
        yield from (f"{path}: {{{name}}}" for name in sorted(placeholders(text) - set(filled)))
