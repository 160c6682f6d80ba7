"""What a server asks the user during a call."""

import asyncio
from collections.abc import Generator
from dataclasses import dataclass, field
import os
import sys
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import pytest

from custom_components.voice_gateway.mcp_servers.elicitation import (
    ElicitationAnswer,
    ElicitationKind,
    ElicitationQuestion,
)
from custom_components.voice_gateway.mcp_servers.errors import McpInterrupted, McpInvalidAnswer
from custom_components.voice_gateway.mcp_servers.session import McpSession
from custom_components.voice_gateway.mcp_servers.settings import CommandServer, UrlServer

from .conftest import CONTEXT, Diary, NewProcesses, StartSession, raw, text_of
from .servers import ASKING, http_process

YES = {"type": "boolean"}
SIZE = {"type": "string", "enum": ["s", "l"], "enumNames": ["small", "large"]}


@pytest.mark.parametrize(
    ("fields", "required", "kind"),
    [
        ({}, [], ElicitationKind.CONFIRMATION),
        (
            {"a": YES | {"default": True}, "b": SIZE | {"default": "s"}},
            ["a", "b"],
            ElicitationKind.CONFIRMATION,
        ),
        ({"a": YES}, ["a"], ElicitationKind.YES_OR_NO),
        ({"a": YES}, [], ElicitationKind.YES_OR_NO),
        ({"a": YES, "note": {"type": "string"}}, ["a"], ElicitationKind.YES_OR_NO),
        ({"a": SIZE}, ["a"], ElicitationKind.CHOICE),
        ({"a": SIZE, "b": YES | {"default": True}}, ["a", "b"], ElicitationKind.CHOICE),
        ({"a": {"oneOf": [{"const": 1, "title": "one"}]}}, ["a"], ElicitationKind.CHOICE),
        # Not for one sentence, or not for anybody's ears.
        ({"a": YES, "b": SIZE}, ["a", "b"], None),
        ({"a": {"type": "string"}}, ["a"], None),
        ({"a": {"type": "number"}}, ["a"], None),
        ({"a": {"type": "array", "items": {"enum": ["x"]}}}, ["a"], None),
        ({"a": {"enum": [*range(50)]}}, ["a"], None),
        ({"a": {"enum": [*range(1, 7)]}}, ["a"], ElicitationKind.CHOICE),
        # A digit of something secret.
        ({"a": {"enum": [*range(10)]}}, ["a"], None),
        ({"a": {"oneOf": [{"const": each, "title": str(each)} for each in range(7)]}}, ["a"], None),
        ({"api_key": SIZE}, ["api_key"], None),
        ({"a": {"type": "boolean", "title": "The password"}}, ["a"], None),
        ({"a": {"type": "string", "enum": ["x"], "format": "password"}}, ["a"], None),
        ({"a": YES, "pin_code_password": {"type": "string"}}, ["a"], None),
    ],
)
def test_one_field_can_be_answered_by_one_sentence(
    fields: dict[str, Any], required: list[str], kind: ElicitationKind | None
) -> None:
    question = ElicitationQuestion.of(
        "Well?", {"type": "object", "properties": fields, "required": required}
    )
    assert (question.kind if question else None) == kind


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": [1]},
        {"properties": {"a": True}},
        {"properties": {"a": YES}, "required": 1},
        {"properties": {"a": SIZE | {"type": 1, "enum": 2}}},
    ],
)
def test_form_that_is_none_is_not_asked(schema: dict[str, Any]) -> None:
    assert ElicitationQuestion.of("Well?", schema) is None


def test_what_nobody_can_listen_to_is_not_asked() -> None:
    schema = {"properties": {"a": YES}}
    assert ElicitationQuestion.of("x" * 300, schema)
    assert ElicitationQuestion.of("x" * 301, schema) is None
    for many, is_asked in ((10, True), (11, False)):
        choices = {"properties": {"a": {"enum": [*"abcdefghijk"[:many]]}}, "required": ["a"]}
        assert bool(ElicitationQuestion.of("Well?", choices)) is is_asked


def test_what_is_not_asked_is_as_the_server_proposes() -> None:
    fields = {"size": SIZE, "sugar": YES | {"default": True}, "note": {"type": "string"}}
    question = ElicitationQuestion.of(
        "Which?", {"properties": fields, "required": ["size", "sugar"]}
    )
    assert question
    assert question.choices == {"small": "s", "large": "l"}
    named = {"oneOf": [{"const": 1, "title": "one"}, {"const": 2}, {"title": "none"}]}
    numbered = ElicitationQuestion.of("Which?", {"properties": {"a": named}, "required": ["a"]})
    assert numbered
    assert numbered.choices == {"one": 1, "2": 2}
    assert question.answered("l") == {"size": "l", "sugar": True}


@pytest.fixture(scope="module")
def asking_url() -> Generator[str]:
    """Return the address of a server that asks; tests share it."""
    with http_process(sys.executable, "streamable-http", os.devnull, script=ASKING) as process:
        yield process.url


