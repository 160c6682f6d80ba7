"""The bench of what was said, as it is run."""

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import shown

LAMP_ON = {"light.lamp": {"state": "on", "attributes": {"brightness": 50}}}
OFF = {"light.lamp": {"state": "off"}}


def sentence(kind: str, text: str, **more: Any) -> dict[str, Any]:
    return {
        "id": f"{kind}-1",
        "kind": kind,
        "language": "en",
        "home": "small",
        "text": text,
        "from_device": None,
        "setup": LAMP_ON,
        "eager": [{"name": "HassTurnOff", "arguments": {"name": "Lamp"}}],
        "promise": "I'll turn off the lamp.",
        "now": {},
        **more,
    }


SENTENCES = [
    sentence("now", "Turn off the lamp", now=OFF),
    sentence("in", "Turn off the lamp in ten minutes", later=[{"after": 600, "expect": OFF}]),
    sentence("question", "Is the lamp on?"),
]


@pytest.fixture
def data(data: Path) -> Path:
    (data / "moments").mkdir()
    (data / "moments" / "moments.jsonl").write_text(
        "".join(json.dumps(record) + "\n" for record in SENTENCES)
    )
    return data


def test_both_agents_are_measured_with_every_behaviour(data: Path) -> None:
    output = shown("moments", data, "--failures")

    for behaviour in ("eager", "written", "promise", "silent"):
        assert f"\nwrong-now/{behaviour} core=" in output
    assert "\nwrong-now/promise core=0 voice_gateway=0 unit=lines ratio=nan n=2\n" in output
    assert output.count("unit=lines ratio=") == 16
    assert "#   in        en             1      0      0      0      1      0\n" in output
    # With core, an eager model is wrong at once.
    assert "\nwrong-now/eager core=2 voice_gateway=0 unit=lines" in output
    assert "\nright/eager core=0 voice_gateway=" in output
    assert "\ncontrols-lost/eager core=0 voice_gateway=0 unit=lines" in output
    assert "\nuntrue/eager core=0 voice_gateway=0 unit=lines" in output
    assert "[core, eager] in-1: wrong\n  “Turn off the lamp in ten minutes”" in output
    assert "  ! light.lamp: on, brightness 50 → off" in output


def test_kind_is_measured_alone(data: Path) -> None:
    output = shown("moments", data, "--kind", "now", "--behaviour", "promise", "--only", "core")

    assert "wrong-now" not in output
    assert "\ncontrols-lost/promise core=1 unit=lines n=1\n" in output


def test_neighbours_are_measured_as_moments_are(data: Path) -> None:
    (data / "neighbours").mkdir()
    beside = sentence("neighbour", "Dinner is at seven, turn off the lamp", now=OFF)
    (data / "neighbours" / "neighbours.jsonl").write_text(json.dumps(beside) + "\n")

    output = shown("neighbours", data, "--behaviour", "eager", "--only", "ours")

    assert "\nright/eager voice_gateway=1 unit=lines n=1\n" in output
