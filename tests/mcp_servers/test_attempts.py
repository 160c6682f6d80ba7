"""When a session tries again to connect: soon at first, then slowly, and when somebody says so."""

import asyncio
import logging
import re

from aiohttp import web
from homeassistant.core import HomeAssistant
import psutil  # type: ignore[import-untyped]
import pytest

from custom_components.voice_gateway.mcp_servers.errors import McpUnavailable
from custom_components.voice_gateway.mcp_servers.session import SessionState
from custom_components.voice_gateway.mcp_servers.settings import CommandServer, UrlServer

from .conftest import StartSession, connected, failed, raw, text_of, until
from .faulty import FaultyServer

NOWHERE = CommandServer(command="/no/such/command")


class Log:
    """The attempts that the log tells of: their numbers, as they are told, and the waits before them."""

    def __init__(self, caplog: pytest.LogCaptureFixture) -> None:
        """Read the log."""
        caplog.set_level(logging.DEBUG)
        self._caplog = caplog

    @property
    def attempts(self) -> list[tuple[str, float]]:
        """Return what it tells by now."""
        found = re.findall(r"MCP connection attempt (.+) in (\S+) s", self._caplog.text)
        return [(number, float(delay)) for number, delay in found]


@pytest.fixture
def log(hass: HomeAssistant, caplog: pytest.LogCaptureFixture) -> Log:
    """Return what the log tells of attempts."""
    return Log(caplog)


async def test_waits_become_longer_and_the_last_one_stays(
    start_session: StartSession, log: Log
) -> None:
    timings = {"attempts": (0, 0.01, 0.02), "slow_attempts": (0.03, 0.04)}
    session = start_session(NOWHERE, timings=timings)
    await until(lambda: len(log.attempts) > 6)
    assert log.attempts[:7] == [
        ("1 of 3", 0),
        ("2 of 3", 0.01),
        ("3 of 3", 0.02),
        ("4", 0.03),
        ("5", 0.04),
        ("6", 0.04),
        ("7", 0.04),
    ]
    assert session.state is SessionState.FAILED


async def test_session_has_failed_with_the_last_quick_attempt_and_not_before(
    start_session: StartSession, log: Log
) -> None:
    session = start_session(NOWHERE, timings={"attempts": (0, 0, 600), "slow_attempts": (600,)})
    await until(lambda: len(log.attempts) == 3)
    assert session.attempts == 2
    assert session.state is SessionState.CONNECTING


async def test_call_does_not_hurry_a_short_wait(start_session: StartSession, log: Log) -> None:
    session = start_session(NOWHERE, timings={"attempts": (0, 600), "wait": 0.1})
    await until(lambda: len(log.attempts) == 2)
    with pytest.raises(McpUnavailable):
        await session.async_call("add", {})
    assert session.attempts == 1


async def test_call_hurries_one_attempt_and_not_those_after_it(
    start_session: StartSession, log: Log
) -> None:
    session = start_session(
        NOWHERE, timings={"attempts": (0,), "slow_attempts": (600,), "wait": 0.2}
    )
    await until(lambda: len(log.attempts) == 2)
    with pytest.raises(McpUnavailable):
        await session.async_call("add", {})
    assert session.attempts == 2


async def test_server_that_is_slow_is_given_more_time_with_each_attempt(
    start_session: StartSession, faulty: FaultyServer
) -> None:
    async def slow(request: web.Request) -> web.StreamResponse:
        if (await request.json())["method"] == "initialize":
            await asyncio.sleep(0.5)
        return await faulty.right(request)

    faulty.fault = slow
    session = start_session(UrlServer(url=faulty.url), timings={"answer": 0.3})
    await connected(session)
    assert session.attempts > 1


async def test_refused_credentials_are_tried_again_slowly_or_when_something_changed(
    start_session: StartSession, faulty: FaultyServer, log: Log
) -> None:
    faulty.token = "right"
    server = UrlServer(url=faulty.url, headers={"Authorization": "Bearer wrong"})
    session = start_session(server, timings={"slow_attempts": (0.01, 600)})
    await failed(session)
    await until(lambda: len(log.attempts) == 2)
    assert log.attempts == [("1 of 3", 0), ("2", 600)]
    faulty.token = "wrong"
    session.async_retry()
    await connected(session)
    assert session.last_error is None


@pytest.mark.parametrize(("stable", "then"), [(0, "1 of 3"), (600, "2 of 3")])
async def test_attempts_are_counted_from_the_last_connection_that_was_stable(
    start_session: StartSession, log: Log, stable: float, then: str
) -> None:
    session = start_session(raw("good"), timings={"stable": stable})
    process = text_of(await session.async_call("process", {}))
    assert session.attempts == 1
    psutil.Process(int(process)).kill()
    await until(lambda: len(log.attempts) == 2)
    assert [number for number, _ in log.attempts] == ["1 of 3", then]
    assert text_of(await session.async_call("process", {})) != process
