"""What watches the words of all flows here notices what is missing."""

from typing import Any

from homeassistant.data_entry_flow import FlowResultType, section
import probatio
import pytest

from .conftest import _missing

SCHEMA = probatio.Schema(
    {probatio.Required("a"): str, probatio.Required("more"): section(probatio.Schema({"b": str}))}
)
WORDS = {
    "step": {
        "ask": {
            "title": "{name}",
            "data": {"a": "A"},
            "data_description": {"a": "A"},
            "menu_options": {"one": "One"},
        }
    },
    "abort": {"done": "Done"},
}


@pytest.mark.parametrize(
    ("result", "missing"),
    [
        (
            {"type": FlowResultType.FORM, "data_schema": SCHEMA, "errors": {"base": "odd"}},
            {
                "step.ask.sections.more.data.b",
                "step.ask.sections.more.data_description.b",
                "error.odd",
                "step.ask.title: {name}",
            },
        ),
        (
            {
                "type": FlowResultType.MENU,
                "menu_options": ["one", "two"],
                "description_placeholders": {"name": "x"},
            },
            {"step.ask.menu_options.two"},
        ),
        ({"type": FlowResultType.SHOW_PROGRESS, "progress_action": "odd"}, {"progress.odd"}),
        ({"type": FlowResultType.ABORT, "reason": "odd"}, {"abort.odd"}),
        ({"type": FlowResultType.ABORT, "reason": "odd", "translation_domain": "x"}, set()),
        ({"type": FlowResultType.ABORT, "reason": "done"}, set()),
    ],
)
def test_missing_words_are_noticed(result: dict[str, Any], missing: set[str]) -> None:
    assert set(_missing(WORDS, {"step_id": "ask", **result})) == missing
