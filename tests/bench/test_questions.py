"""The bench of questions: what is a right answer, and the bench as it is run."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.questions import Question

from .conftest import LAMP_OFF, call, say, shown

ASKED: dict[str, Any] = {
    **LAMP_OFF,
    "task": "is-it-on",
    "text": "Is the lamp on?",
    "from_device": None,
    "now": "2025-04-02 08:30+10:00",
    "expect_changes": {},
    "ignore_changes": {},
    "expect_answer": ["yes", "on"],
}
EVENTS = [{"summary": "Dinner", "start": "2025-04-02 19:00+10:00", "end": "2025-04-02 20:30+10:00"}]
DINNER = {
    **ASKED,
    "task": "dinner",
    "category": "calendar",
    "text": "Is there dinner today?",
    "setup": {"calendar.personal": {"attributes": {"events": EVENTS}}},
    "expect_answer": ["dinner"],
}
CALENDAR = """
  - name: Personal
    id: calendar.personal
"""
RUNS: list[tuple[Any, ...]] = [
    (ASKED, True, say("Yes, it is.")),
    (ASKED, False, say("I wouldn't know.")),
    (ASKED, False, call("HassTurnOff", name="Lamp"), say("Yes.")),
    (DINNER, True, say("Dinner, at seven.")),
]


@pytest.fixture
def data(data: Path) -> Path:
    questions = data / "questions"
    (questions / "homes").mkdir(parents=True)
    house = (data / "homes" / "small.yaml").read_text().rstrip() + CALENDAR
    (questions / "homes" / "small.yaml").write_text(house)
    records = [
        {"task": task["task"], "run": "0", "passed_then": passed, "steps": steps}
        for task, passed, *steps in RUNS
    ]
    for file, rows in (("tasks.jsonl", [ASKED, DINNER]), ("model.jsonl", records)):
        (questions / file).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return data


@pytest.mark.parametrize(
    ("answer", "right"), [("Yes!", True), ("It's ON.", True), ("I see a lamp", False), ("", False)]
)
def test_answer_is_right_if_it_holds_any_of_the_words(data: Path, answer: str, right: bool) -> None:
    question = Question.read_all(data / "questions" / "tasks.jsonl")["is-it-on"]

    assert question.is_right(answer) == right


def test_recorded_answers_are_scored_with_what_was_done(data: Path) -> None:
    recorded = str(data / "questions" / "model.jsonl")

    output = shown("questions", data, "--only", "core", "--recorded", recorded, "--failures")

    assert "# core is not as published in 0 of 4 runs" in output
    assert "\ncategory/model/calendar core=1.000 unit=share n=1" in output
    assert "\nanswers/model core=0.500 unit=share n=4" in output
    assert "\nwrong-actions/model core=0.250 unit=share n=4" in output
    assert "[core] is-it-on\n  “Is the lamp on?”" in output


def test_without_a_model_what_code_answers_is_counted(data: Path) -> None:
    output = shown("questions", data, "--only", "ours", "--without-model", "--failures")

    assert "answers/none voice_gateway=" in output
    assert "“Is the lamp on?”" not in output
    assert "wrong-actions/none voice_gateway=0.000 unit=share n=2" in output
