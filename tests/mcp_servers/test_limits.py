"""Servers that give more than anybody can use, and programs whose Home Assistant is gone."""

import asyncio
from pathlib import Path
import sys
from tempfile import gettempdir

import psutil  # type: ignore[import-untyped]

from custom_components.voice_gateway.mcp_servers import parent_watchdog
from custom_components.voice_gateway.mcp_servers.session import SessionState
from custom_components.voice_gateway.mcp_servers.settings import CommandServer

from .conftest import Diary, StartSession, raw, text_of, until

GUARDED = f"""
import asyncio, importlib.util, sys
spec = importlib.util.spec_from_file_location("guard", {parent_watchdog.__file__!r})
guard = importlib.util.module_from_spec(spec)
spec.loader.exec_module(guard)

async def main():
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-c", "while True: __import__('time').sleep(600)", start_new_session=True
    )
    await guard.ParentWatchdog().start(child.pid)
    print(child.pid, flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


def is_temporary_and_gone(folder: str) -> bool:
    path = Path(folder)
    return not path.exists() and path.parent == Path(gettempdir()).resolve()


async def test_of_too_many_tools_the_first_are_offered(start_session: StartSession) -> None:
    session = start_session(raw("crowded"))
    await until(lambda: session.state is SessionState.CONNECTED)
    assert [tool.name for tool in session.tools] == [f"tool_{number}" for number in range(200)]
    assert session.skipped_tools == {
        "long": "the JSON schema of its arguments is longer than 8 kB",
        "4800 more": "only 200 tools are used",
    }


async def test_news_that_come_at_once_are_read_once(
    start_session: StartSession, diary: Diary
) -> None:
    session = start_session(raw("restless", diary))
    await session.async_call("act", {})
    await until(lambda: diary.count("list") > 1)
    await session.async_call("count", {})
    assert diary.count("list") < 10, "It said so five hundred times"


async def test_a_call_is_answered_behind_whatever_its_server_has_to_tell(
    start_session: StartSession,
) -> None:
    session = start_session(raw("chatty"))
    assert text_of(await session.async_call("act", {})) == "act done"


async def test_a_program_has_an_empty_folder_of_its_own(start_session: StartSession) -> None:
    script = "import os, sys; sys.exit(f'{os.getcwd()} holds {os.listdir()}')"
    session = start_session(CommandServer(command=sys.executable, args=("-c", script)))
    await until(lambda: session.state is SessionState.FAILED)
    assert session.last_error
    folder, _, held = session.last_error.stderr[-1].partition(" holds ")
    assert held == "[]"
    await session.async_stop()
    assert is_temporary_and_gone(folder)


async def test_a_program_ends_with_a_home_assistant_that_is_killed() -> None:
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", GUARDED, stdout=asyncio.subprocess.PIPE
    )
    assert parent.stdout
    child = psutil.Process(int(await parent.stdout.readline()))
    assert child.is_running()
    parent.kill()
    await parent.wait()
    await until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE)
