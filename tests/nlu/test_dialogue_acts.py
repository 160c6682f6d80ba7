"""Whether a sentence asks, tells or commands: its words alone, since speech has no question marks."""

from collections.abc import Iterator
from pathlib import Path
import tomllib

import pytest

from custom_components.voice_gateway.nlu.clause import DialogueAct
from custom_components.voice_gateway.nlu.parser import parse
from custom_components.voice_gateway.nlu.tokenizer import Text
from script.checks.texts import LANGUAGES

_MOODS = Path(__file__).parent / "moods"
_NAMES = tomllib.loads((_MOODS / "names.toml").read_text("utf-8"))
_REMARKS = (DialogueAct.QUESTION, DialogueAct.STATEMENT)
"""Of both, nothing is done."""


def _sentences(code: str, title: str) -> Iterator[str]:
    """Yield the sentences under a title: each as it is, and once more with its mark at the end."""
    mark = "?" if title == "Questions" else "."
    text = (_MOODS / f"{code}.txt").read_text()
    _, _, listed = text.partition(f"# {title}\n")
    for line in listed.partition("# ")[0].splitlines():
        yield line
        if line.endswith("?"):
            if title == "Commands":
                yield line.removesuffix("?")
        else:
            yield f"{line}{mark}"


def _moods(code: str, title: str) -> list[tuple[str, DialogueAct]]:
    return [(each, parse(Text(each, code), _NAMES[code]).act) for each in _sentences(code, title)]


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("title", ["Questions", "Statements"])
def test_nothing_is_done_of_a_remark(code: str, title: str) -> None:
    found = _moods(code, title)
    assert found
    assert [each for each in found if each[1] not in _REMARKS] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_command_is_none(code: str) -> None:
    found = _moods(code, "Commands")
    assert found
    assert [each for each in found if each[1] is not DialogueAct.COMMAND] == []


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("de", "Sollten die Fenster offen sein, mach die Heizung aus"),
        ("de", "Sollte es regnen, fahr die Markise ein"),
        ("en", "Is it dark, then turn on the light"),
        ("nl", "Mocht het regenen, sluit dan de ramen"),
    ],
)
def test_question_in_form_before_a_command_is_a_condition(code: str, text: str) -> None:
    said = parse(Text(text, code), _NAMES[code])
    assert said.act is DialogueAct.COMMAND
    assert not said.is_immediate
