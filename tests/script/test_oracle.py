"""The oracle finds what differs, takes off what is accepted, and writes the same bytes for the same records."""

import ast
from pathlib import Path
from typing import Any

import pytest

from script.oracle import golden
from script.oracle.calls import obvious, opposite, to_probe
from script.oracle.cases import Case, without_duplicates
from script.oracle.differences import ACCEPTED, Accepted, Difference, differences
from script.oracle.from_tests import said_in

BEFORE = {
    "key": "0a1b2c",
    "text": "turn off the lamp",
    "language": "en",
    "home": "own:en",
    "reading": {"clauses": [{"text": "turn off the lamp", "mood": "command"}]},
    "verdicts": {"0 HassTurnOff": {"native": "allow light.desk", "written": "refuse"}},
    "entities": {"aims_at": ["light.desk"]},
}
AFTER = {
    "reading": {"clauses": [{"text": "turn off the lamp", "mood": "question"}]},
    "verdicts": {"0 HassTurnOff": {"native": "ask light.desk", "written": "allow light.desk"}},
    "entities": {"aims_at": ["light.desk", "light.floor"]},
}
FACETS = ("reading", "verdicts", "entities", "answer")


def entry(**restrictions: Any) -> Accepted:
    return Accepted.of({"name": "test", "reason": "why", "facets": ["verdicts"], **restrictions})


def verdicts() -> Difference:
    return next(each for each in differences(BEFORE, AFTER, FACETS) if each.facet == "verdicts")


def test_only_parts_that_differ_are_shown() -> None:
    shown = [str(each).splitlines() for each in differences(BEFORE, AFTER, FACETS)]
    assert shown[0][0] == "0a1b2c [en, own:en] turn off the lamp"
    assert [lines[1:] for lines in shown] == [
        ["    reading clauses.0.mood: command → question"],
        [
            "    verdicts 0 HassTurnOff.native: allow light.desk → ask light.desk",
            "    verdicts 0 HassTurnOff.written: refuse → allow light.desk",
        ],
        ["    entities aims_at: light.desk → light.desk light.floor"],
    ]


def test_same_records_do_not_differ() -> None:
    assert not [*differences(BEFORE, BEFORE, FACETS)]


def test_value_that_is_gone_is_none() -> None:
    (found,) = differences({**BEFORE, "answer": "Yes"}, BEFORE, ("answer",))
    assert [(each.before, each.after) for each in found.changes] == [("Yes", "-")]


def test_answer_in_another_order_is_the_same() -> None:
    before = {**BEFORE, "eager_speech": "Closing Blinds. Turned off Fan and Lamp"}
    after = {"eager_speech": "Turned off Lamp and Fan. Closing Blinds"}
    assert not [*differences(before, after, ("eager_speech",))]
    assert [*differences(before, {"eager_speech": "Closing Blinds"}, ("eager_speech",))]


@pytest.mark.parametrize(
    ("restrictions", "left"),
    [
        ({"sentences": ["0a1b"]}, None),
        ({"sentences": ["0a1b"], "before": "^(allow|refuse)"}, None),
        ({"after": "^ask"}, ["0 HassTurnOff.written"]),
        ({"path": "written$"}, ["0 HassTurnOff.native"]),
        ({"sentences": ["ffff"]}, ["0 HassTurnOff.native", "0 HassTurnOff.written"]),
    ],
)
def test_entry_accepts_what_it_names(restrictions: dict[str, Any], left: list[str] | None) -> None:
    rest = entry(**restrictions).left_of(verdicts())
    assert (rest and [each.path for each in rest.changes]) == left


def test_entry_of_another_facet_accepts_nothing() -> None:
    difference = next(differences(BEFORE, AFTER, ("reading",)))
    assert entry(sentences=["0a1b"]).left_of(difference) is difference


def test_entry_that_would_accept_everything_is_refused() -> None:
    with pytest.raises(ValueError, match="test"):
        entry()


def test_entries_in_the_repository_can_be_read() -> None:
    assert all(each.reason for each in Accepted.read_all(ACCEPTED))


