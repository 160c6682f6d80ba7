"""Calls of MCP servers that ask back: what answers them, what declines them, and what comes of it."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from mcp.types import CallToolResult, TextContent, Tool
import pytest

from custom_components.voice_gateway.mcp_servers import elicitation
from custom_components.voice_gateway.mcp_servers.elicitation import (
    AskUser as AskOfServer,
    ElicitationAnswer,
    ElicitationQuestion,
)
from custom_components.voice_gateway.mcp_servers.names import Naming
from custom_components.voice_gateway.mcp_servers.tool import make_tools
from custom_components.voice_gateway.nlu.replies import Reply
from custom_components.voice_gateway.nlu.tokenizer import Text
from custom_components.voice_gateway.tools.consent import ASKED_ANOTHER, PendingCall
from custom_components.voice_gateway.tools.elicitation import ElicitingTool
from custom_components.voice_gateway.tools.executor import ToolExecutor
from custom_components.voice_gateway.tools.journal import Outcome
from custom_components.voice_gateway.tools.policy.decisions import Ask
from tests.extra_tools import ExtraTool

from .test_executor import IN_DOUBT, executor_of, next_turn, run

type Fields = Mapping[str, Mapping[str, Any]]

SURE: Fields = {"sure": {"type": "boolean"}}
SIZE: Fields = {"size": {"enum": ["s", "l", "xl"], "enumNames": ["small", "large", "very large"]}}
PLAIN: Fields = {}


@dataclass
class Asker:
    """A server whose tools ask for some fields, one form after the other, until one is declined."""

    forms: list[Fields]
    calls: int = 0
    answers: list[ElicitationAnswer] = field(default_factory=list)
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(
        self, name: str, arguments: dict[str, Any], *, ask: AskOfServer | None = None
    ) -> CallToolResult:
        """Carry out a call."""
        self.calls += 1
        assert ask
        try:
            for number, fields in enumerate(self.forms, 1):
                schema = {"properties": fields, "required": [*fields]}
                question = ElicitationQuestion.of(f"Form\n{number}?", schema)
                assert question
                self.answers.append(await ask(question))
                if self.answers[-1] is None:
                    break
        finally:
            self.ended.set()
        return CallToolResult(content=[TextContent(type="text", text=f"{name} is done")])


async def asked_by(hass: HomeAssistant, server: Asker) -> tuple[ToolExecutor, PendingCall]:
    """Call a server's tool where somebody hears; return the tools, and what is asked."""
    tools = replace(await tools_of(hass, server), is_heard=True)
    assert (await run(tools, "act")).startswith('{"asked":')
    (asked,) = tools.consent.calls
    return tools, asked


async def tools_of(hass: HomeAssistant, server: Asker) -> ToolExecutor:
    """Return the tools of a server, which has two."""
    definitions = [Tool(name=name, input_schema={"type": "object"}) for name in ("act", "wash")]
    made = make_tools(definitions, server, naming=Naming())
    for tool in made:
        tool.server_title = "Kit*chen"
    return await executor_of(hass, *made)


# What a form has; what is said to it, and what that is to any question; what it is to this one,
# and what the server is told.
REPLIES: list[tuple[Fields, tuple[str, Reply], Reply, ElicitationAnswer]] = [
    (PLAIN, ("yes", Reply.YES), Reply.YES, {}),
    (PLAIN, ("no", Reply.NO), Reply.NO, None),
    (PLAIN, ("what time is it", Reply.OTHER), Reply.OTHER, None),
    (SURE, ("yes", Reply.YES), Reply.YES, {"sure": True}),
    (SURE, ("no", Reply.NO), Reply.YES, {"sure": False}),
    (SURE, ("what time is it", Reply.OTHER), Reply.OTHER, None),
    (SIZE, ("a Small one, please", Reply.OTHER), Reply.YES, {"size": "s"}),
    (SIZE, ("yes, small", Reply.YES), Reply.YES, {"size": "s"}),
    (SIZE, ("large, not very", Reply.OTHER), Reply.YES, {"size": "l"}),
    # No choice at all, or more than one.
    (SIZE, ("yes", Reply.YES), Reply.OTHER, None),
    (SIZE, ("the smallest", Reply.OTHER), Reply.OTHER, None),
    (SIZE, ("small or large", Reply.OTHER), Reply.OTHER, None),
    # A no is none of them, whatever it names.
    (SIZE, ("no, not small", Reply.NO), Reply.NO, None),
    (SIZE, ("no", Reply.NO), Reply.NO, None),
]


@pytest.mark.parametrize(("fields", "said", "reply", "answer"), REPLIES)
async def test_what_is_said_answers_the_server_or_declines(
    hass: HomeAssistant,
    fields: Fields,
    said: tuple[str, Reply],
    reply: Reply,
    answer: ElicitationAnswer,
) -> None:
    """It is told at once in each case, and by the call that it began."""
    server = Asker([fields])
    tools, asked = await asked_by(hass, server)
    assert isinstance(asked.tool, ElicitingTool)
    text, understood = said
    assert asked.tool.reply(Text(text, "en"), understood) is reply
    if reply is Reply.YES:
        turn = replace(next_turn(tools), is_heard=True)
        result = await turn.async_call_tool(turn.consent.grant(asked))
        assert result.data == {"result": "act is done"}
        assert [each.outcome for each in turn.journal.entries] == [Outcome.ANSWERED]
    async with asyncio.timeout(10):
        await server.ended.wait()
    assert server.answers == [answer]
    assert server.calls == 1


