"""A session with each kind of server: it connects, lists, calls, follows, ends."""

import asyncio
import logging
import os
from pathlib import Path
import sys

from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import psutil  # type: ignore[import-untyped]
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry  # type: ignore[import-untyped]
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator  # type: ignore[import-untyped]

from custom_components.voice_gateway.mcp_servers import connection
from custom_components.voice_gateway.mcp_servers.errors import (
    McpRejected,
    McpTimeout,
    McpUnavailable,
    McpUnreachable,
)
from custom_components.voice_gateway.mcp_servers.session import SessionState, async_try
from custom_components.voice_gateway.mcp_servers.settings import (
    CommandServer,
    ServerSettings,
    UrlServer,
)

from .conftest import (
    TIMINGS,
    Diary,
    Listed,
    NewProcesses,
    StartSession,
    everyday,
    raw,
    text_of,
    until,
)
from .servers import HttpProcess


@pytest.mark.requirement("G13")
async def test_tools_are_listed_and_called_over_every_transport_and_sdk(
    start_session: StartSession, server: CommandServer | UrlServer
) -> None:
    session = start_session(server)

    assert text_of(await session.async_call("add", {"a": 2, "b": 3})) == "5"
    assert session.state is SessionState.CONNECTED
    assert [tool.name for tool in session.tools][:3] == ["add", "echo", "control_zwave_device"]
    assert session.instructions == "Use `add` for sums; never add yourself."
    assert session.server_info is not None
    assert session.server_info.name == "everyday"
    # The server says when they changed.
    await session.async_call("learn", {"name": "juggle"})
    await until(lambda: session.find_tool("juggle"))
    assert text_of(await session.async_call("juggle", {})) == "did juggle"


@pytest.mark.parametrize("server", [2], indirect=True, ids=["sdk2"])
async def test_calls_of_several_tasks_run_at_the_same_time(
    start_session: StartSession, server: CommandServer | UrlServer
) -> None:
    session = start_session(server)
    results = await asyncio.gather(*(session.async_call("meet", {}) for _ in range(5)))
    assert [text_of(result) for result in results] == ["met"] * 5


@pytest.mark.parametrize("server", [2], indirect=True, ids=["sdk2"])
async def test_a_call_that_takes_too_long_is_given_up_and_the_session_stays(
    start_session: StartSession, server: CommandServer | UrlServer
) -> None:
    session = start_session(server, timings={"ping_answer": 20})
    process = text_of(await session.async_call("process", {}))
    with pytest.raises(McpTimeout, match=r"No answer came within 0\.2 seconds"):
        await session.async_call("sleep", {"seconds": 30}, timeout=0.2)
    assert text_of(await session.async_call("process", {})) == process


async def test_time_server_of_the_package_index_is_used(
    start_session: StartSession, sdk_1: str
) -> None:
    server = CommandServer(command=sdk_1, args=("-m", "mcp_server_time"))
    session = start_session(server)
    result = await session.async_call("get_current_time", {"timezone": "Europe/Berlin"})
    assert '"timezone": "Europe/Berlin"' in text_of(result)
    assert {tool.name for tool in session.tools} == {"get_current_time", "convert_time"}


async def test_fetch_server_of_the_package_index_is_used(
    start_session: StartSession, sdk_1: str, http_page: str
) -> None:
    args = ("-m", "mcp_server_fetch", "--ignore-robots-txt", "--allow-private-ips")
    session = start_session(CommandServer(command=sdk_1, args=args))
    result = await session.async_call("fetch", {"url": http_page, "raw": True})
    assert "The kettle is on" in text_of(result)


async def test_home_assistants_own_server_is_used(
    hass: HomeAssistant,
    start_session: StartSession,
    hass_client: ClientSessionGenerator,
    hass_access_token: str,
) -> None:
    for domain in ("homeassistant", "http", "llm", "conversation"):
        assert await async_setup_component(hass, domain, {})
    options = {"llm_hass_api": ["assist"], "all_llm_apis": False, "require_admin": False}
    entry = MockConfigEntry(domain="mcp_server", data=options | {"read_only": False})
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    client = await hass_client()

    async def token() -> str:
        return hass_access_token

    session = start_session(UrlServer(url=str(client.make_url("/api/mcp")), token=token))
    result = await session.async_call("llm__GetDateTime", {})
    assert "time" in text_of(result)
    assert session.find_tool("llm__GetDateTime") in session.offered_tools


@pytest.mark.requirement("G11")
async def test_servers_do_not_wait_for_each_other(start_session: StartSession) -> None:
    assert start_session(raw("mute")).state is SessionState.CONNECTING
    other = start_session(raw("good"))
    await until(lambda: other.state is SessionState.CONNECTED)


