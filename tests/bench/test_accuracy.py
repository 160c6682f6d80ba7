"""The bench as it is run."""

from pathlib import Path

from .conftest import shown


def test_both_agents_are_scored_on_the_same_answers(data: Path) -> None:
    output = shown("accuracy", data, "--no-second-opinion", "--no-reflex")

    assert "# core is not as published in 0 of 4 runs" in output
    assert "\ncategory/model/light core=0.500 voice_gateway=0." in output
    assert "\naccuracy/model core=0.500 voice_gateway=0." in output
    assert "\nwrong-actions/model core=0.250 voice_gateway=0." in output
    assert output.count("unit=share ratio=") == 4


def test_failures_show_what_was_answered_done_and_wrong(data: Path) -> None:
    output = shown("accuracy", data, "--only", "core", "--failures", "--task", "unlock")

    assert "[core] unlock, runs 1" in output
    assert 'call: intent__HassTurnOn({"name": "Blinds"})' in output
    assert "! cover.blinds state: 'closed' → 'open', wanted 'closed'" in output
    assert "lock.attic_door state: 'locked' → 'locked', wanted 'unlocked'" in output
    assert "accuracy/model core=0.500 unit=share n=2" in output