@pytest.mark.parametrize(
    ("fields", "does", "choices"),
    [(SURE, "server", ""), (SIZE, "server_choice", "small, large, very large")],
)
async def test_question_is_asked_as_it_can_be_shown_and_with_what_may_be_chosen(
    hass: HomeAssistant, fields: Fields, does: str, choices: str
) -> None:
    _, asked = await asked_by(hass, Asker([fields]))
    assert (asked.ask.does, asked.ask.names) == (does, ["Kitchen"])
    assert asked.ask.more == {"question": "Form 1?", "choices": choices}


async def test_server_that_asks_on_is_asked_about_again(hass: HomeAssistant) -> None:
    server = Asker([SURE, SIZE])
    tools, asked = await asked_by(hass, server)
    for said, understood in (("yes", Reply.YES), ("large", Reply.OTHER)):
        assert isinstance(asked.tool, ElicitingTool)
        assert asked.tool.reply(Text(said, "en"), understood) is Reply.YES
        tools = replace(next_turn(tools), is_heard=True)
        result = await tools.async_call_tool(tools.consent.grant(asked))
        asked = tools.consent.calls[0] if tools.consent.calls else asked
    assert result.data == {"result": "act is done"}
    assert server.answers == [{"sure": True}, {"size": "l"}]
    assert server.calls == 1


async def test_where_nobody_hears_it_nothing_is_asked(hass: HomeAssistant) -> None:
    server = Asker([SURE])
    tools = await tools_of(hass, server)
    assert "Nobody could answer that here" in await run(tools, "act")
    assert not tools.consent.calls
    assert server.answers == [None]


async def test_two_servers_that_ask_are_not_asked_about_together(hass: HomeAssistant) -> None:
    server = Asker([SURE])
    tools = replace(await tools_of(hass, server), is_heard=True)
    refused, asked = sorted(await asyncio.gather(run(tools, "act"), run(tools, "wash")))
    assert asked.startswith('{"asked":')
    assert refused == f"Error: {ASKED_ANOTHER}"
    assert {each.outcome for each in tools.journal.entries} == {Outcome.ASKED, Outcome.REFUSED}
    async with asyncio.timeout(10):
        await server.ended.wait()
    assert server.answers == [None]


async def test_server_that_asks_after_a_question_of_ours_is_declined(hass: HomeAssistant) -> None:
    server = Asker([SURE])
    tools = replace(await tools_of(hass, server), is_heard=True)
    door = PendingCall(
        ExtraTool("door", dict), llm.ToolInput("door", {}), Ask(does="unlock", names=[])
    )
    assert tools.consent.add(door)
    assert "Nobody could answer that here" in await run(tools, "act")
    assert tools.consent.calls == [door]
    assert server.answers == [None]


async def test_call_that_takes_too_long_is_broken_off_at_the_server(hass: HomeAssistant) -> None:
    server = Asker([])

    async def hang(*_: Any, **__: Any) -> CallToolResult:
        try:
            await asyncio.Event().wait()
        finally:
            server.ended.set()
        raise AssertionError

    [tool] = make_tools([Tool(name="act", input_schema={"type": "object"})], hang, timeout=0.05)
    tools = replace(await executor_of(hass, tool), is_heard=True)
    assert (await run(tools, "act")).endswith(IN_DOUBT)
    async with asyncio.timeout(10):
        await server.ended.wait()


async def test_what_nobody_answers_is_declined_in_time(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elicitation, "PATIENCE", 0.05)
    server = Asker([SURE])
    tools, asked = await asked_by(hass, server)
    async with asyncio.timeout(10):
        await server.ended.wait()
    assert server.answers == [None]
    # Who answers then is told what came of it.
    assert isinstance(asked.tool, ElicitingTool)
    assert asked.tool.reply(Text("yes", "en"), Reply.YES) is Reply.YES
    result = await tools.async_call_tool(tools.consent.grant(asked))
    assert result.data == {"result": "act is done"}


async def test_failure_of_a_call_that_asked_is_told(hass: HomeAssistant) -> None:
    async def fail(*_: Any, ask: AskOfServer) -> CallToolResult:
        question = ElicitationQuestion.of("Well?", {"properties": SURE})
        assert question
        await ask(question)
        raise TimeoutError

    [tool] = make_tools([Tool(name="act", input_schema={"type": "object"})], fail)
    tools = replace(await executor_of(hass, tool), is_heard=True)
    await run(tools, "act")
    (asked,) = tools.consent.calls
    result = await tools.async_call_tool(tools.consent.grant(asked))
    assert result.error
    assert tools.journal.is_in_doubt
    assert isinstance(result, llm.ToolResult)