@pytest.fixture(params=["stdio", "http"])
async def asking(
    request: pytest.FixtureRequest, asking_url: str, start_session: StartSession, diary: Diary
) -> McpSession:
    """Return a session with a server that asks, in each generation of the protocol."""
    if request.param == "http":
        return start_session(UrlServer(url=asking_url))
    args = (ASKING, "stdio", "0", str(diary.path))
    return start_session(CommandServer(command=sys.executable, args=args))


@dataclass
class Somebody:
    """Answers questions, and remembers them."""

    value: Any
    asked: list[str] = field(default_factory=list)

    async def __call__(self, question: ElicitationQuestion) -> ElicitationAnswer:
        """Answer a question."""
        self.asked.append(question.message)
        return None if self.value is None else question.answered(self.value)


@pytest.mark.parametrize("asking", ["stdio"], indirect=True)
async def test_question_during_a_call_is_asked_and_its_answer_goes_back(
    asking: McpSession, diary: Diary
) -> None:
    for arguments, value, done in (
        (("clear_list", {"name": "shopping"}), True, "cleared shopping"),
        (("clear_list", {"name": "shopping"}), False, "kept shopping"),
        (("clear_list", {"name": "shopping"}), None, "decline"),
        (("make_coffee", {}), "large", "large coffee, sugar False"),
    ):
        somebody = Somebody(value)
        assert text_of(await asking.async_call(*arguments, ask=somebody)) == done
        assert len(somebody.asked) == 1
    assert diary.count("began") == 3


@pytest.mark.parametrize("asking", ["stdio"], indirect=True)
async def test_secrets_and_what_nobody_can_be_asked_are_declined(
    hass: HomeAssistant, asking: McpSession
) -> None:
    somebody = Somebody("1234")
    assert text_of(await asking.async_call("log_in", {}, ask=somebody)) == "decline"
    assert somebody.asked == []
    assert text_of(await asking.async_call("make_coffee", {})) == "decline"
    # The model reads why nothing came of it.
    coffee = asking.find_tool("make_coffee")
    assert coffee
    result = await coffee.async_call(hass, llm.ToolInput("make_coffee", {}), CONTEXT)
    assert 'asked "Which size?". Nobody could answer' in str(result.data["not_answered"])


@pytest.mark.parametrize("asking", ["stdio"], indirect=True)
async def test_question_is_declined_where_nobody_knows_which_call_it_is_of(
    asking: McpSession,
) -> None:
    """Who is asked of another call than their own would say yes to the wrong thing."""
    others, own = Somebody("large"), Somebody("large")
    await asking.async_call("count", {"steps": 0})
    counts = asyncio.create_task(asking.async_call("count", {"steps": 8}, ask=others))
    assert text_of(await asking.async_call("make_coffee", {}, ask=own)) == "decline"
    assert text_of(await counts) == "counted to 8"
    assert others.asked == own.asked == []
    # Once it is alone, it is asked again.
    made = text_of(await asking.async_call("make_coffee", {}, ask=own))
    assert made == "large coffee, sugar False"


@pytest.mark.parametrize("asking", ["stdio"], indirect=True)
async def test_question_is_asked_also_where_the_server_has_to_be_started_again_for_the_call(
    asking: McpSession, new_processes: NewProcesses
) -> None:
    await asking.async_call("count", {"steps": 0})
    counts = asyncio.create_task(asking.async_call("count", {"steps": 100}))
    await asyncio.sleep(0)
    for process in new_processes():
        process.kill()
    with pytest.raises(McpInterrupted):
        await counts
    # Nothing else has run since: the session itself does not know yet.
    made = await asking.async_call("make_coffee", {}, ask=Somebody("large"))
    assert text_of(made) == "large coffee, sugar False"


@pytest.mark.parametrize("asking", ["stdio"], indirect=True)
async def test_time_stands_still_while_somebody_thinks(asking: McpSession) -> None:
    await asking.async_call("make_coffee", {})

    async def think(question: ElicitationQuestion) -> ElicitationAnswer:
        await asyncio.sleep(1.2)
        return question.answered(True)

    result = await asking.async_call("clear_list", {"name": "x"}, timeout=1, ask=think)
    assert text_of(result) == "cleared x"


@pytest.mark.parametrize("asking", ["http"], indirect=True)
async def test_call_is_made_again_with_the_answer_where_the_newer_protocol_wants_it(
    asking: McpSession,
) -> None:
    somebody = Somebody(True)
    assert text_of(await asking.async_call("vote", {}, ask=somebody)) == "{'sure': True} open"
    assert somebody.asked == ["Are you for it?"]
    assert text_of(await asking.async_call("vote", {})) == "None open"


@pytest.mark.parametrize("asking", ["stdio", "http"], indirect=True)
async def test_call_that_reports_progress_may_take_longer(asking: McpSession) -> None:
    result = await asking.async_call("count", {"steps": 8}, timeout=1.5)
    assert text_of(result) == "counted to 8"


async def test_tool_that_asks_back_for_ever_is_given_up(start_session: StartSession) -> None:
    session = start_session(raw("modern-asking"))
    with pytest.raises(McpInvalidAnswer, match="asks back again and again"):
        await session.async_call("act", {})