def test_golden_files_are_the_same_bytes_and_give_the_same_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(golden, "COMMITTED", tmp_path / "committed")
    lines = [
        {"key": "1", "set": "tests/heard", "text": "hello there", "language": "en", "home": "x"},
        {"key": "2", "set": "strangers", "text": "good night", "language": "en", "home": "x"},
    ]
    golden.write("readings", lines, tmp_path / "golden")
    first = {path: path.read_bytes() for path in tmp_path.rglob("*.gz")}
    golden.write("readings", lines, tmp_path / "golden")
    assert {path: path.read_bytes() for path in first} == first
    assert {path.parent.name for path in first} == {"committed", "golden"}
    assert golden.read("readings", tmp_path / "golden") == lines


def test_turns_and_evaluation_data_are_never_committed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(golden, "COMMITTED", tmp_path / "committed")
    line = {"key": "1", "text": "hello there", "language": "en", "home": "x"}
    for stage, name in (("turns", "tests/heard"), ("readings", "strangers")):
        golden.write(stage, [{**line, "set": name}], tmp_path / "golden")
    assert not (tmp_path / "committed").exists()


def test_sentences_of_tables_have_their_language_and_calls() -> None:
    source = """
\"\"\"A docstring is no sentence.\"\"\"
SAID = [("Turn off the TV", "not + now", "Turn off the TV / turn on the lamp")]
ASKED = {"de": ["Ist das Licht an?"], "fr": (("Il fait froid ?", "Non, 20 °C"),)}
ROWS = [("pl", "otwórz furtkę"), ("turn it on | now the fan", call("HassTurnOn", name="Fan"))]
OTHER = ["light.desk_lamp", "one", "{name} is on"]
"""
    assert [*said_in(ast.parse(source), "en")] == [
        (["Turn off the TV"], "en", []),
        (["Ist das Licht an?"], "de", ()),
        (["Il fait froid ?"], "fr", []),
        (["otwórz furtkę"], "pl", []),
        (
            ["turn it on", "now the fan"],
            "en",
            [{"name": "HassTurnOn", "arguments": {"name": "Fan"}}],
        ),
    ]


def test_same_sentence_is_recorded_once_with_all_calls() -> None:
    calls = [{"name": "HassTurnOn", "arguments": {}}, {"name": "HassTurnOff", "arguments": {}}]
    case = Case(set="tests/heard", text="turn it on", language="en", home="own:en")
    cases = [case, Case(**{**case.as_json(), "set": "tests/turn", "calls": calls})]
    (found,) = without_duplicates(cases)
    assert (found.set, found.calls, found.key) == ("tests/heard", calls, case.key)
    assert Case.of_json(found.as_json()) == found


def test_states_are_part_of_a_key() -> None:
    case = Case(set="moments", text="turn it on", language="en", home="own:en")
    other = Case(**{**case.as_json(), "setup": {"light.desk": {"state": "on"}}})
    assert case.key != other.key


@pytest.mark.parametrize(
    ("name", "arguments", "wanted"),
    [
        ("HassTurnOn", {"name": "Fan"}, ("HassTurnOff", {"name": "Fan"})),
        (
            "HassLightSet",
            {"name": "Lamp", "brightness": 40},
            ("HassTurnOff", {"name": "Lamp"}),
        ),
        ("HassStartTimer", {"minutes": 5}, None),
    ],
)
def test_opposite_undoes_a_call(
    name: str, arguments: dict[str, Any], wanted: tuple[str, dict[str, Any]] | None
) -> None:
    found = opposite({"name": name, "arguments": arguments})
    assert (found and (found["name"], found["arguments"])) == wanted


def test_each_call_is_probed_once() -> None:
    calls = [{"name": name, "arguments": {"name": "Fan"}} for name in ("HassTurnOn", "HassTurnOff")]
    assert [each["name"] for each in to_probe(calls)] == ["HassTurnOn", "HassTurnOff"]


def test_sentence_that_means_nothing_is_probed_with_a_stray_call() -> None:
    (call,) = obvious({"kind": "unknown"}, (), "Kitchen Light")
    assert call["arguments"] == {"name": "Kitchen Light"}
