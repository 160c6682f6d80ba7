"""Whether a house is scored as the data set does."""

from pathlib import Path
from typing import Any

import pytest

from bench.scoring import Difference, Task, differences

type States = dict[str, dict[str, Any]]

BEFORE: States = {
    "light.lamp": {"state": "on", "brightness": 50, "color_mode": "brightness"},
    "cover.blinds": {"state": "closed", "is_closed": True, "current_position": 0},
}


@pytest.fixture
def lamp_off(data: Path) -> Task:
    return Task.read_all(data / "tasks.jsonl")["lamp-off"]


def after(**changes: dict[str, Any]) -> States:
    return {
        entity_id: was | changes.get(entity_id.replace(".", "_"), {})
        for entity_id, was in BEFORE.items()
    }


def test_expected_change_is_right_whatever_is_ignored_with_it(lamp_off: Task) -> None:
    off = after(light_lamp={"state": "off", "brightness": None, "color_mode": None})

    assert differences(lamp_off, BEFORE, off) == []


def test_nothing_done_is_wrong_but_no_wrong_action(lamp_off: Task) -> None:
    assert differences(lamp_off, BEFORE, after()) == [
        Difference("light.lamp", "state", "on", "off", "on", wrong_action=False)
    ]


def test_what_was_not_asked_for_is_a_wrong_action(lamp_off: Task) -> None:
    changed = after(light_lamp={"state": "off"}, cover_blinds={"state": "open", "is_closed": False})

    [wrong] = differences(lamp_off, BEFORE, changed)

    assert (wrong.entity_id, wrong.name, wrong.wrong_action) == ("cover.blinds", "state", True)


def test_attribute_that_changes_without_its_state_is_a_wrong_action(lamp_off: Task) -> None:
    moved = after(light_lamp={"state": "off"}, cover_blinds={"current_position": 30})

    assert [wrong.wrong_action for wrong in differences(lamp_off, BEFORE, moved)] == [True]


def test_attribute_that_follows_its_state_is_wrong_but_no_wrong_action(lamp_off: Task) -> None:
    opened = after(
        light_lamp={"state": "off"}, cover_blinds={"state": "open", "current_position": 100}
    )

    found = {wrong.name: wrong.wrong_action for wrong in differences(lamp_off, BEFORE, opened)}

    assert found == {"state": True, "current_position": False}
