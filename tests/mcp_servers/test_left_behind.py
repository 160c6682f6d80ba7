"""What counts as a process that a test has left behind."""

import asyncio
from collections.abc import Iterator
from subprocess import PIPE, Popen

import psutil  # type: ignore[import-untyped]
import pytest

from .conftest import NewProcesses, until


@pytest.fixture(scope="module")
def starter() -> Iterator[Popen[bytes]]:
    """Return a server that tests share, which starts a process of its own when it is asked."""
    command = ("sh", "-c", "read asked; sleep 600 & wait")
    with Popen(command, stdin=PIPE) as process:
        yield process
        for each in (*psutil.Process(process.pid).children(), process):
            each.kill()


async def test_process_of_a_server_that_was_there_is_not_the_tests(
    starter: Popen[bytes], new_processes: NewProcesses
) -> None:
    assert starter.stdin
    starter.stdin.write(b"please\n")
    starter.stdin.flush()
    await until(psutil.Process(starter.pid).children)
    assert new_processes() == set()


async def test_process_that_a_test_started_is_its_own(
    starter: Popen[bytes], new_processes: NewProcesses
) -> None:
    process = await asyncio.create_subprocess_exec("sleep", "600")
    assert {each.pid for each in new_processes()} == {process.pid}
    process.kill()
    await process.wait()
    assert new_processes() == set()
