"""The end of a server's processes when Home Assistant is killed and can't end them itself.

The kernel closes the pipes of a process that is gone, on Linux, on macOS, with any C library: a
shell waits for the end of its input, and then ends the process group that it received.
"""

import asyncio
from contextlib import suppress
import logging
from subprocess import DEVNULL, PIPE

_LOGGER = logging.getLogger(__name__)

_SHELL = "/bin/sh"
# Seconds between asking and forcing, enough for a server to store its data.
_SCRIPT = 'read -r _; kill -TERM "-$1"; sleep 2; kill -KILL "-$1"'


class ParentWatchdog:
    """Ends a process group with Home Assistant, from `start` to `end`."""

    def __init__(self) -> None:
        """Guard nothing yet."""
        self._shell: asyncio.subprocess.Process | None = None

    async def start(self, group: int) -> None:
        """Guard a group; if there is no shell, only log that."""
        try:
            self._shell = await asyncio.create_subprocess_exec(
                *(_SHELL, "-c", _SCRIPT, _SHELL, str(group)),
                stdin=PIPE,
                stdout=DEVNULL,
                stderr=DEVNULL,
                # Neither in that group nor in Home Assistant's.
                start_new_session=True,
            )
        except OSError as err:
            _LOGGER.debug("Process group %d is not guarded: %s", group, err)

    async def end(self) -> None:
        """Guard it no more: the number of a group that has ended may soon be another's."""
        if self._shell:
            with suppress(ProcessLookupError):
                self._shell.kill()
            await self._shell.wait()