@pytest.mark.requirement("G1", "G4", "G5")
async def test_second_attempt_succeeds_and_each_is_logged_with_number_and_delay(
    start_session: StartSession, diary: Diary, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    session = start_session(raw("second-time-lucky", diary))
    await until(lambda: session.state is SessionState.CONNECTED)
    assert "MCP connection attempt 1 of 3 in 0 s" in caplog.text
    assert "MCP connection attempt 2 of 3 in 0.05 s" in caplog.text
    assert "MCP connection succeeded on attempt 2" in caplog.text
    assert diary.count("start") == 2


@pytest.mark.requirement("G2", "G3", "G12")
def test_attempts_are_made_at_once_and_after_two_and_four_seconds_then_slower_for_ever() -> None:
    timings = ServerSettings(name="Test", server=raw("good")).timings
    assert list(timings.attempts) == [0, 2, 4]
    assert list(timings.slow_attempts) == sorted(timings.slow_attempts)
    assert timings.slow_attempts[-1] == 300


@pytest.mark.requirement("G6", "G8")
async def test_third_failure_is_reported_with_stderr_and_attempts_go_on(
    start_session: StartSession, diary: Diary, caplog: pytest.LogCaptureFixture
) -> None:
    session = start_session(raw("exits", diary, env={"API_KEY": "very-secret-key"}))
    await until(lambda: session.state is SessionState.FAILED)
    (failure,) = [each for each in caplog.records if "MCP connection failed" in each.message]
    assert failure.levelno == logging.WARNING
    assert "MCP connection failed after 3 attempts" in failure.message
    assert "KeyError: 'API_KEY'" in failure.message
    assert session.stderr == ("Traceback of something", "KeyError: 'API_KEY'", "the key is ***")
    assert "very-secret-key" not in caplog.text
    assert isinstance(session.last_error, McpUnreachable)

    await until(lambda: diary.count("start") > 4)
    # Said once: what nobody can change every time fills the log.
    assert caplog.text.count("MCP connection failed") == 1


@pytest.mark.requirement("G7")
async def test_tools_come_back_without_a_restart_once_the_server_does(
    start_session: StartSession, http_server: HttpProcess
) -> None:
    http_server.kill()
    session = start_session(UrlServer(url=http_server.url))
    await until(lambda: session.state is SessionState.FAILED)
    assert session.offered_tools == []
    # A call hurries one that waits long for its next attempt.
    waiting = start_session(UrlServer(url=http_server.url), timings={"slow_attempts": (600,)})
    await until(lambda: waiting.state is SessionState.FAILED)
    http_server.restart()
    assert text_of(await waiting.async_call("add", {"a": 1, "b": 1})) == "2"
    await until(lambda: session.state is SessionState.CONNECTED)
    assert session.offered_tools
    assert session.last_error is None


async def test_listeners_hear_of_each_change_until_they_are_removed(
    start_session: StartSession,
) -> None:
    session = start_session(raw("good"))
    utterance: list[SessionState] = []
    remove = session.async_add_listener(lambda: utterance.append(session.state))
    to_the_end: list[SessionState] = []
    session.async_add_listener(lambda: to_the_end.append(session.state))
    await until(lambda: session.state is SessionState.CONNECTED)
    process = int(text_of(await session.async_call("process", {})))
    psutil.Process(process).kill()
    await until(lambda: len(utterance) >= 3)
    states = [SessionState.CONNECTED, SessionState.CONNECTING, SessionState.CONNECTED]
    assert utterance[:3] == states
    remove()
    await session.async_stop()
    assert SessionState.STOPPED not in utterance
    assert to_the_end[-1] is SessionState.STOPPED


@pytest.mark.parametrize("mode", ["good", "mute", "exits", "stubborn", "slow-start"])
async def test_stop_ends_the_process_whatever_it_is_doing(
    start_session: StartSession, mode: str, diary: Diary, new_processes: NewProcesses
) -> None:
    session = start_session(raw(mode, diary))
    await until(lambda: diary.count("start"))
    if mode in ("good", "stubborn"):
        await until(lambda: session.state is SessionState.CONNECTED)
    await session.async_stop()
    assert session.state is SessionState.STOPPED
    assert not session.is_offered
    assert not new_processes()
    with pytest.raises(McpUnavailable):
        await session.async_call("count", {})


async def test_what_a_server_started_ends_with_it(start_session: StartSession) -> None:
    session = start_session(everyday())
    offspring = int(text_of(await session.async_call("offspring", {})))
    assert psutil.pid_exists(offspring)
    psutil.Process(int(text_of(await session.async_call("process", {})))).kill()
    await until(lambda: session.state is SessionState.CONNECTED and not _runs(offspring))


def _runs(process: int) -> bool:
    try:
        return bool(psutil.Process(process).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


async def test_child_has_the_environment_and_the_directory_of_its_settings(
    start_session: StartSession, tmp_path: Path
) -> None:
    script = tmp_path / "show.py"
    script.write_text(
        "import os, sys; told = map(os.environ.get, ('COLOUR', 'HOME', 'PATH'));"
        "sys.exit(f\"{' '.join(map(str, told))} in {os.getcwd()}\")"
    )
    # What it is told comes before what is so anyway, and that is there besides.
    env = {"COLOUR": "production", "HOME": "/nowhere"}
    session = start_session(
        CommandServer(command=sys.executable, args=(str(script),), env=env, cwd=str(tmp_path))
    )
    await until(lambda: session.state is SessionState.FAILED)
    assert session.stderr == (f"production /nowhere {os.environ['PATH']} in {tmp_path}",)


@pytest.mark.parametrize("mode", ["modern", "modern-quiet", "modern-only"])
async def test_server_of_the_newer_protocol_generation_is_used(
    start_session: StartSession, diary: Diary, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    """And who answers, be it that no news are told, is not waited for any longer."""
    monkeypatch.setattr(connection, "_NEWS_TIMEOUT", 600)
    session = start_session(raw(mode, diary), timings={"connect": 20, "slow_attempts": (600,)})
    assert text_of(await session.async_call("count", {})) == "count done"
    assert session.protocol_version == "2026-07-28"
    assert session.attempts == 1


async def test_server_that_does_not_say_whether_it_tells_news_is_used_all_the_same(
    start_session: StartSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_NEWS_TIMEOUT", 0.1)
    session = start_session(raw("modern-deaf"))
    assert text_of(await session.async_call("count", {})) == "count done"
    assert session.attempts == 1


@pytest.mark.requirement("G13")
async def test_changed_tools_of_a_server_that_tells_no_news_are_found_in_time(
    start_session: StartSession, diary: Diary
) -> None:
    session = start_session(raw("modern-quiet", diary), timings={"ping": 0.1, "ping_answer": 20})
    await session.async_call("act", {})
    await until(lambda: session.find_tool("encore"))
    assert session.state is SessionState.CONNECTED


@pytest.mark.requirement("G13")
async def test_tools_of_an_older_server_that_tells_nothing_are_read_now_and_then(
    start_session: StartSession, tmp_path: Path
) -> None:
    server = Listed(tmp_path)
    timings = {"ping": 0.1, "ping_answer": 20, "relist": 0.2}
    session = start_session(server.has("one", mode="silent"), timings=timings)
    await until(lambda: session.find_tool("one"))
    server.has("two", mode="silent")
    await until(lambda: session.find_tool("two"))
    assert session.find_tool("one") is None
    assert server.diary.count("start") == 1


@pytest.mark.requirement("G13")
async def test_tool_that_is_refused_has_the_tools_read_anew(
    start_session: StartSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Listed(tmp_path)
    session = start_session(server.has("one", mode="silent"))
    await until(lambda: session.find_tool("one"))
    monkeypatch.setattr(connection, "_DOUBTS_APART", 0)
    monkeypatch.setattr(connection, "_LISTINGS_APART", 0)
    server.has("two", mode="silent")
    with pytest.raises(McpRejected, match="Unknown tool: one"):
        await session.async_call("one", {})
    await until(lambda: session.find_tool("two"))
    # The next change is found as the first was.
    server.has("three", mode="silent")
    with pytest.raises(McpRejected, match="Unknown tool: two"):
        await session.async_call("two", {})
    await until(lambda: session.find_tool("three"))


@pytest.mark.requirement("F7")
async def test_rejection_of_the_server_is_passed_on_word_for_word(
    start_session: StartSession, diary: Diary, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = start_session(raw("good", diary))
    monkeypatch.setattr(connection, "_LISTINGS_APART", 0)
    with pytest.raises(McpRejected) as raised:
        await session.async_call("unknown", {})
    assert str(raised.value) == "Unknown tool: unknown"
    assert raised.value.code == -32602
    # The tools were read just before: they are not read again for each refusal.
    await session.async_call("count", {})
    assert diary.count("list") == 1


async def test_trial_introduces_the_server_and_ends_it(
    hass: HomeAssistant, new_processes: NewProcesses
) -> None:
    settings = ServerSettings(name="Test", server=everyday(), timings=TIMINGS)
    introduction = await async_try(hass, settings)
    assert "add" in [tool.original_name for tool in introduction.tools]
    assert introduction.instructions
    assert not new_processes()


async def test_trial_says_why_it_failed(hass: HomeAssistant, new_processes: NewProcesses) -> None:
    settings = ServerSettings(name="Test", server=raw("exits"), timings=TIMINGS)
    with pytest.raises(McpUnreachable) as raised:
        await async_try(hass, settings)
    assert "KeyError: 'API_KEY'" in raised.value.stderr


async def test_cancelled_trial_leaves_nothing(
    hass: HomeAssistant, diary: Diary, new_processes: NewProcesses
) -> None:
    settings = ServerSettings(name="Test", server=raw("mute", diary), timings=TIMINGS)
    trial = asyncio.create_task(async_try(hass, settings))
    await until(lambda: diary.count("start"))
    trial.cancel()
    with pytest.raises(asyncio.CancelledError):
        await trial
