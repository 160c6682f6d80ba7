"""Phrases that readers have to decode are found in pages, docstrings, comments and texts."""

import json
from pathlib import Path

import pytest

from script.checks.prose import check_prose

SOURCE = '"""{docstring}"""\n\nTEXT = "what is to be done"  # {comment}\n'


@pytest.mark.parametrize(
    ("prose", "found"),
    [
        (("Return True if it is open.", "Return the lamp.", "Because.", "Open it."), []),
        (("Say what is to be done.", "", "", ""), ["a.md:1"]),
        (("", "Tell whether it is open.", "", ""), ["b.py:1"]),
        (("", "", "nobody knows why", ""), ["b.py:3"]),
        (("", "", "", "It is done anew."), ["strings.json:1"]),
        # What a user says is quoted.
        (("“Tell whether it rains” is a question.", "", "", ""), []),
    ],
)
def test_phrases_are_found_where_people_read(
    tmp_path: Path, prose: tuple[str, str, str, str], found: list[str]
) -> None:
    page, docstring, comment, text = prose
    integration = tmp_path / "integration"
    integration.mkdir()
    (tmp_path / "a.md").write_text(page, "utf-8")
    (integration / "b.py").write_text(SOURCE.format(docstring=docstring, comment=comment), "utf-8")
    (integration / "strings.json").write_text(json.dumps({"title": text}), "utf-8")
    places = {each.split(": ")[0] for each in check_prose(tmp_path, integration)}
    assert places == set(found)
