"""`script/explain` as developers start it."""

from collections.abc import Sequence
import json
from pathlib import Path
import sys
from textwrap import dedent

import pytest

from script.explanation.__main__ import main
from script.explanation.table import table
from tests.forked import shown

WIDTH = 100
HOME = """\
    areas:
      - {id: attic, name: Attic}
      - {id: cellar, name: Cellar}
    devices: []
    entities:
      - id: light.attic
        name: Attic Lamp
        area: attic
        state: "on"
        attributes: &plain {supported_color_modes: [onoff], color_mode: onoff}
      - {id: light.cellar, name: Cellar Lamp, area: cellar, state: "on", attributes: *plain}
      - {id: lock.cellar, name: Cellar Door, area: cellar, state: LOCKED}
    """


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A house of two rooms."""
    file = tmp_path / "house.yaml"
    file.write_text(dedent(HOME), encoding="utf-8")
    return file


def test_reading_decisions_and_outcome_are_printed(home: Path, tmp_path: Path) -> None:
    said = ("turn off the lamp here,", "don't unlock the cellar door")
    where = ("--home", str(home), "--from", "cellar")
    found = json.loads(shown("script.explanation", tmp_path / "output", *said, *where, "--json"))
    assert (found["area"], found["act"]) == ("Cellar", "command")
    lamp, door = found["clauses"]
    here, there = lamp["references"]["candidates"]
    assert (here["entity_id"], here["certainty"]) == ("light.cellar", "sure")
    assert (there["entity_id"], there["certainty"]) == ("light.attic", "possible")
    assert door["negated"]
    made, refused = found["decisions"]
    assert made["decision"] == "made"
    assert refused["call"]["arguments"]["name"] == "Cellar Door"
    assert (refused["decision"], refused["divergences"]) == ("refused", ["negated"])
    # The clause that forbids something leaves nothing to do.
    (call,) = found["without_model"]["calls"]
    assert call["tool"] == "intent__HassTurnOff"
    lines = table(found).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert "  act            command, negated" in lines
    assert any(line.startswith("  answer         I turned off ") for line in lines)


def test_in_the_demos_house_a_plain_command_needs_no_model(tmp_path: Path) -> None:
    sentence = "turn off the bed light in ten minutes"
    lines = shown("script.explanation", tmp_path / "output", sentence).splitlines()
    assert "  sure           Bed Light — light.bed_light" in lines
    assert any(line.startswith("  plan           ") for line in lines)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--language", "xx"], "unknown language xx; there are af, "),
        (["--from", "Moon"], "unknown area Moon; there are none in the demo's house"),
        (["--home", "{home}", "--from", "Moon"], "unknown area Moon; there are Attic, Cellar"),
        (["--home", "{home}.gone"], "house.yaml.gone: "),
        (["--home", "{broken}"], "broken.yaml: "),
        (["--home", "{empty}"], "empty.yaml: 'devices' is missing"),
    ],
)
def test_what_is_wrong_with_the_arguments_is_one_line(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: Sequence[str],
    told: str,
) -> None:
    broken, empty = home.with_name("broken.yaml"), home.with_name("empty.yaml")
    broken.write_text("areas: [", encoding="utf-8")
    empty.write_text("areas: []", encoding="utf-8")
    given = [each.format(home=home, broken=broken, empty=empty) for each in arguments]
    monkeypatch.setattr(sys, "argv", ["script/explain", "hello", *given])
    assert main() == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert line.startswith("script/explain: ")
    assert told in line
