"""A small house of the data set's kind, and commands for it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests import forked

HOUSE = """
areas:
  - {name: Hall, id: hall, floor: Ground}
  - {name: Attic, id: attic}
devices:
  - {name: Lamp, id: lamp, area: hall}
  - {name: Speaker, id: speaker, area: attic}
entities:
  - name: Lamp
    id: light.lamp
    area: hall
    device: lamp
    attributes: {supported_color_modes: [brightness], color_mode: brightness, brightness: 100}
  - {name: Attic Door, id: lock.attic_door, area: attic, state: locked}
  - name: Blinds
    id: cover.blinds
    area: hall
    state: false
    attributes:
      device_class: cover.CoverDeviceClass.BLIND
      supported_features: [cover.CoverEntityFeature.OPEN, cover.CoverEntityFeature.CLOSE]
  - name: Robot
    id: vacuum.robot
    area: hall
    state: docked
    attributes:
      supported_features: [vacuum.VacuumEntityFeature.START, vacuum.VacuumEntityFeature.STATE]
"""
LAMP_OFF = {
    "task": "lamp-off",
    "home": "small",
    "category": "light",
    "text": "Lamp off",
    "from_device": "speaker",
    "setup": {"light.lamp": {"state": "on", "attributes": {"brightness": 50}}},
    "expect_changes": {"light.lamp": {"state": "off"}},
    "ignore_changes": {"light.lamp": {"color_mode": "brightness", "brightness": 100}},
}
UNLOCK = {
    "task": "unlock",
    "home": "small",
    "category": "lock",
    "text": "Unlock the attic door",
    "from_device": None,
    "setup": {},
    "expect_changes": {"lock.attic_door": {"state": "unlocked"}},
    "ignore_changes": {},
}


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    """Return a recorded step that calls a tool."""
    return {"content": "", "tool_calls": [{"name": tool, "arguments": arguments}]}


def say(text: str) -> dict[str, Any]:
    """Return a recorded step that says something."""
    return {"content": text, "tool_calls": []}


def run(task: dict[str, Any], number: int, passed: bool, *steps: dict[str, Any]) -> dict[str, Any]:
    """Return a recorded run of a task."""
    return {"task": task["task"], "run": number, "passed_then": passed, "steps": list(steps)}


RUNS = [
    run(LAMP_OFF, 0, True, call("HassTurnOff", name="Lamp"), say("It is off.")),
    run(LAMP_OFF, 1, False, say("It is off.")),
    run(UNLOCK, 0, True, call("HassTurnOff", name="Attic Door"), say("Unlocked.")),
    run(UNLOCK, 1, False, call("HassTurnOn", name="Blinds"), say("Unlocked.")),
]


def shown(bench: str, data: Path, *arguments: str) -> str:
    """Run a bench, and return what it prints."""
    output = data / "output"
    return forked.shown(f"bench.{bench}", output, *arguments, VOICE_GATEWAY_EVAL=str(data))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a directory laid out like the data set's."""
    (tmp_path / "homes").mkdir()
    (tmp_path / "homes" / "small.yaml").write_text(HOUSE)
    (tmp_path / "recorded").mkdir()
    for file, records in (("tasks.jsonl", [LAMP_OFF, UNLOCK]), ("recorded/model.jsonl", RUNS)):
        (tmp_path / file).write_text("".join(json.dumps(record) + "\n" for record in records))
    return tmp_path


@pytest.fixture
def expected_lingering_timers() -> bool:
    """Let a house end while its agent waits to warm up."""
    return True
