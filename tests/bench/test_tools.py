"""Which calls of a turn are right, for the bench of many tools."""

from typing import Any

from homeassistant.components import conversation
from homeassistant.helpers import llm
import pytest

from bench.agents import Turn
from bench.tools import SENTENCES, Sentence

BACKUP = Sentence("Create a backup called spring", ("ha_create_backup",), {"name": "spring"})
RIGHT = llm.ToolInput("ha_create_backup", {"name": "Spring cleaning"})
OTHER = llm.ToolInput("intent__HassTurnOn", {"name": "Lamp"})
FOUND = llm.ToolInput("find_tools", {"words": "backup"})


def turn(*calls: llm.ToolInput, refused: tuple[llm.ToolInput, ...] = ()) -> Turn:
    content: list[Any] = [conversation.AssistantContent("agent", None, tool_calls=[*calls])]
    content += [
        conversation.ToolResultContent(
            "agent", each.id, each.tool_name, llm.ToolResult(data={}, error=each in refused)
        )
        for each in calls
    ]
    return Turn("", content, None, None)


@pytest.mark.parametrize(
    ("made", "is_right"),
    [
        (turn(RIGHT), True),
        (turn(FOUND, RIGHT), True),
        (turn(OTHER, RIGHT, refused=(OTHER,)), True),
        (turn(), False),
        (turn(FOUND), False),
        (turn(RIGHT, refused=(RIGHT,)), False),
        (turn(RIGHT, OTHER), False),
        (turn(llm.ToolInput("ha_create_backup", {"name": "autumn"})), False),
        (turn(llm.ToolInput("ha_list_backups", {"name": "spring"})), False),
    ],
)
def test_sentence_is_right_by_the_one_call_that_it_wants(made: Turn, is_right: bool) -> None:
    assert BACKUP.is_right(made) is is_right


def test_half_of_the_sentences_are_for_the_servers_tools() -> None:
    theirs = [each for each in SENTENCES if all(name.startswith("ha_") for name in each.tools)]
    assert (len(theirs), len(SENTENCES)) == (10, 20)
