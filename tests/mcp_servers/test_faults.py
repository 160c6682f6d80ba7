"""What servers over stdio do wrong, and what a person would notice of it."""

import asyncio
import logging
import signal
import sys
from unittest.mock import ANY

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import psutil  # type: ignore[import-untyped]
import pytest

from custom_components.voice_gateway.mcp_servers import process
from custom_components.voice_gateway.mcp_servers.errors import (
    McpError,
    McpInterrupted,
    McpInvalidAnswer,
    McpRejected,
    McpTimeout,
    McpUnavailable,
    McpUnreachable,
)
from custom_components.voice_gateway.mcp_servers.requests import MAX_CHARACTERS
from custom_components.voice_gateway.mcp_servers.session import McpSession, SessionState
from custom_components.voice_gateway.mcp_servers.settings import CommandServer

from .conftest import CONTEXT, Diary, StartSession, connected, failed, raw, text_of, until
from .servers import RAW


async def process_of(session: McpSession) -> psutil.Process:
    """Return the process that a session speaks to."""
    return psutil.Process(int(text_of(await session.async_call("process", {}))))


def _ours(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    """Return our records: on a busy machine asyncio warns that something took long."""
    return [each for each in caplog.records if each.name.startswith("custom_components")]


async def tool_call(hass: HomeAssistant, session: McpSession, name: str) -> llm.ToolResult:
    """Call a tool as an agent does."""
    tool = session.find_tool(name)
    assert tool is not None
    return await tool.async_call(hass, llm.ToolInput(name, {}), CONTEXT)


async def test_server_killed_while_idle_is_noticed_without_a_call_and_reconnected(
    start_session: StartSession,
) -> None:
    session = start_session(raw("good"))
    process = await process_of(session)
    states: list[SessionState] = []
    errors: list[McpError | None] = []
    session.async_add_listener(lambda: states.append(session.state))
    session.async_add_listener(lambda: errors.append(session.last_error))
    process.kill()
    await until(lambda: SessionState.CONNECTED in states)
    assert states == [SessionState.CONNECTING, SessionState.CONNECTED]
    assert str(errors[0]) == "The server was ended by SIGKILL"
    assert (await process_of(session)).pid != process.pid


async def test_call_while_the_server_is_being_restarted_waits_for_it(
    start_session: StartSession,
) -> None:
    session = start_session(raw("slow-start"))
    process = await process_of(session)
    process.kill()
    await until(lambda: session.state is SessionState.CONNECTING)
    assert session.offered_tools
    assert text_of(await session.async_call("count", {})) == "count done"


async def test_server_killed_during_call_is_reported_not_asked_again_and_reconnected(
    start_session: StartSession, diary: Diary
) -> None:
    session = await connected(start_session(raw("dies-in-call", diary)))
    with pytest.raises(McpInterrupted) as raised:
        await session.async_call("act", {})
    assert str(raised.value) == (
        "The server was ended by SIGKILL before it answered; it may or may not have carried out "
        "the call"
    )
    # Nothing else has run since: the session itself does not know yet.
    assert text_of(await session.async_call("count", {})) == "count done"
    assert (diary.count("call act"), diary.count("call count")) == (1, 1)


async def test_hung_server_is_given_up_and_restarted(
    start_session: StartSession, diary: Diary
) -> None:
    session = await connected(start_session(raw("good", diary)))
    first = await process_of(session)
    with pytest.raises(McpTimeout, match=r"No answer came within 0\.2 seconds"):
        await session.async_call("hang", {}, timeout=0.2)
    second = await process_of(session)
    assert second.pid != first.pid
    assert not first.is_running()
    assert diary.count("call hang") == 1


async def test_server_that_hangs_while_idle_is_found_by_a_ping(
    start_session: StartSession,
) -> None:
    session = start_session(raw("good"), timings={"ping": 0.2, "ping_answer": 2})
    process = await process_of(session)
    process.send_signal(signal.SIGSTOP)
    # By now it is being asked whether it lives: a call waits for that, and is not lost with it.
    await asyncio.sleep(0.5)
    assert (await process_of(session)).pid != process.pid


async def test_pings_leave_a_living_server_alone(start_session: StartSession, diary: Diary) -> None:
    timings = {"ping": 0.05, "ping_answer": 20}
    session = await connected(start_session(raw("good", diary), timings=timings))
    tools = session.tools
    await until(lambda: diary.count("ping") >= 3)
    assert session.state is SessionState.CONNECTED
    # Nothing is made anew where nothing changed.
    assert session.tools is tools
    # A call that is over, whatever came of it, is no reason to leave the server alone.
    with pytest.raises(McpRejected):
        await session.async_call("unknown", {})
    before = diary.count("ping")
    await until(lambda: diary.count("ping") >= before + 3, seconds=20)
    assert diary.count("start") == 1


async def test_server_that_is_busy_with_a_call_is_not_asked_whether_it_lives(
    start_session: StartSession, diary: Diary
) -> None:
    timings = {"ping": 0.1, "ping_answer": 0.2}
    session = await connected(start_session(raw("busy", diary), timings=timings))
    assert text_of(await session.async_call("act", {})) == "act done"
    assert diary.count("start") == 1


async def test_call_says_that_a_server_does_not_answer(start_session: StartSession) -> None:
    timings = {"ping_answer": 20, "wait": 0.1, "close": 0.1}
    session = await connected(start_session(raw("good"), timings=timings))
    with pytest.raises(McpTimeout):
        await session.async_call("hang", {}, timeout=0.1)
    # Whether it lives is being asked.
    with pytest.raises(McpUnavailable, match="it does not answer"):
        await session.async_call("count", {})


async def test_what_a_server_wrote_before_it_ended_is_kept(start_session: StartSession) -> None:
    timings = {"attempts": (0, 600), "stable": 600}
    session = await connected(start_session(raw("chatty"), timings=timings))
    await until(lambda: session.stderr)
    (await process_of(session)).kill()
    await until(lambda: session.state is SessionState.CONNECTING)
    assert session.stderr


async def test_message_without_an_end_is_given_up(
    start_session: StartSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_MAX_MESSAGE", 1024 * 1024)
    session = await connected(start_session(raw("big")))
    with pytest.raises(McpTimeout, match="on its standard output it wrote"):
        await session.async_call("act", {}, timeout=1)
    assert session.state is SessionState.CONNECTED


async def test_slow_start_is_waited_for(start_session: StartSession) -> None:
    # What is short for an address is none for what may have to be downloaded first.
    session = start_session(raw("slow-start"), timings={"answer": 0.1})
    assert text_of(await session.async_call("count", {})) == "count done"
    assert session.attempts == 1


USAGE = "import sys; print('usage: server [-h]'); sys.stderr.write('No end of a line')"


@pytest.mark.parametrize(
    ("server", "words", "stderr"),
    [
        (raw("mute"), "No answer came in time", ()),
        (raw("exits"), "The server ended with exit status 1", ANY),
        (
            CommandServer(command="no-such-command"),
            "No such file or directory: no-such-command",
            (),
        ),
        (CommandServer(command="server", args=("\0",)), "embedded null byte", ()),
        (
            CommandServer(command=sys.executable, args=("-c", USAGE)),
            'The server ended; on its standard output it wrote "usage: server [-h]"',
            ("No end of a line",),
        ),
    ],
    ids=["mute", "exits", "no command", "no argument", "no server"],
)
async def test_server_that_never_works_is_given_up_after_three_attempts_and_says_why(
    start_session: StartSession, server: CommandServer, words: str, stderr: tuple[str, ...]
) -> None:
    connect = 0.3 if "mute" in server.args else 60
    session = start_session(server, timings={"connect": connect, "slow_attempts": (600,)})
    error = await failed(session)
    assert type(error) is McpUnreachable
    assert (str(error), error.stderr) == (words, stderr)
    assert session.attempts == 3
    assert session.offered_tools == []


async def test_server_that_keeps_ending_soon_after_its_start_is_not_restarted_without_pause(
    start_session: StartSession, diary: Diary
) -> None:
    session = start_session(
        raw("dies-in-call", diary), timings={"stable": 60, "slow_attempts": (600,)}
    )
    for _ in range(3):
        with pytest.raises(McpInterrupted):
            await session.async_call("act", {})
    await until(lambda: session.state is SessionState.FAILED)
    assert diary.count("start") == 3


@pytest.mark.requirement("H5", "H6")
async def test_garbage_on_stdout_is_noted_and_the_next_message_read(
    start_session: StartSession, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "custom_components")
    session = start_session(raw("noisy"))
    assert text_of(await session.async_call("count", {})) == "count done"
    assert session.state is SessionState.CONNECTED
    for garbage in ("Welcome to my server!", "between ", '{"not": "rpc"}'):
        assert f"Test wrote to stdout: {garbage}" in caplog.text
    assert not [each for each in _ours(caplog) if each.levelno > logging.INFO]


@pytest.mark.requirement("H5")
async def test_garbage_in_place_of_an_answer_is_in_the_error(start_session: StartSession) -> None:
    session = await connected(start_session(raw("noise-for-answer")))
    with pytest.raises(McpTimeout) as raised:
        await session.async_call("act", {}, timeout=0.3)
    assert str(raised.value) == (
        "No answer came within 0.3 seconds; on its standard output it wrote "
        '"Segmentation fault, or something"'
    )
    assert text_of(await session.async_call("count", {})) == "count done"
    # It was not in place of any other answer.
    with pytest.raises(McpTimeout, match=r"^No answer came within 0\.1 seconds$"):
        await session.async_call("hang", {}, timeout=0.1)


async def test_result_of_ten_megabytes_is_cut_and_says_so(
    hass: HomeAssistant, start_session: StartSession
) -> None:
    session = await connected(start_session(raw("big")))
    result = await tool_call(hass, session, "act")
    text = result.data["result"]
    assert isinstance(text, str)
    assert text.startswith("x" * MAX_CHARACTERS)
    assert text.endswith("[Cut: these are the first 8,000 of 10,485,760 characters]")
    assert session.state is SessionState.CONNECTED


async def test_server_that_closes_its_output_is_restarted(start_session: StartSession) -> None:
    session = await connected(start_session(raw("closes-stdout")))
    first = await process_of(session)
    with pytest.raises(
        McpInterrupted, match="The server closed its input or output before it answered"
    ):
        await session.async_call("act", {})
    assert (await process_of(session)).pid != first.pid
    assert not first.is_running()


async def test_end_is_noticed_also_where_what_the_server_started_holds_its_pipes(
    start_session: StartSession,
) -> None:
    # Nor does it matter that this would not end by itself.
    rest = "exec 3<&0; trap '' TERM; sleep 600 <&3 & exec 3<&-; trap - TERM"
    script = f"{rest}; exec '{sys.executable}' '{RAW}' good"
    session = await connected(start_session(CommandServer(command="sh", args=("-c", script))))
    first = await process_of(session)
    first.kill()
    await until(lambda: session.state is SessionState.CONNECTING)
    assert (await process_of(session)).pid != first.pid


async def test_tools_are_offered_while_a_broken_connection_is_being_closed(
    start_session: StartSession,
) -> None:
    session = await connected(start_session(raw("closes-stdout"), timings={"end": 0.5}))
    first = await process_of(session)
    with pytest.raises(McpInterrupted):
        await session.async_call("act", {})
    assert first.is_running()
    # What is waited for has no event of its own.
    while first.is_running():
        assert session.offered_tools
        await asyncio.sleep(0.01)


@pytest.mark.requirement("A11", "A12")
async def test_tools_that_cannot_be_used_are_named_once_and_the_others_stay(
    start_session: StartSession, caplog: pytest.LogCaptureFixture
) -> None:
    session = await connected(start_session(raw("odd-tools")))
    assert [tool.name for tool in session.tools] == ["first", "no_type", "odd_extras", "last"]
    faults = {
        "no_schema": "it has no JSON schema for its arguments",
        "null_schema": "it has no JSON schema for its arguments",
        "text_schema": "its arguments are of type 'string' instead of an object",
        "bad_properties": "the properties in its JSON schema are malformed",
        "bad_required": "the list of required arguments in its JSON schema is malformed",
        "tool 7": "it has no name",
        "tool 8": "it has no name",
    }
    assert session.skipped_tools == faults
    [warning] = [each for each in _ours(caplog) if each.levelno == logging.WARNING]
    for name, fault in faults.items():
        assert f"{name} ({fault})" in warning.getMessage()
    assert text_of(await session.async_call("odd_extras", {})) == "odd_extras done"
    (await process_of(session)).kill()
    await until(lambda: session.state is SessionState.CONNECTING)
    await connected(session)
    assert [each.levelno for each in _ours(caplog)].count(logging.WARNING) == 1


async def test_two_hundred_tools_come_over_all_pages_in_order(start_session: StartSession) -> None:
    session = await connected(start_session(raw("many-tools")))
    assert [tool.name for tool in session.tools] == [f"tool_{number}" for number in range(200)]
    assert text_of(await session.async_call("tool_199", {})) == "tool_199 done"


@pytest.mark.requirement("G8", "G9")
async def test_flood_on_stderr_is_kept_apart_and_bounded(start_session: StartSession) -> None:
    session = start_session(raw("chatty"))
    assert text_of(await session.async_call("count", {})) == "count done"
    await until(lambda: session.stderr[-1].startswith("line 499"))
    assert len(session.stderr) == 50
    assert max(map(len, session.stderr)) < 420


async def test_odd_results_cost_only_what_is_odd_in_them(
    hass: HomeAssistant, start_session: StartSession
) -> None:
    session = await connected(start_session(raw("odd-results")))
    assert (await tool_call(hass, session, "act")).data == {"result": "[video]"}
    assert (await tool_call(hass, session, "count")).data == {"result": ""}
    with pytest.raises(McpInvalidAnswer, match="content"):
        await tool_call(hass, session, "ping_me")
    assert session.state is SessionState.CONNECTED


async def test_server_without_tools_is_connected_and_what_it_logs_is_in_the_log(
    start_session: StartSession, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "custom_components")
    session = await connected(start_session(raw("no-tools")))
    assert session.tools == []
    await until(lambda: "Test logged (info): I have none" in caplog.text)


@pytest.mark.parametrize(
    ("mode", "told"), [("fickle", "Cannot tell just now"), ("fickle-garbled", "")]
)
async def test_tools_stay_when_the_changed_ones_cannot_be_read(
    start_session: StartSession,
    diary: Diary,
    caplog: pytest.LogCaptureFixture,
    mode: str,
    told: str,
) -> None:
    session = await connected(start_session(raw(mode, diary)))
    before = session.tools
    await session.async_call("act", {})
    await until(lambda: f"changed tools could not be read: {told}" in caplog.text, 20)
    assert session.tools == before
    assert session.state is SessionState.CONNECTED
