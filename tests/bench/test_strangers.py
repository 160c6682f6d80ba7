"""The bench of strangers' sentences, as it is run."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.options import Part

from .conftest import HOUSE, shown

SATELLITE = "  - {name: Satellite, id: sat, area: hall}\nentities:\n"
ALIASES = "aliases: {light.lamp: [Glowworm]}\n"
LIGHT_ON = {"light.lamp": {"state": "on", "attributes": {"brightness": 200}}}


def sentence(key: str, text: str, need: list[Any], **more: Any) -> dict[str, Any]:
    fields = {
        "id": key,
        "set": "slurp",
        "lang": "en",
        "text": text,
        "label": "",
        "kind": "do",
        "home": "small",
        "setup": "on",
        "need": need,
        "may": [],
        "calls": [],
        "note": "",
    }
    return fields | more


OFF = [[["light.lamp", "off"]]]
SENTENCES = [
    sentence("plain", "Turn off the glowworm", OFF),
    sentence(
        "odd",
        "Good night, dear glowworm of mine",
        OFF,
        calls=[{"name": "HassTurnOff", "arguments": {"name": "Lamp"}}],
    ),
    sentence("unlock", "Unlock the attic door", [[["lock.attic_door", "unlocked"]]]),
    sentence("wrong", "Open the blinds", [], kind="none"),
    sentence("question", "Is the glowworm on?", [], kind="ask"),
    sentence("talk", "Tell me a joke", [], kind="none"),
]


@pytest.fixture
def data(data: Path) -> Path:
    folder = data / "strangers"
    (folder / "homes").mkdir(parents=True)
    house = HOUSE.replace("entities:\n", SATELLITE) + ALIASES
    (folder / "homes" / "small.yaml").write_text(house)
    (folder / "setups.json").write_text(json.dumps({"on": LIGHT_ON}))
    lines = "".join(json.dumps(each) + "\n" for each in SENTENCES)
    (folder / "sentences.jsonl").write_text(lines)
    return data


def test_silent_and_eager_models_are_measured(data: Path) -> None:
    output = shown("strangers", data, "--jobs", "1", "--show")

    assert "right/slurp/en/silent voice_gateway=0.333 unit=share n=3\n" in output
    assert "left/all/silent voice_gateway=1 unit=sentences n=3\n" in output
    assert "asked-first/all/silent voice_gateway=1 unit=sentences n=3\n" in output
    assert "asked/all/eager voice_gateway=0 unit=sentences n=3\n" in output
    assert "wrong/all/eager voice_gateway=1 unit=sentences n=6\n" in output
    assert "kind/ask/silent voice_gateway=1.000 unit=share n=1\n" in output
    assert "[silent] wrong, none: WRONG\n  “Open the blinds”" in output
    assert "  ! cover.blinds: current_position 0 → 100, state closed → open" in output


def test_core_and_a_model_that_talks_are_measured(data: Path) -> None:
    output = shown("strangers", data, "--jobs", "1", "--behaviour", "core", "talk")

    assert "right/slurp/en/core core=0.667 unit=share n=3\n" in output
    assert "heard/all/talk voice_gateway=1.000 unit=share n=1\n" in output


def test_parts_share_the_sentences_out(data: Path) -> None:
    keys = [each["id"] for each in SENTENCES]
    parts = [[key for key in keys if key in Part(number, 3)] for number in (1, 2, 3)]

    assert sorted(key for part in parts for key in part) == sorted(keys)
    output = shown(
        *("strangers", data, "--jobs", "1", "--behaviour", "silent", "--part", "1/3", "2/3")
    )
    assert f"# {len(keys) - len(parts[2])} sentences in " in output
