"""When, whether and what for: what a sentence says besides what is to be done."""

from importlib import import_module
from itertools import chain

import pytest

from custom_components.voice_gateway.heard.moment import read
from custom_components.voice_gateway.heard.said import Clause, Mood, Said
from script.checks.texts import LANGUAGES

ROWS = [
    pytest.param(code, *row, id=f"{code}: {row[0]}")
    for code in LANGUAGES
    if code in {"de", "en"}
    for row in import_module(f".said_{code}", __package__).SAID
]


def described(said: Said) -> tuple[str, str]:
    """Return a sentence's clauses and their commands, as the lists of sentences have them."""
    return (
        " + ".join(map(_described, said.clauses)),
        " / ".join(clause.command for clause in said.clauses),
    )


def _described(clause: Clause) -> str:
    words = chain(
        ("not",) if clause.negated else (),
        (each.kind for each in clause.moments),
        (f"except {clause.excepted}",) if clause.excepted else (),
        (clause.mood,) if clause.mood is not Mood.COMMAND else (),
    )
    return " ".join(words) or "now"


@pytest.mark.parametrize(("code", "text", "clauses", "commands"), ROWS)
def test_sentence_says(code: str, text: str, clauses: str, commands: str) -> None:
    names = import_module(f".said_{code}", __package__).NAMES
    assert described(read(text, code, names)) == (clauses, commands)
