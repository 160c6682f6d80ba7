"""The bench as it is run."""

import os
from pathlib import Path
import subprocess
import sys

CHECKOUT = Path(__file__).parents[2]


def accuracy(data: Path, *arguments: str) -> str:
    result = subprocess.run(
        [sys.executable, "-m", "bench.accuracy", *arguments],
        cwd=CHECKOUT,
        env={**os.environ, "VOICE_GATEWAY_EVAL": str(data)},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return result.stdout


def test_both_agents_are_scored_on_the_same_answers(data: Path) -> None:
    shown = accuracy(data, "--no-second-opinion")

    assert "# core is not as published in 0 of 4 runs" in shown
    assert "\ncategory/model/light core=0.500 voice_gateway=0." in shown
    assert "\naccuracy/model core=0.500 voice_gateway=0." in shown
    assert "\nwrong-actions/model core=0.250 voice_gateway=0." in shown
    assert shown.count("unit=share ratio=") == 4


def test_failures_show_what_was_answered_done_and_wrong(data: Path) -> None:
    shown = accuracy(data, "--only", "core", "--failures", "--task", "unlock")

    assert "[core] unlock, runs 1" in shown
    assert 'call: intent__HassTurnOn({"name": "Blinds"})' in shown
    assert "! cover.blinds state: 'closed' → 'open', wanted 'closed'" in shown
    assert "lock.attic_door state: 'locked' → 'locked', wanted 'unlocked'" in shown
    assert "accuracy/model core=0.500 unit=share n=2" in shown
