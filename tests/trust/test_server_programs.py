"""What a server's program writes can forge no line of a log."""

import sys

import pytest

from custom_components.voice_gateway.mcp_servers.settings import CommandServer
from tests.mcp_servers.conftest import StartSession, failed, new_processes, start_session
from tests.rows import rows

__all__ = ("new_processes", "start_session")

FORGED = "2026-11-28 ERROR (MainThread) [homeassistant] The door was unlocked"
SECRET = "hunter-2-very-secret"
# What separates two lines, moves the cursor or hides text, in a terminal, a browser or an editor.
SEPARATORS = [
    "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029",
    "\x1b[2K\x1b[1G", "\x1b[1A", "\x1b]0;title\x07", "\x9b2K", "\b\b\b\b", "\x00", "\x7f",
    "\u202e", "\u2066", "\u200b", "\ufeff",
]  # fmt: skip


@rows("stream", ["stderr", "stdout"])
async def test_output_of_a_program_is_one_plain_line_without_secrets(
    start_session: StartSession, caplog: pytest.LogCaptureFixture, stream: str
) -> None:
    lines = [f"begin{each}{FORGED}" for each in SEPARATORS]
    lines += [f"{SECRET[:8]}{each}{SECRET[8:]}" for each in ("\u200b", "\ufeff", "\u202e")]
    program = f"import sys; sys.{stream}.buffer.write({'\n'.join(lines)!r}.encode())"
    server = CommandServer(command=sys.executable, args=("-c", program), env={"KEY": SECRET})
    caplog.set_level("DEBUG")
    await failed(start_session(server, timings={"slow_attempts": (600,)}))
    written = [each.getMessage() for each in caplog.records if f"wrote to {stream}" in each.msg]
    assert len(written) >= len(lines)
    assert not [each for each in written if not each.isprintable()]
    assert not [each for each in written if SECRET in each]
    caplog.clear()


@rows(
    ("env", "args"),
    [
        ({"PASSPHRASE": SECRET}, ()),
        ({"GEHEIM": SECRET}, ()),
        ({"COOKIE": f"sid={SECRET}"}, ()),
        ({}, ("--pass", SECRET)),
        ({}, ("-k", SECRET)),
        ({}, (f"--mot-de-passe={SECRET}",)),
    ],
)
async def test_setting_of_a_program_is_secret_whatever_its_name(
    start_session: StartSession,
    caplog: pytest.LogCaptureFixture,
    env: dict[str, str],
    args: tuple[str, ...],
) -> None:
    """In its own output, its error, and the log."""
    program = "import os, sys; sys.exit(f'{sys.argv[1:]} {dict(os.environ)}')"
    server = CommandServer(command=sys.executable, args=("-c", program, *args), env=env)
    caplog.set_level("DEBUG")
    session = start_session(server, timings={"slow_attempts": (600,)})
    error = await failed(session)
    told = [str(error), *session.stderr, *(each.getMessage() for each in caplog.records)]
    assert "***" in "".join(session.stderr)
    assert not [each for each in told if SECRET in each]
    caplog.clear()
