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
    assert BACKUP.is_right(made, {}, {}) is is_right
    before, after = {"light.lamp": {"state": "off"}}, {"light.lamp": {"state": "on"}}
    assert not BACKUP.is_right(made, before, after)


def test_sentence_is_right_by_the_one_state_that_it_wants() -> None:
    lamp = Sentence("Lamp on", wanted={"light.lamp": {"state": "on"}})
    off, on = {"state": "off"}, {"state": "on"}
    before = {"light.lamp": off, "light.other": off}
    assert lamp.is_right(turn(OTHER), before, {"light.lamp": on, "light.other": off})
    assert not lamp.is_right(turn(OTHER), before, before)
    assert not lamp.is_right(turn(OTHER), before, {"light.lamp": on, "light.other": on})
    assert not lamp.is_right(turn(RIGHT), before, {"light.lamp": on, "light.other": off})
    told = Sentence("How warm is it?", says="21")
    assert not told.is_right(turn(), before, before)
    assert told.is_right(Turn("It is 21 °C.", (), None, None), before, before)


def test_half_of_the_sentences_are_for_the_servers_tools() -> None:
    assert (sum(bool(each.tools) for each in SENTENCES), len(SENTENCES)) == (10, 20)
