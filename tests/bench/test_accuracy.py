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
    lines = accuracy(data, "--no-second-opinion").splitlines()

    assert "# core is not as published in 0 of 4 runs" in lines
    assert "category/model/light core=0.500 voice_gateway=0.500 unit=share ratio=1.00 n=2" in lines
    assert "accuracy/model core=0.500 voice_gateway=0.500 unit=share ratio=1.00 n=4" in lines
    assert "wrong-actions/model core=0.250 voice_gateway=0.250 unit=share ratio=1.00 n=4" in lines


def test_failures_show_what_was_answered_done_and_wrong(data: Path) -> None:
    shown = accuracy(data, "--only", "core", "--failures", "--task", "unlock")

    assert "[core] unlock, runs 1" in shown
    assert 'call: intent__HassTurnOn({"name": "Blinds"})' in shown
    assert "! cover.blinds state: 'closed' → 'open', wanted 'closed'" in shown
    assert "lock.attic_door state: 'locked' → 'locked', wanted 'unlocked'" in shown
    assert "accuracy/model core=0.500 unit=share n=2" in shown
