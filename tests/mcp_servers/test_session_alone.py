"""What a session makes of what happens to its connections."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from typing import Any

from homeassistant.core import HomeAssistant
from mcp.types import Tool
import pytest

from custom_components.voice_gateway.mcp_servers import session as module
from custom_components.voice_gateway.mcp_servers.errors import (
    McpError,
    McpHttpError,
    McpInterrupted,
    McpInvalidAnswer,
    McpMoreRights,
    McpRejected,
    McpSessionExpired,
    McpTimeout,
    McpUnavailable,
    McpUnreachable,
    Signal,
)
from custom_components.voice_gateway.mcp_servers.session import McpSession, SessionState
from custom_components.voice_gateway.mcp_servers.settings import (
    CommandServer,
    ServerSettings,
    ToolSelection,
    UrlServer,
)

from .conftest import TIMINGS, connected, failed, text_of, until
from .played import Played, tool

HERE = CommandServer(command="server")
QUICK: dict[str, Any] = {"attempts": (0, 0, 0), "slow_attempts": (600,), "wait": 0.2}

type Play = Callable[..., McpSession]


@pytest.fixture
async def play(hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Play]:
    """Return a function that starts a session over connections, one after the other."""
    sessions: list[McpSession] = []

    def start(
        *connections: Played,
        server: CommandServer | UrlServer = HERE,
        timings: dict[str, Any] | None = None,
        choice: ToolSelection | None = None,
        **rest: Any,
    ) -> McpSession:
        left = [*connections]

        async def new(*args: Any) -> Played:
            *_, patience = args
            following = left.pop(0) if left else Played(fails=McpUnreachable("Nobody is there"))
            following.patience = patience
            return following

        monkeypatch.setattr(module, "new_connection", new)
        settings = ServerSettings(
            name="Test",
            server=server,
            timings=replace(TIMINGS, **(QUICK | (timings or {}))),
            choice=choice or ToolSelection(),
            **rest,
        )
        sessions.append(session := McpSession(hass, settings))
        session.async_start()
        return session

    yield start
    await asyncio.gather(*(session.async_stop() for session in sessions))


# What a call meets: how often it is made on the first connection and on the second, and whether the
# first one is asked whether it lives.
MET: list[tuple[McpError, int, int, bool]] = [
    (McpRejected("No", code=1), 1, 0, False),
    (McpInvalidAnswer("odd"), 1, 0, False),
    (McpHttpError("Bad", status=499), 1, 0, False),
    (McpMoreRights("More", challenge="scope"), 1, 0, False),
    # It may have been carried out: it is not made again.
    (McpTimeout("Late"), 1, 0, True),
    (McpHttpError("Bad", status=500), 1, 0, True),
    (McpInterrupted("Broke"), 1, 0, False),
    # It surely was not.
    (McpUnreachable("Gone"), 1, 1, False),
    (McpSessionExpired("Forgotten"), 1, 1, False),
]


@pytest.mark.parametrize(
    ("err", "first", "second", "is_doubted"), MET, ids=lambda each: type(each).__name__
)
async def test_call_is_made_again_only_where_it_surely_was_not_executed(
    play: Play, err: McpError, first: int, second: int, *, is_doubted: bool
) -> None:
    one, other = Played(answers=[err]), Played()
    session = await connected(play(one, other, timeout=7))

    async def ask(_: Any) -> None:
        """Never asked."""

    if second:
        assert text_of(await session.async_call("act", {}, ask=ask)) == "done"
        assert one.closed
    else:
        with pytest.raises(type(err)) as raised:
            await session.async_call("act", {}, ask=ask)
        assert raised.value is err
    assert one.called == [("act", 7, ask)] * first
    assert other.called == [("act", 7, ask)] * second
    # What comes after it goes to whichever is there, once that is known to live.
    assert text_of(await session.async_call("act", {}, timeout=3)) == "done"
    assert (other if second else one).called[-1] == ("act", 3, None)
    assert one.probes == is_doubted
    assert session.challenge == ("scope" if isinstance(err, McpMoreRights) else "")
    assert session.state is SessionState.CONNECTED


async def test_server_that_is_not_reached_twice_is_not_available(play: Play) -> None:
    session = await connected(
        play(
            Played(answers=[McpUnreachable("Gone")]),
            other := Played(answers=[McpUnreachable("Gone again", stderr=["last"])]),
            third := Played(),
        )
    )
    with pytest.raises(McpUnavailable, match="Gone again") as raised:
        await session.async_call("act", {})
    assert raised.value.stderr == ("last",)
    assert len(other.called) == 1
    assert not third.called


async def test_calls_wait_while_nobody_knows_whether_the_server_lives(play: Play) -> None:
    one = Played(answers=[McpTimeout("Late")], probe_may_end=asyncio.Event())
    session = await connected(play(one, other := Played(), timings={"wait": 5}))
    with pytest.raises(McpTimeout):
        await session.async_call("act", {})
    waiting = asyncio.create_task(session.async_call("act", {}))
    await until(lambda: one.probes)
    await asyncio.sleep(0)
    assert len(one.called) == 1
    # It does not: what waited goes to the next one.
    one.probe_finds = McpTimeout("No sign")
    assert one.probe_may_end
    one.probe_may_end.set()
    assert text_of(await waiting) == "done"
    assert (len(one.called), len(other.called)) == (1, 1)


@pytest.mark.parametrize("late", [McpTimeout("Late"), McpUnreachable("Gone")])
async def test_what_a_call_over_an_old_connection_meets_does_not_end_the_new_one(
    play: Play, late: McpError
) -> None:
    go_on = asyncio.Event()

    async def lose() -> Any:
        await go_on.wait()
        raise late

    one, other = Played(answers=[lose]), Played()
    session = await connected(play(one, other))
    call = asyncio.create_task(session.async_call("act", {}))
    await until(lambda: one.called)
    one.signals.put_nowait(Signal.CLOSED)
    await until(
        lambda: session.state is SessionState.CONNECTED and session.attempts == 1 and one.closed
    )
    await connected(session)
    go_on.set()
    if late.repeatable:
        assert text_of(await call) == "done"
    else:
        with pytest.raises(McpTimeout):
            await call
    assert text_of(await session.async_call("act", {})) == "done"
    assert not other.closed
    assert other.probes == 0


async def test_server_that_does_not_come_back_has_failed_however_long_it_was_there(
    play: Play, caplog: pytest.LogCaptureFixture
) -> None:
    """And that is said once."""
    one = Played()
    timings = {"stable": 0, "slow_attempts": (0, 0, 600)}
    session = await connected(play(one, timings=timings))
    one.signals.put_nowait(Signal.CLOSED)
    await until(lambda: session.attempts >= 5, 5)
    assert session.state is SessionState.FAILED
    assert caplog.text.count("MCP connection failed after 3 attempts") == 1
    assert caplog.text.count("MCP connection failed") == 1


async def test_tool_knows_its_server_and_what_it_may_take(play: Play) -> None:
    schema = {"type": "object", "properties": {"which": {}}}
    one = Played(tools=[Tool(name="act", input_schema=schema), tool("sing.song")])
    session = await connected(
        play(
            one,
            prefix="my",
            timeout=40,
            timings={"progress": 30, "wait": 5},
            synonyms={"act": {"what": "which"}},
        )
    )
    act, sing = session.tools
    assert [act.name, sing.name] == ["my_act", "my_sing_song"]
    await act.async_run({"what": "x"})
    assert one.given == [{"which": "x"}]
    assert {each.server_title for each in session.tools} == {"Test"}
    assert {each.timeout for each in session.tools} == {45}
    for name, found in (
        ("my_act", act),
        ("test__my_act", act),
        ("act", act),
        ("sing.song", sing),
        ("my_sing_song", sing),
        ("sing", None),
    ):
        assert session.find_tool(name) is found
    session = await connected(play(Played(), timeout=5, timings={"progress": 30, "wait": 5}))
    assert session.tools[0].timeout == 35


async def test_tool_that_is_not_ticked_any_more_or_says_something_else_is_withdrawn(
    play: Play,
) -> None:
    one = Played(tools=[tool("act"), tool("sing")], lists=[[tool("act", description="Else")]])
    session = await connected(play(one))
    act, sing = session.tools

    def withdrawn() -> list[bool]:
        return [bool(each.is_withdrawn and each.is_withdrawn(each)) for each in (act, sing)]

    assert withdrawn() == [False, False]
    utterance: list[str] = []
    session.async_add_listener(lambda: utterance.append("changed"))
    session.async_choose(choice := ToolSelection().having(session.tools, ["act"]))
    assert withdrawn() == [False, True]
    assert [each.name for each in session.offered_tools] == session.names == ["act"]
    assert [session.is_for_agents(name) for name in ("act", "sing", "dance")] == [
        True,
        False,
        False,
    ]
    # Nothing new is nothing to tell.
    session.async_choose(choice)
    assert utterance == ["changed"]
    # What is gone was as it was when it was ticked; what is described otherwise was not.
    await session.async_refresh()
    assert withdrawn() == [True, True]
    assert not session.is_for_agents("act")
    # Ticked again as it is now, it is still not what a conversation was given before.
    session.async_choose(ToolSelection().having(session.tools, ["act"]))
    assert session.is_for_agents("act")
    assert withdrawn()[0]
    (now,) = session.tools
    assert now.is_withdrawn
    assert not now.is_withdrawn(now)
    assert [each.original_name for each in session.choosable] == ["act", "server/instructions"]


async def test_names_of_ticked_tools_are_known_before_the_server_is_there(play: Play) -> None:
    choice = ToolSelection(ticked={"act": "1", "sing.song": "2"}, unticked=("hum",))
    session = play(choice=choice, prefix="my")
    assert session.names == ["my_act", "my_sing_song"]
    assert [session.is_for_agents(name) for name in ("act", "hum", "new")] == [True, False, False]
    assert session.choosable[0].is_silent


async def test_new_connection_tells_what_the_server_says_now(play: Play) -> None:
    one = Played(instructions="Be brief.", skipped_tools={"odd": "no schema"})
    other = Played(instructions="Talk.", skipped_tools={"odd": "no schema"})
    session = await connected(play(one, other))
    assert (session.instructions, session.skipped_tools) == ("Be brief.", {"odd": "no schema"})
    before = session.tools[0]
    one.signals.put_nowait(Signal.CLOSED)
    await until(lambda: session.instructions == "Talk.")
    # The tool is another object, and is for the same.
    assert before.is_withdrawn
    assert not before.is_withdrawn(before)
    assert session.last_error is None


async def test_each_attempt_at_an_address_is_given_more_time_up_to_a_limit(play: Play) -> None:
    tried = [Played(fails=McpUnreachable("Not there")) for _ in range(5)]
    timings = {"attempts": (0,) * 5, "answer": 10, "connect": 35}
    await failed(play(*tried, server=UrlServer(url="http://nas.local/mcp"), timings=timings))
    assert [each.patience for each in tried] == [10, 20, 35, 35, 35]
    tried = [Played(fails=McpUnreachable("Not there")) for _ in range(2)]
    await failed(play(*tried, timings=timings | {"attempts": (0, 0)}))
    assert [each.patience for each in tried] == [35, 35]
